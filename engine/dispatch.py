"""Sending what is queued: claim a batch, mark, hand over, write down; until nothing is due.

At no moment is a message that was handed over indistinguishable from one that wasn't: the mark is committed
before the provider is called, the verdict after. What dies in between is `unknown`, and that is at most what
was in the provider's hands.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from channels.port import Attachment, Channel, Outcome, Outgoing, Result
from db.ids import uuid7
from db.session import Database
from engine import attached, claims, direct_events, queue
from engine.faultpoints import reach
from engine.insisting import insist
from engine.outcomes import Verdict, note, record, settle
from engine.routes import MESSENGERS, Routes
from postern.errors import AppError, Unavailable
from postern.faults import translate
from postern.file_store import FileStore
from postern.metrics import DRAIN_SECONDS, HANDOVERS
from postern.news import News
from schema.types.messages import DeliveryState, MessageChannel

log = structlog.get_logger("postern.engine")

BATCH = 500
_SLOTS = 32  # of one channel; a channel that takes larger batches gets several messages a slot
OLDEST = timedelta(hours=24)
"""How long a message is tried at all: a code that comes a day late helps nobody."""

# What settles what became of a message. To a second hand-over under the same key, "come back later" does not.
SETTLED = (Result.sent, Result.delivered, Result.refused)

UNWRITABLE = "outcome_unwritable"
"""The code of a message whose outcome the database refused; see the log."""

_BARRIER = timedelta(milliseconds=200)

# What a channel's drivers are told of the metadata: only what was checked when the message was taken in.
_READ = {
    MessageChannel.email: {"subject": "subject", "html": "html", "reply_to": "replyTo"},
    MessageChannel.push: {"subject": "title"},
}

_ATTACHING = 8  # hand-overs with files at once: their bytes are in memory meanwhile

_BACKOFF = (5.0, 15.0, 60.0, 300.0, 900.0)  # seconds after the first, second … known failure


@dataclass(slots=True)
class Handover:
    """One message in this worker's hands."""

    row: Any
    attempts: int  # known failures so far; with the id, it makes the key
    outcome: Outcome | None = None
    route: Channel | None = None
    files: Sequence[Attachment] = ()

    @property
    def uncertain(self) -> bool:
        """It was handed over before, by a worker that died, and its fate is not known."""
        return self.row["handed_at"] is not None

    @property
    def of_messenger(self) -> bool:
        """A trial by telegram or whatsapp: it says at once what became of it, and is not tried again."""
        return self.row["channel"] in MESSENGERS

    @property
    def through_account(self) -> bool:
        """It leaves through the messenger account that its metadata names."""
        return self.of_messenger and "messenger_account" in self.row["metadata"]

    @property
    def outgoing(self) -> Outgoing:
        row, meta = self.row, self.row["metadata"]
        if self.uncertain and self.through_account:
            meta = {**meta, "handed_at": row["handed_at"]}
        return Outgoing(
            id=row["id"],
            key=f"{row['id']}.{self.attempts}",
            to=row["to"],
            body=row["body"],
            **{field: meta.get(name) for field, name in _READ.get(row["channel"], {}).items()},
            metadata=meta,
            attachments=self.files,
        )


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
        news: News | None = None,
        files: FileStore | None = None,
        messengers: Channel | None = None,
    ) -> None:
        """`news`: where what becomes of messages is announced. `files`: where attachments are. `messengers`: the
        way of trials through messenger accounts.
        """
        self._db, self._routes, self._worker, self._news = db, routes, worker, news
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
            claim = uuid7()
            async with self._db.reading() as db:
                rows = await claims.take(db, claim, self._worker, channel, limit=BATCH, lease=self._lease)
            if not rows:
                break
            reach("claimed")
            begun = time.perf_counter()
            await self._batch(claim, channel, rows)
            DRAIN_SECONDS.labels(channel).observe(time.perf_counter() - begun)
            total += len(rows)
        return total

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
            with self._noting():
                note(rows)
            unknown = sum(row["state"] == DeliveryState.unknown for row in rows)
            log.warning("took over a dead worker's messages", queued=len(rows) - unknown, unknown=unknown)
            for channel in {row["channel"] for row in rows if row["state"] == DeliveryState.queued}:
                async with self._db.reading() as db:
                    await db.execute("SELECT postern_wake($1)", queue.drain(channel))

    def _noting(self) -> AbstractContextManager[None]:
        return self._news.noting() if self._news is not None else nullcontext()

    async def _batch(self, claim: UUID, channel: str, rows: Sequence[Any]) -> None:
        lost = asyncio.Event()
        renewing = asyncio.create_task(self._renew(claim, lost))
        try:
            waiting = [Handover(row, row["attempts"]) for row in rows]
            now = self._db.now()
            await self._write(claim, [item for item in waiting if _too_late(item, now) or _blocked(item)])
            waiting = [item for item in waiting if item.outcome is None]
            live = [item for item in waiting if self._messengers is not None and item.through_account]
            others = [item for item in waiting if item not in live]
            for part, routes in ((live, [self._messengers]), (others, self._routes.of(channel))):
                waiting = part if routes else [_nowhere(item) for item in part]
                for route in routes:
                    if not waiting or route is None or lost.is_set() or self.stopping.is_set():
                        break
                    waiting = await self._through(claim, route, waiting, lost, last=route is routes[-1])
                await self._write(claim, waiting)
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)
            await insist(self._db, lambda db: claims.release(db, claim))

    async def _through(
        self, claim: UUID, route: Channel, waiting: list[Handover], lost: asyncio.Event, *, last: bool
    ) -> list[Handover]:
        """Hands everything to one route, `route.batch` at a time; what another route should try comes back.

        After the `last` route nothing does, but for what fitted no route and what an earlier one put off.

        A slot is filled again as soon as it is free, and what has come back is written down meanwhile: one
        slow recipient holds up nobody, and no finished hand-over waits for another one's answer.
        """
        again = [item for item in waiting if not self._fits(item, route)]
        todo = deque(item for item in waiting if self._fits(item, route))
        slots = min(route.batch, _SLOTS)
        size = route.batch // slots
        running: dict[asyncio.Task[None], list[Handover]] = {}
        while todo or running:
            if lost.is_set() or self.stopping.is_set():
                # The release gives these back; what an earlier route refused is written down by the caller.
                again.extend(item for item in todo if item.outcome is not None)
                todo.clear()
            chosen = [todo.popleft() for _ in range(min(len(todo), (slots - len(running)) * size))]
            mine = await self._marked(claim, route, chosen)
            if mine:
                reach("marked")
            for start in range(0, len(mine), size):
                part = mine[start : start + size]
                running[asyncio.create_task(self._send(route, part))] = part
            if not running:
                continue
            finished, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            done: list[Handover] = []
            for task in finished:
                done.extend(running.pop(task))
                task.result()
            missed = [item for item in done if not last and _another_route(item)]
            await self._write(claim, [item for item in done if last or not _another_route(item)])
            await self._unmarked(claim, missed)
            again.extend(missed)
        return again

    def _fits(self, item: Handover, route: Channel) -> bool:
        """An uncertain hand-over is only repeated where it was made: there its key is known."""
        return not item.uncertain or item.row["provider"] == self._routes.label(route)

    async def _marked(self, claim: UUID, route: Channel, chosen: list[Handover]) -> list[Handover]:
        """Those of them that are still ours to hand over, now marked as handed over."""
        if not chosen:
            return []
        ids, attempts = [item.row["id"] for item in chosen], [item.attempts for item in chosen]
        label = self._routes.label(route)
        mine = await insist(self._db, lambda db: claims.mark(db, claim, label, ids, attempts))
        return [item for item in chosen if item.row["id"] in mine]

    async def _unmarked(self, claim: UUID, missed: list[Handover]) -> None:
        if missed:
            ids, attempts = [item.row["id"] for item in missed], [item.attempts for item in missed]
            await insist(self._db, lambda db: claims.unmark(db, claim, ids, attempts))

    async def _send(self, route: Channel, chunk: list[Handover]) -> None:
        if not any(attached.named(item.row) for item in chunk):
            await self._hand_over(route, chunk)
            return
        async with self._attaching:
            ready = [item for item in chunk if await self._with_files(item)]
            if ready:
                await self._hand_over(route, ready)
            for item in chunk:
                item.files = ()

    async def _with_files(self, item: Handover) -> bool:
        """Whether the message has its files now; else its outcome says why not."""
        ids = attached.named(item.row)
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

    async def _hand_over(self, route: Channel, chunk: list[Handover]) -> None:
        for item, outcome in zip(chunk, await _asked(route, chunk), strict=True):
            known = outcome.result in SETTLED or not item.uncertain
            item.outcome = outcome if known else replace(outcome, result=Result.unknown)
            item.route = route
        reach("sent")
        uncertain = [item for item in chunk if item.outcome and item.outcome.result is Result.unknown]
        if uncertain and route.idempotent:
            # The provider drops what it has: asking again under the same key tells us what it did.
            for item, outcome in zip(uncertain, await _asked(route, uncertain), strict=True):
                if outcome.result in SETTLED:
                    item.outcome = outcome
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

    async def _write(self, claim: UUID, done: Sequence[Handover]) -> None:
        verdicts = [self._verdict(item) for item in done if item.outcome is not None]
        if not verdicts:
            return
        with self._noting():
            verdicts = await self._record(claim, verdicts)
        reach("written")
        by_provider: dict[str, list[str]] = {}
        for verdict in verdicts:
            if verdict.provider and verdict.provider_message_id:
                by_provider.setdefault(verdict.provider, []).append(verdict.provider_message_id)
        with self._noting():
            for provider, ids in by_provider.items():
                await insist(self._db, lambda db, provider=provider, ids=ids: settle(db, provider, ids))  # type: ignore[misc]
            known = [verdict.id for verdict in verdicts if verdict.state is not DeliveryState.queued]
            await insist(self._db, lambda db: direct_events.settle(db, known))
        reach("settled")
        if later := [verdict.delay for verdict in verdicts if verdict.state is DeliveryState.queued]:
            channel = done[0].row["channel"]
            await insist(self._db, lambda db: queue.wake_later(db, channel, min(later)))

    async def _record(self, claim: UUID, verdicts: list[Verdict]) -> list[Verdict]:
        """Writes them; what the database will never take is isolated, so that it holds up nobody else.

        What was written comes back, a bare `unknown` in place of what could not be.
        """
        try:
            await insist(self._db, lambda db: record(db, claim, verdicts))
        except Exception as error:
            log.error("an outcome can't be written", count=len(verdicts), error=str(error)[:200])
            if len(verdicts) > 1:
                return [written for verdict in verdicts for written in await self._record(claim, [verdict])]
            if verdicts[0].code == UNWRITABLE:
                return []  # the claim expires, and `recover` says that nobody knows
            bare = Verdict(verdicts[0].id, DeliveryState.unknown, verdicts[0].attempts, code=UNWRITABLE)
            return await self._record(claim, [bare])
        return verdicts

    def _verdict(self, item: Handover) -> Verdict:
        outcome, row = item.outcome, item.row
        assert outcome is not None
        name = self._routes.label(item.route) if item.route else None
        if outcome.result in (Result.sent, Result.delivered):
            state = DeliveryState(outcome.result.value)
            return Verdict(row["id"], state, item.attempts, name, outcome.provider_message_id)
        if outcome.result is Result.unknown:
            return Verdict(
                row["id"],
                DeliveryState.unknown,
                item.attempts,
                name,
                outcome.provider_message_id,
                outcome.code or "timeout",
                outcome.reason,
            )
        if outcome.result is Result.refused or item.attempts >= self._attempts or item.of_messenger:
            return Verdict(
                row["id"],
                DeliveryState.failed,
                item.attempts,
                name,
                outcome.provider_message_id,
                outcome.code or outcome.result.value,
                outcome.reason,
            )
        return Verdict(
            row["id"],
            DeliveryState.queued,
            item.attempts,
            code=outcome.code or outcome.result.value,
            reason=outcome.reason,
            delay=_delay(item.attempts, outcome),
        )

    async def _renew(self, claim: UUID, lost: asyncio.Event) -> None:
        """Keeps the claim alive. Once it is lost, nothing more is handed over (and `mark` would refuse)."""
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


async def _asked(route: Channel, chunk: Sequence[Handover]) -> list[Outcome]:
    """What the route says. A channel raises for programming errors only; then nobody knows what it did."""
    try:
        outcomes = await route.send([item.outgoing for item in chunk])
        if len(outcomes) != len(chunk):
            raise RuntimeError(f"{len(outcomes)} outcomes for {len(chunk)} messages")
    except Exception:
        log.exception("a channel broke", driver=route.name, messages=len(chunk))
        reason = "The channel broke while it had the message; the log has the error."
        return [Outcome(Result.unknown, code="channel_broke", reason=reason)] * len(chunk)
    return outcomes


def _nowhere(item: Handover) -> Handover:
    """It stays queued until somebody configures a way out; a trial says so."""
    item.outcome = Outcome(
        Result.misconfigured, code="no_route", reason=f"No way out is configured for {item.row['channel']}."
    )
    return item


def _too_late(item: Handover, now: datetime) -> bool:
    """Whether it is too old to be handed over (again); its outcome says so then."""
    if item.uncertain or now - item.row["created_at"] <= OLDEST:
        return False
    last = f" The last attempt: {item.row['failure_reason']}" if item.row["failure_reason"] else ""
    item.outcome = Outcome(
        Result.refused, code="expired", reason=f"It could not be handed over within 24 hours.{last}"
    )
    return True


def _blocked(item: Handover) -> bool:
    """Whether its recipient was blocked since it was queued; its outcome says so then.

    What may have been handed over already is asked about all the same.
    """
    if item.uncertain or item.row["blocked"] is None:
        return False
    item.outcome = Outcome(
        Result.refused, code="recipient_blocked", reason=f"The recipient is blocked ({item.row['blocked']})."
    )
    return True


def _milliseconds(span: timedelta) -> str:
    return str(int(span.total_seconds() * 1000))


def _another_route(item: Handover) -> bool:
    """Surely not taken, and not the message's fault: the next route may do better."""
    return item.outcome is not None and item.outcome.result in (
        Result.transient,
        Result.throttled,
        Result.misconfigured,
    )


def _delay(attempts: int, outcome: Outcome) -> timedelta:
    if outcome.result is Result.throttled:
        seconds = min(max(outcome.retry_after or 5.0, 0.1), 3600)
        return timedelta(seconds=seconds * random.uniform(1, 1.2))
    if outcome.result is Result.misconfigured:
        return timedelta(seconds=60 * random.uniform(0.8, 1.2))
    base = _BACKOFF[min(max(attempts, 1), len(_BACKOFF)) - 1]
    if outcome.retry_after is not None:
        base = max(base, min(outcome.retry_after, 3600))
    return timedelta(seconds=base * random.uniform(0.8, 1.2))
