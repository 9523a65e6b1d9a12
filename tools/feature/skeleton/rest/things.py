"""Routes under /things. They are Postern's own: the specification does not list them."""

from typing import Any
from uuid import UUID

from resolvers import things
from rest.frame.errors import errors
from rest.frame.routing import BEARER, IDEMPOTENT, Limit, router
from rest.frame.routing import Page as PageNumber
from runtime.context import Ctx
from shapes.page import Page
from shapes.things import NewThing, Thing

api = router("things", "Things of users.", prefix="/things", extension=True)


@api.get("", response_model=Page[Thing], responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def list(ctx: Ctx, page: PageNumber = 1, limit: Limit = 20) -> Any:
    """Lists your things, newest first; administrators get those of all users."""
    return await things.list(ctx, page, limit)


@api.post(
    "",
    status_code=201,
    response_model=Thing,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewThing) -> Any:
    """Creates a thing, which is yours."""
    return await things.create(ctx, body)


@api.get("/{id}", response_model=Thing, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, id: UUID) -> Any:
    """Returns one thing."""
    return await things.get(ctx, id)
