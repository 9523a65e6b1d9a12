import os
import signal
import socket
import subprocess
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from postern.embedded import (
    AlreadyRunning,
    EmbeddedError,
    EmbeddedPostgres,
    StartFailed,
    handle,
    keeper,
    postgres,
    server,
)
from tests.embedded.conftest import FAST, ROOT, gone
from tests.support.waits import PATIENCE, freeze

pytestmark = pytest.mark.servers


async def ask(server: EmbeddedPostgres, sql: str) -> Any:
    connection = await asyncpg.connect(server.url, timeout=PATIENCE)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


def keeper_of(server: EmbeddedPostgres) -> int:
    assert server._process
    return server._process._keeper.pid


async def test_it_is_the_database_that_we_want(pg: EmbeddedPostgres) -> None:
    assert pg.running
    assert (await ask(pg, "SHOW server_version")).startswith("18.")
    assert await ask(pg, "SHOW server_encoding") == "UTF8"
    assert await ask(pg, "SELECT datlocale FROM pg_database WHERE datname = current_database()") == "C.UTF-8"
    assert (
        await ask(pg, "SELECT upper('straße ÿ')") == "STRASSE Ÿ" or await ask(pg, "SELECT upper('ÿ')") == "Ÿ"
    )
    assert await ask(pg, "SHOW max_connections") == "200"
    assert await ask(pg, "SHOW timezone") == "UTC"
    assert await ask(pg, "SHOW data_checksums") == "on"
    assert await ask(pg, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") is False
    engine = create_async_engine(pg.url.replace("postgresql:", "postgresql+asyncpg:"))
    async with engine.connect() as connection:
        assert (
            await connection.execute(text("SELECT current_user || current_database()"))
        ).scalar() == "posternpostern"
    await engine.dispose()


async def test_tests_can_make_databases(pg: EmbeddedPostgres) -> None:
    connection = await asyncpg.connect(pg.url)
    await connection.execute("CREATE DATABASE second TEMPLATE postern")
    await connection.execute("DROP DATABASE second WITH (FORCE)")
    await connection.close()


async def test_nobody_else_gets_in(pg: EmbeddedPostgres) -> None:
    url = urlsplit(pg.url)
    for user, password in [("postern", "guess"), ("postgres", url.password), ("postern", "")]:
        with pytest.raises(asyncpg.InvalidAuthorizationSpecificationError):
            await asyncpg.connect(
                host="127.0.0.1", port=url.port, user=user, password=password, database="postern"
            )
    home = pg._home
    assert home.stat().st_mode & 0o777 == 0o700
    assert (home / "data").stat().st_mode & 0o777 == 0o700
    for name in ("lock", "password", "server.log"):
        assert (home / name).stat().st_mode & 0o077 == 0
    assert pg.pid
    assert Path(f"/proc/{pg.pid}").stat().st_uid == (home / "data").stat().st_uid != 0


async def test_the_password_is_shown_nowhere(pg: EmbeddedPostgres) -> None:
    password = urlsplit(pg.url).password
    assert password
    with pytest.raises(asyncpg.PostgresError):
        await ask(pg, f"SELECT '{password}'::int")
    assert password not in (pg._home / "server.log").read_text().replace(f'integer: "{password}"', "")
    assert "STATEMENT" not in (pg._home / "server.log").read_text()
    assert password not in repr(pg)
    for pid in (pg.pid, keeper_of(pg)):
        for file in ("cmdline", "environ"):
            assert password.encode() not in Path(f"/proc/{pid}/{file}").read_bytes()
    assert b"POSTERN" not in Path(f"/proc/{pg.pid}/environ").read_bytes()


async def test_a_restart_keeps_the_data_and_leaves_no_process(pg: EmbeddedPostgres) -> None:
    await ask(pg, "CREATE TABLE IF NOT EXISTS kept AS SELECT 7 AS n")
    pids = [keeper_of(pg), pg.pid or 0, *keeper.children(pg.pid or 0)]
    assert len(pids) > 5
    url = pg.url
    pg.stop()
    assert gone(pids, within=0)
    assert not pg.running
    assert pg.pid is None
    assert not pg.ensure(), "what was stopped stays stopped"
    pg.stop()
    pg.kill()
    with pg as same:
        assert same.url == url
        assert await ask(pg, "SELECT n FROM kept") == 7
        pid = pg.pid
        pg.start()
        assert pg.pid == pid, "a second start is nothing"
        assert not pg.ensure()


async def test_a_killed_one_comes_back_with_its_data(pg: EmbeddedPostgres) -> None:
    connection = await asyncpg.connect(pg.url)
    await connection.execute("CREATE TABLE survived AS SELECT 11 AS n")
    pids = [pg.pid or 0, *keeper.children(pg.pid or 0)]
    url = pg.url
    pg.kill()
    assert gone(pids, within=0)
    assert not pg.running
    assert pg.ensure()
    assert pg.url == url
    assert await ask(pg, "SELECT n FROM survived") == 11
    await ask(pg, "DROP TABLE survived")
    connection.terminate()


async def test_one_killed_by_somebody_else(pg: EmbeddedPostgres) -> None:
    pids = [pg.pid or 0, *keeper.children(pg.pid or 0)]
    os.kill(pids[0], signal.SIGKILL)
    assert gone(pids)
    assert pg.ensure()
    assert await ask(pg, "SELECT 1") == 1


async def test_without_its_keeper_it_ends_and_comes_back(pg: EmbeddedPostgres) -> None:
    pids = [pg.pid or 0, *keeper.children(pg.pid or 0)]
    os.kill(keeper_of(pg), signal.SIGKILL)
    assert gone(pids)
    assert pg.ensure()
    assert await ask(pg, "SELECT 1") == 1


async def test_the_leftovers_of_a_dead_keeper_are_ended(
    pg: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EmbeddedPostgres, "hurried", [(signal.SIGINT, 0.1), (signal.SIGQUIT, 0.1)])
    frozen = pg.pid or 0
    freeze(frozen)
    killed = keeper_of(pg)
    os.kill(killed, signal.SIGKILL)
    assert gone([killed])
    assert pg.ensure()
    assert gone([frozen], within=0)
    assert await ask(pg, "SELECT 1") == 1


def test_a_frozen_one_is_stopped_all_the_same(pg: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    pg.stop()
    monkeypatch.setattr(EmbeddedPostgres, "orderly", [(signal.SIGINT, 0.1), (signal.SIGQUIT, 0.1)])
    pg.start()
    pids = [pg.pid or 0, *keeper.children(pg.pid or 0)]
    freeze(pids[0])
    pg.stop()
    assert gone(pids, within=0)


def test_a_frozen_keeper_is_killed(pg: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    pg.stop()
    monkeypatch.setattr(EmbeddedPostgres, "orderly", [(signal.SIGINT, 0.1)])
    monkeypatch.setattr(handle, "SLACK", 0.1)
    monkeypatch.setattr(keeper, "ORPHAN_SECONDS", 0.1)
    pg.start()
    pids = [keeper_of(pg), pg.pid or 0]
    freeze(pids[0])
    pg.stop()
    assert gone(pids, within=0)


async def test_the_second_start_is_refused(pg: EmbeddedPostgres) -> None:
    second = EmbeddedPostgres(pg._home.parent)
    with pytest.raises(AlreadyRunning, match=rf"run by process {os.getpid()}\b.*Stop that one") as caught:
        second.start()
    assert caught.value.pid == os.getpid()
    assert caught.value.url == pg.url, "so that a command can use the running one"
    assert pg.url not in str(caught.value)
    assert await ask(pg, "SELECT 1") == 1
    second.stop()
    assert pg.running


def test_a_server_that_still_starts_has_no_url(pg: EmbeddedPostgres) -> None:
    assert pg._lock
    pg._lock.note()
    with pytest.raises(AlreadyRunning) as caught:
        EmbeddedPostgres(pg._home.parent).start()
    assert caught.value.url is None
    pg.stop()


@pytest.mark.parametrize("stranger", [True, False])
async def test_a_stale_pid_file_is_no_hindrance(pg: EmbeddedPostgres, stranger: bool) -> None:
    owner = (pg._home / "data").stat().st_uid
    options = {"user": owner, "group": owner, "extra_groups": []} if ROOT else {}
    pg.kill()
    other = subprocess.Popen(["/bin/sleep", "60"], **options)  # type: ignore[call-overload]
    if not stranger:
        other.kill()
        other.wait()
    stale = pg._home / "data/postmaster.pid"
    lines = stale.read_text().split("\n")
    stale.write_text("\n".join([str(other.pid), *lines[1:]]))
    assert pg.ensure()
    assert await ask(pg, "SELECT 1") == 1
    assert (other.poll() is None) == stranger, "a stranger is left alone"
    other.kill()
    other.wait()


def test_it_hears_no_ctrl_c_of_the_terminal(pg: EmbeddedPostgres) -> None:
    for pid in (pg.pid or 0, keeper_of(pg)):
        assert os.getsid(pid) != os.getsid(0)
        assert os.getpgid(pid) != os.getpgid(0)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(keeper_of(pg), number)
    assert not gone([pg.pid or 0], within=0.1)


def test_a_setting_that_it_refuses(pg: EmbeddedPostgres) -> None:
    pg.stop()
    wrong = EmbeddedPostgres(pg._home.parent, options={"shared_buffers": "plenty"})
    with pytest.raises(
        StartFailed, match=r'(?s)ended with status 1 .*invalid value for parameter "shared_buffers".*Correct'
    ):
        wrong.start()
    assert not wrong.running
    with pytest.raises(EmbeddedError, match="first start"):
        assert wrong.url
    pg.start()


def test_one_that_never_answers(pg: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    pg.stop()
    monkeypatch.setattr(server, "START_SECONDS", 0.3)
    silent = EmbeddedPostgres(pg._home.parent, options=FAST)
    monkeypatch.setattr(silent, "_ready", lambda *_: False)
    with pytest.raises(StartFailed, match="did not answer within 0 s"):
        silent.start()
    assert "shut down" in (pg._home / "server.log").read_text().splitlines()[-1]


def test_settings_that_are_fixed() -> None:
    with pytest.raises(ValueError, match="listen_addresses, port are fixed"):
        EmbeddedPostgres(Path("data"), options={"port": "1", "listen_addresses": "*"})


async def test_a_port_that_is_taken(pg: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    pg.stop()
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken: int = other.getsockname()[1]
        with pytest.raises(StartFailed, match=rf"cannot have port {taken}: another program"):
            EmbeddedPostgres(pg._home.parent, port=taken).start()
        # taken between our look and the server's bind
        ports, looks = [server._free_port(), taken], iter([True])
        look = server._is_free
        monkeypatch.setattr(server, "_free_port", ports.pop)
        monkeypatch.setattr(
            server, "_is_free", lambda port: next(looks, False) if port == taken else look(port)
        )
        with EmbeddedPostgres(pg._home.parent, options=FAST) as moved:
            assert urlsplit(moved.url).port not in (taken, None)
            assert await ask(moved, "SELECT 1") == 1
        with socket.create_server(("127.0.0.1", urlsplit(moved.url).port or 0)):
            ports.append(0)
            monkeypatch.undo()
            moved.start()
            assert await ask(moved, "SELECT 1") == 1
            moved.stop()


async def test_a_port_of_ones_own(pg: EmbeddedPostgres) -> None:
    pg.stop()
    port = server._free_port()
    with EmbeddedPostgres(pg._home.parent, port=port, options=FAST) as chosen:
        assert urlsplit(chosen.url).port == port
        assert await ask(chosen, "SHOW fsync") == "off"


async def test_it_is_durable_unless_told_otherwise(pg: EmbeddedPostgres) -> None:
    assert await ask(pg, "SHOW fsync") == "off"
    pg.stop()
    with EmbeddedPostgres(pg._home.parent) as durable:
        assert await ask(durable, "SHOW fsync") == "on"
        assert await ask(durable, "SHOW synchronous_commit") == "on"


def test_a_lost_password_is_said(pg: EmbeddedPostgres) -> None:
    pg.stop()
    file = pg._home / "password"
    away = file.rename(file.with_name("away"))
    with pytest.raises(StartFailed, match=r"password is missing.*Put it back"):
        pg.start()
    away.rename(file)


def test_a_long_log_is_emptied_at_a_start(pg: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    pg.stop()
    monkeypatch.setattr(handle, "LOG_BYTES", 3)
    pg.start()
    lines = (pg._home / "server.log").read_text().splitlines()
    assert "starting PostgreSQL" in lines[0]
    assert len(lines) < 8


async def test_the_first_start_survives_a_half_made_cluster(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder's path may also be relative, long and strange."""
    deep = folder / ("long " * 40 + "ü'\"$")
    deep.mkdir()
    monkeypatch.chdir(deep)
    server = EmbeddedPostgres(Path("data"), options=FAST)
    half = deep / "data/postgresql/data.new-1"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    server.start()
    monkeypatch.chdir("/")
    server.kill()
    assert server.ensure()
    assert await ask(server, "SELECT 1") == 1
    server.stop()
    assert sorted(path.name for path in (deep / "data/postgresql").iterdir()) == [
        "data",
        "lock",
        "password",
        "server.log",
    ]


def test_a_first_start_that_fails_leaves_nothing_half_made(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(keeper.children(os.getpid()))
    server = EmbeddedPostgres(folder, options=FAST)
    monkeypatch.setattr(postgres, "NAME", "two words")
    with pytest.raises(
        StartFailed, match=r"(?s)could not be set up in .*unrecognized role option.*Correct"
    ) as caught:
        server.start()
    assert (server._home / "password").read_text() not in str(caught.value)
    monkeypatch.setattr(postgres, "TOOL_SECONDS", 0.01)
    with pytest.raises(StartFailed, match=r"initdb took over 0 s"):
        server.start()
    monkeypatch.undo()
    monkeypatch.setattr(postgres, "_program", lambda *_: Path("/nowhere/initdb"))
    with pytest.raises(StartFailed, match=r"initdb could not be executed: No such file"):
        server.start()
    assert not list(server._home.glob("data*"))
    assert set(keeper.children(os.getpid())) <= before


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StartFailed, match=r"Cannot make .*Choose another POSTERN_DATA_DIR"):
        EmbeddedPostgres(tmp_path / "file/data").start()


def test_a_program_that_cannot_be_executed(pg: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    pg.stop()
    monkeypatch.setattr(pg, "_command", lambda *_: handle.Command(["/nowhere/postgres"]))
    with pytest.raises(StartFailed, match=r"(?s)status 127 .*cannot execute /nowhere/postgres"):
        pg.start()
    monkeypatch.setattr(handle, "KEEPER", ["/bin/false"])
    with pytest.raises(StartFailed, match=r"status 1 "):
        pg.start()


def test_it_can_be_killed_and_brought_back_from_any_thread(pg: EmbeddedPostgres) -> None:
    """The thread that started it ends: a death signal bound to that thread would end the server."""
    pg.kill()
    thread = threading.Thread(target=pg.ensure)
    thread.start()
    thread.join()
    assert not gone([pg.pid or 0], within=0.3)
    pg.stop()
