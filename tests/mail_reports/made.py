"""Reports as they are received, and messages that they are about."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from core.ids import uuid7
from engine.mail_reports.recording import Received, Recorded, Rules, record
from engine.mail_reports.report import RecipientReport
from engine.reports import report_writer
from runtime.services import Services
from shapes.mail_reports import MailReportClass, MailReportType
from tests.support.gateway import Gateway
from tests.support.people import Person
from tests.support.records import Records

STATUSES = {
    "hard": "5.1.1",
    "full": "5.2.2",
    "content": "5.3.4",
    "policy": "5.7.1",
    "transient": "4.4.7",
    "unknown": "5.0.0",
}
_CHARGE = """
WITH entry AS (
  INSERT INTO ledger_entries (id, account_id, kind, amount, reference) SELECT gen_random_uuid(), $2, 'charge', -0.01, id
  FROM unnest($1::uuid[]) AS i (id)
)
UPDATE accounts SET balance = balance - 0.01 * cardinality($1::uuid[]) WHERE id = $2
"""
_ADD = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", address_key, body, price, category,
  handed_at, sent_at, delivered_at)
SELECT id, $2, $3, 'outbound', 'email', $4, $5, NULLIF(lower($5), $5), 'Hello', 0.01, 'promotional',
  CASE WHEN $4 <> 'queued' THEN now() END, CASE WHEN $4 IN ('sent', 'delivered') THEN now() END,
  CASE WHEN $4 = 'delivered' THEN now() END
FROM unnest($1::uuid[]) AS i (id)
"""


def bounce(klass: str = "hard", address: str | None = None, kind: str = "bounce") -> RecipientReport:
    """Returns what a report says of one recipient."""
    return RecipientReport(
        MailReportType(kind),
        MailReportClass(klass),
        address,
        STATUSES[klass],
        550,
        f"550 {STATUSES[klass]} No.",
    )


COMPLAINT = RecipientReport(MailReportType.complaint, None, None, None, None, None)


@dataclass
class Mails:
    """Messages of one person, and the reports about them."""

    services: Services
    gateway: Gateway
    records: Records
    person: Person

    async def direct(self, state: str = "sent", to: str = "Ada@example.net", count: int = 1) -> list[UUID]:
        ids = [uuid7() for _ in range(count)]
        await self.services.db.fetch(_CHARGE, ids, self.person.account_id)
        await self.services.db.fetch(_ADD, ids, self.person.id, self.person.account_id, state, to)
        return ids

    async def of_project(self, status: str = "sent", to: str = "Ada@example.net", **values: Any) -> UUID:
        return await self.records.make(self.person, status, to=to, channel="email", **values)

    async def received(
        self,
        id: UUID,
        *reports: RecipientReport,
        name: str | None = None,
        source: str = "dsn",
        mail: bytes = b"",
    ) -> Received:
        return Received(
            id, reports or (bounce(),), source, name or f"<{uuid4()}@example.net>", await self.now(), mail
        )

    async def now(self) -> datetime:
        now: datetime = await self.services.db.fetchval("SELECT now()")
        return now

    async def report(self, id: UUID, *reports: RecipientReport, name: str | None = None) -> Recorded:
        return await self.record([await self.received(id, *reports, name=name)])

    async def record(self, received: Sequence[Received], rules: Rules = Rules()) -> Recorded:
        async with self.services.db.reading() as db:
            recorded = await record(db, received, rules)
            await report_writer.retry_early(db, recorded.waiting)
        return recorded

    async def row(self, id: UUID) -> Any:
        sql = """
        SELECT state, failure_code, failure_reason, bounced_at, complained_at, price FROM messages WHERE id = $1
        UNION ALL
        SELECT status, failure_code, failure_reason, bounced_at, complained_at, price FROM message_records WHERE id = $1
        """
        return await self.services.db.fetchrow(sql, id)

    async def blocks(self) -> list[tuple[str, str, str]]:
        sql = "SELECT phone, reason, scope FROM blocked_phones WHERE owner_id = $1 ORDER BY phone"
        return [tuple(row) for row in await self.services.db.fetch(sql, self.person.id)]

    async def refunds(self) -> list[Any]:
        sql = "SELECT amount FROM ledger_entries WHERE kind = 'refund'"
        return [row["amount"] for row in await self.services.db.fetch(sql)]


@pytest.fixture
async def mails(services: Services, gateway: Gateway, records: Records, ada: Person) -> AsyncIterator[Mails]:
    yield Mails(services, gateway, records, ada)
