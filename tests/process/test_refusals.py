"""A refused start prints one clear line, exits with code 1, and leaves nothing behind."""

import functools
import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from core.private_files import private_folder
from core.settings import Settings
from postern.process import listening
from tests.process.serve import POSTERN, START, environment, run, serving, using
from tests.support import servers
from tests.support.ports import free_port
from tests.support.waits import eventually

pytestmark = pytest.mark.rotating

KEYS = {"POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32}
NOBODY = 65534


def refusal(folder: Path, *words: str, **settings: str) -> str:
    refused = run(folder, "serve", *words, **settings)
    assert refused.returncode == 1, refused.stdout + refused.stderr
    (line,) = refused.stderr.strip().splitlines()
    assert line.startswith("postern: ")
    assert refused.stdout == ""
    assert not (folder / "data/postgresql").exists(), "nothing was started"
    assert using(folder / "data") == []
    return line


def test_own_servers_must_be_whole(folder: Path):
    message = refusal(folder, DB_STRING=os.environ[servers.POSTGRES])
    assert (
        "DB_STRING is set, so these must be set too: REDIS_URL, POSTERN_SECRET_KEY, POSTERN_JWT_KEY"
        in message
    )
    message = refusal(folder, DB_STRING=os.environ[servers.POSTGRES], REDIS_URL=os.environ[servers.REDIS])
    assert "REDIS_URL" not in message
    assert os.environ[servers.POSTGRES] not in message


def test_a_port_in_use(folder: Path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        message = refusal(folder, "--port", str(port))
    # The other one is this process.
    assert f"127.0.0.1:{port} is in use by " in message
    assert f"(process {os.getpid()})" in message
    assert "--port" in message


def test_the_port_is_ours_before_anything_is_started(folder: Path):
    """Linux lets two programs bind a port while neither listens: two starts at once would both go on."""
    port = free_port()
    with listening(Settings(host="127.0.0.1", port=port)):
        # Nobody's request waits until the API can answer.
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), 1)
        message = refusal(folder, "--port", str(port))
    assert f"127.0.0.1:{port} is in use by " in message


def test_the_data_folder_is_its_owner_s(folder: Path):
    data = folder / "data"
    private_folder(data)
    assert data.stat().st_mode & 0o777 == 0o700
    (data / "files").mkdir()
    for before, after in ((0o755, 0o700), (0o777, 0o700), (0o750, 0o750), (0o700, 0o700)):
        data.chmod(before)
        private_folder(data)
        assert data.stat().st_mode & 0o777 == after
    (data / "somebody's own").touch()
    data.chmod(0o755)
    private_folder(data)
    assert data.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--host", "192.0.2.1", "--port", "0"), "This machine has no address 192.0.2.1"),
        (("--host", "no such host"), "POSTERN_HOST is 'no such host'"),
    ],
)
def test_an_address_that_is_not_ours(folder: Path, words: tuple[str, ...], expected: str):
    assert expected in refusal(folder, *words)


def test_a_port_that_is_none(folder: Path):
    refused = run(folder, "serve", "--port", "70000")
    assert refused.returncode == 2
    assert "65535" in refused.stderr
    assert "POSTERN_PORT" in refusal(folder, POSTERN_PORT="70000")


def test_a_database_that_is_away(folder: Path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    message = refusal(
        folder, "--port", "0", DB_STRING=f"postgresql://u:hidden-{port}@127.0.0.1:{port}/x",
        REDIS_URL=os.environ[servers.REDIS], **KEYS,
    )  # fmt: skip
    assert "hidden" not in message


async def test_a_worker_on_a_newer_schema(folder: Path, database: str):
    """It does not know what the newer release stores, so it must not touch it, as an old `serve` must not."""
    connection = await asyncpg.connect(database)
    await connection.execute("UPDATE alembic_version SET version_num = '9999'")
    await connection.close()
    settings = {"DB_STRING": database, "REDIS_URL": os.environ[servers.REDIS], **KEYS}
    for words in (("worker",), ("worker", "--child"), ("serve", "--port", "0")):
        with subprocess.Popen(
            [*POSTERN, *words], cwd=folder, env=environment(folder, **settings), text=True,
            stdin=subprocess.PIPE, stderr=subprocess.PIPE,  # a child watches its parent by a pipe
        ) as refused:  # fmt: skip
            assert refused.stderr is not None
            try:
                assert refused.wait(START) == 1, words
            finally:
                refused.kill()
            (line,) = refused.stderr.read().strip().splitlines()
        assert line.startswith("postern: The database has schema 9999, which this release doesn't know")


async def test_a_worker_without_a_database_waits_and_then_looks_at_the_schema(folder: Path, database: str):
    """An outage at its start does not end a worker, and does not spare it the check either."""
    name = urlsplit(database).path[1:]
    connection = await asyncpg.connect(servers.named(database, "postgres"))
    own = await asyncpg.connect(database)
    await own.execute("UPDATE alembic_version SET version_num = '9999'")
    await own.close()
    await connection.execute(f'ALTER DATABASE "{name}" RENAME TO "{name}_away"')
    settings = {"DB_STRING": database, "REDIS_URL": os.environ[servers.REDIS], **KEYS}
    log = folder / "log"
    with log.open("wb") as stream:
        worker = subprocess.Popen(
            [*POSTERN, "worker"], cwd=folder, env=environment(folder, **settings),
            stdout=stream, stderr=stream,
        )  # fmt: skip
    try:
        eventually(lambda: "the worker waits" in log.read_text(), "it has looked once")
        assert worker.poll() is None
        await connection.execute(f'ALTER DATABASE "{name}_away" RENAME TO "{name}"')
        eventually(lambda: worker.poll() is not None, "it has ended")
        assert worker.returncode == 1
        assert "postern: The database has schema 9999" in log.read_text()
        assert "worker started" not in log.read_text()
    finally:
        worker.kill()
        worker.wait()
        await connection.execute(f'DROP DATABASE IF EXISTS "{name}_away" WITH (FORCE)')
        await connection.close()


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("worker",)])
@pytest.mark.parametrize(
    ("setting", "value", "why"),
    [
        ("SMS", "pigeon://loft", "unknown channel scheme pigeon"),
        ("SMS", "twillio://a:secret@b", "did you mean twilio?"),
        ("EMAIL", "smtp://127.0.0.1", "option from is missing"),
    ],
)
def test_a_bad_channel(folder: Path, command: tuple[str, ...], setting: str, value: str, why: str):
    """Refused before a server is started."""
    name = f"POSTERN_CHANNEL_{setting}"
    refused = run(folder, *command, **{name: value})
    assert (refused.returncode, refused.stdout) == (1, "")
    (line,) = refused.stderr.strip().splitlines()
    assert line.startswith(f"postern: {name}: ")
    assert why in line
    assert "secret" not in line
    assert not (folder / "data").exists()


@functools.cache
def as_nobody() -> list[str] | None:
    """Returns the command with which an ordinary user runs our interpreter, or None if there is none.

    An interpreter under /root, where nobody may read, is reached by one capability, which gives no other right.
    The servers that we bring are not reached by it, because initdb asks access(2), which does not count capabilities.
    """
    ordinary = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    reading = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    for command in (ordinary, [*ordinary, *reading]) if os.geteuid() == 0 else ():
        with suppress(OSError):
            tried = subprocess.run(
                [*command, sys.executable, "-c", "import os, sys; print(os.__file__, os.access(sys.prefix, os.X_OK))"],
                capture_output=True, text=True, timeout=30, check=False,
            )  # fmt: skip
            if tried.stdout.strip() == f"{os.__file__} True":
                return command
    return None


@pytest.mark.skipif(as_nobody() is None, reason="needs root, setpriv, and a checkout that others may read")
def test_an_ordinary_user_somewhere_else(folder: Path):
    os.chown(folder, NOBODY, NOBODY)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    with serving(
        folder,
        "--no-worker",
        "--demo",
        before=as_nobody() or (),
        cwd=elsewhere,
        settings={"HOME": str(folder)},
    ) as serve:
        eventually(lambda: serve.status("/health/v2") == 200, "all is well")
        serve.login()
        assert serve.stop() == 0  # a server that runs makes files and removes them
        assert list(elsewhere.iterdir()) == [], "it writes to its data folder alone"
        for path in (folder / "data").rglob("*"):
            assert path.lstat().st_uid == NOBODY, path
        assert (folder / "data/secrets.json").stat().st_mode & 0o777 == 0o600
