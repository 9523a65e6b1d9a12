"""Hands marked messages to the channels, in bounded waves, and writes down what became of them.

At no moment is a message that was handed over indistinguishable from one that wasn't: the mark is committed
before the provider is called, the verdict after.
"""

import asyncio
import random
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import TypeVar
from uuid import UUID

import asyncpg
import structlog

from channels.port import Channel, Outcome, Result
from core.ids import uuid7
from core.metrics import HANDOVERS
from engine import blocks, project_receipts
from engine.asking import ask
from engine.direct_items import asked_again
from engine.dispatch import UNWRITABLE
from engine.faultpoints import reach
from engine.projects import batches
from engine.projects.concurrency import ConcurrencyLimits
from engine.projects.context import ProjectContext
from engine.projects.items import Item, NotHandedOver, Verdict
from runtime.breakers import CODE, REASON
from runtime.retry import until_stored
from runtime.services import Services
from shapes.blocks import BlockReason

T = TypeVar("T")
log = structlog.get_logger("postern.projects")

_FULL_SECONDS = 0.5  # seconds until a unit whose account has no hand free is looked at again
_SLOTS = 32  # a channel that takes larger batches gets several messages a slot
_LONGEST_RETRY_AFTER = 3600.0
FULL = 500
"""Messages that a unit may get."""
_ZERO = Decimal(0)
_EARLY = "SELECT EXISTS (SELECT FROM early_events) OR EXISTS (SELECT FROM early_receipts)"


@dataclass(frozen=True, slots=True)
class DispatchResult:
    misconfigured: bool  # the last route refuses our credentials
    ended: bool  # the project was stopped, the claim lost, or this process is to end
    cool_down: float | None  # seconds until the messages may go whose provider said "too fast"


class Dispatcher:
    """One a worker process."""

    def __init__(self, services: Services) -> None:
        self._services, self._db, self._routes = services, services.db, services.routes
        self._slots: dict[Channel, asyncio.Semaphore] = {}
        self._later: dict[tuple[UUID, int, bool], list[UUID]] = {}
        self.limits = ConcurrencyLimits(services)

    def slots(self, route: Channel) -> tuple[asyncio.Semaphore, int]:
        """The slots that all visits of this worker share, and how many messages one takes. No message is marked
        before it has one, so a death leaves no more `unknown` than were really on their way.
        """
        count = min(route.batch, _SLOTS)
        if route not in self._slots:
            self._slots[route] = asyncio.Semaphore(count)
        return self._slots[route], -(-route.batch // count)

    async def send(
        self,
        known: ProjectContext,
        unit: UUID,
        claim: UUID,
        items: Sequence[Item],
        lost: asyncio.Event,
        until: float,
        *,
        whole: bool,
    ) -> "DispatchResult":
        """Each to the first route that takes it; after `until` no more are begun, and what has no `route` then was
        not handed over. `whole`: they are all that the unit has.
        """
        wave = _Wave(self, known, unit, claim, lost, until)
        live = [item for item in items if item.sender in known.accounts]
        others = [item for item in items if item.sender not in known.accounts]
        whole &= not (live and others)
        for part, routes in ((live, (self.limits.messengers,)), (others, self._routes.of(known.channel))):
            waiting = part
            for route in routes:
                if not waiting or wave.ended:
                    break
                waiting = await wave.send(route, waiting, last=route is routes[-1], whole=whole)
                whole = False
        return DispatchResult(wave.misconfigured, wave.ended, wave.cool_down)

    def later(
        self, project: UUID, delay: float, count: int = 1, *, window: bool = False
    ) -> tuple[UUID, timedelta]:
        """The unit in which what is due in `delay` seconds waits with others of about that time, and until when.
        What waits for its window waits apart: a change of the window frees it.
        """
        grain = 1 if delay < 10 else 5 if delay < 60 else 15
        now = time.time()
        due = int(-(-(now + delay) // grain) * grain)
        if len(self._later) > 1000:
            self._later = {key: kept for key, kept in self._later.items() if key[1] > now}
        # One for each message that it has got: when it is full, another begins.
        waiting = self._later.setdefault((project, due, window), [])
        if len(waiting) + count > FULL:
            waiting.clear()
        waiting += [waiting[0] if waiting else uuid7()] * count
        return waiting[0], timedelta(seconds=due - now)

    async def retry(self, call: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        """Until the database is back: hand-overs are under way, and what they did must be written down."""
        return await until_stored(self._db, call)


class _Wave:
    """The messages of one unit on their way through the routes."""

    def __init__(
        self,
        engine: Dispatcher,
        known: ProjectContext,
        unit: UUID,
        claim: UUID,
        lost: asyncio.Event,
        until: float,
    ) -> None:
        self._engine, self._ctx, self._batch, self._claim, self._lost = engine, known, unit, claim, lost
        self._until = until
        self._paid: dict[UUID, Decimal] = {}
        self._intents = 0  # of messages that are in the provider's hands
        self._stopped = False  # the project doesn't run any more, or the claim is another's
        self.misconfigured = False
        self.cool_down: float | None = None

    @property
    def ended(self) -> bool:
        return (
            self._stopped
            or self.misconfigured
            or self._lost.is_set()
            or self._engine._services.stopping.is_set()  # noqa: SLF001  its own other half
        )

    async def send(self, route: Channel, waiting: Sequence[Item], *, last: bool, whole: bool) -> list[Item]:
        """What another route should try. A slot is filled again as soon as it is free, and what has come back is
        written down meanwhile: one slow recipient holds up nobody.
        """
        label = self._engine._routes.label(route)  # noqa: SLF001
        again = [item for item in waiting if item.uncertain and item.row["provider"] != label]
        todo = deque(item for item in waiting if not item.uncertain or item.row["provider"] == label)
        slots, size = self._engine.slots(route)
        running: dict[asyncio.Task[None], Sequence[Item]] = {}
        try:
            while todo or running:
                if self.ended or time.monotonic() > self._until:
                    await self._drop(todo)
                await self._spare(route, todo, again, last=last)
                if todo:
                    running.update(await self._begun(route, todo, slots, size, bool(running), whole=whole))
                    if not running:
                        continue
                if running:
                    finished, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                    done = [item for task in finished for item in running.pop(task)]
                    again.extend(await self._write(route, done, last=last))
        except Exception:
            # What is in the provider's hands is waited for all the same: its outcome must not be lost.
            if running:
                await asyncio.wait(running)
                await self._write(route, [item for part in running.values() for item in part], last=last)
            raise
        return again

    async def _drop(self, todo: "deque[Item]") -> None:
        """They are not marked, and stay queued."""
        await self._engine.limits.breakers.give_back(todo)
        todo.clear()

    async def _spare(self, route: Channel, todo: "deque[Item]", again: list[Item], *, last: bool) -> None:
        """Takes out those that the route does not want now: for the next route, or to stay queued. It has told their
        sender to wait, or it does not answer and its breaker is open.
        """
        hands = self._engine.limits
        rests = {sender: hands.wait(self._ctx, route, sender) for sender in {item.sender for item in todo}}
        waiting = [(item, rests[item.sender]) for item in todo if rests[item.sender]]
        if not waiting and hands.breakers.all_closed:
            return
        going = [item for item in todo if not rests[item.sender]]
        if not hands.breakers.all_closed:
            going, behind = await hands.breakers.sift(going, lambda item: hands.breaker(route, item))
            # Who stands behind the breaker of one host waits apart: the others of the unit go on.
            apart = [item for item, _ in behind if hands.breaker(route, item) != hands.whole(route)]
            apart = [item for item in apart if last or item.uncertain]
            await self._put_off(route, apart)
            gone = {item.id for item in apart}
            waiting += [(item, seconds) for item, seconds in behind if item.id not in gone]
        todo.clear()
        todo.extend(going)
        # No other route is asked of what may have gone out by this one.
        for item, seconds in waiting:
            if last or item.uncertain:
                self.cool_down = seconds if self.cool_down is None else min(self.cool_down, seconds)
            else:
                again.append(item)

    async def _put_off(self, route: Channel, items: Sequence[Item]) -> None:
        """Into another unit, that is due when the breaker they stand behind may have a probe."""
        if not items:
            return
        hands, rows, later = self._engine.limits, [], {}
        for item in items:
            seconds = hands.breakers.until_probe(hands.breaker(route, item))
            unit, delay = self._engine.later(self._ctx.id, seconds)
            later[unit] = delay
            rows.append(NotHandedOver(item.id, "queued", CODE, REASON, unit))
        await self._engine.retry(
            lambda db: batches.settle(
                db, self._batch, self._claim, self._ctx.id, rows, later, for_window=False
            )
        )

    async def _begun(
        self,
        route: Channel,
        todo: "deque[Item]",
        slots: asyncio.Semaphore,
        size: int,
        others: bool,
        *,
        whole: bool,
    ) -> list[tuple[asyncio.Task[None], Sequence[Item]]]:
        """Takes the slots that are free (waits for one, when nothing of ours is under way), marks, and begins."""
        free = 0
        try:
            while free * size < len(todo):
                if slots.locked():
                    if free or others:
                        break
                    try:
                        async with asyncio.timeout(max(0.01, self._until - time.monotonic())):
                            await slots.acquire()
                    except TimeoutError:
                        break
                else:  # taken in the same breath: who waits here with slots in his hands keeps others from them
                    await slots.acquire()
                free += 1
            if not free or self.ended or time.monotonic() > self._until:
                if not others:
                    await self._drop(todo)
                return []
            chosen = self._engine.limits.take(route, todo, free * size)
            if not chosen:
                if not others:  # its account's hands are full, of other units' messages
                    await self._drop(todo)
                    self.cool_down = _FULL_SECONDS
                return []
            mine: list[Item] = []
            try:
                label = self._engine._routes.label(route)  # noqa: SLF001
                mine = await self._record_intents(label, chosen, rest=whole and not todo)
            finally:
                ours = {item.id for item in mine}
                left = [item for item in chosen if item.id not in ours]
                self._engine.limits.done(route, left)
                await self._engine.limits.breakers.give_back(left)
            begun: list[tuple[asyncio.Task[None], Sequence[Item]]] = []
            for start in range(0, len(mine), size):
                part = mine[start : start + size]
                task = asyncio.create_task(self._send(route, part))
                task.add_done_callback(lambda _: slots.release())
                task.add_done_callback(lambda _, part=part: self._engine.limits.done(route, part))  # type: ignore[misc]
                free -= 1
                begun.append((task, part))
            return begun
        finally:
            for _ in range(free):
                slots.release()

    async def _record_intents(self, label: str, chosen: Sequence[Item], *, rest: bool) -> list[Item]:
        """Those that may be handed over. `rest`: they are all that the unit still has."""
        number = chosen[0].content
        if (
            rest
            and not self._intents
            and all(_plain(item) and item.content == number for item in chosen)
            and await self._engine.retry(
                lambda db: batches.record_all_intents(
                    db, self._batch, self._claim, self._ctx.row, label, number, len(chosen)
                )
            )
        ):
            return self._ours(chosen)
        ids = await self._engine.retry(
            lambda db: batches.record_intents(db, self._batch, self._claim, self._ctx.row, label, chosen)
        )
        self._stopped |= len(ids) < len(chosen)
        return self._ours([item for item in chosen if item.id in ids])

    def _ours(self, mine: Sequence[Item]) -> list[Item]:
        for item in mine:
            item.paid = item.price
            if item.price:
                self._paid[item.id] = item.price
        self._intents += len(mine)
        if mine:
            reach("unit.marked")
        return list(mine)

    async def _send(self, route: Channel, part: Sequence[Item]) -> None:
        hands = self._engine.limits
        names = [hands.breaker(route, item) for item in part]
        await ask(route, part, names, hands.breakers, point="unit.sent")
        counted: Counter[str] = Counter(item.outcome.result.value for item in part if item.outcome)
        for result, count in counted.items():
            HANDOVERS.labels(self._ctx.channel, route.name, result).inc(count)

    async def _write(self, route: Channel, done: Sequence[Item], *, last: bool) -> list[Item]:
        """Writes the verdicts down; those that another route may still take come back, queued."""
        plain = [
            item.id
            for item in done
            if item.outcome is not None
            and item.outcome.result is Result.sent
            and item.outcome.provider_message_id in (None, str(item.id))
        ]
        if plain and len(plain) == self._intents:
            await self._engine.retry(lambda db: batches.record_all_sent(db, self._batch, self._claim, plain))
        elif plain:
            await self._engine.retry(lambda db: batches.record_sent(db, self._claim, plain))
        self._intents -= len(done)
        taken = set(plain)
        rows: list[Verdict] = []
        later: dict[UUID, timedelta] = {}
        missed: list[Item] = []
        given: dict[UUID, Decimal] = {}
        for item in done:
            if item.id in taken or item.outcome is None:
                continue
            verdict, delay = self._verdict(item, last=last)
            rows.append(verdict)
            given[item.id] = item.price - verdict.price
            if delay is not None and verdict.batch is not None:
                later[verdict.batch] = delay
            elif verdict.status == "queued":
                missed.append(item)
        if rows:

            def returned(ids: set[UUID]) -> Decimal:
                return sum((amount for id, amount in given.items() if id in ids), _ZERO)

            await self._record(rows, later, returned)
            for item in done:
                item.paid -= given.get(item.id, _ZERO)
            await self._block([item for item in done if item.id not in taken])
        reach("unit.recorded")
        if known := [*plain, *(verdict.id for verdict in rows)]:
            await self._engine.retry(lambda db: _settle(db, known))
        return [] if last else missed

    async def _record(
        self,
        rows: list[Verdict],
        later: dict[UUID, timedelta],
        returned: Callable[[set[UUID]], Decimal],
    ) -> None:
        """Writes them; what the database will never take is isolated, so that it holds up nobody else."""
        try:
            await self._engine.retry(
                lambda db: batches.record(db, self._batch, self._claim, self._ctx.row, rows, later, returned)
            )
        except Exception as error:
            log.error("an outcome can't be written", count=len(rows), error=str(error)[:200])
            if len(rows) > 1:
                for row in rows:
                    await self._record([row], later, returned)
            elif rows[0].code != UNWRITABLE:  # else the claim expires, and `recover` says that nobody knows
                id, paid = rows[0].id, self._paid.get(rows[0].id, _ZERO)
                bare = Verdict(id, "unknown", rows[0].attempts, rows[0].tries, paid, code=UNWRITABLE)
                await self._record([bare], {}, lambda ids: _ZERO)

    async def _block(self, done: Sequence[Item]) -> None:
        """Nobody writes again to an email address that is none."""
        gone = [
            item.row["to"]
            for item in done
            if item.outcome
            and item.outcome.result is Result.refused
            and item.outcome.code in project_receipts.HARD_BOUNCES
            and self._ctx.channel == "email"
        ]
        for address in sorted(gone):
            await self._engine.retry(
                lambda db, address=address: blocks.block(  # type: ignore[misc]
                    db, self._ctx.row["owner_id"], address, BlockReason.hardBounce
                )
            )

    def _verdict(self, item: Item, *, last: bool) -> tuple[Verdict, timedelta | None]:
        """Returns what is stored of the message, and the time after which it is tried again in a batch of its own, if at all."""
        outcome = item.outcome
        assert outcome is not None
        result, tries = outcome.result, item.tries
        provider_id = outcome.provider_message_id
        provider_id = None if provider_id == str(item.id) else project_receipts.storable(provider_id)

        def row(
            status: str,
            price: Decimal,
            unit: UUID | None = None,
            code: str | None = None,
            *,
            uncertain: bool = False,
        ) -> Verdict:
            reason = project_receipts.storable(outcome.reason) if code else None
            said = project_receipts.storable(code)
            tried = (item.attempts, item.tries)
            return Verdict(item.id, status, *tried, price, unit, provider_id, said, reason, uncertain)

        if result in (Result.sent, Result.delivered):
            return row(result.value, item.price), None
        if result is Result.unknown:
            code = outcome.code or "timeout"
            now = self._engine._db.now()  # noqa: SLF001
            first = max(item.row["handed_at"], item.row["queued_at"]) if item.uncertain else None
            if (again := asked_again(item.route, first, now)) is None:
                return row("unknown", item.price, code=code), None
            unit, delay = self._engine.later(self._ctx.id, again.total_seconds())
            return row("queued", item.price, unit, code, uncertain=True), delay
        if result is Result.refused:
            item.attempts += 1
            return row("failed", _ZERO, code=outcome.code or result.value), None
        code = outcome.code or result.value
        if result is Result.throttled and item.route is not None:
            asked = min(outcome.retry_after or 0.0, _LONGEST_RETRY_AFTER)
            self._engine.limits.cool_down(item.route, item.sender, max(asked, 1.0))
        if not last:
            return row("queued", _ZERO, code=code), None
        if result is Result.misconfigured:
            if not self.misconfigured:
                log.error(
                    "a channel refuses our credentials or settings",
                    channel=self._ctx.channel,
                    reason=outcome.reason,
                )
            self.misconfigured = True
            return row("queued", _ZERO, code=code), None
        if result is Result.transient:
            tries += 1
            item.attempts += 1
            item.tries = tries
            if tries >= self._ctx.attempts:
                return row("failed", _ZERO, code=code), None
        seconds = self._delay(tries, outcome)
        if result is Result.throttled and self._engine.limits.others(self._ctx):
            seconds = 1.0  # another sender takes it
        unit, delay = self._engine.later(self._ctx.id, seconds)
        return row("queued", _ZERO, unit, code), delay

    def _delay(self, tries: int, outcome: Outcome) -> float:
        asked = min(outcome.retry_after or 0.0, _LONGEST_RETRY_AFTER)
        if outcome.result is Result.throttled:
            return max(asked, 1.0) * random.uniform(1, 1.2)
        return max(self._ctx.backoff(tries).total_seconds() * random.uniform(0.8, 1.2), asked)


async def _settle(db: asyncpg.Connection, ids: Sequence[UUID]) -> None:
    """Events that came before our commit. Whoever keeps one after this look finds our commit himself."""
    if await db.fetchval(_EARLY):
        await project_receipts.settle(db, ids)


def _plain(item: Item) -> bool:
    """There is nothing to be written about this one alone when it is marked."""
    return not (item.price or item.sender or item.variant is not None or item.attempts or item.tries)
