"""Many messages in one request. Each item is what `POST /messages` would have made of it, in their order."""

from collections.abc import Sequence

from resolvers.message_batches import batch_writing
from resolvers.message_batches.batch import Batch
from resolvers.message_batches.batch_answers import STORED
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.message_batches import BatchItem, SentMessages


async def _prepare(op: Op, items: Sequence[BatchItem], *, all_or_nothing: bool = False) -> Batch:
    batch = Batch(op, items)
    await batch.check()
    return batch


@operation(Permission.messages_send, "sql", idempotent=STORED, before=_prepare)
async def send(op: Op, items: Sequence[BatchItem], *, all_or_nothing: bool = False) -> SentMessages:
    """Charges accounts and queues up to 500 messages, all in one transaction. An item that can't be sent has an error
    and costs nothing; the others are sent.

    Items are charged in their order. Raises RateLimited (`account_busy`); then nothing is sent. With `all_or_nothing`
    an item that can't be sent raises its error, and nothing is sent either.
    """
    batch: Batch = op.prepared
    await batch_writing.write(op, batch, all_or_nothing=all_or_nothing)
    return batch.answer()
