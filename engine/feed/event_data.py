"""Completes the data of messages' events, of which the triggers store only values that can't be read later.

A message has two events or more, each is written twice, and most of their fields are null, usual, or in a column of the
event. Without them an event has about half as many bytes (docs/scale.md). db/functions/postern_message_events.sql has
the other side of this table.
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


def complete(row: Any) -> dict[str, Any]:
    """Returns the data of an event's row with all of its fields."""
    data: dict[str, Any] = row["data"]
    match row["subject"]:
        case "message":
            at = _time(row)
            of_row = {
                "uuid": str(row["subject_id"]),
                "accountId": str(row["account_id"]),
                "status": data.get("deliveryState"),
                "createdAt": at,
                "updatedAt": at,
            }
            return {**_MESSAGE, **of_row, **data}
        case "messageRecord":
            id, at = str(row["subject_id"]), _time(row)
            of_row = {
                "uuid": id,
                "sendingProjectUuid": str(row["project_id"]),
                # A message that was sent without an id of the provider's has its own.
                "providerMessageId": id if data.get("sentAt") else None,
                "queuedAt": at,
                "updatedAt": at,
            }
            return {**_RECORD, **of_row, **data}
    return data


def _time(row: Any) -> str:
    """Returns the time of the event as the SQL function `postern_utc` writes it."""
    at: datetime = row["at"].astimezone(UTC)
    return f"{at.isoformat(timespec='microseconds')[:-6]}Z"
