"""Routes under /auth (specification §4), and area B's `POST /auth` and `/auth/token/refresh`."""

from typing import Any

from resolvers import auth
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.auth import AuthTokens, Credentials, Refresh, Register, TokenLogin
from shapes.users import User

api = router("auth", prefix="/auth")


@api.post("/login", response_model=AuthTokens, responses=errors(400, 401, 403, 429, 503))
async def login(ctx: Ctx, body: Credentials) -> Any:
    """Exchanges an email and a password for an access token and a refresh token."""
    return await auth.login(ctx, body)


@api.post("/register", status_code=201, response_model=User, responses=errors(400, 409, 429, 503))
async def register(ctx: Ctx, body: Register) -> Any:
    """Creates a user and a first account."""
    return await auth.register(ctx, body)


@api.post("/refresh", response_model=AuthTokens, responses=errors(400, 401, 503))
async def refresh(ctx: Ctx, body: Refresh) -> Any:
    """Exchanges a refresh token for new tokens. A refresh token that is used twice ends the whole login."""
    return await auth.refresh(ctx, body)


@api.post("/logout", status_code=204, responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def logout(ctx: Ctx) -> None:
    """Ends this login; its access token is rejected at once."""
    return await auth.logout(ctx)


@api.get("/me", response_model=User, responses=errors(401, 503), openapi_extra={**BEARER})
async def me(ctx: Ctx) -> Any:
    """Returns the calling user."""
    return await auth.me(ctx)


@api.post("", response_model=AuthTokens, responses=errors(400, 401, 403, 429, 503))
async def exchange(ctx: Ctx, body: TokenLogin) -> Any:
    """Exchanges an API token for an access token and a refresh token. Both become invalid when the API token expires or
    is revoked.
    """
    return await auth.exchange(ctx, body)


@api.post("/token/refresh", response_model=AuthTokens, responses=errors(400, 401, 503))
async def refresh_pair(ctx: Ctx, body: Refresh) -> Any:
    """Exchanges a refresh token for new tokens, as `POST /auth/refresh` does."""
    return await auth.refresh(ctx, body)
