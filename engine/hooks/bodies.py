"""Parses the bodies of delivery hooks leniently: our own events, and those of messenger gateways.

One event, `{"events": […]}` or a bare list. Ours: `{id?, event: delivery|status|reply, messageId or providerMessageId,
status, class?, code?, reason?, at?}`, of a reply `{from, text, channel?}`. A gateway's: `{hook_type:
message|message_status, source, item, from, text, time, outgoing, content: [{type}]}`. Unknown fields are ignored, and
an event that can't be understood is no error: the others of its batch must not wait.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from core.clock import moment
from core.storable_text import storable
from engine.hooks.complaints import Complaint
from engine.hooks.mail_events import EngineMailReport
from engine.inbound.replies import Reply
from engine.mail_reports.classes import Failure, classify
from engine.mail_reports.effects import FAILURE_CODES
from engine.mail_reports.report import RecipientReport, visible
from engine.reports.report import Report, ReportedStatus, as_uuid
from shapes.mail_reports import MailReportClass, MailReportType
from shapes.sending_projects import ProjectChannel

MOST_EVENTS = 1000
_LONGEST = 100_000  # characters of a text
_LONGEST_ID = 512  # characters of an id or an address

Fields = Mapping[str, Any]


class BadBody(ValueError):
    """The body is no JSON, or has no events. The message says what to send."""


class TooMany(ValueError):
    """The request has more events than allowed."""


@dataclass(frozen=True, slots=True)
class Event:
    """`key` is the same whenever the event is repeated.

    `mail` is the event's part about an email; if the message is no email, `report` or `complaint` counts. Without any
    of the four the event is understood, and there is nothing to store.
    """

    key: str | None = None
    report: Report | None = None
    reply: Reply | None = None
    complaint: Complaint | None = None
    mail: EngineMailReport | None = None


_WORDS: dict[str, ReportedStatus | None] = {
    **dict.fromkeys(("sent", "server", "accepted", "submitted", "dispatched"), "sent"),
    **dict.fromkeys(("delivered", "delivrd", "delivery"), "delivered"),
    **dict.fromkeys(("read", "seen", "has_seen", "opened", "viewed", "played"), "read"),
    **dict.fromkeys(
        ("failed", "failure", "error", "errored", "undelivered", "undeliv", "undeliverable", "rejected", "rejectd",
         "bounced", "bounce", "hard_bounce", "expired", "dropped"),
        "failed",
    ),
    **dict.fromkeys(
        ("pending", "queued", "processing", "sending", "scheduled", "enroute", "deferred", "delayed"), None
    ),
}  # fmt: skip
_DELAYS = {"deferred", "delayed"}
_COMPLAINTS = {"complaint", "complained", "spam"}
_STATUS_KINDS = {"delivery", "status", "message_status", "delivery_status", "delivery_report", "receipt"}
_REPLY_KINDS = {"reply", "message", "inbound", "incoming", "message_received", "inbound_message"}
_CHANNELS = {channel.value for channel in ProjectChannel}
_JID = re.compile(r"(\d{5,20})(?::\d+)?@(?:c\.us|s\.whatsapp\.net)")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{2,63}")
_ADDRESS = re.compile(r"\+[0-9]{5,15}|@[A-Za-z][A-Za-z0-9_]{2,63}|[^@\s]+@[^@\s]+")
_NO_DIGITS = re.compile(r"[^0-9]")


def read(body: bytes, request_id: str | None = None) -> list[Event | None]:
    """Returns the events in their order, None for those that can't be understood.

    `request_id` (`webhook-id`) makes the keys of events that have no id of their own. Raises BadBody, TooMany.
    """
    try:
        parsed = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadBody("the body is not valid JSON") from error
    if isinstance(parsed, dict):
        parsed = parsed["events"] if isinstance(parsed.get("events"), list) else [parsed]
    if not isinstance(parsed, list):
        raise BadBody('send one event as a JSON object, or {"events": [...]}')
    if len(parsed) > MOST_EVENTS:
        raise TooMany(f"A request may have at most {MOST_EVENTS} events. Send fewer at once.")
    return [
        _event(item, f"{request_id}#{index}" if request_id else None) for index, item in enumerate(parsed)
    ]


def _event(raw: Any, fallback: str | None) -> Event | None:
    if not isinstance(raw, dict):
        return None
    data = raw.get("data")
    fields = {**data, **raw} if isinstance(data, dict) else raw
    kind = _normalized(_first(fields, "hook_type", "event", "type", "kind", "eventType"))
    if "hook_type" in fields:
        return _of_gateway(fields, kind, fallback)
    status = _normalized(_first(fields, "status", "state", "deliveryStatus", "delivery_status"))
    if kind in _REPLY_KINDS or (not kind and not status and _sender(fields)):
        return Event() if fields.get("outgoing") is True else _reply(fields, fallback)
    if kind in _STATUS_KINDS or not kind:
        return _status(fields, status or kind, fallback)
    # The status itself, or `message.delivered`.
    return _status(
        fields, status or (kind if kind in (*_WORDS, *_COMPLAINTS) else kind.partition("_")[2]), fallback
    )


def _of_gateway(fields: Fields, kind: str, fallback: str | None) -> Event | None:
    content = fields.get("content")
    first = content[0] if isinstance(content, list) and content and isinstance(content[0], dict) else {}
    if kind == "message_status":
        return _status(fields, _normalized(first.get("type")), fallback)
    if kind != "message":
        return None
    return Event() if fields.get("outgoing") is True else _reply(fields, fallback)


def _status(fields: Fields, word: str, fallback: str | None) -> Event | None:
    number = _id(fields, "providerMessageId", "provider_message_id", "externalId", "external_id", "item")
    message_id = _id(fields, "messageId", "message_id", "messageUuid", "message_uuid", "uuid")
    message_id = message_id or (None if number else _id(fields, "id"))
    id = as_uuid(message_id)
    if word in _COMPLAINTS:
        return _complaint(fields, Complaint(id, number or message_id, _complainer(fields)), fallback)
    if word not in _WORDS or not (message_id or number):
        return None
    status = _WORDS[word]
    if status is None and word not in _DELAYS:
        return Event()
    error = fields.get("error")
    error = error if isinstance(error, dict) else {"message": error}
    code = _first(fields, "failureCode", "failure_code", "code", "errorCode", "error_code") or error.get(
        "code"
    )
    reason = _first(fields, "failureReason", "failure_reason", "reason", "description") or error.get(
        "message"
    )
    event_id = _event_id(fields) or (
        f"item:{_text(fields.get('source'))}:{number}" if number and "hook_type" in fields else None
    )
    key, at = _key(event_id or fallback, word), _at(fields)
    number = number or (message_id if id is None else None)
    code, reason = _normalized(code)[:64] or None, _text(reason)
    klass = _class(fields) if status in (None, "failed") else None
    mail = (
        None
        if klass is None
        else EngineMailReport(_mail_report(fields, status, klass, reason), id, number, at)
    )
    if status is None:
        return Event(key, mail=mail)
    if status != "failed":
        code = reason = None
    elif klass is not None:
        code = FAILURE_CODES[klass]
    return Event(key, Report(id, None, number, status, code, reason, at, by_hook=True), mail=mail)


def _class(fields: Fields) -> MailReportClass | None:
    """Returns the class of an email's failure, if the event has one; `unknown` if that is none of ours."""
    word = _normalized(_first(fields, "class", "bounceClass", "bounce_class"))
    other = MailReportClass.unknown if word else None
    return next((klass for klass in MailReportClass if klass.value == word), other)


def _mail_report(
    fields: Fields, status: ReportedStatus | None, klass: MailReportClass, reason: str | None
) -> RecipientReport:
    kind = MailReportType.bounce if status == "failed" else MailReportType.delay
    classified = classify(Failure(None, reason or ""))
    return RecipientReport(
        kind, klass, _complainer(fields), classified.status, classified.code, visible(reason or "")
    )


def _complaint(fields: Fields, complaint: Complaint, fallback: str | None) -> Event | None:
    if not (complaint.provider_message_id or complaint.address):
        return None
    report = RecipientReport(MailReportType.complaint, None, complaint.address, None, None, None)
    mail = EngineMailReport(report, complaint.message_id, complaint.provider_message_id, _at(fields))
    return Event(_key(_event_id(fields) or fallback, "complaint"), complaint=complaint, mail=mail)


def _reply(fields: Fields, fallback: str | None) -> Event | None:
    sender = _sender(fields)
    body = _text(_first(fields, "text", "body", "message"))
    if not sender or body is None:
        return None
    channel = _normalized(_first(fields, "channel", "source"))
    item = _id(fields, "providerMessageId", "provider_message_id", "item")
    reply = Reply(
        spellings(sender),
        body,
        channel if channel in _CHANNELS else None,
        provider_message_id=item,
        at=_at(fields),
    )
    event_id = _event_id(fields) or (f"item:{channel}:{item}" if item else None)
    return Event(_key(event_id or fallback, "reply"), reply=reply)


def spellings(sender: str) -> list[str]:
    """Returns the forms in which the table may have an address, in any letter case: E.164, an email, a user name, or
    unchanged."""
    sender = sender.strip()
    if jid := _JID.fullmatch(sender):
        sender = jid[1]
    if "@" in sender:
        return [sender]
    digits = _NO_DIGITS.sub("", sender)
    # A phone, whatever its punctuation; gateways leave the plus out.
    if len(digits) >= 5 and not any(char.isalpha() for char in sender):
        return list(dict.fromkeys([f"+{digits.removeprefix('00')}", sender]))
    return [f"@{sender}", sender] if _NAME.fullmatch(sender) else [sender]


def _at(fields: Fields) -> datetime | None:
    return moment(_first(fields, "at", "timestamp", "time", "date", "occurredAt", "receivedAt"))


def _sender(fields: Fields) -> str | None:
    return _id(fields, "from", "phone", "sender", "address")


def _complainer(fields: Fields) -> str | None:
    """Returns the recipient of the message in the likeliest form of the table; `from` is the user's own sender."""
    address = _id(fields, "address", "phone", "to", "recipient", "email")
    if address is None:
        return None
    likeliest = spellings(address)[0]
    return likeliest if _ADDRESS.fullmatch(likeliest) else None


def _event_id(fields: Fields) -> str | None:
    id = _text(_first(fields, "eventId", "event_id", "id"))
    return f"id:{id}" if id else None


def _key(event_id: str | None, word: str) -> str | None:
    """Returns the event's key. It includes the status, because some engines use the message's id as the event's."""
    if event_id is None:
        return None
    key = f"{word}:{event_id}"
    return key if len(key) <= 200 and key.isprintable() else hashlib.sha256(key.encode()).hexdigest()


def _first(fields: Fields, *names: str) -> Any:
    return next((fields[name] for name in names if fields.get(name) not in (None, "")), None)


def _text(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return storable(value[:_LONGEST]) if isinstance(value, str) else None


def _id(fields: Fields, *names: str) -> str | None:
    """Returns an id short enough for an index, or None."""
    id = _text(_first(fields, *names))
    return id if id and len(id) <= _LONGEST_ID else None


def _normalized(value: Any) -> str:
    """Returns the value in lower case, with underscores for everything but letters and digits."""
    return re.sub(r"[^a-z0-9]+", "_", (_text(value) or "")[:100].lower()).strip("_")
