"""The engine's SQL against a small model of it, by random steps; then the same steps all at once."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from channels.port import Receipt, Result
from core.ids import uuid7
from engine.direct import claims, outcomes
from engine.direct.outcomes import DirectState
from engine.reports import report_writer
from shapes.messages import DeliveryState
from tests.support.early import retry_early
from tests.support.gateway import Gateway

LEASE = timedelta(days=1)  # what expires does so by a step
PROVIDERS = ("sandbox", "twilio")  # the first knows its keys
IDEMPOTENT = ["sms:sandbox"]
OPEN, KNOWN = {"sending", "unknown"}, {"sending", "unknown", "sent"}
RECEIPTS = {Result.sent: "sent", Result.delivered: "delivered", Result.refused: "failed"}
FURTHER = ("sent", "failed", "delivered")  # which of several receipts counts


@dataclass
class Message:
    state: str = "queued"
    claim: UUID | None = None
    handed: bool = False
    provider: str | None = None
    sid: str | None = None
    attempts: int = 0


@dataclass
class Model:
    messages: dict[UUID, Message]
    alive: dict[UUID, bool] = field(default_factory=dict)  # claims; False: expired
    seen: list[UUID] = field(default_factory=list)  # every claim that there ever was: zombies go on
    early: list[tuple[str, str, str]] = field(default_factory=list)

    def receipt(self, provider: str, sid: str, status: str) -> None:
        for message in self.messages.values():
            if (message.provider, message.sid) == (provider, sid):
                if message.state in (OPEN if status == "sent" else KNOWN):
                    message.state, message.claim = status, None
                return
        self.early.append((provider, sid, status))

    def retry_early(self, provider: str, sid: str) -> None:
        mine = [receipt for receipt in self.early if receipt[:2] == (provider, sid)]
        if any((message.provider, message.sid) == (provider, sid) for message in self.messages.values()):
            self.early = [receipt for receipt in self.early if receipt not in mine]
            if mine:
                self.receipt(provider, sid, max((status for _, _, status in mine), key=FURTHER.index))


class Driver:
    """Each step does the same to the database and to the model."""

    def __init__(self, gateway: Gateway, ids: list[UUID], seed: int) -> None:
        self.gateway, self.random = gateway, random.Random(seed)
        self.model = Model({id: Message() for id in ids})
        self.trace: list[str] = []

    async def step(self) -> None:
        chosen = self.random.choices(
            [self.take, self.mark, self.unmark, self.record, self.release, self.renew, self.expire, self.recover,
             self.receipt],
            [4, 6, 1, 8, 1, 1, 1, 2, 4],
        )[0]  # fmt: skip
        async with self.gateway.db.reading() as db:
            self.trace.append(f"{chosen.__name__} {await chosen(db)}")

    def claim(self) -> UUID:
        """Mostly a living one; often a dead one: its holder doesn't know."""
        return self.random.choice(self.model.seen) if self.model.seen else uuid7()

    def some(self) -> list[UUID]:
        return self.random.sample(list(self.model.messages), self.random.randint(1, 3))

    def theirs(self, claim: UUID) -> list[UUID]:
        held = [id for id, message in self.model.messages.items() if message.claim == claim]
        return held if held and self.random.random() < 0.8 else self.some()

    async def take(self, db: Any) -> Any:
        claim, limit = uuid7(), self.random.randint(1, 3)
        rows = await claims.claim_due(db, claim, "w", "sms", limit=limit, lease=LEASE)
        queued = [id for id, message in self.model.messages.items() if message.state == "queued"]
        assert len(rows) == min(limit, len(queued))
        for row in rows:
            message = self.model.messages[row["id"]]
            assert message.state == "queued"
            assert (row["handed_at"] is not None) == message.handed
            message.state, message.claim = "sending", claim
        if rows:
            self.model.alive[claim] = True
            self.model.seen.append(claim)
        return claim, len(rows)

    async def mark(self, db: Any) -> Any:
        claim, provider = self.claim(), self.random.choice(PROVIDERS)
        ids = self.theirs(claim)
        marked = await claims.record_intents(
            db, claim, provider, ids, [self.model.messages[id].attempts for id in ids]
        )
        for id in ids:
            message = self.model.messages[id]
            may = message.claim == claim and message.state == "sending" and self.model.alive.get(claim, False)
            assert (id in marked) == may
            if may:
                message.handed, message.provider, message.sid = True, provider, None
        return claim, provider, ids

    async def unmark(self, db: Any) -> Any:
        claim = self.claim()
        ids = self.theirs(claim)
        attempts = [self.model.messages[id].attempts + 1 for id in ids]
        await claims.withdraw_intents(db, claim, ids, attempts)
        for id, number in zip(ids, attempts, strict=True):
            message = self.model.messages[id]
            if message.claim == claim and message.state == "sending":
                message.handed, message.attempts = False, number
        return claim, ids

    async def record(self, db: Any) -> Any:
        claim = self.claim()
        # Only what was marked is ever written down; a zombie may write of what it had once.
        ids = [id for id in self.theirs(claim) if self.model.messages[id].handed]
        if not ids:
            return "nothing"
        states = [self.random.choice(["sent", "delivered", "failed", "unknown", "queued"]) for _ in ids]
        verdicts = []
        for id, state in zip(ids, states, strict=True):
            message = self.model.messages[id]
            attempts = message.attempts + (state == "queued")
            sid = f"SM{id}" if state in {"sent", "delivered", "unknown"} else None
            verdicts.append(DirectState(id, DeliveryState(state), attempts, message.provider, sid))
        await outcomes.record(db, claim, verdicts)
        for verdict in verdicts:
            message = self.model.messages[verdict.id]
            if message.claim == claim and message.state in OPEN:
                message.state, message.claim, message.attempts = verdict.state.value, None, verdict.attempts
                message.handed = message.handed and message.state != "queued"
                message.sid = verdict.provider_message_id or message.sid
        for verdict in verdicts:
            if verdict.provider and verdict.provider_message_id:
                await retry_early(db, verdict.provider, [verdict.provider_message_id])
                self.model.retry_early(verdict.provider, verdict.provider_message_id)
        return claim, ids, states

    async def release(self, db: Any) -> Any:
        claim = self.claim()
        await claims.release(db, claim)
        mine = [
            message
            for message in self.model.messages.values()
            if message.claim == claim and message.state == "sending"
        ]
        for message in mine:
            if not message.handed:
                message.state, message.claim = "queued", None
        if not any(message.handed for message in mine):
            self.model.alive.pop(claim, None)
        return claim

    async def renew(self, db: Any) -> Any:
        claim = self.claim()
        assert await claims.renew(db, claim, LEASE) == self.model.alive.get(claim, False)
        return claim

    async def expire(self, db: Any) -> Any:
        claim = self.claim()
        await db.execute("UPDATE claims SET expires_at = now() - interval '1 second' WHERE id = $1", claim)
        if claim in self.model.alive:
            self.model.alive[claim] = False
        return claim

    async def recover(self, db: Any) -> Any:
        rows = await claims.recover(db, IDEMPOTENT)
        dead = {claim for claim, alive in self.model.alive.items() if not alive}
        taken = {
            id: message
            for id, message in self.model.messages.items()
            if message.claim in dead and message.state == "sending"
        }
        assert {row["id"] for row in rows} == set(taken)
        for message in taken.values():
            if not message.handed or message.provider == PROVIDERS[0]:
                message.state, message.claim = "queued", None
            else:
                message.state = "unknown"
        for claim in dead:
            del self.model.alive[claim]
        return len(rows)

    async def receipt(self, db: Any) -> Any:
        (id, *_), provider = self.some(), self.random.choice(PROVIDERS)
        result = self.random.choice(list(RECEIPTS))
        await report_writer.receive_receipts(db, provider, [Receipt(f"SM{id}", result)])
        self.model.receipt(provider, f"SM{id}", RECEIPTS[result])
        return id, provider, result

    async def compare(self) -> None:
        rows = await self.gateway.db.fetch(
            "SELECT id, state, claim_id, handed_at IS NOT NULL AS handed, provider, provider_message_id, attempts"
            " FROM messages"
        )
        there = {
            row["id"]: Message(
                row["state"], row["claim_id"], row["handed"], row["provider"], row["provider_message_id"],
                row["attempts"],
            )
            for row in rows
        }  # fmt: skip
        assert there == self.model.messages
        for message in there.values():
            assert message.handed or message.state != "unknown"
        alive = await self.gateway.db.fetch("SELECT id, expires_at > now() AS alive FROM claims")
        assert {row["id"]: row["alive"] for row in alive} == self.model.alive
        assert await self.gateway.count("early_reports") == len(set(self.model.early))


@pytest.mark.parametrize("seed", range(4))
async def test_random_steps(seed: int, gateway: Gateway, ada: Any) -> None:
    driver = Driver(gateway, await gateway.queue(ada, 6), seed)
    try:
        for number in range(200):
            await driver.step()
            await driver.compare()
            if number % 50 == 49:  # most have ended; the next ones
                await gateway.books()
                driver.model.messages |= {id: Message() for id in await gateway.queue(ada, 4)}
    except AssertionError as error:
        raise AssertionError(f"seed {seed}:\n" + "\n".join(driver.trace)) from error


@pytest.mark.parametrize("seed", range(2))
async def test_random_steps_at_once(seed: int, gateway: Gateway, ada: Any) -> None:
    """Nobody can say what the end is; the books, the moves and the claims must be right all the same."""
    ids = await gateway.queue(ada, 40)
    chance = random.Random(seed)
    held: list[tuple[UUID, list[UUID]]] = []

    async def work(db: Any) -> None:
        claim = uuid7()
        rows = await claims.claim_due(db, claim, "w", "sms", limit=chance.randint(1, 8), lease=LEASE)
        mine = [row["id"] for row in rows]
        held.append((claim, mine))
        marked = list(await claims.record_intents(db, claim, chance.choice(PROVIDERS), mine, [0] * len(mine)))
        await asyncio.sleep(chance.random() * 0.01)
        if marked and chance.random() < 0.8:
            await write(db, claim, marked)
        if chance.random() < 0.5:
            await claims.release(db, claim)

    async def write(db: Any, claim: UUID, mine: list[UUID]) -> None:
        verdicts = [
            DirectState(
                id, DeliveryState(chance.choice(["sent", "failed", "unknown", "queued"])), 1, None, f"SM{id}"
            )
            for id in mine
        ]
        await insist(partial(outcomes.record, db, claim, verdicts))
        for provider in PROVIDERS:
            await insist(partial(retry_early, db, provider, [f"SM{id}" for id in mine]))

    async def insist(call: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """Repeats a call after a deadlock, as the dispatcher and `receive_events` do."""
        while True:
            with suppress(asyncpg.DeadlockDetectedError):
                await call()
                return

    async def haunt(db: Any) -> None:
        """Acts as a holder that comes back, whether it has lost its claim or not."""
        if held:
            claim, mine = chance.choice(held)
            marked = await claims.record_intents(db, claim, "twilio", mine, [0] * len(mine))
            if marked:
                await write(db, claim, list(marked))

    async def die(db: Any) -> None:
        await db.execute("UPDATE claims SET expires_at = now() - interval '1 second' WHERE random() < 0.3")
        await claims.recover(db, IDEMPOTENT)

    async def report(db: Any) -> None:
        receipts = [Receipt(f"SM{id}", chance.choice(list(RECEIPTS))) for id in chance.sample(ids, 5)]
        provider = chance.choice(PROVIDERS)
        await insist(partial(report_writer.receive_receipts, db, provider, receipts))

    async def actor(step: Callable[[Any], Coroutine[Any, Any, None]]) -> None:
        for _ in range(40):
            async with gateway.db.reading() as db:
                with suppress(asyncpg.DeadlockDetectedError):
                    await step(db)

    await asyncio.gather(*map(actor, [work, work, work, haunt, die, report, report]))
    await gateway.db.fetch("UPDATE claims SET expires_at = now() - interval '1 second'")
    async with gateway.db.reading() as db:
        await claims.recover(db, IDEMPOTENT)
    assert await gateway.count("claims") == 0
    assert (await gateway.states())["sending"] == 0
    assert await gateway.count("messages WHERE state = 'unknown' AND handed_at IS NULL") == 0
    early = (
        "early_reports e JOIN messages m ON 'route:' || m.provider = e.scope"
        " AND m.provider_message_id = e.key"
    )
    assert await gateway.count(early) == 0
