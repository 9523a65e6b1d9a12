"""The keys of events that were received: an event that is repeated within 72 hours counts once.

A key belongs to a scope: the user whose hook was called, or the route whose provider reports.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID, uuid5

import asyncpg

_ROUTES: Final = UUID("f0e5ad2c-4c2e-5b1c-9d0f-6f4f1d9d3b11")

# An id that is older than 72 hours but not pruned yet counts as new.
_STORE = """
INSERT INTO hook_events AS h (user_id, event_id)
SELECT $1, e FROM unnest($2::text[]) AS e ORDER BY e
ON CONFLICT (user_id, event_id) DO UPDATE SET received_at = now()
  WHERE h.received_at < now() - interval '72 hours'
RETURNING event_id
"""
_FORGET = "DELETE FROM hook_events WHERE user_id = $1 AND event_id = ANY($2)"


def of_route(label: str, channel: str | None) -> UUID:
    """Returns the scope of a route."""
    return uuid5(_ROUTES, f"{channel}:{label}")


async def store_new(db: asyncpg.Connection, scope: UUID, keys: Sequence[str]) -> set[str]:
    """Returns the keys that were not seen before, and stores them. In the caller's transaction."""
    if not keys:
        return set()
    return {row["event_id"] for row in await db.fetch(_STORE, scope, sorted(set(keys)))}


async def forget(db: asyncpg.Connection, scope: UUID, keys: Sequence[str]) -> None:
    """Makes keys count as new again. In the caller's transaction."""
    await db.execute(_FORGET, scope, keys)
