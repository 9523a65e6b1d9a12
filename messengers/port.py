"""The port that every messenger driver implements: one live account, and what it tells us.

A driver's `connect` makes a `Connection` for one account; nothing happens on the network before its `start`. From then
on the driver tells its `Sink` what it sees: the steps of the login, the session to keep, messages and how far
they got. It tells the truth about the account's state and decides nothing else: how often a QR may expire, when
to connect again after a failure, whether a process may hold the account at all is the host's
(`engine/messengers/host.py`).

Every method of the sink returns when what it was told is written down. It raises `Lost` when the account is not
this process's any more; a driver then lets go of its connection at once and says nothing further.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable
from uuid import UUID

from schema.types.chats import ChatMessageStatus, ContentKind
from schema.types.messenger_accounts import AccountState, MessengerSource

# what a driver is given


@dataclass(frozen=True, slots=True)
class Account:
    """What a driver needs to know of an account to connect it. Secrets are open here and nowhere else."""

    id: UUID
    source: MessengerSource
    login: str
    phone: str | None = None  # digits: log in with a code sent or shown for this phone; None: with a QR
    session: str | None = field(default=None, repr=False)  # what `Sink.session` was told last
    cursor: Mapping[str, Any] = field(default_factory=dict)  # what `Sink.happened` was told last
    proxy: str | None = field(default=None, repr=False)  # socks5://user:password@host:port, or http://…
    credentials: Mapping[str, str] = field(default_factory=dict, repr=False)  # of a driver that has some
    config: Mapping[str, Any] = field(default_factory=dict)  # the account's `default` configuration


@dataclass(frozen=True, slots=True)
class Media:
    """Something that goes with a text. `data` was fetched, bounded and judged by the caller."""

    kind: ContentKind
    data: bytes = field(repr=False)
    mime: str = "application/octet-stream"
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to send. `to` is a phone (E.164), a `@username`, or a thread that the driver has told."""

    item: UUID  # ours. Drivers derive the messenger's own message key from it, so that twice is once
    to: str
    text: str = ""
    media: Sequence[Media] = ()
    reply_to: str | None = None  # provider_id in that thread
    template: Mapping[str, Any] | None = None  # name, language, params; of WhatsApp Cloud


# what it tells


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, or the account itself."""

    id: str  # the messenger's own
    phone: str | None = None  # E.164
    username: str | None = None  # without @
    first_name: str | None = None
    last_name: str | None = None
    avatar: str | None = None  # an address, or a data: URL of at most 64 KiB
    exists: bool = True
    last_seen: datetime | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """The account's state, as the driver sees it now. Telling the same again is harmless.

    `value` is what a person must use and when it expires: the QR's text (`waitQr`), the pairing code (`showCode`). It
    is never stored. `code` is stable and snake_case: `qr_expired`, `flood_wait`, `banned`, `session_revoked`, …
    """

    state: AccountState
    code: str | None = None
    reason: str | None = None  # a sentence for a human; never a secret
    until: datetime | None = None  # before which the messenger wants no further try
    value: str | None = field(default=None, repr=False)
    expires_at: datetime | None = None
    attempts_left: int | None = None
    me: Person | None = None  # with `working`


@dataclass(frozen=True, slots=True)
class Content:
    """Something that came with a message. `src` is an address that may be fetched, a data: URL of at most 64 KiB, or
    None where the driver has neither."""

    kind: ContentKind
    src: str | None = None
    mime: str | None = None
    name: str | None = None
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message in a thread: come in, or sent from another device, or our own echoed (`item` says which one)."""

    provider_id: str  # unique in its thread
    thread: str
    outgoing: bool
    at: datetime
    sender: str | None = None  # phone (E.164), else username, else the messenger's id
    recipient: str | None = None
    text: str = ""
    content: Sequence[Content] = ()
    reply_to: str | None = None  # provider_id
    name: str | None = None  # the sender's, as shown
    chat_kind: Literal["user", "group", "channel"] = "user"
    chat_name: str | None = None
    status: ChatMessageStatus | None = None  # of an outgoing one
    item: UUID | None = None  # of an outgoing one that we sent, where the driver can tell
    past: bool = False  # history that was loaded: it is kept; nobody is told, unless it comes live afterwards
    edited_at: datetime | None = None  # told again, because its author changed it


@dataclass(frozen=True, slots=True)
class Progress:
    """How far outgoing messages of a thread got. `up_to`: this one and all before it."""

    thread: str
    provider_id: str
    status: ChatMessageStatus
    up_to: bool = False
    at: datetime | None = None
    code: str | None = None  # of `errored`
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Reaction:
    """`emoji` None: it was taken back."""

    thread: str
    provider_id: str  # of the message that it is about
    sender: str
    emoji: str | None
    at: datetime
    outgoing: bool = False


@dataclass(frozen=True, slots=True)
class Deletion:
    """A message was deleted at the messenger, by anybody who may do that.

    `thread` None: the messenger does not say where. No other message of the account has the id then, but those in
    threads that match `apart` (a regular expression), which have ids of their own.
    """

    provider_id: str
    thread: str | None = None
    apart: str | None = None


ThreadEvent = Message | Progress | Reaction
Event = ThreadEvent | Deletion


class Lost(Exception):
    """The account is not this process's any more. Disconnect at once, and tell nothing further."""


class Sink(Protocol):
    """Where a connection puts what it sees. Each raises Lost."""

    async def changed(self, change: Change) -> None: ...

    async def session(self, session: str | None) -> None:
        """What must be kept to connect again without a login; None: it was revoked or forgotten."""

    async def happened(self, events: Sequence[Event], cursor: Mapping[str, Any] | None = None) -> None:
        """Written in one transaction with the cursor, so that after a crash none is missed. Twice is once."""


# what can go wrong with a call


class MessengerError(Exception):
    """A call that failed. `code` is stable and snake_case, `reason` one sentence; neither holds a secret."""

    code: str = "messenger_error"

    def __init__(self, reason: str, *, code: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code or type(self).code


class WrongStep(MessengerError):
    """The account is not where this call makes sense (a code while a QR is shown, a message while stopped).

    `state` is where the driver has just found the account to be, if that was not told to the sink before.
    """

    code = "wrong_state"

    def __init__(self, reason: str, *, code: str | None = None, state: AccountState | None = None) -> None:
        super().__init__(reason, code=code)
        self.state = state


class CodeInvalid(MessengerError):
    code = "code_invalid"

    def __init__(self, reason: str, *, attempts_left: int | None = None, code: str | None = None) -> None:
        super().__init__(reason, code=code)
        self.attempts_left = attempts_left


class PasswordInvalid(CodeInvalid):
    code = "password_invalid"


class Throttled(MessengerError):
    """Not done: too fast. Nothing was sent."""

    code = "throttled"

    def __init__(self, reason: str, *, until: datetime) -> None:
        super().__init__(reason)
        self.until = until


class Refused(MessengerError):
    """Not done, and it never will be: no such recipient, privacy, forbidden content."""

    code = "refused"


class Unreachable(MessengerError):
    """Not done: no connection, or the messenger says that it is its fault. It may work later."""

    code = "messenger_unavailable"


class Uncertain(MessengerError):
    """The request left and no answer came: it may or may not have been done."""

    code = "uncertain"


class Unsupported(MessengerError):
    """This driver can't do that."""

    code = "unsupported"


@dataclass(frozen=True, slots=True)
class Sent:
    provider_id: str
    thread: str
    at: datetime
    status: ChatMessageStatus = ChatMessageStatus.server
    parts: Sequence[str] = ()  # provider_ids of the messages after the first, where it became several


Action = Literal["typing", "recording", "none"]


class Connection(Protocol):
    """One account, live. Calls other than `start`, `close` and `forget` raise MessengerError.

    Messages of one thread are told in their order. Own messages that `send` answered need not be told; telling them
    with `item` is harmless. Of an item that became several messages only the first is told.
    """

    async def start(self) -> None:
        """Connect, and go on from `Account.session`, or begin a login. Returns soon; `Sink.changed` tells the rest.

        A lost network is `reconnecting`, and the driver's own to mend, for ever, with pauses that grow; a session
        that the messenger does not know any more is `loggedOut`; a ban `blocked`; a QR or code that nobody used in
        time is told again with a new value (the host ends it when it was often enough).
        """

    async def close(self) -> None:
        """Disconnect and keep the session. Bounded (5 s), never raises, may be called twice."""

    async def forget(self) -> None:
        """Log out at the messenger, as far as it can be reached within 10 s, and disconnect."""

    async def code(self, code: str) -> None:
        """The code that the messenger sent to the person. Raises WrongStep, CodeInvalid, Throttled, Unreachable."""

    async def password(self, password: str) -> None:
        """The cloud password. Raises WrongStep, PasswordInvalid, Throttled, Unreachable."""

    async def send(self, message: Outgoing) -> Sent:
        """Raises WrongStep, Refused, Throttled, Unreachable (surely not sent), Uncertain, Unsupported."""

    async def history(self, thread: str, limit: int, before: str | None = None) -> Sequence[Message]:
        """The newest `limit` before that provider_id, newest first, from the messenger. `[]` where it keeps none."""

    async def person(self, to: str) -> Person | None:
        """By phone, `@username`, thread or the messenger's id; None: nobody. Never guesses."""

    async def me(self) -> Person: ...

    async def act(self, to: str, action: Action) -> None:
        """Shows it once; messengers forget it after about five seconds. The caller renews it."""

    async def read(self, thread: str, provider_id: str) -> None:
        """Marks it and all before it as read."""

    async def fetch(self, thread: str, provider_id: str, index: int) -> Media:
        """The content of a message. Raises Refused when there is none any more or it is over 50 MiB."""

    async def probe(self) -> bool:
        """Asks the messenger whether this session is alive, within 5 s."""


@runtime_checkable
class Abortable(Protocol):
    """A connection that can be cut in one breath has this too. Where a process stood still for so long that another
    may have the account by now, it is called before anything else runs, and `close` after it.
    """

    def abort(self) -> None:
        """Nothing more leaves: sockets are aborted, a child process is killed. Waits for nothing."""


class Driver(Protocol):
    """A way to connect accounts. Made once a process from the settings."""

    name: ClassVar[str]  # as in MessengerDriver
    sources: ClassVar[frozenset[MessengerSource]]
    codes: ClassVar[frozenset[Literal["qr", "code", "pairing", "password"]]]  # the steps its logins can have
    idempotent: ClassVar[bool]  # a second `send` of one `item` reaches nobody twice
    renews: ClassVar[float]  # seconds after which `act` must be said again

    def connect(self, account: Account, sink: Sink) -> Connection: ...

    async def close(self) -> None:
        """Whatever all connections share. They were closed before."""
