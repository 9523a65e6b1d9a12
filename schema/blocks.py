"""Blocked phones and addresses in GraphQL."""

import strawberry

from resolvers import blocks
from schema import graphql
from schema.graphql import ID, Info
from schema.types import blocks as types
from schema.types.blocks import BlockPhone, BlockReason
from schema.types.page import Meta

graphql.input(BlockPhone, description=BlockPhone.__doc__)
graphql.type(types.BlockCount, name="BlockCount", description=types.BlockCount.__doc__)


@graphql.type(name="BlockedPhone", description=types.BlockedPhone.__doc__)
class BlockedPhone(types.BlockedPhone):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("BlockedPhone", self.id)


@strawberry.type(description="A page of blocked phones and addresses.")
class BlockedPhonePage:
    items: list[BlockedPhone] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query(
        "Your blocked phones and addresses, newest first; all, for administrators. `q` is taken literally."
    )
    async def blocked_phones(
        self,
        info: Info,
        q: str | None = None,
        reason: BlockReason | None = None,
        page: int = 1,
        limit: int = 20,
    ) -> BlockedPhonePage | None:
        return graphql.page(BlockedPhonePage, await blocks.list(info.context, q, reason, page, limit))

    @graphql.query("How many of them there are.")
    async def blocked_phone_count(
        self, info: Info, q: str | None = None, reason: BlockReason | None = None
    ) -> types.BlockCount | None:
        return await blocks.count(info.context, q, reason)


@strawberry.type
class Mutation:
    @graphql.mutation("None of your projects writes there any more. Again is no error.")
    async def block_phone(
        self, info: Info, phone: str, input: BlockPhone | None = None
    ) -> BlockedPhone | None:
        return BlockedPhone.of(await blocks.block(info.context, phone, input or BlockPhone()))

    @graphql.mutation("Your projects may write there again. Again is no error.")
    async def unblock_phone(self, info: Info, phone: str) -> bool | None:
        await blocks.unblock(info.context, phone)
        return True
