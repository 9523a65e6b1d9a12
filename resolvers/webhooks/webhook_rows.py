"""Rows of webhooks: which of them a caller may see and change, by their owner and their kind."""

from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import false, or_, select

from core.errors import BadRequest, Conflict, NotFound
from db import models
from db.query import p
from engine.webhooks import endpoints
from runtime.operation import Op, require
from runtime.permissions import Permission, allowed

_HOOK = models.Webhook
OF_FEED = _HOOK.account_id.is_(None) & _HOOK.is_callback.is_(False)
_MINE = f"""
SELECT {endpoints.COLUMNS} FROM webhooks LEFT JOIN messenger_accounts AS a ON a.id = webhooks.account_id
WHERE webhooks.id = $1 AND (webhooks.account_id IS NULL OR a.deleted_at IS NULL) AND ($2 OR webhooks.owner_id = $3)
"""  # noqa: S608  our own column names


def permission_for(*, of_feed: bool, write: bool = False) -> Permission:
    """Returns the permission that a webhook of a feed, or one of a messenger account, needs."""
    if of_feed:
        return Permission.events_write if write else Permission.events_read
    return Permission.messengers_write if write else Permission.messengers_read


def visible(op: Op) -> tuple[Any, ...]:
    """Returns the conditions that keep webhooks that the caller may see: those of the caller, of the kinds that the
    caller's permissions show.
    """
    kinds = allowed(op.viewer, Permission.events_read), allowed(op.viewer, Permission.messengers_read)
    return _visible(op.viewer.admin, *kinds)


@cache
def _visible(everyone: bool, of_feeds: bool, of_accounts: bool) -> tuple[Any, ...]:
    """Returns the conditions of `visible`. The webhooks of deleted messenger accounts are gone."""
    living = select(1).where(
        models.MessengerAccount.id == _HOOK.account_id, models.MessengerAccount.deleted_at.is_(None)
    )
    mine = () if everyone else (_HOOK.owner_id == p("owner_id"),)
    kinds = [*[_HOOK.account_id.is_(None)] * of_feeds, *[living.exists()] * of_accounts]
    return (or_(false(), *kinds), *mine)


async def webhook_of(op: Op, id: UUID, *, write: bool = False, lock: bool = False) -> models.Webhook:
    """Returns a webhook of the caller, or anyone's for an administrator. Raises NotFound, and Forbidden without the
    permission that its kind needs.
    """
    sql = f"{_MINE} FOR NO KEY UPDATE OF webhooks" if lock else _MINE
    row: models.Webhook | None = await op.reads.fetchrow(sql, id, op.viewer.admin, op.viewer.id)
    if row is None:
        raise not_found()
    require(op.viewer, permission_for(of_feed=row.account_id is None, write=write))
    return row


async def feed_webhook_of(op: Op, id: UUID, *, lock: bool = False) -> models.Webhook:
    """Returns a webhook of a feed, which is to be changed."""
    row = await webhook_of(op, id, write=True, lock=lock)
    require_no_callbacks(row)
    if row.account_id is not None:
        raise BadRequest(
            "This is a webhook of a messenger account, which has no event feed. Use replayDeadLetters for it.",
            code="bad_request",
        )
    return row


def require_no_callbacks(row: models.Webhook) -> None:
    """Raises BadRequest for a host of status callbacks, whose URLs and secret are not the webhook's."""
    if row.is_callback:
        raise BadRequest(
            "This webhook is a host of status callbacks: each message names the URL, and all are signed with one secret"
            " (POST /status-callbacks/secret). It can be deleted, which ends the callbacks of messages sent so far.",
            code="bad_request",
        )


def require_enabled(row: models.Webhook) -> None:
    """Raises Conflict `webhook_disabled` if nothing is sent to the webhook."""
    if not row.enabled:
        raise Conflict(
            "The webhook is disabled. Enable it first with updateWebhook(enabled: true).",
            code="webhook_disabled",
        )


def not_found() -> NotFound:
    return NotFound(
        "There is no such webhook among yours. Check its id or its address, or create one with addWebhook or"
        " createWebhook.",
        code="webhook_not_found",
    )
