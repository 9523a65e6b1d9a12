"""The port between the sending core and the stores of messages.

A store has messages that wait: the table of direct messages (and trials), or the batches of a project. A worker takes
some of them under a claim, a lease whose id every later write names. `Claim` is what the core asks of it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

import asyncpg

from channels.port import Channel, Outcome, Outgoing
from core.storable_text import storable
from engine.sending.judge import Policy, Verdict


class Message(Protocol):
    """A message of a claim. The core sets `outcome`, `route` and `probe`."""

    attempts: int
    outcome: Outcome | None
    route: Channel | None
    probe: UUID | None  # the lease of its route's breaker, if the message is its probe

    @property
    def id(self) -> UUID: ...

    @property
    def to(self) -> str: ...

    @property
    def tries(self) -> int: ...

    @property
    def sender(self) -> UUID | None:
        """Returns the source account that sends it, if there is one."""

    @property
    def outgoing(self) -> Outgoing | None: ...

    @property
    def uncertain(self) -> bool:
        """Returns whether it was dispatched before, with an outcome that is not known."""

    @property
    def dispatched_by(self) -> str | None:
        """Returns the label of the route of its last intent."""

    @property
    def first_dispatch(self) -> datetime | None:
        """Returns the time of the dispatch whose outcome is not known."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Says why a route did not accept a message; without a code: it was not dispatched."""

    code: str | None = None
    reason: str | None = None


def failure_of(message: Message) -> Failure:
    """Returns why the message's route did not accept it."""
    outcome = message.outcome
    if outcome is None:
        return Failure()
    return Failure(storable(outcome.code or outcome.result.value), storable(outcome.reason))


@dataclass(frozen=True, slots=True)
class Points:
    """The names of the points at which tests kill the process; see engine/faultpoints.py."""

    recorded: str
    sent: str
    written: str
    settled: str | None = None


WithVerdict = tuple[Any, Verdict]
"""A message and the verdict on it."""


class Claim(Protocol):
    """Messages that this worker has claimed. `db` is a connection in a transaction of the core's."""

    channel: str
    points: Points
    loads: bool  # its messages may have files that are loaded before they are dispatched

    @property
    def locks(self) -> UUID:
        """Returns the id of the row that its writes lock first."""

    @property
    def group(self) -> UUID | None:
        """Returns the project, which takes turns with others; None for direct messages, which go first."""

    @property
    def lost(self) -> bool:
        """Returns whether another worker may have the claim."""

    @property
    def ended(self) -> bool:
        """Returns whether nothing more may be chosen: the claim is lost, or its project stopped."""

    def cooling(self, route: Channel, sender: UUID | None) -> float:
        """Returns the seconds for which the route wants nothing of this sender; 0 if it takes messages."""

    def throttled(self, route: Channel, message: Any) -> None:
        """Is called as soon as a route says "too fast"."""

    def policy(self, message: Any) -> Policy: ...

    async def record_intents(self, db: asyncpg.Connection, label: str, messages: Sequence[Any]) -> list[Any]:
        """Returns the messages that may be dispatched now. It may be repeated after a commit whose answer was lost."""

    async def withdraw_intents(self, db: asyncpg.Connection, messages: Sequence[Any]) -> None:
        """Stores that these messages were surely not accepted and stay with this claim."""

    async def record_outcomes(self, db: asyncpg.Connection, decided: Sequence[WithVerdict]) -> None:
        """Stores the states of messages that have an outcome, and what they cost. It may be repeated."""

    async def store_group(
        self, db: asyncpg.Connection, label: str, decided: Sequence[WithVerdict], messages: Sequence[Any]
    ) -> list[Any] | None:
        """Does what `record_outcomes` and `record_intents` do, in one statement that is a transaction of its own.

        Returns the messages that may be dispatched; None if there is no such statement for these, and nothing is done.
        """

    async def settle(self, db: asyncpg.Connection, decided: Sequence[WithVerdict]) -> None:
        """Applies reports that came before the outcomes were committed. `db` is in no transaction."""

    def recorded(self, messages: Sequence[Any]) -> None:
        """Is called after the commit of intents."""

    def withdrawn(self, messages: Sequence[Any]) -> None:
        """Is called after the commit of withdrawn intents."""

    async def stored(self, decided: Sequence[WithVerdict]) -> None:
        """Is called after the commit of outcomes."""

    def expired(self, messages: Sequence[Any]) -> list[Any]:
        """Sets the outcomes of messages that are too old to be dispatched, and returns these."""

    async def put_off(self, route: Channel, waiting: Sequence[tuple[Any, float]]) -> None:
        """Keeps messages that no route wants now; each with the seconds for which its route wants none."""

    async def load(self, message: Any) -> bool:
        """Loads the files of a message. Returns False if it can't be sent; then it has an outcome."""


class Stream(Protocol):
    """The stream of a route, as a delivery sees it; see engine/sending/stream.py."""

    label: str

    def add(self, delivery: Any, messages: Sequence[Any]) -> None: ...

    def take_back(self, delivery: Any, *, withdraw: bool = False) -> list[Any]: ...


class Streams(Protocol):
    """The streams of this process; see engine/sending/streams.py."""

    stopping: asyncio.Event

    def of(self, route: Channel) -> Stream: ...
