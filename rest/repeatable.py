"""Routes under /repeatable-sending-project (contract §3); the next runs are an extension."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from resolvers import repeatable
from rest.frame.errors import errors
from rest.frame.routing import BEARER, EXTENSION, IDEMPOTENT, Limit, Page, router
from runtime.context import Ctx, OwnerCtx
from runtime.texts import text
from shapes import page as pages
from shapes.repeatable import (
    NewRepeatableProject,
    NextRuns,
    RepeatableCount,
    RepeatablePatch,
    RepeatableSendingProject,
    RepeatableStatus,
)

api = router(
    "repeatable projects",
    "Projects that are started repeatedly by a schedule.",
    prefix="/repeatable-sending-project",
)

Id = Annotated[UUID, Path(alias="rspUuid", description="uuid of the repeatable project")]
Number = Annotated[int, Query(ge=1, le=repeatable.MOST_FIRINGS, description="how many runs")]


@api.post(
    "",
    status_code=201,
    response_model=RepeatableSendingProject,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewRepeatableProject) -> Any:
    return await repeatable.create(ctx, body)


@api.get(
    "/list",
    description=text(repeatable.page),
    response_model=pages.Page[RepeatableSendingProject],
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def list(
    ctx: OwnerCtx,
    page: Page = 1,
    limit: Limit = 20,
    status: RepeatableStatus | None = None,
) -> Any:
    return await repeatable.list(ctx, page, limit, status)


@api.get(
    "/count",
    response_model=RepeatableCount,
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def count(ctx: OwnerCtx) -> Any:
    return await repeatable.count(ctx)


@api.get(
    "/count/concurrent",
    response_model=RepeatableCount,
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def count_concurrent(ctx: OwnerCtx) -> Any:
    return await repeatable.count_concurrent(ctx)


@api.get(
    "/{rspUuid}",
    response_model=RepeatableSendingProject,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: Id) -> Any:
    return await repeatable.get(ctx, id)


@api.patch(
    "/{rspUuid}",
    response_model=RepeatableSendingProject,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def update(ctx: Ctx, id: Id, body: RepeatablePatch | None = None) -> Any:
    return await repeatable.update(ctx, id, body or RepeatablePatch())


@api.delete(
    "/{rspUuid}", status_code=204, responses=errors(400, 401, 404, 409, 503), openapi_extra={**BEARER}
)
async def delete(ctx: Ctx, id: Id) -> None:
    await repeatable.delete(ctx, id)


@api.post(
    "/{rspUuid}/start",
    response_model=RepeatableSendingProject,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def start(ctx: Ctx, id: Id) -> Any:
    return await repeatable.start(ctx, id)


@api.post(
    "/{rspUuid}/stop",
    response_model=RepeatableSendingProject,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def stop(ctx: Ctx, id: Id) -> Any:
    return await repeatable.stop(ctx, id)


@api.get(
    "/{rspUuid}/next-runs",
    response_model=NextRuns,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def list_next_runs(ctx: Ctx, id: Id, count: Number = 5) -> Any:
    return await repeatable.next_runs_of(ctx, id, count)
