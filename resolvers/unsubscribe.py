"""Unsubscribing by the link in a promotional email.

Of a project for topics it withdraws the person's subscriptions to these; of any other email it blocks the recipient for
the email's sender.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, func, null, or_, select

from core.errors import NotFound
from core.http.dress import Dress
from core.rate_limits import Limit
from db import models
from db.address_keys import key_column
from db.query import Query, of, p
from engine import blocks
from engine import unsubscribe as tokens
from engine.consent import changes
from engine.consent.changes import Proof
from engine.consent.topic_names import name_of
from engine.projects.contact_audience import topics_of
from engine.texts import recipient_links
from resolvers.brands.pages import answers_here, dress_page
from resolvers.signups import visitor
from runtime import link_domains
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.addresses import address_key
from shapes.blocks import BlockReason, BlockScope
from shapes.consents import ConsentSource

# The limit is high, because large mail providers send many requests from a few addresses.
LIMIT = Limit("unsubscribe", 600, 60.0)

# A contact that was merged into another one since has its subscriptions there.
_MERGED_INTO = (
    select(models.ContactMerge.contact_id)
    .where(models.ContactMerge.id == models.Recipient.contact_id)
    .correlate(models.Recipient)
    .scalar_subquery()
)
_MESSAGE = Query(
    models.MessageRecord,
    select(
        models.MessageRecord.owner_id.label("owner_id"),
        models.MessageRecord.to.label("to"),
        models.User.locale.label("locale"),
        models.MessageRecord.channel.label("channel"),
        models.Contact.id.label("contact_id"),
        models.Contact.locale.label("contact_locale"),
        models.SendingProject.audience.label("audience"),
    )
    .join(models.User, models.User.id == models.MessageRecord.owner_id)
    .outerjoin(models.SendingProject, models.SendingProject.id == models.MessageRecord.project_id)
    .outerjoin(models.Recipient, models.Recipient.id == models.MessageRecord.recipient_id)
    .outerjoin(
        models.Contact,
        and_(
            models.Contact.id == func.coalesce(_MERGED_INTO, models.Recipient.contact_id),
            models.Contact.owner_id == models.MessageRecord.owner_id,
        ),
    )
    .where(models.MessageRecord.id == p("id")),
)
_DIRECT = Query(
    models.Message,
    select(
        models.Message.owner_id.label("owner_id"),
        models.Message.to.label("to"),
        models.User.locale.label("locale"),
        null().label("contact_id"),
    )
    .join(models.User, models.User.id == models.Message.owner_id)
    .where(models.Message.id == p("id"), models.Message.direction == "outbound"),
)
_IS_SUBSCRIBED = """
SELECT EXISTS (SELECT FROM topic_subscriptions
  WHERE contact_id = $1 AND topic_id = ANY($2) AND channel = $3 AND state <> 'withdrawn')
"""
_TOPICS = """
SELECT name, description, translations FROM topics WHERE id = ANY($1) AND owner_id = $2 ORDER BY position, id
"""
# Of a project's message; a direct message is none of these rows.
_UNSUBSCRIBED = "UPDATE message_records SET unsubscribed_at = now() WHERE id = $1 AND unsubscribed_at IS NULL"
_LOCALE = "SELECT locale FROM users WHERE id = $1"
_BLOCK = of(
    models.BlockedPhone,
    models.BlockedPhone.owner_id == p("owner_id"),
    key_column(models.BlockedPhone.phone) == p("key"),
    or_(models.BlockedPhone.expires_at.is_(None), models.BlockedPhone.expires_at > func.now()),
)


@dataclass(frozen=True, slots=True)
class UnsubscribePage:
    """The parts of the page. Without topics it is about all advertising of the sender."""

    done: bool  # the recipient gets no more of it
    locale: str | None
    topics: Sequence[str] = ()  # names
    preferences_url: str | None = None
    dress: Dress | None = None  # of the owner
    trial: bool = False  # the link is that of a test message or a preview


@operation(Permission.public, "read")
async def stands(op: Op, token: str) -> UnsubscribePage:
    """Returns an HTML page with an unsubscribe button. Opening the page changes nothing, because link checkers open
    every link. Raises NotFound, RateLimited.
    """
    await op.services.limiter.enforce(LIMIT, op.ctx.client_address, "requests to unsubscribe")
    if (trial := await _trial(op, token)) is not None:
        return trial
    message = await _message(op, token)
    if _is_of_topics(message):
        asked = (message.contact_id, topics_of(message), message.channel)
        return await _page(op, message, done=not await op.db.fetchval(_IS_SUBSCRIBED, *asked))
    blocked = await _BLOCK.first(op.db, owner_id=message.owner_id, key=address_key(message.to)) is not None
    return await _page(op, message, done=blocked)


@operation(Permission.public, "outside")
async def confirm(op: Op, token: str) -> UnsubscribePage:
    """Unsubscribes the recipient from promotional messages of this sender. Repeating it is not an error; the request
    body is ignored. Raises NotFound, RateLimited.
    """
    await op.services.limiter.enforce(LIMIT, op.ctx.client_address, "requests to unsubscribe")
    if (trial := await _trial(op, token)) is not None:
        return trial
    message = await _message(op, token)
    async with op.db.transaction() as connection:
        await connection.execute(_UNSUBSCRIBED, tokens.read(op.services.keys("unsubscribe"), token))
        if _is_of_topics(message):
            proof = Proof(ConsentSource.unsubscribeLink, ip=visitor.ip(op), user_agent=visitor.user_agent(op))
            await changes.withdraw(
                connection, message.owner_id, [message.contact_id], topics_of(message), message.channel, proof
            )
        else:
            await blocks.block(
                connection, message.owner_id, message.to, BlockReason.unsubscribed, BlockScope.promotional
            )
    return await _page(op, message, done=True)


async def _page(op: Op, message: Any, *, done: bool) -> UnsubscribePage:
    dress = await dress_page(op, message.owner_id)
    if not _is_of_topics(message):
        return UnsubscribePage(done, message.locale, dress=dress)
    locale = message.contact_locale or message.locale
    topics = await op.db.fetch(_TOPICS, topics_of(message), message.owner_id)
    base = await link_domains.base_of(op.services, message.owner_id)
    links = recipient_links.of(
        op.services, [recipient_links.PREFERENCES], message.contact_id, message.contact_id, base
    )
    names = [name_of(topic, locale)[0] for topic in topics]
    return UnsubscribePage(done, locale, names, links[recipient_links.PREFERENCES], dress)


def _is_of_topics(message: Any) -> bool:
    """Returns whether the email was sent to subscribers of topics, and the contact is still there."""
    return message.contact_id is not None and topics_of(message) is not None


async def _trial(op: Op, token: str) -> UnsubscribePage | None:
    """Returns the page of a link in a test message or preview; None for other links."""
    owner = tokens.trial_owner(op.services.keys("unsubscribe"), token)
    if owner is None:
        return UnsubscribePage(False, None, trial=True) if tokens.is_example(token) else None
    row = await op.db.fetchrow(_LOCALE, owner)
    if row is None:
        return UnsubscribePage(False, None, trial=True)
    return UnsubscribePage(False, row["locale"], dress=await dress_page(op, owner), trial=True)


async def _message(op: Op, token: str) -> Any:
    """Returns the email's owner and recipient. Only tokens with a valid signature reach the database."""
    id = tokens.read(op.services.keys("unsubscribe"), token)
    message = None
    if id is not None:
        message = await _MESSAGE.first(op.db, id=id) or await _DIRECT.first(op.db, id=id)
    # The address of an email to an erased person is not known any more, so nothing can be blocked.
    if message is None or message.to == blocks.ERASED or not await answers_here(op, message.owner_id):
        raise NotFound(
            "This link is invalid or has expired. Ask the sender to take you off the list.",
            code="unsubscribe_link_invalid",
        )
    return message
