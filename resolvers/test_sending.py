"""Test sending: contract §3. One message now, and what became of it within half a minute.

Sms, email and push go the way of a direct message (`POST /messages`), and its outcome is waited for: charge,
routes, retries and refund are the real ones. Telegram and WhatsApp have no direct messages; theirs is handed
over here and now, charged before and refunded when it was surely not taken. It has a ledger entry and no row.
"""

import asyncio
import time
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from uuid import UUID, uuid5

from pydantic import ValidationError
from sqlalchemy import exists, select

from channels.port import Outcome, Outgoing, Result
from db import models
from db.ids import uuid7
from db.query import Query, p
from engine import test_sending
from engine.texts import Rendered
from postern.errors import BadRequest, Conflict, Forbidden, NotFound
from postern.limits import Limit
from postern.operation import Op, operation
from postern.permissions import Permission
from resolvers import accounts, messages, project_content, recipients
from schema.types.accounts import EntryKind
from schema.types.message_records import RecordStatus
from schema.types.messages import DeliveryState, MessageChannel, SendMessage
from schema.types.sending_projects import ProjectChannel
from schema.types.source_accounts import SenderStatus
from schema.types.test_sending import SendingError, SendTest, TestedMessage

WAIT = 30.0  # seconds
LONGEST = 1600  # characters of a direct message, and so of a test

_STANDING = Query(
    models.Message,
    select(
        models.Message.state.label("state"),
        models.Message.provider_message_id.label("provider_message_id"),
        models.Message.failure_code.label("failure_code"),
        models.Message.failure_reason.label("failure_reason"),
    ).where(models.Message.id == p("id")),
)
_TARIFF = Query(
    models.Tariff,
    select(models.Tariff.channels.label("channels"), models.Tariff.prices.label("prices"))
    .join(models.User, models.User.tariff_code == models.Tariff.code)
    .where(models.User.id == p("user_id")),
)
_SENDER = Query(
    models.SourceAccount,
    select(
        models.SourceAccount.source.label("source"),
        models.SourceAccount.status.label("status"),
        models.SourceAccount.messenger_account_uuid.label("messenger_account"),
    ).where(
        models.SourceAccount.id == p("id"),
        models.SourceAccount.owner_id == p("owner_id"),
        models.SourceAccount.status != SenderStatus.deleted.value,
    ),
)
_BLOCKED = Query(
    models.BlockedPhone,
    select(
        exists().where(models.BlockedPhone.owner_id == p("owner_id"), models.BlockedPhone.phone == p("phone"))
    ),
)


@operation(Permission.projects_send, "outside")
async def send(op: Op, input: SendTest) -> TestedMessage:
    """Raises BadRequest (text, recipient, price), NotFound (account), Forbidden (tariff), Conflict (blocked, sender
    offline), PaymentRequired, RateLimited.
    """
    settings = op.services.settings
    await op.services.limiter.enforce(
        Limit.parse("test_sending", settings.limit_test_sending), str(op.viewer.id), "test messages"
    )
    said = await _rendered(op, input)
    sender = await _sender(op, input)
    to = _address(op, input)
    if await _BLOCKED.value(op.db, owner_id=op.viewer.id, phone=to):
        raise Conflict(
            "This recipient is blocked. Unblock it with POST /block/unblock/{phone}, if he agrees.",
            code="recipient_blocked",
        )
    if input.channel.value in MessageChannel.__members__:
        return await _direct(op, MessageChannel(input.channel.value), to, said)
    return await _at_once(op, input, to, said, sender)


async def _rendered(op: Op, input: SendTest) -> Rendered:
    """Raises BadRequest, RateLimited, Unavailable."""
    content = {"text": input.text, "subject": input.subject, "html": input.html}
    said = await project_content.rendered(op, content, input.variables or {})
    if not said.body.strip() or len(said.body) > LONGEST:
        raise BadRequest(
            f"The text must have 1 to {LONGEST} characters when it is rendered; it has {len(said.body)}.",
            code="bad_text",
        )
    return said


async def _sender(op: Op, input: SendTest) -> dict[str, Any]:
    """What a channel is told of who sends. Raises NotFound, Conflict."""
    if input.account_uuid is None:
        return {}
    row: Any = await _SENDER.one(op.db, id=input.account_uuid, owner_id=op.viewer.id)
    if row is None:
        raise NotFound("There is no such source account.", code="source_account_not_found")
    if row.status != SenderStatus.connected:
        raise Conflict(
            f"This source account is {row.status}. Connect it, or name another one.", code="sender_offline"
        )
    told: dict[str, Any] = {"sender": str(input.account_uuid)}
    if row.messenger_account is not None and row.source == input.channel.value:
        told |= {"messenger_account": str(row.messenger_account), "test": True}
    return told


def _address(op: Op, input: SendTest) -> str:
    """In the one spelling that recipients of projects have. Raises BadRequest."""
    region = op.services.settings.default_region
    if input.channel.value in MessageChannel.__members__:
        return recipients.normalise(MessageChannel(input.channel.value), input.to, region, op.services.guard)
    to = input.to.strip()
    if input.channel is ProjectChannel.telegram and (to.startswith("@") or to.isdigit()):
        if len(to) > 64 or not to.isprintable():
            raise BadRequest(
                "to must be a phone, a user name (@ada) or a user's number.", code="invalid_recipient"
            )
        return to
    return recipients.phone(to, region)


async def _direct(op: Op, channel: MessageChannel, to: str, said: Rendered) -> TestedMessage:
    metadata: dict[str, Any] = {}
    if channel is MessageChannel.email:
        metadata = {"subject": said.subject, "html": said.html}
    elif channel is MessageChannel.push and said.subject:
        metadata = {"title": said.subject}
    given = {name: value for name, value in metadata.items() if value is not None}
    try:
        message = SendMessage(to=to, channel=channel, body=said.body, metadata=given or None)
    except ValidationError as error:
        raise BadRequest("The text is too long when it is rendered.", code="bad_text") from error
    # The operation itself, and no part of it: a test is charged, limited and (by Idempotency-Key) told apart
    # like any other message.
    sent = await messages.send(op.ctx, message)
    return await _outcome(op, sent.id)


async def _outcome(op: Op, id: UUID) -> TestedMessage:
    """Where it is after half a minute, or as soon as somebody knows."""
    until, pause = time.monotonic() + WAIT, 0.05
    while True:
        row: Any = await _STANDING.one(op.db, id=id)
        waits = row.state in (DeliveryState.queued, DeliveryState.sending)
        if not waits or op.services.draining or time.monotonic() + pause > until:
            return TestedMessage(
                message_id=id,
                status=RecordStatus(row.state),
                provider_message_id=row.provider_message_id,
                error=_error(row.failure_code, row.failure_reason),
            )
        await asyncio.sleep(pause)
        pause = min(pause * 1.3, 1.0)


async def _at_once(op: Op, input: SendTest, to: str, said: Rendered, sender: dict[str, Any]) -> TestedMessage:
    account = await accounts.paying(op, None)
    price = await _price(op, input.channel, account.currency)
    key = op.ctx.idempotency_key
    # The same key is the same message: charged once, and a provider that knows its key drops the second one.
    id = uuid5(op.viewer.id, f"test-sending:{key}") if key else uuid7()
    message = Outgoing(id=id, key=f"{id}.0", to=to, body=said.body, metadata=sender)
    if price:
        async with op.tx() as session:
            await accounts.move(session, account.id, EntryKind.charge, price, reference=id)
    outcome = await test_sending.hand_over(op.services, input.channel.value, message, WAIT)
    status = _STATUSES.get(outcome.result, RecordStatus.failed)
    if price and status is RecordStatus.failed:
        async with op.tx() as session:
            await accounts.move(session, account.id, EntryKind.refund, price, reference=id)
    return TestedMessage(
        message_id=id,
        status=status,
        provider_message_id=outcome.provider_message_id,
        error=_failure(outcome),
    )


_STATUSES = {
    Result.sent: RecordStatus.sent,
    Result.delivered: RecordStatus.delivered,
    Result.unknown: RecordStatus.unknown,
}


async def _price(op: Op, channel: ProjectChannel, currency: str) -> Decimal:
    """Raises Forbidden, BadRequest."""
    tariff: Any = await _TARIFF.one(op.db, user_id=op.viewer.id)
    if channel.value not in tariff.channels:
        raise Forbidden(
            f"The tariff doesn't include {channel.value}. Choose another one with POST /user/tariff.",
            code="channel_not_in_tariff",
        )
    price = tariff.prices.get(currency, {}).get(channel.value)
    if price is None:
        raise BadRequest(
            f"There is no price for {channel.value} in {currency}. Use an account in another currency.",
            code="no_price",
        )
    return Decimal(str(price)).quantize(Decimal("0.000001"), ROUND_HALF_UP)


def _failure(outcome: Outcome) -> SendingError | None:
    if outcome.result in (Result.sent, Result.delivered):
        return None
    return _error(outcome.code or outcome.result.value, outcome.reason)


def _error(code: str | None, reason: str | None) -> SendingError | None:
    return SendingError(code=code, message=reason or "The provider gave no reason.") if code else None
