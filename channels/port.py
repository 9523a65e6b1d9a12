"""The port that every way out of the gateway implements.

A channel takes a batch and answers one outcome a message, in the order given. It never raises for what a
provider said or did: refusals, throttling, time-outs and broken connections are outcomes. It raises only
for a programming error.

The engine decides what an outcome means (retry, refund, pause); a channel only tells the truth about what
happened, and above all whether the provider may have taken the message.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, Protocol
from uuid import UUID


class Result(StrEnum):
    """What became of one hand-over to a provider."""

    sent = "sent"  # the provider took it
    delivered = "delivered"  # the provider took it and already knows that it arrived
    refused = "refused"  # permanent: bad recipient, bad content, opted out; never retried
    transient = "transient"  # not taken, and it may work later
    throttled = "throttled"  # not taken: too fast; `retry_after` says when
    misconfigured = (
        "misconfigured"  # not taken: our credentials or settings are wrong; all messages would fail
    )
    unknown = "unknown"  # the request left and no answer came: it may or may not have been taken


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with an email."""

    name: str
    mime: str  # `type/subtype`
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message on its way out."""

    id: UUID
    key: str  # idempotency key: the same for every hand-over whose predecessor's fate is uncertain
    to: str  # E.164 phone, email address, device token or Web Push subscription (JSON)
    body: str
    subject: str | None = None
    html: str | None = None
    reply_to: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)  # further ones, of an email; others ignore them
    attachments: Sequence[Attachment] = ()  # of an email; others ignore them


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the provider did with one message."""

    result: Result
    provider_message_id: str | None = None
    code: str | None = None  # stable, snake_case, ours: `invalid_recipient`, `timeout`, …
    reason: str | None = None  # one sentence for a human, with the provider's own code; never a secret
    retry_after: float | None = None  # seconds
    asked: bool = True  # False: the driver decided alone, and the provider has not answered anything


@dataclass(frozen=True, slots=True)
class Receipt:
    """A delivery report. `result` is `sent`, `delivered` or `refused`."""

    provider_message_id: str
    result: Result
    code: str | None = None
    reason: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Inbound:
    """A message that came in."""

    sender: str
    to: str
    body: str
    provider_message_id: str | None = None
    at: datetime | None = None


Event = Receipt | Inbound


class Sink(Protocol):
    """Where a channel puts what its provider tells it unasked."""

    async def __call__(self, channel: "Channel", events: Sequence[Event]) -> None: ...


@dataclass(frozen=True, slots=True)
class HookRequest:
    """An HTTP request that a provider made to `/hooks/{driver}/{id}`."""

    method: str
    url: str  # the public URL that the provider called, query included: signatures cover it
    headers: Mapping[str, str]  # lower-case names
    body: bytes
    public: bool = (
        True  # false: the public URL isn't configured, and `url` is only how we are called ourselves
    )


class BadSignature(Exception):
    """The request does not carry the provider's valid signature."""


class NoPublicUrl(Exception):
    """The signature covers the URL that the provider called, and nobody has told us that URL."""


class BadHook(Exception):
    """The request is signed but cannot be understood."""


class Channel(Protocol):
    """One configured way out. Made from a DSN by `channels.connect`; see `channels/__init__.py`."""

    name: ClassVar[str]  # the driver's: `smtp`, `twilio`, …
    batch: int  # how many messages one `send` may take; all of them are begun at once
    idempotent: bool  # the provider drops a second hand-over with the same `Outgoing.key`

    async def open(self, sink: Sink) -> None:
        """Prepare (pools, binds). A provider that is down is no error: `send` will say `transient`."""

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        """Hand over at most `batch` messages; outcomes come in the same order."""

    async def close(self) -> None:
        """Let go of connections. Safe to call twice."""

    def hook(self, request: HookRequest) -> list[Event]:
        """Check and read a provider's callback. Raises BadSignature, BadHook, NoPublicUrl; `[]` where there are none."""
