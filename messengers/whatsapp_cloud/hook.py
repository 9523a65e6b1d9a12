"""Parses Meta's webhook: messages, echoes of the WhatsApp Business app, reactions, reports.

https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages: one body has any
number of entries and changes. Unknown ones are skipped; Meta keeps adding kinds of messages.

A person is identified by the `wa_id` (digits) or, if the phone is hidden behind a username, by the business-scoped user
id (`US.1349…`); that is the thread, too. The provider_id of a message with a file is `<wamid>#<media id>`: Meta does
not say later which file belonged to a message, and a later download has only this id.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import orjson

from messengers.port import Content, Event, Message, Progress, Reaction
from messengers.whatsapp_cloud import errors
from shapes.chats import ChatMessageStatus, ContentKind

_LONGEST_TEXT = 65_536

_STATUSES: Final = {
    "sent": ChatMessageStatus.server,
    "delivered": ChatMessageStatus.delivered,
    "read": ChatMessageStatus.has_seen,
    "played": ChatMessageStatus.has_seen,
    "failed": ChatMessageStatus.errored,
}
_KINDS: Final = {
    "image": ContentKind.image,
    "sticker": ContentKind.image,
    "video": ContentKind.video,
    "audio": ContentKind.audio,
    "document": ContentKind.file,
}


class BadBody(Exception):
    """The body is not Meta's."""


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One event of the number `phone_number_id`. `item`: the `biz_opaque_callback_data` of a report."""

    phone_number_id: str
    event: Event
    item: UUID | None = None


def signed(app_secret: str, body: bytes, header: str | None) -> bool:
    """Returns whether `X-Hub-Signature-256` is the app's signature of the raw body."""
    received = (header or "").encode("latin-1", "replace")
    right = b"sha256=" + hmac.new(app_secret.encode(), body, hashlib.sha256).hexdigest().encode()
    return hmac.compare_digest(received, right)


def read(body: bytes) -> list[HookEvent]:
    """Returns the events in the order of the body. Raises BadBody."""
    try:
        payload = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadBody("it is not JSON") from error
    if not isinstance(payload, dict):
        raise BadBody("it is not a JSON object")
    return list(_events(payload))


def _events(payload: Mapping[str, Any]) -> Iterator[HookEvent]:
    for entry in _objects(payload.get("entry")):
        for change in _objects(entry.get("changes")):
            value = change.get("value")
            if not isinstance(value, dict):
                continue
            number = _text(_object(value.get("metadata")).get("phone_number_id"))
            if change.get("field") == "messages":
                contacts = {
                    _text(contact.get(key)): contact
                    for contact in _objects(value.get("contacts"))
                    for key in ("wa_id", "user_id")
                    if contact.get(key)
                }
                for message in _objects(value.get("messages")):
                    if (event := _message(message, contacts)) is not None:
                        yield HookEvent(number, event)
                for status in _objects(value.get("statuses")):
                    if (report := _status(number, status)) is not None:
                        yield report
            elif change.get("field") == "smb_message_echoes":
                for message in _objects(value.get("message_echoes")):
                    if (event := _message(message, {}, outgoing=True)) is not None:
                        yield HookEvent(number, event)


def _message(
    message: Mapping[str, Any], contacts: Mapping[str, Any], *, outgoing: bool = False
) -> Event | None:
    sender = _text(message.get("from")) or _text(message.get("from_user_id"))
    recipient = _text(message.get("to")) or _text(message.get("to_user_id"))
    group = _text(message.get("group_id"))
    other = recipient if outgoing else sender
    id, kind = _text(message.get("id")), _text(message.get("type"))
    thread = group or other
    if not (id and thread) or kind == "system":
        return None
    at = _time(message.get("timestamp"))
    if kind == "reaction":
        reaction = _object(message.get("reaction"))
        about = _text(reaction.get("message_id"))
        emoji = _text(reaction.get("emoji")) or None
        return Reaction(thread, about, phone_or_id(sender), emoji, at, outgoing) if about else None
    person = _object(contacts.get(sender))
    profile = _object(person.get("profile"))
    text, content, media = _what(kind, message)
    return Message(
        provider_id=f"{id}#{media}" if media else id,
        thread=thread,
        outgoing=outgoing,
        at=at,
        sender=phone_or_id(sender) if sender else None,
        recipient=phone_or_id(recipient) if recipient else None,
        text=text.replace("\0", "")[:_LONGEST_TEXT],
        content=content,
        reply_to=_text(_object(message.get("context")).get("id")) or None,
        name=_text(profile.get("name")) or _text(profile.get("username")) or None,
        chat_kind="group" if group else "user",
        status=ChatMessageStatus.server if outgoing else None,
    )


def _what(kind: str, message: Mapping[str, Any]) -> tuple[str, Sequence[Content], str]:
    """Returns text, content and the file's id. Content without either becomes a readable line."""
    inside = _object(message.get(kind))
    if kind in _KINDS:
        ours = ContentKind.voice if kind == "audio" and inside.get("voice") is True else _KINDS[kind]
        mime = _text(inside.get("mime_type")).split(";")[0].strip() or None
        content = Content(ours, mime=mime, name=_text(inside.get("filename")) or None)
        media = _text(inside.get("id"))
        return _text(inside.get("caption")), [content], media if re.fullmatch(r"[0-9]{1,64}", media) else ""
    match kind:
        case "text":
            text = _text(inside.get("body"))
        case "button":
            text = _text(inside.get("text"))
        case "interactive":
            answer = _object(inside.get(_text(inside.get("type"))))
            text = (
                _text(answer.get("title")) or _text(answer.get("body")) or _text(answer.get("response_json"))
            )
        case "location":
            lines = [_text(inside.get("name")), _text(inside.get("address"))]
            text = "\n".join(
                [*filter(None, lines), f"geo:{inside.get('latitude')},{inside.get('longitude')}"]
            )
        case "contacts":
            text = "\n".join(_contact(person) for person in _objects(message.get("contacts")))
        case _:
            text = ""
    return text, (), ""


def _contact(person: Mapping[str, Any]) -> str:
    name = _text(_object(person.get("name")).get("formatted_name"))
    phones = [
        _text(phone.get("phone")) or _text(phone.get("wa_id")) for phone in _objects(person.get("phones"))
    ]
    return ", ".join(filter(None, [name, *phones]))


def _status(number: str, report: Mapping[str, Any]) -> HookEvent | None:
    status = _STATUSES.get(_text(report.get("status")))
    thread = _text(report.get("recipient_id")) or _text(report.get("recipient_user_id"))
    id = _text(report.get("id"))
    if status is None or not (thread and id):
        return None
    code = reason = None
    if status is ChatMessageStatus.errored:
        code, reason = errors.reported(next(iter(_objects(report.get("errors"))), {}))
    back = _text(report.get("biz_opaque_callback_data"))
    if "/" in back:  # a further part of a message; only the first one is reported
        return None
    try:
        item = UUID(back) if back else None
    except ValueError:
        item = None  # another program also sends through this number
    at = _time(report.get("timestamp"))
    return HookEvent(number, Progress(thread, id, status, at=at, code=code, reason=reason), item)


def phone_or_id(id: str) -> str:
    """Returns a phone as E.164, any other id unchanged."""
    return f"+{id}" if re.fullmatch(r"[0-9]{4,20}", id) else id


def _time(value: object) -> datetime:
    """Returns a time from Meta's whole seconds: the end of the second, but not later than now.

    So an answer sorts after the message that it answers, whose time we have in microseconds. An unreadable time is
    now.
    """
    now = datetime.now(UTC)
    try:
        return min(datetime.fromtimestamp(int(str(value)[:12]), UTC).replace(microsecond=999_999), now)
    except (ValueError, OverflowError, OSError):
        return now


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
