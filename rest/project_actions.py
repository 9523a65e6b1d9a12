"""Routes under /sending-project for several projects, and the copy of one. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from resolvers import project_actions
from rest.frame.errors import errors
from rest.frame.routing import BEARER, IDEMPOTENT, router
from runtime.context import Ctx
from shapes.project_actions import (
    DeletedProjects,
    DeleteProjects,
    DuplicateProject,
    RetriedProjects,
    RetryProjects,
)
from shapes.sending_projects import SendingProject

api = router("projects", prefix="/sending-project", extension=True)

Id = Annotated[UUID, Path(alias="sendingProjectUuid", description="uuid of the project")]


@api.post(
    "/multiple/delete",
    response_model=DeletedProjects,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def delete_multiple(ctx: Ctx, body: DeleteProjects) -> Any:
    return await project_actions.delete_multiple(ctx, body)


@api.post(
    "/multiple/retry",
    response_model=RetriedProjects,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def retry_multiple(ctx: Ctx, body: RetryProjects) -> Any:
    return await project_actions.retry_multiple(ctx, body)


@api.post(
    "/{sendingProjectUuid}/duplicate",
    status_code=201,
    response_model=SendingProject,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def duplicate(ctx: Ctx, id: Id, body: DuplicateProject | None = None) -> Any:
    return await project_actions.duplicate(ctx, id, body or DuplicateProject())
