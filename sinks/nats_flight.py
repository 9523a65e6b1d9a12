"""Publishes one batch to JetStream, and reads what the stream answers."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final
from uuid import UUID

import nats.errors
import orjson
from nats.aio.msg import Msg

from sinks.nats_connection import Connection
from sinks.port import Acknowledged, SinkEvent, SinkFailed, SinkStopped

WINDOW: Final = 256
"""Events that are on their way at once."""
WINDOW_BYTES: Final = 4 * 1024 * 1024
AGAIN_SECONDS: Final = 2.0
"""After so long without any acknowledgement the events on their way are published again."""
ACKNOWLEDGE_SECONDS: Final = 10.0
"""After so long without any acknowledgement the broker counts as away."""

STOP_SECONDS: Final = 1.0
"""Seconds for acknowledgements that are awaited when nothing more is published."""

_LOOK_SECONDS = 0.25  # between two looks at events that are not acknowledged
_SEQUENCES = 2**63
_NO_RESPONDERS = "503"
_OTHER_STREAM = 10060  # another stream takes the subject than the one that is named
_FULL = frozenset({10023, 10028, 10047, 10077})  # no room, in the stream, in the memory or on the disk
PASSING: Final = frozenset({503, 408})
"""Codes of answers that may be others in a moment, as while a leader is elected."""


class Flight:
    """The events of one batch on their way to the broker."""

    def __init__(
        self,
        send: Callable[[SinkEvent], Awaitable[str]],
        connection: Connection,
        batch: Sequence[SinkEvent],
        had: dict[UUID, Acknowledged],
    ) -> None:
        """`send` publishes an event without waiting, and returns the token of its acknowledgement. `had`: what the
        broker has of the batch.
        """
        self._publish, self._connection, self._batch = send, connection, batch
        self._results: list[Acknowledged | None] = [had.get(event.id) for event in batch]
        self._waiting: dict[Any, deque[int]] = {}  # of each object: the event on its way, and those behind it
        self._ready: deque[int] = deque()
        self._tokens: dict[str, int] = {}
        self._flying: dict[int, None] = {}  # in the order in which they were sent
        self._bytes = 0
        self._left = 0
        self._progress = asyncio.Event()
        self._reason = ""  # why the broker did not take an event that is tried again
        self._failure: SinkFailed | None = None
        for index, event in enumerate(batch):
            if self._results[index] is not None:
                continue
            self._left += 1
            behind = self._waiting.setdefault(event.key, deque())
            if not behind:
                self._ready.append(index)
            behind.append(index)

    @property
    def acknowledged(self) -> list[Acknowledged]:
        """Returns the acknowledgements of all events, when there are all."""
        return [result for result in self._results if result is not None]

    @property
    def prefix(self) -> int:
        """Returns how many events from the beginning the broker has."""
        return next((n for n, result in enumerate(self._results) if result is None), len(self._results))

    def had(self) -> dict[UUID, Acknowledged]:
        """Returns the events behind the prefix that the broker has."""
        behind = range(self.prefix, len(self._batch))
        return {self._batch[n].id: result for n in behind if (result := self._results[n]) is not None}

    async def run(self, goes_on: Callable[[], bool]) -> None:
        """Publishes the events. Raises SinkFailed, and errors of the library."""
        loop = asyncio.get_running_loop()
        moved = again = loop.time()
        left, stopped = self._left, None
        while self._left:
            if goes_on() and stopped is None:
                await self._send_ready(goes_on)
            elif stopped is None:
                stopped = loop.time()
            elif not self._flying or loop.time() > stopped + STOP_SECONDS:
                raise SinkStopped(self.prefix)
            self._progress.clear()
            try:
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._progress.wait()
            except TimeoutError:
                pass
            if self._failure is not None:
                raise self._with_prefix(self._failure)
            now = loop.time()
            if self._left < left:
                left, moved, again, self._reason = self._left, now, now, ""
            elif now - moved > ACKNOWLEDGE_SECONDS:
                raise SinkFailed("broker_away", self._silent(), acknowledged=self.prefix)
            elif not self._connection.open:
                message = f"The connection to the broker broke. Check its servers.{hint(self._connection)}"
                raise SinkFailed("broker_away", message, acknowledged=self.prefix)
            elif (
                stopped is None
                and self._connection.drained
                and now - again > (_LOOK_SECONDS if self._reason else AGAIN_SECONDS)
            ):
                again = now
                for index in list(self._flying):
                    if goes_on() and loop.time() - moved <= ACKNOWLEDGE_SECONDS:
                        await self._send(index)

    async def _send_ready(self, goes_on: Callable[[], bool]) -> None:
        while (
            self._ready
            and goes_on()
            and len(self._flying) < WINDOW
            and (self._bytes < WINDOW_BYTES or not self._flying)
        ):
            index = self._ready.popleft()
            self._flying[index] = None
            self._bytes += len(self._batch[index].body)
            await self._send(index)

    async def _send(self, index: int) -> None:
        try:
            token = await self._publish(self._batch[index])
        except nats.errors.MaxPayloadError:
            raise self._with_prefix(_too_large(self._batch[index])) from None
        self._tokens[token] = index

    def receive(self, token: str, message: Msg) -> None:
        """Takes an acknowledgement, or what the broker says instead."""
        index = self._tokens.pop(token, None)
        if index is None or index not in self._flying:
            return
        if message.headers and message.headers.get("Status") == _NO_RESPONDERS:
            self._reason = "no stream takes the subject now"
            return
        try:
            answer = orjson.loads(message.data)
            error = answer.get("error")
            if error is None:
                sequence = int(answer["seq"])
                if not 0 <= sequence < _SEQUENCES:
                    raise ValueError(sequence)
                self._acknowledge(index, Acknowledged(sequence, bool(answer.get("duplicate"))))
                return
            code, description = int(error.get("code", 0)), str(error.get("description", ""))[:200]
            number = int(error.get("err_code", 0))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
            self._fail(SinkFailed("broker_away", "The broker's answer can't be read. Check its servers."))
            return
        if code in PASSING and number not in _FULL:
            self._reason = description
        else:
            self._fail(_not_stored(number, description, self._batch[index]))

    def _acknowledge(self, index: int, result: Acknowledged) -> None:
        event = self._batch[index]
        self._results[index] = result
        del self._flying[index]
        self._bytes -= len(event.body)
        self._left -= 1
        behind = self._waiting[event.key]
        behind.popleft()
        if behind:
            self._ready.append(behind[0])
        else:
            del self._waiting[event.key]
        self._progress.set()

    def _fail(self, failure: SinkFailed) -> None:
        self._failure = self._failure or failure
        self._progress.set()

    def _with_prefix(self, failure: SinkFailed) -> SinkFailed:
        failure.acknowledged = self.prefix
        return failure

    def _silent(self) -> str:
        why = f": {self._reason}" if self._reason else ""
        return (
            f"The broker did not acknowledge an event within {ACKNOWLEDGE_SECONDS:.0f} seconds{why}. Check that most"
            f" servers of its cluster run, and that the login may publish.{hint(self._connection)}"
        )


def hint(connection: Connection) -> str:
    """Returns what the server said last, as a sentence."""
    return f" It said: {connection.last_error}." if connection.last_error else ""


def _too_large(event: SinkEvent) -> SinkFailed:
    return SinkFailed(
        "event_too_large",
        f"The event {event.id} has {len(event.body):,} bytes, more than the broker takes. Raise its limit of bytes of a"
        " message (max_payload, or that of the stream).",
        permanent=True,
    )


def _not_stored(number: int, description: str, event: SinkEvent) -> SinkFailed:
    """Returns what it means that the stream did not store an event."""
    if number == _OTHER_STREAM:
        return SinkFailed(
            "sink_subject_not_in_stream",
            f"Another stream takes {event.subject}. Change the subjects of one of them, or the sink's.",
            permanent=True,
        )
    if "size" in description or "payload" in description:
        return _too_large(event)
    return SinkFailed(
        "stream_refused",
        f"The stream does not store events: {description}. Raise its limits, or make room for it.",
    )
