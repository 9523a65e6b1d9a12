"""Admits new messages: who pays, from what they are sent, and whether that is allowed; nothing is written here."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from core.errors import BadRequest, NotFound
from core.rate_limits import Limit, Limiter, RateStatus, refused
from engine.direct import attachments
from engine.direct.new_messages import NewMessage
from engine.domains import approval
from engine.sms import approved_senders
from resolvers.messages import messenger_source, metadata, token_spend
from resolvers.messages.message_queue import shared
from resolvers.messages.payers import PayerRequest, Payers, TemplateRequest
from resolvers.recipient_addresses import normalise
from resolvers.status_callbacks.callback_hosts import callback_of
from resolvers.templates.template_rows import TextSource
from runtime.group_commit import GroupCommit, NotStarted
from runtime.operation import Op
from runtime.routes import MESSENGERS
from shapes.messages import MessageChannel, SendMessage
from shapes.sending_projects import ProjectChannel

_DAY: Final = 86_400
"""Seconds that a message may wait, unless its sender sets less; see engine/direct/items.py."""
_BACK, _AHEAD = timedelta(minutes=1), timedelta(days=90)  # of `sendAt`


class Origin(NamedTuple):
    """Says from what a message is sent, and to where its status is posted."""

    sender: str | None  # of an SMS; None: the channel's own
    source: Mapping[str, Any] = {}  # the metadata that name a messenger account
    callback_id: UUID | None = None  # the host of its status callback
    template: TextSource | None = None  # the text of a template that its body is


async def origin_of(op: Op, payer: Any, input: SendMessage) -> Origin:
    """Returns what a message is sent from. Raises what `approved` and `callback_of` raise."""
    origin = await approved(op, op.db, payer, input)
    if input.status_callback is not None:
        origin = origin._replace(
            callback_id=await callback_of(op, payer, input.status_callback, input.send_at)
        )
    return origin


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
    return Origin(sender, await messenger_source.metadata_of(op, db, payer, input, address_of(op, input)))


def address_of(op: Op, input: SendMessage) -> str:
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


class AccountRates(GroupCommit[str, RateStatus]):
    """Counts messages for the rate limit of their account. Redis is called once for those that come together."""

    def __init__(self, limiter: Limiter, limit: Limit) -> None:
        super().__init__(self._count)
        self._limiter, self._limit = limiter, limit

    async def count(self, account: str) -> RateStatus:
        """Counts a message of an account. Raises RateLimited."""
        try:
            status = await self.join(account, account)
        except NotStarted:  # too many wait, or Redis is slow
            status = await self._limiter.take(self._limit, account)
        if not status.allowed:
            raise refused(self._limit, "messages", status.retry_after, status.headers())
        return status

    async def _count(self, accounts: Sequence[str]) -> Sequence[RateStatus]:
        """Counts messages that are all of one account."""
        return await self._limiter.take_each(self._limit, accounts[0], len(accounts))


async def within_limit(op: Op, payer: Any) -> None:
    """Counts one message of the account and sets the rate limit headers. Raises RateLimited."""
    services = op.services
    rates = services.single(
        AccountRates, lambda: AccountRates(services.limiter, rate_limit(op)), AccountRates.close
    )
    status = await rates.count(str(payer.id))
    for name, value in status.headers().items():
        op.ctx.answer_header(name, value)


def new_message(op: Op, input: SendMessage, origin: Origin) -> NewMessage:
    """Returns a message as it is written. Raises BadRequest (recipient, metadata, `bad_send_at`)."""
    to = address_of(op, input)
    template_id, template_version, template_locale = origin.template or (None, None, None)
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
        send_at=send_at_of(op, input.send_at),
        status_callback=input.status_callback,
        callback_id=origin.callback_id,
        template_id=template_id,
        template_version=template_version,
        template_locale=template_locale,
    )


def send_at_of(op: Op, at: datetime | None) -> datetime | None:
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


async def paying(op: Op, id: UUID | None, template: TemplateRequest | None = None) -> Any:
    """Returns the account with this id, or the caller's oldest account, with its prices, and with what is published of
    a template of its owner.

    Raises NotFound, Forbidden (the caller's token may not charge it), RateLimited.
    """
    db = op.db
    id = id or token_spend.default_account(op)
    which = PayerRequest(id, op.viewer.id if id is None else None, template)
    payer = await shared(op.services.single(Payers, lambda: Payers(db), Payers.close), which)
    if id is None:
        if payer is None:
            raise NotFound("You have no account yet. Open one with POST /accounts.", code="no_account")
    elif payer is None or not (op.viewer.admin or payer.owner_id == op.viewer.id):
        raise NotFound(
            "There is no account with this id among yours. Check the id.", code="account_not_found"
        )
    token_spend.require_account(op, payer.id)
    return payer
