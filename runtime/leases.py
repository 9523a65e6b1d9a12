"""Leases for work that only one process may do: a name with a holder and an expiry, in the database.

The holder's id is the fencing token: a write that needs the lease checks it, `EXISTS (SELECT FROM leases WHERE name = …
AND holder = … AND expires_at > now())`.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

import structlog

from core.ids import uuid7
from core.tasks import end
from db.session import Database

log = structlog.get_logger("postern.leases")

_TAKE = """
INSERT INTO leases AS l (name, holder, expires_at) VALUES ($1, $2, now() + $3)
ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, expires_at = EXCLUDED.expires_at
WHERE l.expires_at < now() RETURNING holder
"""
_RENEW = "UPDATE leases SET expires_at = now() + $3 WHERE name = $1 AND holder = $2 AND expires_at > now() RETURNING holder"
_FREE = "DELETE FROM leases WHERE name = $1 AND holder = $2"


@dataclass(slots=True)
class Lease:
    """A lease that this process holds; `lost` is set when it lost it."""

    name: str
    holder: UUID
    lost: asyncio.Event = field(default_factory=asyncio.Event)


@asynccontextmanager
async def leased(db: Database, name: str, seconds: float) -> AsyncIterator[Lease | None]:
    """Takes the lease and renews it until the end of the block; yields None if another process has it."""
    holder, span = uuid7(), timedelta(seconds=seconds)
    if await db.fetchval(_TAKE, name, holder, span) != holder:
        yield None
        return
    lease = Lease(name, holder)
    renewing = asyncio.create_task(_renew(db, lease, span))
    try:
        yield lease
    finally:
        await end((renewing,))
        try:
            await db.fetchval(_FREE, name, holder)
        except Exception as error:  # the lease expires by itself
            log.info("a lease could not be given back", name=name, error=str(error)[:200])


async def _renew(db: Database, lease: Lease, span: timedelta) -> None:
    while not lease.lost.is_set():
        await asyncio.sleep(span.total_seconds() / 3)
        try:
            if await db.fetchval(_RENEW, lease.name, lease.holder, span) is None:
                log.warning("lost a lease", name=lease.name)
                lease.lost.set()
        except (
            Exception
        ) as error:  # the database is away: the lease is lost when it expires, and the writes are fenced
            log.info("a lease could not be renewed", name=lease.name, error=str(error)[:200])
