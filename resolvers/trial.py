"""Test sending (contract §3): sends one message now, and returns its result within half a minute.

A trial is a row of `messages`, written with its charge in one transaction. A worker sends it like any other message,
with the same claims, intents, refunds and recovery after a crash. Trials by telegram and whatsapp are visible only here
(contract §7.10), and they are not retried.
"""

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy import exists, func, or_, select

from core import change_events
from core.errors import BadRequest, Conflict, NotFound
from core.rate_limits import Limit
from db import models
from db.address_keys import key_column
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.lists.filters import comparisons
from db.query import Query, of, p
from engine.direct.new_messages import NewMessage
from engine.domains import approval
from engine.texts import recipient_links
from engine.texts.project_texts import Rendered
from resolvers import changes, project_content, recipient_addresses
from resolvers.messages import admission, metadata
from resolvers.messages.message_queue import queue
from resolvers.templates.template_rows import parts_of, published
from runtime import link_domains
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.routes import MESSENGERS
from shapes.addresses import address_key
from shapes.blocks import BlockScope
from shapes.message_records import RecordStatus
from shapes.messages import DeliveryState, MessageChannel, SendMessage
from shapes.project_settings import LONGEST_TEXT
from shapes.sending_projects import ProjectChannel
from shapes.source_accounts import SenderStatus
from shapes.trial import SendingError, SendTest, TestedMessage

WAIT = 30.0  # seconds that `send` waits for the result
_STEP = 0.05  # seconds between two reads of the state
_LOOK_SECONDS = (
    1.0  # the state is also read without an announcement: Redis may be away, and this process may drain
)
LONGEST = 1600  # characters of a message that is no email; the same limit as for a direct message
_PREFIX = "[Test] "  # before the subject of a test email, which stands in the inbox beside the real one

_STATE = Query(
    models.Message,
    select(
        models.Message.state.label("state"),
        models.Message.provider_message_id.label("provider_message_id"),
        models.Message.failure_code.label("failure_code"),
        models.Message.failure_reason.label("failure_reason"),
    ).where(models.Message.id == p("id")),
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
        exists().where(
            models.BlockedPhone.owner_id == p("owner_id"),
            key_column(models.BlockedPhone.phone) == p("key"),
            models.BlockedPhone.scope == BlockScope.all.value,
            or_(models.BlockedPhone.expires_at.is_(None), models.BlockedPhone.expires_at > func.now()),
        )
    ),
)


_OWN = [models.Message.trial, models.Message.owner_id == p("owner_id")]
_BY_ID = of(models.Message, models.Message.id == p("id"), models.Message.trial)
_TRIALS = Listing(models.Message, filters=comparisons("to", key_column(models.Message.to)))


@dataclass(frozen=True, slots=True)
class _Prepared:
    payer: Any
    to: str
    body: str
    metadata: dict[str, Any]
    sender: str | None  # of an SMS


async def _prepare(op: Op, input: SendTest) -> _Prepared:
    await op.services.limiter.enforce(
        Limit.parse("test_sending", op.services.settings.limit_test_sending),
        str(op.viewer.id),
        "test messages",
    )
    rendered = await _rendered(op, input)
    sender = await _sender(op, input)
    to = _address(op, input)
    if await _BLOCKED.value(op.db, owner_id=op.viewer.id, key=address_key(to)):
        raise _blocked()
    payer = await admission.paying(op, None)
    await approval.require(op.services, op.db, payer.owner_id, input.channel.value, input.from_address)
    sms_sender = await admission.sender_of(op, payer, input.channel, to, input.sender)
    if input.channel.value in MESSENGERS:
        return _Prepared(payer, to, rendered.body, sender, sms_sender)
    message = _direct(MessageChannel(input.channel.value), to, rendered)
    await admission.within_limit(op, payer)
    return _Prepared(payer, to, rendered.body, metadata.checked(message), sms_sender)


async def _outcome(op: Op, message: models.Message) -> TestedMessage:
    """Returns the result as soon as it is known, or the state after WAIT seconds."""
    topic = change_events.messages_of(message.owner_id)
    reads = changes.looks(
        op.services, topic, changes.MESSAGE_IDS, message.id, step=_STEP, every=_LOOK_SECONDS
    )
    late, until = False, asyncio.get_running_loop().time() + WAIT
    async with aclosing(reads):
        while True:
            try:
                async with asyncio.timeout_at(until):
                    await anext(reads)
            except TimeoutError:
                late = True
            row: Any = await _STATE.first(op.db, id=message.id)
            waits = row.state in (DeliveryState.queued, DeliveryState.sending)
            if not waits or late or op.services.draining:
                return _tested(message.id, row)


@operation(
    Permission.projects_send,
    "joined",
    idempotent=stored_model(models.Message),
    before=_prepare,
    after=_outcome,
    key_name="test_sending.send",
)
async def send(op: Op, input: SendTest) -> models.Message:
    """Sends one message now and waits up to 30 s for the result.

    `_outcome` waits for the result. The trial is written with its charge, or neither is; a worker sends it like any
    other message. Raises BadRequest (text, recipient, price), NotFound (account), Forbidden (tariff), Conflict
    (blocked, sender offline), PaymentRequired, RateLimited.
    """
    made: _Prepared = op.prepared
    try:
        message = NewMessage(
            input.channel.value,
            made.to,
            made.body,
            made.metadata,
            trial=True,
            from_address=input.from_address,
            sender=made.sender,
        )
        return await queue(op, made.payer, message)
    except BadRequest as error:
        if error.code == "recipient_blocked":  # the block was added after the check in _prepare
            raise _blocked() from error
        raise


@operation(Permission.recipients_read, "read")
async def get(op: Op, id: UUID) -> models.Message:
    """Returns one test message, by the `messageId` that sending it returned. Raises NotFound."""
    return await _visible(op, id)


@operation(Permission.projects_read, "read")
async def outcome(op: Op, id: UUID) -> TestedMessage:
    """Returns the current result of a test message, by its `messageId`. Raises NotFound."""
    return _tested(id, await _visible(op, id))


@operation(Permission.recipients_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Message]:
    """Lists your test messages, newest first; administrators get those of all users."""
    trials, mine = _OWN
    where = recipient_addresses.by_key(where, "to")
    return await _TRIALS.page(op.db, page_args, where, trials, *op.own(mine), owner_id=op.viewer.id)


def _blocked() -> Conflict:
    return Conflict(
        "This recipient is blocked. If the recipient agrees, unblock it with POST /block/unblock/{phone}.",
        code="recipient_blocked",
    )


async def _rendered(op: Op, input: SendTest) -> Rendered:
    """Returns the rendered text. Raises NotFound (template), BadRequest, RateLimited, Unavailable."""
    content = {"text": input.text, "subject": input.subject, "html": input.html}
    if (key := input.template_key) is not None:
        text = await published(op.db, op.viewer.id, key, input.template_version, input.locale)
        content = parts_of(input.channel, text.subject, text.text, text.html, key, text.locale)
    base = await link_domains.base_of(op.services, op.viewer.id)
    variables = {**recipient_links.examples(op.services, op.viewer.id, base), **(input.variables or {})}
    rendered = await project_content.rendered(op, content, variables)
    email = input.channel is ProjectChannel.email
    longest = LONGEST_TEXT if email else LONGEST
    is_silent = not rendered.body.strip() and not (email and (rendered.html or "").strip())
    if is_silent or len(rendered.body) > longest:
        raise BadRequest(
            f"The rendered text must have 1 to {longest} characters; it has {len(rendered.body)}. Change the"
            " text or its variables.",
            code="bad_text",
        )
    return rendered


async def _sender(op: Op, input: SendTest) -> dict[str, Any]:
    """Returns the metadata that tells a channel the sender. Raises NotFound, Conflict."""
    if input.account_uuid is None:
        return {}
    row: Any = await _SENDER.first(op.db, id=input.account_uuid, owner_id=op.viewer.id)
    if row is None:
        raise NotFound(
            "There is no source account with this uuid among yours. Check the uuid.",
            code="source_account_not_found",
        )
    if row.status != SenderStatus.connected:
        raise Conflict(
            f"This source account is {row.status}. Connect it, or use another one.", code="sender_offline"
        )
    metadata: dict[str, Any] = {"sender": str(input.account_uuid)}
    if row.messenger_account is not None and row.source == input.channel.value:
        metadata |= {"messenger_account": str(row.messenger_account), "test": True}
    return metadata


def _address(op: Op, input: SendTest) -> str:
    """Returns the recipient in the one spelling of addresses. Raises BadRequest."""
    return recipient_addresses.normalise(
        MessageChannel(input.channel.value), input.to, op.services.settings.default_region, op.services.guard
    )


def _direct(channel: MessageChannel, to: str, rendered: Rendered) -> SendMessage:
    """Returns the trial as a direct message. Raises BadRequest."""
    metadata: dict[str, Any] = {}
    if channel is MessageChannel.email:
        subject = None if rendered.subject is None else _PREFIX + rendered.subject
        metadata = {"subject": subject, "html": rendered.html}
    elif channel is MessageChannel.push and rendered.subject:
        metadata = {"title": rendered.subject}
    present = {name: value for name, value in metadata.items() if value is not None}
    try:
        # The text of an email may be longer than that of a direct message: it was checked when it was rendered.
        message = SendMessage(
            to=to, channel=channel, body=rendered.body[:LONGEST] or " ", metadata=present or None
        )
        return message.model_copy(update={"body": rendered.body})
    except ValidationError as error:
        raise BadRequest(
            "The rendered text is too long. Shorten the text or its variables.", code="bad_text"
        ) from error


async def _visible(op: Op, id: UUID) -> models.Message:
    row = await _BY_ID.first(op.db, id=id)
    if row is None or not (op.viewer.admin or row.owner_id == op.viewer.id):
        raise NotFound(
            "There is no test message with this id among yours. Check the id.", code="message_not_found"
        )
    return row


def _tested(id: UUID, row: Any) -> TestedMessage:
    code, reason = row.failure_code, row.failure_reason
    return TestedMessage(
        message_id=id,
        status=RecordStatus(row.state),
        provider_message_id=row.provider_message_id,
        error=SendingError(code=code, message=reason or "The provider gave no reason.") if code else None,
    )
