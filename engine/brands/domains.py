"""Domains of owners for links and pages: asks the DNS whether they are theirs, when the owner wants it and every day.

Who adds a domain proves it by a TXT record with a value of one's own. A CNAME to this service proves nothing: a domain
that an owner gives up and a stranger registers may still have one.
"""

from typing import Any, Final
from uuid import UUID

import structlog

from core.dns_lookup import DnsFailed
from engine.domains import clock
from engine.domains.dkim_keys import TxtRecord
from engine.jobs import every
from runtime import link_domains
from runtime.services import Services
from shapes.brand_domains import BrandDomainStatus

log = structlog.get_logger("postern.engine")

_SQL: Final = clock.Statements.of("brand_domains")
_DOMAIN: Final = (
    "SELECT id, owner_id, name, record_name, record_value, status FROM brand_domains WHERE id = $1"
)
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('brand domain:' || $1::text, 0))"
_HOLDER: Final = """
SELECT id, owner_id, record_name, record_value FROM brand_domains
WHERE name = $1 AND id <> $2 AND status IN ('verified', 'lost') FOR UPDATE
"""
_HANDED_OVER: Final = """
UPDATE brand_domains SET status = 'expired', lost_at = COALESCE(lost_at, now()), updated_at = now(), checked_at = now(),
  problem = $2 WHERE id = $1
"""
_TAKEN: Final = (
    "Another user of this service has this domain, and its record is in the DNS, too. Remove the record that is not"
    " yours, and verify the domain again."
)


@every(60.0, due="EXISTS (SELECT FROM brand_domains WHERE check_at <= now())")
async def check_due(services: Services) -> None:
    """Checks the domains whose time has come."""
    await clock.check_all_due(services, _SQL, check)


async def check(services: Services, id: UUID) -> None:
    """Asks the DNS about a domain and stores the answer. A domain that was deleted meanwhile is left alone.

    A domain is verified for one owner. It goes to another one when the record of that owner is there, and that of the
    owner before is gone.
    """
    domain: Any = await services.db.fetchrow(_DOMAIN, id)
    if domain is None:
        return
    record = _record(domain)
    verified: bool | None = None
    texts: list[str] = []
    problem: str | None = None
    try:
        texts = await clock.lookup_of(services).txt(record.name)
    except DnsFailed as error:
        problem = clock.silent(error)
    else:
        verified = clock.has(record, texts)
        problem = None if verified else clock.missing(record, texts)
    changed = [domain["owner_id"]]
    async with services.db.transaction() as connection:
        await connection.execute(_LOCK, domain["name"])
        holder = await connection.fetchrow(_HOLDER, domain["name"], id) if verified else None
        if holder is not None and clock.has(_record(holder), texts):
            verified, problem = False, _TAKEN
        elif holder is not None:
            await connection.execute(_HANDED_OVER, holder["id"], clock.missing(_record(holder), texts))
            changed.append(holder["owner_id"])
        stored = await connection.fetchrow(_SQL.store, id, verified, problem)
        if stored is None:
            return
        await connection.execute(_SQL.next, id, clock.until_next(stored, verified, steady=clock.DAY))
    if stored["status"] != domain["status"]:
        await link_domains.changed(services, changed, domain["name"])
    if stored["status"] in (BrandDomainStatus.lost, BrandDomainStatus.expired):
        log.warning("the record of a domain is missing", domain=domain["name"], status=stored["status"])


def _record(domain: Any) -> TxtRecord:
    return TxtRecord(domain["record_name"], domain["record_value"])
