"""The hosts of status callbacks: webhooks of which each delivery has a URL of its own, signed with the owner's secret.

A message names the URL (`statusCallback`) and the row of its host. The trigger postern_status_callbacks puts the
changes of its status into the outbox, as long as that row is enabled. Rows are by owner, host and maker, so that an
owner whose URLs differ for each message has few of them; MOST is the bound.
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import asyncpg

from core.errors import BadRequest, Conflict
from core.ids import uuid7
from core.webhook_signatures import new_secret
from engine.credentials import Maker
from engine.webhooks import endpoints
from runtime.services import Services

MOST: Final = 100
"""Hosts of one owner."""
IN_USE: Final = timedelta(days=7)
"""The time after its last message for which a host is in use: the reports of a message come within it."""

_MAKE_SECRET = """
INSERT INTO callback_secrets (id, owner_id, secret_encrypted) VALUES ($1, $2, $3) ON CONFLICT (owner_id) DO NOTHING
"""
_HAS_SECRET = "SELECT EXISTS (SELECT FROM callback_secrets WHERE owner_id = $1)"
_LOCK = "SELECT id FROM callback_secrets WHERE owner_id = $1 FOR UPDATE"
_USE = """
UPDATE webhooks SET used_until = greatest(used_until, now() + $5::interval) WHERE id = (
  SELECT id FROM webhooks WHERE owner_id = $1 AND url = $2 AND is_callback AND enabled
    AND api_token_id IS NOT DISTINCT FROM $3 AND saved_by IS NOT DISTINCT FROM $4 ORDER BY id LIMIT 1
) RETURNING id
"""
_USE_UNTIL = (
    "UPDATE webhooks SET used_until = greatest(used_until, $2::timestamptz + $3::interval) WHERE id = $1"
)
_COUNT = "SELECT count(*) FROM webhooks WHERE owner_id = $1 AND is_callback"
_ADD = """
INSERT INTO webhooks (id, owner_id, url, is_callback, used_until, api_token_id, saved_by, query_scopes)
VALUES ($1, $2, $3, true, now() + $4::interval, $5, $6, $7)
"""
_ROTATE = """
UPDATE callback_secrets SET old_secret_encrypted = secret_encrypted, old_secret_until = now() + $3::interval,
  secret_encrypted = $2, updated_at = now() WHERE id = $1
"""
_READ_AGAIN = "UPDATE webhooks SET version = version + 1 WHERE owner_id = $1 AND is_callback"


def keys_of(services: Services, secret_id: UUID | None, *secrets: bytes | None) -> list[bytes]:
    """Returns the keys of an owner's encrypted secrets; those that can't be read are left out."""
    return [] if secret_id is None else endpoints.keys_in(services, _context(secret_id), *secrets)


def host_of(services: Services, url: str) -> str:
    """Returns the host of a callback's URL, as https://host:port. Raises BadRequest `webhook_url_refused`."""
    endpoints.check(services, url)
    parsed = services.guard.check(url)
    if parsed.scheme != "https":
        raise BadRequest(
            "A statusCallback must begin with https://.",
            code="webhook_url_refused",
            details={"reason": "url_scheme"},
        )
    return str(parsed.origin())


async def use_until(db: asyncpg.Connection, id: UUID, send_at: datetime) -> None:
    """Leaves a host in use for a message that is sent at this time."""
    await db.execute(_USE_UNTIL, id, send_at, IN_USE)


async def use(
    db: asyncpg.Connection,
    services: Services,
    owner_id: UUID,
    host: str,
    maker: Maker,
    in_use: timedelta = IN_USE,
) -> UUID:
    """Returns the id of the host's row, which is made if there is none. It is in use for so long.

    Raises Conflict `too_many_webhooks`.
    """
    mine = (owner_id, host, maker.token_id, maker.member_id, in_use)
    used: UUID | None = await db.fetchval(_USE, *mine)
    if used is None:
        await _secret(db, services, owner_id)  # its lock: two requests can't both add the last allowed one
        used = await db.fetchval(_USE, *mine)
    if used is not None:
        return used
    if await db.fetchval(_COUNT, owner_id) >= MOST:
        raise Conflict(
            f"Your messages of the last {IN_USE.days} days have status callbacks to {MOST} hosts, the most that there"
            " may be. Use one of these hosts, or delete one (GET /status-callbacks/hosts lists them).",
            code="too_many_webhooks",
        )
    id = uuid7()
    await db.execute(_ADD, id, owner_id, host, in_use, *maker.columns.values())
    return id


async def rotate(
    db: asyncpg.Connection, services: Services, owner_id: UUID, secret: str | None
) -> str | None:
    """Replaces the owner's secret. Returns the new one if it was generated. Raises BadRequest `invalid_secret`."""
    endpoints.check_secret(secret)
    made = secret or new_secret()
    id = await _secret(db, services, owner_id)
    await db.execute(_ROTATE, id, services.vault.seal(made, _context(id)), endpoints.OVERLAP)
    await db.execute(_READ_AGAIN, owner_id)
    return None if secret else made


async def _secret(db: asyncpg.Connection, services: Services, owner_id: UUID) -> UUID:
    """Locks the row of the owner's secret, which is made if there is none. Returns its id."""
    if not await db.fetchval(_HAS_SECRET, owner_id):
        id = uuid7()
        await db.execute(_MAKE_SECRET, id, owner_id, services.vault.seal(new_secret(), _context(id)))
    locked: UUID = await db.fetchval(_LOCK, owner_id)
    return locked


def _context(id: UUID) -> str:
    return f"callback_secrets.secret:{id}"
