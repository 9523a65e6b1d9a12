"""A database as an earlier commit left it is migrated to the schema of a new one, and its rows keep their values."""

import asyncio
import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import create_async_engine

from core.installation import ROOT
from db import migrate
from db.models import Base
from tests.support import servers

# Commit 9951f9d was at revision 0004: these were all its migrations, with these SHA-256 sums.
REVISION = "0004"
MIGRATIONS = {
    "2026_11_20_begin.py": "85c198c8fb77cd1ec3ed20165757c926fcfefc4ff9ec732b6bfca4ec18e0b586",
    "2026_11_20_sending.py": "c70e456d75c9ddf5411aa7b3bfedc12368198e6866bd889b7a40cf6dc0f431f8",
    "2026_11_20_counters.py": "ba45ee12c9df3792efb1f6725f1ea09cf9ba7c5a1eeb054b5a3cfa4e2557e68a",
    "2026_11_20_messengers.py": "388eee548a8ddb6bd05e3b33142950262fc57d47719dd7b948fca40617e9400a",
}
ROWS = Path(__file__).with_name("rows_of_9951f9d.sql")

# Columns that rows from before have got since, by table: the same value for each, unless the tests below say otherwise.
ADDED: dict[str, dict[str, Any]] = {
    "accounts": {"low_balance": None, "period": 0},
    "blocked_phones": {
        "scope": "all",
        "address_key": None,
        "expires_at": None,
        "stopped_at": None,
        "reason_before": None,
        "scope_before": None,
    },
    "export_links": {"scopes": None, "api_token_id": None, "started_by": None},
    "message_records": {
        "refused": None,
        "sender": None,
        "failed_attempts": None,
        "report_id": None,
        "address_key": None,
        "bounced_at": None,
        "complained_at": None,
        "price_prefix": None,
        "price_version_id": None,
        "reported_by": None,
        "way_status": None,
    },
    "messages": {
        "category": "transactional",
        "trial": False,
        "expires_at": None,
        "refused": None,
        "failed_attempts": None,
        "report_id": None,
        "address_key": None,
        "bounced_at": None,
        "complained_at": None,
        "from_address": None,
        "price_prefix": None,
        "price_version_id": None,
        "reported_by": None,
        "way_status": None,
    },
    "messenger_chats": {"closed_at": None},
    "messenger_messages": {"past": False},
    "recipient_imports": {"failure_code": None, "contacts": None, "contacts_line": None},
    "sending_projects": {
        "category": "promotional",
        "sender": None,
        "recipients_pending": 0,
        "recipients_error": None,
        "retry_skipped": [],
        "retry_failed": None,
        "retry_suppressed": 0,
        "variable_labels": {},
        "start_within_seconds": 86_400,
        "messages_deleted_at": None,
        "running_since": None,
        "settled_before": 0,
        "from_address": None,
        "audience": None,
        "audience_segments": None,
        "audience_to": None,
        "audience_read_at": None,
        "price_version_id": None,
        "resume_balance": None,
    },
    "sending_units": {"for_window": False},
    "statistics_buckets": {"unknown": 0, "bounced": 0, "complained": 0},
    "tariffs": {"price_list_id": None},
    "users": {"self_service": []},
}
OF_THEIR_OWN = {"message_records": {"is_unknown", "updated_at"}}

RENAMED = {"messenger_deliveries": "webhook_deliveries", "messenger_webhooks": "webhooks"}
DROPPED = {"messenger_events": "events are in webhook_deliveries"}

SCHEMA = """
SELECT 'column' AS what, c.relname || '.' || a.attname AS name, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
  a.attnotnull, a.attgenerated, a.attidentity, pg_get_expr(d.adbin, d.adrelid)) AS definition
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (c.oid, a.attnum)
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
UNION ALL SELECT 'table', relname, array_to_string(reloptions, ' ') FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) || convalidated
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
UNION ALL SELECT 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid) || indisvalid
  FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE c.relnamespace = 'public'::regnamespace
UNION ALL SELECT 'function', p.oid::regprocedure::text, pg_get_functiondef(p.oid)
  FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
UNION ALL SELECT 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) FROM pg_trigger
  WHERE NOT tgisinternal
"""


def test_the_migrations_of_that_commit_are_what_they_were():
    """No database runs a migration again, so a changed one would make two kinds of databases."""
    for name, expected in MIGRATIONS.items():
        text = (ROOT / "db/migrations/versions" / name).read_bytes()
        assert hashlib.sha256(text).hexdigest() == expected, name


async def upgrade(url: str, revision: str) -> None:
    def run(connection: Connection) -> None:
        command.upgrade(migrate.config(connection), revision)

    engine = create_async_engine(url.replace("postgresql://", "postgresql+asyncpg://"))
    try:
        async with engine.connect() as connection:
            await connection.run_sync(run)
    finally:
        await engine.dispose()


async def tables(connection: asyncpg.Connection) -> dict[str, list[dict[str, Any]]]:
    """Returns every row of every table, as JSON."""
    names = await connection.fetch(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1"
    )
    rows_of = {}
    for (name,) in names:
        rows = await connection.fetch(f'SELECT to_jsonb(t) AS row FROM "{name}" AS t')
        rows_of[name] = [json.loads(row["row"]) for row in rows]
    return rows_of


@pytest.fixture(scope="module")
def migrated() -> Iterator[tuple[str, dict[str, list[dict[str, Any]]]]]:
    """The name of a database that was migrated from that revision, and the rows that it had before."""
    name = f"old_{uuid4().hex}"
    yield name, asyncio.run(_migrated(name))
    asyncio.run(servers.drop(name))


async def _migrated(name: str) -> dict[str, list[dict[str, Any]]]:
    server = await asyncpg.connect(os.environ[servers.POSTGRES])
    await server.execute(f'CREATE DATABASE "{name}"')
    await server.close()
    url = servers.named(os.environ[servers.POSTGRES], name)
    await upgrade(url, REVISION)
    connection = await asyncpg.connect(url)
    await connection.execute(ROWS.read_text(encoding="utf-8"))
    before = await tables(connection)
    await connection.close()
    await upgrade(url, "head")
    return before


@pytest.fixture
async def old(migrated):
    """A copy of that database, which the test may change, and the rows that were there before the migration."""
    migrated_database, before = migrated
    name = f"old_{uuid4().hex}"
    connection = await asyncpg.connect(await servers.create(name, migrated_database))
    yield connection, before
    await connection.close()
    await servers.drop(name)


async def test_the_schema_is_that_of_a_new_database(old, database: str):
    connection, _ = old
    new = await asyncpg.connect(database)
    try:
        expected, present = [
            {(row["what"], row["name"]): row["definition"] for row in await each.fetch(SCHEMA)}
            for each in (new, connection)
        ]
    finally:
        await new.close()
    assert len(expected) > 500
    assert present == expected


def sums(rows: list[dict[str, Any]]) -> Counter[str]:
    """Returns the sums of the counters over their shards."""
    counted: Counter[str] = Counter()
    for row in rows:
        counted.update({name: value for name, value in row.items() if type(value) is int and name != "shard"})
    return counted


async def test_the_rows_keep_their_values(old):
    """The rows of the tables that existed keep their values; a column that has come since has one of its own."""
    connection, before = old
    after = await tables(connection)
    changed = set()
    for table, rows in before.items():
        if table == "alembic_version" or table in DROPPED:
            assert not rows or table == "alembic_version"
            continue
        now = RENAMED.get(table, table)
        columns = set(rows[0]) if rows else set()
        same = [{name: value for name, value in row.items() if name in columns} for row in after[now]]
        if (
            table == "sending_counters"
        ):  # a migration that touches messages counts 0 more in its session's shard
            assert sums(same) == sums(rows)
            continue
        assert sorted(same, key=json.dumps) == sorted(rows, key=json.dumps), table
        if rows and (added := set(after[now][0]) - columns):
            changed.add(table)
            own = OF_THEIR_OWN.get(table, set())
            assert added == set(ADDED[table]) | own, table
            for row in after[now]:
                assert {name: row[name] for name in added - own} == ADDED[table], table
    assert changed == set(ADDED)


async def test_what_was_counted_has_the_channel_of_owners_who_used_one(old):
    connection, _ = old
    used = dict(
        await connection.fetch(
            "SELECT owner_id, array_agg(DISTINCT channel) FROM messages WHERE direction = 'outbound' GROUP BY owner_id"
        )
    )
    rows = await connection.fetch("SELECT owner_id, channel FROM message_buckets")
    assert rows
    for row in rows:
        channels = used[row["owner_id"]]
        assert row["channel"] == (channels[0] if len(channels) == 1 else "")


async def test_messages_that_nobody_knows_of_are_found(old):
    connection, _ = old
    rows = await connection.fetch("SELECT status, is_unknown FROM message_records ORDER BY id")
    assert {row["status"]: row["is_unknown"] for row in rows} == {
        "queued": None,
        "delivered": None,
        "failed": None,
        "unknown": True,
    }


async def test_what_is_counted_since_counts_the_rows_from_before(old):
    connection, _ = old

    async def counted(sql: str) -> set[tuple[Any, ...]]:
        return {tuple(row.values()) for row in await connection.fetch(sql)}

    direct = "SELECT kind, state, sum(stored)::int, sum(counted)::int FROM message_counters GROUP BY 1, 2"
    states = {("direct", state, 1, 1) for state in ("queued", "delivered", "failed", "unknown")}
    assert await counted(direct) == {*states, ("inbound", "delivered", 1, 1)}
    failures = "SELECT code, sum(count)::int FROM message_failures GROUP BY 1"
    assert await counted(failures) == {("invalid_recipient", 1)}
    buckets = (
        "SELECT to_char(bucket AT TIME ZONE 'UTC', 'HH24:MI'), queued, sent, delivered, failed"
        " FROM message_buckets"
    )
    assert await counted(buckets) == {("12:00", 4, 1, 0, 0), ("12:15", 0, 0, 1, 1)}
    variants = (
        "SELECT variant, sum(total)::int, sum(queued)::int, sum(delivered)::int, sum(failed)::int,"
        " sum(unknown)::int, sum(replied)::int FROM variant_counters GROUP BY 1"
    )
    assert await counted(variants) == {(0, 2, 1, 1, 0, 0, 1), (1, 2, 0, 0, 1, 1, 0)}

    # The counters follow these rows from now on, like any others.
    await connection.execute("UPDATE messages SET state = 'sent' WHERE state = 'queued'")
    await connection.execute("UPDATE message_records SET status = 'sent' WHERE status = 'queued'")
    assert {("direct", "queued", 0, 0), ("direct", "sent", 1, 1)} <= await counted(direct)
    sent = "SELECT variant, sum(queued)::int, sum(sent)::int FROM variant_counters GROUP BY 1"
    assert await counted(sent) == {(0, 0, 1), (1, 0, 0)}


async def test_the_models_are_the_tables(database: str):
    """Alembic finds nothing that a migration would have to change."""
    engine = create_async_engine(database.replace("postgresql://", "postgresql+asyncpg://"))

    def compare(connection: Connection) -> list[Any]:
        options = {"compare_server_default": False, "include_name": ours}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), Base.metadata))

    def ours(name: str | None, kind: str, _: Any) -> bool:
        is_partition = re.fullmatch(r"audit_entries_(default|\d{4}_\d\d)", str(name))
        return kind != "table" or not (str(name).startswith("pgqueuer") or is_partition)

    async with engine.connect() as connection:
        differences = await connection.run_sync(compare)
    await engine.dispose()
    assert differences == []
