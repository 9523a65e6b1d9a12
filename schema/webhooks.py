"""Webhooks in GraphQL: of messenger accounts (Area C), and of event feeds."""

from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import UUID

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import messenger_relations, webhook_deliveries, webhooks
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from schema.webhook_deliveries import DeadLetter, WebhookDelivery
from shapes import event_webhooks as feed_types
from shapes import webhooks as types
from shapes.event_webhooks import (
    NewEventWebhook,
    WebhookDeliveryWhere,
    WebhookPatch,
    WebhookPreview,
    WebhookReplay,
)
from shapes.webhooks import DeadLetterWhere, NewWebhook, WebhookEvent, WebhookWhere

if TYPE_CHECKING:
    from schema.messenger_accounts import MessengerAccount

for part in (
    NewWebhook, WebhookPatch, WebhookWhere, NewEventWebhook, WebhookReplay, WebhookPreview,
):  # fmt: skip
    graphql.input(part, description=part.__doc__)

Account = Annotated["MessengerAccount", strawberry.lazy("schema.messenger_accounts")]


@graphql.node("Webhook", row=models.Webhook, read=webhooks.get, description=types.WebhookFields.__doc__)
class Webhook(types.WebhookFields):
    @graphql.computed(
        "of a webhook of a messenger account: types of events to send; empty: all except `message_edited` and"
        " `message_deleted`",
        "events", "account_id",
    )  # fmt: skip
    def events(self) -> list[WebhookEvent]:
        row = cast(models.Webhook, self)
        return [] if row.account_id is None else [WebhookEvent(event) for event in row.events]

    @graphql.computed(
        "of a webhook of an event feed: types of events to send; empty: all. Otherwise null",
        "events",
        "account_id",
    )
    def types(self) -> list[str] | None:
        row = cast(models.Webhook, self)
        return row.events if row.account_id is None else None

    @graphql.computed("whether a replay is under way", "replay_position")
    def replaying(self) -> bool:
        return cast(models.Webhook, self).replay_position is not None

    @relation("its deliveries, newest event first", where=WebhookDeliveryWhere)
    async def deliveries(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[WebhookDelivery] | None]:
        return as_type(
            await webhook_deliveries.of_webhooks(info.context, [row.id for row in rows], page_args, where)
        )

    @relation("number of events that are queued for it")
    async def waiting(rows: Any, info: Info) -> list[int]:
        return as_type(await webhook_deliveries.counts(info.context, [row.id for row in rows], dead=False))

    @relation("number of its dead letters")
    async def dead(rows: Any, info: Info) -> list[int]:
        return as_type(await webhook_deliveries.counts(info.context, [row.id for row in rows], dead=True))

    @relation("its dead letters, newest event first", where=DeadLetterWhere)
    async def dead_letters(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[DeadLetter] | None]:
        return as_type(
            await webhook_deliveries.letters(info.context, [row.id for row in rows], page_args, where)
        )

    @relation("the messenger account whose events it receives; null: those of a feed", "account_id")
    async def account(rows: Any, info: Info) -> list[Account | None]:
        ids = [row.account_id for row in rows]
        return as_type(await messenger_relations.by_ids(info.context, ids, info.columns))


@strawberry.type(description="A saved webhook, with its secret if the service generated one.")
class SavedWebhook:
    webhook: Webhook = strawberry.field(description="the webhook after the call")
    secret: str | None = strawberry.field(
        description="the signing secret, shown only once, if the service generated it; otherwise null"
    )


graphql.type(feed_types.WebhookTested, name="WebhookTested", description=feed_types.WebhookTested.__doc__)
graphql.type(
    feed_types.WebhookPreviewed, name="WebhookPreviewed", description=feed_types.WebhookPreviewed.__doc__
)


def _saved(saved: Any) -> SavedWebhook:
    return SavedWebhook(webhook=Webhook.of(saved.webhook), secret=saved.secret)


def _local(id: ID) -> UUID:
    return local_id(id, "Webhook")


def _account(id: ID) -> UUID:
    return local_id(id, "MessengerAccount")


def _any_account(id: ID | None) -> UUID | None:
    return None if id is None else _account(id)


@strawberry.type
class Query:
    @connection(where=WebhookWhere)
    async def webhooks(
        self,
        info: Info,
        page_args: PageArgs,
        where: Conditions,
        account_id: ID | None = None,
    ) -> Connection[Webhook] | None:
        return as_type(await webhooks.page(info.context, _any_account(account_id), page_args, where))

    @graphql.query()
    async def preview_webhook(self, info: Info, input: WebhookPreview) -> feed_types.WebhookPreviewed | None:
        return as_type(await webhooks.preview(info.context, input))

    @graphql.query()
    async def webhook(self, info: Info, id: ID) -> Webhook | None:
        return Webhook.of(await webhooks.get(info.context, _local(id)))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def add_webhook(self, info: Info, account_id: ID, input: NewWebhook) -> SavedWebhook | None:
        return _saved(await webhooks.add(info.context, _account(account_id), input))

    @graphql.mutation()
    async def create_webhook(self, info: Info, input: NewEventWebhook) -> SavedWebhook | None:
        return _saved(await webhooks.create(info.context, input))

    @graphql.mutation()
    async def test_webhook(self, info: Info, id: ID) -> feed_types.WebhookTested | None:
        return await webhooks.test(info.context, _local(id))

    @graphql.mutation()
    async def try_webhook_now(self, info: Info, id: ID) -> Webhook | None:
        return Webhook.of(await webhooks.try_now(info.context, _local(id)))

    @graphql.mutation()
    async def replay_webhook(self, info: Info, id: ID, input: WebhookReplay) -> int | None:
        return await webhooks.replay(info.context, _local(id), input)

    @graphql.mutation()
    async def update_webhook(self, info: Info, id: ID, input: WebhookPatch) -> Webhook | None:
        return Webhook.of(await webhooks.update(info.context, _local(id), input))

    @graphql.mutation()
    async def delete_webhook(self, info: Info, id: ID) -> bool | None:
        await webhooks.delete(info.context, _local(id))
        return True

    @graphql.mutation()
    async def rotate_webhook_secret(
        self,
        info: Info,
        id: ID,
        secret: Annotated[
            str | None, graphql.argument("the new secret; omitted: the service generates one")
        ] = None,
    ) -> SavedWebhook | None:
        return _saved(await webhooks.rotate(info.context, _local(id), secret))
