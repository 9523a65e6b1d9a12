"""The port that every driver implements: it publishes events to a broker, and says which of them the broker has.

A driver raises SinkFailed for whatever prevents publishing, with a code and a sentence that says what to do. What was
acknowledged before is in the error, so that the caller's cursor may pass it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class SinkAddress:
    """Says where a sink publishes, and what the stream is like that it makes there."""

    kind: str
    url: str = field(repr=False)  # with user and password, or token
    stream: str
    subject: str  # the template; see `sinks.subjects`
    credentials: str | None = field(default=None, repr=False)  # text of a credentials file
    make_stream: bool = True
    replicas: int = 3
    duplicate_window_seconds: int = 120


@dataclass(frozen=True, slots=True)
class SinkEvent:
    """One event to publish."""

    id: UUID  # the broker drops a second one with this id
    subject: str  # where it is published
    key: tuple[str, UUID]  # the object that it is about; events of one object keep their order
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class StreamStatus:
    """Describes the stream of a sink as the broker has it."""

    made: bool  # whether the call has made it
    messages: int
    replicas: int
    duplicate_window_seconds: float
    largest: int  # bytes of an event's body


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Says what the broker did with one event."""

    sequence: int  # its number in the stream
    duplicate: bool  # the broker had it already, and dropped this one


class SinkFailed(Exception):
    """Nothing can be published now. Its message is a sentence for the owner, and says what to do."""

    def __init__(self, code: str, message: str, *, acknowledged: int = 0, permanent: bool = False) -> None:
        """`acknowledged`: how many events from the batch's beginning the broker has. `permanent`: it is no use to try
        again before a person changes the sink or the broker.
        """
        # It may repeat what a broker said: no control characters, and nothing that PostgreSQL does not store.
        super().__init__("".join(each if each.isprintable() else " " for each in message)[:1000])
        self.code, self.acknowledged, self.permanent = code, acknowledged, permanent


class SinkStopped(SinkFailed):
    """The caller wanted no more events to be published. What was acknowledged until then is in `acknowledged`."""

    def __init__(self, acknowledged: int) -> None:
        super().__init__("stopped", "It was stopped.", acknowledged=acknowledged)


def always() -> bool:
    """Returns that a batch is published to its end."""
    return True


class Sink(Protocol):
    """A connection to a broker."""

    async def check(self) -> StreamStatus:
        """Looks for the stream, and makes it if it may. Raises SinkFailed."""

    async def publish(
        self, batch: Sequence[SinkEvent], goes_on: Callable[[], bool] = always
    ) -> Sequence[Acknowledged]:
        """Publishes events, and returns when the broker has all of them. Events of one object keep their order: the
        next one leaves when the one before it is acknowledged. No event leaves when `goes_on` returns False, as when
        another process may publish instead. Raises SinkFailed, and then SinkStopped.
        """

    async def close(self) -> None:
        """Ends the connection. It does not raise."""
