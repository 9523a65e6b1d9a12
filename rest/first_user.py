"""Route under /auth, an extension: the first administrator of an installation (contract §9.4)."""

from typing import Any

from resolvers import first_user
from rest.frame.errors import errors
from rest.frame.routing import router
from runtime.context import Ctx
from shapes.auth import AuthTokens
from shapes.first_user import FirstUser

api = router("auth", prefix="/auth/first-user", extension=True)


@api.post("", response_model=AuthTokens, responses=errors(400, 409, 410, 429, 503))
async def create_first_user(ctx: Ctx, body: FirstUser) -> Any:
    return await first_user.create(ctx, body)
