"""Logging in, invitations and API tokens in GraphQL."""

from typing import Annotated

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import auth
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.users import User
from shapes import auth as types
from shapes.auth import (
    AcceptInvitation,
    ApiTokenWhere,
    AuthTokens,
    ChangePassword,
    Credentials,
    Invitation,
    Invite,
    NewApiToken,
    Refresh,
    Register,
    TokenLogin,
)

for shape in (
    AcceptInvitation,
    ApiTokenWhere,
    ChangePassword,
    Credentials,
    Invite,
    NewApiToken,
    Refresh,
    Register,
    TokenLogin,
):
    graphql.input(shape, description=shape.__doc__)
for seen in (AuthTokens, Invitation):
    graphql.type(seen, description=seen.__doc__)


@graphql.node("ApiToken", row=models.ApiToken, read=auth.api_token, description=types.ApiToken.__doc__)
class ApiToken(types.ApiToken):
    pass


@graphql.type(name="IssuedApiToken", description=types.IssuedApiToken.__doc__)
class IssuedApiToken(types.IssuedApiToken):
    api_token: Annotated[ApiToken, strawberry.field(description="its metadata, without the secret value")]


@strawberry.type
class Query:
    @graphql.query("Returns one of your API tokens, without its secret value.")
    async def api_token(self, info: Info, id: ID) -> ApiToken | None:
        return ApiToken.of(await auth.api_token(info.context, local_id(id, "ApiToken")))

    @connection("Lists your API tokens, newest first, without their secret values.", where=ApiTokenWhere)
    async def api_tokens(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[ApiToken] | None:
        return as_type(await auth.api_tokens(info.context, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation("Creates a user and a first account.")
    async def register(self, info: Info, input: Register) -> User | None:
        return User.of(await auth.register(info.context, input))

    @graphql.mutation("Exchanges an email and a password for an access token and a refresh token.")
    async def login(self, info: Info, input: Credentials) -> AuthTokens | None:
        return await auth.login(info.context, input)

    @graphql.mutation(
        "Exchanges an API token for an access token and a refresh token. Both become invalid when "
        "the API token expires or is revoked."
    )
    async def login_with_token(self, info: Info, input: TokenLogin) -> AuthTokens | None:
        return await auth.exchange(info.context, input)

    @graphql.mutation("Exchanges a refresh token for new tokens.")
    async def refresh(self, info: Info, input: Refresh) -> AuthTokens | None:
        return await auth.refresh(info.context, input)

    @graphql.mutation("Ends the current login.")
    async def logout(self, info: Info) -> bool | None:
        await auth.logout(info.context)
        return True

    @graphql.mutation("Ends all your logins.")
    async def logout_everywhere(self, info: Info) -> bool | None:
        await auth.logout_everywhere(info.context)
        return True

    @graphql.mutation("Changes your password, ends all your logins and starts a new one.")
    async def change_password(self, info: Info, input: ChangePassword) -> AuthTokens | None:
        return await auth.change_password(info.context, input)

    @graphql.mutation("Creates an invited user and returns the invitation token; for administrators.")
    async def invite_user(self, info: Info, input: Invite) -> Invitation | None:
        return await auth.invite(info.context, input)

    @graphql.mutation("Sets the password of an invited user and logs the user in.")
    async def accept_invitation(self, info: Info, input: AcceptInvitation) -> AuthTokens | None:
        return await auth.accept_invitation(info.context, input)

    @graphql.mutation("Creates an API token, a long-lived credential for scripts.")
    async def create_api_token(self, info: Info, input: NewApiToken) -> IssuedApiToken | None:
        return IssuedApiToken.of(await auth.create_api_token(info.context, input))

    @graphql.mutation("Revokes an API token; it is rejected from now on.")
    async def revoke_api_token(self, info: Info, id: ID) -> ApiToken | None:
        return ApiToken.of(await auth.revoke_api_token(info.context, local_id(id, "ApiToken")))
