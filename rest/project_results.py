"""Route /sending-project/{id}/result. It is Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from resolvers import project_results
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.project_results import ProjectResult

api = router("statistics", prefix="/sending-project", extension=True)

Id = Annotated[UUID, Path(alias="sendingProjectUuid", description="uuid of the project")]


@api.get(
    "/{sendingProjectUuid}/result",
    response_model=ProjectResult,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: Id) -> Any:
    return await project_results.get(ctx, id)
