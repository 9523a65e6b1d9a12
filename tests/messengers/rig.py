"""Defines what the conformance suite needs of a driver's counterpart: a messenger on loopback that the tests control.

A driver's rig is one file, `rigs/<driver>.py`, found by its name. It exports

    NAMES = ("telegram",)                  # ids of its variants, written out: the suite runs once for each

    @asynccontextmanager
    async def rig(name: str) -> AsyncIterator[Rig]: ...

which starts the counterpart (a real server on loopback), makes the driver and, at the end, closes both. It calls
`pytest.skip` where the machine lacks something that it needs. A test gets a fresh rig; make it cheap, or share the
server within the process.

What a driver's port attributes rule out (`codes`, `idempotent`) is left out by the suite; what else it can't do its
rig does not list in `can`, with the reason in a comment.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from messengers.port import Account, Action, Driver, Media


class How(StrEnum):
    """These are the ways to log in a new account; the first three need what stands in `Driver.codes`."""

    qr = "qr"  # waitQr, the person scans it, working
    code = "code"  # waitCode, `Connection.code`, working
    pairing = "pairing"  # showCode, the person types it, working
    qr_password = "qr_password"  # as `qr`, then waitPassword; needs `qr` and `password` in `Driver.codes`
    code_password = "code_password"  # as `code`, then waitPassword; needs `code` and `password`
    session = "session"  # no login at all: the account's credentials or session are ready (WhatsApp Cloud)


class Can(StrEnum):
    """These are the abilities of a counterpart; a rig lists those that its driver's messenger has at all."""

    session = "session"  # `Sink.session` is told, and is enough to connect again
    history = "history"  # the messenger keeps messages, and `Connection.history` pages through them
    gap = "gap"  # what came while the account was away is told when it is back, by `Account.cursor`
    replies = "replies"
    reactions = "reactions"
    media = "media"  # sent, received, fetched
    acts = "acts"  # typing is shown to the other side
    recording = "recording"  # and so is recording, as something else
    seen = "seen"  # `has_seen` comes back when the other side reads
    read = "read"  # the other side is told when we read
    person = "person"  # somebody can be looked up, and nobody found
    drop = "drop"  # the network can be cut: reconnecting, then working
    revoke = "revoke"  # the session can be ended from elsewhere: loggedOut
    ban = "ban"  # the account can be banned: blocked
    unused = "unused"  # a QR or code that nobody uses expires within the test, and is told again renewed
    elsewhere = "elsewhere"  # what the account's person sends from another device is told, outgoing


class Trouble(StrEnum):
    """These are the ways in which the next `send` to a recipient ends; a rig lists those that its counterpart can
    stage.
    """

    refused = "refused"  # raises Refused
    throttled = "throttled"  # raises Throttled, with `until`; nothing was sent
    unreachable = "unreachable"  # raises Unreachable; nothing was sent
    uncertain = "uncertain"  # taken, and the answer is lost: raises Uncertain


@dataclass(frozen=True, slots=True)
class Got:
    """A message as the other side has it."""

    text: str
    media: Sequence[Media] = ()
    reply_to: str | None = None  # the text of the message that it answers; None: it answers none
    provider_id: str | None = None  # as `Connection.send` answered it, where both sides have the same


class Peer(Protocol):
    """Stands for another person at the messenger, who has a phone and no account of ours."""

    to: str  # how an account addresses this person before anything was written: E.164 or @username

    async def write(self, text: str = "", *, media: Media | None = None, reply_to: str | None = None) -> None:
        """Writes to the account. `reply_to` is a provider_id as the account knows it."""

    async def got(self) -> Sequence[Got]:
        """Returns what the account wrote to this person, oldest first."""

    async def read(self) -> None:
        """Reads all that the account wrote."""

    async def react(self, provider_id: str, emoji: str | None) -> None:
        """Reacts to a message, by its id as the account knows it; None takes the reaction back."""

    async def acts(self) -> Sequence[Action]:
        """Returns the actions of the account that this person was shown, oldest first."""

    async def saw_read(self) -> bool:
        """Returns whether this person's newest message is shown to them as read."""


class Rig(Protocol):
    """A counterpart that runs, and a driver that knows where it is."""

    driver: Driver
    hows: frozenset[How]
    can: frozenset[Can]
    troubles: frozenset[Trouble]
    right_code: str  # what `Connection.code` takes; any other is wrong
    right_password: str  # the same of `Connection.password`
    secrets: Sequence[str]  # strings that no error, log line or repr may show, beside codes and sessions

    def account(self, how: How) -> Account:
        """A new one, never connected before, whose login goes that way."""

    async def admit(self, account: Account, value: str) -> None:
        """Lets the person scan the QR that says `value`, or type the pairing code `value` on the phone."""

    async def peer(self, account: Account) -> Peer:
        """A new somebody, whom the account can write to and who can write to it. The account is or was working."""

    async def trouble(self, account: Account, trouble: Trouble) -> str:
        """Stages it for this account's next `send`; the recipient (`Outgoing.to`) that it must go to."""

    async def taken(self, account: Account, to: str) -> int:
        """Returns how many messages of the account the messenger took for that recipient of `trouble`."""

    async def elsewhere(self, account: Account, peer: Peer, text: str) -> None:
        """The account's person writes to the peer from another device."""

    async def drop(self, account: Account) -> None:
        """Cuts the account's connection; a new one is let through."""

    async def revoke(self, account: Account) -> None:
        """Ends the account's session at the messenger."""

    async def ban(self, account: Account) -> None:
        """Bans the account while it is connected."""

    async def connections(self, account: Account) -> int:
        """Returns how many live connections of the account the messenger sees now."""


RigFactory = Callable[[str], AbstractAsyncContextManager[Rig]]
