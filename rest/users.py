"""Routes under /users (specification §4) and /user (contract §3, area B); suspending is an extension."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query

from resolvers import users
from rest.frame.errors import errors
from rest.frame.routing import BEARER, EXTENSION, Limit, Page, router
from runtime.context import Ctx
from runtime.texts import text
from shapes import page as pages
from shapes.auth import NewUser
from shapes.shape import Text
from shapes.users import CreatedUser, Email, User, UserPatch, UserRecord, UserStatus

api = router("users", "Users who can log in.", prefix="/users")
records = router("users", prefix="/user")
Search = Annotated[
    Text | None,
    Query(
        max_length=256, description="text to find in the email or the display name; there are no wildcards"
    ),
]


@api.get(
    "",
    description=text(users.page),
    response_model=pages.Page[User],
    responses=errors(400, 401, 403, 503),
    openapi_extra={**BEARER},
)
async def list(
    ctx: Ctx, page: Page = 1, limit: Limit = 20, q: Search = None, status: UserStatus | None = None
) -> Any:
    return await users.list(ctx, page, limit, q, status)


@api.get("/{id}", response_model=User, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, id: UUID) -> Any:
    return await users.get(ctx, id)


@api.patch(
    "/{id}", response_model=User, responses=errors(400, 401, 403, 404, 409, 503), openapi_extra={**BEARER}
)
async def update(ctx: Ctx, id: UUID, body: UserPatch | None = None) -> Any:
    return await users.update(ctx, id, body or UserPatch())


@api.delete("/{id}", status_code=204, responses=errors(400, 401, 404, 409, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx, id: UUID) -> None:
    return await users.delete(ctx, id)


@records.get("", response_model=UserRecord, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def find(ctx: Ctx, uuid: UUID | None = None, email: Email | None = None) -> Any:
    return await users.find(ctx, uuid, email)


@records.post(
    "/create",
    status_code=201,
    response_model=CreatedUser,
    responses=errors(400, 401, 403, 409, 503),
    openapi_extra={**BEARER},
)
async def create(ctx: Ctx, body: NewUser) -> Any:
    return await users.create(ctx, body)


@records.delete("", status_code=204, responses=errors(400, 401, 404, 409, 503), openapi_extra={**BEARER})
async def delete_by_uuid(ctx: Ctx, uuid: UUID) -> None:
    return await users.delete(ctx, uuid)


@api.post(
    "/{id}/suspend",
    response_model=User,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def suspend(ctx: Ctx, id: UUID) -> Any:
    return await users.suspend(ctx, id)


@api.post(
    "/{id}/activate",
    response_model=User,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def activate(ctx: Ctx, id: UUID) -> Any:
    return await users.activate(ctx, id)
