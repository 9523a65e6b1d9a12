"""The port that every driver implements.

A channel takes a batch and returns one outcome for each message, in the same order. It never raises for an answer or an
action of a provider: refusals, throttling, timeouts and broken connections are outcomes. It raises only for a
programming error.

The engine decides the consequence of an outcome (retry, refund, pause). A channel reports the outcome, above all
whether the provider may have accepted the message.
"""

import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple, Protocol
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

from shapes.mail_reports import MailReportClass, MailReportType


class Result(StrEnum):
    """The result of sending one message to a provider."""

    sent = "sent"  # the provider accepted it
    delivered = "delivered"  # the provider accepted it and already knows that it arrived
    refused = "refused"  # permanent: bad recipient, bad content, opted out; never retried
    transient = "transient"  # not accepted, and it may work later
    throttled = "throttled"  # not accepted: too fast; `retry_after` says when to try again
    misconfigured = (
        "misconfigured"  # not accepted: our credentials or settings are wrong; all messages would fail
    )
    unknown = "unknown"  # the request was sent and no response came: it may have been accepted


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that is attached to an email."""

    name: str
    mime: str  # `type/subtype`
    data: bytes = field(repr=False)


class MailReference(NamedTuple):
    """The names of an email that its reports bring back."""

    local_part: str  # of the envelope sender, if the channel has a domain for bounces
    token: str  # the token in it, for reports that keep header fields alone
    feedback_id: str  # by which providers group complaints


@dataclass(frozen=True, slots=True)
class MailSigner:
    """A key that signs emails with DKIM. Its public part is at `<selector>._domainkey.<domain>`."""

    domain: str  # in ASCII
    selector: str
    key: RSAPrivateKey | Ed25519PrivateKey = field(repr=False)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message to send."""

    id: UUID
    key: str  # idempotency key: the same for every attempt after one with an uncertain outcome
    to: str  # E.164 phone, email address, device token or Web Push subscription (JSON)
    body: str
    subject: str | None = None
    html: str | None = None
    reply_to: str | None = None
    # The From of an email, with or without a name; of an SMS a name, a number in E.164 or a short code. None: the
    # channel's own
    sender: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(
        default_factory=dict
    )  # further ones of an email; other drivers ignore them
    attachments: Sequence[Attachment] = ()  # of an email; other drivers ignore them
    # An email that its sender wrote as a whole, with CRLF line ends: it goes out as it is; the rest describes it
    mail: bytes | None = field(default=None, repr=False)
    reference: Callable[[], MailReference] | None = None  # likewise; it takes some microseconds
    signers: Callable[[str], Sequence[MailSigner]] | None = None  # likewise: those for a From of this domain
    hidden: str | None = field(
        default=None, repr=False
    )  # a part of the body that nothing may store, such as a code


class LostConnection:
    """The end of one connection with requests in flight. Their outcomes share it, so that it counts once."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one message, with details."""

    result: Result
    provider_message_id: str | None = None  # as the provider wrote it
    code: str | None = None  # stable, snake_case, ours: `invalid_recipient`, `timeout`, …
    reason: str | None = None  # one sentence for people, with the provider's own code; never a secret
    retry_after: float | None = None  # seconds
    asked: bool = True  # False: the driver decided without asking the provider
    dispatched: bool = True  # False: the engine decided, and no driver was given the message
    report_id: str | None = None  # the provider's id as its reports have it, if they write it differently
    lost_connection: LostConnection | None = field(
        default=None, repr=False
    )  # of a connection that carries several messages at once
    # The answer is about this recipient's mailbox, and says nothing of messages to other providers: of an email
    at_recipient: bool = False


class MessageReference(NamedTuple):
    """The part of a message's name that its reports bring back, even if its answer was lost."""

    to: str  # its recipient, in E.164
    ending: str  # the last four hexadecimal digits of its id


@dataclass(frozen=True, slots=True)
class Receipt:
    """A delivery report. `result` is `sent`, `delivered` or `refused`.

    `provider_message_id` is an outcome's `report_id`, or its `provider_message_id` if it had none. `key` is the same in
    each repetition of a report: the engine applies it once.
    """

    provider_message_id: str
    result: Result
    code: str | None = None
    reason: str | None = None
    at: datetime | None = None
    key: str | None = None
    reference: MessageReference | None = None


@dataclass(frozen=True, slots=True)
class Inbound:
    """A message that was received."""

    sender: str
    to: str
    body: str
    provider_message_id: str | None = None
    at: datetime | None = None


Event = Receipt | Inbound


@dataclass(frozen=True, slots=True)
class MailRecipient:
    """One recipient of a report about an email, in the provider's words. The engine classifies a failure by them."""

    address: str | None
    status: str | None = None  # enhanced (RFC 3463), as the provider wrote it
    diagnostic: str = ""  # the server's reply, or the provider's explanation
    provider_type: str | None = None  # the provider's type, in the words of engine/mail_reports/classes.py
    klass: MailReportClass | None = None  # for types that mean this class whatever status and reply say


@dataclass(frozen=True, slots=True)
class MailEvent:
    """A provider's report about an email that it took. The token or else `message_id` names the message."""

    type: MailReportType
    id: str  # the provider's name of the report, the same in each repetition
    recipients: Sequence[MailRecipient]  # at least one
    token: str | None = None  # of a MailReference, as the provider returned it, not checked
    message_id: UUID | None = None  # only if the provider's signature covers it
    at: datetime | None = None


class Sink(Protocol):
    """Receives the events of a channel: delivery reports and messages."""

    async def __call__(self, channel: "Channel", events: Sequence[Event]) -> None: ...


@dataclass(frozen=True, slots=True)
class HookRequest:
    """An HTTP request that a provider made to `/hooks/{driver}/{id}`."""

    method: str
    url: str  # the public URL that the provider called, query included: signatures cover it
    headers: Mapping[str, str]  # lower-case names
    body: bytes
    public: bool = True  # False: no public URL is configured, and `url` is that of the request as received
    tolerance: float = 300.0  # seconds by which the time of a signature may differ from `now`
    now: float | None = None  # seconds since 1970; None: by this machine's clock


class BadSignature(Exception):
    """The request does not carry the provider's valid signature."""


class NoPublicUrl(Exception):
    """The signature covers the URL that the provider called, and the public URL is not configured."""


class BadHook(Exception):
    """The request is signed but cannot be understood."""


class HookFailed(Exception):
    """The callback can't be checked at the moment: something that it needs does not answer."""


class HookTools(Protocol):
    """The things besides the request that the check of a callback needs."""

    @property
    def now(self) -> float:
        """Returns the seconds since 1970."""

    @property
    def tolerance(self) -> float:
        """Returns the seconds by which the time of a signature may differ from ours."""

    async def document(self, url: str) -> bytes:
        """Returns a short document of the provider's server, which is kept. Raises HookFailed."""

    async def call(self, url: str) -> None:
        """Gets an address of the provider's server. Raises HookFailed."""

    async def first_use(self, nonce: str) -> bool:
        """Returns whether this nonce was not used for a day. It counts as unused if the callback then fails."""


class MailHook(Protocol):
    """The callbacks of a provider that reports the results of emails. A channel may have one, as `mail_hook`."""

    source: ClassVar[str]

    async def receive(self, request: HookRequest, tools: HookTools) -> list[MailEvent]:
        """Verifies a callback and returns its reports. Raises BadSignature, BadHook, HookFailed."""


class Target(NamedTuple):
    """A server that a channel connects to."""

    host: str
    port: int
    tls: ssl.SSLContext | None  # for a connection that begins with TLS
    by_proxy: bool = False  # an HTTP proxy of the environment is asked to connect


class Channel(Protocol):
    """One configured channel, made from a DSN by `channels.connect`; see `channels/__init__.py`."""

    name: ClassVar[str]  # of the driver: `smtp`, `twilio`, …
    batch: int  # messages that may be in flight in this process; one `send` takes at most so many
    idempotent: bool  # the provider drops a second message with the same `Outgoing.key`
    reports_delivery: (
        bool  # the provider reports that messages were delivered, and not only that it took them
    )

    def target(self) -> Target | None:
        """Returns the server that all messages go to, for the doctor; None if there is none or each names its own."""

    async def open(self, sink: Sink) -> None:
        """Prepares pools and binds. A provider that is down is not an error: `send` will return `transient`."""

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        """Sends at most `batch` messages; the outcomes are in the same order."""

    async def close(self) -> None:
        """Closes the connections. It can be called twice."""

    def hook(self, request: HookRequest) -> list[Event]:
        """Verifies and parses a provider's callback; `[]` if there are none.

        Raises BadSignature, BadHook, NoPublicUrl.
        """
