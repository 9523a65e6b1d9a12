"""Routes under /things. They are Postern's own: the specification does not list them."""

from typing import Any
from uuid import UUID

from resolvers import things
from rest.frame.errors import errors
from rest.frame.routing import BEARER, IDEMPOTENT, Limit, router
from rest.frame.routing import Page as PageNumber
from runtime.context import Ctx
from runtime.texts import text
from shapes.page import Page
from shapes.things import NewThing, Thing

api = router("things", "Things of users.", prefix="/things", extension=True)


@api.get(
    "",
    description=text(things.page),
    response_model=Page[Thing],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def list(ctx: Ctx, page: PageNumber = 1, limit: Limit = 20) -> Any:
    return await things.list(ctx, page, limit)


@api.post(
    "",
    status_code=201,
    response_model=Thing,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewThing) -> Any:
    return await things.create(ctx, body)


@api.get("/{id}", response_model=Thing, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, id: UUID) -> Any:
    return await things.get(ctx, id)
