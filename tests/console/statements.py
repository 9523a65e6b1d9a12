"""Accounts with a few months of messages, and their statements, which the worker of the live service makes."""

import asyncio
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import asyncpg

from core.ids import least_uuid7
from engine.statements.months import begin_of, newest_final
from tests.support.live import Live
from tests.support.people import Person
from tests.support.waits import eventually

_GROUPS = (
    ("sms", "+14155550100", "twilio", "Postern", Decimal("0.0079"), 1200),
    ("sms", "+4915123456700", "twilio", "Postern", Decimal("0.075"), 640),
    ("sms", "+447700900123", "vonage", None, Decimal("0.04"), 310),
    ("email", "a@example.com", "smtp", None, Decimal("0.0004"), 5200),
)
_MESSAGES = """
INSERT INTO messages (id, created_at, owner_id, account_id, direction, channel, category, "to", body, price, segments,
  provider, sender, state, sent_at)
SELECT test_id($1, $2::bigint + i * 10), $3, $4, $5, 'outbound', $6,
  CASE WHEN i % 3 = 0 THEN 'promotional' ELSE 'transactional' END,
  $7, 'x', $8, 1 + i % 2, $9, $10, 'delivered', $3 FROM generate_series(1, $11::int) AS i
"""
_ENTRIES = """
INSERT INTO ledger_entries (id, created_at, account_id, kind, amount, reference)
SELECT test_id($1, $2::bigint + i * 10 + 1), $3, $4, 'charge', -$5::numeric, test_id($1, $2::bigint + i * 10)
FROM generate_series(1, $6::int) AS i
"""
_ID = """
CREATE OR REPLACE FUNCTION test_id(first uuid, number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
SELECT encode(overlay(uuid_send(first) PLACING int8send(number) FROM 9 FOR 8), 'hex')::uuid
$$
"""
_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, category, status, text)
VALUES ($1, $2, $3, $4, 'sms', 'promotional', 'stopped', 'x')
"""


def fill(live: Live, user: Person) -> str:
    """Makes three months of an account. Returns the newest of them that has a statement."""
    month = asyncio.run(_fill(live.database, user))
    path = f"/accounts/{user.account_id}/statements"

    def made() -> bool:
        answer = live.client.get(path, headers=user.headers)
        return answer.status_code == 200 and len(answer.json()) == 3

    eventually(made, "three statements")
    return month


async def _fill(database: str, user: Person) -> str:
    db = await asyncpg.connect(database)
    try:
        await db.execute(_ID)
        newest = newest_final(await db.fetchval("SELECT now()"))
        months = [newest]
        for _ in range(2):
            months.append((months[-1] - timedelta(days=1)).replace(day=1))
        async with db.transaction():
            for number, month in enumerate(reversed(months)):
                await _month(db, user, month, number + 1)
            await db.execute(
                "UPDATE accounts SET created_at = $2, balance = (SELECT sum(amount) FROM ledger_entries"
                " WHERE account_id = $1) WHERE id = $1",
                user.account_id, begin_of(months[-1]),
            )  # fmt: skip
            for month in reversed(months):
                await db.execute(
                    "INSERT INTO statements (id, account_id, month) VALUES (postern_uuid7(), $1, $2)",
                    user.account_id, month,
                )  # fmt: skip
        return f"{newest:%Y-%m}"
    finally:
        await db.close()


async def _month(db: Any, user: Person, month: date, number: int) -> None:
    at = begin_of(month) + timedelta(days=4)
    least = least_uuid7(at)
    await _entry(db, user, at, -1, "credit", Decimal(500))
    for place, (channel, to, route, sender, price, count) in enumerate(_GROUPS):
        base = place * 10_000_000 + user.account_id.int % 1_000_000 * 1_000_000_000
        some = count * (3 + number) // 6
        await db.execute(
            _MESSAGES, least, base, at, user.id, user.account_id, channel, to, price, route, sender, some
        )
        await db.execute(_ENTRIES, least, base, at, user.account_id, price, some)
    project = UUID(int=least.int | user.account_id.int % 2**60 | number)
    await db.execute(_PROJECT, project, user.id, user.account_id, f"Autumn offer, week {number}")
    await _entry(db, user, at, -2, "charge", Decimal("-42.75"), project)
    await _entry(db, user, at, -3, "refund", Decimal("3.1"), project)


async def _entry(
    db: Any, user: Person, at: datetime, place: int, kind: str, amount: Decimal, project: UUID | None = None
) -> None:
    await db.execute(
        "INSERT INTO ledger_entries (id, created_at, account_id, kind, amount, reference, project_id)"
        " SELECT id, $3, $4, $5, $6, id, $7 FROM (SELECT test_id($1, $2::bigint) AS id) AS made",
        least_uuid7(at), place - user.account_id.int % 2**40 * 10, at, user.account_id, kind, amount, project,
    )  # fmt: skip
