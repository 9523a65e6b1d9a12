"""Parses Meta's webhook: messages, echoes of the WhatsApp Business app, reactions, reports.

https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages: one body has any
number of entries and changes. Unknown ones are skipped; Meta keeps adding kinds of messages.

A person is identified by the `wa_id` (digits) or, if the phone is hidden behind a username, by the business-scoped user
id (`US.1349…`); that is the thread, too. One hook may name several of them, and the username: `aliases` has all. The
provider_id of a message with a file is `<wamid>#<media id>`: Meta does not say later which file belonged to a message,
and a later download has only this id.
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

from messengers.port import Content, Deletion, Event, Message, Progress, Reaction
from messengers.whatsapp_cloud import errors, notices
from messengers.whatsapp_cloud.details import details_of, order_text, unsupported_text
from messengers.whatsapp_cloud.values import (
    Notice,
    Preference,
    ids_of,
    object_of,
    objects_of,
    phone_or_id,
    text_of,
)
from shapes.chats import ChatMessageStatus, ContentKind

_LONGEST_TEXT = 65_536

_STATUSES: Final = {
    "sent": ChatMessageStatus.server,
    "delivered": ChatMessageStatus.delivered,
    "read": ChatMessageStatus.has_seen,
    "played": ChatMessageStatus.has_seen,
    "failed": ChatMessageStatus.errored,
}
_SAYING: Final = frozenset(
    {"text", "button", "interactive", "location", "contacts"}
)  # kinds that may be empty
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
    """One event of the number `phone_number_id`. `item`: the `biz_opaque_callback_data` of a report.

    Where Meta names no number, that is "", and `phone` the number itself, if Meta names that.
    """

    phone_number_id: str
    event: Event | Notice | Preference
    item: UUID | None = None
    phone: str | None = None


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
    for entry in objects_of(payload.get("entry")):
        for change in objects_of(entry.get("changes")):
            value = change.get("value")
            if not isinstance(value, dict):
                continue
            number = text_of(object_of(value.get("metadata")).get("phone_number_id"))
            if change.get("field") == "messages":
                contacts = {
                    text_of(contact.get(key)): contact
                    for contact in objects_of(value.get("contacts"))
                    for key in ("wa_id", "user_id")
                    if contact.get(key)
                }
                for message in objects_of(value.get("messages")):
                    if (event := _message(message, contacts)) is not None:
                        yield HookEvent(number, event)
                for status in objects_of(value.get("statuses")):
                    if (report := _status(number, status, contacts)) is not None:
                        yield report
            elif change.get("field") == "smb_message_echoes":
                for message in objects_of(value.get("message_echoes")):
                    if (event := _message(message, {}, outgoing=True)) is not None:
                        yield HookEvent(number, event)
            elif change.get("field") == "user_preferences":
                for preference in notices.preferences(value):
                    yield HookEvent(number, preference)
            elif (notice := notices.of(text_of(change.get("field")), value)) is not None:
                yield HookEvent(number, notice, phone=notices.phone_of(value))


def _message(
    message: Mapping[str, Any], contacts: Mapping[str, Any], *, outgoing: bool = False
) -> Event | None:
    sender = text_of(message.get("from")) or text_of(message.get("from_user_id"))
    recipient = text_of(message.get("to")) or text_of(message.get("to_user_id"))
    group = text_of(message.get("group_id"))
    other = recipient if outgoing else sender
    id, kind = text_of(message.get("id")), text_of(message.get("type"))
    thread = group or other
    if not (id and thread) or kind == "system":
        return None
    at = _time(message.get("timestamp"))
    if kind == "reaction":
        reaction = object_of(message.get("reaction"))
        about = text_of(reaction.get("message_id"))
        emoji = text_of(reaction.get("emoji")) or None
        return Reaction(thread, about, phone_or_id(sender), emoji, at, outgoing) if about else None
    if kind == "revoke":
        about = text_of(object_of(message.get("revoke")).get("original_message_id"))
        mine = None if not sender or outgoing else phone_or_id(sender)
        return Deletion(about, thread, outgoing=outgoing, sender=mine) if about else None
    edit = object_of(message.get("edit")) if kind == "edit" else {}
    if edit:
        if not (id := text_of(edit.get("original_message_id"))):
            return None
        message = {**message, **object_of(edit.get("message"))}
        kind = text_of(message.get("type"))
    person = object_of(contacts.get(sender)) or object_of(contacts.get(text_of(message.get("from_user_id"))))
    profile = object_of(person.get("profile"))
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
        details=details_of(kind, message) or None,
        edited_at=at if edit else None,
        edited_by=phone_or_id(sender) if edit and sender and not outgoing else None,
        reply_to=text_of(object_of(message.get("context")).get("id")) or None,
        name=text_of(profile.get("name")) or text_of(profile.get("username")) or None,
        chat_kind="group" if group else "user",
        aliases=() if group else ids_of(message, "to" if outgoing else "from", {} if outgoing else person),
        status=ChatMessageStatus.server if outgoing else None,
    )


def _what(kind: str, message: Mapping[str, Any]) -> tuple[str, Sequence[Content], str]:
    """Returns text, content and the file's id. Content without either becomes a readable line."""
    inside = object_of(message.get(kind))
    if kind in _KINDS:
        ours = ContentKind.voice if kind == "audio" and inside.get("voice") is True else _KINDS[kind]
        mime = text_of(inside.get("mime_type")).split(";")[0].strip() or None
        content = Content(ours, mime=mime, name=text_of(inside.get("filename")) or None)
        media = text_of(inside.get("id"))
        return text_of(inside.get("caption")), [content], media if re.fullmatch(r"[0-9]{1,64}", media) else ""
    match kind:
        case "text":
            text = text_of(inside.get("body"))
        case "button":
            text = text_of(inside.get("text"))
        case "interactive":
            answer = object_of(inside.get(text_of(inside.get("type"))))
            text = (
                text_of(answer.get("title"))
                or text_of(answer.get("body"))
                or text_of(answer.get("response_json"))
            )
        case "location":
            lines = [text_of(inside.get("name")), text_of(inside.get("address"))]
            text = "\n".join(
                [*filter(None, lines), f"geo:{inside.get('latitude')},{inside.get('longitude')}"]
            )
        case "contacts":
            text = "\n".join(_contact(person) for person in objects_of(message.get("contacts")))
        case "order":
            text = order_text(inside)
        case _:
            text = ""
    return text or ("" if kind in _SAYING else unsupported_text(kind, message)), (), ""


def _contact(person: Mapping[str, Any]) -> str:
    name = text_of(object_of(person.get("name")).get("formatted_name"))
    phones = [
        text_of(phone.get("phone")) or text_of(phone.get("wa_id"))
        for phone in objects_of(person.get("phones"))
    ]
    return ", ".join(filter(None, [name, *phones]))


def _status(number: str, report: Mapping[str, Any], contacts: Mapping[str, Any]) -> HookEvent | None:
    status = _STATUSES.get(text_of(report.get("status")))
    thread = text_of(report.get("recipient_id")) or text_of(report.get("recipient_user_id"))
    id = text_of(report.get("id"))
    if status is None or not (thread and id):
        return None
    code = reason = None
    if status is ChatMessageStatus.errored:
        code, reason = errors.reported(next(iter(objects_of(report.get("errors"))), {}))
    back = text_of(report.get("biz_opaque_callback_data"))
    if "/" in back:  # a further part of a message; only the first one is reported
        return None
    try:
        item = UUID(back) if back else None
    except ValueError:
        item = None  # another program also sends through this number
    at = _time(report.get("timestamp"))
    contact = object_of(contacts.get(thread)) or object_of(
        contacts.get(text_of(report.get("recipient_user_id")))
    )
    aliases = () if report.get("recipient_type") == "group" else ids_of(report, "recipient_id", contact)
    return HookEvent(
        number, Progress(thread, id, status, at=at, code=code, reason=reason, aliases=aliases), item
    )


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
