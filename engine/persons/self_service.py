"""The end of the requests by which people get their own data, or have it erased.

A request has the id of the message with its link (engine/direct/withheld_links.py).
"""

from datetime import timedelta
from typing import Final

from engine import files
from engine.jobs import every
from runtime.services import Services

VALID: Final = timedelta(minutes=30)
"""A link can be used for so long; from then on the file is there for as long."""

_MOST: Final = 200  # of one round
_FORGET = """
DELETE FROM self_service_requests WHERE id IN (
  SELECT r.id FROM self_service_requests AS r
  WHERE r.created_at < now() - $1::interval AND COALESCE(r.used_at, r.created_at) < now() - $1::interval
    AND NOT EXISTS (
      SELECT FROM export_links AS e WHERE e.id = r.export_link_id AND e.status IN ('created', 'running'))
  ORDER BY r.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
) RETURNING export_link_id
"""
_DELETE = "DELETE FROM export_links WHERE id = ANY($1) RETURNING file_uuid"
_DUE = "EXISTS (SELECT FROM self_service_requests WHERE created_at < now() - interval '30 minutes')"


@every(60, due=_DUE)
async def forget(services: Services) -> None:
    """Deletes at most 200 requests whose time is over, and the exports that were made for them."""
    async with services.db.transaction() as db:
        old = await db.fetch(_FORGET, VALID, _MOST)
        for link in await db.fetch(_DELETE, [row["export_link_id"] for row in old]):
            if link["file_uuid"] is not None:
                await files.discard(db, link["file_uuid"])
