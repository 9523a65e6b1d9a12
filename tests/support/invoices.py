"""Invoices of a provider: messages that a route took, their lines, and differences that are planted among them."""

import csv
import io
import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import orjson

from core.ids import uuid7
from engine import files
from engine.jobs import JobName, enqueue
from runtime.services import Services

ROUTE = "provider"
PRICES = {"1": "0.0079", "49": "0.07", "4477": "0.04"}
SIX_DAYS = timedelta(days=6)
KINDS = ("billedNotSent", "sentNotBilled", "billedTwice", "otherParts", "otherPrice")

# One of two thousand was refused: the route did not take it, and nobody may bill it.
_MESSAGES = """
INSERT INTO messages (id, created_at, updated_at, owner_id, account_id, direction, channel, "to", body, state, price,
  segments, provider, provider_message_id, handed_at, sent_at)
SELECT (substr(t.hex, 1, 8) || '-' || substr(t.hex, 9) || '-7' || substr(t.rest, 1, 3) || '-8' || substr(t.rest, 4, 3)
    || '-' || substr(t.rest, 7, 12))::uuid,
  t.at, t.at, $1, $2, 'outbound', 'sms', t.number, 'x', CASE WHEN i % 2000 = 7 THEN 'failed' ELSE 'sent' END,
  0.1, 1 + i % 3, $5, 'SM' || md5(i::text), t.at, CASE WHEN i % 2000 <> 7 THEN t.at + interval '1 second' END
FROM generate_series($3::int, $4::int) AS i CROSS JOIN LATERAL (
  SELECT $6::timestamptz + i * interval '5 seconds' AS at, md5(i::text) AS rest,
    lpad(to_hex((extract(epoch FROM $6::timestamptz + i * interval '5 seconds') * 1000)::int8), 12, '0') AS hex,
    (ARRAY['+1415', '+4915', '+4477'])[1 + i % 3] || lpad((i % 90000000)::text, 8, '0') AS number
) AS t
"""
_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status, text)
VALUES ($1, $2, $3, 'bench', 'sms', 'finished', 'Hi')
"""
_RECORDS = """
INSERT INTO message_records (id, project_id, owner_id, channel, "to", status, price, parts, provider,
  provider_message_id, queued_at, handed_at, sent_at, updated_at)
SELECT gen_random_uuid(), $1, $2, 'sms', '+4915' || lpad(i::text, 9, '0'), 'sent', 0.1, 2, $5,
  'SM' || md5('r' || i), $6::timestamptz + i * interval '5 seconds', now(), $6::timestamptz + i * interval '5 seconds',
  now()
FROM generate_series($3::int, $4::int) AS i
"""
_SENT = """
SELECT provider_message_id, "to", sent_at, segments AS parts FROM messages WHERE provider = $1 AND sent_at IS NOT NULL
UNION ALL
SELECT provider_message_id, "to", sent_at, parts FROM message_records WHERE provider = $1
ORDER BY 1
"""
_LIST = "INSERT INTO price_lists (id, name, currency) VALUES ($1, 'Provider', 'USD')"
_VERSION = """
INSERT INTO price_list_versions (id, list_id, number, valid_from, size) VALUES ($1, $2, 1, $3, 3)
"""
_PRICE = "INSERT INTO prices (version_id, channel, prefix, price) VALUES ($1, 'sms', $2, $3::text::numeric)"
_COSTS = "INSERT INTO route_costs (route, valid_from, list_id) VALUES ($1, $2, $3)"
_INVOICE = """
INSERT INTO provider_invoices (id, owner_id, route, channel, file_uuid, period_from, period_to, currency, options)
VALUES ($1, $2, $3, 'sms', $4, $5, $6, 'USD', '{"mapping": null, "region": "DE", "timezone": "UTC"}')
"""


async def fill(db: Any, owner: UUID, account: UUID, count: int, since: datetime, route: str = ROUTE) -> None:
    """Makes so many messages of a route within six days, a fifth of them of a project, and the route's costs."""
    project, list_id, version, direct = uuid7(), uuid7(), uuid7(), count * 4 // 5
    await db.execute(_PROJECT, project, owner, account)
    await db.execute(_MESSAGES, owner, account, 1, direct, route, since)
    await db.execute(_RECORDS, project, owner, direct + 1, count, route, since)
    await db.execute(_LIST, list_id)
    await db.execute(_VERSION, version, list_id, since)
    for prefix, price in PRICES.items():
        await db.execute(_PRICE, version, prefix, price)
    await db.execute(_COSTS, route, since - timedelta(days=1), list_id)


async def sent(db: Any, route: str = ROUTE) -> list[Any]:
    """Returns what the route took, in the order of the provider's ids."""
    rows: list[Any] = await db.fetch(_SENT, route)
    return rows


def billed(rows: Sequence[Any], planted: int, seed: int = 1) -> tuple[str, set[tuple[str, str]]]:
    """Returns an invoice of these messages with as many differences, in turns of the five kinds, and the differences:
    kind and provider's id.
    """
    rolls = random.Random(seed)
    others = rolls.sample(range(len(rows)), planted)
    kinds = {place: KINDS[number % len(KINDS)] for number, place in enumerate(others)}
    lines: list[tuple[Any, ...]] = []
    differences: set[tuple[str, str]] = set()
    for place, row in enumerate(rows):
        id, parts, kind = row["provider_message_id"], row["parts"], kinds.get(place)
        price = round(float(PRICES[next(p for p in PRICES if row["to"][1:].startswith(p))]) * parts, 6)
        line = (id, row["to"], row["sent_at"].isoformat(), parts, price)
        if kind == "billedNotSent":
            strange = f"XX{id}"
            lines.append((strange, *line[1:]))
            differences.add((kind, strange))
        if kind == "otherParts":
            line = (*line[:3], parts + 1, price)
        elif kind == "otherPrice":
            line = (*line[:4], round(price + 0.000001, 6))
        if kind != "sentNotBilled":
            lines.append(line)
        if kind == "billedTwice":
            lines.append(line)
        if kind not in (None, "billedNotSent"):
            differences.add((str(kind), id))
    rolls.shuffle(lines)
    text = io.StringIO()
    csv.writer(text).writerows([("Message ID", "To", "Sent at", "Segments", "Price"), *lines])
    return text.getvalue(), differences


async def add(services: Services, owner: UUID, text: str | bytes, since: datetime, until: datetime) -> UUID:
    """Uploads an invoice as a file of the owner, and enters it to be compared. Returns its id."""

    async def chunks() -> AsyncIterator[bytes]:
        yield text.encode() if isinstance(text, str) else text

    file = await files.save(services, owner, "invoice.csv", "text/csv", chunks())
    id = uuid7()
    async with services.db.transaction() as db:
        await db.execute(_INVOICE, id, owner, ROUTE, file.id, since, until)
        await enqueue(db, JobName.compare_invoice, id)
    return id


async def differences_of(db: Any, invoice: UUID) -> Counter[tuple[str, str]]:
    """Returns the differences that were found: verdict, and the provider's id."""
    rows = await db.fetch(
        "SELECT l.verdict, COALESCE(l.provider_id, m.provider_message_id, r.provider_message_id) AS id"
        " FROM provider_invoice_lines AS l LEFT JOIN messages AS m ON m.id = l.message_id"
        " LEFT JOIN message_records AS r ON r.id = l.message_id WHERE l.invoice_id = $1 AND l.verdict <> 'matched'",
        invoice,
    )
    return Counter((row["verdict"], row["id"]) for row in rows)


async def result_of(db: Any, invoice: UUID) -> tuple[Any, ...]:
    """Returns all that an invoice has as its result, without what a clock says."""
    row = await db.fetchrow(
        "SELECT status, status_reason, lines, compared, sums FROM provider_invoices WHERE id = $1", invoice
    )
    lines = await db.fetch(
        "SELECT * FROM provider_invoice_lines WHERE invoice_id = $1 ORDER BY line", invoice
    )
    sums = orjson.loads(row["sums"]) if isinstance(row["sums"], str) else row["sums"]
    return (*list(row.values())[:4], sums, [tuple(line.values())[1:] for line in lines])


def begin() -> datetime:
    """Returns the begin of a period of which all messages are old enough, and none is too old."""
    return datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(days=8)
