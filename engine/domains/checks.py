"""Asks the DNS for the records of a domain, and stores the result: when the owner wants it, and every week."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog

from core.dns_lookup import DnsFailed, DnsLookup
from engine.domains import clock, dkim_keys, records
from engine.domains.clock import lookup_of
from engine.jobs import every
from runtime.services import Services
from shapes.domains import GRACE_DAYS, DkimState, DomainStatus

log = structlog.get_logger("postern.engine")

_SQL: Final = clock.Statements.of("domains")
_DOMAIN = "SELECT id, owner_id, name, token FROM domains WHERE id = $1"
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
    await clock.check_all_due(services, _SQL, check)


async def check(services: Services, id: UUID) -> None:
    """Asks the DNS about a domain and stores the answer. A domain that was deleted meanwhile is left alone."""
    domain: Any = await services.db.fetchrow(_DOMAIN, id)
    if domain is None:
        return
    keys = await dkim_keys.of_owner(services.db, domain["owner_id"], domain["name"])
    pending = [key for key in keys if key["state"] == DkimState.pending]
    seen = await _ask(lookup_of(services), domain, pending)
    async with services.db.transaction() as connection:
        stored = await connection.fetchrow(_SQL.store, id, seen.verified, seen.problem)
        if stored is None:
            return
        for key in seen.keys:
            await dkim_keys.activate(connection, key)
        await connection.execute(_PURGE, domain["owner_id"], domain["name"])
        await records.write(connection, id)
        waits_for_keys = len(pending) > len(seen.keys)
        wait = clock.until_next(stored, seen.verified, steady=clock.WEEK, waits_for_keys=waits_for_keys)
        await connection.execute(_SQL.next, id, wait)
    if stored["status"] in (DomainStatus.lost, DomainStatus.expired):
        log.warning("the record of a domain is missing", domain=domain["name"], status=stored["status"])


async def _ask(dns: DnsLookup, domain: Any, pending: Sequence[Any]) -> Seen:
    record = clock.verification(domain["name"], domain["token"])
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
        return Seen(None, seen_keys, clock.silent(own))
    if clock.has(record, own):
        return Seen(True, seen_keys, None)
    return Seen(False, seen_keys, clock.missing(record, own))
