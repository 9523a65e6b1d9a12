"""Webhooks: endpoints that receive the events of a messenger account (contract §4), or of their owner's event feed.

`engine/webhooks` sends the events; what was sent, and what waits, is in resolvers/webhook_deliveries.py.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import orjson

from core import webhook_signatures
from core.errors import BadRequest, NotFound, RateLimited
from core.rate_limits import Limit
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p
from engine.feed import event_feed
from engine.feed.stored_events import COLUMNS, EVENTS
from engine.webhooks import call, endpoints, feed, outbox
from engine.webhooks.delivery_loop import UNREADABLE
from engine.webhooks.endpoints import Saved
from engine.webhooks.outbox import OutboxEvent
from resolvers.auth.token_rows import maker_of
from resolvers.messenger_accounts.account_rows import Key, mine
from resolvers.webhooks import webhook_selection as selection
from resolvers.webhooks.webhook_rows import (
    OF_FEED,
    feed_webhook_of,
    not_found,
    permission_for,
    require_enabled,
    require_no_callbacks,
    visible,
    webhook_of,
)
from runtime.operation import Op, operation, require
from runtime.permissions import Permission
from runtime.webhook_documents import BadDocument
from shapes.event_feed import Event
from shapes.event_webhooks import (
    NewEventWebhook,
    WebhookPatch,
    WebhookPreview,
    WebhookPreviewed,
    WebhookReplay,
    WebhookTested,
)
from shapes.page import Rows
from shapes.resend_events import FORMAT as RESEND
from shapes.webhooks import AddWebhook, NewWebhook

_SAVED_BY = """
SELECT u.roles, COALESCE(t.scopes, w.query_scopes) AS scopes
FROM webhooks AS w JOIN users AS u ON u.id = w.owner_id LEFT JOIN api_tokens AS t ON t.id = w.api_token_id
WHERE w.id = $1
"""
_NEWEST = f"""
SELECT {COLUMNS} FROM {EVENTS}
WHERE ($4::uuid IS NULL OR id = $4) AND ($5::text[] = '{{}}' OR type = ANY($5))
ORDER BY first DESC, position DESC LIMIT 1
"""  # noqa: S608  our own columns
_REPLAYED = f"SELECT count(*) FROM {EVENTS} WHERE {feed.SELECTED}"  # noqa: S608  our own words


_TESTS = Limit("webhook_tests", 20, 60)
_NO_REPLAY = {"replay_position": None, "replay_to": None}
_HOOK = models.Webhook
_SECRET = ("secret_encrypted", "old_secret_encrypted", "claim_id", "claimed_until", "version", "wakes")
_HOOKS = Listing(_HOOK, descending=False, without=_SECRET)
_IN_ACCOUNT = _HOOK.account_id == p("account_id")
_MY = _HOOK.owner_id == p("owner_id")


async def _probe(op: Op, key: Key, input: NewWebhook | AddWebhook) -> None:
    await mine(op, key)
    await endpoints.probe(op.services, [input.webhook_url])


@operation(Permission.messengers_write, "sql", before=_probe)
async def add(op: Op, key: Key, input: NewWebhook | AddWebhook) -> Saved:
    """Adds a webhook to a messenger account, or changes and re-enables the existing webhook with this URL.
    `createWebhook` makes one of your event feed. Raises NotFound, BadRequest, Conflict.
    """
    account = await mine(op, key, lock=True)
    events = None if input.events is None else [event.value for event in input.events]
    maker = await maker_of(op, op.connection, Permission.messengers_write)
    return await endpoints.save(
        op.connection, op.services, account.id, input.webhook_url, events, input.secret, maker
    )


async def _prepare_new(op: Op, input: NewEventWebhook) -> None:
    await selection.check(op, input.types, input.query)
    await endpoints.probe(op.services, [input.url])
    await event_feed.newest(op.db, op.viewer.id)


@operation(Permission.events_write, "sql", before=_prepare_new)
async def create(op: Op, input: NewEventWebhook) -> Saved:
    """Makes a webhook of your event feed: it receives what happens from now on. The feed is recorded from then on.
    `addWebhook` makes one of a messenger account. Raises BadRequest (unknown_event_type, bad_document,
    webhook_url_refused, invalid_secret), NotFound, Conflict, Unavailable.
    """
    columns = await selection.columns_of(op, None, input)
    columns |= await selection.maker_columns(op, input, of_feed=True)
    return await endpoints.save_of_feed(
        op.connection, op.services, op.viewer.id, input.url, columns, input.secret
    )


async def _prepare_update(op: Op, id: UUID, input: WebhookPatch) -> None:
    row = await webhook_of(op, id, write=True)
    require_no_callbacks(row)
    if row.account_id is not None and input.model_fields_set - {"events", "enabled"}:
        raise BadRequest(
            "A webhook of a messenger account has only `events` and `enabled`. Leave the others out.",
            code="bad_request",
        )
    if row.account_id is None and input.events is not None:
        raise BadRequest("A webhook of an event feed has `types`, not `events`.", code="bad_request")
    if input.url is not None:
        await endpoints.probe(op.services, [input.url])
    types = input.types if input.types is not None else row.events
    query = input.query if "query" in input.model_fields_set else row.query
    if row.account_id is None and {"types", "query"} & input.model_fields_set:
        await selection.check(op, types, query)


@operation(Permission.messengers_write, "sql", before=_prepare_update, or_permission=Permission.events_write)
async def update(op: Op, id: UUID, input: WebhookPatch) -> models.Webhook:
    """Changes a webhook. Enabling it clears earlier failures, and delivery is tried at once. Raises NotFound,
    Forbidden, BadRequest.
    """
    of_feed = (await webhook_of(op, id, write=True)).account_id is None
    columns = await selection.maker_columns(op, input, of_feed=of_feed)
    row = await webhook_of(op, id, write=True, lock=True)
    if input.events is not None:
        columns["events"] = [*dict.fromkeys(event.value for event in input.events)]
    columns |= await selection.columns_of(op, row, input)
    if input.enabled is False:
        columns |= {"enabled": False, "disabled_reason": "switched off", "paused": False}
    elif input.enabled or (row.paused and "query" in input.model_fields_set):
        await endpoints.end_waits(op.connection, id)
        columns |= {
            "enabled": True, "disabled_reason": None, "paused": False, "fill_after": None, "document_failures": 0,
        }  # fmt: skip
    if "query" in columns:
        columns |= {"fill_after": None, "document_failures": 0}
    if input.enabled is False or {"events", "query"} & columns.keys():
        columns |= _NO_REPLAY
    changed: models.Webhook = await endpoints.change(op.connection, id, columns)
    return changed


@operation(Permission.messengers_write, "sql", or_permission=Permission.events_write)
async def delete(op: Op, id: UUID) -> None:
    """Deletes a webhook, its queued events and its dead letters. Raises NotFound, Forbidden."""
    await webhook_of(op, id, write=True, lock=True)
    await op.connection.execute("DELETE FROM webhooks WHERE id = $1", id)


@operation(Permission.messengers_write, "sql")
async def remove(op: Op, key: Key, url: str) -> None:
    """Deletes a webhook and the events that are queued for it. Raises NotFound."""
    if not await endpoints.remove(op.connection, (await mine(op, key)).id, url):
        raise not_found()


@operation(Permission.messengers_write, "sql", or_permission=Permission.events_write)
async def rotate(op: Op, id: UUID, secret: str | None = None) -> Saved:
    """Replaces the signing secret of a webhook. For one day, requests are signed with the old secret too. Raises
    NotFound, Forbidden, BadRequest `invalid_secret`.
    """
    endpoints.check_secret(secret)
    made = secret or webhook_signatures.new_secret()
    row = await webhook_of(op, id, write=True, lock=True)
    require_no_callbacks(row)
    columns = {
        "old_secret_encrypted": row.secret_encrypted,
        "old_secret_until": op.services.db.now() + endpoints.OVERLAP,
        "secret_encrypted": op.services.vault.seal(made, endpoints.vault_context(id)),
    }
    return Saved(await endpoints.change(op.connection, id, columns), None if secret else made)


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def page(op: Op, key: Key | None, page_args: PageArgs, where: Conditions) -> CursorPage[models.Webhook]:
    """Lists the webhooks of a messenger account (at most ten) or, without `accountId`, those of your event feed (at
    most twenty; administrators get everybody's); oldest first. Raises NotFound, Forbidden.
    """
    require(op.viewer, permission_for(of_feed=key is None))
    if key is None:
        return await _HOOKS.page(op.db, page_args, where, OF_FEED, *op.own(_MY), owner_id=op.viewer.id)
    account = await mine(op, key)
    return await _HOOKS.page(op.db, page_args, where, _IN_ACCOUNT, account_id=account.id)


@operation(Permission.events_read, "read")
async def list(op: Op, page: int = 1, limit: int = 20) -> Rows[models.Webhook]:
    """Lists the webhooks of your event feed, oldest first; administrators get those of all users."""
    return await _HOOKS.numbered(op.db, page, limit, {}, OF_FEED, *op.own(_MY), owner_id=op.viewer.id)


@operation(Permission.messengers_read, "read")
async def of_accounts(
    op: Op, accounts: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.Webhook]]:
    """Returns one page of webhooks for each account, oldest first."""
    scope = visible(op)
    return await _HOOKS.pages(
        op.db, _HOOK.account_id, accounts, page_args, where, *scope, owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.Webhook | None]:
    """Returns webhooks by id. An id that the caller may not see gives None."""
    seen = visible(op)
    return await _HOOKS.by_ids(op.db, ids, column_names, *seen, owner_id=op.viewer.id)


@operation(Permission.messengers_read, "read", or_permission=Permission.events_read)
async def get(op: Op, id: UUID) -> models.Webhook:
    """Returns one webhook, of your event feed or of a messenger account. Raises NotFound, Forbidden."""
    return await webhook_of(op, id)


@operation(Permission.messengers_write, "outside", or_permission=Permission.events_write)
async def test(op: Op, id: UUID) -> WebhookTested:
    """Sends an event of the type `webhook.test` (to a webhook of a messenger account: `test`), and returns the answer.

    An accepted one ends its waits. Raises NotFound, Forbidden, BadRequest, RateLimited.
    """
    row = await webhook_of(op, id, write=True)
    require_no_callbacks(row)
    await op.services.limiter.enforce(_TESTS, str(row.owner_id), "tests of webhooks")
    event = event_feed.sample("webhook.test", "webhook", row.id, op.db.now())
    if row.account_id is not None:
        body = outbox.body(event.id, OutboxEvent("test", {}), op.db.now()).encode()
    else:
        who = await op.db.fetchrow(_SAVED_BY, id)
        scopes = None if who["scopes"] is None else frozenset(who["scopes"])
        settings = feed.BodySettings(row.owner_id, row.query, row.query_roles, who["roles"], scopes)
        body = feed.request_body(row.batch, [await _body_of(op, settings, event)])
    is_overlap = row.old_secret_until is not None and row.old_secret_until > op.db.now()
    secrets = (row.secret_encrypted, row.old_secret_encrypted if is_overlap else None)
    keys = endpoints.keys_of(op.services, id, *secrets)
    answer = call.Answer(None, UNREADABLE)
    if keys:
        names = "svix" if row.query == RESEND else "webhook"
        signed = webhook_signatures.sign(keys, event.id, body, int(op.db.now().timestamp()), names=names)
        async with call.Caller(op.services.guard, row.url) as caller:
            answer = await caller.call(signed, body)
    if answer.error is None:
        async with op.db.transaction() as db:
            await endpoints.end_waits(db, id)
    return WebhookTested(
        delivered=answer.error is None,
        error=answer.error,
        status=answer.status,
        answer=answer.body,
        seconds=answer.seconds,
        body=body.decode(),
    )


@operation(Permission.events_read, "outside")
async def preview(op: Op, input: WebhookPreview) -> WebhookPreviewed:
    """Returns the body that a webhook would send for an event of your feed.

    The event is one of the newest 50,000. Raises BadRequest, NotFound, RateLimited.
    """
    cost = await selection.check(op, input.types, input.query)
    async with op.db.reading() as db:
        state = await event_feed.get(db, op.viewer.id)
    row = None
    if state is not None:
        begin = max(state.pruned_position, state.last_position - feed.SEARCHED_POSITIONS)
        row = await op.db.fetchrow(
            _NEWEST, op.viewer.id, begin, state.last_position, input.event_id, input.types
        )
    if state is None or row is None:
        raise NotFound(
            "Your feed has no such event among the newest 50,000. Let one happen "
            "(`enableEvents` begins to record), or ask"
            " for another type.",
            code="event_not_found",
        )
    event = event_feed.event_of(row, state.epoch)
    settings = feed.BodySettings(
        op.viewer.id, input.query, op.viewer.roles, op.viewer.roles, op.viewer.scopes
    )
    body = await _body_of(op, settings, event)
    return WebhookPreviewed.model_construct(
        event_id=event.id, type=event.type, body=orjson.loads(body or b"null"), bytes=len(body), cost=cost
    )


@operation(Permission.messengers_write, "sql", or_permission=Permission.events_write)
async def try_now(op: Op, id: UUID) -> models.Webhook:
    """Ends the waits of a webhook and of its failed events: they are tried at once. Raises NotFound, Forbidden,
    Conflict.
    """
    require_enabled(await webhook_of(op, id, write=True, lock=True))
    await endpoints.end_waits(op.connection, id)
    return await webhook_of(op, id, write=True)


async def _prepare_replay(op: Op, id: UUID, input: WebhookReplay) -> dict[str, Any]:
    """Counts the events before the webhook is locked: its claim could not be renewed meanwhile."""
    row = await feed_webhook_of(op, id)
    types = row.events if input.types is None else input.types
    await selection.check(op, types, row.query)
    async with op.db.reading() as db:
        state = await event_feed.get(db, row.owner_id)
    assert state is not None
    end = min(state.last_position, row.position)  # what is behind that is sent for the first time
    count = await op.db.fetchval(
        _REPLAYED, row.owner_id, state.pruned_position, end, types, row.sending_project_uuid,
        row.paying_account_id, row.messenger_account_uuid, input.since, input.until,
    )  # fmt: skip
    columns = {
        "replay_position": state.pruned_position,
        "replay_to": end,
        "replay_since": input.since,
        "replay_until": input.until,
        "replay_events": types,
    }
    return {"count": count, "columns": columns if count else _NO_REPLAY}


@operation(Permission.events_write, "sql", before=_prepare_replay)
async def replay(op: Op, id: UUID, input: WebhookReplay) -> int:
    """Sends events again that are still in your feed, beside new ones; it ends an earlier replay. Their bodies are made
    anew, and their requests have the header `postern-replayed`. Returns how many. Raises NotFound, BadRequest,
    Conflict.
    """
    require_enabled(await feed_webhook_of(op, id, lock=True))
    await endpoints.end_waits(op.connection, id)  # a replay suggests that the receiver works again
    await endpoints.change(op.connection, id, op.prepared["columns"])
    count: int = op.prepared["count"]
    return count


async def _body_of(op: Op, settings: feed.BodySettings, event: Event) -> bytes:
    try:
        bodies = await feed.bodies_of(op.services, settings, [event])
    except BadDocument as error:
        raise BadRequest(
            f"The webhook's document is not valid any more. {error}", code="bad_document"
        ) from None
    if bodies is None:
        raise RateLimited("The documents of your webhooks have no points left. Try again in a minute.")
    return bodies[0]
