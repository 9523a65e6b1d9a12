"""Hooks in GraphQL: their secrets, and the same events by the user's own token."""

import strawberry

from resolvers import events
from schema import graphql
from schema.graphql import ID, Info, local_id
from schema.types import events as types
from schema.types.events import ChannelEvent, DeliverEvents, HookAnswer, IssuedHookSecret

for shape in (ChannelEvent, DeliverEvents):
    graphql.input(shape, description=shape.__doc__)
graphql.type(types.HookSecret, description=types.HookSecret.__doc__)
for shown in (HookAnswer, IssuedHookSecret):
    graphql.type(shown, description=shown.__doc__)


@strawberry.type
class Query:
    @graphql.query("Your hook secrets and keys, newest first; they themselves are never shown again.")
    async def hook_secrets(self, info: Info) -> list[types.HookSecret] | None:
        return [types.HookSecret.of(row) for row in await events.hook_secrets(info.context)]


@strawberry.type
class Mutation:
    @graphql.mutation("A new secret for your engines to sign with; the one before stays valid as well.")
    async def rotate_hook_secret(self, info: Info) -> IssuedHookSecret | None:
        return await events.rotate_hook_secret(info.context)

    @graphql.mutation("A key for `?key=`, for engines that can neither sign nor send a header.")
    async def create_hook_key(self, info: Info) -> IssuedHookSecret | None:
        return await events.create_hook_key(info.context)

    @graphql.mutation("The hook secret or key is refused from now on.")
    async def revoke_hook_secret(self, info: Info, id: ID) -> types.HookSecret | None:
        return types.HookSecret.of(await events.revoke_hook_secret(info.context, local_id(id, "HookSecret")))

    @graphql.mutation("Delivery reports, statuses and replies of your engine.")
    async def deliver_events(self, info: Info, input: DeliverEvents) -> HookAnswer | None:
        return await events.deliver(info.context, None, input)

    @graphql.mutation("A sender identity of yours was connected, disconnected, blocked or deleted.")
    async def report_channel(self, info: Info, input: ChannelEvent) -> HookAnswer | None:
        return await events.channel(info.context, input)
