"""Asks the DNS for the records of a domain, and stores the result: when the owner wants it, and every week."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog

from core.dns_lookup import DnsFailed, DnsLookup
from engine.domains import dkim_keys, records
from engine.jobs import every
from runtime.services import Services
from shapes.domains import GRACE_DAYS, DkimState, DomainStatus

log = structlog.get_logger("postern.engine")

_SOON: Final = timedelta(minutes=15)  # while the owner sets records
_AGAIN: Final = timedelta(hours=1)  # after the DNS gave no answer
_LOST: Final = timedelta(hours=6)
_DAY: Final = timedelta(days=1)
_WEEK: Final = timedelta(days=7)
_SETTING_UP: Final = timedelta(days=3)  # for so long a new domain is checked often
_AT_ONCE: Final = 10
_MOST: Final = 100  # domains of a round

# A worker that dies leaves them to the next round.
_TAKE = """
UPDATE domains SET check_at = now() + interval '10 minutes' WHERE id IN (
  SELECT id FROM domains WHERE check_at <= now() ORDER BY check_at LIMIT $1 FOR UPDATE SKIP LOCKED
) RETURNING id
"""
_DOMAIN = "SELECT id, owner_id, name, token FROM domains WHERE id = $1"
_STORE = f"""
UPDATE domains SET problem = $3::text, updated_at = now(),
  checked_at = CASE WHEN $2::bool IS NULL THEN checked_at ELSE now() END,
  status = CASE WHEN $2::bool THEN 'verified' WHEN status = 'verified' AND NOT $2::bool THEN 'lost'
    WHEN status = 'lost' AND lost_at <= now() - interval '{GRACE_DAYS} days' THEN 'expired' ELSE status END,
  verified_at = CASE WHEN $2::bool AND status IN ('pending', 'expired') THEN now() ELSE verified_at END,
  lost_at = CASE WHEN $2::bool THEN NULL WHEN status = 'verified' AND NOT $2::bool THEN now() ELSE lost_at END
WHERE id = $1 RETURNING status, created_at, now() AS now
"""  # noqa: S608  our own number
_NEXT = "UPDATE domains SET check_at = now() + $2 WHERE id = $1"
_PURGE = f"""
DELETE FROM dkim_keys WHERE owner_id = $1 AND domain = $2 AND state = 'retired'
  AND state_at <= now() - interval '{GRACE_DAYS} days'
"""  # noqa: S608  our own number


class Seen(NamedTuple):
    """The answers of the DNS about a domain."""

    verified: bool | None  # None: it gave no answer
    keys: Sequence[UUID]  # keys whose records were seen for the first time
    problem: str | None


@every(60.0, due="EXISTS (SELECT FROM domains WHERE check_at <= now())")
async def check_due(services: Services) -> None:
    """Checks the domains whose time has come."""
    rows = await services.db.fetch(_TAKE, _MOST)
    slots = asyncio.Semaphore(_AT_ONCE)

    async def checked(id: UUID) -> None:
        async with slots:
            await check(services, id)

    await asyncio.gather(*(checked(row["id"]) for row in rows))


async def check(services: Services, id: UUID) -> None:
    """Asks the DNS about a domain and stores the answer. A domain that was deleted meanwhile is left alone."""
    domain: Any = await services.db.fetchrow(_DOMAIN, id)
    if domain is None:
        return
    keys = await dkim_keys.of_owner(services.db, domain["owner_id"], domain["name"])
    pending = [key for key in keys if key["state"] == DkimState.pending]
    seen = await _ask(lookup_of(services), domain, pending)
    async with services.db.transaction() as connection:
        stored = await connection.fetchrow(_STORE, id, seen.verified, seen.problem)
        if stored is None:
            return
        for key in seen.keys:
            await dkim_keys.activate(connection, key)
        await connection.execute(_PURGE, domain["owner_id"], domain["name"])
        await records.write(connection, id)
        await connection.execute(_NEXT, id, _wait(stored, seen, len(pending) > len(seen.keys)))
    if stored["status"] in (DomainStatus.lost, DomainStatus.expired):
        log.warning("the record of a domain is missing", domain=domain["name"], status=stored["status"])


async def _ask(dns: DnsLookup, domain: Any, pending: Sequence[Any]) -> Seen:
    record = records.verification(domain["name"], domain["token"])
    answers = await asyncio.gather(
        dns.txt(record.name),
        *(dns.txt(f"{key['selector']}._domainkey.{key['domain']}") for key in pending),
        return_exceptions=True,
    )
    for answer in answers:
        if isinstance(answer, BaseException) and not isinstance(answer, DnsFailed):
            raise answer
    own, of_keys = answers[0], answers[1:]
    seen_keys = [
        key["id"]
        for key, texts in zip(pending, of_keys, strict=True)
        if not isinstance(texts, BaseException) and records.publishes(texts, key["public_key"])
    ]
    if isinstance(own, BaseException):
        return Seen(None, seen_keys, f"The DNS could not be asked: {own}. It is asked again within the hour.")
    if record.value in (text.strip() for text in own):
        return Seen(True, seen_keys, None)
    has = "has other TXT records, but not the one of this domain" if own else "has no TXT record"
    return Seen(False, seen_keys, f"{record.name} {has}. Set it; DNS servers may need an hour to show it.")


def _wait(stored: Any, seen: Seen, waits_for_keys: bool) -> timedelta:
    """Returns the time until the next check by a worker."""
    age: timedelta = stored["now"] - stored["created_at"]
    match DomainStatus(stored["status"]):
        case _ if seen.verified is None:
            return _AGAIN
        case DomainStatus.verified:
            return (_SOON if age < _SETTING_UP else _DAY) if waits_for_keys else _WEEK
        case DomainStatus.lost:
            return _LOST
        case DomainStatus.pending:
            return _SOON if age < _SETTING_UP else _DAY if age < 4 * _WEEK else _WEEK
        case DomainStatus.expired:
            return _WEEK
    raise ValueError(stored["status"])


def lookup_of(services: Services) -> DnsLookup:
    """Returns this process's way to the DNS."""
    return services.single(DnsLookup, lambda: DnsLookup(services.settings.dns_servers))
