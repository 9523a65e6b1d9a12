"""The port that every messenger driver implements: the connection of one live account, and the sink it reports to.

A driver's `connect` makes a `Connection` for one account; nothing happens on the network before its `start`. From then
on the driver reports to its `Sink`: the steps of the login, the session to keep, messages and their delivery status.
The driver reports the account's true state and decides nothing else. The host (`engine/messengers/host.py`) decides how
often a QR may expire, when to reconnect after a failure, and whether this process may hold the account at all.

A report to the sink returns when it is stored. It raises `Lost` when the account no longer belongs to this
process; the driver must then close its connection at once and report nothing further.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable
from uuid import UUID

from shapes.chats import ChatMessageStatus, ContentKind
from shapes.messenger_accounts import AccountState, MessengerSource


@dataclass(frozen=True, slots=True)
class Account:
    """Holds the data that a driver needs to connect an account. Secrets are in plain text here and nowhere else."""

    id: UUID
    source: MessengerSource
    login: str
    phone: str | None = None  # digits: log in with a code sent or shown for this phone; None: with a QR
    session: str | None = field(default=None, repr=False)  # the last value passed to `Sink.session`
    cursor: Mapping[str, Any] = field(default_factory=dict)  # the last cursor passed to `Sink.apply_events`
    proxy: str | None = field(default=None, repr=False)  # socks5://user:password@host:port, or http://…
    credentials: Mapping[str, str] = field(default_factory=dict, repr=False)  # of a driver that needs some
    config: Mapping[str, Any] = field(default_factory=dict)  # the account's `default` configuration


@dataclass(frozen=True, slots=True)
class Media:
    """A file that goes with a text. The caller has fetched `data` and checked its size and its address."""

    kind: ContentKind
    data: bytes = field(repr=False)
    mime: str = "application/octet-stream"
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to send. `to` is a phone (E.164), a `@username`, or a thread that the driver has reported."""

    # our id. Drivers derive the messenger's own message key from it, so that a repeated send has no second effect
    item: UUID
    to: str
    text: str = ""
    media: Sequence[Media] = ()
    reply_to: str | None = None  # provider_id in that thread
    template: Mapping[str, Any] | None = None  # name, language, params; of WhatsApp Cloud


@dataclass(frozen=True, slots=True)
class Person:
    """A contact, or the account itself."""

    id: str  # the messenger's id
    phone: str | None = None  # E.164
    username: str | None = None  # without @
    first_name: str | None = None
    last_name: str | None = None
    avatar: str | None = None  # a URL, or a data: URL of at most 64 KiB
    exists: bool = True
    last_seen: datetime | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """The account's state, as the driver sees it now. Reporting the same state again is harmless.

    `value` is what a person must use to log in, and `expires_at` its end: the QR's text (`waitQr`) or the pairing
    code (`showCode`). It is never stored. `code` is stable and snake_case: `qr_expired`, `flood_wait`, `banned`,
    `session_revoked`, …
    """

    state: AccountState
    code: str | None = None
    reason: str | None = None  # a sentence for a human; never a secret
    until: datetime | None = None  # the messenger accepts no further attempt before this time
    value: str | None = field(default=None, repr=False)
    expires_at: datetime | None = None
    attempts_left: int | None = None
    me: Person | None = None  # with `working`


@dataclass(frozen=True, slots=True)
class Content:
    """A file that came with a message. `src` is a URL that may be fetched, a data: URL of at most 64 KiB, or None where
    the driver has neither."""

    kind: ContentKind
    src: str | None = None
    mime: str | None = None
    name: str | None = None
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message in a thread: received, sent from another device, or the echo of our own (`item` says which one)."""

    provider_id: str  # unique in its thread
    thread: str
    outgoing: bool
    at: datetime
    sender: str | None = None  # phone (E.164), else username, else the messenger's id
    recipient: str | None = None
    text: str = ""
    content: Sequence[Content] = ()
    reply_to: str | None = None  # provider_id
    details: Mapping[str, Any] | None = None  # what it says beside the text: see ChatMessage.details
    name: str | None = None  # the sender's display name
    chat_kind: Literal["user", "group", "channel"] = "user"
    chat_name: str | None = None
    aliases: Sequence[
        str
    ] = ()  # all ids of the other side of a `user` chat that the messenger names together
    status: ChatMessageStatus | None = None  # of an outgoing message
    item: UUID | None = None  # of an outgoing message that we sent, where the driver can tell
    past: bool = False  # loaded history: stored without an event, unless it arrives live afterwards
    edited_at: datetime | None = None  # reported again because its author edited it
    edited_by: str | None = None  # another sender's edit is ignored; None: the messenger checks that


@dataclass(frozen=True, slots=True)
class Progress:
    """The delivery status of outgoing messages of a thread. `up_to`: of this message and all before it."""

    thread: str
    provider_id: str
    status: ChatMessageStatus
    up_to: bool = False
    at: datetime | None = None
    code: str | None = None  # of `errored`
    reason: str | None = None
    aliases: Sequence[str] = ()  # as of a message


@dataclass(frozen=True, slots=True)
class Reaction:
    """A reaction to a message. `emoji` None: it was removed."""

    thread: str
    provider_id: str  # of the message that it belongs to
    sender: str
    emoji: str | None
    at: datetime
    outgoing: bool = False


@dataclass(frozen=True, slots=True)
class Deletion:
    """A message was deleted at the messenger, by anybody who may do that.

    `thread` None: the messenger does not name the thread. The id is then unique in the account, except for threads
    that match `apart` (a regular expression), which number their messages separately. With a thread, `outgoing` and
    `sender` say whose message it must be, where the messenger leaves that check to the receiver.
    """

    provider_id: str
    thread: str | None = None
    apart: str | None = None
    outgoing: bool | None = None
    sender: str | None = None


ThreadEvent = Message | Progress | Reaction
Event = ThreadEvent | Deletion


class Lost(Exception):
    """The account no longer belongs to this process. Disconnect at once, and report nothing further."""


class Sink(Protocol):
    """Receives the events that a connection reports. The first three methods raise Lost."""

    async def changed(self, change: Change) -> None: ...

    async def session(self, session: str | None) -> None:
        """Stores the data that is needed to reconnect without a login; None: the session was revoked or forgotten."""

    async def apply_events(self, events: Sequence[Event], cursor: Mapping[str, Any] | None = None) -> None:
        """Stores the events in transactions of up to 200, the cursor with the last, so that a crash loses none.

        Repeated events are ignored.
        """

    def seconds_left(self) -> float:
        """Returns for how many seconds more the account surely belongs to this process.

        Any thread may call it. A child process of the driver must have ended by then, also if this process hangs.
        """

    async def restarting(self) -> None:
        """Waits until the machine has room for one more start. A driver calls it before each start of a child process
        but the first, for which the host has waited.
        """


class MessengerError(Exception):
    """A call that failed. `code` is stable and snake_case, `reason` one sentence; neither holds a secret."""

    code: str = "messenger_error"

    def __init__(self, reason: str, *, code: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code or type(self).code


class WrongStep(MessengerError):
    """The account's state does not allow this call (a code while a QR is shown, a message while stopped).

    `state` is the state in which the driver has just found the account, if the sink was not told about it before.
    """

    code = "wrong_state"

    def __init__(self, reason: str, *, code: str | None = None, state: AccountState | None = None) -> None:
        super().__init__(reason, code=code)
        self.state = state


class CodeInvalid(MessengerError):
    """A login code that the messenger rejected; `attempts_left` if the messenger says so."""

    code = "code_invalid"

    def __init__(self, reason: str, *, attempts_left: int | None = None, code: str | None = None) -> None:
        super().__init__(reason, code=code)
        self.attempts_left = attempts_left


class PasswordInvalid(CodeInvalid):
    """A cloud password that the messenger rejected."""

    code = "password_invalid"


class Throttled(MessengerError):
    """The messenger rejected the call because of a rate limit. Nothing was sent."""

    code = "throttled"

    def __init__(self, reason: str, *, until: datetime) -> None:
        super().__init__(reason)
        self.until = until


class Restricted(MessengerError):
    """The messenger does not let this account write to strangers. `until` as it has named it, never made up."""

    code = "new_chats_restricted"

    def __init__(self, reason: str, *, code: str | None = None, until: datetime | None = None) -> None:
        super().__init__(reason, code=code)
        self.until = until


class Refused(MessengerError):
    """The messenger rejects the call for good: no such recipient, privacy, forbidden content."""

    code = "refused"


class Unreachable(MessengerError):
    """The call was not executed: no connection, or an error on the messenger's side. A later attempt may succeed."""

    code = "messenger_unavailable"


class Uncertain(MessengerError):
    """The request left and no answer came: it may or may not have been executed."""

    code = "uncertain"


class Unsupported(MessengerError):
    """This driver does not support the call."""

    code = "unsupported"


class Broken(MessengerError):
    """The driver has a bug: the call failed, the log has the traceback, and the same call fails again."""

    code = "driver_failed"


@dataclass(frozen=True, slots=True)
class Sent:
    """The messenger's answer to an accepted message."""

    provider_id: str
    thread: str
    at: datetime
    status: ChatMessageStatus = ChatMessageStatus.server
    parts: Sequence[str] = ()  # provider_ids of the messages after the first, where the message was split


Action = Literal["typing", "recording", "none"]


class Connection(Protocol):
    """The live connection of one account. Calls other than `start`, `close` and `forget` raise MessengerError.

    Messages of one thread are reported in their order. Own messages that `send` returned need not be reported;
    reporting them with `item` is harmless. Of an item that was split into several messages only the first is
    reported.
    """

    async def start(self) -> None:
        """Connects and continues from `Account.session`, or begins a login. Returns soon; `Sink.changed` reports the
        rest.

        A lost network is `reconnecting`; the driver retries without limit, with growing pauses. A session that
        the messenger does not know any more is `loggedOut`, a ban is `blocked`. A QR or code that expired
        unused is reported again with a new value; the host ends the login after too many of them.
        """

    async def close(self) -> None:
        """Disconnects and keeps the session. Returns within 6 s, never raises, and may be called twice.

        Before it returns, all that the messenger will not send again is reported to `Sink.apply_events`.
        `Sink.changed` raises Lost from now on.
        """

    async def forget(self) -> None:
        """Logs out at the messenger, if it can be reached within 10 s, and disconnects."""

    async def code(self, code: str) -> None:
        """Submits the login code that the messenger sent. Raises WrongStep, CodeInvalid, Throttled, Unreachable."""

    async def password(self, password: str) -> None:
        """Submits the cloud password. Raises WrongStep, PasswordInvalid, Throttled, Unreachable."""

    async def send(self, message: Outgoing) -> Sent:
        """Sends a message.

        Raises WrongStep, Refused, Throttled, Unreachable (surely not sent), Uncertain, Unsupported.
        """

    async def history(self, thread: str, limit: int, before: str | None = None) -> Sequence[Message]:
        """Returns the newest `limit` messages before that provider_id from the messenger, newest first; `[]` where the
        messenger keeps none."""

    async def person(self, to: str) -> Person | None:
        """Looks a contact up by phone, `@username`, thread or the messenger's id. Returns None if there is none; never
        guesses."""

    async def me(self) -> Person: ...

    async def act(self, to: str, action: Action) -> None:
        """Shows the action once; messengers hide it after about five seconds, and the caller renews it."""

    async def read(self, thread: str, provider_id: str) -> None:
        """Marks the message and all before it as read."""

    async def fetch(self, thread: str, provider_id: str, index: int) -> Media:
        """Downloads the file of a message. Raises Refused when it is gone or larger than 50 MiB."""

    async def probe(self) -> bool:
        """Asks the messenger whether this session is alive. Returns within 5 s."""


@runtime_checkable
class Abortable(Protocol):
    """A connection that can be aborted without waiting.

    After a standstill of the process another process may already hold the account. The host then calls `abort`
    before anything else runs, and `close` after it.
    """

    def abort(self) -> None:
        """Stops all output at once: sockets are aborted, a child process is killed. Waits for nothing."""


class Driver(Protocol):
    """A way to connect accounts. Made once per process from the settings."""

    name: ClassVar[str]  # as in MessengerDriver
    sources: ClassVar[frozenset[MessengerSource]]
    codes: ClassVar[frozenset[Literal["qr", "code", "pairing", "password"]]]  # steps of its logins
    idempotent: ClassVar[bool]  # a second `send` of one `item` is not delivered twice
    renews: ClassVar[float]  # seconds after which `act` must be repeated
    runs_processes: ClassVar[bool]  # each connection has a child process of its own

    def connect(self, account: Account, sink: Sink) -> Connection: ...

    async def close(self) -> None:
        """Closes the resources that all connections share. The connections were closed before."""
