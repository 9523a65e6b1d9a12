"""Adds up old ledger entries: the charges of a day (UTC) become one entry of their account, and so do its refunds.

    POSTERN_LEDGER_RETENTION_DAYS   days for which every charge and refund has an entry of its own

Without it the ledger is what still grows when messages are deleted. Only entries of deleted objects are added up: of a
direct message that was deleted, or of a project whose messages were. Before that, an entry may prevent a second refund.
Credits stay as they are, and so does an entry whose id was made in another month than its transaction began, since
statements count by month. The sums of an account, of a kind and of a project are equal to the digit.

The entry of a day has the day's begin as its time, its own id as its reference, and in `entry_count` for how many it
stands. A round goes on where the last one ended (`ledger_progress`), and begins again after a month: by then it has
passed entries whose messages were still there.
"""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import NAMESPACE_OID, UUID, uuid5

from core.ids import least_uuid7, time_of
from core.settings import Settings
from db.session import Database
from engine.jobs import every
from engine.upkeep import BITE
from runtime.services import Services

_SECONDS = 300.0
_AGAIN = timedelta(days=30)
_DAY = timedelta(days=1)
_FIRST = UUID(int=0)

# The worker that has the row locked does the work; another worker's round ends at once.
_PROGRESS = (
    "SELECT position, begun_at < now() - $1::interval AS again FROM ledger_progress FOR UPDATE SKIP LOCKED"
)
_NEXT = "SELECT id FROM ledger_entries WHERE id > $1 AND id < $2 ORDER BY id LIMIT 1"
_GO_ON = "UPDATE ledger_progress SET position = $1"
_BEGIN_AGAIN = "UPDATE ledger_progress SET position = $1, begun_at = now()"
# A look for each row (OFFSET 0): else the planner may read a table whole, of which it has no statistics yet.
_TAKE = """
WITH bite AS MATERIALIZED (
  SELECT id FROM ledger_entries WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3
), taken AS (
  DELETE FROM ledger_entries AS e
  WHERE e.id = ANY (ARRAY(SELECT id FROM bite)) AND e.kind IN ('charge', 'refund') AND e.entry_count IS NULL
    AND date_trunc('month', e.created_at AT TIME ZONE 'UTC') = date_trunc('month', $4::timestamptz AT TIME ZONE 'UTC')
    AND CASE WHEN e.project_id IS NULL THEN NOT EXISTS (SELECT FROM messages AS m WHERE m.id = e.reference OFFSET 0)
      ELSE NOT EXISTS (
        SELECT FROM sending_projects AS p WHERE p.id = e.project_id AND p.messages_deleted_at IS NULL OFFSET 0
      ) AND NOT EXISTS (SELECT FROM message_records AS r WHERE r.project_id = e.project_id OFFSET 0) END
  RETURNING e.account_id, e.kind, e.project_id, e.amount
), sums AS (
  SELECT account_id, kind, project_id, sum(amount) AS amount, count(*)::int4 AS entries FROM taken
  GROUP BY account_id, kind, project_id
)
SELECT ended.id AS last, sums.* FROM (SELECT id FROM bite ORDER BY id DESC LIMIT 1) AS ended LEFT JOIN sums ON true
"""
_ADD = """
INSERT INTO ledger_entries AS e (id, created_at, account_id, kind, amount, reference, project_id, entry_count)
SELECT d.id, $7, d.account_id, d.kind, d.amount, d.id, d.project_id, d.entries
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::numeric[], $5::uuid[], $6::int[])
  AS d (id, account_id, kind, amount, project_id, entries)
ON CONFLICT (kind, reference, attempt) DO UPDATE SET amount = e.amount + EXCLUDED.amount,
  entry_count = e.entry_count + EXCLUDED.entry_count
"""


class _Sum(NamedTuple):
    """A row of `_ADD`."""

    id: UUID
    account_id: UUID
    kind: str
    amount: Decimal
    project_id: UUID | None
    entries: int


@every(_SECONDS)
async def add_up(services: Services) -> None:
    """Adds up the entries of all whole days that are older than the retention."""
    if (keep := _keep(services.settings)) is None:
        return
    await add_up_before(services, _begin_of_day(services.db.now() - keep))


async def add_up_before(services: Services, moment: datetime) -> None:
    """Adds up the entries of each day, as far as they were made before this moment."""
    while not services.stopping.is_set() and await _add_up_bite(services.db, moment):
        pass


def _keep(settings: Settings) -> timedelta | None:
    """Returns how long entries stay single; None if they always do.

    A day more than messages are kept: a round would only pass entries whose messages are deleted a moment later.
    """
    if (days := settings.ledger_retention_days) is None:
        return None
    return timedelta(days=1 + max(days, settings.retention_days or 0, settings.record_retention_days or 0))


async def _add_up_bite(db: Database, before: datetime) -> bool:
    """Adds up a bite of the entries of one day. Returns whether there is more to do."""
    async with db.transaction() as connection:
        progress = await connection.fetchrow(_PROGRESS, _AGAIN)
        if progress is None:
            return False
        first: UUID | None = await connection.fetchval(_NEXT, progress["position"], least_uuid7(before))
        if first is None:
            if progress["again"]:
                await connection.execute(_BEGIN_AGAIN, _FIRST)
            return bool(progress["again"])
        day = _begin_of_day(time_of(first))
        rows = await connection.fetch(_TAKE, first, least_uuid7(min(before, day + _DAY)), BITE, day)
        sums = [_sum(day, row) for row in rows if row["entries"]]
        if sums:
            await connection.execute(_ADD, *map(list, zip(*sums, strict=True)), day)
        await connection.execute(_GO_ON, rows[0]["last"])
    return True


def _sum(day: datetime, row: Any) -> _Sum:
    """Returns the entry of a day. The same account, kind and project have the same id, so later bites add to it."""
    account, kind, project = row["account_id"], row["kind"], row["project_id"]
    key = uuid5(NAMESPACE_OID, f"{account} {kind} {project}").int
    time = least_uuid7(day).int >> 80
    id = UUID(int=time << 80 | 7 << 76 | (key >> 64 & 0xFFF) << 64 | 2 << 62 | key & (1 << 62) - 1)
    return _Sum(id, account, kind, row["amount"], project, row["entries"])


def _begin_of_day(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)
