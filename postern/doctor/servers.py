"""Checks PostgreSQL and Redis, and the state of what they store."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import asyncpg
from redis.exceptions import AuthenticationError, NoPermissionError

from core.database_options import BadSettings
from core.settings import Settings
from core.store import DOWN, Store, is_full
from core.vault import Vault
from db.dsn import HOW_TO_WRITE, location, netloc, readable
from db.migrate import look as look_at_schema
from db.session import Database
from engine.secret_keys import key_statuses
from engine.sending.down_sessions import down_sessions
from engine.upkeep import dead_rows, partitions, retention
from engine.worker import CONNECTIONS as WORKER
from postern.doctor import (
    backlog,
    bounces,
    countries,
    demo_users,
    domains,
    locks,
    poolers,
    receivers,
    restores,
    routes,
    server_settings,
    signed_documents,
    sinks,
    smtpd,
)
from postern.doctor.advice import advice
from postern.doctor.findings import CONNECT_SECONDS, Findings, hide_secrets, why
from postern.embedded import EmbeddedError
from postern.servers import attached
from runtime.services import derived_keys
from runtime.workers import ALIVE_SECONDS, living

OLDEST_POSTGRES = 150000  # as server_version_num has it
TESTED_REDIS = (6, 2)
_SERVE = 2  # connections of an API process besides its pools
SKEW_SECONDS = (2.0, 10.0)  # a note; a problem, as tokens of another process are refused (core/tokens.py)
LONG_TRANSACTION = timedelta(minutes=10)
MANY_TRANSACTIONS = 1_000_000  # where it isn't known since when a snapshot is held


async def look(findings: Findings, settings: Settings) -> None:
    """Checks PostgreSQL and Redis; starts the embedded servers for that if necessary."""
    if not settings.embedded:
        await look_at(findings, settings, embedded=False)
        return
    try:
        async with attached(settings) as complete:
            hide_secrets(findings, complete)
            await look_at(findings, complete, embedded=True)
    except (BadSettings, EmbeddedError, OSError) as error:
        findings.bad("servers", str(error), "The embedded servers must start before anything else can.")


async def look_at(findings: Findings, settings: Settings, *, embedded: bool) -> None:
    """Checks the servers that the settings name."""
    has_workers = await _database(findings, settings, embedded=embedded)
    await _store(findings, settings, has_workers=has_workers)


async def _database(findings: Findings, settings: Settings, *, embedded: bool) -> bool:
    """Checks PostgreSQL. Returns whether a worker is connected to it."""
    has_workers = False
    assert settings.direct_string is not None
    url = settings.direct_string.get_secret_value()
    name = "DB_DIRECT_STRING" if settings.db_direct_string is not None else "DB_STRING"
    if not readable(url):
        findings.bad(
            "PostgreSQL",
            f"{name} can't be read",
            HOW_TO_WRITE.format("postgresql://user:password@host/name"),
        )
        return False
    try:
        db = Database.of(settings, "postern-doctor")
    except BadSettings as error:
        findings.bad("PostgreSQL", str(error), f"Correct {name}; docs/configuration.md has its form.")
        return False
    relay, keys = domains.relay_of(settings), None
    try:
        # Each host may use up the connect timeout twice: in the first connection, and when it is tried by itself.
        async with asyncio.timeout((3 + 2 * len(db.hosts.dsn.hosts)) * CONNECT_SECONDS):
            if not embedded and await poolers.hides(findings, db, settings):
                pass  # what such a pooler answers may be another session's
            elif (
                await _server(findings, db, settings)
                and await locks.look(findings, db)
                and await _schema(findings, db, embedded=embedded)
            ):
                await restores.look(findings, db)
                await server_settings.look(findings, db)
                has_workers = await backlog.look(findings, settings, db)
                await _dead_rows(findings, db)
                await _retained(findings, db, settings)
                await _old_keys(findings, db, settings)
                await _partitions(findings, db)
                await bounces.look(findings, db)
                await domains.look(findings, db)
                await domains.look_at_links(findings, db)
                await receivers.look(findings, db)
                await countries.look(findings, db)
                await demo_users.look(findings, settings, db)
                await routes.look(findings, settings, db)
                await sinks.look(findings, db)
                await signed_documents.look(findings, db)
                keys = await domains.keys_of(db, relay)
                await poolers.look(findings, db, settings)
        if relay is not None and keys is not None:
            await domains.ask(findings, settings, relay, keys)
    except Exception as error:  # whatever a broken server makes its client raise
        if not (isinstance(error, asyncpg.LockNotAvailableError) and await locks.names_holder(findings, db)):
            findings.bad("PostgreSQL", f"{location(url)}: {why(error)}", advice(error, name))
    finally:
        await db.close()
    return has_workers


_SERVER = """
SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding, clock_timestamp() AS now,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most
"""


async def _server(findings: Findings, db: Database, settings: Settings) -> bool:
    """Checks the server. Returns whether the other checks can use it."""
    await db.fetchval("SELECT 1")  # opens the connection, so that connecting doesn't count as clock skew
    before = datetime.now(UTC)
    server = await db.fetchrow(_SERVER)
    after = datetime.now(UTC)
    if server.number < OLDEST_POSTGRES:
        findings.bad("PostgreSQL", f"version {server.version}", "Upgrade it; Postern needs 15 or newer.")
        return False
    if server.encoding != "UTF8":
        findings.bad(
            "PostgreSQL",
            f"the database is in {server.encoding}",
            "Create it again: createdb -E UTF8 -T template0",
        )
        return False
    findings.good("PostgreSQL", f"version {server.version.split()[0]} at {location(db.url)}")
    await _others(findings, db)
    skew = abs((server.now - (before + (after - before) / 2)).total_seconds())
    if skew > SKEW_SECONDS[0]:
        report = findings.bad if skew > SKEW_SECONDS[1] else findings.note
        report(
            "clock",
            f"PostgreSQL's differs from ours by {skew:.1f} s",
            "Synchronize the clocks of both machines (chrony, NTP).",
        )
    options = settings.database
    each = options.pool_size + options.read_pool_size
    serving = each + _SERVE if settings.db_direct_string is None else 0  # else they are the pooler's
    connections = serving + settings.workers * (each + WORKER)
    if connections > server.most:
        findings.note(
            "PostgreSQL",
            f"one `postern serve` may open {connections} connections, and the server takes {server.most}",
            "Lower pool_size and read_pool_size in database.toml, or raise max_connections.",
        )
    return True


async def _others(findings: Findings, db: Database) -> None:
    """Reports for each of several hosts whether it is the primary, a standby, or unreachable."""
    hosts = db.hosts.dsn.hosts
    for host in hosts if len(hosts) > 1 else ():
        try:
            connection = await db.hosts.connect_to(
                host, timeout=db.options.connect_timeout, ssl=db.hosts.dsn.tls, target_session_attrs="any"
            )
            try:
                standby = await connection.fetchval("SELECT pg_is_in_recovery()")
            finally:
                connection.terminate()
        except Exception as error:  # whatever a broken server makes its client raise
            findings.note(
                "PostgreSQL",
                f"{netloc(*host)}: {why(error)}",
                "Until it is reachable, PostgreSQL can't fail over to it.",
            )
        else:
            findings.good("PostgreSQL", f"{netloc(*host)} is {'a standby' if standby else 'the primary'}")


async def _schema(findings: Findings, db: Database, *, embedded: bool) -> bool:
    """Checks the schema's version. Returns whether our tables are there and up to date."""
    schema = await look_at_schema(db.engine)
    if schema.unknown and schema.cure:
        findings.bad("schema", schema.unknown, schema.cure)
    elif not schema.is_pending:
        findings.good("schema", f"up to date ({schema.revision})")
        return True
    elif schema.revision is None and embedded:
        findings.note(
            "schema", "the database is empty", "`postern serve` makes its tables at its first start."
        )
    elif schema.revision is None:
        findings.bad("schema", "the database is empty", "Run: postern migrate")
    elif schema.revision != schema.newest:
        lacks = f"the database is at {schema.revision}, and Postern needs {schema.newest}"
        findings.bad("schema", lacks, "Run: postern migrate")
    else:
        names = ", ".join(schema.functions)
        findings.bad(
            "schema",
            f"functions of the database are not those of this version: {names}",
            "Run: postern migrate",
        )
    return False


async def _dead_rows(findings: Findings, db: Database) -> None:
    """Reports a snapshot that keeps PostgreSQL from removing dead rows, and the tables that have many."""
    snapshot = await dead_rows.oldest_snapshot(db)
    if snapshot is not None and (
        snapshot.transactions > MANY_TRANSACTIONS
        if snapshot.lasts is None
        else snapshot.lasts > LONG_TRANSACTION
    ):
        minutes = "" if snapshot.lasts is None else f" for {snapshot.lasts.total_seconds() / 60:.0f} min"
        findings.note(
            "vacuum",
            f"{snapshot.holder} holds a snapshot{minutes}: what {snapshot.transactions:,} transactions since then have"
            " replaced can't be removed, and sending gets slower",
            "If it is no backup or migration at work, end it; docs/operations.md, 'A snapshot is held'.",
        )
    elif tables := await dead_rows.dead_rows(db):
        table, most = next(iter(tables.items()))
        findings.good("vacuum", f"no old snapshot; the most dead rows, {most:,}, are in {table}")
    else:
        findings.good("vacuum", "no old snapshot, and no table with many dead rows")


async def _retained(findings: Findings, db: Database, settings: Settings) -> None:
    """Reports what is older than its retention and is kept, because something still reads it."""
    if counts := await retention.retained(db, settings):
        findings.good(
            "retention",
            "kept although they are old enough to be deleted: "
            + "; ".join(f"{count:,} {name}" for name, count in counts.items()),
        )


async def _old_keys(findings: Findings, db: Database, settings: Settings) -> None:
    if settings.secret_key is None or not settings.secret_key_old:
        return
    vault = Vault(*derived_keys(settings, "vault"))
    for number, key in enumerate(await key_statuses(db, vault), 1):
        name = f"key {number} of POSTERN_SECRET_KEY_OLD"
        if key.free:
            findings.good("keys", f"{name} is free: nothing is under it. Take it out.")
        elif key.rows:
            advice = "A worker encrypts them again within ten minutes. If this message remains, read the worker's log."
            findings.note("keys", f"{name} is needed: {key.rows} secrets are under it", advice)
        else:
            until = key.links_until.strftime("%Y-%m-%d")
            findings.note(
                "keys", f"{name} is needed for unsubscribe links until {until}", "Keep it until then."
            )


async def _partitions(findings: Findings, db: Database) -> None:
    """Reports months of the audit that have no partition, and rows that belong to none."""
    now = await db.fetchval("SELECT now()")
    present = await partitions.state(db, "audit_entries", now)
    due = [partitions.partition_of("audit_entries", partitions.month_of(now, later)) for later in (0, 1)]
    advice = "A worker makes it within ten minutes. If this message remains, read the worker's log."
    for name in due:
        if name in present.missing:
            findings.bad("audit", f"the table {name} is missing", advice)
    if present.stray:
        findings.bad(
            "audit",
            "entries are in no partition of a month",
            "A worker moves them within ten minutes. If this message remains, read the worker's log.",
        )


async def _store(findings: Findings, settings: Settings, *, has_workers: bool) -> None:
    if settings.redis_url is None:
        return
    url = settings.redis_url.get_secret_value()
    if not readable(url, ("redis", "rediss", "unix")):
        findings.bad("Redis", "REDIS_URL can't be read", HOW_TO_WRITE.format("redis://:password@host:6379/0"))
        return
    store = Store(url)
    try:
        info = cast(Mapping[str, Any], await store.client.info())
        alive, taking = await living(store), await living(store, smtpd.ROLE)
        down = await down_sessions(store, [worker.name for worker in alive])
        await _try_rights(store)
    except DOWN as error:
        what = "is full: " if is_full(error) else ""
        findings.bad("Redis", f"{location(url, 6379)}: {what}{why(error)}", _redis_advice(error))
    else:
        _report_redis(findings, url, info)
        for worker in alive:
            since = datetime.fromtimestamp(worker.started, UTC).strftime("%Y-%m-%d %H:%M")
            findings.good(
                "workers", f"{worker.name} is alive, since {since} UTC; {worker.handed} handed over"
            )
        routes.report_down_sessions(findings, down)
        if has_workers and not alive:
            findings.bad(
                "workers",
                f"one is connected to PostgreSQL, and none has reported for {ALIVE_SECONDS} s: it stands still",
                "Look at its process: it is stopped (SIGSTOP), its machine sleeps, or a disk does not answer. End it,"
                " and start another.",
            )
        smtpd.processes(findings, settings, taking)
    finally:
        await store.close()


_TRY = "redis.call('TIME') return redis.call('SET', KEYS[1], 1, 'PX', 1000)"


async def _try_rights(store: Store) -> None:
    """Does a little of what Postern does: a limit's script and a publication. Raises an error of Redis if it may
    not.
    """
    await store.script(_TRY)(keys=["limit:doctor"])
    await store.client.publish("announced:doctor", b"")


def _redis_advice(error: BaseException) -> str:
    """Returns one sentence on what to do about an error of Redis or of the connection."""
    text, cause = str(error), error.__cause__ or error.__context__
    in_script = "user executing the script" in text or "ACL failure" in text  # 7 and newer; before
    if isinstance(error, NoPermissionError) or in_script:
        return (
            "Give this user the missing right; docs/operations.md, Redis with TLS and ACL, has all of them."
        )
    if is_full(error):
        return (
            "Raise maxmemory, or free the disk of its files; its own log says which. Until then, limits count for each"
            " process alone, and /storage and calls of messenger accounts are refused."
        )
    if isinstance(error, AuthenticationError):
        return "Correct user and password in REDIS_URL."
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return (
            "Its certificate must be for the host in REDIS_URL, and by a CA that is known here or that REDIS_URL"
            " names: ?ssl_ca_certs=/path/to/ca.pem"
        )
    if isinstance(error, FileNotFoundError) or isinstance(cause, FileNotFoundError):
        return "Correct the files that REDIS_URL names: ssl_ca_certs, ssl_certfile, ssl_keyfile."
    return "Is it running, and reachable from here?"


def _report_redis(findings: Findings, url: str, info: Mapping[str, Any]) -> None:
    version = str(info["redis_version"])
    numbers = tuple(int(part) for part in version.split(".")[:2])
    if numbers < TESTED_REDIS:
        findings.note("Redis", f"version {version}", "Postern is tested with 6.2 and newer; upgrade it.")
    else:
        findings.good("Redis", f"version {version} at {location(url, 6379)}")
    if not info.get("aof_enabled"):
        findings.note(
            "Redis",
            "keeps no append-only file",
            (
                "A restart of Redis loses the values that users keep in /storage, but no message. Set"
                " appendonly yes."
            ),
        )
    if info.get("maxmemory") and info.get("maxmemory_policy") != "noeviction":
        findings.note(
            "Redis",
            f"evicts when it is full ({info.get('maxmemory_policy')})",
            "Redis may evict the values that users keep in /storage. Set maxmemory-policy noeviction.",
        )
