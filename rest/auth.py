"""/auth: specification §4, and Area B's `POST /auth` and `/auth/token/refresh`."""

from typing import Any

from postern.context import Ctx
from resolvers import auth
from rest.errors import errors
from rest.routing import BEARER, router
from schema.types.auth import AuthTokens, Credentials, Refresh, Register, TokenLogin
from schema.types.users import User

api = router("auth", prefix="/auth")


@api.post("/login", response_model=AuthTokens, responses=errors(400, 401, 403, 429, 503))
async def login(ctx: Ctx, body: Credentials) -> Any:
    """Access and refresh token for an email and a password."""
    return await auth.login(ctx, body)


@api.post("/register", status_code=201, response_model=User, responses=errors(400, 409, 429, 503))
async def register(ctx: Ctx, body: Register) -> Any:
    """A new user with a first account."""
    return await auth.register(ctx, body)


@api.post("/refresh", response_model=AuthTokens, responses=errors(400, 401, 503))
async def refresh(ctx: Ctx, body: Refresh) -> Any:
    """Rotates the refresh token. A token used twice ends the whole login."""
    return await auth.refresh(ctx, body)


@api.post("/logout", status_code=204, responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def logout(ctx: Ctx) -> None:
    """Ends this login; its access token is refused at once."""
    return await auth.logout(ctx)


@api.get("/me", response_model=User, responses=errors(401, 503), openapi_extra={**BEARER})
async def me(ctx: Ctx) -> Any:
    """The caller."""
    return await auth.me(ctx)


@api.post("", response_model=AuthTokens, responses=errors(400, 401, 403, 429, 503))
async def exchange(ctx: Ctx, body: TokenLogin) -> Any:
    """Access and refresh token for an API token. They end with it."""
    return await auth.exchange(ctx, body)


@api.post("/token/refresh", response_model=AuthTokens, responses=errors(400, 401, 503))
async def refresh_pair(ctx: Ctx, body: Refresh) -> Any:
    """Rotates the refresh token, as `POST /auth/refresh` does."""
    return await auth.refresh(ctx, body)
