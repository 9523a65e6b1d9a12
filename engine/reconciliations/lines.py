"""The line of a message in a reconciliation: what became of one person, without the address."""

import hmac
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from core.ids import time_of
from core.json_text import amount_text
from engine.blocks import ERASED
from engine.sms.countries import country_of, country_of_prefix

PAGE: Final = """
SELECT m.seq, m.id::text AS id, m.recipient_id, COALESCE(m.address_key, m."to") AS address, m.channel, m.status,
  m.reported_by, m.way_status, m.failure_code, m.price, m.price_prefix, m.price_version_id, m.parts, m.provider,
  m.provider_message_id, m.queued_at, m.sent_at, m.delivered_at, m.read_at, m.bounced_at, m.complained_at
FROM message_records AS m WHERE m.project_id = $1 AND m.direction = 'outbound' AND m.seq > $2
ORDER BY m.seq LIMIT $3
"""
"""Reads the messages of a project ($1) behind a position ($2), at most $3."""

_TIMES: Final = {
    "sent_at": "sentAt",
    "delivered_at": "deliveredAt",
    "read_at": "readAt",
    "bounced_at": "bouncedAt",
    "complained_at": "complainedAt",
}
_PHONES: Final = ("sms", "whatsapp", "telegram")


def person_hash(key: bytes, address: str) -> bytes:
    """Returns what stands for an address in the lines of an owner, given the address in the spelling of its key."""
    return hmac.digest(key, address.encode(), "sha256")


def line_of(row: Any, key: bytes, late_after: datetime | None) -> tuple[bytes, dict[str, Any]]:
    """Returns what stands for the person, and the line. `key`: of the owner.

    An erased person has lost the address. Such a line is under a hash of the message's id, and says that.
    """
    address, prefix = row["address"], row["price_prefix"]
    erased = address == ERASED
    person = person_hash(key, f"erased:{row['id']}" if erased else address)
    state, by_hook = _state(row)
    line: dict[str, Any] = {
        "person": person.hex(),
        "message": row["id"],
        "state": state,
        "queuedAt": _time(row["queued_at"]),
    }
    if erased:
        line["erased"] = True
    if by_hook:
        line["hook"] = row["status"]
    if (cause := row["failure_code"]) is not None and state not in _TAKEN:
        line["cause"] = cause
    elif cause is not None and by_hook:
        line["hookCause"] = cause
    if row["price"]:
        line["price"] = amount_text(row["price"])
        if row["parts"] is not None:
            line["parts"] = row["parts"]
        if row["price_version_id"] is not None:
            line["priceVersion"] = str(row["price_version_id"])
    if (country := _country(row["channel"], None if erased else address, prefix)) is not None:
        line["country"] = country
    if row["provider"] is not None:
        line["route"] = row["provider"]
    if row["provider_message_id"] is not None:
        line["providerId"] = row["provider_message_id"]
    # While the hook says more than the way, these two times are the hook's.
    hidden = ("delivered_at", "read_at") if by_hook and state not in ("delivered", "read") else ()
    for name, field in _TIMES.items():
        if row[name] is not None and name not in hidden:
            line[field] = _time(row[name])
    if late_after is not None and _made_after(row["recipient_id"], late_after):
        line["late"] = True
    return person, line


def _time(moment: datetime) -> str:
    """Returns a time of the database, whose sessions are in UTC."""
    return moment.isoformat(timespec="microseconds")[:-6] + "Z"


def _state(row: Any) -> tuple[str, bool]:
    """Returns the state by the way that took the message, and whether the owner's hook has said another one."""
    by_hook = row["reported_by"] is not None
    status = (row["way_status"] or row["status"]) if by_hook else row["status"]
    if status == "sent":
        return "noReport", by_hook
    # A retry queues it again, and leaves the time of the attempt before.
    if status == "failed" and row["sent_at"] is not None and row["sent_at"] >= row["queued_at"]:
        return "undelivered", by_hook
    return status, by_hook


_TAKEN: Final = ("delivered", "read", "noReport")


def _country(channel: str, address: str | None, prefix: str | None) -> str | None:
    """Returns the country of a phone, or of the prefix that gave the price if the phone is not known any more."""
    if channel not in _PHONES:
        return None
    if address is None:
        return None if prefix is None else country_of_prefix(prefix)
    return country_of(address)


def _made_after(recipient: UUID | None, moment: datetime) -> bool:
    return recipient is not None and time_of(recipient) > moment
