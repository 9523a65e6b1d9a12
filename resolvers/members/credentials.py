"""Ends or narrows what a member has made for an owner: API tokens, the logins opened with them, and webhooks."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import select, update

from db import models
from db.session import driver_connection
from engine.feed import receivers
from resolvers.auth.token_rows import invalidate_logins, revoke_token
from runtime.operation import Op

_TOKEN = models.ApiToken


async def narrow_tokens(op: Op, owner_id: UUID, member_id: UUID, permissions: Collection[str]) -> None:
    """Takes from the member's API tokens what the member may not do any more. A token that may do nothing then ends."""
    for row in await _living(op, owner_id, member_id):
        left = sorted(set(row.scopes or permissions) & set(permissions))
        if not left:
            await revoke_token(op, row, keep_webhooks=False)
        elif left != row.scopes:
            row.scopes = left
            await op.session.flush()
            await invalidate_logins(op, row.id)


async def end_credentials(
    op: Op, owner_id: UUID, member_id: UUID, *, keep_tokens: bool, keep_webhooks: bool
) -> None:
    """Ends the member's API tokens, or leaves them to the owner; switches the member's webhooks and
    event sinks off, or leaves them.
    """
    if keep_tokens:
        await op.session.execute(
            update(_TOKEN)
            .where(_TOKEN.created_by == member_id, _TOKEN.user_id == owner_id)
            .values(created_by=None)
            .execution_options(synchronize_session=False)
        )
    else:
        for row in await _living(op, owner_id, member_id):
            await revoke_token(op, row, keep_webhooks=keep_webhooks)
    db = await driver_connection(op.session)
    await receivers.end_with_member(db, owner_id, member_id, keep=keep_webhooks)


async def _living(op: Op, owner_id: UUID, member_id: UUID) -> list[models.ApiToken]:
    rows = await op.session.scalars(
        select(_TOKEN)
        .where(_TOKEN.created_by == member_id, _TOKEN.user_id == owner_id, _TOKEN.revoked_at.is_(None))
        .order_by(_TOKEN.id)
        .with_for_update(key_share=True)
    )
    return list(rows)
