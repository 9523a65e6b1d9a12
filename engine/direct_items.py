"""The direct messages that a worker is sending: what is handed over, and what an outcome means for each."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from channels.port import Attachment, Channel, Outcome, Outgoing, Result
from engine.outcomes import Verdict
from runtime.routes import MESSENGERS, SANDBOX
from shapes.messages import DeliveryState, MessageChannel

OLDEST = timedelta(hours=24)
"""How long a message is tried: a code that comes a day late is useless. A provider that honors keys is asked about an
uncertain message for the same time."""

# The metadata that drivers get: only what was checked when the message was accepted.
_READ = {
    MessageChannel.email: {"subject": "subject", "html": "html", "reply_to": "replyTo"},
    MessageChannel.push: {"subject": "title"},
}

_FIRST_AGAIN, _LAST_AGAIN = timedelta(seconds=5), timedelta(minutes=15)

_BACKOFF = (5.0, 15.0, 60.0, 300.0, 900.0)  # seconds after the first, second … known failure


@dataclass(slots=True)
class DirectItem:
    """A message that this worker is sending."""

    row: Any
    attempts: int  # known failures so far; together with the id they form the key
    outcome: Outcome | None = None
    route: Channel | None = None
    files: Sequence[Attachment] = ()
    probe: UUID | None = None  # the probe's lease, if the message is the probe of its route's breaker

    @property
    def uncertain(self) -> bool:
        """Returns whether it was handed over before, by a worker that died, with an unknown result."""
        return self.row["handed_at"] is not None

    @property
    def of_messenger(self) -> bool:
        """Returns whether it is a trial by telegram or whatsapp, which gives its result at once and is not retried."""
        return self.row["channel"] in MESSENGERS

    @property
    def through_account(self) -> bool:
        """Returns whether it is sent through the messenger account that its metadata names."""
        return self.of_messenger and "messenger_account" in self.row["metadata"]

    @property
    def outgoing(self) -> Outgoing:
        """The message as the channel gets it."""
        row, meta = self.row, self.row["metadata"]
        if self.uncertain and self.through_account:
            meta = {**meta, "handed_at": row["handed_at"]}
        return Outgoing(
            id=row["id"],
            key=f"{row['id']}.{self.attempts}",
            to=row["to"],
            body=row["body"],
            **{field: meta.get(name) for field, name in _READ.get(row["channel"], {}).items()},
            metadata=meta,
            attachments=self.files,
        )


def verdict_of(item: DirectItem, name: str | None, *, attempts: int, now: datetime) -> Verdict:
    """Returns what is stored for a message with an outcome. `name`: the label of its route. `attempts`: known failures
    after which it fails for good."""
    outcome, row = item.outcome, item.row
    assert outcome is not None
    if outcome.result in (Result.sent, Result.delivered):
        state = DeliveryState(outcome.result.value)
        return Verdict(row["id"], state, item.attempts, name, outcome.provider_message_id)
    if outcome.result is Result.unknown:
        wait = asked_again(item.route, row["handed_at"], now)
        again = wait is not None and not item.of_messenger
        return Verdict(
            row["id"],
            DeliveryState.queued if again else DeliveryState.unknown,
            item.attempts,
            name,
            outcome.provider_message_id,
            outcome.code or "timeout",
            outcome.reason,
            wait or timedelta(),
            uncertain=again,
        )
    if outcome.result is Result.refused or item.attempts >= attempts or item.of_messenger:
        return Verdict(
            row["id"],
            DeliveryState.failed,
            item.attempts,
            name,
            outcome.provider_message_id,
            outcome.code or outcome.result.value,
            outcome.reason,
        )
    return Verdict(
        row["id"],
        DeliveryState.queued,
        item.attempts,
        code=outcome.code or outcome.result.value,
        reason=outcome.reason,
        delay=delay_of(item.attempts, outcome),
        uncertain=item.uncertain,
    )


def asked_again(route: Channel | None, handed_at: datetime | None, now: datetime) -> timedelta | None:
    """Returns the pause before a route is asked again, under the same key, about an uncertain message.

    Returns None if it is not asked: the route does not honor keys, or the first hand-over, at `handed_at` (None:
    just now), was a day ago. The sandbox is not asked: it is meant to show `unknown`.
    """
    age = now - handed_at if handed_at else timedelta()
    if route is None or not route.idempotent or route.name == SANDBOX or age > OLDEST:
        return None
    return min(max(age, _FIRST_AGAIN), _LAST_AGAIN) * random.uniform(0.8, 1.2)


def nowhere(item: DirectItem) -> DirectItem:
    """Keeps the message queued until a route is configured; a trial fails with that reason."""
    item.outcome = Outcome(
        Result.misconfigured,
        code="no_route",
        reason=f"No channel is configured for {item.row['channel']}. The operator must configure one.",
    )
    return item


def too_late(item: DirectItem, now: datetime) -> bool:
    """Returns whether it is too old to be handed over; if so, its outcome says so."""
    row = item.row
    if item.uncertain:
        if now - row["handed_at"] <= OLDEST:
            return False
        reason = "The provider was asked for 24 hours whether it has this message and gave no answer."
        item.outcome = Outcome(Result.unknown, code=row["failure_code"] or "timeout", reason=reason)
        return True
    until = row["expires_at"] or row["created_at"] + OLDEST
    if now <= until:
        return False
    last = f" The last attempt: {row['failure_reason']}" if row["failure_reason"] else ""
    span = round((until - row["created_at"]).total_seconds())
    within = "24 hours" if row["expires_at"] is None else f"{span} seconds"
    item.outcome = Outcome(
        Result.refused, code="expired", reason=f"It could not be handed over within {within}.{last}"
    )
    return True


def blocked(item: DirectItem) -> bool:
    """Returns whether the recipient was blocked since the message was queued; if so, its outcome says so.

    A message that may have been handed over already is still asked about.
    """
    if item.uncertain or item.row["blocked"] is None:
        return False
    item.outcome = Outcome(
        Result.refused, code="recipient_blocked", reason=f"The recipient is blocked ({item.row['blocked']})."
    )
    return True


def another_route(item: DirectItem) -> bool:
    """Returns whether the message surely was not accepted and the next route may do better."""
    return item.outcome is not None and item.outcome.result in (
        Result.transient,
        Result.throttled,
        Result.misconfigured,
    )


def delay_of(attempts: int, outcome: Outcome) -> timedelta:
    """Returns the pause before the next attempt."""
    if outcome.result is Result.throttled:
        seconds = min(max(outcome.retry_after or 5.0, 0.1), 3600)
        return timedelta(seconds=seconds * random.uniform(1, 1.2))
    if outcome.result is Result.misconfigured:
        return timedelta(seconds=60 * random.uniform(0.8, 1.2))
    seconds = _BACKOFF[min(max(attempts, 1), len(_BACKOFF)) - 1] * random.uniform(0.8, 1.2)
    if outcome.retry_after is not None:  # not before the time that the provider named
        seconds = max(seconds, min(outcome.retry_after, 3600) * random.uniform(1, 1.2))
    return timedelta(seconds=seconds)
