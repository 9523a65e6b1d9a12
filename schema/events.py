"""Hooks in GraphQL: their secrets, and delivering events with the user's own token."""

from typing import Annotated

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import events
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from shapes import events as types
from shapes.events import ChannelEvent, DeliverEvents, HookAnswer, HookSecretWhere

for shape in (ChannelEvent, DeliverEvents, HookSecretWhere):
    graphql.input(shape, description=shape.__doc__)
graphql.type(HookAnswer, description=HookAnswer.__doc__)


@graphql.node(
    "HookSecret", row=models.HookSecret, read=events.hook_secret, description=types.HookSecret.__doc__
)
class HookSecret(types.HookSecret):
    pass


@graphql.type(name="IssuedHookSecret", description=types.IssuedHookSecret.__doc__)
class IssuedHookSecret(types.IssuedHookSecret):
    hook_secret: Annotated[HookSecret, strawberry.field(description="its metadata, without the secret value")]


@strawberry.type
class Query:
    @graphql.query()
    async def hook_secret(self, info: Info, id: ID) -> HookSecret | None:
        return HookSecret.of(await events.hook_secret(info.context, local_id(id, "HookSecret")))

    @connection(where=HookSecretWhere)
    async def hook_secrets(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[HookSecret] | None:
        return as_type(await events.hook_secrets(info.context, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def rotate_hook_secret(self, info: Info) -> IssuedHookSecret | None:
        return IssuedHookSecret.of(await events.rotate_hook_secret(info.context))

    @graphql.mutation()
    async def create_hook_key(self, info: Info) -> IssuedHookSecret | None:
        return IssuedHookSecret.of(await events.create_hook_key(info.context))

    @graphql.mutation()
    async def revoke_hook_secret(self, info: Info, id: ID) -> HookSecret | None:
        return HookSecret.of(await events.revoke_hook_secret(info.context, local_id(id, "HookSecret")))

    @graphql.mutation()
    async def deliver_events(self, info: Info, input: DeliverEvents) -> HookAnswer | None:
        return await events.deliver(info.context, None, input)

    @graphql.mutation()
    async def report_channel(self, info: Info, input: ChannelEvent) -> HookAnswer | None:
        return await events.channel(info.context, input)
