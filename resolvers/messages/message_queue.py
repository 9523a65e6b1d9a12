"""Queues messages with their charges. Concurrent messages are one statement: docs/decisions/0033."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import chain as all_of
from itertools import islice
from typing import Any
from uuid import UUID

import asyncpg
from cachetools import TTLCache

from core.errors import AppError, RateLimited
from core.ids import uuid7
from db import models
from db.session import Database
from engine.address_hashes import address_hasher
from engine.chains.steps import AskedStep
from engine.direct.new_messages import ChargedMessage, NewMessage, Queued, charged, refusal, write
from engine.sms import country_caps
from engine.sms.price_books import price_books
from resolvers.messages import limited_writes, token_spend
from runtime import idempotency
from runtime.group_commit import LAST_SECONDS, GroupCommit, Key, NotStarted, Result, SharedReads
from runtime.idempotency import Attempt
from runtime.operation import Op, replayed
from runtime.retry import passing

_SECONDS = 5.0  # that a message waits for the earlier ones of its account
_LOCK_WAITS = 3  # times that a group waits for its account's lock, a second each
_GROUP_SECONDS = 0.25  # that a group waits for the common statement, before it is written alone
_ALONE_SECONDS = 10.0  # that the messages of an account whose group failed are written alone
_FAILED_ACCOUNTS = 1000


class MessageQueue(GroupCommit[ChargedMessage, Queued]):
    """Writes the messages of this process.

        messages ──► groups of one account ──► one statement of all groups that wait
                                          └──► a statement of this group alone

    A group is written alone if no other waits, or if the common statement has left it out or failed: an account that is
    locked, or whose messages PostgreSQL refuses, must not hold up the others.
    """

    def __init__(self, db: Database) -> None:
        super().__init__(self._write_group, seconds=_SECONDS)
        self._db = db
        self._groups: GroupCommit[Sequence[ChargedMessage], Sequence[Queued] | None] = GroupCommit(
            self._write_groups, seconds=_GROUP_SECONDS
        )
        # The accounts whose last group failed; the next ones are written alone.
        self._failed: TTLCache[UUID, bool] = TTLCache(_FAILED_ACCOUNTS, _ALONE_SECONDS)

    async def add(self, message: ChargedMessage) -> Queued:
        """Writes a message, together with others. Raises NotStarted, and what `write` raises.

        Messages of an account that cost something are written in the order of their arrival, and so are free ones.
        Those are groups of their own, since they need no lock of the account.
        """
        return await self.join((message.payer_id, message.price > 0), message, message.size)

    async def _write_group(self, group: Sequence[ChargedMessage]) -> Sequence[Queued]:
        payer = group[0].payer_id
        if len(self._queues) > 1 and payer not in self._failed:
            with suppress(NotStarted):  # too many groups wait, or this one has waited too long
                queued = await self._groups.join("", group, sum(message.size for message in group))
                if queued is not None:
                    return queued
        for _ in range(_LOCK_WAITS - 1):
            with suppress(
                asyncpg.LockNotAvailableError
            ):  # it waits again, behind others and without a connection
                return await self._write_alone(group)
        return await self._write_alone(group)

    async def _write_alone(self, group: Sequence[ChargedMessage]) -> Sequence[Queued]:
        try:
            return await write(self._db, group)
        except Exception as error:
            if _nothing_written(error):
                self._failed[group[0].payer_id] = True
            raise

    async def _write_groups(
        self, groups: Sequence[Sequence[ChargedMessage]]
    ) -> Sequence[Sequence[Queued] | None]:
        """Writes groups of several accounts. The result is None for a group that was not written."""
        try:
            queued = iter(await write(self._db, [*all_of(*groups)], waits=False))
        except Exception as error:
            if _nothing_written(error):
                return [None] * len(groups)
            raise
        results = [[*islice(queued, len(group))] for group in groups]
        # All messages of a group cost something, or none does. So `busy` is the decision about all of them, or none.
        return [None if result[0].decision == "busy" else result for result in results]

    async def close(self, seconds: float = LAST_SECONDS) -> None:
        await super().close(seconds)
        await self._groups.close(0)


def _nothing_written(error: Exception) -> bool:
    """Returns whether PostgreSQL has certainly not committed: it waited too long for a lock, or refused a message.

    Other errors pass. After one of them, a lost connection for example, it is not known.
    """
    return isinstance(error, asyncpg.LockNotAvailableError) or not passing(error)


async def queue(op: Op, payer: Any, message: NewMessage, chain: Sequence[AskedStep] = ()) -> models.Message:
    """Writes the message with its charge and the answer for its Idempotency-Key, or nothing.

    `payer` comes from `messages.paying`. It commits, together with what it is joined with. `chain`: the steps of which
    the message is the first; then the answer is the head of the chain.

    Raises Forbidden (a channel that the tariff lacks), BadRequest (no price, blocked recipient, a country that is not
    allowed), PaymentRequired (the balance, or what the caller's token may spend in a day), RateLimited (the messages
    that it may send in a day, the cap of a country, or `account_busy`), Conflict (of the key, and `approval_required`),
    Unprocessable (of the key).
    """
    services = op.services
    new = await with_charge(op, payer, message, op.attempt)
    if chain:
        size = sum(len(step.message.body) + len(repr(step.message.metadata)) for step in chain)
        stored = {"steps": [step.stored for step in chain]}
        new = replace(new, chain_id=uuid7(), step=1, chain=stored, size=new.size + size)
    message_queue = services.single(MessageQueue, lambda: MessageQueue(services.db), MessageQueue.close)
    taken = None
    try:
        if new.counted is not None:
            taken = await country_caps.take(services, new.owner_id, new.counted)
        with account_busy():
            if op.viewer.reach:
                queued = await limited_writes.write(op, new, message_queue)
            else:
                queued = await message_queue.add(new)
    except AppError:  # after any other error, it is not known whether the message was written
        if taken is not None:
            await taken.give_back()
        raise
    if queued.row is None and taken is not None:
        await taken.give_back()
    if queued.row is None and (replay := replay_of(new, queued)) is not None:
        earlier: models.Message = replayed(op.ctx, replay)
        return earlier
    return written(op, new, queued)


async def with_charge(op: Op, payer: Any, message: NewMessage, attempt: Attempt | None) -> ChargedMessage:
    """Returns a message with its charge, and the limits of the caller's token.

    Raises Forbidden (a channel that the tariff lacks), BadRequest (no price, a country that is not allowed).
    """
    book = await price_books(op.services).of(payer.price_version_id, message.channel)
    new = charged(payer, message, await address_hasher(op.services), book, attempt)
    return token_spend.limited(op, payer, new)


async def shared(reads: SharedReads[Key, Result], key: Key) -> Result:
    """Returns `reads.of(key)`, of an account. Raises RateLimited if the account is busy."""
    with account_busy():
        return await reads.of(key)


@contextmanager
def account_busy() -> Iterator[None]:
    """Raises RateLimited (`account_busy`) if the account is locked, or too many requests of it wait."""
    try:
        yield
    except (asyncpg.LockNotAvailableError, NotStarted) as error:
        raise RateLimited(
            "This account is busy: another transaction has locked it, or too many messages of it wait. Nothing was"
            " sent; try again in a moment.",
            code="account_busy",
            headers={"Retry-After": "1"},
        ) from error


def replay_of(new: ChargedMessage, queued: Queued) -> idempotency.Replay | None:
    """Returns the message that was sent earlier with the same key; None: the key is new."""
    if new.attempt is None or queued.decision != "replayed":
        return None
    return new.attempt.replay(queued.answer) if queued.answer else idempotency.Replay(queued.repeated)


def written(op: Op, new: ChargedMessage, queued: Queued) -> models.Message:
    """Returns the message, or raises why there is none."""
    if queued.row is not None:
        return queued.row
    raise refused(op, new, queued)


def refused(op: Op, message: ChargedMessage, queued: Queued) -> Exception:
    """Returns why a message was not written."""
    if queued.decision == "overspent":
        return token_spend.overspent(op, message)
    if queued.decision == "overcounted":
        return token_spend.overcounted(op)
    return refusal(queued.decision)
