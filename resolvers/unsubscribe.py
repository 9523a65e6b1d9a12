"""Unsubscribing by the link in a promotional email: it blocks the recipient for the email's sender."""

from typing import Any

from sqlalchemy import func, or_, select

from core.errors import NotFound
from core.rate_limits import Limit
from db import models
from db.address_keys import key_column
from db.query import Query, of, p
from engine import blocks
from engine import unsubscribe as tokens
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.addresses import address_key
from shapes.blocks import BlockReason, BlockScope

# The limit is high, because large mail providers send many requests from a few addresses.
LIMIT = Limit("unsubscribe", 600, 60.0)

_MESSAGE = Query(
    models.MessageRecord,
    select(
        models.MessageRecord.owner_id.label("owner_id"),
        models.MessageRecord.to.label("to"),
        models.User.locale.label("locale"),
    )
    .join(models.User, models.User.id == models.MessageRecord.owner_id)
    .where(models.MessageRecord.id == p("id")),
)
_DIRECT = Query(
    models.Message,
    select(
        models.Message.owner_id.label("owner_id"),
        models.Message.to.label("to"),
        models.User.locale.label("locale"),
    )
    .join(models.User, models.User.id == models.Message.owner_id)
    .where(models.Message.id == p("id"), models.Message.direction == "outbound"),
)
_BLOCK = of(
    models.BlockedPhone,
    models.BlockedPhone.owner_id == p("owner_id"),
    key_column(models.BlockedPhone.phone) == p("key"),
    or_(models.BlockedPhone.expires_at.is_(None), models.BlockedPhone.expires_at > func.now()),
)


@operation(Permission.public, "read")
async def stands(op: Op, token: str) -> tuple[bool, str | None]:
    """Returns whether the recipient is blocked already, and the sender's locale. Raises NotFound, RateLimited."""
    message = await _message(op, token)
    blocked = await _BLOCK.first(op.db, owner_id=message.owner_id, key=address_key(message.to)) is not None
    return blocked, message.locale


@operation(Permission.public, "outside")
async def confirm(op: Op, token: str) -> str | None:
    """Blocks the recipient and returns the sender's locale. A repeated call is no error.

    Raises NotFound, RateLimited.
    """
    message = await _message(op, token)
    async with op.db.transaction() as connection:
        await blocks.block(
            connection, message.owner_id, message.to, BlockReason.unsubscribed, BlockScope.promotional
        )
    locale: str | None = message.locale
    return locale


async def _message(op: Op, token: str) -> Any:
    """Returns the email's owner and recipient. Only tokens with a valid signature reach the database."""
    await op.services.limiter.enforce(LIMIT, op.ctx.client_address, "requests to unsubscribe")
    id = tokens.read(op.services.keys("unsubscribe"), token)
    message = None
    if id is not None:
        message = await _MESSAGE.first(op.db, id=id) or await _DIRECT.first(op.db, id=id)
    if message is None:
        raise NotFound(
            "This link is invalid or has expired. Ask the sender to take you off the list.",
            code="unsubscribe_link_invalid",
        )
    return message
