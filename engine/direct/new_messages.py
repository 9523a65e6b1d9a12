"""Writes direct messages with their charges, any number in one statement: docs/decisions/0033."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from channels.sms_text import segments
from core.errors import BadRequest, Forbidden, PaymentRequired
from core.ids import uuid7
from db import ledger, models
from db.address_keys import key_of
from db.models.message_chains import NEVER
from db.query import Reads, returning
from db.session import Database
from engine import blocks
from engine.address_hashes import AddressHasher
from engine.queue import drain
from engine.sms import country_rules
from engine.sms.price_books import CURRENT, MessagePrice, PriceBook, is_listed, price_of
from runtime import idempotency
from runtime.group_commit import BYTES
from runtime.idempotency import Attempt
from runtime.retry import despite_conflicts
from shapes.addresses import stored_key
from shapes.messages import MessageCategory, MessageChannel

# An account with the prices and channels of its owner's tariff, and the rules of countries. `postern_payer` finds the
# newest version of its row first, however many of them a snapshot keeps.
PAYER = f"""
SELECT a.id, a.owner_id, u.status AS owner_status, a.currency, t.prices, t.channels,
  l.price_version_id, l.price_list_strict,
  {country_rules.RULES.format(owner="a.owner_id")} AS country_rules
FROM postern_payer($1) AS a
JOIN users AS u ON u.id = a.owner_id JOIN tariffs AS t ON t.code = u.tariff_code
LEFT JOIN LATERAL ({CURRENT.format(list="t.price_list_id", currency="a.currency")}) AS l ON true
"""  # noqa: S608  our own expressions


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
    sender: str | None = None  # of an SMS; None: the channel's own
    valid: timedelta | None = None  # how long it may wait for its hand-over; None: a day
    send_at: datetime | None = None  # not before; None: at once
    status_callback: str | None = None
    callback_id: UUID | None = None  # the webhook of that URL's host
    template_id: UUID | None = None  # that its text comes from; None: none
    template_version: int | None = None
    template_locale: str | None = None


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
    price_prefix: str | None
    price_version_id: UUID | None
    segments: int
    job: str
    address_hash: str | None  # by engine/address_hashes.py
    counted: country_rules.Counted | None = None  # for the caps of its country
    size: int = 0  # about its bytes, and so much more that a statement has at most 256 messages
    token_id: UUID | None = None  # the API token that sends it, if that has a limit of a day
    spend_limit: Decimal | None = None
    currency: str | None = None
    chain_id: UUID | None = None  # of the chain that it is a step of
    step: int | None = None
    # Of the first step: the `steps` of the chain that begins with it, as they are stored. asyncpg would take a list for
    # a dimension of its array.
    chain: Mapping[str, Sequence[Any]] | None = None

    @property
    def addresses(self) -> Sequence[str]:
        """Returns the addresses that it may go to: of a chain those of all steps."""
        return (
            [self.message.to]
            if self.chain is None
            else [step["message"]["to"] for step in self.chain["steps"]]
        )


@dataclass(frozen=True, slots=True)
class Queued:
    """The result of queueing a new message: its row, unless `decision` is another one than `admitted`."""

    decision: str
    row: models.Message | None
    answer: str | None  # a replay's: the answer that was stored for the key
    repeated: models.Message | None  # a replay's: the joined message that it repeats


_MESSAGE_COLUMNS = {
    "channel": "text", "to": "text", "body": "text", "metadata": "jsonb", "to_given": "text", "category": "text",
    "trial": "bool", "from_address": "text", "sender": "text", "valid": "interval",
    "send_at": "timestamptz", "status_callback": "text", "callback_id": "uuid", "template_id": "uuid",
    "template_version": "int", "template_locale": "text",
}  # fmt: skip
_CHARGE_COLUMNS = {
    "payer_id": "uuid", "owner_id": "uuid", "id": "uuid", "entry_id": "uuid", "address_key": "text", "price": "numeric",
    "price_prefix": "text", "price_version_id": "uuid", "segments": "int", "job": "text", "address_hash": "text",
    "token_id": "uuid", "spend_limit": "numeric", "currency": "text", "chain_id": "uuid", "step": "smallint",
    "chain": "jsonb",
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
_BLOCKED = f"""({blocks.IS_BLOCKED.format(owner="new.owner_id", key=key_of('new."to"'), category="new.category")}
  OR {blocks.IS_ERASED.format(owner="new.owner_id", hash="new.address_hash", category="new.category")})"""
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
    tokens=_ARRAYS["token_id"],
    limits=_ARRAYS["spend_limit"],
    currencies=_ARRAYS["currency"],
)
_ANSWERS = f"""(
  SELECT user_id, operation, key, fingerprint, {idempotency.model_answer(models.Message, "message")} AS answer
  FROM admitted JOIN message ON message.id = admitted.shown_id
)"""  # noqa: S608  our own column names

# Charges, ledger, messages, answers and wake-ups of all that is joined are one statement, and one round trip with its
# commit: the accounts' rows are locked for no longer than that, and no crash can separate them. So are a chain, its
# head, which is never due, and its first step.
_SEND = f"""
WITH new AS MATERIALIZED (
  SELECT *, CASE WHEN chain IS NULL THEN id ELSE chain_id END AS shown_id
  FROM unnest({", ".join(_ARRAYS.values())}) WITH ORDINALITY AS n ({_NAMES}, "position")
), decisions AS MATERIALIZED ({_DECISIONS}), admitted AS MATERIALIZED (
  SELECT new.* FROM new JOIN decisions USING ("position") WHERE decision = 'admitted'
), {ledger.CHARGED_ENTRIES}, message AS (
  INSERT INTO messages (id, owner_id, account_id, direction, channel, "to", address_key, to_given, body,
                        metadata, price, price_prefix, price_version_id, segments, category, trial, from_address,
                        sender, template_id, template_version, template_locale, send_at, due_at, expires_at,
                        status_callback, callback_id, chain_id, step)
  SELECT m.id, owner_id, payer_id, 'outbound', channel, "to", address_key, to_given, body, metadata, price,
         price_prefix, price_version_id, segments, category, trial, from_address, sender, template_id,
         template_version, template_locale, send_at, m.due_at, m.expires_at, m.url, m.host, m.chain_id, m.step
  FROM admitted CROSS JOIN LATERAL (
    SELECT admitted.id, COALESCE(send_at, now()) AS due_at, admitted.chain_id, admitted.step,
      COALESCE(send_at + COALESCE(valid, interval '1 day'), now() + valid) AS expires_at,
      CASE WHEN chain IS NULL THEN status_callback END AS url, CASE WHEN chain IS NULL THEN callback_id END AS host
    UNION ALL SELECT shown_id, {NEVER}, NULL, 0, NULL, status_callback, callback_id WHERE chain IS NOT NULL
  ) AS m ORDER BY "position"
  RETURNING *
), chained AS (
  INSERT INTO message_chains (id, owner_id, account_id, token_id, steps, current, began_at, due_at)
  SELECT chain_id, owner_id, payer_id, token_id, chain -> 'steps', 1, COALESCE(send_at, now()),
    COALESCE(send_at, now()) + (chain -> 'steps' -> 0 ->> 'within')::int * interval '1 second'
  FROM admitted WHERE chain IS NOT NULL
), stored AS ({idempotency.STORE.format(rows=_ANSWERS)}), woken AS MATERIALIZED (
  SELECT postern_wake(job) FROM (SELECT DISTINCT job FROM admitted ORDER BY job) AS jobs
)
SELECT decision, answer, repeats, {returning(models.Message, "message")}, (SELECT count(*) FROM woken)
FROM decisions JOIN new USING ("position") LEFT JOIN message ON message.id = new.shown_id
ORDER BY "position"
"""  # noqa: S608  our own column names


def charged(
    payer: Any,
    message: NewMessage,
    hasher: AddressHasher,
    book: PriceBook | None,
    attempt: Attempt | None = None,
    sent: str | None = None,
) -> ChargedMessage:
    """Returns a message with its charge to the account `payer`, a row of `PAYER`. `book`: the prices of its list;
    `sent`: a text as long as the one that is sent, if that is not the body.

    Raises Forbidden (a channel that the tariff lacks), BadRequest (no price, a country that is not allowed).
    """
    parts = segments(sent or message.body) if message.channel == MessageChannel.sms else 1
    price = priced(payer, message.channel, message.to, book)
    return ChargedMessage(
        message,
        payer.id,
        payer.owner_id,
        attempt,
        uuid7(),
        uuid7(),
        stored_key(message.to),
        price.amount * parts,
        price.prefix,
        price.version_id,
        parts,
        drain(message.channel),
        hasher.hash(message.to),
        country_rules.counted(payer, message.channel, message.to),
        BYTES // 256 + len(message.body) + len(repr(message.metadata)),
    )


def priced(payer: Any, channel: str, to: str, book: PriceBook | None) -> MessagePrice:
    """Returns the price of a message, or of each part of an SMS, that `payer`, a row of `PAYER`, sends.

    Raises Forbidden (a channel that the tariff lacks), BadRequest (no price).
    """
    if channel not in payer.channels:
        raise Forbidden(
            f"Your tariff doesn't include {channel}. Choose another tariff with POST /user/tariff.",
            code="channel_not_in_tariff",
        )
    price = price_of(payer, channel, to, book)
    if price is not None:
        return price
    if payer.price_list_strict and is_listed(channel, book):
        raise BadRequest(
            f"Your price list has no price for {to}, and nothing else is sent by it. Ask an administrator to add"
            " one.",
            code="no_price",
        )
    raise BadRequest(
        f"There is no price for {channel} in {payer.currency}. Use an account in another currency.",
        code="no_price",
    )


async def write(db: Database, messages: Sequence[ChargedMessage], *, waits: bool = True) -> Sequence[Queued]:
    """Works as `write_in` does, in a transaction of its own, and again if that lost against a concurrent one."""
    return await despite_conflicts(partial(write_in, db, messages, waits=waits))


async def write_in(db: Reads, messages: Sequence[ChargedMessage], *, waits: bool = True) -> Sequence[Queued]:
    """Writes messages with their charges, in one statement. Returns the result of each.

    The result is as if they had been written one after the other. If another transaction has locked an account, this
    waits for a second, or with `waits=False` decides `busy` about the charges of this account.

    Raises PostgreSQL's errors; then nothing is written.
    """
    values = [
        (*charged.message, *_CHARGE(charged), *(charged.attempt.row if charged.attempt else _NO_KEY))
        for charged in messages
    ]
    rows = await db.fetch(_SEND, waits, *map(list, zip(*values, strict=True)))
    return [
        Queued(
            row["decision"],
            row if row["decision"] == "admitted" else None,
            row["answer"],
            rows[row["repeats"] - 1] if row["decision"] == "replayed" and row["repeats"] else None,
        )
        for row in rows
    ]


def refusal(decision: str) -> Exception:
    """Returns the error for a message that was not written."""
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
