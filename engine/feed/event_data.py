"""Completes the data of messages' events, of which the triggers store only values that can't be read later.

A message has two events or more, and most of their fields are null, usual, or in a column of the event. Without them an
event has about half as many bytes (docs/scale.md). db/functions/postern_message_events.sql has the other side of this
table. Events from before migration 0036 have no columns of their own: their data has these fields.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

_MESSAGE: Final[Mapping[str, Any]] = {
    "direction": "outbound", "sender": None, "sendAt": None, "failureCode": None, "failureReason": None, "attempts": 0,
    "providerMessageId": None, "category": "transactional", "trial": False, "sentAt": None, "deliveredAt": None,
    "bouncedAt": None, "complainedAt": None, "body": None,
}  # fmt: skip
_RECORD: Final[Mapping[str, Any]] = {
    "recipientUuid": None, "accountUuid": None, "direction": "outbound", "variant": None, "failureCode": None,
    "failureReason": None, "attempts": 0, "sentAt": None, "deliveredAt": None, "readAt": None, "repliedAt": None,
    "bouncedAt": None, "complainedAt": None, "body": None,
}  # fmt: skip
_STATES: Final[Mapping[str, str]] = {"expired": "failed", "refused": "failed"}


def complete(row: Any) -> dict[str, Any]:
    """Returns the data of an event's row with all of its fields."""
    data: dict[str, Any] = row["data"]
    match row["subject"]:
        case "message":
            at = _time(row)
            state = data.get("deliveryState", _state(row))
            of_row = {
                "uuid": str(row["subject_id"]),
                "accountId": str(row["account_id"]),
                "status": state,
                "createdAt": at,
                "updatedAt": at,
            }
            if row["channel"] is not None:
                of_row |= {"deliveryState": state, **_columns(row, "createdAt")}
            return {**_MESSAGE, **of_row, **data}
        case "messageRecord":
            id, at = str(row["subject_id"]), _time(row)
            of_row = {
                "uuid": id,
                "sendingProjectUuid": str(row["project_id"]),
                # A message that was sent without an id of the provider's has its own.
                "providerMessageId": id if data.get("sentAt") or row["sent_at"] else None,
                "queuedAt": at,
                "updatedAt": at,
            }
            if row["channel"] is not None:
                of_row |= {"status": _state(row), **_columns(row, "queuedAt")}
            return {**_RECORD, **of_row, **data}
    return data


def _state(row: Any) -> str:
    """Returns the state that the event's type says, unless its data has another one."""
    state: str = row["type"].rpartition(".")[2]
    return _STATES.get(state, state)


def _columns(row: Any, created: str) -> dict[str, Any]:
    """Returns the fields that have columns of their own, without those that are usual."""
    fields = {
        created: row["created_at"] and _utc(row["created_at"]),
        "sentAt": row["sent_at"] and _utc(row["sent_at"]),
        "recipientUuid": row["recipient_id"] and str(row["recipient_id"]),
        "channel": row["channel"],
        "to": row["to"],
        "price": row["price"],
        "providerMessageId": row["provider_message_id"],
    }
    return {name: value for name, value in fields.items() if value is not None}


def _time(row: Any) -> str:
    """Returns the time of the event."""
    return _utc(row["at"])


def _utc(at: datetime) -> str:
    """Returns a time as the SQL function `postern_utc` writes it."""
    return f"{at.astimezone(UTC).isoformat(timespec='microseconds')[:-6]}Z"
