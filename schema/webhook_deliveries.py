"""Deliveries of webhooks in GraphQL, dead letters among them."""

from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import UUID

import orjson
import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import webhook_deliveries, webhooks
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, JSON, Info, local_id
from schema.frame.loaders import relation
from shapes import event_webhooks as feed_types
from shapes import webhooks as types
from shapes.event_webhooks import WebhookDeliveryWhere
from shapes.shape import Cost
from shapes.webhooks import DeadLetterWhere

if TYPE_CHECKING:
    from schema.webhooks import Webhook

WebhookId = Annotated[ID, graphql.argument("id or uuid of the webhook")]

for part in (DeadLetterWhere, WebhookDeliveryWhere):
    graphql.input(part, description=part.__doc__)
graphql.type(feed_types.WebhookAttempt, description=feed_types.WebhookAttempt.__doc__)

To = Annotated["Webhook", strawberry.lazy("schema.webhooks")]


# By a `uuid`, a dead letter is shown as the delivery that it is, since that type comes first.
@graphql.node(
    "WebhookDelivery",
    row=models.WebhookDelivery,
    read=webhook_deliveries.get,
    description=feed_types.WebhookDeliveryFields.__doc__,
)
class WebhookDelivery(feed_types.WebhookDeliveryFields):
    @graphql.computed("body of the POST request, as JSON; of a batch: of this event alone", "body")
    def body(self) -> JSON:
        return cast(JSON, orjson.loads(cast(models.WebhookDelivery, self).body))

    @graphql.computed(feed_types.DELIVERY_ATTEMPTS, "failed_attempts", cost=Cost(most=20))
    def failed_attempts(self) -> list[feed_types.WebhookAttempt]:
        stored = cast(models.WebhookDelivery, self).failed_attempts
        return [feed_types.WebhookAttempt.model_validate(attempt) for attempt in stored or ()]

    @relation("the webhook that the event is for", "webhook_id")
    async def webhook(rows: Any, info: Info) -> list[To | None]:
        return as_type(await webhooks.by_ids(info.context, [row.webhook_id for row in rows], info.columns))


@graphql.node(
    "DeadLetter",
    row=models.WebhookDelivery,
    read=webhook_deliveries.letter,
    description=types.DeadLetterFields.__doc__,
)
class DeadLetter(types.DeadLetterFields):
    @graphql.computed("body of the POST request, as JSON", "body")
    def body(self) -> JSON:
        return cast(JSON, orjson.loads(cast(models.WebhookDelivery, self).body))

    @relation("the webhook that the event could not be delivered to", "webhook_id")
    async def webhook(rows: Any, info: Info) -> list[To | None]:
        return as_type(await webhooks.by_ids(info.context, [row.webhook_id for row in rows], info.columns))


def _local(id: ID) -> UUID:
    return local_id(id, "Webhook")


def _which(account_id: ID | None, webhook_id: ID | None) -> tuple[UUID | None, UUID | None]:
    return (
        None if account_id is None else local_id(account_id, "MessengerAccount"),
        None if webhook_id is None else _local(webhook_id),
    )


@strawberry.type
class Query:
    @connection(where=WebhookDeliveryWhere)
    async def webhook_deliveries(
        self,
        info: Info,
        page_args: PageArgs,
        where: Conditions,
        webhook_id: WebhookId,
    ) -> Connection[WebhookDelivery] | None:
        return as_type(await webhook_deliveries.page(info.context, _local(webhook_id), page_args, where))

    @graphql.query()
    async def webhook_delivery(self, info: Info, id: ID) -> WebhookDelivery | None:
        return WebhookDelivery.of(await webhook_deliveries.get(info.context, local_id(id, "WebhookDelivery")))

    @graphql.query()
    async def dead_letter(self, info: Info, id: ID) -> DeadLetter | None:
        return DeadLetter.of(await webhook_deliveries.letter(info.context, local_id(id, "DeadLetter")))

    @connection(where=DeadLetterWhere)
    async def dead_letters(
        self,
        info: Info,
        page_args: PageArgs,
        where: Conditions,
        account_id: ID | None = None,
        webhook_id: Annotated[ID | None, graphql.argument("id or uuid of the webhook")] = None,
    ) -> Connection[DeadLetter] | None:
        which = _which(account_id, webhook_id)
        return as_type(await webhook_deliveries.dead(info.context, *which, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def replay_dead_letters(
        self,
        info: Info,
        webhook_id: WebhookId,
        ids: Annotated[list[ID] | None, graphql.argument("only these dead letters")] = None,
    ) -> int | None:
        letters = None if ids is None else [local_id(id, "DeadLetter") for id in ids]
        return await webhook_deliveries.replay(info.context, _local(webhook_id), letters)
