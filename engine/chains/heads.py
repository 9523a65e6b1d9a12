"""Makes the head of a chain show the step that counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

import asyncpg

from engine.chains.steps import AskedStep
from shapes.addresses import stored_key
from shapes.messages import DeliveryState

# What a step that could not begin lacks is that of its message.
_OF_MESSAGE: Final = (
    '"to"', "address_key", "to_given", "body", "metadata", "segments", "price_prefix", "price_version_id",
    "from_address", "sender", "template_id", "template_version", "template_locale",
)  # fmt: skip
_OF_STEP: Final = (
    "provider", "attempts", "failed_attempts", "refused", "reported_by", "way_status", "sent_at", "delivered_at",
    "failed_at", "bounced_at", "complained_at",
)  # fmt: skip
_ASKED: Final = {
    '"to"': "r.to_", "address_key": "r.key", "to_given": "r.given", "body": "r.body", "metadata": "r.meta",
    "segments": "1", "price_prefix": "NULL", "price_version_id": "NULL", "from_address": "r.mail_from",
    "sender": "r.sender", "template_id": "r.template_id", "template_version": "r.template_version",
    "template_locale": "r.template_locale",
}  # fmt: skip
_NEW: Final = {
    "state": "r.state",
    "price": "r.price",
    "failure_code": "r.code",
    "failure_reason": "r.reason",
    "channel": "r.channel",
    **{name: f"CASE WHEN s.id IS NULL THEN {_ASKED[name]} ELSE s.{name} END" for name in _OF_MESSAGE},
    **{name: f"s.{name}" for name in _OF_STEP},
}
# A head is in no index by which messages are claimed or reports find theirs: it keeps its due_at, and has no claim,
# no hand-over and no provider's id.
# Statistics count a message as sent when its sent_at is set, and a chain once: the time at which the first of its steps
# was accepted stays (postern_count_messages).
_VISIBLE: Final = {**{name: f"n.{name}" for name in _NEW}, "sent_at": "COALESCE(h.sent_at, n.sent_at)"}
_MIRROR: Final = f"""
UPDATE messages AS h SET {", ".join(f"{name} = {sql}" for name, sql in _VISIBLE.items())}, updated_at = now()
FROM (
  SELECT r.head, {", ".join(f"{sql} AS {name}" for name, sql in _NEW.items())}
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::numeric[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::text[], $12::jsonb[], $13::text[], $14::text[], $15::uuid[], $16::int[], $17::text[])
    AS r (head, step_id, state, price, code, reason, channel, to_, key, given, body, meta, mail_from, sender,
      template_id, template_version, template_locale)
  LEFT JOIN messages AS s ON s.id = r.step_id
) AS n
WHERE h.id = n.head AND ({", ".join(f"h.{name}" for name in _NEW)})
  IS DISTINCT FROM ({", ".join(_VISIBLE.values())})
RETURNING h.id, h.owner_id, h.state
"""  # noqa: S608  our own column names


@dataclass(frozen=True, slots=True)
class Head:
    """Says what the head of a chain is to show."""

    id: UUID
    step_id: UUID | None  # None: the step could not begin
    state: DeliveryState
    price: Decimal
    code: str | None
    reason: str | None
    asked: AskedStep

    @property
    def row(self) -> tuple[Any, ...]:
        """Returns the values of the statement's arrays."""
        message = self.asked.message
        return (
            self.id, self.step_id, self.state.value, self.price, self.code, self.reason, message.channel, message.to,
            stored_key(message.to), message.to_given, message.body, message.metadata, message.from_address,
            message.sender, message.template_id, message.template_version, message.template_locale,
        )  # fmt: skip


async def mirror(db: asyncpg.Connection, heads: Sequence[Head]) -> Sequence[Any]:
    """Changes the heads that show something else. Returns these: id, owner_id and state.

    In the caller's transaction, as its last change of messages: the providers of emails are not counted after it.
    """
    if not heads:
        return ()
    await db.execute("SELECT set_config('postern.heads', 'on', true)")
    rows: Sequence[Any] = await db.fetch(_MIRROR, *map(list, zip(*(head.row for head in heads), strict=True)))
    await db.execute("SELECT set_config('postern.heads', 'off', true)")
    return rows
