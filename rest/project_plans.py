"""Routes of a project's plans: what will happen once it is started. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import project_plans
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.approvals import ProjectSamples, StoredPlan, StoredPlanWhere
from shapes.page import PageByCursor
from shapes.project_plans import PlannedChanges, ProjectPlan

api = router("projects", extension=True)

PlanId = Annotated[UUID, Path(alias="planUuid", description="uuid of the plan")]
Id = Annotated[UUID, Path(alias="sendingProjectUuid", description="uuid of the project")]


@api.post(
    "/sending-project/{sendingProjectUuid}/plan",
    response_model=ProjectPlan,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: Id, body: PlannedChanges | None = None) -> Any:
    return await project_plans.get(ctx, id, body or PlannedChanges())


@api.get(
    "/sending-project/{sendingProjectUuid}/samples",
    response_model=ProjectSamples,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def samples(ctx: Ctx, id: Id) -> Any:
    return await project_plans.samples_of(ctx, id)


@api.post(
    "/sending-project/{sendingProjectUuid}/plans",
    status_code=201,
    response_model=StoredPlan,
    responses=errors(400, 401, 404, 409, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def make_plan(ctx: Ctx, id: Id) -> Any:
    return await project_plans.make(ctx, id)


@api.get(
    "/project-plans",
    response_model=PageByCursor[StoredPlan],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def plans(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(StoredPlanWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await project_plans.page(ctx, PageArgs(first=limit, after=after), where)


@api.get(
    "/project-plans/{planUuid}",
    response_model=StoredPlan,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def plan(ctx: Ctx, id: PlanId) -> Any:
    return await project_plans.stored(ctx, id)
