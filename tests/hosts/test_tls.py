"""`sslmode` and `sslrootcert` of `DB_STRING`, against a server that speaks TLS."""

import asyncio
import ssl
import struct
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import text

from core.database_options import DatabaseOptions
from db.session import Database
from tests.support.tcp import relay, serving
from tests.support.tls import self_signed, server_side

PATIENT = DatabaseOptions(connect_timeout=30)


class Front:
    """Speaks TLS before a PostgreSQL that can't, and keeps which connections did."""

    def __init__(self, behind: str, context: ssl.SSLContext) -> None:
        self._behind, self._context = urlsplit(behind), context
        self.encrypted: list[bool] = []
        self.url = ""

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.readexactly(8)
        wants_tls = first == struct.pack("!II", 8, 80877103)  # SSLRequest
        if wants_tls:
            writer.write(b"S")
            await writer.start_tls(self._context)
            first = b""
        self.encrypted.append(wants_tls)
        await relay(reader, writer, self._behind.hostname, self._behind.port, first=first)


@pytest.fixture
async def front(database, tmp_path) -> AsyncIterator[tuple[Front, Path]]:
    """The server, and the file of who vouches for it."""
    pem = self_signed(tmp_path)
    made = Front(database, server_side(pem))
    async with serving(made.take) as port:
        made.url = database.replace(f":{urlsplit(database).port}/", f":{port}/")
        yield made, pem


async def encrypted(
    front: Front, query: str, options: DatabaseOptions = PATIENT, host: str = "127.0.0.1"
) -> set[bool]:
    """Returns whether connections of each kind speak TLS."""
    front.encrypted.clear()
    db = Database(front.url.replace("127.0.0.1", host) + query, options)
    try:
        await db.probe()
        await db.fetchval("SELECT 1")
        async with db.session() as session:
            await session.execute(text("SELECT 1"))
        assert len(front.encrypted) == 3
        return set(front.encrypted)
    finally:
        await db.close()


@pytest.mark.parametrize("mode", ["disable", "allow", "prefer", "require"])
async def test_modes_that_ask_for_no_certificate(front, mode):
    server, _ = front
    assert await encrypted(server, f"?sslmode={mode}") == {mode in ("prefer", "require")}


@pytest.mark.parametrize("mode", ["require", "verify-ca", "verify-full"])
async def test_who_is_not_vouched_for_is_refused(front, mode, tmp_path_factory):
    server, pem = front
    assert await encrypted(server, f"?sslmode={mode}&sslrootcert={pem}") == {True}
    other = self_signed(tmp_path_factory.mktemp("other"))
    with pytest.raises(ssl.SSLCertVerificationError):
        await encrypted(server, f"?sslmode={mode}&sslrootcert={other}")


async def test_the_name_counts_in_verify_full_alone(front):
    server, pem = front
    assert await encrypted(server, f"?sslmode=verify-ca&sslrootcert={pem}", host="localhost") == {True}
    with pytest.raises(ssl.SSLCertVerificationError):
        await encrypted(server, f"?sslmode=verify-full&sslrootcert={pem}", host="localhost")


async def test_the_machine_s_authorities(front):
    server, _ = front
    with pytest.raises(ssl.SSLCertVerificationError):
        await encrypted(server, "?sslrootcert=system")


async def test_the_url_goes_before_the_file(front, tmp_path_factory):
    server, pem = front
    strict = DatabaseOptions(tls="verify-full", tls_ca_file=pem, connect_timeout=30)
    other = self_signed(tmp_path_factory.mktemp("other"))
    assert await encrypted(server, "", strict) == {True}
    assert await encrypted(server, "?sslmode=disable", strict) == {False}
    with pytest.raises(ssl.SSLCertVerificationError):
        await encrypted(server, f"?sslrootcert={other}", strict)
