"""Validates messages, receipts and reactions from the child: a broken child may send anything."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from messengers.port import Content, Event, Message, Progress, Reaction
from shapes.chats import ChatMessageStatus, ContentKind

_TEXT, _SHORT, _SRC = 65_536, 1024, 65_536
_KINDS = {"user": "user", "group": "group", "channel": "channel"}


def events(told: dict[str, Any], own_phone: str | None) -> Sequence[Event]:
    """Returns the events. Raises KeyError, TypeError or ValueError for malformed input."""
    match told["t"]:
        case "message":
            return [_message(told, own_phone)]
        case "receipt":
            status = ChatMessageStatus(told["status"])
            return [
                Progress(text(told["thread"]), text(id), status, at=moment(told["at"]))
                for id in list(told["ids"])[:1000]
            ]
        case "reaction":
            emoji = told["emoji"]
            return [
                Reaction(
                    text(told["thread"]),
                    text(told["id"]),
                    text(told["sender"]),
                    text(emoji) if emoji else None,
                    moment(told["at"]),
                    bool(told["outgoing"]),
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


def _message(told: dict[str, Any], own_phone: str | None) -> Message:
    outgoing, kind = bool(told["outgoing"]), _KINDS[told["kind"]]
    thread, author = text(told["thread"]), maybe(told.get("sender"))
    user, _, server = thread.rpartition("@")
    there = f"+{user}" if server == "s.whatsapp.net" else thread
    status = told.get("status")
    return Message(
        text(told["id"]),
        thread,
        outgoing=outgoing,
        at=moment(told["at"]),
        sender=own_phone or author if outgoing else author,
        recipient=there if outgoing or kind != "user" else own_phone,
        text=body(told["text"]),
        content=[_content(one) for one in list(told["content"])[:10]],
        reply_to=maybe(told["reply_to"]),
        name=maybe(told["name"]),
        chat_kind=kind,  # type: ignore[arg-type]
        chat_name=maybe(told.get("chat_name")),
        status=ChatMessageStatus(status) if status else ChatMessageStatus.server if outgoing else None,
        past=bool(told.get("past")),
        edited_at=moment(told["at"]) if told.get("edited") else None,
    )


def _content(one: dict[str, Any]) -> Content:
    src, size = one["src"], one["size"]
    if src is not None and (not isinstance(src, str) or not src.startswith("data:") or len(src) > _SRC):
        raise ValueError("no source of ours")
    return Content(
        ContentKind(one["kind"]), src, maybe(one["mime"]), maybe(one["name"]), int(size) if size else None
    )


def moment(at: Any) -> datetime:
    """Returns a time from seconds, within the range of the calendar."""
    return datetime.fromtimestamp(min(max(float(at), 0.0), 4_102_444_800.0), UTC)


def text(value: Any) -> str:
    """Returns a short text. Raises ValueError."""
    if not isinstance(value, str) or not 0 < len(value) <= _SHORT or "\0" in value:
        raise ValueError("no short text")
    return value


def maybe(value: Any) -> str | None:
    """Returns a short text, or None if it is empty."""
    return str(value).replace("\0", "")[:_SHORT] if value else None


def body(value: Any) -> str:
    """Returns a message's text. Raises ValueError."""
    if not isinstance(value, str) or len(value) > _TEXT:
        raise ValueError("no text")
    return value.replace("\0", "")
