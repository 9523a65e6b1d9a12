"""Sending what is queued: claim a batch, mark, hand over, write down; until nothing is due.

At no moment is a message that was handed over indistinguishable from one that wasn't: the mark is committed
before the provider is called, the verdict after. What dies in between is `unknown`, and that is at most what
was in the provider's hands.
"""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from channels.port import Channel, Outcome, Result
from core.change_events import ChangeEvents
from core.errors import AppError, Unavailable
from core.file_store import FileStore
from core.ids import uuid7
from core.metrics import DRAIN_SECONDS, HANDOVERS
from core.tasks import nobody_waits
from db.session import Database
from engine import attached, claims, direct_events, queue
from engine.asking import ask
from engine.direct_items import DirectItem, another_route, blocked, nowhere, too_late, verdict_of
from engine.faultpoints import reach
from engine.outcomes import Verdict, note, record, settle
from runtime import breakers
from runtime.breakers import Breakers
from runtime.database_errors import translate
from runtime.retry import until_stored
from runtime.routes import MESSENGERS, Routes
from shapes.messages import DeliveryState, MessageChannel

log = structlog.get_logger("postern.engine")

BATCH = 500
_SLOTS = 32  # of one channel; a channel that takes larger batches gets several messages a slot
UNWRITABLE = "outcome_unwritable"
"""The code of a message whose outcome the database refused; see the log."""

_BARRIER = timedelta(milliseconds=200)

_ATTACHING = 8  # hand-overs with files at once: their bytes are in memory meanwhile


class Dispatcher:
    """One a worker process."""

    def __init__(
        self,
        db: Database,
        routes: Routes,
        *,
        worker: str,
        lease: float,
        attempts: int,
        change_events: ChangeEvents | None = None,
        files: FileStore | None = None,
        messengers: Channel | None = None,
        route_breakers: Breakers | None = None,
    ) -> None:
        """`change_events`: where what becomes of messages is announced. `files`: where attachments are. `messengers`: the
        way of trials through messenger accounts. `route_breakers`: this process's own, for all who send.
        """
        self._breakers = route_breakers or Breakers(db)
        self._db, self._routes, self._worker, self._change_events = db, routes, worker, change_events
        self._lease = timedelta(seconds=lease)
        self._attempts = attempts
        self._messengers = messengers
        self._files, self._attaching = files, asyncio.Semaphore(_ATTACHING)
        self.stopping = asyncio.Event()

    async def drain(self, channel: str) -> int:
        """Sends everything that is due on this channel. How many messages left the queue."""
        await self._wait_for_senders(channel)
        await self.recover()
        total = 0
        while not self.stopping.is_set():
            limit, wait = self._admitted(channel)
            if wait:
                async with self._db.reading() as db:
                    await queue.wake_later(db, channel, timedelta(seconds=wait))
                break
            claim = uuid7()
            async with self._db.reading() as db:
                rows = await claims.take(db, claim, self._worker, channel, limit=limit, lease=self._lease)
            if not rows:
                break
            reach("claimed")
            begun = time.perf_counter()
            await self._batch(claim, channel, rows)
            DRAIN_SECONDS.labels(channel).observe(time.perf_counter() - begun)
            total += len(rows)
        return total

    def _admitted(self, channel: str) -> tuple[int, float]:
        """How many messages to claim, and for how many seconds none: while the breaker of each route is open, no
        more than a probe is taken out of the queue.
        """
        names = [breakers.whole(self._routes, route) for route in self._routes.of(channel)]
        if not names or channel in MESSENGERS or any(self._breakers.closed(name) for name in names):
            return BATCH, 0.0
        return 1, min(self._breakers.wait(name) for name in names)

    async def expire(self) -> None:
        """Fails and refunds what was not handed over in time, whatever it waits for."""
        for channel in MessageChannel:
            while await self._expire(channel.value):
                pass

    async def _expire(self, channel: str) -> bool:
        """Returns whether there may be more."""
        claim = uuid7()
        async with self._db.reading() as db:
            rows = await claims.take_expired(db, claim, self._worker, channel, limit=BATCH, lease=self._lease)
        if rows:
            try:
                now = self._db.now() + timedelta(seconds=1)  # the database has said so by its own clock
                items = [DirectItem(row, row["attempts"]) for row in rows]
                await self._write(claim, [item for item in items if too_late(item, now)])
            finally:
                await until_stored(self._db, lambda db: claims.release(db, claim))
        return len(rows) >= BATCH

    async def _wait_for_senders(self, channel: str) -> None:
        """Those who found this job queued and have not committed yet; see engine/queue.py.

        A sender that hangs between the two must not stop the channel: then what is committed is sent now,
        and another job looks again in a second.
        """
        async with self._db.reading() as db:
            try:
                async with db.transaction():
                    await db.execute("SELECT set_config('lock_timeout', $1, true)", _milliseconds(_BARRIER))
                    await db.execute(
                        "SELECT pg_advisory_xact_lock(hashtextextended('postern:' || $1, 0))",
                        queue.drain(channel),
                    )
            except asyncpg.LockNotAvailableError:
                await queue.wake_later(db, channel, timedelta(seconds=1))

    async def recover(self) -> None:
        """Takes over what dead workers held."""
        async with self._db.reading() as db:
            rows = await claims.recover(db, self._routes.idempotent())
        if rows:
            with self._emitting():
                note(rows)
            unknown = sum(row["state"] == DeliveryState.unknown for row in rows)
            log.warning("took over a dead worker's messages", queued=len(rows) - unknown, unknown=unknown)
            for channel in {row["channel"] for row in rows if row["state"] == DeliveryState.queued}:
                async with self._db.reading() as db:
                    await db.execute("SELECT postern_wake($1)", queue.drain(channel))

    def _emitting(self) -> AbstractContextManager[None]:
        return self._change_events.emitting() if self._change_events is not None else nullcontext()

    async def _batch(self, claim: UUID, channel: str, rows: Sequence[Any]) -> None:
        lost = asyncio.Event()
        renewing = asyncio.create_task(self._renew(claim, lost))
        try:
            waiting = [DirectItem(row, row["attempts"]) for row in rows]
            now = self._db.now()
            await self._write(claim, [item for item in waiting if too_late(item, now) or blocked(item)])
            waiting = [item for item in waiting if item.outcome is None]
            live = [item for item in waiting if self._messengers is not None and item.through_account]
            others = [item for item in waiting if self._messengers is None or not item.through_account]
            for part, routes in ((live, [self._messengers]), (others, self._routes.of(channel))):
                waiting = part if routes else [nowhere(item) for item in part]
                for route in routes:
                    if not waiting or route is None or lost.is_set() or self.stopping.is_set():
                        break
                    waiting = await self._through(claim, route, waiting, lost, last=route is routes[-1])
                await self._write(claim, waiting)
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)
            await until_stored(self._db, lambda db: claims.release(db, claim))

    async def _through(
        self, claim: UUID, route: Channel, waiting: list[DirectItem], lost: asyncio.Event, *, last: bool
    ) -> list[DirectItem]:
        """Hands everything to one route, `route.batch` at a time; what another route should try comes back.

        After the `last` route nothing does, but for what fitted no route and what an earlier one put off.

        A slot is filled again as soon as it is free, and what has come back is written down meanwhile: one
        slow recipient holds up nobody, and no finished hand-over waits for another one's answer.
        """
        again = [item for item in waiting if not self._fits(item, route)]
        todo = deque(item for item in waiting if self._fits(item, route))
        slots = min(route.batch, _SLOTS)
        size = route.batch // slots
        running: dict[asyncio.Task[None], list[DirectItem]] = {}
        try:
            await self._waves(claim, route, todo, running, again, lost, slots, size, last=last)
        finally:
            await self._breakers.give_back(waiting)
        return again

    async def _waves(
        self,
        claim: UUID,
        route: Channel,
        todo: deque[DirectItem],
        running: dict[asyncio.Task[None], list[DirectItem]],
        again: list[DirectItem],
        lost: asyncio.Event,
        slots: int,
        size: int,
        *,
        last: bool,
    ) -> None:
        while todo or running:
            if lost.is_set() or self.stopping.is_set():
                # The release gives these back; what an earlier route refused is written down by the caller.
                again.extend(item for item in todo if item.outcome is not None)
                todo.clear()
            if todo and not self._breakers.all_closed:
                again.extend(await self._defer_behind_breaker(route, todo))
            chosen = [todo.popleft() for _ in range(min(len(todo), (slots - len(running)) * size))]
            chosen = await self._in_time(claim, chosen)
            mine = await self._record_intents(claim, route, chosen)
            if mine:
                reach("marked")
            for start in range(0, len(mine), size):
                part = mine[start : start + size]
                # Of several that fail at once the first one's reason is told.
                running[nobody_waits(asyncio.create_task(self._send(route, part)))] = part
            if not running:
                continue
            finished, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            done: list[DirectItem] = []
            for task in finished:
                done.extend(running.pop(task))
                task.result()
            missed = [item for item in done if not last and another_route(item)]
            await self._write(claim, [item for item in done if last or not another_route(item)])
            await self._withdraw_intents(claim, missed)
            again.extend(missed)

    async def _in_time(self, claim: UUID, chosen: list[DirectItem]) -> list[DirectItem]:
        """Those that may still go: a batch on a slow route takes longer than a message may wait."""
        now = self._db.now()
        late = [item for item in chosen if too_late(item, now)]
        if late:
            await self._write(claim, late)
            await self._breakers.give_back(late)
            ids = {item.row["id"] for item in late}
            return [item for item in chosen if item.row["id"] not in ids]
        return chosen

    async def _defer_behind_breaker(self, route: Channel, todo: deque[DirectItem]) -> list[DirectItem]:
        """Takes out those that wait because the breaker of the route is open; their outcomes say so."""
        going, waiting = await self._breakers.sift(todo, lambda item: self._breaker(route, item))
        todo.clear()
        todo.extend(going)
        whole = breakers.whole(self._routes, route)
        for item, seconds in waiting:
            name = self._breaker(route, item)
            # Those of one host or account are not claimed again and again; others are, meanwhile.
            wait = seconds if name == whole else self._breakers.until_probe(name)
            code = (item.uncertain and item.row["failure_code"]) or breakers.CODE
            item.outcome = Outcome(
                Result.throttled, code=code, reason=breakers.REASON, retry_after=max(wait, 0.2)
            )
        return [item for item, _ in waiting]

    def _breaker(self, route: Channel, item: DirectItem) -> str | None:
        return breakers.name_of(self._routes, route, item.outgoing)

    def _fits(self, item: DirectItem, route: Channel) -> bool:
        """An uncertain hand-over is only repeated where it was made: there its key is known."""
        return not item.uncertain or item.row["provider"] == self._routes.label(route)

    async def _record_intents(
        self, claim: UUID, route: Channel, chosen: list[DirectItem]
    ) -> list[DirectItem]:
        """Those of them that are still ours to hand over, now marked as handed over."""
        if not chosen:
            return []
        ids, attempts = [item.row["id"] for item in chosen], [item.attempts for item in chosen]
        label = self._routes.label(route)
        mine = await until_stored(self._db, lambda db: claims.record_intents(db, claim, label, ids, attempts))
        await self._breakers.give_back(item for item in chosen if item.row["id"] not in mine)
        return [item for item in chosen if item.row["id"] in mine]

    async def _withdraw_intents(self, claim: UUID, missed: list[DirectItem]) -> None:
        if missed:
            ids, attempts = [item.row["id"] for item in missed], [item.attempts for item in missed]
            await until_stored(self._db, lambda db: claims.withdraw_intents(db, claim, ids, attempts))

    async def _send(self, route: Channel, chunk: list[DirectItem]) -> None:
        if not any(attached.attachment_ids(item.row) for item in chunk):
            await self._hand_over(route, chunk)
            return
        async with self._attaching:
            ready = [item for item in chunk if await self._with_files(item)]
            if len(ready) < len(chunk):
                ids = {item.row["id"] for item in ready}
                await self._breakers.give_back(item for item in chunk if item.row["id"] not in ids)
            if ready:
                await self._hand_over(route, ready)
            for item in chunk:
                item.files = ()

    async def _with_files(self, item: DirectItem) -> bool:
        """Returns whether the message has its files now; else its outcome says why not."""
        ids = attached.attachment_ids(item.row)
        if not ids or self._files is None:
            return True
        try:
            item.files = await attached.load(self._db, self._files, item.row["id"], ids)
        except (
            Unavailable
        ) as error:  # the store's fault: the message waits, and nothing is counted against it
            item.outcome = Outcome(Result.throttled, code=error.code, reason=error.message, retry_after=60.0)
        except AppError as error:
            item.outcome = Outcome(Result.refused, code="attachment_missing", reason=error.message)
        else:
            return True
        if item.uncertain:
            item.outcome = replace(item.outcome, result=Result.unknown)
        return False

    async def _hand_over(self, route: Channel, chunk: list[DirectItem]) -> None:
        names = [self._breaker(route, item) for item in chunk]
        await ask(route, chunk, names, self._breakers, point="sent")
        for item in chunk:
            assert item.outcome is not None
            HANDOVERS.labels(item.row["channel"], route.name, item.outcome.result.value).inc()
            if item.outcome.result is Result.misconfigured:
                log.error(
                    "a channel refuses our credentials or settings",
                    driver=route.name,
                    channel=item.row["channel"],
                    reason=item.outcome.reason,
                )
            # Only a known failure counts. Throttled and misconfigured ones wait as long as it takes, up to
            # a day: a full queue at the provider or our own mistake is no reason to lose a message.
            if item.outcome.result is Result.transient:
                item.attempts += 1

    async def _write(self, claim: UUID, done: Sequence[DirectItem]) -> None:
        verdicts = [self._verdict(item) for item in done if item.outcome is not None]
        if not verdicts:
            return
        with self._emitting():
            verdicts = await self._record(claim, verdicts)
        reach("written")
        by_provider: dict[str, list[str]] = {}
        for verdict in verdicts:
            if verdict.provider and verdict.provider_message_id:
                by_provider.setdefault(verdict.provider, []).append(verdict.provider_message_id)
        with self._emitting():
            for provider, ids in by_provider.items():
                await until_stored(self._db, lambda db, provider=provider, ids=ids: settle(db, provider, ids))  # type: ignore[misc]
            known = [verdict.id for verdict in verdicts if verdict.state is not DeliveryState.queued]
            await until_stored(self._db, lambda db: direct_events.settle(db, known))
        reach("settled")
        if later := [verdict.delay for verdict in verdicts if verdict.state is DeliveryState.queued]:
            channel = done[0].row["channel"]
            await until_stored(self._db, lambda db: queue.wake_later(db, channel, min(later)))

    async def _record(self, claim: UUID, verdicts: list[Verdict]) -> list[Verdict]:
        """Writes them; what the database will never take is isolated, so that it holds up nobody else.

        What was written comes back, a bare `unknown` in place of what could not be.
        """
        try:
            await until_stored(self._db, lambda db: record(db, claim, verdicts))
        except Exception as error:
            log.error("an outcome can't be written", count=len(verdicts), error=str(error)[:200])
            if len(verdicts) > 1:
                return [written for verdict in verdicts for written in await self._record(claim, [verdict])]
            if verdicts[0].code == UNWRITABLE:
                return []  # the claim expires, and `recover` says that nobody knows
            bare = Verdict(verdicts[0].id, DeliveryState.unknown, verdicts[0].attempts, code=UNWRITABLE)
            return await self._record(claim, [bare])
        return verdicts

    def _verdict(self, item: DirectItem) -> Verdict:
        name = self._routes.label(item.route) if item.route else None
        return verdict_of(item, name, attempts=self._attempts, now=self._db.now())

    async def _renew(self, claim: UUID, lost: asyncio.Event) -> None:
        """Keeps the claim alive. Once it is lost, nothing more is handed over (and `record_intents` would refuse)."""
        while True:
            await asyncio.sleep(self._lease.total_seconds() / 3)
            try:
                async with self._db.reading() as db:
                    if not await claims.renew(db, claim, self._lease):
                        log.warning("lost a claim; stopping this batch", claim=str(claim))
                        lost.set()
                        return
            except Exception as error:  # the database is away: the mark before every hand-over is the guard
                if translate(error) is None:
                    raise


def _milliseconds(span: timedelta) -> str:
    return str(int(span.total_seconds() * 1000))
