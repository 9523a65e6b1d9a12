"""The messages of a batch while a worker has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from channels.port import Channel, Outcome, Outgoing
from engine.receivers.rules import Receiver
from engine.texts import project_texts


@dataclass(slots=True)
class Item:
    """One message that this worker has claimed."""

    id: UUID
    row: Any
    content: int
    variant: int | None
    text: project_texts.Rendered
    price: Decimal
    paid: Decimal  # the part of the price that the message's row has already
    attempts: int
    tries: int
    uncertain: bool  # it was dispatched before, by a worker that died, and its outcome is not known
    price_prefix: str | None = None  # of the price list's row that gave the price
    price_version_id: UUID | None = None
    parts: int | None = None  # of an SMS that has a price
    sender: UUID | None = None
    sms_sender: str | None = None  # None: the channel's own
    outcome: Outcome | None = None
    route: Channel | None = None
    outgoing: Outgoing | None = None
    probe: UUID | None = None  # of its route's breaker
    receiver: Receiver | None = None  # of an email that a rule is about
    has_intent: bool = False  # it may have been dispatched, and its outcome is not stored

    @property
    def to(self) -> str:
        return self.row["to"]  # type: ignore[no-any-return]

    @property
    def dispatched_by(self) -> str | None:
        return self.row["provider"]  # type: ignore[no-any-return]

    @property
    def first_dispatch(self) -> datetime | None:
        """Returns the time of the dispatch whose outcome is not known; a retry by the user counts as another one."""
        return max(self.row["handed_at"], self.row["queued_at"]) if self.uncertain else None


@dataclass(frozen=True, slots=True)
class RecordState:
    """Holds the values that are stored of a message after a dispatch; see `batches.record`."""

    id: UUID
    status: str
    attempts: int
    tries: int
    price: Decimal
    batch: UUID | None = None  # in which it is tried again; None: in its own
    provider_message_id: str | None = None
    report_id: str | None = None
    code: str | None = None
    reason: str | None = None
    uncertain: bool = False  # queued, to be asked for again under its key
    refused: bool = False  # failed, because its route refused it


@dataclass(frozen=True, slots=True)
class NotHandedOver:
    """The new state of one message that was not dispatched; `batches.store_unsent` stores it."""

    id: UUID
    status: str
    code: str | None = None
    reason: str | None = None
    batch: UUID | None = None  # in which it waits; None: in its own


@dataclass(slots=True)
class PreparedBatch:
    """The messages of a batch, divided into those that are dispatched now and those that are not."""

    ready: list[Item] = field(default_factory=list)
    skipped: list[NotHandedOver] = field(default_factory=list)
    closed: dict[datetime, list[UUID]] = field(
        default_factory=dict
    )  # by the instant at which its window opens
    limited: list[tuple[float, NotHandedOver]] = field(
        default_factory=list
    )  # messages that wait for the cap of a country, a route or a receiver, and for how many seconds
    orders: Mapping[UUID, Sequence[Channel]] = field(default_factory=dict)  # see `Delivery`
    all: bool = True  # no message of the batch was left out
