"""`postern doctor` examines PostgreSQL, Redis and the embedded servers."""

import asyncio
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest
import redis.asyncio as redis
from sqlalchemy import text

from core.settings import Settings
from db import migrate
from engine.upkeep import dead_rows
from postern.doctor import backlog, servers
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from tests.doctor.looking import Seen, look
from tests.support import servers as support
from tests.support.ports import free_port
from tests.support.waits import until

pytestmark = pytest.mark.servers


def changed(url: str, **parts: str) -> str:
    """The URL with another `user` (password included), `port` or `name`."""
    split = urlsplit(url)
    who = parts.get("user", split.netloc.rpartition("@")[0])
    return f"postgresql://{who}@127.0.0.1:{parts.get('port', split.port)}/{parts.get('name', split.path[1:])}"


async def test_a_postgresql_that_cannot_be_used(own, database):
    cases = {
        changed(database, port=str(free_port())): "Is it running",
        changed(database, user="postern:hunter%402"): "Correct user and password",
        changed(database, name="nowhere"): "createdb",
        "postgresql://me:hunt/hunter2@127.0.0.1/x": "percent-encoded",
        "mysql://me:hunter2@127.0.0.1/x": "percent-encoded",
    }
    for url, advice in cases.items():
        seen = await look(own(db_string=url))
        assert seen.one("PostgreSQL").startswith("✗"), url
        assert advice in seen.one("PostgreSQL"), url
        assert not seen.of("schema")
        assert seen.one("Redis").startswith("✓")


async def test_tls_that_the_server_does_not_speak(own, tmp_path):
    (tmp_path / "database.toml").write_text("[database]\ntls = 'require'\n")
    assert (await look(own())).one("PostgreSQL").startswith("✗")


async def test_an_old_postgresql_and_a_wrong_clock(own, monkeypatch):
    monkeypatch.setattr(servers, "SKEW_SECONDS", (-2.0, -1.0))
    assert (await look(own())).one("clock").startswith("✗")
    monkeypatch.setattr(servers, "SKEW_SECONDS", (-2.0, 100.0))
    assert (await look(own())).one("clock").startswith("!")
    monkeypatch.setattr(servers, "OLDEST_POSTGRES", 990000)
    assert "15 or newer" in (await look(own())).one("PostgreSQL")


async def test_more_connections_than_there_are(own):
    settings = own(workers=64)
    each = settings.database.pool_size + settings.database.read_pool_size
    note = (await look(settings)).of("PostgreSQL")[1]
    assert f"may open {each + 2 + 64 * (each + 26):,} connections".replace(",", "") in note
    assert "raise max_connections" in note


async def test_schemas(own, database, services):
    async def at(revision: str) -> Seen:
        await services.db.fetch("UPDATE alembic_version SET version_num = $1", revision)
        return await look(own())

    newer = (await at("9999")).one("schema")
    assert "schema 9999, which this release doesn't know: it is newer" in newer
    assert "Run the newer release" in newer
    assert f"Check out commit {migrate.COMMIT_BEFORE}" in (await at("0090")).one("schema")
    await at(migrate.newest(migrate.revisions()))
    assert "up to date" in (await look(own())).one("schema")
    await services.db.fetch("UPDATE schema_functions SET sha256 = '' WHERE name = 'postern_runs'")
    changed = (await look(own())).one("schema")
    assert "not those of this version: postern_runs" in changed
    assert "Run: postern migrate" in changed
    await services.db.fetch("DROP TABLE alembic_version")
    assert "Run: postern migrate" in (await look(own())).one("schema")


async def test_a_database_that_is_not_unicode(own, database, services):
    name = f"test_{uuid4().hex}"
    await services.db.fetch(f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    try:
        assert "SQL_ASCII" in (await look(own(db_string=changed(database, name=name)))).one("PostgreSQL")
    finally:
        await support.drop(name)


async def test_messages_that_nobody_sends(own, ada, services):
    for _ in range(2):
        await ada.rest("POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "hi"})
    assert (await look(own())).one("workers").startswith("! workers     none")
    async with services.db.session.begin() as session:
        await session.execute(text("UPDATE messages SET due_at = now() - interval '10 min'"))
    waiting = await look(own())
    assert waiting.one("workers").startswith(
        "✗ workers     2 messages wait, the oldest for 10 min; no worker"
    )
    async with services.db.session.begin() as session:
        await session.execute(text("UPDATE messages SET state = 'unknown', claim_id = id"))
    assert "2 messages are unknown" in (await look(own())).of("workers")[1]


async def test_a_worker_that_is_connected(own, database, settings):
    from db.session import Database

    worker = Database(database, settings.database, "postern-worker")
    async with worker.reading():
        assert (await look(own())).one("workers").startswith("✓ workers     connected")
    await worker.close()


async def test_a_redis_that_cannot_be_used(own):
    where = urlsplit(support.redis_url())
    cases = {
        f"redis://127.0.0.1:{free_port()}/0": "Is it running",
        f"redis://:hunter2@127.0.0.1:{where.port}/0": "Correct user and password",
        "http://127.0.0.1/": "percent-encoded",
        "redis://:hunt/hunter2@127.0.0.1:6379/0": "percent-encoded",
    }
    for url, advice in cases.items():
        seen = await look(own(redis_url=url))
        assert (seen.problems, seen.one("Redis")[0]) == (1, "✗"), url
        assert advice in seen.one("Redis"), url


async def test_a_redis_that_forgets(own, tmp_path, monkeypatch):
    with EmbeddedRedis(tmp_path / "forgetful") as server:
        async with redis.Redis.from_url(server.url) as client:
            await client.config_set("appendonly", "no")
            await client.config_set("maxmemory", "100mb")
            await client.config_set("maxmemory-policy", "allkeys-lru")
        seen = await look(own(redis_url=server.url))
        assert [line[0] for line in seen.of("Redis")] == ["✓", "!", "!"]
        monkeypatch.setattr(servers, "TESTED_REDIS", (99, 0))
        assert "upgrade it" in (await look(own(redis_url=server.url))).of("Redis")[0]


def embedded(folder: Path, **changes) -> Settings:
    return Settings(_env_file=None, data_dir=folder, port=0, ip_allowlist_file=folder / "none", **changes)


async def test_embedded_servers_are_started_for_the_look(tmp_path):
    folder = tmp_path / "data"
    seen = await look(embedded(folder))
    assert seen.problems == 0
    assert seen.one("schema").startswith("! schema      the database is empty")
    assert seen.one("email") == "✓ email       sandbox: nothing leaves"
    assert seen.one("Redis").startswith("✓")
    # Beside a `postern serve` that runs them.
    (folder / "secrets.json").chmod(0o644)
    with EmbeddedPostgres(folder), EmbeddedRedis(folder):
        seen = await look(embedded(folder))
        assert "chmod 600" in seen.one("keys")
        assert seen.one("PostgreSQL").startswith("✓")


async def test_a_data_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    seen = await look(embedded(tmp_path / "file" / "data"))
    assert seen.one("data").startswith("✗")
    assert seen.one("servers").startswith("✗")


async def test_a_disk_that_is_nearly_full(tmp_path, monkeypatch):
    from postern.doctor import local

    async def no_servers(*_):
        """Does not start the servers, which takes seconds: the test is about the disk."""

    monkeypatch.setattr(servers, "look", no_servers)
    monkeypatch.setattr(local, "LITTLE_DISK", 2**62)
    assert "Make room soon" in (await look(embedded(tmp_path))).one("data")
    tmp_path.chmod(0o755)
    assert "chmod 700" in (await look(embedded(tmp_path))).of("data")[0]
    tmp_path.chmod(0o700)
    monkeypatch.setattr(local, "SCARCE_DISK", 2**62)
    assert (await look(embedded(tmp_path))).one("data").startswith("✗")


async def test_packages_that_are_not_the_pinned_ones(own, tmp_path, monkeypatch):
    from postern.doctor import local

    (tmp_path / "requirements.lock").write_text(
        'httpx==0.0.1 \\\n    --hash=sha256:0\nno-such-package==1 \\\nother==1 ; sys_platform == "win32" \\\n'
    )
    monkeypatch.setattr(local, "ROOT", tmp_path)
    line = (await look(own())).one("packages")
    assert line.startswith("! packages    2 are not as in requirements.lock: httpx")
    assert "no-such-package missing" in line


async def test_a_transaction_that_somebody_has_forgotten(own, database, services, monkeypatch):
    assert (await look(own())).one("vacuum").startswith("✓")
    monkeypatch.setattr(servers, "LONG_TRANSACTION", timedelta(0))
    forgotten = await asyncpg.connect(database, server_settings={"application_name": "somebody's psql"})
    try:
        async with forgotten.transaction(isolation="repeatable_read"):
            await forgotten.fetchval("SELECT count(*) FROM users")
            for _ in range(3):
                await services.db.fetch("UPDATE settings SET value = value")
            seen = (await look(own())).one("vacuum")
            assert seen.startswith("! ")
            assert (
                f"somebody's psql (process {forgotten.get_server_pid()}) holds a snapshot for 0 min" in seen
            )
            assert "end it" in seen
        assert (await look(own())).one("vacuum").startswith("✓")
    finally:
        await forgotten.close()


async def test_a_lock_for_which_no_session_has_waited_long_is_named_when_a_check_has(own, database):
    """Sessions that give up after a moment and try again are not seen by the first look."""
    holder, waiter = await asyncpg.connect(database), await asyncpg.connect(database)
    await holder.execute("SET application_name = 'psql'; BEGIN; LOCK TABLE messages IN ACCESS EXCLUSIVE MODE")
    await waiter.execute("SET lock_timeout = '500ms'")

    async def wait_again_and_again() -> None:
        while True:
            with suppress(asyncpg.LockNotAvailableError):
                await waiter.fetch("SELECT FROM messages")

    waiting = asyncio.create_task(wait_again_and_again())
    try:
        seen = await look(own())
        assert (
            f"psql (process {holder.get_server_pid()}) has locked the table messages" in seen.of("locks")[0]
        )
        assert not [line for line in seen.lines if "lock timeout" in line]
    finally:
        await holder.close()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await waiter.close()


async def test_a_prepared_transaction_is_named(tmp_path):
    """The server of the other tests allows none."""
    options = {"max_prepared_transactions": "2", "fsync": "off"}
    with EmbeddedPostgres(tmp_path, options=options) as postgres:
        connection = await asyncpg.connect(postgres.url)
        assert await dead_rows.oldest_snapshot(connection) is None
        await connection.execute("BEGIN; CREATE TABLE rows (id int); PREPARE TRANSACTION 'left behind'")
        await connection.execute("CREATE TABLE others (id int)")
        snapshot = await dead_rows.oldest_snapshot(connection)
        await connection.execute("ROLLBACK PREPARED 'left behind'")
        assert await dead_rows.oldest_snapshot(connection) is None
        await connection.close()
    assert snapshot is not None and snapshot.holder == "the prepared transaction left behind"
    assert snapshot.lasts is not None and snapshot.transactions >= 2


async def _sees_locks(own) -> Seen | None:
    seen = await look(own())
    return seen if seen.of("locks") else None


async def test_a_table_that_another_program_locks(own, database):
    holder, waiter = await asyncpg.connect(database), await asyncpg.connect(database)
    await holder.execute("SET application_name = 'psql'; BEGIN; LOCK TABLE messages IN ACCESS EXCLUSIVE MODE")
    waiting = asyncio.create_task(waiter.fetch("SELECT FROM messages"))
    try:
        seen = await until(lambda: _sees_locks(own), 0.5)
        line, left_out = seen.of("locks")
        assert line.startswith("✗") and f"psql (process {holder.get_server_pid()})" in line, line
        assert "the table messages" in line and "Another program holds a lock" in line
        assert "the other checks of PostgreSQL are left out" in left_out
        assert not [line for line in seen.lines if "lock timeout" in line]
    finally:
        await holder.close()
        await waiting
        await waiter.close()
    assert not (await look(own())).of("locks")


async def test_a_worker_that_stands_still(own, database, monkeypatch):
    """A connection of a worker that was made a minute ago, and no report of it in Redis."""
    connection = await asyncpg.connect(database, server_settings={"application_name": "postern-worker"})
    try:
        assert not [line for line in (await look(own())).of("workers") if "stands still" in line]
        monkeypatch.setattr(backlog, "SETTLED", timedelta())
        (line,) = [line for line in (await look(own())).of("workers") if "stands still" in line]
        assert line.startswith("✗") and "none has reported for 16 s" in line
    finally:
        await connection.close()
