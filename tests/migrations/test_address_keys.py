"""Addresses get their keys in a database that has been used: nothing is lost, and nothing waits for long."""

import asyncio
import os
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from core.ids import uuid7
from engine.blocks import IS_BLOCKED, block
from shapes.addresses import address_key
from shapes.blocks import BlockReason
from tests.migrations.test_upgrade import upgrade
from tests.support import servers

BEFORE = "0034"
GIVEN, LOWER, UPPER = "Anna@Example.com", "anna@example.com", "ANNA@EXAMPLE.COM"
PUNYCODE, CYRILLIC = "anna@xn--e1afmkfd.xn--p1ai", "anna@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444"
USER = "INSERT INTO users (id, email, roles) VALUES ($1, $2, '{user}')"
BLOCK = "INSERT INTO blocked_phones (id, owner_id, phone, reason, scope) VALUES ($1, $2, $3, $4, $5)"
# As the release before writes a block.
OLD_BLOCK = """
INSERT INTO blocked_phones AS known (id, owner_id, phone, reason, scope) VALUES ($1, $2, $3, 'optOut', 'all')
ON CONFLICT (owner_id, phone) DO UPDATE SET scope = excluded.scope
"""
OLD_RECIPIENT = """
INSERT INTO recipients (id, project_id, address) VALUES ($1, $2, $3) ON CONFLICT (project_id, address) DO NOTHING
"""


@pytest.fixture
async def before():
    """A database of the release before, with a user, and a function that migrates it."""
    name = f"keys_{uuid4().hex}"
    server = await asyncpg.connect(os.environ[servers.POSTGRES])
    await server.execute(f'CREATE DATABASE "{name}"')
    await server.close()
    url = servers.named(os.environ[servers.POSTGRES], name)
    await asyncio.to_thread(lambda: asyncio.run(upgrade(url, BEFORE)))
    connection = await asyncpg.connect(url)
    owner = uuid7()
    await connection.execute(USER, owner, "a@example.com")
    await connection.execute(
        "INSERT INTO accounts (id, owner_id, name, currency) VALUES ($1, $1, 'a', 'USD')", owner
    )

    async def migrate() -> None:
        await asyncio.to_thread(lambda: asyncio.run(upgrade(url, "head")))

    yield connection, owner, migrate
    await connection.close()
    await servers.drop(name)


async def project(db: asyncpg.Connection, owner: UUID, *addresses: str, **fields: Any) -> UUID:
    id = uuid7()
    row = {
        "id": id,
        "owner_id": owner,
        "account_id": owner,
        "name": "p",
        "channel": "email",
        "text": "x",
        "status": "draft",
        **fields,
    }
    names, marks = ", ".join(row), ", ".join(f"${number}" for number in range(1, len(row) + 1))
    await db.execute(f"INSERT INTO sending_projects ({names}) VALUES ({marks})", *row.values())
    for address in addresses:
        await db.execute(OLD_RECIPIENT, uuid7(), id, address)
    return id


async def recipients(db: asyncpg.Connection, project: UUID) -> list[tuple[str, str | None]]:
    rows = await db.fetch(
        "SELECT address, address_key FROM recipients WHERE project_id = $1 ORDER BY seq", project
    )
    return [tuple(row) for row in rows]


async def test_blocks_that_become_equal_are_one_with_the_widest_scope(before):
    db, owner, migrate = before
    other = uuid7()
    await db.execute(USER, other, "b@example.com")
    first = uuid7()
    await db.execute("INSERT INTO event_feeds (owner_id, recording) VALUES ($1, true)", owner)
    await db.execute(BLOCK, first, owner, GIVEN, "unsubscribed", "promotional")
    await db.execute(BLOCK, uuid7(), owner, UPPER, "manual", "all")
    await db.execute(BLOCK, uuid7(), owner, LOWER, "complaint", "promotional")
    await db.execute(BLOCK, uuid7(), owner, "B\u00f6b@example.com", "manual", "promotional")
    await db.execute(BLOCK, uuid7(), owner, "+14155550100", "manual", "promotional")
    await db.execute(BLOCK, uuid7(), other, UPPER, "manual", "promotional")
    await migrate()
    rows = await db.fetch(
        "SELECT id, phone, address_key, reason, scope FROM blocked_phones WHERE owner_id = $1 ORDER BY id",
        owner,
    )
    assert tuple(rows[0]) == (first, GIVEN, LOWER, "complaint", "all")
    assert [tuple(row)[1:] for row in rows[1:]] == [
        ("B\u00f6b@example.com", "b\u00f6b@example.com", "manual", "promotional"),
        ("+14155550100", None, "manual", "promotional"),
    ]
    rows = await db.fetch("SELECT address_key, reason, scope FROM blocked_phones WHERE owner_id = $1", other)
    assert [tuple(row) for row in rows] == [(LOWER, "manual", "promotional")]
    assert await db.fetchval("SELECT count(*) FROM event_inbox WHERE type = 'block.removed'") == 0


async def test_a_block_in_punycode_stops_the_address_in_its_own_letters(before):
    db, owner, migrate = before
    await db.execute(BLOCK, uuid7(), owner, PUNYCODE, "manual", "promotional")
    draft = await project(db, owner, PUNYCODE, CYRILLIC)
    await migrate()
    condition = IS_BLOCKED.format(owner="$1", key="$2", category="$3")
    asked = (f"SELECT {condition}", owner, address_key(CYRILLIC))
    assert await db.fetchval(*asked, "promotional")
    assert not await db.fetchval(*asked, "transactional")
    for spelling in (PUNYCODE, CYRILLIC):
        await block(db, owner, spelling, BlockReason.optOut, by_stop_word=True)
        assert await db.fetchval(*asked, "transactional")
    rows = await db.fetch("SELECT phone, address_key, reason, scope FROM blocked_phones")
    assert [tuple(row) for row in rows] == [(PUNYCODE, CYRILLIC, "optOut", "all")]
    assert await recipients(db, draft) == [(PUNYCODE, CYRILLIC)]


async def test_drafts_have_each_recipient_once_and_projects_that_have_started_stay(before):
    db, owner, migrate = before
    draft = await project(
        db, owner, "first@example.com", UPPER, GIVEN, LOWER, "Bob@example.com", "+14155550100"
    )
    second = await project(db, owner, LOWER, UPPER, status="scheduled")
    started = await project(
        db, owner, GIVEN, UPPER, LOWER, "Bob@example.com", status="running", prepared_to=1
    )
    await migrate()
    assert await recipients(db, draft) == [
        ("first@example.com", None), (UPPER, LOWER), ("Bob@example.com", "bob@example.com"), ("+14155550100", None),
    ]  # fmt: skip
    assert await recipients(db, second) == [(LOWER, None)]
    assert await recipients(db, started) == [
        (GIVEN, None), (UPPER, None), (LOWER, None), ("Bob@example.com", "bob@example.com"),
    ]  # fmt: skip


async def test_messages_and_rows_of_imports_get_a_key_and_records_stay(before):
    db, owner, migrate = before
    id = uuid7()
    for to in (GIVEN, LOWER, "+14155550100"):
        await db.execute(
            'INSERT INTO messages (id, owner_id, account_id, direction, channel, "to", body, updated_at)'
            " VALUES ($1, $2, $2, 'outbound', 'email', $3, 'x', '2026-01-01')",
            uuid7(), owner, to,
        )  # fmt: skip
    await db.execute(
        'INSERT INTO message_records (id, project_id, owner_id, channel, "to") VALUES ($1, $2, $3, $4, $5)',
        id, uuid7(), owner, "email", GIVEN,
    )  # fmt: skip
    imported = uuid7()
    await db.execute(
        "INSERT INTO recipient_imports (id, owner_id, region) VALUES ($1, $2, 'US')", imported, owner
    )
    await db.executemany(
        "INSERT INTO import_rows (import_id, line, address) VALUES ($1, $2, $3)",
        [(imported, 1, GIVEN), (imported, 2, "bob@example.com"), (imported, 3, "AbCdEf")],
    )
    await migrate()
    rows = await db.fetch("SELECT address_key, updated_at::date::text FROM messages ORDER BY id")
    assert [tuple(row) for row in rows] == [(LOWER, "2026-01-01"), (None, "2026-01-01"), (None, "2026-01-01")]
    assert await db.fetchval("SELECT address_key FROM message_records") is None
    keys = await db.fetch("SELECT address_key FROM import_rows ORDER BY line")
    assert [row["address_key"] for row in keys] == [LOWER, None, None]


async def test_the_release_before_can_still_write(before):
    """It knows no keys: its blocks and recipients get one, and end in the row that is there."""
    db, owner, migrate = before
    draft = await project(db, owner)
    await migrate()
    for phone in (GIVEN, LOWER, UPPER, GIVEN, "+14155550100", "+14155550100"):
        await db.execute(OLD_BLOCK, uuid7(), owner, phone)
    rows = await db.fetch("SELECT phone, address_key FROM blocked_phones ORDER BY id")
    assert [tuple(row) for row in rows] == [(GIVEN, LOWER), ("+14155550100", None)]
    for address in (GIVEN, GIVEN, LOWER, UPPER, "bob@example.com", "Bob@example.com"):
        await db.execute(OLD_RECIPIENT, uuid7(), draft, address)
    assert await recipients(db, draft) == [(GIVEN, LOWER), ("bob@example.com", None)]


async def test_a_migration_that_was_interrupted_goes_on(before):
    """Its steps are repeated, and change nothing that is done."""
    db, owner, migrate = before
    await db.execute(BLOCK, uuid7(), owner, GIVEN, "manual", "all")
    draft = await project(db, owner, UPPER, LOWER)
    await migrate()
    await db.execute("UPDATE alembic_version SET version_num = $1", BEFORE)
    await db.execute("UPDATE blocked_phones SET address_key = NULL")
    await migrate()
    assert await db.fetchval("SELECT address_key FROM blocked_phones") == LOWER
    assert await recipients(db, draft) == [(UPPER, LOWER)]
