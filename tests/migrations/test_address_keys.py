"""Addresses get their keys by triggers, if a statement gives none."""

from typing import Any
from uuid import UUID

import asyncpg
import pytest

from core.ids import uuid7

GIVEN, LOWER, UPPER = "Anna@Example.com", "anna@example.com", "ANNA@EXAMPLE.COM"
BLOCK = """
INSERT INTO blocked_phones AS known (id, owner_id, phone, reason, scope) VALUES ($1, $2, $3, 'optOut', 'all')
ON CONFLICT (owner_id, phone) DO UPDATE SET scope = excluded.scope
"""
RECIPIENT = """
INSERT INTO recipients (id, project_id, address) VALUES ($1, $2, $3) ON CONFLICT (project_id, address) DO NOTHING
"""
PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel) VALUES ($1, $1, $1, 'p', 'email')
"""


@pytest.fixture
async def db(database: str) -> Any:
    connection = await asyncpg.connect(database)
    yield connection
    await connection.close()


@pytest.fixture
async def owner(db: asyncpg.Connection) -> UUID:
    """A user, with an account and a project of the same id."""
    id = uuid7()
    await db.execute("INSERT INTO users (id, email, roles) VALUES ($1, 'a@example.com', '{user}')", id)
    await db.execute("INSERT INTO accounts (id, owner_id, name, currency) VALUES ($1, $1, 'a', 'USD')", id)
    await db.execute(PROJECT, id)
    return id


async def test_a_block_in_another_spelling_is_the_same(db: asyncpg.Connection, owner: UUID) -> None:
    for phone in (GIVEN, LOWER, UPPER, GIVEN, "+14155550100", "+14155550100"):
        await db.execute(BLOCK, uuid7(), owner, phone)
    rows = await db.fetch("SELECT phone, address_key FROM blocked_phones ORDER BY id")
    assert [tuple(row) for row in rows] == [(GIVEN, LOWER), ("+14155550100", None)]


async def test_a_recipient_in_another_spelling_is_left_out(db: asyncpg.Connection, owner: UUID) -> None:
    for address in (GIVEN, GIVEN, LOWER, UPPER, "bob@example.com", "Bob@example.com"):
        await db.execute(RECIPIENT, uuid7(), owner, address)
    rows = await db.fetch("SELECT address, address_key FROM recipients ORDER BY seq")
    assert [tuple(row) for row in rows] == [(GIVEN, LOWER), ("bob@example.com", None)]
