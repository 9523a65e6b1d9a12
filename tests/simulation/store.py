"""A model of the tables behind `Claim`: messages, claims, breakers, early reports."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from core.clock import CLOCK
from engine.sending.judge import Verdict


class Violation(AssertionError):
    """Something that must hold does not. The code under test may catch it, so that each is remembered."""

    found: ClassVar[list[str]] = []

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.found.append(text)


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
