"""Writes the messages of a batch in its transaction, by one statement for all accounts."""

from collections.abc import Mapping
from typing import Any

import asyncpg

from core.errors import AppError, Conflict
from engine.direct.new_messages import ChargedMessage, Queued, write_in
from resolvers import reach
from resolvers.message_batches.batch import Batch
from resolvers.messages import waiting
from resolvers.messages.message_queue import account_busy, replay_of, written
from runtime.database_errors import retryable
from runtime.operation import Op

Written = Mapping[int, Queued | AppError]
"""The results of messages, by the index of their item."""


class _Unsent(Exception):
    """Rolls the counting of recipients back: these messages were not written."""

    def __init__(self, results: Written) -> None:
        super().__init__()
        self.results = results


async def write(op: Op, batch: Batch, *, all_or_nothing: bool = False) -> None:
    """Writes what waits. Raises RateLimited `account_busy` if the only account is locked; nothing is written then. With
    `all_or_nothing` raises the error of the first item that has one, and its transaction is rolled back.
    """
    if all_or_nothing:
        await batch.require_all()
    if not batch.waiting:
        await batch.give_back_unsent()
        return
    try:
        with account_busy():
            results = await (_counted if op.viewer.reach else _all)(op, batch.waiting)
    except Exception as error:  # after any other error it is not known whether something was written
        if isinstance(error, AppError) or retryable(error):
            await batch.give_back_all()
        raise
    for index, new in batch.waiting.items():
        try:
            batch.complete(index, _message(op, new, results[index]))
        except AppError as error:
            batch.refuse(index, error)
    if all_or_nothing:
        await batch.require_all()
    await batch.give_back_unsent()


def _message(op: Op, new: ChargedMessage, result: Queued | AppError) -> Any:
    if isinstance(result, AppError):
        raise result
    if result.row is None and (replay := replay_of(new, result)) is not None:
        return waiting.as_new(replay.value)
    if result.decision == "busy":
        with account_busy():
            raise asyncpg.LockNotAvailableError
    return waiting.as_new(written(op, new, result))


async def _all(op: Op, waiting: Mapping[int, ChargedMessage]) -> Written:
    """Writes messages. Of several accounts, one that stays locked does not hold up the others."""
    new = [*waiting.values()]
    if len({each.payer_id for each in new}) == 1:
        return dict(zip(waiting, await write_in(op.connection, new), strict=True))
    try:
        async with op.connection.transaction():
            queued = await write_in(op.connection, new)
    except asyncpg.LockNotAvailableError:
        queued = await write_in(op.connection, new, waits=False)
    return dict(zip(waiting, queued, strict=True))


async def _counted(op: Op, waiting: Mapping[int, ChargedMessage]) -> Written:
    """Writes messages of a caller whose recipients are counted (`approvalAbove`), and counts those to whom something is
    sent. What is not written is left out, and the others are counted again without it.
    """
    left, results = dict(waiting), dict[int, Queued | AppError]()
    while left:
        try:
            async with op.connection.transaction():
                return {**results, **await _write_counted(op, left)}
        except _Unsent as error:
            results |= error.results
            left = {index: new for index, new in left.items() if index not in error.results}
    return results


async def _write_counted(op: Op, left: Mapping[int, ChargedMessage]) -> Written:
    refused = await _count(op, left)
    within = {index: new for index, new in left.items() if index not in refused}
    queued = await _all(op, within) if within else {}
    if unsent := {index: result for index, result in queued.items() if _is_unsent(result)}:
        raise _Unsent(unsent)
    return {**refused, **queued}


def _is_unsent(result: Queued | AppError) -> bool:
    return isinstance(result, AppError) or result.row is None


async def _count(op: Op, left: Mapping[int, ChargedMessage]) -> dict[int, AppError]:
    """Counts recipients in the order of the items. Returns the errors of those that are beyond the limit."""
    refused: dict[int, AppError] = {}
    try:
        await reach.require(op, op.connection, [new.message.to for new in left.values()])
        return {}
    except Conflict:
        pass  # nothing was counted: each recipient counts by itself
    for index, new in left.items():
        try:
            await reach.require(op, op.connection, [new.message.to])
        except Conflict as error:
            refused[index] = error
    return refused
