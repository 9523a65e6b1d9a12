"""Source accounts in GraphQL."""

import strawberry

from resolvers import source_accounts
from schema import graphql
from schema.graphql import ID, Info, local_id
from schema.types import source_accounts as types
from schema.types.page import Meta
from schema.types.source_accounts import NewSourceAccount

graphql.input(NewSourceAccount, description=NewSourceAccount.__doc__)


@graphql.type(name="SourceAccount", description=types.SourceAccount.__doc__)
class SourceAccount(types.SourceAccount):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("SourceAccount", self.id)


@strawberry.type(description="A page of source accounts.")
class SourceAccountPage:
    items: list[SourceAccount] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("Your sender identities, newest first; all, for administrators.")
    async def source_accounts(
        self, info: Info, source: str | None = None, login: str | None = None, page: int = 1, limit: int = 20
    ) -> SourceAccountPage | None:
        return graphql.page(
            SourceAccountPage, await source_accounts.list(info.context, page, limit, source, login)
        )


@strawberry.type
class Mutation:
    @graphql.mutation("Adds a sender identity that you don't have yet.")
    async def create_source_account(self, info: Info, input: NewSourceAccount) -> SourceAccount | None:
        return SourceAccount.of(await source_accounts.create(info.context, input))

    @graphql.mutation("Adds a sender identity, or answers the one with this source, login and token.")
    async def create_or_get_source_account(self, info: Info, input: NewSourceAccount) -> SourceAccount | None:
        return SourceAccount.of((await source_accounts.create_or_get(info.context, input)).account)

    @graphql.mutation("Removes a sender identity and forgets its token.")
    async def delete_source_account(self, info: Info, id: ID) -> bool | None:
        await source_accounts.delete(info.context, local_id(id, "SourceAccount"))
        return True
