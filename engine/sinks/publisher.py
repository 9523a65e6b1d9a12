"""Publishes the events of one sink, as long as this process has its lease and there are some."""

import asyncio
import random
import time
from collections.abc import MutableMapping
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import structlog

import sinks
from core.errors import BadRequest, Unavailable
from core.tasks import end
from engine.feed.event_watch import watch_of
from engine.sinks import cursors, reader
from engine.sinks.cursors import Cursor, Reached
from engine.sinks.endpoints import address_of
from engine.sinks.reader import Batch, NoPoints
from runtime.leases import JobLease
from runtime.services import Services
from runtime.webhook_documents import BadDocument
from sinks.port import Sink, SinkFailed, SinkStopped, StreamStatus

log = structlog.get_logger("postern.sinks")

PAUSES: Final = tuple(timedelta(seconds=seconds) for seconds in (0.5, 1, 2, 5, 10, 20, 30, 60))
"""The pause of a sink after its first failure in a row, the second, …; the last one from then on.

They are short, because the feed is bounded: events that it deletes meanwhile are never published.
"""
PERMANENT_PAUSE: Final = timedelta(minutes=1)
"""The shortest pause after a failure that lasts until a person changes the sink or the broker."""
POINTS_PAUSE: Final = timedelta(seconds=5)
"""The pause while the documents of the sink's owner have no points left."""
ROUND_SECONDS: Final = 0.2
"""The least time from one round to the next of a process apart, while all events fit into one batch: while a few come
at a time, each round would cost as many statements as a full one. In a worker large batches would delay its messages.
"""
LINGER_SECONDS: Final = 5.0
"""Seconds for which a connection without events is kept."""
BATCHES: Final = 8
"""Batches of one feed, before the next feed of the installation has its turn."""
LOOK_SECONDS: Final = 0.5
"""Seconds between two looks at the feeds of the installation, while its connection is kept."""

_MEMBER_LEFT = "the member who has made it has left; save the sink again to go on"
_TOKEN_ENDED = "its API token has ended, or may not read events any more; save the sink again to go on"


class Publisher:
    """Publishes the events of one sink."""

    def __init__(
        self,
        services: Services,
        sink_id: UUID,
        lease: JobLease,
        reads: asyncio.Semaphore,
        drivers: MutableMapping[UUID, tuple[int, Sink]],
        *,
        apart: bool,
    ) -> None:
        """`reads`: batches that are read at once. `drivers`: of each sink, by its version, the driver that this process
        used last: it knows the servers that a cluster has announced, and the events of a failed batch that the broker
        has. `apart`: as in `Publishing`.
        """
        self._drivers, self._apart = drivers, apart
        self._services, self._db = services, services.db
        self._sink_id, self._lease, self._reads = sink_id, lease, reads
        self._sink: Sink | None = None
        self._status: StreamStatus | None = None
        self._row: Any = None
        self._ended = asyncio.Event()

    def end(self) -> None:
        """Ends it after the batch that is on its way."""
        self._ended.set()

    @property
    def _goes_on(self) -> bool:
        return self._lease.valid and not self._ended.is_set() and not self._services.stopping.is_set()

    async def run(self) -> None:
        """Publishes until there is nothing to publish, or nothing can be. Raises database errors."""
        try:
            idle_since = time.monotonic()
            while self._goes_on and await self._load():
                begun = time.monotonic()
                if batches := await self._publish_due():
                    idle_since = time.monotonic()
                    if batches == 1 and self._apart:
                        await self._rest(begun + ROUND_SECONDS - idle_since)
                    continue
                is_over = self._sink is None or time.monotonic() > idle_since + LINGER_SECONDS
                if is_over or not self._goes_on or not await self._wait(idle_since):
                    return
        finally:
            await self._close()

    async def _load(self) -> bool:
        """Reads the sink's row, and connects anew if it was changed. Returns whether it may publish."""
        row = await cursors.source(self._db, self._sink_id, apart=self._apart)
        if row is None:
            return False
        if self._row is not None and row.version != self._row.version:
            await self._close()
        self._row = row
        if row.token_ended or (row.token_scopes is not None and "events:read" not in row.token_scopes):
            await cursors.disable(self._db, self._lease, row, _TOKEN_ENDED)
            return False
        if row.member_left:
            await cursors.disable(self._db, self._lease, row, _MEMBER_LEFT)
            return False
        return True

    async def _publish_due(self) -> int:
        """Publishes some batches of each feed. Returns the most of one feed; a failure ends the publisher."""
        due = await cursors.of_sink(self._db, self._sink_id, installation=self._row.owner_id is None)
        batches = 0
        try:
            for cursor in due:
                if not self._goes_on:
                    break
                batches = max(batches, await self._publish_feed(cursor))
        except SinkStopped:
            batches = BATCHES
        except SinkFailed as error:
            await self._failed(str(error), permanent=error.permanent)
        except BadRequest as error:  # no key opens the address
            await self._failed(str(error), permanent=True)
        except BadDocument as error:
            reason = f"its document is not valid any more: {error}"
            await cursors.disable(self._db, self._lease, self._row, reason)
            self.end()
        except Unavailable:
            await self._failed("Its document could not be run in time.", permanent=False)
        except NoPoints:
            reason = "The documents of its owner have no points left for now."
            await cursors.wait(self._db, self._lease, self._row, POINTS_PAUSE, reason)
            self.end()
        return batches

    async def _publish_feed(self, cursor: Cursor) -> int:
        """Publishes some batches of a feed, and reads the next one meanwhile. Returns how many there were."""
        part = await reader.next_part(self._services, self._row, cursor)
        if part is None:
            return 0
        status = await self._connected()
        batch: Batch | None = await self._read(cursor, part, status)
        for number in range(BATCHES):
            assert batch is not None
            rest = batch.rest if number + 1 < BATCHES else None
            following = None if rest is None else asyncio.create_task(self._read(cursor, rest, status))
            try:
                if not await self._publish(cursor, batch) or not self._goes_on or following is None:
                    break
                batch = await following
            finally:
                if following is not None and not following.done():
                    await end((following,))
                elif following is not None and not following.cancelled():
                    following.exception()  # marks it as retrieved; the next look meets it again
        return number + 1

    async def _read(self, cursor: Cursor, part: reader.Part, status: StreamStatus) -> Batch:
        async with self._reads:
            return await reader.read(self._services, self._row, cursor.owner_id, part, status.largest)

    async def _publish(self, cursor: Cursor, batch: Batch) -> bool:
        """Publishes a batch, and stores how far it came. Returns False if the lease is lost.

        Raises SinkStopped if the sink was changed meanwhile: its row is read again.
        """
        assert self._sink is not None
        if not self._lease.valid:
            return False
        try:
            if batch.events:
                await self._sink.publish(batch.events, lambda: self._goes_on)
        except SinkFailed as error:
            if error.acknowledged:
                await self._store(cursor, batch.reached(error.acknowledged))
            raise
        if not await self._store(cursor, batch.reached(len(batch.events))):
            raise SinkStopped(0)
        # A document that can't be run goes on failing: the owner is not told that it works after each event.
        if (self._row.failures or self._row.last_error) and not batch.truncated:
            await cursors.recovered(self._db, self._lease, self._sink_id)
            log.info("a sink works again", sink=str(self._sink_id))
            self._row = await cursors.source(self._db, self._sink_id, apart=self._apart) or self._row
        return True

    async def _store(self, cursor: Cursor, reached: Reached) -> bool:
        return await cursors.store(self._db, self._lease, cursor, reached, self._row.version)

    async def _connected(self) -> StreamStatus:
        """Returns the status of the stream; connects if there is no connection. Raises SinkFailed, BadRequest."""
        if self._sink is None:
            version, driver = self._drivers.get(self._sink_id, (None, None))
            if driver is None or version != self._row.version:
                driver = sinks.connect(address_of(self._services, self._row), self._services.guard)
            self._sink = driver
            self._drivers[self._sink_id] = self._row.version, driver
            self._status = None
        if self._status is None:
            self._status = await self._sink.check()
        return self._status

    async def _failed(self, reason: str, *, permanent: bool) -> None:
        pause = PAUSES[min(self._row.failures, len(PAUSES) - 1)] * random.uniform(0.8, 1.2)
        if permanent:
            pause = max(pause, PERMANENT_PAUSE)
        await cursors.failed(self._db, self._lease, self._row, reason, pause)
        log.info(
            "a sink has to wait",
            sink=str(self._sink_id),
            failures=self._row.failures + 1,
            reason=reason[:200],
        )
        self.end()

    async def _wait(self, idle_since: float) -> bool:
        """Waits for events while the connection is kept. Returns whether there may be some.

        It asks the database nothing of its own for the sink of an owner: the watch of this process does.
        """
        if self._row.owner_id is None:
            await self._rest(LOOK_SECONDS)
            return True
        rows = await cursors.of_sink(self._db, self._sink_id, installation=False)
        if not rows:
            return False
        waits = [
            asyncio.create_task(watch_of(self._services).wait(rows[0].owner_id, rows[0].position)),
            asyncio.create_task(self._ended.wait()),
        ]
        try:
            left = max(idle_since + LINGER_SECONDS - time.monotonic(), 0)
            await asyncio.wait(waits, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            return waits[0].done()
        finally:
            await end(waits)

    async def _rest(self, seconds: float) -> None:
        """Waits so long, or until the publisher ends."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()

    async def _close(self) -> None:
        sink, self._sink = self._sink, None
        if sink is not None:
            await sink.close()
