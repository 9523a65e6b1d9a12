"""Takes chains on: those whose time has come, and those of which a step has changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import partial
from time import monotonic
from typing import Any, Final
from uuid import UUID

import asyncpg
import structlog

from core import change_events
from db import ledger
from engine.chains.beginning import Beginning, Begun, NextStep
from engine.chains.decide import (
    LOOKS_SOON,
    ChainState,
    Decision,
    Rule,
    StepState,
    decide,
    is_over,
    is_reached,
    visible_step,
)
from engine.chains.heads import Head, mirror
from engine.chains.steps import AskedStep, steps_of
from engine.direct import canceling
from engine.faultpoints import fault_point
from engine.jobs import every
from runtime.database_errors import retryable
from runtime.retry import away, despite_conflicts
from runtime.services import Services
from shapes.messages import DeliveryState, price_of

log = structlog.get_logger("postern.chains")

BATCH: Final = 50
"""Chains of one transaction."""

SUPERSEDED: Final = "superseded"
_REASON: Final = "Another step of its chain has reached its goal."
_EXPIRED: Final = "No provider has taken it within the time of its step."
_LOOKED: Final = 2000  # chains of which a batch is chosen, so that owners take turns

_IS_DUE: Final = """
EXISTS (SELECT FROM message_chains WHERE due_at <= now()) OR EXISTS (SELECT FROM chain_signals)
"""
_CHOOSE: Final = f"""
WITH waiting AS (
  (SELECT id, owner_id, due_at AS since FROM message_chains WHERE due_at <= now() ORDER BY due_at LIMIT {_LOOKED})
  UNION ALL
  SELECT c.id, c.owner_id, s.at FROM (
    SELECT chain_id, at FROM chain_signals ORDER BY id LIMIT {_LOOKED}
  ) AS s JOIN message_chains AS c ON c.id = s.chain_id
), turns AS (
  SELECT id, row_number() OVER (PARTITION BY owner_id ORDER BY min(since), id) AS turn
  FROM waiting GROUP BY owner_id, id
)
SELECT id FROM turns ORDER BY turn, id LIMIT {BATCH}
"""  # noqa: S608  our own numbers
_TAKE: Final = f"""
SELECT * FROM message_chains WHERE id = ANY(ARRAY({_CHOOSE})) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
"""  # noqa: S608  our own statement
_TAKE_AGAIN: Final = "SELECT * FROM message_chains WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED"
_POSTPONE: Final = "UPDATE message_chains SET due_at = now() + interval '1 minute' WHERE id = $1"
# One that was postponed after it was settled.
_LOOKED_AT: Final = "UPDATE message_chains SET due_at = NULL WHERE id = ANY($1)"
# Before the steps are read: a signal that is committed later stays for the next round.
_RECEIVED: Final = "DELETE FROM chain_signals WHERE chain_id = ANY($1)"
_LOST: Final = f"""
DELETE FROM chain_signals WHERE id = ANY(ARRAY(
  SELECT s.id FROM (SELECT id, chain_id FROM chain_signals ORDER BY id LIMIT {_LOOKED}) AS s
  WHERE NOT EXISTS (SELECT FROM message_chains AS c WHERE c.id = s.chain_id)))
"""  # noqa: S608  our own number
_WAITED: Final = 1.5  # seconds for the accounts of a batch together; then those that are locked wait
_LOCK_TIMEOUT: Final = "SET LOCAL lock_timeout = '{:.0f}ms'"
_NO_LOCK_TIMEOUT: Final = "SET LOCAL lock_timeout TO DEFAULT"  # else it outlives its savepoint
# Counters of messages have shards for workers, which change them before accounts, and shards for others, which change
# them after.
_AS_API: Final = "SET LOCAL application_name = 'postern-chains'"
_STEPS: Final = """
SELECT id, chain_id, step, state, claim_id, handed_at, price, reported_by, failure_code, failure_reason, sent_at,
  delivered_at
FROM messages WHERE chain_id = ANY($1)
"""
_STORE: Final = """
UPDATE message_chains AS c SET current = n.current, began_at = n.began_at, due_at = n.due_at,
  not_begun = n.not_begun, failure_code = n.code, failure_reason = n.reason,
  settled_at = COALESCE(c.settled_at, CASE WHEN n.settles THEN now() END)
FROM unnest($1::uuid[], $2::smallint[], $3::timestamptz[], $4::timestamptz[], $5::jsonb[], $6::text[], $7::text[],
  $8::bool[]) AS n (id, current, began_at, due_at, not_begun, code, reason, settles)
WHERE c.id = n.id
"""


@dataclass(slots=True)
class _Chain:
    """A chain that this transaction has locked."""

    row: Any
    asked: Sequence[AskedStep]
    messages: dict[int, Any]  # by step
    current: int
    began_at: datetime | None
    not_begun: dict[str, Any]
    failure: tuple[str, str] | None
    due_at: datetime | None = None
    settles: bool = False
    waits: bool = False  # for an account that is locked, or for a message that could not be canceled
    unlockable: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, row: Any) -> "_Chain":
        failure = None if row["failure_code"] is None else (row["failure_code"], row["failure_reason"])
        not_begun = {**row["not_begun"]}
        return cls(row, steps_of(row), {}, row["current"], row["began_at"], not_begun, failure)

    @property
    def state(self) -> ChainState:
        steps = {int(number): StepState(DeliveryState.failed) for number in self.not_begun}
        for number, message in self.messages.items():
            state = DeliveryState(message["state"])
            unsent = state in (DeliveryState.queued, DeliveryState.sending) and message["handed_at"] is None
            free = message["claim_id"] is None and number not in self.unlockable
            cancelable = state is DeliveryState.queued and unsent and free
            steps[number] = StepState(state, cancelable, message["delivered_at"], unsent)
        rules = [Rule(step.until, step.within) for step in self.asked]
        return ChainState(rules, self.current, self.began_at, steps, ended=self.failure is not None)

    @property
    def head(self) -> Head | None:
        """Returns what the head shows; None while nothing has begun."""
        state = self.state
        if not (number := visible_step(state)):
            return None
        message, asked = self.messages.get(number), self.asked[number - 1]
        price = sum((_cost(each) for each in self.messages.values()), Decimal(0))
        if message is None:
            why = self.not_begun.get(str(number), {})
            code, reason, step_state = why.get("code"), why.get("reason"), DeliveryState.failed
        else:
            code, reason = message["failure_code"], message["failure_reason"]
            step_state = DeliveryState(message["state"])
        is_canceled = self.failure is not None and self.failure[0] == canceling.CANCELED
        is_failed = self.failure is not None and not is_canceled
        if is_canceled and is_over(state) and all(each["sent_at"] is None for each in self.messages.values()):
            assert self.failure is not None
            (code, reason), step_state = self.failure, DeliveryState.canceled
        if is_failed and step_state is not DeliveryState.delivered:
            assert self.failure is not None
            (code, reason), step_state = self.failure, DeliveryState.failed
        if step_state is DeliveryState.sending:  # only a message with a claim is being sent
            step_state = DeliveryState.queued
        step_id = None if message is None else message["id"]
        return Head(self.row["id"], step_id, step_state, price, code, reason, asked)


def _cost(message: Any) -> Decimal:
    if message["state"] == DeliveryState.canceled:
        return Decimal(0)
    return price_of(message["price"], message["state"], message["reported_by"])


@every(1, due=_IS_DUE)
async def take_chains_on(services: Services) -> None:
    """Decides about the chains that wait, in batches, until none waits that no other worker has."""
    while not services.stopping.is_set():
        try:
            count = await despite_conflicts(partial(step_once, services), or_locks=True)
        except Exception as error:
            if away(error):
                raise
            log.warning("a batch of chains has failed; they are taken on one by one", error=error)
            await _step_each(services)
            count = 0
        change_events.emit()
        if count < BATCH:
            break


async def _step_each(services: Services) -> None:
    """Takes a batch of chains on, each in a transaction of its own. One that fails waits for a minute, and so do the
    changes of its steps: it stops no other chain. One that meets a lock waits for the next round.
    """
    for id in [row["id"] for row in await services.db.fetch(_CHOOSE)]:
        try:
            await despite_conflicts(partial(step_once, services, id), or_locks=True)
        except Exception as error:
            if away(error):
                raise
            if retryable(error) or isinstance(error, asyncpg.LockNotAvailableError):
                continue
            log.exception("a chain can't be taken on, and is tried again in a minute", chain=str(id))
            async with services.db.transaction() as db:
                await db.execute(_POSTPONE, id)
                await db.execute(_RECEIVED, [id])


async def step_once(services: Services, only: UUID | None = None) -> int:
    """Takes a batch of chains on, or one, in one transaction. Returns how many there were."""
    async with services.db.transaction() as db:
        beginning = Beginning(services, db)
        try:
            count, heads = await _step(services, db, beginning, only)
            fault_point("chain.stepped")
        except BaseException:
            await beginning.give_back()
            raise
    fault_point("chain.committed")
    for head in heads:
        change_events.message(head["owner_id"], head["id"], head["state"])
    return count


async def _step(
    services: Services, db: asyncpg.Connection, beginning: Beginning, only: UUID | None
) -> tuple[int, Sequence[Any]]:
    await db.execute(_AS_API)
    rows = await (db.fetch(_TAKE) if only is None else db.fetch(_TAKE_AGAIN, only))
    if not rows:
        await db.execute(_LOST)
        return 0, ()
    chains = {row["id"]: _Chain.of(row) for row in rows}
    await db.execute(_RECEIVED, [*chains])
    now = await db.fetchval("SELECT now()")  # also of the messages that this transaction writes
    await _read(db, chains)
    left = [chain for chain in chains.values() if chain.row["settled_at"] is None]
    locked, ends = set[UUID](), monotonic() + _WAITED
    while left:
        decisions = [(chain, decide(chain.state, now)) for chain in left]
        await _lock_accounts(db, decisions, locked, ends)
        decisions = [(chain, decision) for chain, decision in decisions if not chain.waits]
        canceled = await _cancel(db, decisions)
        begun = await _begin(beginning, decisions, now)
        fault_point("chain.begun")
        if begun or canceled:
            await _read(db, chains)
        left = [chain for chain, decision in decisions if not _finished(chain, decision, now)]
    for chain in chains.values():
        if chain.waits:
            chain.due_at = now + LOOKS_SOON
    heads = await mirror(db, [head for chain in chains.values() if (head := chain.head) is not None])
    await _store(db, chains.values())
    return len(rows), heads


def _finished(chain: _Chain, decision: Decision, now: datetime) -> bool:
    """Notes what a decision says of the chain's time. Returns False for a chain to decide about again at once."""
    if chain.waits:
        return True
    if _moves(decision):
        return False
    chain.due_at, chain.settles = decision.due_at, decision.settles
    return True


def _moves(decision: Decision) -> bool:
    """Returns whether a decision charges or refunds an account."""
    return decision.begins is not None or decision.expires is not None or bool(decision.cancels)


async def _lock_accounts(
    db: asyncpg.Connection, decisions: Sequence[tuple[_Chain, Decision]], locked: set[UUID], ends: float
) -> None:
    """Locks the accounts that are to be charged or refunded, before anything is written: as an API process does, which
    has counters of its own. So this waits for no transaction that waits for it. Chains of an account that stays locked
    wait for the next round. After `ends` this waits for no account any more, or a few would stop all others.
    """
    moving = [chain for chain, decision in decisions if _moves(decision)]
    for account in sorted({chain.row["account_id"] for chain in moving} - locked):
        try:
            async with db.transaction():
                await db.execute(_LOCK_TIMEOUT.format(min(max((ends - monotonic()) * 1000, 5), 1000)))
                await ledger.lock(db, [account])
                await db.execute(_NO_LOCK_TIMEOUT)
        except asyncpg.LockNotAvailableError:
            for chain in moving:
                chain.waits |= chain.row["account_id"] == account
        else:
            locked.add(account)


async def _read(db: asyncpg.Connection, chains: Mapping[UUID, _Chain]) -> None:
    """Reads the messages of the chains' steps."""
    for row in await db.fetch(_STEPS, [*chains]):
        chains[row["chain_id"]].messages[row["step"]] = row


async def _cancel(db: asyncpg.Connection, decisions: Sequence[tuple[_Chain, Decision]]) -> int:
    """Ends steps that are queued. A message that another transaction has locked is looked at again soon. Returns how
    many there were.
    """
    superseded = {
        chain.messages[number]["id"]: (chain, number)
        for chain, decision in decisions
        for number in decision.cancels
    }
    expired = {
        chain.messages[decision.expires]["id"]: (chain, decision.expires)
        for chain, decision in decisions
        if decision.expires is not None
    }
    ended: set[UUID] = set()
    if superseded:
        rows = await canceling.cancel_queued(db, [*superseded], SUPERSEDED, _REASON)
        ended |= {row["id"] for row in rows}
    if expired:
        ended |= {row["id"] for row in await canceling.expire_queued(db, [*expired], _EXPIRED)}
    for id, (chain, number) in (superseded | expired).items():
        if id not in ended:
            chain.unlockable.add(number)
            chain.waits = True
    return len(ended)


async def _begin(beginning: Beginning, decisions: Sequence[tuple[_Chain, Decision]], now: datetime) -> int:
    """Begins steps. Returns how many have begun."""
    nexts = [
        (chain, NextStep(chain.row, decision.begins, chain.asked[decision.begins - 1]))
        for chain, decision in decisions
        if decision.begins is not None
    ]
    if not nexts:
        return 0
    begun = await beginning.begin([step for _, step in nexts])
    for (chain, step), result in zip(nexts, begun, strict=True):
        _note(chain, step.number, result, now)
    return len(nexts)


def _note(chain: _Chain, number: int, result: Begun, now: datetime) -> None:
    if result.postponed:
        chain.waits = True
        return
    if result.ends:
        assert result.code is not None
        assert result.reason is not None
        chain.failure = (result.code, result.reason)
        log.info("a chain has ended", chain=str(chain.row["id"]), step=number, code=result.code)
        return
    chain.current, chain.began_at = number, now
    if result.code is not None:
        why = {"code": result.code, "reason": result.reason, "at": now.isoformat()}
        chain.not_begun[str(number)] = why


async def cancel(db: asyncpg.Connection, id: UUID) -> bool:
    """Cancels the step of a chain that was not handed over, and begins no further one. Returns False if the chain has
    reached its goal or has no further step, and nothing is canceled; True also of a chain that was canceled before. In
    the caller's transaction, which is run by `canceling.until_unlocked`.
    """
    row = await db.fetchrow("SELECT * FROM message_chains WHERE id = $1 FOR NO KEY UPDATE", id)
    if row is not None and row["failure_code"] == canceling.CANCELED:
        return True
    if row is None or row["settled_at"] is not None:
        return False
    chain, chains, now = _Chain.of(row), {}, await db.fetchval("SELECT now()")
    chains[id] = chain
    await _read(db, chains)
    if is_reached(chain.state):
        return False
    ids = [message["id"] for message in chain.messages.values()]
    canceled = await canceling.cancel(db, row["account_id"], ids)
    if not canceled and chain.current == len(chain.asked):
        return False
    chain.failure = (canceling.CANCELED, canceling.REASON)
    await _read(db, chains)
    decision = decide(chain.state, now)
    chain.due_at, chain.settles = decision.due_at, decision.settles
    heads = await mirror(db, [head for head in [chain.head] if head is not None])
    await _store(db, [chain])
    for head in heads:
        change_events.message(head["owner_id"], head["id"], head["state"])
    return True


async def _store(db: asyncpg.Connection, chains: Any) -> None:
    """Stores the chains. Those that were settled before have no time any more."""
    rows = [
        (
            chain.row["id"], chain.current, chain.began_at, chain.due_at, chain.not_begun,
            *(chain.failure or (None, None)), chain.settles,
        )
        for chain in chains
        if chain.row["settled_at"] is None
    ]  # fmt: skip
    if late := [
        chain.row["id"]
        for chain in chains
        if chain.row["settled_at"] is not None and chain.row["due_at"] is not None
    ]:
        await db.execute(_LOOKED_AT, late)
    if rows:
        await db.execute(_STORE, *map(list, zip(*rows, strict=True)))
