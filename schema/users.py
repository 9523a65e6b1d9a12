"""Users in GraphQL."""

from typing import cast

import strawberry

from db import models
from resolvers import auth, users
from schema import accounts, graphql, loaders
from schema.graphql import ID, Info, local_id
from schema.types import users as types
from schema.types.auth import NewUser
from schema.types.page import Meta
from schema.types.users import UserPatch, UserStatus

graphql.input(UserPatch, description=UserPatch.__doc__)
graphql.input(NewUser, description=NewUser.__doc__)


@graphql.type(name="User", description=types.User.__doc__)
class User(types.User):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("User", self.id)

    @graphql.field(description="what he pays from, oldest first")
    async def accounts(self, info: Info) -> list[accounts.Account]:
        rows = await loaders.by(info.context, models.Account, "owner_id").load(self.id)
        return cast("list[accounts.Account]", rows)


@graphql.type(name="CreatedUser", description=types.CreatedUser.__doc__)
class CreatedUser(types.CreatedUser):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("User", self.id)


@strawberry.type(description="A page of users.")
class UserPage:
    items: list[User] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("The caller.")
    async def me(self, info: Info) -> User | None:
        return User.of(await auth.me(info.context))

    @graphql.query("Yourself; anybody, for administrators.")
    async def user(self, info: Info, id: ID) -> User | None:
        return User.of(await users.get(info.context, local_id(id, "User")))

    @graphql.query("By id or email: yourself, the default; anybody, for administrators.")
    async def find_user(self, info: Info, id: ID | None = None, email: str | None = None) -> User | None:
        return User.of(await users.find(info.context, local_id(id, "User") if id else None, email))

    @graphql.query("All users, newest first, for administrators.")
    async def users(
        self,
        info: Info,
        page: int = 1,
        limit: int = 20,
        q: str | None = None,
        status: UserStatus | None = None,
    ) -> UserPage | None:
        return graphql.page(UserPage, await users.list(info.context, page, limit, q, status))


@strawberry.type
class Mutation:
    @graphql.mutation("Changes what is given. Roles and status are for administrators.")
    async def update_user(self, info: Info, id: ID, input: UserPatch) -> User | None:
        return User.of(await users.update(info.context, local_id(id, "User"), input))

    @graphql.mutation("An active user, or without a password an invited one; for administrators.")
    async def create_user(self, info: Info, input: NewUser) -> CreatedUser | None:
        return CreatedUser.of(await users.create(info.context, input))

    @graphql.mutation("Marks a user deleted and ends all his logins.")
    async def delete_user(self, info: Info, id: ID) -> bool | None:
        await users.delete(info.context, local_id(id, "User"))
        return True

    @graphql.mutation("Ends all logins and API tokens of a user until he is activated again.")
    async def suspend_user(self, info: Info, id: ID) -> User | None:
        return User.of(await users.suspend(info.context, local_id(id, "User")))

    @graphql.mutation("Lets a suspended or invited user in.")
    async def activate_user(self, info: Info, id: ID) -> User | None:
        return User.of(await users.activate(info.context, local_id(id, "User")))
