"""Validates messages, receipts, reactions and deletions from the child: a broken child may send anything."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import structlog

from messengers.port import Content, Deletion, Event, Message, Progress, Reaction
from messengers.whatsapp.shapes import MAX_SHORT, is_short
from shapes.chats import ChatMessageStatus, ContentKind

log = structlog.get_logger()

# Errors that another attempt does not mend: a bug of ours, or an event that lacks a required field.
LASTING_ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
_TEXT, _SRC = 65_536, 65_536
_KINDS = {"user": "user", "group": "group", "channel": "channel"}


def events(event: dict[str, Any], own_phone: str | None) -> Sequence[Event]:
    """Returns the events; none of a malformed one, which is a bug of the child and logged as one.

    The child would hand it over again and again, and nothing behind it.
    """
    try:
        return _events(event, own_phone)
    except LASTING_ERRORS as error:
        log.error("a WhatsApp event was not understood", what=f"{type(error).__name__} in {event['t']!s:.40}")
        return []


def _events(event: dict[str, Any], own_phone: str | None) -> Sequence[Event]:
    match event["t"]:
        case "message":
            return [_message(event, own_phone)]
        case "receipt":
            status = ChatMessageStatus(event["status"])
            return [
                Progress(text(event["thread"]), text(id), status, at=moment(event["at"]))
                for id in list(event["ids"])[:1000]
            ]
        case "reaction":
            emoji = event["emoji"]
            return [
                Reaction(
                    text(event["thread"]),
                    text(event["id"]),
                    text(event["sender"]),
                    text(emoji) if emoji else None,
                    moment(event["at"]),
                    bool(event["outgoing"]),
                )
            ]
        case "deletion":
            outgoing = event["outgoing"]
            return [
                Deletion(
                    text(event["id"]),
                    text(event["thread"]),
                    outgoing=None if outgoing is None else bool(outgoing),
                    sender=maybe(event["sender"]),
                )
            ]
    raise ValueError("no event of ours")


def sent(item: UUID, value: dict[str, Any], body: str) -> Message:
    """Returns our own message whose answer came too late for its caller."""
    return Message(
        text(value["id"]),
        text(value["thread"]),
        outgoing=True,
        at=moment(value["at"]),
        text=body,
        status=ChatMessageStatus.server,
        item=item,
    )


def _message(event: dict[str, Any], own_phone: str | None) -> Message:
    outgoing, kind = bool(event["outgoing"]), _KINDS[event["kind"]]
    thread, author = text(event["thread"]), maybe(event.get("sender"))
    user, _, server = thread.rpartition("@")
    there = f"+{user}" if server == "s.whatsapp.net" else thread
    status = event.get("status")
    return Message(
        text(event["id"]),
        thread,
        outgoing=outgoing,
        at=moment(event["at"]),
        sender=own_phone or author if outgoing else author,
        recipient=there if outgoing or kind != "user" else own_phone,
        text=body(event["text"]),
        content=[_content(item) for item in list(event["content"])[:10]],
        reply_to=maybe(event["reply_to"]),
        name=maybe(event["name"]),
        chat_kind=kind,  # type: ignore[arg-type]
        chat_name=maybe(event.get("chat_name")),
        status=ChatMessageStatus(status) if status else ChatMessageStatus.server if outgoing else None,
        past=bool(event.get("past")),
        edited_at=moment(event["at"]) if event.get("edited") else None,
        edited_by=author if event.get("edited") and kind == "group" and not outgoing else None,
    )


def _content(item: dict[str, Any]) -> Content:
    src, size = item["src"], item["size"]
    if src is not None and (not isinstance(src, str) or not src.startswith("data:") or len(src) > _SRC):
        raise ValueError("no source of ours")
    return Content(
        ContentKind(item["kind"]), src, maybe(item["mime"]), maybe(item["name"]), int(size) if size else None
    )


def moment(at: Any) -> datetime:
    """Returns a time from seconds, within the range of the calendar."""
    return datetime.fromtimestamp(min(max(float(at), 0.0), 4_102_444_800.0), UTC)


def text(value: Any) -> str:
    """Returns a short text. Raises ValueError."""
    if not isinstance(value, str) or not is_short(value):
        raise ValueError("no short text")
    return value


def maybe(value: Any) -> str | None:
    """Returns a short text, or None if it is empty."""
    return str(value).replace("\0", "")[:MAX_SHORT] if value else None


def body(value: Any) -> str:
    """Returns a message's text. Raises ValueError."""
    if not isinstance(value, str) or len(value) > _TEXT:
        raise ValueError("no text")
    return value.replace("\0", "")
