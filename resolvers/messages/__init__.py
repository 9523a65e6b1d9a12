"""Messages (contract §2). The charge and the insert are one statement; the engine sends the stored messages."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg

from core.errors import Conflict, NotFound
from db import models
from db.lists import Conditions, CursorPage, PageArgs, conditions, in_bounds
from db.query import of, p
from engine.chains import stepper
from engine.direct import canceling, rescheduling
from engine.direct.new_messages import NewMessage
from resolvers.messages import admission, chains, message_lists, templated, token_spend, waiting
from resolvers.messages.message_queue import queue
from resolvers.recipient_addresses import by_key
from resolvers.templates.template_rows import TextSource
from runtime.idempotency import stored_model
from runtime.operation import Op, operation, require
from runtime.permissions import Permission
from runtime.routes import MESSENGERS
from shapes.message_chains import MessageStep
from shapes.message_chains import SendMessage as SendChain
from shapes.messages import (
    DeliveryState,
    ListedChannel,
    MessageStatus,
    SendMessage,
    StatusReport,
    visible_state,
)
from shapes.page import Rows
from shapes.templated_messages import TemplatedMessage
from shapes.waiting import WaitingFor

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
    return await _explained(op, await _visible(op, id))


@operation(Permission.messages_read, "read")
async def waiting_for(op: Op, rows: Sequence[Any]) -> Sequence[WaitingFor | None]:
    """Returns why each message waits; null unless it is queued. The caller has read `waiting.OF_MESSAGES`."""
    return await waiting.of_messages(op, rows)


@operation(Permission.messages_read, "read")
async def steps(op: Op, rows: Sequence[Any]) -> Sequence[Sequence[MessageStep] | None]:
    """Returns the steps of each message that is a chain; null for other messages. The caller has read `step`."""
    return await chains.steps_of_messages(op, rows)


@operation(Permission.messages_read, "read")
async def status(op: Op, id: UUID) -> StatusReport:
    """Returns the status of one message. Raises NotFound."""
    message = await _visible(op, id)
    report = StatusReport.model_validate(message)
    report.state = visible_state(message.state, message.send_at, op.services.db.now())
    (report.waiting_for,) = await waiting.of_messages(op, [message])
    return report


class _Admitted(NamedTuple):
    """Holds who pays for a message, and its origin."""

    payer: Any
    origin: admission.Origin
    input: SendMessage  # with the text of its template, if it names one


async def _admit(op: Op, input: SendMessage) -> Any:
    """Returns the paying account and the sender, and checks files and the rate limit before the transaction begins."""
    payer = await admission.paying(op, input.account_id, templated.template_of(input))
    if isinstance(input, SendChain):
        admitted: Any = await chains.admit(op, input, payer, _prepare)
    elif isinstance(input, TemplatedMessage):
        made = await templated.message_by(op, templated.head_of(payer), input)
        admitted = _Admitted(payer, *await _of_template(op, payer, *made))
    else:
        admitted = _Admitted(payer, await admission.origin_of(op, payer, input), input)
    await admission.within_limit(op, payer)
    return admitted


async def _prepare(op: Op, payer: Any, input: SendMessage) -> NewMessage:
    """Returns a step of a chain as it is written, with the checks of a message."""
    origin, input = await _with_origin(op, payer, input)
    return admission.new_message(op, input, origin)


async def _with_origin(op: Op, payer: Any, input: SendMessage) -> tuple[admission.Origin, SendMessage]:
    """Returns what a message is sent from, and the message with its text."""
    if not isinstance(input, TemplatedMessage):
        return await admission.origin_of(op, payer, input), input
    return await _of_template(op, payer, *await templated.message_of(op, payer.owner_id, input))


async def _of_template(
    op: Op, payer: Any, message: SendMessage, template: TextSource
) -> tuple[admission.Origin, SendMessage]:
    origin = await admission.origin_of(op, payer, message)
    return origin._replace(template=template), message


async def _as_visible(op: Op, message: models.Message) -> Any:
    return waiting.as_new(message)


async def _explained(op: Op, message: models.Message) -> Any:
    (reason,) = await waiting.of_messages(op, [message])
    (steps,) = await chains.steps_of_messages(op, [message])
    return waiting.explained(message, reason, steps)


@operation(
    Permission.messages_send,
    "joined",
    idempotent=stored_model(models.Message),
    before=_admit,
    after=_as_visible,
)
async def send(op: Op, input: SendMessage) -> models.Message:
    """Charges the account and queues a message.

    It does both or neither. Raises NotFound (account, template), Forbidden (a channel that the tariff lacks),
    BadRequest (no price, bad or blocked recipient, `missing_variable` and other errors of a template), PaymentRequired,
    RateLimited.
    """
    if isinstance(op.prepared, chains.AdmittedChain):
        return await queue(op, op.prepared.payer, op.prepared.steps[0].in_time, op.prepared.steps)
    prepared: _Admitted = op.prepared
    return await queue(op, prepared.payer, admission.new_message(op, prepared.input, prepared.origin))


async def _canceled(op: Op, message: models.Message) -> Any:
    return await _explained(op, await _visible(op, message.id))


@operation(Permission.messages_send, "outside", after=_canceled)
async def cancel(op: Op, id: UUID) -> models.Message:
    """Cancels a message that was not submitted to a provider, and refunds it. Of a chain no further step begins.

    A message that is canceled already is returned as it is. Raises NotFound, Conflict (`already_submitted`: nothing
    has changed), RateLimited (`account_busy`).
    """
    message = await _visible(op, id)
    require(op.viewer, Permission.messages_read)  # the answer has the message
    token_spend.require_account(op, message.account_id)

    async def work(db: asyncpg.Connection) -> bool:
        if message.step == 0:
            return await stepper.cancel(db, id)
        return bool(await canceling.cancel(db, message.account_id, [id]))

    canceled = await canceling.until_unlocked(op.db, work)
    if not canceled and (message := await _visible(op, id)).state != DeliveryState.canceled:
        raise Conflict(
            f"This message is {message.state}: it was submitted to a provider, and can't be called back.",
            code="already_submitted",
            details={"deliveryState": message.state},
        )
    return message


@operation(Permission.messages_send, "outside", after=_canceled)
async def reschedule(op: Op, id: UUID, send_at: datetime) -> models.Message:
    """Sets another time for a message that is scheduled; its validity moves along. Raises NotFound, BadRequest
    (`bad_send_at`), Conflict (`not_scheduled`: nothing has changed), RateLimited (`account_busy`).
    """
    message = await _visible(op, id)
    require(op.viewer, Permission.messages_read)  # the answer has the message
    token_spend.require_account(op, message.account_id)
    at = admission.send_at_of(op, send_at) or op.services.db.now()
    moved = message.step is None and await rescheduling.move(op.db, id, at)
    if not moved:
        raise Conflict(
            "Only a message that is scheduled, and no chain, gets another time. This one is left as it is.",
            code="not_scheduled",
            details={"deliveryState": message.state},
        )
    return message


async def _visible(op: Op, id: UUID) -> models.Message:
    message = await _BY_ID.first(op.db, id=id)
    direct = (
        message is not None and not (message.trial and message.channel in MESSENGERS) and not message.chain_id
    )
    if message is None or not direct or not (op.viewer.admin or message.owner_id == op.viewer.id):
        raise NotFound(
            "There is no message with this id among yours. Check the id.", code="message_not_found"
        )
    return message
