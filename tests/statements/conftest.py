"""Holds what these tests share: accounts whose rows are of an earlier month, and their statements."""

from collections.abc import AsyncIterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import orjson
import pytest

import engine.projects
import engine.statements.making
import engine.statements.months  # noqa: F401  registers the round
from engine.reconciliations.verifying import Trust, Verified, verify_document
from engine.statements.form import FORM
from engine.statements.making import make_statement
from engine.statements.months import begin_of, name_of, newest_final, next_month
from engine.worker import receive_events
from runtime.services import Services
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.rounds import run_round

SHIFT = """
CREATE OR REPLACE FUNCTION test_shifted(id uuid, back interval) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
SELECT encode(overlay(uuid_send(id) PLACING substring(int8send(
  ('x0000' || substr(replace(id::text, '-', ''), 1, 12))::bit(64)::bigint - (extract(epoch FROM back) * 1000)::bigint
) FROM 3) FROM 1 FOR 6), 'hex')::uuid
$$
"""
"""Returns the id that a row would have, had it been made so much earlier."""

_LEDGER = """
UPDATE ledger_entries SET id = test_shifted(id, $1::interval), created_at = created_at - $1::interval,
  reference = CASE WHEN project_id IS NULL THEN test_shifted(reference, $1::interval) ELSE reference END
WHERE account_id = $2 AND created_at > now() - interval '1 day'
"""
_MESSAGES = """
UPDATE messages SET id = test_shifted(id, $1::interval), created_at = created_at - $1::interval,
  sent_at = sent_at - $1::interval, delivered_at = delivered_at - $1::interval
WHERE account_id = $2 AND created_at > now() - interval '1 day'
"""
_RECORDS = """
UPDATE message_records SET queued_at = queued_at - $1::interval, handed_at = handed_at - $1::interval,
  sent_at = sent_at - $1::interval
WHERE owner_id = (SELECT owner_id FROM accounts WHERE id = $2) AND queued_at > now() - interval '1 day'
"""


class Books:
    """The books of accounts, in which the newest month that is final has just passed."""

    def __init__(self, services: Services) -> None:
        self.services, self.db = services, services.db
        self.month = newest_final(services.db.now())
        self.before = (self.month - timedelta(days=1)).replace(day=1)
        self.begin, self.end = begin_of(self.month), begin_of(next_month(self.month))

    async def move(self, person: Person, to: datetime) -> None:
        """Makes everything that this person did today of that time."""
        back = self.db.now() - to
        async with self.db.transaction() as db:
            for statement in (_LEDGER, _MESSAGES, _RECORDS):
                await db.execute(statement, back, person.account_id)
            await db.execute(
                "UPDATE accounts SET created_at = LEAST(created_at, $1::timestamptz - interval '1 day')"
                " WHERE id = $2", to, person.account_id,
            )  # fmt: skip

    async def close(self, *, since: date | None = None) -> None:
        """Makes all statements that are due, as workers do. `since`: the last month that was asked for before."""
        if since is not None:
            await self.db.fetchval("INSERT INTO statement_months (month) VALUES ($1) RETURNING month", since)
        await run_round(self.services, "request_statements")
        for row in await self.db.fetch("SELECT id FROM statements WHERE made_at IS NULL ORDER BY month, id"):
            await make_statement(self.services, row["id"])
        assert await self.db.fetchval("SELECT count(*) FROM statements WHERE made_at IS NULL") == 0

    async def entries(self, account: UUID, begin: datetime, end: datetime) -> Decimal:
        """Returns what the ledger says of a time, added up entry by entry."""
        rows = await self.db.fetch(
            "SELECT amount FROM ledger_entries WHERE account_id = $1 AND created_at >= $2 AND created_at < $3",
            account, begin, end,
        )  # fmt: skip
        return sum((row["amount"] for row in rows), Decimal())


async def statement(person: Person, month: date) -> Any:
    """The answer of the REST door, which is a file that is handed over."""
    answer = await person.rest("GET", f"/accounts/{person.account_id}/statements/{name_of(month)}")
    assert answer.status_code == 200, answer.text
    verified(answer.content)
    return answer.json()


def verified(data: bytes | Any) -> Verified:
    return verify_document(data if isinstance(data, bytes) else orjson.dumps(data), Trust(), (FORM,))


def total_of(document: Any) -> Decimal:
    return sum((Decimal(line["amount"] or 0) for line in document["lines"]), Decimal())


@pytest.fixture
async def books(services: Services) -> Books:
    async with services.db.transaction() as db:
        await db.execute(SHIFT)
    return Books(services)


@pytest.fixture
async def projects(services: Services) -> AsyncIterator[Projects]:
    async def sink(channel: Any, events: Any) -> None:
        await receive_events(services, channel, events)

    await services.routes.open(sink)
    yield Projects(services)
    await services.routes.close()
