"""Emails: sent one by one or in batches, read, listed, moved to another time, and canceled."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from core.errors import AppError, NotFound
from db.lists import conditions
from doors.resend import attachments, email_requests, errors, pages
from doors.resend.context import ResendContext
from doors.resend.email_requests import EmailRequest, MailMessage
from doors.resend.errors import Refused, invalid
from resolvers import message_batches, messages
from shapes.message_batches import MOST as MOST_MESSAGES
from shapes.message_batches import BatchItem, InvalidItem, SentMessages
from shapes.messages import DeliveryState, Direction, MessageChannel, visible_state

MOST_EMAILS: Final = 100
"""The most emails of a batch."""

_MODES: Final = ("strict", "permissive")
_LAST_EVENTS: Final[Mapping[str, str]] = {
    DeliveryState.scheduled: "scheduled",
    DeliveryState.queued: "queued",
    DeliveryState.sending: "queued",
    DeliveryState.sent: "sent",
    DeliveryState.delivered: "delivered",
    DeliveryState.failed: "failed",
    DeliveryState.unknown: "queued",
    DeliveryState.canceled: "canceled",
}


async def send(ctx: ResendContext, sent: Any) -> Any:
    """Sends an email; to several recipients all of its messages, or none."""
    await messages.send.operation.refuse_first(ctx)  # type: ignore[attr-defined]  # `@operation` has set it
    now = ctx.services.db.now()
    email = email_requests.read(sent, now)
    _require_repeatable(ctx, [email])
    mails = email_requests.messages(email, await attachments.stored(ctx, email.attachments), now)
    if len(mails) == 1:
        return {"id": str((await messages.send(ctx, mails[0])).id)}
    return {"id": str((await _send_together(ctx, mails)).results[0].message.id)}  # type: ignore[union-attr]


async def _send_together(ctx: ResendContext, mails: Sequence[MailMessage]) -> SentMessages:
    """Sends the messages of one email, whose key is that of the first one, as if that were the only one."""
    if (key := ctx.idempotency_key) is not None:
        for number, mail in enumerate(mails):
            mail.key = f"{key}.{number}" if number else key
    ctx.has_own_key = True
    items: Sequence[Any] = mails  # read like a batch's messages
    results: SentMessages = await message_batches.send(ctx, items, all_or_nothing=True)
    return results


async def send_batch(ctx: ResendContext, sent: Any) -> Any:
    """Sends up to 100 emails: all or none, unless the client asks for those that are valid."""
    await message_batches.send.operation.refuse_first(ctx)  # type: ignore[attr-defined]  # likewise
    mode = ctx.connection.headers.get("x-batch-validation", "strict")
    if mode not in _MODES:
        raise invalid("x-batch-validation must be strict or permissive.")
    if not isinstance(sent, list) or not 1 <= len(sent) <= MOST_EMAILS:
        raise invalid(f"The body must be a list of 1 to {MOST_EMAILS} emails.")
    if mode == "permissive":
        return await _send_valid(ctx, sent)
    now = ctx.services.db.now()
    emails = [_numbered(index, each, now) for index, each in enumerate(sent)]
    if sum(len(email.recipients) for email in emails) > MOST_MESSAGES:
        raise invalid(f"A batch may have at most {MOST_MESSAGES} recipients in all.")
    _require_repeatable(ctx, emails)
    items: list[BatchItem] = []
    firsts = []
    for email in emails:
        firsts.append(len(items))
        files = await attachments.stored(ctx, email.attachments)
        items += email_requests.messages(email, files, now)  # type: ignore[arg-type]  # read like a batch's messages
    try:
        results = (await message_batches.send(ctx, items, all_or_nothing=True)).results
    except AppError as error:
        index = (error.details or {}).get("index")
        if index is None:
            raise
        refused = errors.of(error)
        number = max(email for email, first in enumerate(firsts) if first <= index)
        raise Refused(refused.status, refused.name, f"emails.{number}: {error.message}") from error
    return {"data": [{"id": str(results[first].message.id)} for first in firsts]}  # type: ignore[union-attr]


async def _send_valid(ctx: ResendContext, sent: Sequence[Any]) -> Any:
    """Sends the emails of a batch that can be sent, and says why the others can't."""
    now = ctx.services.db.now()
    items: list[BatchItem] = []
    for each in sent:
        try:
            email = email_requests.read(each, now)
            if len(email.recipients) > 1:
                raise invalid("In a permissive batch an email has one recipient.")
            _require_repeatable(ctx, [email])
            files = await attachments.stored(ctx, email.attachments)
            items += email_requests.messages(email, files, now)  # type: ignore[arg-type]  # likewise
        except Refused as refused:
            items.append(InvalidItem([refused.message]))
    results = (await message_batches.send(ctx, items)).results
    return {
        "data": [{"id": str(result.message.id)} for result in results if result.message is not None],
        "errors": [
            {"index": result.index, "message": result.error.message}
            for result in results
            if result.error is not None
        ],
    }


async def get(ctx: ResendContext, id: str) -> Any:
    """Returns one email."""
    return {"object": "email", **_as_email(await _email(ctx, id), ctx.services.db.now(), whole=True)}


async def page(ctx: ResendContext) -> Any:
    """Lists emails, newest first."""
    where = conditions({("channel", "eq"): MessageChannel.email, ("direction", "eq"): Direction.outbound})
    asked, now = pages.asked(ctx.connection.query_params, "messages"), ctx.services.db.now()
    return pages.listed(asked, await messages.page(ctx, asked, where), lambda row: _as_email(row, now))


async def cancel(ctx: ResendContext, id: str) -> Any:
    """Cancels an email that was not handed over."""
    email = await _email(ctx, id)
    await messages.cancel(ctx, email.id)
    return {"object": "email", "id": str(email.id)}


async def update(ctx: ResendContext, id: str, sent: Any) -> Any:
    """Moves a scheduled email to another time."""
    if not isinstance(sent, dict) or not isinstance(sent.get("scheduled_at"), str):
        raise invalid("Missing `scheduled_at` field.", "missing_required_field")
    if others := sent.keys() - {"scheduled_at", "id"}:
        raise invalid(f"{min(others)[:100]}: only the time of an email can be changed.")
    at = email_requests.moment(sent["scheduled_at"], ctx.services.db.now())
    email = await _email(ctx, id)
    await messages.reschedule(ctx, email.id, at)
    return {"object": "email", "id": str(email.id)}


def _numbered(index: int, sent: Any, now: datetime) -> EmailRequest:
    """Returns an email of a batch. Raises Refused, with the email's position."""
    try:
        return email_requests.read(sent, now)
    except Refused as refused:
        raise Refused(refused.status, refused.name, f"emails.{index}: {refused.message}") from refused


def _require_repeatable(ctx: ResendContext, emails: Sequence[EmailRequest]) -> None:
    """Raises Refused for a time that is another one when the request is repeated with its key."""
    if ctx.sent_key is not None and any(
        (email.scheduled_at or "").strip()[:3].lower() == "in " for email in emails
    ):
        raise invalid(
            "With an Idempotency-Key scheduled_at must be a time in ISO 8601, which a retry repeats."
        )


async def _email(ctx: ResendContext, id: str) -> Any:
    """Returns an email of the caller's. Raises NotFound."""
    row = await messages.get(ctx, pages.uuid_of(id, "email"))
    if row.channel != MessageChannel.email or row.direction != Direction.outbound:
        raise NotFound("There is no email with this id among yours. Check the id.", code="message_not_found")
    return row


def _as_email(row: Any, now: datetime, *, whole: bool = False) -> dict[str, Any]:
    """Returns an email as Resend shows it."""
    metadata = row.meta
    reply_to = metadata.get("replyTo")
    fields = {
        "id": str(row.id),
        "to": [row.to],
        "from": row.from_address,
        "created_at": pages.time(row.created_at),
        "subject": metadata.get("subject"),
        "bcc": None,
        "cc": None,
        "reply_to": [reply_to] if reply_to else None,
        "last_event": last_event(row, now),
        "scheduled_at": None if row.send_at is None else pages.time(row.send_at),
        "message_id": row.provider_message_id,
    }
    if whole:
        tags = metadata.get(email_requests.TAGS)
        fields |= {
            "html": metadata.get("html"),
            "text": row.body if row.body.strip() else None,
            "tags": tags if isinstance(tags, list) else [],
            "topic_id": None,
        }
    return fields


def last_event(row: Any, now: datetime) -> str:
    """Returns the last thing that has happened to an email."""
    if row.complained_at is not None:
        return "complained"
    if row.bounced_at is not None:
        return "bounced"
    return _LAST_EVENTS[visible_state(row.state, row.send_at, now)]
