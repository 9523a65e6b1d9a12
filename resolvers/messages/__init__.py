"""Messages (contract §2). The charge and the insert are one statement; the engine sends the stored messages."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from core.errors import BadRequest, Conflict, NotFound
from core.rate_limits import Limit
from db import models
from db.lists import Conditions, CursorPage, PageArgs, conditions, in_bounds
from db.query import of, p
from engine.direct import attachments, canceling
from engine.direct.new_messages import NewMessage
from engine.domains import approval
from engine.sms import approved_senders
from resolvers.messages import message_lists, messenger_source, metadata, token_spend, waiting
from resolvers.messages.message_queue import grouped, queue
from resolvers.messages.payers import Payers
from resolvers.recipient_addresses import by_key, normalise
from resolvers.status_callbacks.callback_hosts import callback_of
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.routes import MESSENGERS
from shapes.messages import (
    DeliveryState,
    ListedChannel,
    MessageChannel,
    MessageStatus,
    SendMessage,
    StatusReport,
    visible_state,
)
from shapes.page import Rows
from shapes.sending_projects import ProjectChannel
from shapes.waiting import WaitingFor

_DAY = 86_400  # seconds that a message may wait, unless its sender sets less; see engine/direct/items.py
_BACK, _AHEAD = timedelta(minutes=1), timedelta(days=90)  # of `sendAt`

_BY_ID = of(models.Message, models.Message.id == p("id"))


@operation(Permission.messages_read, "read")
async def list(
    op: Op,
    page: int = 1,
    limit: int = 20,
    status: MessageStatus | None = None,
    channel: ListedChannel | None = None,
    account_id: UUID | None = None,
    updated_since: datetime | None = None,
) -> Rows[Any]:
    """Returns what `page` returns, by page numbers."""
    where = conditions(
        {
            ("status", "eq"): status,
            ("channel", "eq"): None if channel is ListedChannel.all else channel,
            ("account_id", "eq"): account_id,
            ("updated_at", "gte"): updated_since,
        }
    )
    # The counters don't know when a message was changed.
    scope, counted = message_lists.scope_of(channel)
    total = (
        message_lists.total_of(frozenset(where), counted, *op.own(message_lists.COUNTERS_MINE))
        if updated_since is None
        else None
    )
    if account_id is not None and not await message_lists.own_accounts(op, [account_id]):
        in_bounds(page, limit)
        return Rows([], page, limit, 0)
    mine = op.own(message_lists.MINE if account_id is None else message_lists.ALSO_MINE)
    rows = await message_lists.MESSAGES.numbered(
        op.db, page, limit, where, scope, *mine, total=total, owner_id=op.viewer.id
    )
    reasons = await waiting.of_messages(op, rows.items)
    return Rows([*map(waiting.explained, rows.items, reasons)], page, limit, rows.total)


@operation(Permission.messages_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Message]:
    """Lists your messages, newest first; administrators get those of all users."""
    where = by_key(where, "to")
    for column, mine in (
        (models.Message.account_id, message_lists.ALSO_MINE),
        (models.Message.failure_code, message_lists.MINE),
    ):
        values = message_lists.values_of(where, column.key)
        if values is not None:  # each value has a range of an index, in the order of the list
            if column is models.Message.account_id:
                values = await message_lists.own_accounts(op, values)
            left = {name: value for name, value in where.items() if name[0] != column.key}
            scope = (message_lists.DIRECT, *op.own(mine))
            return await message_lists.MESSAGES.merged(
                op.db,
                column,
                message_lists.ANY_OF[column.key],
                page_args,
                left,
                *scope,
                values=values,
                owner_id=op.viewer.id,
            )
    return await message_lists.MESSAGES.page(
        op.db, page_args, where, message_lists.DIRECT, *op.own(message_lists.MINE), owner_id=op.viewer.id
    )


@operation(Permission.messages_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.Message | None]:
    """Returns messages by id. An id that the caller may not see gives None."""
    mine = op.own(message_lists.MINE)
    return await message_lists.MESSAGES.by_ids(
        op.db, ids, column_names, message_lists.DIRECT, *mine, owner_id=op.viewer.id
    )


@operation(Permission.messages_read, "read")
async def of_accounts(
    op: Op, accounts: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.Message]]:
    """Returns, for each account, one page of the messages that it paid for."""
    return await message_lists.MESSAGES.pages(
        op.db,
        models.Message.account_id,
        accounts,
        page_args,
        by_key(where, "to"),
        message_lists.DIRECT,
        *op.own(
            message_lists.MINE if where else message_lists.ALSO_MINE
        ),  # indexes of filters begin with the owner
        owner_id=op.viewer.id,
    )


@operation(Permission.messages_read, "read")
async def of_users(
    op: Op, user_ids: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.Message]]:
    """Returns one page of messages for each owner."""
    return await message_lists.MESSAGES.pages(
        op.db,
        models.Message.owner_id,
        user_ids,
        page_args,
        by_key(where, "to"),
        message_lists.DIRECT,
        *op.own(message_lists.MINE),
        owner_id=op.viewer.id,
    )


@operation(Permission.messages_read, "read")
async def of_contacts(
    op: Op, contacts: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.Message]]:
    """Returns, for each contact, one page of the messages to its addresses."""
    return await message_lists.MESSAGES.pages(
        op.db,
        message_lists.OF_CONTACT,
        contacts,
        page_args,
        by_key(where, "to"),
        message_lists.DIRECT,
        *op.own(message_lists.MINE),
        owner_id=op.viewer.id,
    )


@operation(Permission.messages_read, "read")
async def get(op: Op, id: UUID) -> models.Message:
    """Returns one message. Raises NotFound."""
    return await _visible(op, id)


@operation(Permission.messages_read, "read")
async def explained(op: Op, id: UUID) -> Any:
    """Returns one message, and why it waits. Raises NotFound."""
    message = await _visible(op, id)
    (reason,) = await waiting.of_messages(op, [message])
    return waiting.explained(message, reason)


@operation(Permission.messages_read, "read")
async def waiting_for(op: Op, rows: Sequence[Any]) -> Sequence[WaitingFor | None]:
    """Returns why each message waits; null unless it is queued. The caller has read `waiting.OF_MESSAGES`."""
    return await waiting.of_messages(op, rows)


@operation(Permission.messages_read, "read")
async def status(op: Op, id: UUID) -> StatusReport:
    """Returns the status of one message. Raises NotFound."""
    message = await _visible(op, id)
    report = StatusReport.model_validate(message)
    report.state = visible_state(message.state, message.send_at, op.services.db.now())
    (report.waiting_for,) = await waiting.of_messages(op, [message])
    return report


class Origin(NamedTuple):
    """Says from what a message is sent, and to where its status is posted."""

    sender: str | None  # of an SMS; None: the channel's own
    source: Mapping[str, Any] = {}  # the metadata that name a messenger account
    callback_id: UUID | None = None  # the host of its status callback


class _Admitted(NamedTuple):
    """Holds who pays for a message, and its origin."""

    payer: Any
    origin: Origin


async def _admit(op: Op, input: SendMessage) -> _Admitted:
    """Returns the paying account and the sender, and checks files and the rate limit before the transaction begins."""
    payer = await paying(op, input.account_id)
    origin = await approved(op, op.db, payer, input)
    if input.status_callback is not None:
        origin = origin._replace(callback_id=await callback_of(op, payer, input.status_callback))
    await within_limit(op, payer)
    return _Admitted(payer, origin)


async def approved(op: Op, db: Any, payer: Any, input: SendMessage) -> Origin:
    """Checks the files and the sender of a message. Returns what it is sent from. `db`: what `fetch` reads.

    Raises NotFound (`file_not_found`, `account_not_found`), Forbidden, BadRequest (`bad_metadata`, `bad_sender`,
    `sender_not_approved`, `unsupported`, `no_messenger_account`, `outside_window`).
    """
    if input.channel is MessageChannel.email and (files := metadata.files_of(input)):
        await attachments.check(db, payer.owner_id, files)
    await approval.require(op.services, db, payer.owner_id, input.channel.value, input.from_address)
    sender = await sender_of(op, payer, input.channel, input.to, input.sender, db)
    if input.channel.value not in MESSENGERS:
        return Origin(sender)
    metadata.require_supported(input)
    return Origin(sender, await messenger_source.metadata_of(op, db, payer, input, _address(op, input)))


def _address(op: Op, input: SendMessage) -> str:
    return normalise(input.channel, input.to, op.services.settings.default_region, op.services.guard)


async def sender_of(
    op: Op, payer: Any, channel: MessageChannel | ProjectChannel, to: str, asked: str | None, db: Any = None
) -> str | None:
    """Returns the sender of a message that names `asked`; None: the channel's own. `db`: what `fetch` reads.

    Raises BadRequest (`bad_sender`, `sender_not_approved`).
    """
    if asked is None:
        return None
    approved_senders.require_sms(channel.value, asked)
    phone = normalise(MessageChannel.sms, to, op.services.settings.default_region, op.services.guard)
    choice = await approved_senders.chosen(op.services, db or op.db, payer.owner_id, phone, asked)
    return choice.value


def rate_limit(op: Op) -> Limit:
    """Returns the rate limit of each account's messages."""
    return Limit.parse("messages", op.services.settings.limit_messages)


async def within_limit(op: Op, payer: Any) -> None:
    """Counts one message of the account and sets the rate limit headers. Raises RateLimited."""
    status = await op.services.limiter.enforce(rate_limit(op), str(payer.id), "messages")
    for name, value in status.headers().items():
        op.ctx.answer_header(name, value)


async def _as_visible(op: Op, message: models.Message) -> Any:
    """Returns a new message as REST shows it: what is scheduled says so."""
    if message.send_at is None:
        return message
    (reason,) = await waiting.of_messages(op, [message])
    return waiting.explained(message, reason)


@operation(
    Permission.messages_send,
    "joined",
    idempotent=stored_model(models.Message),
    before=_admit,
    after=_as_visible,
)
async def send(op: Op, input: SendMessage) -> models.Message:
    """Charges the account and queues a message.

    It does both or neither. Raises NotFound (account), Forbidden (a channel that the tariff lacks), BadRequest (no
    price, bad or blocked recipient), PaymentRequired, RateLimited.
    """
    prepared: _Admitted = op.prepared
    return await queue(op, prepared.payer, new_message(op, input, prepared.origin))


def new_message(op: Op, input: SendMessage, origin: Origin) -> NewMessage:
    """Returns a message as it is written. Raises BadRequest (recipient, metadata, `bad_send_at`)."""
    to = _address(op, input)
    return NewMessage(
        input.channel.value,
        to,
        input.body,
        {**metadata.checked(input), **origin.source},
        to_given=input.to if input.to != to else None,
        category=input.category,
        from_address=input.from_address,
        sender=origin.sender,
        valid=timedelta(seconds=input.valid_seconds) if input.valid_seconds < _DAY else None,
        send_at=_send_at(op, input.send_at),
        status_callback=input.status_callback,
        callback_id=origin.callback_id,
    )


def _send_at(op: Op, at: datetime | None) -> datetime | None:
    """Returns the time before which a message is not sent; None: at once. Raises BadRequest `bad_send_at`."""
    if at is None:
        return None
    now = op.services.db.now()
    if not now - _BACK <= at <= now + _AHEAD:
        raise BadRequest(
            "sendAt must be a time from now on, at most 90 days ahead. Leave it out to send the message at once.",
            code="bad_send_at",
        )
    return at if at > now else None


@operation(Permission.messages_send, "sql")
async def cancel(op: Op, id: UUID) -> Any:
    """Cancels a message that was not submitted to a provider, and refunds it.

    A message that is canceled already is returned as it is. Raises NotFound, Conflict (`already_submitted`: nothing
    has changed).
    """
    message = await _visible(op, id)
    row = await canceling.cancel(op.connection, id)
    if row is None:
        message = await _visible(op, id)
    if row is None and message.state != DeliveryState.canceled:
        raise Conflict(
            f"This message is {message.state}: it was submitted to a provider, and can't be called back.",
            code="already_submitted",
            details={"deliveryState": message.state},
        )
    return waiting.explained(await _BY_ID.first(op.connection, id=id), None)


async def paying(op: Op, id: UUID | None) -> Any:
    """Returns the account with this id, or the caller's oldest account, with its prices.

    Raises NotFound, Forbidden (the caller's token may not charge it), RateLimited.
    """
    db = op.db
    id = id or token_spend.default_account(op)
    which = (id, op.viewer.id if id is None else None)
    payer = await grouped(op.services.single(Payers, lambda: Payers(db), Payers.close), which, which)
    if id is None:
        if payer is None:
            raise NotFound("You have no account yet. Open one with POST /accounts.", code="no_account")
    elif payer is None or not (op.viewer.admin or payer.owner_id == op.viewer.id):
        raise NotFound(
            "There is no account with this id among yours. Check the id.", code="account_not_found"
        )
    token_spend.require_account(op, payer)
    return payer


async def _visible(op: Op, id: UUID) -> models.Message:
    message = await _BY_ID.first(op.db, id=id)
    direct = message is not None and not (message.trial and message.channel in MESSENGERS)
    if message is None or not direct or not (op.viewer.admin or message.owner_id == op.viewer.id):
        raise NotFound(
            "There is no message with this id among yours. Check the id.", code="message_not_found"
        )
    return message
