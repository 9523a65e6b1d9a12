"""A model of the tables behind `Claim`: messages, claims, breakers, early reports; and connections that fail.

A statement, or a transaction of several, takes effect at one virtual moment. Before and after it the connection may
fail, or answer so late that its caller has given up. `Fate` says which.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from random import Random
from typing import Any, ClassVar
from uuid import UUID

import asyncpg

from core.clock import CLOCK
from engine.sending.judge import Verdict
from runtime import breakers

SILENCE = 30.0  # seconds after which a connection gives up that gets no answer


class Violation(AssertionError):
    """Something that must hold does not. The code under test may catch it, so that each is remembered."""

    found: ClassVar[list[str]] = []

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.found.append(text)


class Fate(Enum):
    """What becomes of a statement and its answer."""

    well = auto()
    before = auto()  # it fails and has no effect
    after = auto()  # it has its effect, and the answer is lost
    silent = auto()  # it has no effect, and no answer comes
    late = auto()  # it has its effect, and no answer comes
    slow = auto()  # it takes seconds


@dataclass(slots=True)
class Row:
    """A message in the table."""

    id: UUID
    group: UUID | None
    due: float
    created: float
    state: str = "queued"
    claim: "ClaimRow | None" = None
    handed: float | None = None
    label: str | None = None
    attempts: int = 0
    tries: int = 0
    code: str | None = None
    provider_id: str | None = None
    stored_by: Any = None  # the worker that stored its outcome
    doubt: bool = False  # something has happened after which its outcome may be unknown
    poison: bool = False  # the database refuses its outcome
    invalid: bool = False  # each provider refuses it
    failures: int = 0  # times that a provider surely did not accept it

    @property
    def final(self) -> bool:
        """Returns whether nothing more happens to it."""
        return self.state not in ("queued", "sending")


_SAVED = ("state", "claim", "handed", "label", "attempts", "tries", "code", "provider_id", "stored_by", "due")


@dataclass(slots=True, eq=False)
class ClaimRow:
    """A claim in the table."""

    id: UUID
    worker: Any
    expires: float
    released: bool = False  # messages that it leaves wait for its expiry


@dataclass(slots=True)
class BreakerRow:
    """An open breaker in the table."""

    opened: datetime
    pause: timedelta
    probe_at: float
    holder: UUID | None = None
    expires: float | None = None


@dataclass(eq=False)
class Store:
    """The tables."""

    rows: dict[UUID, Row] = field(default_factory=dict)
    claims: dict[UUID, ClaimRow] = field(default_factory=dict)
    breakers: dict[str, BreakerRow] = field(default_factory=dict)
    early: dict[UUID, str] = field(default_factory=dict)  # reports whose message has no stored outcome
    intents: dict[tuple[Any, UUID], str] = field(
        default_factory=dict
    )  # by worker and message: the route's label
    changed: list[Callable[[], None]] = field(
        default_factory=list
    )  # called when messages or claims have changed
    is_changed: bool = False
    moved_at: float = 0.0  # of the breakers
    undo: list[tuple[Row, tuple[Any, ...]]] | None = None
    undo_intents: list[tuple[tuple[Any, UUID], str | None]] = field(default_factory=list)

    def touch(self, row: Row, *, wakes: bool = True) -> None:
        """Remembers the row as it was, for a rollback. `wakes`: workers look at the store after it."""
        self.is_changed |= wakes
        if self.undo is not None:
            self.undo.append((row, tuple(getattr(row, name) for name in _SAVED)))

    def set_intent(self, key: tuple[Any, UUID], label: str | None) -> None:
        """Records or removes an intent that a worker counts."""
        if self.undo is not None:
            self.undo_intents.append((key, self.intents.get(key)))
        if label is None:
            self.intents.pop(key, None)
        else:
            self.intents[key] = label

    def rollback(self) -> None:
        """Takes back what the transaction has changed."""
        for row, values in reversed(self.undo or ()):
            for name, value in zip(_SAVED, values, strict=True):
                setattr(row, name, value)
        for key, label in reversed(self.undo_intents):
            if label is None:
                self.intents.pop(key, None)
            else:
                self.intents[key] = label
        self.end()

    def end(self) -> None:
        """Ends the transaction."""
        self.undo = None
        self.undo_intents.clear()
        if self.is_changed:
            self.is_changed = False
            for call in self.changed:
                call()

    # statements on messages and claims, as those of engine/direct/claims.py

    def claim_due(self, id: UUID, worker: Any, group: UUID | None, limit: int, lease: float) -> list[Row]:
        """Claims due messages of one group."""
        now = CLOCK.wall()
        due = [
            row
            for row in self.rows.values()
            if row.state == "queued" and row.due <= now and row.group == group
        ]
        if due := sorted(due, key=lambda row: row.due)[:limit]:
            claim = self.claims[id] = ClaimRow(id, worker, now + lease)
            for row in due:
                self.touch(row)
                row.state, row.claim = "sending", claim
        return due

    def renew(self, id: UUID, lease: float) -> bool:
        """Moves the expiry of a claim that lives."""
        claim = self.claims.get(id)
        if claim is None or claim.expires <= CLOCK.wall():
            return False
        claim.expires = CLOCK.wall() + lease
        return True

    def lives(self, id: UUID) -> bool:
        """Returns whether a claim is there and has not expired."""
        claim = self.claims.get(id)
        return claim is not None and claim.expires > CLOCK.wall()

    def record_intents(self, id: UUID, label: str, wanted: list[tuple[UUID, int]]) -> set[UUID]:
        """Records intents of messages that the claim has. Returns the ids."""
        if not self.lives(id):
            return set()
        ours = set()
        for message, attempts in wanted:
            row = self.rows[message]
            if row.state == "sending" and row.claim is self.claims[id]:
                self.touch(row, wakes=False)
                row.handed = CLOCK.wall() if row.handed is None else row.handed
                row.label, row.attempts, row.provider_id = label, attempts, None
                ours.add(message)
        return ours

    def withdraw(self, claim: ClaimRow, wanted: list[tuple[UUID, int]]) -> None:
        """Withdraws intents of messages that the claim has, or that became unknown under it."""
        for message, attempts in wanted:
            row = self.rows[message]
            if row.claim is claim and row.state in ("sending", "unknown"):
                self.touch(row)
                row.handed, row.attempts = None, attempts
                if row.state == "unknown":
                    row.state, row.claim = "queued", None

    def record(
        self, claim: ClaimRow, row: Row, verdict: Verdict, label: str | None, provider_id: str | None
    ) -> bool:
        """Stores the outcome of a message. Returns whether the claim still had it."""
        if row.claim is not claim or row.state not in ("sending", "unknown"):
            return False
        self.touch(row)
        row.state, row.claim, row.stored_by = verdict.state.value, None, claim.worker
        row.attempts, row.tries, row.code = verdict.attempts, verdict.tries, verdict.code
        row.provider_id = provider_id or row.provider_id
        row.label = label or row.label
        if row.state == "queued":
            row.due = CLOCK.wall() + verdict.delay
            if not verdict.uncertain:
                row.handed = None
        return True

    def release(self, claim: ClaimRow, delay: float = 0.0) -> None:
        """Ends a claim, unless messages of it have an intent and no outcome."""
        claim.released = True
        mine = [row for row in self.rows.values() if row.claim is claim and row.state == "sending"]
        for row in mine:
            if row.handed is None:
                self.touch(row)
                row.state, row.claim, row.due = "queued", None, CLOCK.wall() + delay
        if not any(row.handed is not None for row in mine):
            self.claims.pop(claim.id, None)

    def recover(self, idempotent: set[str], *, undisturbed: bool) -> None:
        """Ends claims that have expired. `undisturbed`: each worker could have renewed its claims."""
        now = CLOCK.wall()
        for claim in [claim for claim in self.claims.values() if claim.expires < now]:
            if undisturbed and not claim.released and not claim.worker.dead:
                raise Violation("the claim of a worker that lives has expired")
            del self.claims[claim.id]
            for row in self.rows.values():
                if row.claim is claim and row.state == "sending":
                    self.touch(row)
                    row.doubt = True
                    if row.handed is None or row.label in idempotent:
                        row.state, row.claim, row.due = "queued", None, now
                    else:
                        row.state, row.code = "unknown", "worker_died"

    def cancel(self, row: Row) -> bool:
        """Cancels a message that was not dispatched, for its owner. Returns whether it was so."""
        if row.state not in ("queued", "sending") or row.handed is not None:
            return False
        self.touch(row)
        row.state, row.claim = "canceled", None
        self.end()
        return True

    # reports

    def report(self, id: UUID, provider_id: str) -> None:
        """Applies a delivery report, or keeps it until its message has an outcome."""
        row = self.rows[id]
        if row.provider_id == provider_id and row.state in ("sent", "unknown"):
            row.state = "delivered"
        elif row.state != "delivered":
            self.early[id] = provider_id

    def apply_early(self, ids: list[UUID]) -> None:
        """Applies the reports that came before the outcomes of these messages."""
        for id in ids:
            if (provider_id := self.early.pop(id, None)) is not None:
                self.report(id, provider_id)


class Connection:
    """A connection of one worker."""

    def __init__(self, db: "ModelDatabase") -> None:
        self._db = db

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """Runs statements that take effect together, or not at all."""
        db, store = self._db, self._db.store
        fate = await db.before()
        if store.undo is not None:
            raise Violation("two transactions at one moment")  # a fault of this model
        store.undo = []
        try:
            yield
        except BaseException:
            store.rollback()
            raise
        if fate is Fate.before or fate is Fate.silent:
            store.rollback()
        else:
            store.end()
        await db.after(fate)

    async def fetchval(self, statement: str, *arguments: Any) -> Any:
        """Runs the look for early reports."""
        return await self._db.run(lambda: bool(self._db.store.early))


class ModelDatabase:
    """The database, as one worker reaches it."""

    def __init__(
        self, store: Store, random: Random, fate: Callable[[], Fate], is_dead: Callable[[], bool]
    ) -> None:
        """`fate` draws what becomes of a statement. `is_dead`: the worker was killed, and reaches nothing any more."""
        self.store, self._random, self._fate, self._is_dead = store, random, fate, is_dead
        self.thread: Any = None

    def now(self) -> datetime:
        return datetime.fromtimestamp(CLOCK.wall(), UTC)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        """Gives a connection."""
        yield Connection(self)

    async def before(self) -> Fate:
        """Waits until the statement takes effect, and draws its fate."""
        self._alive()
        fate = self._fate()
        slow = self._random.uniform(0.5, 40.0) if fate is Fate.slow else 0.0
        await asyncio.sleep(self._random.uniform(0.0003, 0.004) + slow)
        self._alive()
        return fate

    async def after(self, fate: Fate) -> None:
        """Waits for the answer to a statement, or raises what a lost connection raises."""
        if fate is Fate.silent or fate is Fate.late:
            await asyncio.sleep(SILENCE)
            raise TimeoutError
        await asyncio.sleep(self._random.uniform(0.0001, 0.001))
        self._alive()
        if fate is Fate.before or fate is Fate.after:
            raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")

    def _alive(self) -> None:
        if self._is_dead():
            raise asyncio.CancelledError

    async def run(self, work: Callable[[], Any]) -> Any:
        """Runs one statement."""
        fate = await self.before()
        result = None
        if fate is not Fate.before and fate is not Fate.silent:
            result = work()
            self.store.end()
        await self.after(fate)
        return result

    # the statements of runtime/breakers.py

    async def fetch(self, statement: str) -> Any:
        assert statement == breakers.READ
        return await self.run(self._open_breakers)

    async def fetchrow(self, statement: str, *arguments: Any) -> Any:
        assert statement == breakers._TAKE_PROBE
        return await self.run(lambda: self._take_probe(*arguments))

    async def fetchval(self, statement: str, *arguments: Any) -> Any:
        return await self.run(lambda: self._write(statement, arguments))

    def _open_breakers(self) -> list[dict[str, Any]]:
        now = CLOCK.wall()
        return [
            {
                "name": name,
                "wait": row.probe_at - now,
                "probing": row.expires is not None and row.expires > now,
            }
            for name, row in self.store.breakers.items()
        ]

    def _take_probe(self, name: str, holder: UUID, lease: timedelta) -> dict[str, bool]:
        row, now = self.store.breakers.get(name), CLOCK.wall()
        ours = row is not None and row.probe_at <= now and (row.expires is None or row.expires < now)
        if row is not None and ours:
            row.holder, row.expires = holder, now + lease.total_seconds()
        return {"ours": ours, "open": row is not None}

    def _write(self, statement: str, arguments: tuple[Any, ...]) -> None:
        store, now = self.store, CLOCK.wall()
        store.moved_at = now
        if statement == breakers._RENEW:
            holders, lease = arguments
            for row in store.breakers.values():
                if row.holder in holders:
                    row.expires = now + lease.total_seconds()
            return
        name = arguments[0]
        row = store.breakers.get(name)
        if statement == breakers._OPEN:
            if row is None:
                pause = arguments[1]
                store.is_changed = True
                store.breakers[name] = BreakerRow(self.now(), pause, now + pause.total_seconds())
        elif row is None:
            pass
        elif statement == breakers._CLOSE:
            store.is_changed = True
            del store.breakers[name]
        elif statement == breakers._STILL_SILENT:
            _, holder, longest, least = arguments
            if row.holder == holder or row.expires is None or row.expires < now:
                row.pause = min(max(row.pause * 2, least), longest)
                row.holder, row.expires, row.probe_at = None, None, now + row.pause.total_seconds()
        elif statement == breakers._GIVE_BACK:
            _, holder, pause = arguments
            if row.holder == holder:
                row.holder, row.expires = None, None
                row.probe_at = max(row.probe_at, now + pause.total_seconds())
        else:
            raise Violation(f"a statement that the model does not have: {statement}")
