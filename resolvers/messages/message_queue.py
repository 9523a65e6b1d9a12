"""Queues messages with their charges. Concurrent messages are one statement: docs/decisions/0033."""

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from itertools import chain, islice
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg
from cachetools import TTLCache

from channels.sms_text import segments
from core.errors import BadRequest, Forbidden, PaymentRequired, Unavailable
from core.ids import uuid7
from db import ledger, models
from db.address_keys import key_of
from db.query import returning
from db.session import Database
from engine import blocks
from engine.queue import drain
from resolvers.messages import token_spend
from runtime import idempotency
from runtime.group_commit import BYTES, LAST_SECONDS, GroupCommit, NotStarted, Request, Result
from runtime.idempotency import Attempt
from runtime.operation import Op, replayed
from runtime.retry import despite_conflicts, passing
from shapes.addresses import stored_key
from shapes.messages import MessageCategory, MessageChannel

_GROUP_SECONDS = 0.25  # that a group waits for the common statement, before it is written alone
_ALONE_SECONDS = 10.0  # that the messages of an account whose group failed are written alone
_FAILED_ACCOUNTS = 1000


class NewMessage(NamedTuple):
    """A message as its sender wants it; the address is in the channel's spelling."""

    channel: str
    to: str
    body: str
    metadata: dict[str, Any]
    to_given: str | None = None  # None: as `to`
    category: MessageCategory = MessageCategory.transactional
    trial: bool = False
    from_address: str | None = None  # of an email; None: the channel's own
    valid: timedelta | None = None  # how long it may wait for its hand-over; None: a day


@dataclass(frozen=True, slots=True)
class ChargedMessage:
    """A message with its charge, not written yet. `_CHARGE_COLUMNS` has the types of its columns."""

    message: NewMessage
    payer_id: UUID
    owner_id: UUID
    attempt: Attempt | None  # the use of an Idempotency-Key
    id: UUID
    entry_id: UUID
    address_key: str | None
    price: Decimal
    segments: int
    job: str
    size: int = 0  # about its bytes, and so much more that a statement has at most 256 messages


@dataclass(frozen=True, slots=True)
class Queued:
    """The result of queueing a new message: its row, unless `decision` is another one than `admitted`."""

    decision: str
    row: models.Message | None
    answer: str | None  # a replay's: what was stored for the key
    repeated: models.Message | None  # a replay's: the joined message that it repeats


_MESSAGE_COLUMNS = {
    "channel": "text", "to": "text", "body": "text", "metadata": "jsonb", "to_given": "text", "category": "text",
    "trial": "bool", "from_address": "text", "valid": "interval",
}  # fmt: skip
_CHARGE_COLUMNS = {
    "payer_id": "uuid", "owner_id": "uuid", "id": "uuid", "entry_id": "uuid", "address_key": "text", "price": "numeric",
    "segments": "int", "job": "text",
}  # fmt: skip
assert (*_MESSAGE_COLUMNS,) == NewMessage._fields  # a message is written as the tuple that it is
_COLUMNS = _MESSAGE_COLUMNS | _CHARGE_COLUMNS
_ARRAYS = {
    name: f"${number}::{type}[]"
    for number, (name, type) in enumerate((_COLUMNS | idempotency.KEY_COLUMNS).items(), start=2)
}
_CHARGE = attrgetter(*_CHARGE_COLUMNS)
_NO_KEY = (None,) * len(idempotency.KEY_COLUMNS)
_NAMES = ", ".join(f'"{name}"' for name in _ARRAYS)
_BLOCKED = blocks.IS_BLOCKED.format(owner="new.owner_id", key=key_of('new."to"'), category="new.category")
_DECISIONS = ledger.DECISIONS.format(
    waits="$1",
    accounts=_ARRAYS["payer_id"],
    amounts=_ARRAYS["price"],
    refused=f'ARRAY(SELECT {_BLOCKED} FROM new ORDER BY new."position")',  # noqa: S608  our own condition
    users=_ARRAYS["user_id"],
    operations=_ARRAYS["operation"],
    keys=_ARRAYS["key"],
    locks=_ARRAYS["lock"],
    fingerprints=_ARRAYS["fingerprint"],
)
_ANSWERS = f"""(
  SELECT user_id, operation, key, fingerprint, {idempotency.model_answer(models.Message, "message")} AS answer
  FROM admitted JOIN message USING (id)
)"""  # noqa: S608  our own column names

# Charges, ledger, messages, answers and wake-ups of all that is joined are one statement, and one round trip with its
# commit: the accounts' rows are locked for no longer than that, and no crash can separate them.
_SEND = f"""
WITH new AS MATERIALIZED (
  SELECT * FROM unnest({", ".join(_ARRAYS.values())}) WITH ORDINALITY AS n ({_NAMES}, "position")
), decisions AS MATERIALIZED ({_DECISIONS}), admitted AS MATERIALIZED (
  SELECT new.* FROM new JOIN decisions USING ("position") WHERE decision = 'admitted'
), {ledger.CHARGED_ENTRIES}, message AS (
  INSERT INTO messages (id, owner_id, account_id, direction, channel, "to", address_key, to_given, body,
                        metadata, price, segments, category, trial, from_address, expires_at)
  SELECT id, owner_id, payer_id, 'outbound', channel, "to", address_key, to_given, body, metadata, price, segments,
         category, trial, from_address,
         now() + valid
  FROM admitted ORDER BY "position"
  RETURNING *
), stored AS ({idempotency.STORE.format(rows=_ANSWERS)}), woken AS MATERIALIZED (
  SELECT postern_wake(job) FROM (SELECT DISTINCT job FROM admitted ORDER BY job) AS jobs
)
SELECT decision, answer, repeats, {returning(models.Message, "message")}, (SELECT count(*) FROM woken)
FROM decisions JOIN new USING ("position") LEFT JOIN message ON message.id = new.id
ORDER BY "position"
"""  # noqa: S608  our own column names


class MessageQueue(GroupCommit[ChargedMessage, Queued]):
    """Writes the messages of this process.

        messages ──► groups of one account ──► one statement of all groups that wait
                                          └──► a statement of this group alone

    A group is written alone if no other waits, or if the common statement has left it out or failed: an account that is
    locked, or whose messages PostgreSQL refuses, must not hold up the others.
    """

    def __init__(self, db: Database) -> None:
        super().__init__(self._write_group)
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
        try:
            return await write(self._db, group)
        except Exception as error:
            if _nothing_written(error):
                self._failed[payer] = True
            raise

    async def _write_groups(
        self, groups: Sequence[Sequence[ChargedMessage]]
    ) -> Sequence[Sequence[Queued] | None]:
        """Writes groups of several accounts. The result is None for a group that was not written."""
        try:
            queued = iter(await write(self._db, [*chain(*groups)], waits=False))
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

    Other errors pass. After one of them, a lost connection for example, nobody knows.
    """
    return isinstance(error, asyncpg.LockNotAvailableError) or not passing(error)


async def write(db: Database, messages: Sequence[ChargedMessage], *, waits: bool = True) -> Sequence[Queued]:
    """Writes messages with their charges, in one statement. Returns what became of each.

    The result is as if they had been written one after the other. If another transaction has locked an account, this
    waits for a second, or with `waits=False` decides `busy` about the charges of this account.

    Raises what PostgreSQL raises; then nothing is written.
    """
    values = [
        (*charged.message, *_CHARGE(charged), *(charged.attempt.row if charged.attempt else _NO_KEY))
        for charged in messages
    ]
    columns = [*map(list, zip(*values, strict=True))]
    rows = await despite_conflicts(partial(db.fetch, _SEND, waits, *columns))
    return [
        Queued(
            row["decision"],
            row if row["decision"] == "admitted" else None,
            row["answer"],
            rows[row["repeats"] - 1] if row["decision"] == "replayed" and row["repeats"] else None,
        )
        for row in rows
    ]


async def queue(op: Op, payer: Any, message: NewMessage) -> models.Message:
    """Writes the message with its charge and the answer for its Idempotency-Key, or nothing.

    `payer` comes from `messages.paying`. It commits, together with what it is joined with.

    Raises Forbidden (a channel that the tariff lacks), BadRequest (no price, blocked recipient), PaymentRequired (the
    balance, or what the caller's token may spend in a day), Unavailable (`account_busy`), Conflict and Unprocessable
    (of the key).
    """
    parts = segments(message.body) if message.channel == MessageChannel.sms else 1
    charged = ChargedMessage(
        message,
        payer.id,
        payer.owner_id,
        op.attempt,
        uuid7(),
        uuid7(),
        stored_key(message.to),
        _price(payer, message.channel) * parts,
        parts,
        drain(message.channel),
        BYTES // 256 + len(message.body) + len(repr(message.metadata)),
    )
    services = op.services
    message_queue = services.single(MessageQueue, lambda: MessageQueue(services.db), MessageQueue.close)
    reserved = await token_spend.reserve(op, payer, charged.price)
    try:
        with _account_busy():
            queued = await message_queue.add(charged)
    except Unavailable:
        if reserved is not None:
            await reserved.give_back()
        raise
    if reserved is not None and queued.row is None:
        await reserved.give_back()
    return _answer(op, op.attempt, queued)


async def grouped(group_commit: GroupCommit[Request, Result], key: Hashable, request: Request) -> Result:
    """Returns `group_commit.join(…)` of an account's request. Raises Unavailable if the account is busy."""
    with _account_busy():
        return await group_commit.join(key, request)


@contextmanager
def _account_busy() -> Iterator[None]:
    """Raises Unavailable (`account_busy`) if the account is locked, or too many requests of it wait."""
    try:
        yield
    except (asyncpg.LockNotAvailableError, NotStarted) as error:
        raise Unavailable(
            "This account is busy: another transaction has locked it, or too many messages of it wait. Nothing was"
            " sent; try again in a moment.",
            code="account_busy",
            headers={"Retry-After": "1"},
        ) from error


def _answer(op: Op, attempt: Attempt | None, queued: Queued) -> models.Message:
    """Returns the message, or raises why there is none."""
    if queued.row is not None:
        return queued.row
    if attempt is not None and queued.decision == "replayed":
        replay = attempt.replay(queued.answer) if queued.answer else idempotency.Replay(queued.repeated)
        message: models.Message = replayed(op.ctx, replay)
        return message
    raise _refusal(queued.decision)


def _refusal(decision: str) -> Exception:
    if decision == "in_flight":
        return idempotency.in_flight()
    if decision == "key_reused":
        return idempotency.key_reused()
    if decision == "refused":
        return BadRequest(
            "This recipient is blocked. If the recipient agrees, unblock it with POST /block/unblock/{phone}.",
            code="recipient_blocked",
        )
    if decision == "unpaid":
        return PaymentRequired("The balance is too low. Ask an administrator to credit the account.")
    raise ValueError(f"unknown decision {decision}")


def _price(payer: Any, channel: str) -> Decimal:
    if channel not in payer.channels:
        raise Forbidden(
            f"Your tariff doesn't include {channel}. Choose another tariff with POST /user/tariff.",
            code="channel_not_in_tariff",
        )
    price = payer.prices.get(payer.currency, {}).get(channel)
    if price is None:
        raise BadRequest(
            f"There is no price for {channel} in {payer.currency}. Use an account in another currency.",
            code="no_price",
        )
    # Rounded to the ledger's precision before the multiplication: balance and ledger must change by the same amount.
    return Decimal(str(price)).quantize(Decimal("0.000001"), ROUND_HALF_UP)
