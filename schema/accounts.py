"""Accounts in GraphQL."""

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, cast

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import accounts, messages, project_costs, sending_projects, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import accounts as types
from shapes.accounts import AccountPatch, AccountWhere, Credit, LedgerWhere, NewAccount
from shapes.messages import MessageWhere
from shapes.project_costs import ProjectCost
from shapes.project_lists import SendingProjectOrder, SendingProjectWhere

if TYPE_CHECKING:
    from schema.messages import Message
    from schema.sending_projects import SendingProject
    from schema.users import User

graphql.input(NewAccount, description=NewAccount.__doc__)
graphql.input(AccountPatch, description=AccountPatch.__doc__)
graphql.input(Credit, description=Credit.__doc__)
graphql.type(types.Balance, name="Balance", description=types.Balance.__doc__)
graphql.input(LedgerWhere, description=LedgerWhere.__doc__)
graphql.input(AccountWhere, description=AccountWhere.__doc__)
Messages = Annotated["Message", strawberry.lazy("schema.messages")]
Owner = Annotated["User", strawberry.lazy("schema.users")]
Paying = Annotated["Account", strawberry.lazy("schema.accounts")]
Project = Annotated["SendingProject", strawberry.lazy("schema.sending_projects")]


@graphql.node(
    "LedgerEntry", row=models.LedgerEntry, read=accounts.entry, description=types.LedgerEntry.__doc__
)
class LedgerEntry(types.LedgerEntry):
    @relation("the account whose balance changed", "account_id")
    async def account(rows: Any, info: Info) -> list[Paying | None]:
        return as_type(await accounts.by_ids(info.context, [row.account_id for row in rows], info.columns))

    @relation("the single message that was charged or refunded; null for other entries", "reference")
    async def message(rows: Any, info: Info) -> list[Messages | None]:
        return as_type(await messages.by_ids(info.context, [row.reference for row in rows], info.columns))

    @relation(
        "the project whose messages were charged or refunded; null for other entries and for a deleted project",
        "project_id",
    )
    async def sending_project(rows: Any, info: Info) -> list[Project | None]:
        return as_type(
            await sending_projects.by_ids(info.context, [row.project_id for row in rows], info.columns)
        )

    @relation(
        "what the account has paid for this project: all its charges and refunds together; null for other entries",
        "project_id",
        "account_id",
    )
    async def project_cost(rows: Any, info: Info) -> list[ProjectCost | None]:
        paid = [(row.project_id, row.account_id) for row in rows if row.project_id is not None]
        costs = iter(await project_costs.of_projects(info.context, paid) if paid else [])
        return [None if row.project_id is None else next(costs) for row in rows]

    @relation(
        "the administrator who made a credit; null for other entries, and for callers who are not administrators",
        "created_by",
    )
    async def creator(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.created_by for row in rows], info.columns))


@graphql.node("Account", row=models.Account, read=accounts.get, description=types.Account.__doc__)
class Account(types.Account):
    @graphql.computed(
        "the balance below which an event says that the account is low; null: none", "low_balance"
    )
    def low_balance(self) -> Decimal | None:
        return cast(models.Account, self).low_balance

    @relation("the user who owns this account", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))

    @relation("all movements of the balance, newest first", where=LedgerWhere)
    async def ledger(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[LedgerEntry] | None]:
        return as_type(await accounts.ledgers(info.context, [row.id for row in rows], page_args, where))

    @relation("the messages that this account pays for, newest first", where=MessageWhere)
    async def messages(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Messages] | None]:
        return as_type(await messages.of_accounts(info.context, [row.id for row in rows], page_args, where))

    @relation("the projects that this account pays for", where=SendingProjectWhere, order=SendingProjectOrder)
    async def sending_projects(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Project] | None]:
        ids = [row.id for row in rows]
        return as_type(await sending_projects.related(info.context, "account_id", ids, page_args, where))


@strawberry.type
class Query:
    @graphql.query()
    async def account(self, info: Info, id: ID) -> Account | None:
        return Account.of(await accounts.get(info.context, local_id(id, "Account")))

    @connection(where=AccountWhere)
    async def accounts(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[Account] | None:
        return as_type(await accounts.page(info.context, page_args, where))

    @graphql.query()
    async def ledger_entry(self, info: Info, id: ID) -> LedgerEntry | None:
        return LedgerEntry.of(await accounts.entry(info.context, local_id(id, "LedgerEntry")))

    @graphql.query()
    async def balance(self, info: Info, account_id: ID) -> types.Balance | None:
        return await accounts.balance(info.context, local_id(account_id, "Account"))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_account(self, info: Info, input: NewAccount) -> Account | None:
        return Account.of(await accounts.create(info.context, input))

    @graphql.mutation()
    async def update_account(self, info: Info, id: ID, input: AccountPatch) -> Account | None:
        return Account.of(await accounts.update(info.context, local_id(id, "Account"), input))

    @graphql.mutation()
    async def set_low_balance(
        self,
        info: Info,
        id: ID,
        below: Annotated[
            Decimal | None,
            graphql.argument("an amount in the account's currency; null: the account is never low"),
        ] = None,
    ) -> Account | None:
        return Account.of(await accounts.set_low_balance(info.context, local_id(id, "Account"), below))

    @graphql.mutation()
    async def credit_account(self, info: Info, input: Credit) -> Account | None:
        return Account.of(await accounts.credit(info.context, input))
