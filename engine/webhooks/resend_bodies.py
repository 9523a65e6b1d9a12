"""Makes the bodies of webhooks in Resend's form, which its clients understand: `{"type", "created_at", "data"}`.

Events that Resend does not have give no body, and are not sent: messages that are no emails, for example.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import orjson

from db.query import Reads
from engine.mail_reports.effects import FAILURE_CODES
from shapes.event_feed import Event
from shapes.mail_reports import MailReportClass
from shapes.messages import DeliveryState, MessageChannel
from shapes.resend_events import OWN_TYPES

_READ: Final = """
SELECT id, "to", from_address, metadata->>'subject' AS subject, metadata->'tags' AS tags, created_at,
  provider_message_id, failure_reason
FROM messages WHERE id = ANY($1) AND owner_id = $2
"""
_BOUNCES: Final[Mapping[str, tuple[str, str]]] = {
    MailReportClass.hard: ("Permanent", "General"),
    MailReportClass.full: ("Transient", "MailboxFull"),
    MailReportClass.content: ("Transient", "ContentRejected"),
    MailReportClass.policy: ("Transient", "General"),
    MailReportClass.transient: ("Transient", "General"),
}
"""The type and the subtype of a bounce by its class."""
_REPORTED: Final = frozenset(FAILURE_CODES.values())
_REFUSED: Final = "The recipient's server, or the provider, has refused the email."


async def bodies(db: Reads, owner_id: UUID, events: Sequence[Event]) -> list[bytes]:
    """Returns the body of each event; an empty one for an event that Resend does not have."""
    asked = [event for event in events if _is_served(event)]
    ids = list(dict.fromkeys(event.subject_id for event in asked))
    rows = {row["id"]: row for row in await db.fetch(_READ, ids, owner_id)} if ids else {}
    made = []
    for event in events:
        if event.type == "webhook.test":
            made.append(_written(event.type, event.at, {}))
        else:
            made.append(_body(event, rows.get(event.subject_id)) if _is_served(event) else b"")
    return made


def _is_served(event: Event) -> bool:
    """Returns whether Resend has such an event."""
    if event.type not in OWN_TYPES or event.data.get("channel") != MessageChannel.email:
        return False
    if event.type == "message.queued":
        return event.data.get("deliveryState") == DeliveryState.scheduled
    # That an email came back is an event of its own, after which its failure says nothing new.
    return event.type != "message.failed" or event.data.get("failureCode") not in _REPORTED


def _body(event: Event, row: Any) -> bytes:
    if row is None:  # it was deleted meanwhile
        return b""
    name = OWN_TYPES[event.type]
    data: dict[str, Any] = {
        "email_id": str(event.subject_id),
        "message_id": row["provider_message_id"],
        "created_at": _time(row["created_at"]),
        "from": row["from_address"],
        "to": [row["to"]],
        "subject": row["subject"],
    }
    tags = row["tags"]
    if isinstance(tags, list):
        pairs = [tag for tag in tags if isinstance(tag, dict) and {*tag} >= {"name", "value"}]
        data["tags"] = {str(tag["name"]): tag["value"] for tag in pairs}
    reason = event.data.get("failureReason") or row["failure_reason"]
    if name == "email.bounced":
        type, subtype = ("Permanent", "General") if event.type == "message.refused" else _bounce(event)
        data["bounce"] = {"message": reason or _REFUSED, "type": type, "subType": subtype}
    elif name == "email.failed":
        data["failed"] = {"reason": reason or event.data.get("failureCode") or "unknown"}
    return _written(name, event.at, data)


def _bounce(event: Event) -> tuple[str, str]:
    return _BOUNCES.get(str(event.data.get("bounceClass")), ("Undetermined", "Undetermined"))


def _written(type: str, at: datetime, data: Mapping[str, Any]) -> bytes:
    return orjson.dumps({"type": type, "created_at": _time(at), "data": data})


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
