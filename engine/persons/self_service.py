"""The links by which people get their own data, or have it erased, and the end of such requests.

A message with such a link is stored with an example of it: whoever may read messages could use the link otherwise. The
request has the id of its message, so the link is made of that when the message is handed over.
"""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from core.settings import Settings
from engine import files, unsubscribe
from engine.jobs import every
from runtime import links
from runtime.services import Services

KEY: Final = "self-service"
"""The purpose of the key that signs the links."""

METADATA_KEY: Final = "selfService"
"""The metadata of a message with a link have this key."""

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


def url(settings: Settings, key: bytes, message_id: UUID) -> str:
    """Returns the link of a message."""
    return f"{links.base(settings)}/your-data/{unsubscribe.token(key, message_id)}"


def example(settings: Settings) -> str:
    """Returns what the stored text of a message has instead of its link, with the same length."""
    return unsubscribe.example(settings).replace("/unsubscribe/", "/your-data/")


def with_link(settings: Settings, key: bytes, row: Any) -> str:
    """Returns the text of a message (`id`, `body`, `metadata`) as it is handed over."""
    body: str = row["body"]
    if not row["metadata"].get(METADATA_KEY):
        return body
    return body.replace(example(settings), url(settings, key, row["id"]))


@every(60, due=_DUE)
async def forget(services: Services) -> None:
    """Deletes at most 200 requests whose time is over, and the exports that were made for them."""
    async with services.db.transaction() as db:
        old = await db.fetch(_FORGET, VALID, _MOST)
        for link in await db.fetch(_DELETE, [row["export_link_id"] for row in old]):
            if link["file_uuid"] is not None:
                await files.discard(db, link["file_uuid"])
