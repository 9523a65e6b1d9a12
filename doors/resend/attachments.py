"""Stores the attachments of an email as files of its sender, which the message then names.

Each file has an idempotency key that follows from its content and from the key of the email. So a client that repeats
an email names the same files again.
"""

import asyncio
import base64
import binascii
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Final
from uuid import UUID

from core.http.multipart import Form, Incoming
from doors.resend.context import ResendContext
from doors.resend.email_requests import AttachedFile
from doors.resend.errors import Refused, invalid
from resolvers import files

MOST: Final = 10
MOST_BYTES: Final = 10 * 1024 * 1024
"""The most bytes of all attachments of one email, as of any message."""


class _FileForm:
    """A form with one file whose bytes are there, as `files.upload` reads it."""

    def __init__(self, name: str, mime: str | None, data: bytes) -> None:
        self._name, self._mime, self._data = name, mime, data

    async def receive(self, store: Callable[[Incoming], Awaitable[Any]]) -> Form[Any]:
        """Passes the file to `store`."""
        return Form(await store(Incoming("file", self._name, self._mime, self._chunks())))

    async def _chunks(self) -> AsyncIterator[bytes]:
        yield self._data


def decoded(attachments: Sequence[AttachedFile]) -> list[bytes]:
    """Returns the bytes of attachments. Raises Refused (`invalid_attachment`)."""
    if len(attachments) > MOST:
        raise _invalid(f"An email may have at most {MOST} attachments.")
    payloads = [_content(attached) for attached in attachments]
    if sum(map(len, payloads)) > MOST_BYTES:
        raise _invalid(f"The attachments of an email may have at most {MOST_BYTES} bytes together.")
    return payloads


def _digested(attachments: Sequence[AttachedFile]) -> tuple[list[bytes], list[str]]:
    payloads = decoded(attachments)
    return payloads, [hashlib.sha256(content).hexdigest() for content in payloads]


async def stored(ctx: ResendContext, attachments: Sequence[AttachedFile]) -> list[UUID]:
    """Stores attachments. Returns the ids of their files. Raises Refused (`invalid_attachment`), AppError."""
    if not attachments:
        return []
    sent_key = ctx.sent_key
    # Base64 of some megabytes takes a while, in which other requests go on.
    payloads, digests = await asyncio.to_thread(_digested, attachments)
    ids = []
    ctx.has_own_key = True
    try:
        for number, attached in enumerate(attachments):
            name = attached.filename or f"attachment-{number + 1}"
            parts = (sent_key or "", name, attached.content_type or "", digests[number])
            ctx.key = f"attachment:{hashlib.sha256(repr(parts).encode()).hexdigest()}"
            form: Any = _FileForm(name, attached.content_type, payloads[number])
            ids.append((await files.upload(ctx, form)).id)
    finally:
        ctx.has_own_key = False
        ctx.forget_replay()
    return ids


def _content(attached: AttachedFile) -> bytes:
    if attached.path is not None:
        raise _invalid("path: no address is fetched for an attachment here. Send its content in base64.")
    if attached.content_id is not None or attached.inline_content_id is not None:
        raise _invalid("content_id: pictures inside the text are not served here. Link to them instead.")
    content: Any = attached.content
    if isinstance(content, dict):  # a Buffer of Node, as JSON writes it
        content = content.get("data")
    try:
        if isinstance(content, list):
            return bytes(content)
        if isinstance(content, str):
            return base64.b64decode("".join(content.split()), validate=True)
    except (ValueError, TypeError, binascii.Error) as error:
        raise _invalid("content must be base64, or a list of bytes.") from error
    raise _invalid("Missing `content` field of an attachment.")


def _invalid(message: str) -> Refused:
    return invalid(message, "invalid_attachment")
