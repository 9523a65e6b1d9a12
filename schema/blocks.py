"""Blocked phones and addresses in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import blocks, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, OwnerId, local_id, owned
from schema.frame.loaders import relation
from shapes import blocks as types
from shapes.blocks import BlockedPhoneWhere, BlockMany, BlockPhone, BlockReason, UnblockMany
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.users import User

Phone = Annotated[str, graphql.argument("phone in any notation of the caller's region, or another address")]

Owner = Annotated["User", strawberry.lazy("schema.users")]

graphql.input(BlockPhone, description=BlockPhone.__doc__)
graphql.input(BlockedPhoneWhere, description=BlockedPhoneWhere.__doc__)
graphql.input(BlockMany, description=BlockMany.__doc__)
graphql.input(UnblockMany, description=UnblockMany.__doc__)
graphql.type(types.BlockedMany, description=types.BlockedMany.__doc__)
graphql.type(types.UnblockedMany, description=types.UnblockedMany.__doc__)
graphql.type(types.BlockCount, name="BlockCount", description=types.BlockCount.__doc__)
graphql.type(types.BlockGroup, name="BlockGroup", description=types.BlockGroup.__doc__)
graphql.type(types.BlockSummary, name="BlockSummary", description=types.BlockSummary.__doc__)


@graphql.node(
    "BlockedPhone", row=models.BlockedPhone, read=blocks.get, description=types.BlockedPhone.__doc__
)
class BlockedPhone(types.BlockedPhone):
    @relation("the user whose messages are not sent there", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=BlockedPhoneWhere)
    async def blocked_phones(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[BlockedPhone] | None:
        return as_type(await blocks.page(info.context, page_args, where))

    @graphql.query()
    async def blocked_phone(self, info: Info, id: ID) -> BlockedPhone | None:
        return BlockedPhone.of(await blocks.get(info.context, local_id(id, "BlockedPhone")))

    @graphql.query()
    async def blocked_phone_count(
        self,
        info: Info,
        q: Annotated[
            str | None, graphql.argument("only entries that contain this text; there are no wildcards")
        ] = None,
        reason: Annotated[
            BlockReason | None, graphql.argument("only entries that are blocked for this reason")
        ] = None,
        owner_id: OwnerId = None,
    ) -> types.BlockCount | None:
        return await blocks.count(await owned(info, owner_id), q, reason)

    @graphql.query(cost=Cost(work=10))
    async def blocked_phone_summary(self, info: Info) -> types.BlockSummary | None:
        return await blocks.summary(info.context)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def block_phone(
        self, info: Info, phone: Phone, input: BlockPhone | None = None
    ) -> BlockedPhone | None:
        return BlockedPhone.of(await blocks.block(info.context, phone, input or BlockPhone()))

    @graphql.mutation()
    async def block_phones(self, info: Info, input: BlockMany) -> types.BlockedMany | None:
        return await blocks.block_many(info.context, input)

    @graphql.mutation()
    async def unblock_phones(self, info: Info, input: UnblockMany) -> types.UnblockedMany | None:
        return await blocks.unblock_many(info.context, input)

    @graphql.mutation()
    async def unblock_phone(self, info: Info, phone: Phone) -> bool | None:
        await blocks.unblock(info.context, phone)
        return True
