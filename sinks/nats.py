"""Publishes events to a stream of NATS JetStream.

Events of one object are published one after the other, each when the one before it is acknowledged; those of different
objects side by side, within a window. An acknowledgement that does not come is asked for again by publishing the same
event once more: the stream knows its id (`Nats-Msg-Id`), and drops the second one.
"""

from collections.abc import Callable, Sequence
from uuid import UUID

import nats.errors
import nats.js.errors
from nats.aio.msg import Msg
from nats.js.api import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig, StreamInfo

from core.outbound import Guard
from sinks import addresses, nats_connection, subjects
from sinks.addresses import BadAddress, Server
from sinks.nats_connection import MOST_ANNOUNCED, Connection
from sinks.nats_flight import PASSING, Flight, hint
from sinks.port import (
    Acknowledged,
    SinkAddress,
    SinkEvent,
    SinkFailed,
    StreamStatus,
    always,
)
from sinks.subjects import BadSubject

_API_SECONDS = 5.0  # for one question about the stream
_GRANTED = 2048  # bytes that the server may send for each event
_HEADERS = 256  # bytes of an event's headers, at most


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
        self._flight: Flight | None = None
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
        try:
            if self._status is None:
                await connection.client.subscribe(f"{self._inbox}*", cb=self._receive)
            self._status = await self._stream(connection)
        except SinkFailed:
            await self.close()
            raise
        except nats.errors.Error as error:
            await self.close()
            message = f"The connection to the broker broke ({error}). Check its servers."
            raise SinkFailed("broker_away", message) from None
        return self._status

    async def publish(
        self, batch: Sequence[SinkEvent], goes_on: Callable[[], bool] = always
    ) -> Sequence[Acknowledged]:
        """Publishes events, and returns when the broker has all of them, or when it has those on their way and
        `goes_on` returns False. Raises SinkFailed.
        """
        connection = self._connection
        if connection is None or not connection.open or self._status is None:
            await self.check()
            connection = self._connection
        assert connection is not None
        flight = self._flight = Flight(
            lambda event: self._send(connection, event), connection, batch, self._had
        )
        try:
            await flight.run(goes_on)
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

    async def _send(self, connection: Connection, event: SinkEvent) -> str:
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
                f".{hint(connection)}",
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


def _refused(error: nats.js.errors.APIError, name: str) -> SinkFailed:
    """Returns what a refusal of JetStream means."""
    description = (error.description or "no reason given")[:200]
    if isinstance(error, nats.js.errors.ServiceUnavailableError) and error.err_code is None:
        return SinkFailed(
            "broker_away",
            "JetStream does not answer. Check that it is switched on, and that most servers run.",
        )
    if error.code in PASSING and "replicas" not in description:
        return SinkFailed(
            "broker_away", f"JetStream can't be used now: {description}. Check that it is switched on there."
        )
    return SinkFailed(
        "stream_refused",
        f"The broker does not make or show the stream {name}: {description}. A single server stores one replica; a"
        " login needs permission for the API of JetStream.",
        permanent=True,
    )
