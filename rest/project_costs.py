"""Route /sending-project/{id}/cost. It is Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from resolvers import project_costs
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.project_costs import ProjectCost

api = router("projects", prefix="/sending-project", extension=True)

Id = Annotated[UUID, Path(alias="sendingProjectUuid", description="uuid of the project")]


@api.get(
    "/{sendingProjectUuid}/cost",
    response_model=ProjectCost,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: Id) -> Any:
    return await project_costs.get(ctx, id)
