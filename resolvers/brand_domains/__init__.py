"""Domains of owners for links and pages. Each user has a list of them, which administrators see, too."""

import secrets
from uuid import UUID

from core.errors import BadRequest, Conflict, NotFound
from core.ids import uuid7
from core.rate_limits import Limit
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p, returning
from engine.brands import domains
from engine.domains.clock import verification
from runtime import link_domains
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.brand_domains import MOST_BRAND_DOMAINS, NewBrandDomain

_DOMAIN = models.BrandDomain
_LISTS = Listing(
    _DOMAIN,
    filters={("name", "contains"): _DOMAIN.name.ilike(p("name_contains_"), escape="\\")},
)
_MINE = _DOMAIN.owner_id == p("owner_id")
_CHECKS = Limit("brand-domains", 30, 60.0)

# A proxy asks for all of its clients from one address.
_ASKED = Limit("tls-ask", 6_000, 60.0)

_LOCK_OWNER = "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE"
_COUNT = "SELECT count(*) FROM brand_domains WHERE owner_id = $1"
_ADD = f"""
INSERT INTO brand_domains (id, owner_id, name, record_name, record_value, check_at)
VALUES ($1, $2, $3, $4, $5, now() + interval '1 minute')
ON CONFLICT (owner_id, name) DO NOTHING RETURNING {returning(_DOMAIN, "brand_domains")}
"""  # noqa: S608  our own column names
_DELETE = "DELETE FROM brand_domains WHERE id = $1 AND ($2 OR owner_id = $3) RETURNING owner_id, name"


@operation(Permission.settings_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.BrandDomain]:
    """Lists your domains for links and pages, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.settings_read, "read")
async def get(op: Op, id: UUID) -> models.BrandDomain:
    """Returns one domain for links and pages, with its record. Raises NotFound."""
    return await _visible(op, id)


@operation(Permission.settings_write, "sql", idempotent=stored_model(models.BrandDomain))
async def create(op: Op, input: NewBrandDomain) -> models.BrandDomain:
    """Adds a domain for links and pages. Set its TXT record in the DNS, and verify it. You may have five. Raises
    BadRequest (`bad_domain`), Conflict (`domain_exists`, `too_many_domains`).
    """
    db = op.connection
    if input.name in link_domains.own_hosts(op.services):
        raise BadRequest(
            f"{input.name} is the address of this service. Add a domain of your own.", code="bad_domain"
        )
    await db.execute(_LOCK_OWNER, op.viewer.id)
    if await db.fetchval(_COUNT, op.viewer.id) >= MOST_BRAND_DOMAINS:
        raise Conflict(
            f"You may have at most {MOST_BRAND_DOMAINS} domains for links and pages. Delete one.",
            code="too_many_domains",
        )
    record = verification(input.name, secrets.token_hex(16))
    row: models.BrandDomain | None = await db.fetchrow(
        _ADD, uuid7(), op.viewer.id, input.name, record.name, record.value
    )
    if row is None:
        raise Conflict("You have this domain already. Look at its record.", code="domain_exists")
    return row


@operation(Permission.settings_write, "outside")
async def verify(op: Op, id: UUID) -> models.BrandDomain:
    """Asks the DNS for the record now. A worker asks again every day, and more often until it is there.

    A domain is verified for one user. Raises NotFound, RateLimited.
    """
    await _visible(op, id)
    await op.services.limiter.enforce(_CHECKS, str(op.viewer.id), "checks of domains")
    await domains.check(op.services, id)
    return await _visible(op, id)


@operation(Permission.settings_write, "outside")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a domain for links and pages. Links with it stop working; those at the address of this service go on.
    Raises NotFound.
    """
    async with op.db.transaction() as connection:
        deleted = await connection.fetchrow(_DELETE, id, op.viewer.admin, op.viewer.id)
    if deleted is None:
        raise _unknown()
    await link_domains.changed(op.services, [deleted["owner_id"]], deleted["name"])


@operation(Permission.public, "read")
async def ask(op: Op, domain: str) -> None:
    """Answers a proxy that asks whether it may get a certificate for a domain: 200 for one that is verified, and for no
    other. It asks no DNS. Raises NotFound, RateLimited.
    """
    await op.services.limiter.enforce(_ASKED, op.ctx.client_address, "questions about domains")
    site = await link_domains.site_of(op.services, domain)
    if site is None or site.owner_id is None:
        raise _unknown()


async def _visible(op: Op, id: UUID) -> models.BrandDomain:
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise _unknown()
    return row


def _unknown() -> NotFound:
    return NotFound("There is no domain with this id among yours. Check the id.", code="domain_not_found")
