"""Says when a domain is checked, and stores what a check makes of it: of emails, and of links and pages.

Both tables have the columns `status`, `verified_at`, `checked_at`, `lost_at`, `check_at` and `problem`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Self
from uuid import UUID

from core.dns_lookup import DnsLookup
from engine.domains.dkim_keys import TxtRecord
from runtime.services import Services
from shapes.domains import GRACE_DAYS, DomainStatus

DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(days=7)
_SOON: Final = timedelta(minutes=15)  # while the owner sets records
_AGAIN: Final = timedelta(hours=1)  # after the DNS gave no answer
_LOST: Final = timedelta(hours=6)
_SETTING_UP: Final = timedelta(days=3)  # for so long a new domain is checked often
_AT_ONCE: Final = 10
_MOST: Final = 100  # domains of a round

# A worker that dies leaves them to the next round.
_TAKE: Final = """
UPDATE {table} SET check_at = now() + interval '10 minutes' WHERE id IN (
  SELECT id FROM {table} WHERE check_at <= now() ORDER BY check_at LIMIT $1 FOR UPDATE SKIP LOCKED
) RETURNING id
"""
_STORE: Final = """
UPDATE {table} SET problem = $3::text, updated_at = now(),
  checked_at = CASE WHEN $2::bool IS NULL THEN checked_at ELSE now() END,
  status = CASE WHEN $2::bool THEN 'verified' WHEN status = 'verified' AND NOT $2::bool THEN 'lost'
    WHEN status = 'lost' AND lost_at <= now() - interval '{days} days' THEN 'expired' ELSE status END,
  verified_at = CASE WHEN $2::bool AND status IN ('pending', 'expired') THEN now() ELSE verified_at END,
  lost_at = CASE WHEN $2::bool THEN NULL WHEN status = 'verified' AND NOT $2::bool THEN now() ELSE lost_at END
WHERE id = $1 RETURNING status, created_at, now() AS now
"""
_NEXT: Final = "UPDATE {table} SET check_at = now() + $2 WHERE id = $1"


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of a table of domains."""

    take: str  # $1: how many
    store: str  # $1: id, $2: whether the record was seen, NULL if the DNS gave no answer, $3: the problem
    next: str  # $1: id, $2: the time until then

    @classmethod
    def of(cls, table: str) -> Self:
        """Returns the statements of one of our tables."""
        return cls(*(text.format(table=table, days=GRACE_DAYS) for text in (_TAKE, _STORE, _NEXT)))


async def check_all_due(
    services: Services, statements: Statements, check: Callable[[Services, UUID], Awaitable[None]]
) -> None:
    """Checks the domains whose time has come."""
    rows = await services.db.fetch(statements.take, _MOST)
    slots = asyncio.Semaphore(_AT_ONCE)

    async def checked(id: UUID) -> None:
        async with slots:
            await check(services, id)

    await asyncio.gather(*(checked(row["id"]) for row in rows))


def until_next(
    stored: Any, verified: bool | None, *, steady: timedelta, waits_for_keys: bool = False
) -> timedelta:
    """Returns the time until the next check of a domain. `steady`: of one that is verified."""
    age: timedelta = stored["now"] - stored["created_at"]
    match DomainStatus(stored["status"]):
        case _ if verified is None:
            return _AGAIN
        case DomainStatus.verified:
            return (_SOON if age < _SETTING_UP else DAY) if waits_for_keys else steady
        case DomainStatus.lost:
            return _LOST
        case DomainStatus.pending:
            return _SOON if age < _SETTING_UP else DAY if age < 4 * WEEK else WEEK
        case DomainStatus.expired:
            return WEEK
    raise ValueError(stored["status"])


def verification(name: str, token: str) -> TxtRecord:
    """Returns the record that proves that a domain is its owner's."""
    return TxtRecord(f"_postern.{name}", f"postern-verification={token}")


def has(record: TxtRecord, texts: Sequence[str]) -> bool:
    """Returns whether the answer of the DNS has a record."""
    return record.value in (text.strip() for text in texts)


def missing(record: TxtRecord, texts: Sequence[str]) -> str:
    """Returns what is wrong if it has not."""
    other = "has other TXT records, but not the one of this domain" if texts else "has no TXT record"
    return f"{record.name} {other}. Set it; DNS servers may need an hour to show it."


def silent(error: BaseException) -> str:
    """Returns what is wrong if the DNS gave no answer."""
    return f"The DNS could not be asked: {error}. It is asked again within the hour."


def lookup_of(services: Services) -> DnsLookup:
    """Returns this process's way to the DNS."""
    return services.single(DnsLookup, lambda: DnsLookup(services.settings.dns_servers))
