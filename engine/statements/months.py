"""Months of UTC, and the round that asks for the statements of a month on the 3rd of the next one."""

from datetime import UTC, date, datetime, timedelta
from typing import Final

from engine.exports.port import after, before
from engine.faultpoints import fault_point
from engine.jobs import every
from runtime.services import Services

FINAL_AFTER: Final = timedelta(days=2)
"""The time between the end of a month and its statements: they are made on the 3rd."""

_SECONDS: Final = 60.0
_NEWEST: Final = f"date_trunc('month', now() AT TIME ZONE 'UTC' - interval '{FINAL_AFTER.days} days')"
_DUE: Final = f"""
NOT EXISTS (SELECT FROM statement_months WHERE month >= ({_NEWEST} - interval '1 month')::date)
AND EXISTS (SELECT FROM accounts)
"""  # noqa: S608  our own words
_LONG: Final = "SET LOCAL statement_timeout = '10min'"
# Only one worker asks for a month; another one finds its row afterwards.
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('statement_months', 0))"
_LAST: Final = "SELECT max(month) FROM statement_months"
_ADD: Final = "INSERT INTO statement_months (month) VALUES ($1)"
# A deleted user has statements only of months in which something moved.
_WAIT: Final = """
INSERT INTO statements (id, account_id, month)
SELECT postern_uuid7(), a.id, $1 FROM accounts AS a JOIN users AS u ON u.id = a.owner_id
WHERE a.created_at < $2 AND (u.status <> 'deleted' OR EXISTS (
  SELECT FROM ledger_entries AS e WHERE e.account_id = a.id AND e.id > $3 AND e.id < $4
))
ON CONFLICT (account_id, month) DO NOTHING
"""


def begin_of(month: date) -> datetime:
    """Returns the first moment of a month."""
    return datetime(month.year, month.month, 1, tzinfo=UTC)


def next_month(month: date) -> date:
    """Returns the first day of the month after."""
    return (month.replace(day=1) + timedelta(days=31)).replace(day=1)


def newest_final(now: datetime) -> date:
    """Returns the first day of the newest month whose statements may be made at this time."""
    in_month = (now.astimezone(UTC) - FINAL_AFTER).date().replace(day=1)
    return (in_month - timedelta(days=1)).replace(day=1)


def name_of(month: date) -> str:
    """Returns a month as documents and paths name it, such as 2026-10."""
    return f"{month:%Y-%m}"


def day_of(name: str) -> date:
    """Returns the first day of a month that is written as 2026-10. Raises ValueError."""
    return date.fromisoformat(f"{name}-01")


@every(_SECONDS, due=_DUE)
async def request_statements(services: Services) -> None:
    """Asks for the statements of each month that has become final since the last round: a row for each account. The
    first round of an installation asks for one month.
    """
    newest = newest_final(services.db.now())
    async with services.db.transaction() as db:
        await db.execute(_LONG)
        await db.execute(_LOCK)
        last: date | None = await db.fetchval(_LAST)
        month = newest if last is None else next_month(last)
        while month <= newest:
            begin, end = begin_of(month), begin_of(next_month(month))
            await db.execute(_ADD, month)
            await db.execute(_WAIT, month, end, before(begin), after(end), timeout=600)
            month = next_month(month)
        fault_point("statements.asked")
