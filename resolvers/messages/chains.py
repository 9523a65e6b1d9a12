"""Chains in `POST /messages`: their steps are checked like messages of their own, and the first one is charged."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from core.errors import BadRequest, NotFound
from engine.chains.steps import AskedStep, steps_of
from engine.direct.new_messages import NewMessage
from runtime.operation import Op, require
from runtime.permissions import Permission
from runtime.routes import MESSENGERS
from shapes import messages as single
from shapes.addresses import address_key
from shapes.message_chains import (
    LONGEST_WITHIN,
    ChainStep,
    MessageStep,
    SendMessage,
    StepUntil,
    present_price,
)
from shapes.messages import DeliveryState, MessageChannel, visible_state
from shapes.purposes import Module

Prepare = Callable[[Op, Any, single.SendMessage], Awaitable[NewMessage]]
"""Checks a message of an account, and returns it as it is written."""

_ADDRESSES: Final = """
SELECT a.channel, a.address FROM contacts AS c LEFT JOIN contact_addresses AS a ON a.contact_id = c.id
WHERE c.id = $1 AND c.owner_id = $2 ORDER BY a."primary" DESC, a.id
"""
_CHAINS_OF: Final = "SELECT id, steps, not_begun FROM message_chains WHERE id = ANY($1)"
_STEPS_OF: Final = """
SELECT id, chain_id, step, state, reported_by, price, failure_code, failure_reason, sent_at, delivered_at, "to",
  channel, send_at
FROM messages WHERE chain_id = ANY($1)
"""


class AdmittedChain(NamedTuple):
    """Holds who pays for a chain, and its steps."""

    payer: Any
    steps: Sequence[AskedStep]


async def admit(op: Op, input: SendMessage, payer: Any, prepare: Prepare) -> AdmittedChain:
    """Returns the steps of a chain, each prepared like a message of its own.

    Raises what `prepare` raises, BadRequest (`bad_chain`, `no_address`), NotFound (`contact_not_found`).
    """
    addresses = await _addresses(op, payer, input.contact_id)
    steps: list[AskedStep] = []
    for asked, message in input.single_messages():
        if not message.to:
            if (address := addresses.get(asked.channel.value)) is None:
                continue
            message.to = address
        within = timedelta(seconds=asked.within or LONGEST_WITHIN)
        prepared = await prepare(op, payer, message)
        steps.append(AskedStep(prepared, _until(op, asked, prepared), within))
    if not steps:
        raise BadRequest(
            "The contact has no address for a channel of this chain. Add one, or give the steps `to`.",
            code="no_address",
        )
    seen = [(step.message.channel, address_key(step.message.to)) for step in steps]
    if len(set(seen)) < len(seen):
        raise BadRequest(
            "Two steps of the chain send by the same channel to the same address. Leave out one of them.",
            code="bad_chain",
        )
    return AdmittedChain(payer, steps)


async def _addresses(op: Op, payer: Any, contact: UUID | None) -> Mapping[str, str]:
    """Returns the first address that the contact has for each channel; messengers also get its phone."""
    if contact is None:
        return {}
    await op.services.choices.require(Module.people)
    require(op.viewer, Permission.contacts_read)
    rows = await op.db.fetch(_ADDRESSES, contact, payer.owner_id)
    if not rows:
        raise NotFound(
            "There is no contact with this id among yours. Check the id.", code="contact_not_found"
        )
    by_kind: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["channel"] is not None:
            by_kind[row["channel"]].append(row["address"])
    by_channel = {channel: of_channel[0] for channel, of_channel in by_kind.items()}
    for messenger in ("whatsapp", "telegram"):
        if phone := by_channel.get("sms"):
            by_channel.setdefault(messenger, phone)
    return by_channel


def _until(op: Op, step: ChainStep, message: NewMessage) -> StepUntil:
    """Returns the goal of a step. Raises BadRequest (`bad_chain`) for one that its channel never reports."""
    # Of the messengers WhatsApp reports what was delivered, and Telegram what was read.
    by_account = step.channel is MessageChannel.whatsapp and "messenger_account" in message.metadata
    has_account = step.channel.value in MESSENGERS and "messenger_account" in message.metadata
    reports = by_account or (not has_account and op.services.routes.reports_delivery(step.channel.value))
    if step.until is None:
        return StepUntil.delivered if reports else StepUntil.accepted
    if step.until is StepUntil.read or (step.until is StepUntil.delivered and not reports):
        best = "delivered` or `accepted" if reports else "accepted"
        raise BadRequest(
            f"The routes of {step.channel.value} don't report that a message was {step.until.value}, so the step"
            f" would always run out of time. Use `until` `{best}`.",
            code="bad_chain",
            details={"channel": step.channel.value},
        )
    return step.until


async def steps_of_messages(op: Op, rows: Sequence[Any]) -> list[list[MessageStep] | None]:
    """Returns the steps of each message that is the head of a chain, else None; nothing is read if none is.

    The caller may see the rows, which have `id` and `step`.
    """
    ids = [row.id for row in rows if row.step == 0]
    if not ids:
        return [None] * len(rows)
    begun: defaultdict[UUID, dict[int, Any]] = defaultdict(dict)
    for row in await op.db.fetch(_STEPS_OF, ids):
        begun[row["chain_id"]][row["step"]] = row
    now = op.services.db.now()
    chains = {row["id"]: _steps(row, begun[row["id"]], now) for row in await op.db.fetch(_CHAINS_OF, ids)}
    return [chains.get(row.id) for row in rows]


def _steps(chain: Any, begun: Mapping[int, Any], now: datetime) -> list[MessageStep]:
    return [
        _step(number, step, begun.get(number), chain["not_begun"].get(str(number)), now)
        for number, step in enumerate(steps_of(chain), 1)
    ]


def _step(number: int, asked: AskedStep, row: Any, not_begun: Any, now: datetime) -> MessageStep:
    values: dict[str, Any] = {
        "channel": asked.message.channel, "to": asked.message.to, "delivery_state": None, "price": 0,
        "failure_code": None, "failure_reason": None, "sent_at": None, "delivered_at": None, "message_id": None,
    }  # fmt: skip
    if not_begun is not None:
        values |= {
            "delivery_state": DeliveryState.failed,
            "failure_code": not_begun["code"],
            "failure_reason": not_begun["reason"],
        }
    if row is not None:
        canceled = row["state"] == DeliveryState.canceled
        price = 0 if canceled else present_price(row["price"], row["state"], row["reported_by"], number)
        same = ("channel", "to", "failure_code", "failure_reason", "sent_at", "delivered_at")
        values |= {name: row[name] for name in same}
        state = visible_state(row["state"], row["send_at"], now)
        values |= {"delivery_state": state, "price": price, "message_id": row["id"]}
    return MessageStep(step=number, until=asked.until, within=round(asked.within.total_seconds()), **values)
