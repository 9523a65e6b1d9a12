"""Accounts in GraphQL."""

from typing import TYPE_CHECKING, Annotated, cast

import strawberry

from db import models
from resolvers import accounts
from schema import graphql, loaders
from schema.graphql import ID, Info, local_id
from schema.types import accounts as types
from schema.types.accounts import AccountPatch, Credit, NewAccount
from schema.types.page import Meta

if TYPE_CHECKING:
    from schema.users import User

graphql.input(NewAccount, description=NewAccount.__doc__)
graphql.input(AccountPatch, description=AccountPatch.__doc__)
graphql.input(Credit, description=Credit.__doc__)
graphql.type(types.Balance, name="Balance", description=types.Balance.__doc__)
Owner = Annotated["User", strawberry.lazy("schema.users")]


@graphql.type(name="LedgerEntry", description=types.LedgerEntry.__doc__)
class LedgerEntry(types.LedgerEntry):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("LedgerEntry", self.id)


@strawberry.type(description="A page of ledger entries.")
class LedgerPage:
    items: list[LedgerEntry] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@graphql.type(name="Account", description=types.Account.__doc__)
class Account(types.Account):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("Account", self.id)

    @graphql.field(description="whose it is")
    async def owner(self, info: Info) -> Owner | None:
        return cast("Owner", await loaders.by_id(info.context, models.User).load(self.owner_id))

    @graphql.field(description="every movement of the balance, newest first")
    async def ledger(self, info: Info, page: int = 1, limit: int = 20) -> LedgerPage | None:
        return graphql.page(LedgerPage, await accounts.ledger(info.context, self.id, page, limit))


@strawberry.type(description="A page of accounts.")
class AccountPage:
    items: list[Account] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("One account.")
    async def account(self, info: Info, id: ID) -> Account | None:
        return Account.of(await accounts.get(info.context, local_id(id, "Account")))

    @graphql.query("Your accounts, newest first; all, for administrators.")
    async def accounts(self, info: Info, page: int = 1, limit: int = 20) -> AccountPage | None:
        return graphql.page(AccountPage, await accounts.list(info.context, page, limit))

    @graphql.query("What is left to spend.")
    async def balance(self, info: Info, account_id: ID) -> types.Balance | None:
        return await accounts.balance(info.context, local_id(account_id, "Account"))


@strawberry.type
class Mutation:
    @graphql.mutation("Opens an account with a balance of zero.")
    async def create_account(self, info: Info, input: NewAccount) -> Account | None:
        return Account.of(await accounts.create(info.context, input))

    @graphql.mutation("Changes name, plan or (before the first entry) currency.")
    async def update_account(self, info: Info, id: ID, input: AccountPatch) -> Account | None:
        return Account.of(await accounts.update(info.context, local_id(id, "Account"), input))

    @graphql.mutation("Adds money to an account; for administrators.")
    async def credit_account(self, info: Info, input: Credit) -> Account | None:
        return Account.of(await accounts.credit(info.context, input))
