"""Deliveries of webhooks: what waits, what was delivered, and dead letters, which can be sent again."""

from collections.abc import Sequence
from functools import cache
from typing import Any, cast
from uuid import UUID

from sqlalchemy import func, literal_column, select

from core.errors import BadRequest, NotFound
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs, by_values
from db.query import of, p
from engine.webhooks import endpoints
from resolvers.messenger_accounts.account_rows import mine
from resolvers.webhooks.webhook_rows import permission_for, require_enabled, visible, webhook_of
from runtime import audit
from runtime.operation import Op, operation, require
from runtime.permissions import Permission, allowed
from shapes.event_webhooks import WebhookDeliveryState
from shapes.page import Rows
from shapes.webhooks import DeliveryCounts

MOST_REPLAYED = 10_000  # dead letters in one call

_COUNT = """
SELECT w.id, (
  SELECT count(*) FROM webhook_deliveries AS d WHERE d.webhook_id = w.id AND d.state = $2
) AS count
FROM webhooks AS w WHERE w.id = ANY($1::uuid[]) AND ($3 OR w.owner_id = $4)
  AND CASE WHEN w.account_id IS NULL THEN $5::boolean ELSE $6 END
"""
# Replayed letters go to the end of the queue, in their order, so that the queue stays in the order of time.
_REPLAY = """
WITH again AS (
  SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'dead' AND ($2::uuid[] IS NULL OR id = ANY($2))
  ORDER BY seq LIMIT $3 FOR UPDATE
), placed AS (
  SELECT id, nextval(pg_get_serial_sequence('webhook_deliveries', 'seq')) AS seq FROM again
), replayed AS (
  UPDATE webhook_deliveries AS d SET state = 'waiting', dead_at = NULL, attempts = 0, next_at = NULL, last_error = NULL,
    failures = 0, failed_attempts = NULL, behind_failed = false, seq = placed.seq, created_at = now()
  FROM placed WHERE d.id = placed.id RETURNING d.id
)
SELECT count(*) FROM replayed
"""

_HOOK, _DELIVERY = models.Webhook, models.WebhookDelivery
_OF_ACCOUNT = of(_HOOK, _HOOK.account_id == p("account_id"))
_DELIVERIES = Listing(_DELIVERY, key=_DELIVERY.seq, ranges=by_values(state=WebhookDeliveryState, always=True))
_LETTERS = Listing(_DELIVERY, key=_DELIVERY.seq, always=(_DELIVERY.state == literal_column("'dead'"),))
_TO = _DELIVERY.webhook_id == p("webhook_id")
_WEBHOOKS = select(func.unnest(p("webhooks", like=_DELIVERY.webhook_id)).column_valued("webhook"))


@cache
def _to(webhooks: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns the conditions that keep the deliveries of webhooks that these conditions keep."""
    return (select(1).where(_HOOK.id == _DELIVERY.webhook_id, *webhooks).exists(),)


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def page(
    op: Op, webhook_id: UUID, page_args: PageArgs, where: Conditions
) -> CursorPage[models.WebhookDelivery]:
    """Lists the deliveries of a webhook, newest event first. Delivered ones are kept for three days. Raises
    NotFound.
    """
    webhook = await webhook_of(op, webhook_id)
    return await _DELIVERIES.page(op.db, page_args, where, _TO, webhook_id=webhook.id)


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def of_webhooks(
    op: Op, webhooks: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.WebhookDelivery]]:
    """Returns one page of deliveries for each webhook, newest event first."""
    scope = _to(visible(op))
    return await _DELIVERIES.pages(
        op.db, _DELIVERY.webhook_id, webhooks, page_args, where, *scope, owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def of_subjects(
    op: Op, subjects: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.WebhookDelivery]]:
    """Returns one page of deliveries for each object of events, such as a message; newest event first."""
    threads = [str(id) for id in subjects]  # engine.webhooks.feed: the events of an object are one thread
    scope = _to(visible(op))
    return await _DELIVERIES.pages(
        op.db, _DELIVERY.thread, threads, page_args, where, *scope, owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def list(
    op: Op, webhook_id: UUID, state: WebhookDeliveryState | None = None, page: int = 1, limit: int = 20
) -> Rows[models.WebhookDelivery]:
    """Returns what `page` returns, by page numbers. Raises NotFound, ValidationFailed."""
    webhook = await webhook_of(op, webhook_id)
    where = {} if state is None else {("state", "eq"): state}
    return await _DELIVERIES.numbered(op.db, page, limit, where, _TO, webhook_id=webhook.id)


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def get(op: Op, id: UUID) -> models.WebhookDelivery:
    """Returns one delivery of a webhook. Raises NotFound, Forbidden."""
    return await _read(op, _DELIVERIES, "delivery", id)


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def dead(
    op: Op, account_id: UUID | None, webhook_id: UUID | None, page_args: PageArgs, where: Conditions
) -> CursorPage[models.WebhookDelivery]:
    """Lists the dead letters of a webhook, or of all webhooks of an account, newest event first. Raises NotFound,
    BadRequest.
    """
    if webhook_id is not None and account_id is None:
        ids = [(await webhook_of(op, webhook_id)).id]
    elif account_id is not None and webhook_id is None:
        require(op.viewer, permission_for(of_feed=False))
        account = await mine(op, account_id)
        ids = [row.id for row in await _OF_ACCOUNT.all(op.db, account_id=account.id)]
    else:
        raise BadRequest("Send an account or a webhook, not both.", code="bad_request")
    return await _LETTERS.merged(op.db, _DELIVERY.webhook_id, _WEBHOOKS, page_args, where, webhooks=ids)


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def letters(
    op: Op, webhooks: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.WebhookDelivery]]:
    """Returns one page of dead letters for each webhook, newest event first."""
    scope = _to(visible(op))
    return await _LETTERS.pages(
        op.db, _DELIVERY.webhook_id, webhooks, page_args, where, *scope, owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def letter(op: Op, id: UUID) -> models.WebhookDelivery:
    """Returns one dead letter: an event that could not be delivered to a webhook. Raises NotFound, Forbidden."""
    return await _read(op, _LETTERS, "dead letter", id)


@operation(Permission.messengers_write, "sql", or_permission=Permission.events_write)
async def replay(op: Op, webhook_id: UUID, ids: Sequence[UUID] | None = None) -> int:
    """Queues dead letters for delivery again: the given ones, or the 10,000 oldest. Returns their number. Raises
    NotFound, BadRequest, Conflict.
    """
    webhook = await webhook_of(op, webhook_id, write=True, lock=True)
    require_enabled(webhook)
    if ids is not None and len(ids) > MOST_REPLAYED:
        raise BadRequest(
            f"At most {MOST_REPLAYED} dead letters can be replayed at once. Send fewer ids.",
            code="bad_request",
        )
    count: int = await op.connection.fetchval(_REPLAY, webhook_id, ids, MOST_REPLAYED)
    await endpoints.end_waits(op.connection, webhook_id)  # a replay suggests that the receiver works again
    if count:
        await audit.record(op.connection, webhook.owner_id, "webhook", webhook_id, {"replayed": [0, count]})
    return count


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def counts(op: Op, ids: Sequence[UUID], *, dead: bool) -> Sequence[int]:
    """Returns, for each webhook, how many events are dead (`dead`) or queued."""
    return await _counts(op, ids, dead=dead)


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def counts_of(op: Op, webhook_id: UUID) -> DeliveryCounts:
    """Counts the events of a webhook that wait for delivery, and its dead letters. Raises NotFound."""
    ids = [(await webhook_of(op, webhook_id)).id]
    (waiting,), (dead,) = [await _counts(op, ids, dead=dead) for dead in (False, True)]
    return DeliveryCounts(waiting=waiting, dead=dead)


async def _read(op: Op, listing: Listing[Any], name: str, id: UUID) -> models.WebhookDelivery:
    (row,) = await listing.by_ids(op.db, [id], None)
    try:
        if row is not None:
            await webhook_of(op, row.webhook_id)
            return cast(models.WebhookDelivery, row)
    except NotFound:
        pass
    raise NotFound(f"There is no {name} with this id among yours. Check the id.")


async def _counts(op: Op, ids: Sequence[UUID], *, dead: bool) -> Sequence[int]:
    state = "dead" if dead else "waiting"
    kinds = [allowed(op.viewer, permission_for(of_feed=of_feed)) for of_feed in (True, False)]
    rows = await op.db.fetch(_COUNT, [*ids], state, op.viewer.admin, op.viewer.id, *kinds)
    counted = {row.id: row.count for row in rows}
    return [counted.get(id, 0) for id in ids]
