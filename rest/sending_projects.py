"""Routes under /sending-project (specification §4); the preview of a text is an extension."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from resolvers import sending_projects
from rest.frame.errors import errors
from rest.frame.routing import BEARER, EXTENSION, IDEMPOTENT, Limit, Page, router
from runtime.context import Ctx, OwnerCtx
from shapes import page as pages
from shapes.approvals import StartProject
from shapes.project_actions import (
    MessagePreview,
    PreviewMessage,
    ProjectCount,
    RetryProject,
    StoppedProjects,
    StopProjects,
)
from shapes.sending_projects import (
    NewSendingProject,
    ProjectChannel,
    ProjectStatus,
    SendingProject,
    SendingProjectPatch,
)
from shapes.shape import NO_NUL, Timestamp

api = router("projects", "Sending Projects: one text to many recipients.", prefix="/sending-project")

Id = Annotated[UUID, Path(alias="sendingProjectUuid", description="uuid of the project")]
NamePart = Annotated[str | None, Query(max_length=200, pattern=NO_NUL, description="part of the name")]
From = Annotated[
    Timestamp | None, Query(alias="dateFrom", description="only entries created at or after this time")
]
Until = Annotated[
    Timestamp | None, Query(alias="dateTo", description="only entries created before this time")
]


@api.post(
    "",
    status_code=201,
    response_model=SendingProject,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewSendingProject) -> Any:
    return await sending_projects.create(ctx, body)


@api.get(
    "/list",
    response_model=pages.Page[SendingProject],
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def list(ctx: OwnerCtx, page: Page = 1, limit: Limit = 20) -> Any:
    return await sending_projects.list(ctx, page, limit)


@api.get(
    "/search",
    response_model=pages.Page[SendingProject],
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def search(
    ctx: OwnerCtx,
    page: Page = 1,
    limit: Limit = 20,
    q: NamePart = None,
    status: ProjectStatus | None = None,
    channel: ProjectChannel | None = None,
    date_from: From = None,
    date_to: Until = None,
) -> Any:
    return await sending_projects.search(ctx, page, limit, q, status, channel, date_from, date_to)


@api.get(
    "/count", response_model=ProjectCount, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def count(ctx: OwnerCtx) -> Any:
    return await sending_projects.count(ctx)


@api.get(
    "/count/concurrent",
    response_model=ProjectCount,
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def count_concurrent(ctx: OwnerCtx) -> Any:
    return await sending_projects.count_concurrent(ctx)


@api.post(
    "/stop/multiple",
    response_model=StoppedProjects,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def stop_multiple(ctx: Ctx, body: StopProjects) -> Any:
    return await sending_projects.stop_multiple(ctx, body)


@api.post(
    "/start/{sendingProjectUuid}",
    response_model=SendingProject,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def start(ctx: Ctx, id: Id, body: StartProject | None = None) -> Any:
    return await sending_projects.start(ctx, id, body or StartProject())


@api.post(
    "/stop/{sendingProjectUuid}",
    response_model=SendingProject,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def stop(ctx: Ctx, id: Id) -> Any:
    return await sending_projects.stop(ctx, id)


@api.post(
    "/retry/{sendingProjectUuid}",
    response_model=SendingProject,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def retry(ctx: Ctx, id: Id, body: RetryProject | None = None) -> Any:
    return await sending_projects.retry(ctx, id, body or RetryProject())


@api.get(
    "/{sendingProjectUuid}",
    response_model=SendingProject,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: Id) -> Any:
    return await sending_projects.get(ctx, id)


@api.patch(
    "/{sendingProjectUuid}",
    response_model=SendingProject,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def update(ctx: Ctx, id: Id, body: SendingProjectPatch | None = None) -> Any:
    return await sending_projects.update(ctx, id, body or SendingProjectPatch())


@api.delete(
    "/{sendingProjectUuid}",
    status_code=204,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def delete(ctx: Ctx, id: Id) -> None:
    await sending_projects.delete(ctx, id)


@api.post(
    "/preview",
    response_model=MessagePreview,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def preview(ctx: Ctx, body: PreviewMessage) -> Any:
    return await sending_projects.preview(ctx, body)
