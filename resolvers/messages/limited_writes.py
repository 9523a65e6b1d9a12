"""Writes a message whose sender's recipients are counted (`approvalAbove`), in one transaction with its recipient.

Other messages are written together with those of concurrent requests (`message_queue`). So is one to a recipient that
was counted within the hour: it adds nobody. Of a chain the recipients of all steps are counted when it is accepted,
since no approval can be asked for when a step begins.
"""

from functools import partial
from typing import Protocol

from engine import reach as counting
from engine.direct.new_messages import ChargedMessage, Queued, write_in
from resolvers import reach
from runtime.operation import Op
from runtime.owner_slots import owner_slots
from runtime.retry import despite_conflicts


class Adds(Protocol):
    """Writes messages together with those of concurrent requests."""

    async def add(self, message: ChargedMessage) -> Queued:
        """Writes a message."""


class _NotWritten(Exception):
    """Rolls the counting back: the message was not written."""

    def __init__(self, queued: Queued) -> None:
        super().__init__(queued.decision)
        self.queued = queued


async def write(op: Op, message: ChargedMessage, together: Adds) -> Queued:
    """Writes a message and counts its recipient, or does neither. Raises Conflict `approval_required`, RateLimited."""
    new = message.message
    if reach.may_be_many(new.channel, new.to):
        await reach.refuse(op, "")
    if message.chain is None and await counting.is_fresh(op.services, op.viewer.reach, new.to):
        return await together.add(message)
    # A message that waits for the lock of its credential holds a connection.
    async with owner_slots(op.services).slot(op.viewer.id):
        try:
            return await despite_conflicts(partial(_write, op, message))
        except _NotWritten as error:
            return error.queued


async def _write(op: Op, message: ChargedMessage) -> Queued:
    async with op.db.transaction() as connection:
        await reach.require(op, connection, message.addresses)
        (queued,) = await write_in(connection, [message])
        if queued.row is None:
            raise _NotWritten(queued)
    return queued
