"""Routes under /queue and /sending-project-processing (specification §4); one project's progress is an extension."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from resolvers import processing
from rest.frame.errors import errors
from rest.frame.routing import BEARER, EXTENSION, router
from runtime.context import Ctx
from shapes.project_lists import ProjectProgress
from shapes.statistics import ProcessingHealth, QueueStatistics

api = router("statistics")


@api.get(
    "/queue/statistics",
    response_model=QueueStatistics,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def get_queue(ctx: Ctx) -> Any:
    return await processing.queue(ctx)


@api.get(
    "/sending-project-processing/health-check",
    response_model=ProcessingHealth,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def check_health(ctx: Ctx) -> Any:
    return await processing.health(ctx)


@api.get(
    "/sending-project-processing/progress/{sendingProjectUuid}",
    response_model=ProjectProgress,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def get_progress(
    ctx: Ctx,
    id: Annotated[UUID, Path(alias="sendingProjectUuid", description="uuid of the project")],
) -> Any:
    return await processing.progress_of(ctx, id)
