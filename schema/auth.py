"""Logging in and invitations in GraphQL."""

import strawberry

from resolvers import auth
from schema.frame import graphql
from schema.frame.graphql import Info
from schema.users import User
from shapes.auth import (
    AcceptInvitation,
    AuthTokens,
    ChangePassword,
    Credentials,
    Invitation,
    Invite,
    NewPassword,
    PasswordResetRequest,
    Refresh,
    Register,
    TokenLogin,
)

for shape in (
    AcceptInvitation,
    ChangePassword,
    Credentials,
    Invite,
    NewPassword,
    PasswordResetRequest,
    Refresh,
    Register,
    TokenLogin,
):
    graphql.input(shape, description=shape.__doc__)
for seen in (AuthTokens, Invitation):
    graphql.type(seen, description=seen.__doc__)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def register(self, info: Info, input: Register) -> User | None:
        return User.of(await auth.register(info.context, input))

    @graphql.mutation()
    async def login(self, info: Info, input: Credentials) -> AuthTokens | None:
        return await auth.login(info.context, input)

    @graphql.mutation()
    async def login_with_token(self, info: Info, input: TokenLogin) -> AuthTokens | None:
        return await auth.exchange(info.context, input)

    @graphql.mutation()
    async def refresh(self, info: Info, input: Refresh) -> AuthTokens | None:
        return await auth.refresh(info.context, input)

    @graphql.mutation()
    async def logout(self, info: Info) -> bool | None:
        await auth.logout(info.context)
        return True

    @graphql.mutation()
    async def logout_everywhere(self, info: Info) -> bool | None:
        await auth.logout_everywhere(info.context)
        return True

    @graphql.mutation()
    async def change_password(self, info: Info, input: ChangePassword) -> AuthTokens | None:
        return await auth.change_password(info.context, input)

    @graphql.mutation()
    async def request_password_reset(self, info: Info, input: PasswordResetRequest) -> bool | None:
        await auth.request_password_reset(info.context, input)
        return True

    @graphql.mutation()
    async def reset_password(self, info: Info, input: NewPassword) -> bool | None:
        await auth.reset_password(info.context, input)
        return True

    @graphql.mutation()
    async def invite_user(self, info: Info, input: Invite) -> Invitation | None:
        return await auth.invite(info.context, input)

    @graphql.mutation()
    async def accept_invitation(self, info: Info, input: AcceptInvitation) -> AuthTokens | None:
        return await auth.accept_invitation(info.context, input)
