"""Route /sending-project/{id}/plan: what will happen once a project is started. It is Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from resolvers import project_plans
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.project_plans import PlannedChanges, ProjectPlan

api = router("projects", prefix="/sending-project", extension=True)

Id = Annotated[UUID, Path(alias="sendingProjectUuid", description="uuid of the project")]


@api.post(
    "/{sendingProjectUuid}/plan",
    response_model=ProjectPlan,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: Id, body: PlannedChanges | None = None) -> Any:
    return await project_plans.get(ctx, id, body or PlannedChanges())
