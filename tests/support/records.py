"""Messages of projects in whatever state a test wants, with their money, and what must hold when it is over."""

from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from runtime.services import Services
from shapes.addresses import stored_key
from tests.support.people import Person

PHONE = "+14155550100"

_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status, stop_on_reply, account_uuids)
VALUES ($1, $2, $3, 'p', $4, $5, $6, $7)
"""
_RECORD = """
INSERT INTO message_records (id, project_id, owner_id, recipient_id, channel, "to", status, price, provider,
                             provider_message_id, handed_at, sent_at, failure_code, address_key)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
  CASE WHEN $7 <> 'queued' THEN now() END, CASE WHEN $7 IN ('sent', 'delivered', 'read') THEN now() END,
  CASE WHEN $7 IN ('failed', 'skipped') THEN 'x' END, $11)
"""
_CHARGE = """
WITH entry AS (
  INSERT INTO ledger_entries (id, account_id, kind, amount, reference) VALUES ($1, $2, 'charge', -$3::numeric, $1)
)
UPDATE accounts SET balance = balance - $3::numeric WHERE id = $2
"""
_BOOKS = """
SELECT a.balance, COALESCE(sum(e.amount), 0) AS ledger,
  COALESCE(-sum(e.amount) FILTER (WHERE e.kind <> 'credit'), 0) AS spent,
  (SELECT COALESCE(sum(m.price), 0) FROM message_records AS m JOIN sending_projects AS p ON p.id = m.project_id
   WHERE p.account_id = a.id)
  + (SELECT COALESCE(sum(price), 0) FROM messages WHERE account_id = a.id
    AND (state <> 'failed' OR reported_by = 'hook')) AS prices
FROM accounts AS a LEFT JOIN ledger_entries AS e ON e.account_id = a.id GROUP BY a.id
"""
_COUNTED = """
SELECT sum(total)::int AS total, sum(queued)::int AS queued, sum(sent)::int AS sent,
  sum(delivered)::int AS delivered, sum(read)::int AS read, sum(failed)::int AS failed, sum(replied)::int AS replied,
  sum(skipped)::int AS skipped, sum(canceled)::int AS canceled
FROM sending_counters
"""


class Records:
    def __init__(self, services: Services) -> None:
        self.services, self.db = services, services.db

    async def project(
        self,
        person: Person,
        channel: str = "sms",
        status: str = "running",
        *,
        stop_on_reply: bool = False,
        senders: tuple[UUID, ...] = (),
    ) -> UUID:
        id = uuid7()
        await self.db.fetch(
            _PROJECT, id, person.id, person.account_id, channel, status, stop_on_reply, list(senders)
        )
        return id

    async def make(
        self,
        person: Person,
        status: str = "sent",
        *,
        number: str | None = None,
        to: str = PHONE,
        channel: str = "sms",
        price: str = "0.01",
        project: UUID | None = None,
        provider: str = "twilio",
    ) -> UUID:
        """Makes a message that its provider knows as `number`, and charges for it."""
        id = uuid7()
        project = project or await self.project(person, channel)
        paid = Decimal(0) if status in ("queued", "failed") else Decimal(price)
        await self.db.fetch(
            _RECORD,
            id,
            project,
            person.id,
            uuid7(),
            channel,
            to,
            status,
            paid,
            provider,
            number,
            stored_key(to),
        )
        if paid:
            await self.db.fetch(_CHARGE, uuid7(), person.account_id, paid)
        return id

    async def row(self, id: UUID) -> Any:
        return await self.db.fetchrow("SELECT * FROM message_records WHERE id = $1", id)

    async def status(self, id: UUID) -> str:
        return str((await self.row(id))["status"])

    async def set(self, change: str, *ids: UUID) -> None:
        await self.db.fetch(f"UPDATE message_records SET {change} WHERE id = ANY($1)", ids)

    async def count(self, sql: str, *arguments: Any) -> int:
        return int(await self.db.fetchval(f"SELECT count(*) FROM {sql}", *arguments))

    async def replies(self) -> list[Any]:
        return await self.db.fetch("SELECT * FROM message_records WHERE direction = 'inbound' ORDER BY seq")

    async def blocked(self, person: Person) -> dict[str, str]:
        rows = await self.db.fetch("SELECT phone, reason FROM blocked_phones WHERE owner_id = $1", person.id)
        return {row["phone"]: row["reason"] for row in rows}

    async def counted(self) -> Any:
        return await self.db.fetchrow(_COUNTED)

    async def books(self) -> None:
        """Checks that every balance is its ledger, and that what was spent is what the messages cost."""
        for row in await self.db.fetch(_BOOKS):
            assert row["balance"] == row["ledger"], dict(row)
            assert row["spent"] == row["prices"], dict(row)


@pytest.fixture
async def records(services: Services) -> AsyncIterator[Records]:
    made = Records(services)
    yield made
    await made.books()
