"""Status callbacks of messages in GraphQL."""

from typing import Annotated

import strawberry

from db.lists import Conditions, PageArgs
from resolvers import status_callbacks
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import Info
from schema.webhooks import Webhook
from shapes.webhooks import WebhookWhere


@strawberry.type
class Query:
    @connection(where=WebhookWhere)
    async def status_callback_hosts(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[Webhook] | None:
        return as_type(await status_callbacks.page(info.context, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def rotate_callback_secret(
        self,
        info: Info,
        secret: Annotated[
            str | None,
            graphql.argument("the new secret, in Standard Webhooks' form; default: a generated one"),
        ] = None,
    ) -> str | None:
        return (await status_callbacks.rotate_secret(info.context, secret)).secret
