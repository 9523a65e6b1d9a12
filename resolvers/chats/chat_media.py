"""Reads the content of a file in a message: from the message itself, or from the messenger."""

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes
from uuid import UUID

from core.errors import NotFound, Unprocessable
from engine import files
from engine.messengers import call_client
from runtime.operation import Op

_FETCH_SECONDS = 90.0
_MEDIA = """
SELECT m.account_id, m.thread, m.provider_id, m.content -> $2::int AS content, a.owner_id,
  u.status = 'active' AS active
FROM messenger_messages AS m JOIN messenger_accounts AS a ON a.id = m.account_id JOIN users AS u ON u.id = a.owner_id
WHERE m.id = $1 AND a.deleted_at IS NULL
"""
_DATA = re.compile(r"data:([^;,]*)(;base64)?,", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Opened:
    """The content of a file in a message."""

    data: bytes
    mime: str
    name: str


async def find_file(op: Op, item: UUID, index: int) -> Any:
    """Returns the row of a file in a message, with the account's owner. Raises NotFound."""
    row = await op.db.fetchrow(_MEDIA, item, index)
    if row is None or row.content is None:
        raise no_file()
    return row


async def open_file(op: Op, row: Any, index: int) -> Opened:
    """Returns the content of the file. Raises NotFound, and what the messenger's driver raises."""
    url = row.content.get("told") or ""
    mime, name = row.content.get("mime"), row.content.get("name")
    if url.startswith("data:"):
        data, declared = _inline(url)
        return Opened(data, files.safe_mime(mime or declared, name or ""), files.safe_name(name or "file"))
    if row.provider_id is None:
        raise no_file()
    try:
        fetched = await call_client.ask(
            op.services,
            row.account_id,
            "fetch",
            {"thread": row.thread, "provider_id": row.provider_id, "index": index},
            seconds=_FETCH_SECONDS,
        )
    except Unprocessable as error:
        raise no_file() from error
    name = files.safe_name(fetched.get("name") or name or "file")
    return Opened(base64.b64decode(fetched["data"]), files.safe_mime(fetched.get("mime") or mime, name), name)


def _inline(url: str) -> tuple[bytes, str]:
    """Returns the content of a `data:` URL and its declared MIME type. Raises NotFound."""
    head = _DATA.match(url)
    if head is None:
        raise no_file()
    encoded = url[head.end() :]
    try:
        return (base64.b64decode(encoded) if head[2] else unquote_to_bytes(encoded)), head[1]
    except (binascii.Error, ValueError):
        raise no_file() from None


def no_file() -> NotFound:
    """Returns the error for a file that the message does not have, or that the caller may not see."""
    return NotFound(
        "This message has no such file. Read the message to see what it contains.", code="media_not_found"
    )
