"""Counts messages by hour, country, route, sender and owner, in the background. While a
message is sent, nothing is counted.

    a look, every half a minute   the hours of the messages that changed since the look before: `traffic_due`
    an hour that is due           its messages are counted anew; row and count are one transaction

A message belongs to the hour of its id, one of a project to the hour in which it was queued. What counts is the present
state of the rows, so a worker that dies has counted an hour or has not, and a second one counts the same. Rows are
found by `updated_at`, the beginning of the transaction that wrote them. So a look goes only as far as the oldest
transaction that may still write, and the next one begins there.

An hour is final when the first of its messages may have been deleted, and after `OPEN` at the latest.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from time import monotonic
from typing import Any, Final, NamedTuple
from uuid import UUID

from phonenumbers import COUNTRY_CODE_TO_REGION_CODE as REGIONS

from core.ids import least_uuid7
from core.settings import Settings
from engine.costs.lists import CostLists, cost_of
from engine.faultpoints import fault_point
from engine.jobs import every
from engine.sms.countries import country_of
from runtime.services import Services

OPEN: Final = timedelta(days=29)
"""For so long an hour is counted again when a message of it changes. Projects keep their messages for 30 days at least.
"""
_SPARE: Final = timedelta(minutes=10)  # before the deletion of the first message
_ROUND: Final = 5.0
_PAUSE: Final = timedelta(seconds=30)
_TIMES: Final = (
    10  # a pause is so many times as long as the work before it, so that counting takes a small part
)
_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)
_LONG: Final = "SET LOCAL statement_timeout = '10min'"
_SECONDS: Final = 600.0  # for which this process waits for an answer
_PAGE: Final = 5000

# An installation without messages has nothing to count.
_DUE: Final = """
EXISTS (SELECT FROM traffic_progress WHERE next_at <= now() AND (
  changed_until IS NOT NULL OR EXISTS (SELECT FROM messages) OR EXISTS (SELECT FROM message_records)
))
"""
_PROGRESS: Final = "SELECT changed_until FROM traffic_progress WHERE next_at <= now() FOR UPDATE SKIP LOCKED"
# A transaction that writes has an id; one without may get one, but not after ten minutes.
_SETTLED: Final = """
SELECT LEAST(now(), (
  SELECT min(xact_start) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND (backend_xid IS NOT NULL OR xact_start > now() - interval '10 minutes')
))
"""
_ID_TIME: Final = "to_timestamp(('x' || left(replace(m.id::text, '-', ''), 12))::bit(48)::int8 / 1000.0)"
_CHANGED: Final = f"""
INSERT INTO traffic_due (hour)
SELECT DISTINCT date_trunc('hour', {_ID_TIME}, 'UTC') FROM messages AS m
WHERE m.updated_at >= $1 AND m.updated_at < $2 AND m.direction = 'outbound' AND m.id >= $3
UNION
SELECT DISTINCT date_trunc('hour', m.queued_at, 'UTC') FROM message_records AS m
WHERE m.updated_at >= $1 AND m.updated_at < $2 AND m.direction = 'outbound' AND m.queued_at >= $4
ORDER BY 1 ON CONFLICT (hour) DO NOTHING
"""  # noqa: S608  our own words
_HAS_MESSAGES: Final = "SELECT EXISTS (SELECT FROM messages) OR EXISTS (SELECT FROM message_records)"
# These are noted before the change is committed for which they are counted. So an hour that is due already is locked,
# and workers leave it alone until then; one that is being counted is waited for. `_CHANGED` notes what is committed.
_ALL: Final = """
INSERT INTO traffic_due (hour) SELECT generate_series($1::timestamptz, $2::timestamptz, interval '1 hour')
ON CONFLICT (hour) DO UPDATE SET hour = EXCLUDED.hour
"""
_MOVES: Final = """
INSERT INTO traffic_due (hour) SELECT DISTINCT date_trunc('hour', m.queued_at, 'UTC') FROM message_records AS m
WHERE m.id = ANY($1) AND m.queued_at > now() - $2::interval ORDER BY 1
ON CONFLICT (hour) DO UPDATE SET hour = EXCLUDED.hour
"""
_GO_ON: Final = "UPDATE traffic_progress SET changed_until = $1"
_COUNTED_ALL: Final = """
UPDATE traffic_progress SET counted_until = changed_until WHERE NOT EXISTS (SELECT FROM traffic_due)
"""
_HURRY: Final = """
UPDATE traffic_progress SET next_at = now() WHERE id IN (SELECT id FROM traffic_progress FOR UPDATE SKIP LOCKED)
"""
_REST: Final = "UPDATE traffic_progress SET next_at = now() + $1::interval"
# The newest first: they are looked at most.
_TAKE: Final = """
DELETE FROM traffic_due WHERE hour = (SELECT hour FROM traffic_due ORDER BY hour DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING hour
"""
_WIDE: Final = tuple(f"+{code}%" for code, countries in REGIONS.items() if code != 1 and len(countries) > 1)
"""The beginnings of numbers whose country more digits say than the longest prefix of a price list has."""
# Of an erased recipient the prefix of the price is left.
_NUMBER: Final = """
CASE WHEN m.channel NOT IN ('sms', 'whatsapp') THEN '' WHEN m."to" LIKE ANY($4::text[]) THEN m."to"
  WHEN m."to" LIKE '+%' THEN left(m."to", 11) ELSE COALESCE('+' || m.price_prefix, '') END
"""
_COUNTED: Final = f"""
SELECT owner_id, channel, route, sender, number, currency, slice, count(*) AS messages, sum(parts)::int8 AS parts,
  count(*) FILTER (WHERE is_delivered) AS delivered, sum(charged) AS charged,
  count(*) FILTER (WHERE is_accepted) AS accepted, COALESCE(sum(parts) FILTER (WHERE is_accepted), 0)::int8 AS billed
FROM (
  SELECT m.owner_id, m.channel, COALESCE(m.provider, '') AS route,
    CASE WHEN m.channel = 'sms' THEN COALESCE(m.sender, '') ELSE '' END AS sender, {_NUMBER} AS number,
    COALESCE(a.currency, '') AS currency, width_bucket(m.created_at, $3::timestamptz[]) AS slice,
    CASE WHEN m.channel = 'sms' THEN m.segments ELSE 1 END AS parts, m.state = 'delivered' AS is_delivered,
    CASE WHEN m.state IN ('failed', 'canceled') AND m.reported_by IS NULL THEN 0 ELSE m.price END AS charged,
    m.sent_at IS NOT NULL AS is_accepted
  FROM messages AS m LEFT JOIN accounts AS a ON a.id = m.account_id
  WHERE m.id >= $5 AND m.id < $6 AND m.direction = 'outbound' AND m.step IS DISTINCT FROM 0
  UNION ALL
  SELECT m.owner_id, m.channel, COALESCE(m.provider, ''),
    CASE WHEN m.channel = 'sms' THEN COALESCE(m.sender, '') ELSE '' END, {_NUMBER},
    COALESCE(a.currency, ''), width_bucket(m.queued_at, $3::timestamptz[]),
    COALESCE(m.parts, 1), m.status IN ('delivered', 'read'), m.price, m.sent_at IS NOT NULL
  FROM message_records AS m JOIN sending_projects AS p ON p.id = m.project_id
    LEFT JOIN accounts AS a ON a.id = p.account_id
  WHERE m.queued_at >= $1 AND m.queued_at < $2 AND m.direction = 'outbound' AND m.status <> 'skipped'
) AS m GROUP BY owner_id, channel, route, sender, number, currency, slice
"""  # noqa: S608  our own words
_FORGET: Final = "DELETE FROM traffic WHERE hour = $1"
_COLUMNS: Final = (
    "hour", "owner_id", "channel", "route", "sender", "country", "currency", "cost_currency", "messages", "parts",
    "delivered", "charged", "cost", "without_cost",
)  # fmt: skip


class _Key(NamedTuple):
    """Holds what the messages of a row of `traffic` have in common, beside their hour."""

    owner_id: UUID
    channel: str
    route: str
    sender: str
    country: str
    currency: str
    cost_currency: str


@dataclass(slots=True)
class _Sums:
    """The numbers of a row of `traffic`."""

    messages: int = 0
    parts: int = 0
    delivered: int = 0
    charged: Decimal = field(default_factory=Decimal)
    cost: Decimal = field(default_factory=Decimal)
    without_cost: int = 0

    def add(self, row: Any, cost: Decimal | None) -> None:
        """Adds messages; `cost` is that of a part, or None if no list says it."""
        self.messages += row["messages"]
        self.parts += row["parts"]
        self.delivered += row["delivered"]
        self.charged += row["charged"]
        if cost is None:
            self.without_cost += row["accepted"]
        else:
            self.cost += cost * row["billed"]


@every(_ROUND, due=_DUE)
async def count(services: Services) -> None:
    """Looks for hours whose messages have changed, and counts all that are due."""
    begun = monotonic()
    async with services.db.transaction() as db:
        progress = await db.fetchrow(_PROGRESS)
        if progress is None:
            return
        await _look(services, db, progress["changed_until"])
        await db.execute(_REST, _PAUSE)
    fault_point("traffic.looked")
    while not services.stopping.is_set() and await _count_hour(services):
        pass
    took = timedelta(seconds=monotonic() - begun)
    async with services.db.transaction() as db:
        await db.execute(_COUNTED_ALL)
        await db.execute(_REST, max(_PAUSE, took * _TIMES))


def hour_of(moment: datetime) -> datetime:
    """Returns the begin of the hour (UTC) that a moment of any time zone belongs to."""
    return moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def first_open(settings: Settings, now: datetime) -> datetime:
    """Returns the begin of the first hour that is counted again when a message of it changes."""
    keep = OPEN if (days := settings.retention_days) is None else min(OPEN, timedelta(days=days))
    return hour_of(now - keep + _SPARE) + _HOUR


async def make_due(db: Any, since: datetime, until: datetime) -> None:
    """Has all hours from one to another counted anew, in the caller's transaction."""
    await db.execute(_ALL, hour_of(since), until)
    await db.execute(_HURRY)


async def note_moves(db: Any, records: Sequence[UUID]) -> None:
    """Has the hours of messages of projects counted anew, before they are queued again and move to another hour. In the
    caller's transaction.
    """
    await db.execute(_MOVES, records, OPEN)


async def _look(services: Services, db: Any, since: datetime | None) -> None:
    """Notes the hours of the messages that changed since a time, in the caller's transaction."""
    await db.execute(_LONG)
    settled: datetime = await db.fetchval(_SETTLED)
    oldest = first_open(services.settings, settled)
    if since is None:
        if await db.fetchval(_HAS_MESSAGES):
            await make_due(db, oldest, settled)
    else:
        # After a long outage a day at a time. What has changed again since then is found by a later look.
        settled = max(since, min(settled, since + _DAY))
        await db.execute(_CHANGED, since, settled, least_uuid7(oldest), oldest, timeout=_SECONDS)
    await db.execute(_GO_ON, settled)


async def _count_hour(services: Services) -> bool:
    """Counts an hour that is due. Returns whether there was one."""
    async with services.db.transaction() as db:
        hour: datetime | None = await db.fetchval(_TAKE)
        if hour is None:
            return False
        if hour >= first_open(services.settings, services.db.now()):
            await db.execute(_LONG)
            rows = await _sums(services, db, hour)
            await db.execute(_FORGET, hour)
            await db.copy_records_to_table("traffic", records=rows, columns=_COLUMNS)
        fault_point("traffic.counted")
    return True


async def _sums(services: Services, db: Any, hour: datetime) -> Sequence[tuple[Any, ...]]:
    """Returns the rows of an hour."""
    end = hour + _HOUR
    lists = await CostLists(services, db).read()
    moments = lists.moments(hour, end)
    sums: dict[_Key, _Sums] = defaultdict(_Sums)
    numbers = (list(_WIDE), least_uuid7(hour), least_uuid7(end))
    cursor = await db.cursor(_COUNTED, hour, end, moments, *numbers, timeout=_SECONDS)
    while rows := await cursor.fetch(_PAGE, timeout=_SECONDS):
        for row in rows:
            at = moments[row["slice"] - 1] if row["slice"] else hour
            book = await lists.book(row["route"], at) if row["number"] else None
            key = _Key(
                row["owner_id"], row["channel"], row["route"], row["sender"], country_of(row["number"]) or "",
                row["currency"], lists.currency(row["route"], at) or row["currency"],
            )  # fmt: skip
            sums[key].add(row, cost_of(book, row["channel"], row["number"]))
    return [
        (hour, *key, each.messages, each.parts, each.delivered, each.charged, each.cost, each.without_cost)
        for key, each in sums.items()
    ]
