"""Domains of emails. Each user has a list of them, which administrators see, too."""

import secrets
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from core.errors import Conflict, NotFound
from core.ids import uuid7
from core.rate_limits import Limit
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p, returning
from engine.domains import checks, clock, dkim_keys, records
from engine.domains.dkim_keys import NewKey
from engine.domains.examination import Relay, examine
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.domains import MOST_DOMAINS, MOST_KEYS, DkimAlgorithm, DkimState, DomainFinding, NewDomain

_DOMAIN = models.Domain
_LISTS = Listing(
    _DOMAIN,
    filters={("name", "contains"): _DOMAIN.name.ilike(p("name_contains_"), escape="\\")},
)
_MINE = _DOMAIN.owner_id == p("owner_id")
_LIMIT = Limit("domains", 30, 60.0)

_LOCK_OWNER = "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE"
_COUNT = "SELECT count(*) FROM domains WHERE owner_id = $1"
_ADD = """
INSERT INTO domains (id, owner_id, name, token, check_at) VALUES ($1, $2, $3, $4, now() + interval '1 minute')
ON CONFLICT (owner_id, name) DO NOTHING RETURNING id
"""
_ROW = f"SELECT {returning(_DOMAIN, 'domains')} FROM domains WHERE id = $1"  # noqa: S608  our own column names
_LOCKED = f"{_ROW} AND ($2 OR owner_id = $3) FOR UPDATE"
_SOON = "UPDATE domains SET updated_at = now(), check_at = now() + interval '1 minute' WHERE id = $1"
_DELETE = "DELETE FROM domains WHERE id = $1"
_DELETE_KEYS = "DELETE FROM dkim_keys WHERE owner_id = $1 AND domain = $2"


@operation(Permission.senders_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Domain]:
    """Lists your domains, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.senders_read, "read")
async def get(op: Op, id: UUID) -> models.Domain:
    """Returns one domain with its records. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise _unknown()
    return row


@operation(Permission.senders_read, "outside")
async def findings(op: Op, id: UUID) -> Sequence[DomainFinding]:
    """Returns what the DNS says about one domain now: DKIM, DMARC, and the SPF, MX and names of the mail server. Raises
    NotFound, RateLimited.
    """
    domain = await _visible(op, id)
    await _within_limit(op)
    keys = await dkim_keys.of_owner(op.db, domain.owner_id, domain.name)
    return await _findings(op, domain.name, [key for key in keys if key["state"] != DkimState.retired])


@operation(Permission.system_read, "outside")
async def check(op: Op, domain: str, selector: str | None = None) -> Sequence[DomainFinding]:
    """Returns what the DNS says about any domain now, with the installation's keys for it. Administrators only. Raises
    RateLimited.
    """
    await _within_limit(op)
    keys = await dkim_keys.of_owner(op.db, None, domain)
    chosen = [key for key in keys if key["selector"] == selector or selector is None]
    return await _findings(op, domain, [key for key in chosen if key["state"] != DkimState.retired])


async def _findings(op: Op, domain: str, keys: Sequence[Any]) -> Sequence[DomainFinding]:
    relays = (getattr(channel, "relay", None) for channel in op.services.routes.of("email"))
    relay = next((Relay(*relay) for relay in relays if relay is not None), None)
    return await examine(clock.lookup_of(op.services), domain, keys, relay)


async def _new_key(op: Op, input: NewDomain) -> NewKey:
    """Makes the first key of a domain, before the transaction. Raises RateLimited."""
    await _within_limit(op)
    now = op.services.db.now()
    return await dkim_keys.new_key(op.services.vault, op.viewer.id, input.name, DkimAlgorithm.rsa, now)


@operation(Permission.senders_write, "sql", before=_new_key, idempotent=stored_model(models.Domain))
async def create(op: Op, input: NewDomain) -> models.Domain:
    """Adds a domain with a key for its emails. Set the returned `records` in the DNS, and verify it. Raises Conflict,
    RateLimited.
    """
    db, id = op.connection, uuid7()
    await db.execute(_LOCK_OWNER, op.viewer.id)
    if await db.fetchval(_COUNT, op.viewer.id) >= MOST_DOMAINS:
        raise Conflict(
            f"You may have at most {MOST_DOMAINS} domains. Delete one that is not used.",
            code="too_many_domains",
        )
    if await db.fetchval(_ADD, id, op.viewer.id, input.name, secrets.token_hex(16)) is None:
        raise Conflict("You have this domain already. Look at its records.", code="domain_exists")
    await dkim_keys.insert(db, op.prepared)
    await records.write(db, id)
    row: models.Domain = await db.fetchrow(_ROW, id)
    return row


@operation(Permission.senders_write, "outside")
async def verify(op: Op, id: UUID) -> models.Domain:
    """Asks the DNS for the records now. A worker asks again each week, and more often until they are there. Raises
    NotFound, RateLimited.
    """
    await _visible(op, id)
    await _within_limit(op)
    await checks.check(op.services, id)
    return await _visible(op, id)


async def _next_key(op: Op, id: UUID) -> NewKey:
    """Makes the next key of a domain, before the transaction. Raises NotFound, RateLimited."""
    domain = await _visible(op, id)
    await _within_limit(op)
    now = op.services.db.now()
    return await dkim_keys.new_key(op.services.vault, domain.owner_id, domain.name, DkimAlgorithm.rsa, now)


@operation(Permission.senders_write, "sql", before=_next_key, idempotent=stored_model(models.Domain))
async def rotate(op: Op, id: UUID) -> models.Domain:
    """Adds the next key of a domain. It signs when its record is seen, and the key before it signs until then. Raises
    NotFound, RateLimited, Conflict (another one waits for its record).
    """
    db = op.connection
    domain = await _locked(op, id)
    keys = await dkim_keys.of_owner(db, domain.owner_id, domain.name)
    if any(key["state"] == DkimState.pending for key in keys):
        raise Conflict(
            "A key of this domain waits for its record already. Set that record, then verify the domain.",
            code="key_pending",
        )
    if len(keys) >= MOST_KEYS:
        raise Conflict(
            f"This domain has {MOST_KEYS} keys. An old one is deleted a week after its end; try again then.",
            code="too_many_keys",
        )
    await dkim_keys.insert(db, op.prepared)
    await db.execute(_SOON, id)
    await records.write(db, id)
    row: models.Domain = await db.fetchrow(_ROW, id)
    return row


@operation(Permission.senders_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a domain and its keys. Emails from it that still wait will fail. Raises NotFound."""
    domain = await _locked(op, id)
    await op.connection.execute(_DELETE_KEYS, domain.owner_id, domain.name)
    await op.connection.execute(_DELETE, id)


async def _locked(op: Op, id: UUID) -> models.Domain:
    row: models.Domain | None = await op.connection.fetchrow(_LOCKED, id, op.viewer.admin, op.viewer.id)
    if row is None:
        raise _unknown()
    return row


async def _visible(op: Op, id: UUID) -> models.Domain:
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise _unknown()
    return row


async def _within_limit(op: Op) -> None:
    """Counts a request that makes a key or asks the DNS. Raises RateLimited."""
    await op.services.limiter.enforce(_LIMIT, str(op.viewer.id), "checks and keys of domains")


def _unknown() -> NotFound:
    return NotFound("There is no domain with this id among yours. Check the id.", code="domain_not_found")
