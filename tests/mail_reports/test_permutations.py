"""Thousands of reports, doubled and in any order: counters are what counting finds, and the money is exact."""

import asyncio
import random
from collections import Counter
from decimal import Decimal
from typing import Any
from uuid import UUID

from engine.mail_reports.recording import Received, Rules, record
from engine.reports import report_writer
from runtime.retry import despite_conflicts
from tests.deliverability.recount import equal
from tests.mail_reports.made import COMPLAINT, STATUSES, Mails, bounce, mails
from tests.support.examples import examples
from tests.support.gateway import gateway
from tests.support.records import records

__all__ = ["gateway", "mails", "records"]

EACH = examples(60)  # messages of a kind and a state; EXAMPLES=6: 5,000 reports of them
STATES = ("sent", "unknown", "delivered", "failed")
_COUNTED = """
SELECT state, sum(stored)::int AS count FROM message_counters WHERE kind = 'direct' GROUP BY state
HAVING sum(stored) <> 0
"""
_RECOUNTED = "SELECT state, count(*)::int AS count FROM messages GROUP BY state"
_COUNTED_RECORDS = """
SELECT sum(sent)::int AS sent, sum(delivered)::int AS delivered, sum(failed)::int AS failed,
  sum(unknown)::int AS unknown
FROM sending_counters
"""
_RECOUNTED_RECORDS = """
SELECT count(*) FILTER (WHERE status = 'sent')::int AS sent,
  count(*) FILTER (WHERE status = 'delivered')::int AS delivered,
  count(*) FILTER (WHERE status = 'failed')::int AS failed, count(*) FILTER (WHERE status = 'unknown')::int AS unknown
FROM message_records
"""
_REFUNDED = "SELECT COALESCE(sum(amount), 0) AS amount FROM ledger_entries WHERE kind = 'refund'"


async def _made(mails: Mails, rng: random.Random) -> list[Received]:
    """Makes messages of each kind and state, and one to four reports about each of them."""
    messages: list[UUID] = []
    project = await mails.records.project(mails.person, "email")
    for number, state in enumerate(STATES):
        for index in range(EACH):
            to = f"{state}{index % 20}@example.net"
            if state != "failed":  # a direct message that failed was refunded, which these rows were not
                messages += await mails.direct(state, to)
            if number < 3 or index % 2:
                messages.append(await mails.of_project(state, f"p{to}", project=project))
    received = []
    for id in messages:
        for name in range(rng.randint(1, 4)):
            report = rng.choice([*map(bounce, STATUSES), COMPLAINT, bounce("transient", kind="delay")])
            received.append(await mails.received(id, report, name=f"<{name}.{id}@mx>"))
    return received


async def test_doubled_reports_in_any_order(mails: Mails):
    rng = random.Random(3)
    received = await _made(mails, rng)
    before = {item.message_id: (await mails.row(item.message_id))["state"] for item in received}
    doubled = [*received, *received, *rng.sample(received, len(received) // 2)]
    rng.shuffle(doubled)
    assert len(doubled) > 1000
    batches = [doubled[start : start + 40] for start in range(0, len(doubled), 40)]

    async def work(own: list[list[Received]]) -> int:
        new = 0
        for batch in own:

            async def once(batch: list[Received] = batch) -> int:
                async with mails.services.db.reading() as db:
                    recorded = await record(db, batch, Rules())
                    await report_writer.retry_early(db, recorded.waiting)
                    return recorded.new

            new += await despite_conflicts(once, 9)
        return new

    # Two workers at once: one that lost its lease may not know it yet.
    assert sum(await asyncio.gather(work(batches[::2]), work(batches[1::2]))) == len(received)
    assert await mails.gateway.count("mail_reports") == len(received)

    bounced = {item.message_id for item in received if item.recipients[0].type == "bounce"}
    complained = {item.message_id for item in received if item.recipients[0].type == "complaint"}
    failed = {id for id in bounced if before[id] in ("sent", "unknown")}
    for id, state in before.items():
        row = await mails.row(id)
        assert row["state"] == ("failed" if id in failed else state)
        assert (row["bounced_at"] is not None) is (id in bounced)
        assert (row["complained_at"] is not None) is (id in complained)

    db = mails.services.db
    counted = await _rows(db, _COUNTED), await _rows(db, _RECOUNTED)
    assert counted[0] == counted[1]
    assert dict(await db.fetchrow(_COUNTED_RECORDS)) == dict(await db.fetchrow(_RECOUNTED_RECORDS))
    assert await equal(mails.services)  # by provider, project, variant and time
    refunds = await db.fetchrow(_REFUNDED)
    assert refunds["amount"] == len(failed) * Decimal("0.01")
    outcomes = Counter(
        row["message_id"]
        for row in await db.fetch("SELECT message_id FROM mail_reports WHERE outcome = 'fails'")
    )
    assert outcomes == Counter(dict.fromkeys(failed, 1))
    # Hard bounces and complaints block, and nothing else does but five soft ones of one address.
    hard = {item.message_id for item in received if item.recipients[0].klass == "hard"}
    wanted = {(await _to(mails, id)).lower() for id in hard | complained}
    blocks = await db.fetch("SELECT phone, reason FROM blocked_phones")
    assert {row["phone"].lower() for row in blocks if row["reason"] != "softBounce"} == wanted


async def _rows(db: Any, sql: str) -> dict[str, int]:
    return {row["state"]: row["count"] for row in await db.fetch(sql)}


async def _to(mails: Mails, id: UUID) -> str:
    sql = 'SELECT "to" FROM messages WHERE id = $1 UNION ALL SELECT "to" FROM message_records WHERE id = $1'
    return str(await mails.services.db.fetchval(sql, id))
