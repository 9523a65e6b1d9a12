"""Routes under /auth (specification §4), and area B's `POST /auth` and `/auth/token/refresh`. Passwords and
invitations are extensions.
"""

from typing import Any

from resolvers import auth
from rest.frame.errors import errors
from rest.frame.routing import BEARER, EXTENSION, router
from runtime.context import Ctx
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
from shapes.users import User

api = router("auth", "Logins and tokens.", prefix="/auth")


@api.post("/login", response_model=AuthTokens, responses=errors(400, 401, 403, 429, 503))
async def login(ctx: Ctx, body: Credentials) -> Any:
    return await auth.login(ctx, body)


@api.post("/register", status_code=201, response_model=User, responses=errors(400, 409, 429, 503))
async def register(ctx: Ctx, body: Register) -> Any:
    return await auth.register(ctx, body)


@api.post("/refresh", response_model=AuthTokens, responses=errors(400, 401, 503))
async def refresh(ctx: Ctx, body: Refresh) -> Any:
    return await auth.refresh(ctx, body)


@api.post("/logout", status_code=204, responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def logout(ctx: Ctx) -> None:
    return await auth.logout(ctx)


@api.get("/me", response_model=User, responses=errors(401, 503), openapi_extra={**BEARER})
async def get_me(ctx: Ctx) -> Any:
    return await auth.me(ctx)


@api.post("", response_model=AuthTokens, responses=errors(400, 401, 403, 429, 503))
async def exchange_api_token(ctx: Ctx, body: TokenLogin) -> Any:
    return await auth.exchange(ctx, body)


@api.post("/token/refresh", response_model=AuthTokens, responses=errors(400, 401, 503))
async def refresh_token(ctx: Ctx, body: Refresh) -> Any:
    """Exchanges a refresh token for new tokens, as `POST /auth/refresh` does."""
    return await auth.refresh(ctx, body)


@api.post(
    "/logout-everywhere",
    status_code=204,
    responses=errors(401, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def logout_everywhere(ctx: Ctx) -> None:
    return await auth.logout_everywhere(ctx)


@api.post(
    "/password",
    response_model=AuthTokens,
    responses=errors(400, 401, 403, 429, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def change_password(ctx: Ctx, body: ChangePassword) -> Any:
    return await auth.change_password(ctx, body)


@api.post("/password/reset-request", status_code=202, responses=errors(400, 429, 503), tags=EXTENSION)
async def request_password_reset(ctx: Ctx, body: PasswordResetRequest) -> None:
    await auth.request_password_reset(ctx, body)


@api.post("/password/reset", status_code=204, responses=errors(400, 401, 429, 503), tags=EXTENSION)
async def reset_password(ctx: Ctx, body: NewPassword) -> None:
    await auth.reset_password(ctx, body)


@api.post(
    "/invitations",
    status_code=201,
    response_model=Invitation,
    responses=errors(400, 401, 403, 409, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def invite(ctx: Ctx, body: Invite) -> Any:
    return await auth.invite(ctx, body)


@api.post(
    "/invitations/accept", response_model=AuthTokens, responses=errors(400, 401, 429, 503), tags=EXTENSION
)
async def accept_invitation(ctx: Ctx, body: AcceptInvitation) -> Any:
    return await auth.accept_invitation(ctx, body)
