"""Webhooks of messenger accounts (contract §4). `engine/webhooks` sends the events."""

from collections.abc import Sequence
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import any_, select

from core.errors import BadRequest, Conflict, NotFound
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import of, p
from engine.webhooks import endpoints
from engine.webhooks.endpoints import Saved
from engine.webhooks.signing import BadSecret, key_of, new_secret
from resolvers.messenger_accounts import Key, mine
from resolvers.messenger_relations import of_seen
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.webhooks import AddWebhook, NewWebhook, WebhookPatch

MOST_REPLAYED = 10_000  # dead letters in one call

_MINE = f"""
SELECT {endpoints.COLUMNS} FROM messenger_webhooks JOIN messenger_accounts AS a ON a.id = account_id
WHERE messenger_webhooks.id = $1 AND a.deleted_at IS NULL AND ($2 OR a.owner_id = $3)
"""  # noqa: S608  our own column names
_UPDATE = f"""
UPDATE messenger_webhooks SET events = COALESCE($2, events), enabled = COALESCE($3, enabled),
  disabled_reason = CASE WHEN $3 THEN NULL WHEN NOT $3 THEN 'switched off' ELSE disabled_reason END,
  failures = CASE WHEN $3 THEN 0 ELSE failures END, next_at = CASE WHEN $3 THEN NULL ELSE next_at END,
  quiet_until = NULL, version = version + 1, wakes = wakes + 1, updated_at = now()
WHERE id = $1 RETURNING {endpoints.COLUMNS}
"""  # noqa: S608  our own column names
_ROTATE = f"""
UPDATE messenger_webhooks SET old_secret_encrypted = secret_encrypted, old_secret_until = $3, secret_encrypted = $2,
  version = version + 1, wakes = wakes + 1, updated_at = now()
WHERE id = $1 RETURNING {endpoints.COLUMNS}
"""  # noqa: S608  our own column names
_COUNT = """
SELECT w.id, (
  SELECT count(*) FROM messenger_deliveries AS d WHERE d.webhook_id = w.id AND d.dead = $2
) AS count
FROM messenger_webhooks AS w JOIN messenger_accounts AS a ON a.id = w.account_id
WHERE w.id = ANY($1::uuid[]) AND ($3 OR a.owner_id = $4)
"""
# Replayed letters go to the end of the queue, in their order, so that the queue stays in the order of time.
_REPLAY = """
WITH again AS (
  SELECT id FROM messenger_deliveries WHERE webhook_id = $1 AND dead AND ($2::uuid[] IS NULL OR id = ANY($2))
  ORDER BY seq LIMIT $3 FOR UPDATE
), placed AS (
  SELECT id, nextval(pg_get_serial_sequence('messenger_deliveries', 'seq')) AS seq FROM again
), replayed AS (
  UPDATE messenger_deliveries AS d SET dead = false, dead_at = NULL, attempts = 0, next_at = NULL, last_error = NULL,
    seq = placed.seq, created_at = now()
  FROM placed WHERE d.id = placed.id RETURNING d.id
)
SELECT count(*) FROM replayed
"""
# A replay suggests that the receiver works again, so its backoff ends.
_TRY_NOW = "UPDATE messenger_webhooks SET next_at = NULL, quiet_until = NULL, wakes = wakes + 1 WHERE id = $1"


_HOOK, _LETTER, _EVENT = models.Webhook, models.WebhookDelivery, models.WebhookEvent
_SECRET = ("secret_encrypted", "old_secret_encrypted", "claim_id", "claimed_until", "version", "wakes")
_HOOKS = Listing(_HOOK, descending=False, without=_SECRET)
_IN_ACCOUNT = _HOOK.account_id == p("account_id")
_OF_ACCOUNT = of(_HOOK, _IN_ACCOUNT, without=_SECRET)


def _event_column(column: Any) -> Any:
    return select(column).where(_EVENT.id == _LETTER.event_id).scalar_subquery()


_LETTERS = Listing(
    _LETTER,
    key=_LETTER.seq,
    always=(_LETTER.dead,),
    filters={
        ("type", "eq"): _event_column(_EVENT.type) == p("type_eq_"),
        ("type", "in_"): _event_column(_EVENT.type) == any_(p("type_in__", like=_EVENT.type)),
        ("type", "not_in"): ~(_event_column(_EVENT.type) == any_(p("type_not_in_", like=_EVENT.type))),
    },
    extra=(_event_column(_EVENT.type).label("type"), _event_column(_EVENT.body).label("body")),
)
_TO = (_LETTER.webhook_id == any_(p("webhooks", like=_LETTER.webhook_id)),)


@cache
def _letters_seen(everyone: bool) -> tuple[Any, ...]:
    hook = select(1).where(_HOOK.id == _LETTER.webhook_id, *of_seen(_HOOK.account_id, everyone))
    return (hook.exists(),)


async def _probe(op: Op, key: Key, input: NewWebhook | AddWebhook) -> None:
    await mine(op, key)
    await endpoints.probe(op.services, [input.webhook_url])


@operation(Permission.messengers_write, "sql", before=_probe)
async def add(op: Op, key: Key, input: NewWebhook | AddWebhook) -> Saved:
    """Adds a webhook, or changes and re-enables the one with this address. Raises NotFound, BadRequest, Conflict."""
    account = await mine(op, key, lock=True)
    events = None if input.events is None else [event.value for event in input.events]
    return await endpoints.save(
        op.connection, op.services, account.id, input.webhook_url, events, input.secret
    )


@operation(Permission.messengers_write, "sql")
async def update(op: Op, id: UUID, input: WebhookPatch) -> models.Webhook:
    """Changes a webhook. Raises NotFound."""
    await _webhook(op, id, lock=True)
    events = None if input.events is None else list(dict.fromkeys(event.value for event in input.events))
    if input.enabled:
        await endpoints.at_once(op.connection, id)
    row: models.Webhook = await op.connection.fetchrow(_UPDATE, id, events, input.enabled)
    return row


@operation(Permission.messengers_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a webhook, its queued events and its dead letters. Raises NotFound."""
    webhook = await _webhook(op, id, lock=True)
    await endpoints.remove(op.connection, webhook.account_id, webhook.url)


@operation(Permission.messengers_write, "sql")
async def remove(op: Op, key: Key, url: str) -> None:
    """Deletes a webhook by its address, as in the vendor's API. Raises NotFound."""
    if not await endpoints.remove(op.connection, (await mine(op, key)).id, url):
        raise _not_found()


@operation(Permission.messengers_write, "sql")
async def rotate(op: Op, id: UUID, secret: str | None = None) -> Saved:
    """Replaces the signing secret; the old one also signs for one more day. Raises NotFound, BadRequest
    `invalid_secret`.
    """
    made = secret or new_secret()
    try:
        key_of(made)
    except BadSecret as error:
        raise BadRequest(f"{error}.", code="invalid_secret") from None
    await _webhook(op, id, lock=True)
    sealed = op.services.vault.seal(made, endpoints.vault_context(id))
    row = await op.connection.fetchrow(_ROTATE, id, sealed, op.services.db.now() + endpoints.OVERLAP)
    return Saved(row, None if secret else made)


@operation(Permission.messengers_read, "read")
async def page(op: Op, key: Key, page_args: PageArgs, where: Conditions) -> CursorPage[models.Webhook]:
    """Returns one page of an account's webhooks, oldest first; there are at most ten. Raises NotFound."""
    account = await mine(op, key)
    return await _HOOKS.page(op.db, page_args, where, _IN_ACCOUNT, account_id=account.id)


@operation(Permission.messengers_read, "read")
async def of_accounts(
    op: Op, accounts: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.Webhook]]:
    """Returns one page of webhooks for each account, oldest first."""
    scope = of_seen(_HOOK.account_id, op.viewer.admin)
    return await _HOOKS.pages(
        op.db, _HOOK.account_id, accounts, page_args, where, *scope, owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.Webhook | None]:
    """Returns webhooks by id. An id that the caller may not see gives None."""
    seen = of_seen(_HOOK.account_id, op.viewer.admin)
    return await _HOOKS.by_ids(op.db, ids, column_names, *seen, owner_id=op.viewer.id)


@operation(Permission.messengers_read, "read")
async def get(op: Op, id: UUID) -> models.Webhook:
    """Returns one webhook. Raises NotFound."""
    return await _webhook(op, id)


@operation(Permission.messengers_read, "read")
async def dead(
    op: Op, account_id: UUID | None, webhook_id: UUID | None, page_args: PageArgs, where: Conditions
) -> CursorPage[models.WebhookDelivery]:
    """Returns one page of the dead letters of a webhook, or of all webhooks of an account; newest event first.

    Raises NotFound, BadRequest.
    """
    if webhook_id is not None and account_id is None:
        ids = [(await _webhook(op, webhook_id)).id]
    elif account_id is not None and webhook_id is None:
        account = await mine(op, account_id)
        ids = [row.id for row in await _OF_ACCOUNT.all(op.db, account_id=account.id)]
    else:
        raise BadRequest("Send an account or a webhook, not both.", code="bad_request")
    return await _LETTERS.page(op.db, page_args, where, *_TO, webhooks=ids)


@operation(Permission.messengers_read, "read")
async def letters(
    op: Op, webhooks: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.WebhookDelivery]]:
    """Returns one page of dead letters for each webhook, newest event first."""
    scope = _letters_seen(op.viewer.admin)
    return await _LETTERS.pages(
        op.db, _LETTER.webhook_id, webhooks, page_args, where, *scope, owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read")
async def letter(op: Op, id: UUID) -> models.WebhookDelivery:
    """Returns one dead letter. Raises NotFound."""
    seen = _letters_seen(op.viewer.admin)
    (dead_letter,) = await _LETTERS.by_ids(op.db, [id], None, *seen, owner_id=op.viewer.id)
    if dead_letter is None:
        raise NotFound("There is no dead letter with this id among yours. Check the id.")
    return dead_letter


@operation(Permission.messengers_write, "sql")
async def replay(op: Op, webhook_id: UUID, ids: Sequence[UUID] | None = None) -> int:
    """Queues these dead letters again, or the oldest ten thousand. Returns how many. Raises NotFound, BadRequest,
    Conflict.
    """
    if not (await _webhook(op, webhook_id, lock=True)).enabled:
        raise Conflict(
            "The webhook is disabled. Enable it first with updateWebhook(enabled: true).",
            code="webhook_disabled",
        )
    if ids is not None and len(ids) > MOST_REPLAYED:
        raise BadRequest(
            f"At most {MOST_REPLAYED} dead letters can be replayed at once. Send fewer ids.",
            code="bad_request",
        )
    count: int = await op.connection.fetchval(_REPLAY, webhook_id, ids, MOST_REPLAYED)
    await op.connection.execute(_TRY_NOW, webhook_id)
    return count


@operation(Permission.messengers_read, "read")
async def counts(op: Op, ids: Sequence[UUID], *, dead: bool) -> Sequence[int]:
    """Returns, for each webhook, how many events are dead (`dead`) or queued."""
    rows = await op.db.fetch(_COUNT, [*ids], dead, op.viewer.admin, op.viewer.id)
    counted = {row.id: row.count for row in rows}
    return [counted.get(id, 0) for id in ids]


async def _webhook(op: Op, id: UUID, *, lock: bool = False) -> models.Webhook:
    sql = f"{_MINE} FOR NO KEY UPDATE OF messenger_webhooks" if lock else _MINE
    row: models.Webhook | None = await op.reads.fetchrow(sql, id, op.viewer.admin, op.viewer.id)
    if row is None:
        raise _not_found()
    return row


def _not_found() -> NotFound:
    return NotFound(
        "There is no such webhook among yours. Check its id or its address, or create one with addWebhook.",
        code="webhook_not_found",
    )
