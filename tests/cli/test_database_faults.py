"""Whatever PostgreSQL or Redis do to a command, it says it in one line, and shows no password."""

import os
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest

from core.database_options import BadSettings, DatabaseOptions
from db.session import Database
from tests.support import servers
from tests.support.ports import free_port

pytestmark = pytest.mark.rotating

CREDIT = ("credit", "ada@example.com", "5")


def changed(url: str, **parts: str) -> str:
    split = urlsplit(url)
    who = parts.get("user", split.netloc.rpartition("@")[0])
    return f"postgresql://{who}@127.0.0.1:{parts.get('port', split.port)}/{parts.get('name', split.path[1:])}"


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_database_that_cannot_be_used(line, database):
    nobody = free_port()
    cases = {
        changed(database, port=str(nobody)): (
            f"PostgreSQL at 127.0.0.1:{nobody}",
            "Connection refused",
            "running",
        ),
        changed(database, user="postern:hunter2"): (
            "password authentication failed",
            "Correct user and password",
        ),
        changed(database, name="nowhere"): ('"nowhere" does not exist', "createdb"),
        "postgresql://me:hunt/hunter2@127.0.0.1/x": ("DB_STRING can't be read", "percent-encoded"),
    }
    for url, expected in cases.items():
        message = line("user", "create", "ada@example.com", DB_STRING=url)
        for words in expected:
            assert words in message, url
        assert "hunter2" not in message


@pytest.mark.parametrize(
    "url", ["postgresql://me:hunter2@127.0.0.1:http/x", "mysql://me:hunter2@127.0.0.1/x", "hunter2", ""]
)
def test_a_database_that_cannot_be_meant(url):
    with pytest.raises(BadSettings, match="DB_STRING can't be read") as refused:
        Database(url, DatabaseOptions())
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("words", [("migrate",), ("serve", "--port", "0")], ids=lambda words: words[0])
def test_other_commands_say_so_too(words, line, database):
    assert "Correct user and password" in line(*words, DB_STRING=changed(database, user="postern:hunter2"))


def test_a_database_that_hangs(line, database, folder, silent):
    (folder / "database.toml").write_text("[database]\nconnect_timeout = 0.5\n")
    message = line(
        *CREDIT,
        DB_STRING=changed(database, port=str(silent)),
        POSTERN_DATABASE_FILE=str(folder / "database.toml"),
    )
    assert f"PostgreSQL at 127.0.0.1:{silent}" in message
    assert "no answer" in message


async def test_a_schema_that_is_not_there(line):
    name = f"test_{uuid4().hex}"
    connection = await asyncpg.connect(os.environ[servers.POSTGRES])
    await connection.execute(f"CREATE DATABASE {name}")
    try:
        message = line(*CREDIT, DB_STRING=servers.named(os.environ[servers.POSTGRES], name))
        assert 'relation "audit_keys" does not exist' in message
        assert "Run: postern migrate" in message
    finally:
        await servers.drop(name)
        await connection.close()


async def test_what_the_database_refuses(line, database):
    connection = await asyncpg.connect(database)
    await connection.execute(
        "ALTER DATABASE " + urlsplit(database).path[1:] + " SET default_transaction_read_only = on"
    )
    await connection.close()
    message = line("user", "create", "ada@example.com")
    assert "read-only transaction" in message


async def test_a_lock_that_is_held(line, database, folder, postern):
    (folder / "database.toml").write_text("[database]\nlock_timeout = 0.2\n")
    assert postern("user", "create", "ada@example.com").returncode == 0
    connection = await asyncpg.connect(database)
    try:
        async with connection.transaction():
            await connection.execute("LOCK accounts")
            message = line(*CREDIT, POSTERN_DATABASE_FILE=str(folder / "database.toml"))
    finally:
        await connection.close()
    assert "lock timeout" in message
