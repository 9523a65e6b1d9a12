"""Publishes events to a stream of NATS JetStream.

Events of one object are published one after the other, each when the one before it is acknowledged; those of different
objects side by side, within a window. An acknowledgement that does not come is asked for again by publishing the same
event once more: the stream knows its id (`Nats-Msg-Id`), and drops the second one.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import nats.errors
import nats.js.errors
import orjson
from nats.aio.msg import Msg
from nats.js.api import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig, StreamInfo

from core.outbound import Guard
from sinks import addresses, nats_connection, subjects
from sinks.addresses import BadAddress, Server
from sinks.nats_connection import MOST_ANNOUNCED, Connection
from sinks.port import Acknowledged, SinkAddress, SinkEvent, SinkFailed, StreamStatus
from sinks.subjects import BadSubject

WINDOW: Final = 256
"""Events that are on their way at once."""
WINDOW_BYTES: Final = 4 * 1024 * 1024
AGAIN_SECONDS: Final = 2.0
"""After so long without any acknowledgement the events on their way are published again."""
ACKNOWLEDGE_SECONDS: Final = 10.0
"""After so long without any acknowledgement the broker counts as away."""

_API_SECONDS = 5.0  # for one question about the stream
_GRANTED = 2048  # bytes that the server may send for each event
_HEADERS = 256  # bytes of an event's headers, at most
_NO_RESPONDERS = "503"
_OTHER_STREAM = 10060  # another stream takes the subject than the one that is named
_FULL = frozenset({10023, 10028, 10047, 10077})  # no room, in the stream, in the memory or on the disk
_PASSING = frozenset(
    {503, 408}
)  # codes of answers that may be others in a moment, as while a leader is elected


class NatsSink:
    """Publishes to one stream. One task at a time uses it."""

    def __init__(self, address: SinkAddress, guard: Guard) -> None:
        """Raises SinkFailed if the address or the subject can't be used. It connects when it is first used."""
        try:
            self._where = addresses.parse(address.url)
            subjects.check(address.subject)
        except BadAddress as error:
            raise SinkFailed("sink_url_invalid", str(error), permanent=True) from None
        except BadSubject as error:
            raise SinkFailed("bad_sink_subject", str(error), permanent=True) from None
        self._address, self._guard = address, guard
        self._connection: Connection | None = None
        self._status: StreamStatus | None = None
        self._inbox = ""
        self._number = 0  # of the last event that was sent on this connection
        self._flight: _Flight | None = None
        self._announced: list[Server] = []
        # What the broker has of a batch that failed, behind its first event that the broker did not acknowledge.
        self._had: dict[UUID, Acknowledged] = {}

    async def check(self) -> StreamStatus:
        """Looks for the stream, and makes it if it may. Raises SinkFailed."""
        connection = self._connection
        if connection is None or not connection.open:
            await self.close()
            connection = self._connection = await nats_connection.connect(
                self._where, self._address.credentials, self._guard, self._announced
            )
            name = self._where.servers[0].name
            self._announced = nats_connection.servers_of(connection.announced, name)[:MOST_ANNOUNCED]
            self._inbox = f"{connection.client.new_inbox()}."
            await connection.client.subscribe(f"{self._inbox}*", cb=self._receive)
        try:
            self._status = await self._stream(connection)
        except SinkFailed:
            await self.close()
            raise
        return self._status

    async def publish(self, batch: Sequence[SinkEvent]) -> Sequence[Acknowledged]:
        """Publishes events, and returns when the broker has all of them. Raises SinkFailed."""
        connection = self._connection
        if connection is None or not connection.open or self._status is None:
            await self.check()
            connection = self._connection
        assert connection is not None
        flight = self._flight = _Flight(self, connection, batch, self._had)
        try:
            await flight.run()
        except SinkFailed:
            self._had = flight.had()
            await self.close()
            raise
        except nats.errors.Error as error:
            self._had = flight.had()
            await self.close()
            message = f"The connection to the broker broke ({error}). Check its servers."
            raise SinkFailed("broker_away", message, acknowledged=flight.prefix) from None
        finally:
            self._flight = None
        self._had = {}
        return flight.acknowledged

    async def close(self) -> None:
        """Ends the connection. It does not raise."""
        connection, self._connection, self._status = self._connection, None, None
        if connection is not None:
            await connection.close()

    async def send(self, connection: Connection, event: SinkEvent) -> str:
        """Publishes one event without waiting. Returns the token of its acknowledgement."""
        self._number += 1
        token = str(self._number)
        connection.grant(_GRANTED)
        headers = {"Nats-Msg-Id": str(event.id), "Nats-Expected-Stream": self._address.stream}
        await connection.client.publish(event.subject, event.body, self._inbox + token, headers)
        return token

    async def _receive(self, message: Msg) -> None:
        if self._flight is not None:
            self._flight.receive(message.subject[len(self._inbox) :], message)

    async def _stream(self, connection: Connection) -> StreamStatus:
        """Returns the stream that takes the subject. Raises SinkFailed."""
        name = self._address.stream
        api = connection.client.jetstream(timeout=_API_SECONDS)
        connection.grant(64 * 1024)
        made = False
        try:
            try:
                info = await api.stream_info(name)
            except nats.js.errors.NotFoundError:
                if not self._address.make_stream:
                    raise SinkFailed(
                        "stream_missing",
                        f"The broker has no stream {name}. Make it there, or let the sink make it.",
                        permanent=True,
                    ) from None
                info = await api.add_stream(self._config())
                made = True
            return self._checked(connection, info, made=made)
        except SinkFailed:
            raise
        except nats.js.errors.APIError as error:
            raise _refused(error, name) from None
        except (nats.errors.TimeoutError, nats.errors.NoRespondersError):
            raise SinkFailed(
                "broker_away",
                "JetStream does not answer. Check that it is switched on, and that most servers of the cluster run"
                f".{_hint(connection)}",
            ) from None
        except Exception as error:  # whatever a server's answer makes the library throw
            message = f"The broker's answer about the stream can't be read ({type(error).__name__}). Check its servers."
            raise SinkFailed("broker_away", message) from None

    def _config(self) -> StreamConfig:
        return StreamConfig(
            name=self._address.stream,
            subjects=[subjects.pattern(self._address.subject)],
            retention=RetentionPolicy.LIMITS,
            storage=StorageType.FILE,
            discard=DiscardPolicy.OLD,
            num_replicas=self._address.replicas,
            duplicate_window=self._address.duplicate_window_seconds,
        )

    def _checked(self, connection: Connection, info: StreamInfo, *, made: bool) -> StreamStatus:
        config = info.config
        sample = subjects.render(self._address.subject, UUID(int=0), "sink.test", "eventSink")
        if not any(subjects.takes(subject, sample) for subject in config.subjects or ()):
            raise SinkFailed(
                "sink_subject_not_in_stream",
                f"The stream {self._address.stream} does not take {sample}. Add"
                f" {subjects.pattern(self._address.subject)} to its subjects, or change the sink's subject.",
                permanent=True,
            )
        largest = connection.client.max_payload
        if config.max_msg_size is not None and config.max_msg_size > 0:
            largest = min(largest, config.max_msg_size)
        return StreamStatus(
            made=made,
            messages=info.state.messages,
            replicas=config.num_replicas or 1,
            duplicate_window_seconds=config.duplicate_window or 0.0,
            largest=max(largest - _HEADERS, 0),
        )


class _Flight:
    """The events of one batch on their way to the broker."""

    def __init__(
        self,
        sink: NatsSink,
        connection: Connection,
        batch: Sequence[SinkEvent],
        had: dict[UUID, Acknowledged],
    ) -> None:
        self._sink, self._connection, self._batch = sink, connection, batch
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

    async def run(self) -> None:
        """Publishes the events. Raises SinkFailed, and errors of the library."""
        loop = asyncio.get_running_loop()
        moved = again = loop.time()
        left = self._left
        while self._left:
            await self._send_ready()
            self._progress.clear()
            try:
                async with asyncio.timeout(min(AGAIN_SECONDS, 0.25 if self._reason else AGAIN_SECONDS)):
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
                message = f"The connection to the broker broke. Check its servers.{_hint(self._connection)}"
                raise SinkFailed("broker_away", message, acknowledged=self.prefix)
            elif now - again > (0.25 if self._reason else AGAIN_SECONDS):
                again = now
                for index in list(self._flying):
                    await self._send(index)

    async def _send_ready(self) -> None:
        while self._ready and len(self._flying) < WINDOW and (self._bytes < WINDOW_BYTES or not self._flying):
            index = self._ready.popleft()
            self._flying[index] = None
            self._bytes += len(self._batch[index].body)
            await self._send(index)

    async def _send(self, index: int) -> None:
        try:
            token = await self._sink.send(self._connection, self._batch[index])
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
                self._acknowledge(index, Acknowledged(int(answer["seq"]), bool(answer.get("duplicate"))))
                return
            code, description = int(error.get("code", 0)), str(error.get("description", ""))[:200]
            number = int(error.get("err_code", 0))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
            self._fail(SinkFailed("broker_away", "The broker's answer can't be read. Check its servers."))
            return
        if code in _PASSING and number not in _FULL:
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
            f" servers of its cluster run, and that the login may publish.{_hint(self._connection)}"
        )


def _hint(connection: Connection) -> str:
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


def _refused(error: nats.js.errors.APIError, name: str) -> SinkFailed:
    """Returns what a refusal of JetStream means."""
    description = (error.description or "no reason given")[:200]
    if isinstance(error, nats.js.errors.ServiceUnavailableError) and error.err_code is None:
        return SinkFailed(
            "broker_away",
            "JetStream does not answer. Check that it is switched on, and that most servers run.",
        )
    if error.code in _PASSING and "replicas" not in description:
        return SinkFailed(
            "broker_away", f"JetStream can't be used now: {description}. Check that it is switched on there."
        )
    return SinkFailed(
        "stream_refused",
        f"The broker does not make or show the stream {name}: {description}. A single server stores one replica; a"
        " login needs permission for the API of JetStream.",
        permanent=True,
    )
