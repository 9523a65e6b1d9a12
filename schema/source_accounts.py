"""Source accounts in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import messenger_relations, sending_projects, source_accounts, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import source_accounts as types
from shapes.project_lists import SendingProjectOrder, SendingProjectWhere
from shapes.source_accounts import NewSourceAccount, SourceAccountOrder, SourceAccountWhere

if TYPE_CHECKING:
    from schema.messenger_accounts import MessengerAccount
    from schema.sending_projects import SendingProject
    from schema.users import User

for part in (NewSourceAccount, SourceAccountWhere, SourceAccountOrder):
    graphql.input(part, description=part.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]
Behind = Annotated["MessengerAccount", strawberry.lazy("schema.messenger_accounts")]
Project = Annotated["SendingProject", strawberry.lazy("schema.sending_projects")]


@graphql.node(
    "SourceAccount",
    row=models.SourceAccount,
    read=source_accounts.get,
    description=types.SourceAccount.__doc__,
)
class SourceAccount(types.SourceAccount):
    @relation("the user who owns this source account", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))

    @relation("the messenger account that it sends through; null for other sources", "messenger_account_uuid")
    async def messenger_account(rows: Any, info: Info) -> list[Behind | None]:
        ids = [row.messenger_account_uuid for row in rows]
        return as_type(await messenger_relations.by_ids(info.context, ids, info.columns))

    @relation("the projects that it sends", where=SendingProjectWhere, order=SendingProjectOrder)
    async def sending_projects(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Project] | None]:
        ids = [row.id for row in rows]
        return as_type(await sending_projects.related(info.context, "account_uuids", ids, page_args, where))


@strawberry.type
class Query:
    @graphql.query()
    async def source_account(self, info: Info, id: ID) -> SourceAccount | None:
        return SourceAccount.of(await source_accounts.get(info.context, local_id(id, "SourceAccount")))

    @connection(where=SourceAccountWhere, order=SourceAccountOrder)
    async def source_accounts(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[SourceAccount] | None:
        return as_type(await source_accounts.page(info.context, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_source_account(self, info: Info, input: NewSourceAccount) -> SourceAccount | None:
        return SourceAccount.of(await source_accounts.create(info.context, input))

    @graphql.mutation()
    async def create_or_get_source_account(self, info: Info, input: NewSourceAccount) -> SourceAccount | None:
        return SourceAccount.of((await source_accounts.create_or_get(info.context, input)).account)

    @graphql.mutation()
    async def delete_source_account(self, info: Info, id: ID) -> bool | None:
        await source_accounts.delete(info.context, local_id(id, "SourceAccount"))
        return True
