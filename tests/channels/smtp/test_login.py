"""Logging in, and TLS."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from channels.port import Result
from tests.channels.peer import Scenario
from tests.channels.peer_smtp import PASSWORD, MailServer, peer
from tests.channels.smtp.rig import LARGE, message, opened, raw, send
from tests.support.tls import self_signed, server_side

pytestmark = pytest.mark.servers


async def test_wrong_password_names_neither_user_nor_password() -> None:
    async with peer() as server, opened(server.dsn.replace("s3cret", "wr0ng")) as channel:
        outcome = await send(channel)
        assert (outcome.result, outcome.code) == (Result.misconfigured, "bad_credentials")
        assert outcome.reason is not None
        assert "535" in outcome.reason
        assert "wr0ng" not in outcome.reason


async def test_a_server_that_repeats_the_credentials_is_masked() -> None:
    async with raw() as (server, channel):
        server.extensions = b"250-AUTH PLAIN\r\n"
        channel._options = replace(channel._options, credentials=("postern", PASSWORD))
        blob = "AHBvc3Rlcm4AczNjcmV0L3Bhc3Mgd29yZA=="
        server.before = {b"AUTH": [f"454 4.3.0 cannot check {blob} {PASSWORD}\r\n".encode()]}
        outcome = await send(channel)
        assert outcome.result is Result.transient
        assert outcome.reason == "connect: 454 4.3.0 cannot check *** ***"
        assert f"AUTH PLAIN {blob}".encode() in server.lines


@pytest.mark.parametrize(
    ("extensions", "code"),
    [(b"", "bad_credentials"), (b"250-AUTH XOAUTH2\r\n", "bad_credentials")],
    ids=["no AUTH", "unknown method"],
)
async def test_no_way_to_log_in(extensions: bytes, code: str) -> None:
    async with raw() as (server, channel):
        server.extensions = extensions
        channel._options = replace(channel._options, credentials=("postern", PASSWORD))
        outcome = await send(channel)
        assert (outcome.result, outcome.code) == (Result.misconfigured, code)


async def test_credentials_are_not_sent_in_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("channels.smtp.channel._is_loopback", lambda smtp: False)
    async with raw() as (server, channel):
        server.extensions = b"250-AUTH PLAIN LOGIN\r\n"
        channel._options = replace(channel._options, credentials=("postern", PASSWORD))
        outcome = await send(channel)
        assert (outcome.result, outcome.code) == (Result.misconfigured, "tls_required")
        assert not [line for line in server.lines if line.startswith(b"AUTH")]
        channel._options = replace(channel._options, insecure=True)
        server.before = {b"AUTH": [b"235 welcome\r\n"]}
        assert (await send(channel)).result is Result.sent


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, Path]:
    """Returns the TLS context of a server at 127.0.0.1, and the file that makes it trusted."""
    path = self_signed(tmp_path_factory.mktemp("tls"))
    return server_side(path), path


@asynccontextmanager
async def tls_peer(context: ssl.SSLContext, *, implicit: bool) -> AsyncIterator[tuple[MailServer, str]]:
    server = MailServer()
    server.tls = context
    listener = await asyncio.get_running_loop().create_server(
        server.connection, "127.0.0.1", 0, ssl=context if implicit else None
    )
    port = listener.sockets[0].getsockname()[1]
    scheme = "smtps" if implicit else "smtp"
    try:
        yield (
            server,
            f"{scheme}://postern:s3cret%2Fpass%20word@127.0.0.1:{port}?from=news@example.com&timeout=30",
        )
    finally:
        listener.close()
        server.drop()
        await listener.wait_closed()


@pytest.mark.parametrize("implicit", [True, False], ids=["smtps", "starttls"])
async def test_tls(
    certificate: tuple[ssl.SSLContext, Path], implicit: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("channels.smtp.channel._is_loopback", lambda smtp: False)
    context, file = certificate
    async with tls_peer(context, implicit=implicit) as (server, dsn):
        async with opened(f"{dsn}&ca={file}") as channel:
            assert (await send(channel)).result is Result.sent
            assert (await send(channel, message(body=LARGE[:1_000_000]))).result is Result.sent
            server.script(Scenario.hang_after)
            channel._options = replace(channel._options, timeout=2)
            assert (await send(channel)).result is Result.unknown
            server.script(Scenario.accept)
        async with opened(dsn) as channel:  # nobody vouches for the certificate
            outcome = await send(channel)
            assert (outcome.result, outcome.code) == (Result.misconfigured, "tls_failed")
            assert "self-signed" in (outcome.reason or "")
        async with opened(f"{dsn}&insecure=1") as channel:
            assert (await send(channel)).result is Result.sent
        if not implicit:
            async with opened(f"{dsn}&starttls=off") as channel:
                assert (await send(channel)).code == "tls_required"
    assert len(server.received) == 4


async def test_starttls_required_but_not_offered() -> None:
    async with raw("timeout=30&starttls=required") as (server, channel):
        outcome = await send(channel)
        assert (outcome.result, outcome.code) == (Result.misconfigured, "tls_required")
        assert server.content == []


async def test_tls_to_a_server_without() -> None:
    async with peer() as server, opened(server.dsn.replace("smtp://", "smtps://")) as channel:
        outcome = await send(channel)
        assert outcome.result in (Result.misconfigured, Result.transient), outcome
