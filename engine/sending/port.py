"""The port between the sending core and the stores of messages.

A store has messages that wait: the table of direct messages (and trials), or the batches of a project. A worker takes
some of them under a claim, a lease whose id every later write names. `Claim` has the methods that each must have, and
the smaller protocols those that only some claims have.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeVar, runtime_checkable
from uuid import UUID

import asyncpg

from channels.port import Channel, Outcome, Outgoing
from core.storable_text import storable
from engine.receivers.rules import Receiver
from engine.sending.judge import Policy, Verdict


class Message(Protocol):
    """A message of a claim. The core sets `outcome`, `route` and `probe`."""

    attempts: int
    outcome: Outcome | None
    route: Channel | None
    probe: UUID | None  # the lease of its route's breaker, if the message is its probe
    receiver: Receiver | None  # of an email that a rule of receivers is about

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
class FaultPoints:
    """The names of the points at which tests kill the process; see engine/faultpoints.py."""

    recorded: str
    sent: str
    written: str
    early_applied: str | None = None


WithVerdict = tuple[Any, Verdict]
"""A message and the verdict on it."""

M = TypeVar("M", bound=Message)
M_contra = TypeVar("M_contra", bound=Message, contravariant=True)


class Claim(Protocol[M]):
    """Messages that this worker has claimed. `db` is a connection in a transaction of the core's.

    A claim may also have the methods of the protocols below; the core looks once, when it is given the claim.
    """

    @property
    def row_id(self) -> UUID:
        """Returns the id of the row that its writes lock first."""

    @property
    def ended(self) -> bool:
        """Returns whether nothing more may be dispatched: another worker may have the claim, its project does not run
        any more, or its last route refuses our credentials.
        """

    def policy(self, message: M) -> Policy: ...

    async def record_intents(self, db: asyncpg.Connection, label: str, messages: Sequence[M]) -> list[M]:
        """Returns the messages that may be dispatched now. It may be repeated after a commit whose answer was lost."""

    async def withdraw_intents(self, db: asyncpg.Connection, messages: Sequence[M]) -> None:
        """Stores that these messages were surely not accepted and stay with this claim."""

    async def record_outcomes(self, db: asyncpg.Connection, decided: Sequence[WithVerdict]) -> None:
        """Stores the states of messages that have an outcome, and their cost. It may be repeated."""

    async def outcomes_stored(self, decided: Sequence[WithVerdict]) -> None:
        """Is called after the commit of outcomes."""

    async def apply_early(self, db: asyncpg.Connection, decided: Sequence[WithVerdict]) -> None:
        """Applies reports that came before the outcomes were committed. `db` is in no transaction."""

    async def defer(self, route: Channel, waiting: Sequence[tuple[M, float]]) -> None:
        """Keeps messages that no route wants now; each with the seconds for which its route wants none."""


@runtime_checkable
class StoresGroups(Protocol[M]):
    """A claim that has a quicker way to store a group."""

    async def store_group(
        self, db: asyncpg.Connection, label: str, decided: Sequence[WithVerdict], messages: Sequence[M]
    ) -> list[M] | None:
        """Works as `record_outcomes` and `record_intents` do, in one statement that is a transaction of its own.

        Returns the messages that may be dispatched; None if there is no such statement for these, and nothing is done.
        """


@runtime_checkable
class CountsIntents(Protocol[M_contra]):
    """A claim that counts its messages with an intent."""

    def intents_recorded(self, messages: Sequence[M_contra]) -> None:
        """Is called after the commit of intents."""

    def intents_withdrawn(self, messages: Sequence[M_contra]) -> None:
        """Is called after the commit of withdrawn intents."""


@runtime_checkable
class CoolsDown(Protocol[M_contra]):
    """A claim whose senders wait together after a route said "too fast"; other messages wait alone."""

    def cooling(self, route: Channel, sender: UUID | None) -> float:
        """Returns the seconds for which the route wants nothing of this sender; 0 if it takes messages."""

    def throttled(self, route: Channel, message: M_contra) -> None:
        """Is called as soon as a route says "too fast"."""


@runtime_checkable
class Expires(Protocol[M]):
    """A claim whose messages may be too old to be dispatched."""

    def expire(self, messages: Sequence[M]) -> list[M]:
        """Sets the outcomes of messages that are too old, and returns these."""


@runtime_checkable
class LoadsFiles(Protocol[M_contra]):
    """A claim whose messages have files that are loaded before they are dispatched."""

    async def load(self, message: M_contra) -> bool:
        """Loads the files of a message. Returns False if it can't be sent; then it has an outcome."""


class Stream(Protocol):
    """The stream of a route, as a delivery sees it; see engine/sending/stream.py."""

    label: str

    def add(self, delivery: Any, messages: Sequence[Message]) -> None: ...

    def remove(self, delivery: Any, *, withdraw: bool = False) -> list[Message]: ...


class Streams(Protocol):
    """The streams of this process; see engine/sending/streams.py."""

    stopping: asyncio.Event

    def of(self, route: Channel) -> Stream: ...
