"""Area C in GraphQL: webhooks."""

from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import UUID

import orjson
import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import messenger_relations, webhooks
from schema.frame import graphql
from schema.frame.connections import (
    FILTER,
    After,
    Before,
    Connection,
    First,
    Last,
    Sorting,
    as_type,
    conditions,
    read_page_args,
)
from schema.frame.graphql import ID, JSON, Info, local_id
from schema.frame.loaders import relation
from shapes import webhooks as types
from shapes.webhooks import DeadLetterWhere, NewWebhook, WebhookEvent, WebhookPatch, WebhookWhere

if TYPE_CHECKING:
    from schema.messenger_accounts import MessengerAccount

for part in (NewWebhook, WebhookPatch, WebhookWhere, DeadLetterWhere):
    graphql.input(part, description=part.__doc__)

Account = Annotated["MessengerAccount", strawberry.lazy("schema.messenger_accounts")]
To = Annotated["Webhook", strawberry.lazy("schema.webhooks")]


@graphql.node("DeadLetter", description=types.DeadLetterFields.__doc__)
class DeadLetter(types.DeadLetterFields):
    @graphql.computed("body of the POST request, as JSON", "body")
    def body(self) -> JSON:
        return cast(JSON, orjson.loads(cast(models.WebhookEvent, self).body))

    @relation("the webhook that the event could not be delivered to", "webhook_id")
    async def webhook(rows: Any, info: Info) -> list[To | None]:
        return as_type(await webhooks.by_ids(info.context, [row.webhook_id for row in rows], info.columns))


@graphql.node("Webhook", description=types.WebhookFields.__doc__)
class Webhook(types.WebhookFields):
    @graphql.computed("types of events to send; empty: all except `message_deleted`", "events")
    def events(self) -> list[WebhookEvent]:
        return [WebhookEvent(event) for event in cast(models.Webhook, self).events]

    @relation("number of events that are queued for it")
    async def waiting(rows: Any, info: Info) -> list[int]:
        return as_type(await webhooks.counts(info.context, [row.id for row in rows], dead=False))

    @relation("number of its dead letters")
    async def dead(rows: Any, info: Info) -> list[int]:
        return as_type(await webhooks.counts(info.context, [row.id for row in rows], dead=True))

    @relation("its dead letters, newest event first", where=DeadLetterWhere)
    async def dead_letters(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[DeadLetter] | None]:
        return as_type(await webhooks.letters(info.context, [row.id for row in rows], page_args, where))

    @relation("the messenger account whose events it receives", "account_id")
    async def account(rows: Any, info: Info) -> list[Account | None]:
        ids = [row.account_id for row in rows]
        return as_type(await messenger_relations.by_ids(info.context, ids, info.columns))


@strawberry.type(description="A saved webhook, with its secret if the service generated one.")
class SavedWebhook:
    webhook: Webhook = strawberry.field(description="the webhook after the call")
    secret: str | None = strawberry.field(
        description="the signing secret, shown only once, if the service generated it; otherwise null"
    )


def _saved(saved: Any) -> SavedWebhook:
    return SavedWebhook(webhook=Webhook.of(saved.webhook), secret=saved.secret)


def _local(id: ID) -> UUID:
    return local_id(id, "Webhook")


def _account(id: ID) -> UUID:
    return local_id(id, "MessengerAccount")


def _which(account_id: ID | None, webhook_id: ID | None) -> tuple[UUID | None, UUID | None]:
    return (
        None if account_id is None else _account(account_id),
        None if webhook_id is None else _local(webhook_id),
    )


@strawberry.type
class Query:
    @graphql.query("Lists the webhooks of a messenger account, oldest first; at most ten.")
    async def webhooks(
        self,
        info: Info,
        account_id: ID,
        first: First = None,
        after: After = None,
        last: Last = None,
        before: Before = None,
        where: Annotated[WebhookWhere | None, FILTER] = None,
        order_by: Sorting = None,
    ) -> Connection[Webhook] | None:
        page_args = read_page_args(info, first, after, last, before, order_by)
        return as_type(await webhooks.page(info.context, _account(account_id), page_args, conditions(where)))

    @graphql.query("Returns one dead letter: an event that could not be delivered to a webhook.")
    async def dead_letter(self, info: Info, id: ID) -> DeadLetter | None:
        return DeadLetter.of(await webhooks.letter(info.context, local_id(id, "DeadLetter")))

    @graphql.query("Returns one webhook.")
    async def webhook(self, info: Info, id: ID) -> Webhook | None:
        return Webhook.of(await webhooks.get(info.context, _local(id)))

    @graphql.query(
        "Lists the dead letters of a webhook, or of all webhooks of an account, newest event first."
    )
    async def dead_letters(
        self,
        info: Info,
        account_id: ID | None = None,
        webhook_id: ID | None = None,
        first: First = None,
        after: After = None,
        last: Last = None,
        before: Before = None,
        where: Annotated[DeadLetterWhere | None, FILTER] = None,
        order_by: Sorting = None,
    ) -> Connection[DeadLetter] | None:
        which, page_args = (
            _which(account_id, webhook_id),
            read_page_args(info, first, after, last, before, order_by),
        )
        return as_type(await webhooks.dead(info.context, *which, page_args, conditions(where)))


@strawberry.type
class Mutation:
    @graphql.mutation(
        "Adds a webhook to an account, or changes and re-enables the existing webhook with this URL."
    )
    async def add_webhook(self, info: Info, account_id: ID, input: NewWebhook) -> SavedWebhook | None:
        return _saved(await webhooks.add(info.context, _account(account_id), input))

    @graphql.mutation(
        "Changes a webhook. Enabling it clears earlier failures, and delivery is tried at once."
    )
    async def update_webhook(self, info: Info, id: ID, input: WebhookPatch) -> Webhook | None:
        return Webhook.of(await webhooks.update(info.context, _local(id), input))

    @graphql.mutation("Deletes a webhook, its queued events and its dead letters.")
    async def delete_webhook(self, info: Info, id: ID) -> bool | None:
        await webhooks.delete(info.context, _local(id))
        return True

    @graphql.mutation(
        "Replaces the signing secret of a webhook. For one day, events are signed with the old secret too."
    )
    async def rotate_webhook_secret(
        self, info: Info, id: ID, secret: str | None = None
    ) -> SavedWebhook | None:
        return _saved(await webhooks.rotate(info.context, _local(id), secret))

    @graphql.mutation(
        "Queues dead letters for delivery again: the given ones, or the 10,000 oldest. Returns their number."
    )
    async def replay_dead_letters(
        self, info: Info, webhook_id: ID, ids: list[ID] | None = None
    ) -> int | None:
        letters = None if ids is None else [local_id(id, "DeadLetter") for id in ids]
        return await webhooks.replay(info.context, _local(webhook_id), letters)
