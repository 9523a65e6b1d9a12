"""The routes below /statistics/deliverability, extensions."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from resolvers import deliverability
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.deliverability import Deliverability, DeliverabilityByProject, ProviderReports
from shapes.shape import Timestamp

api = router("statistics", extension=True)

From = Annotated[
    Timestamp | None,
    Query(
        alias="dateFrom",
        description="start of the period; default: 7 days before dateTo; at most 92 days ago",
    ),
]
Until = Annotated[Timestamp | None, Query(alias="dateTo", description="end of the period; default: now")]
ProjectId = Annotated[UUID, Path(alias="sendingProjectUuid", description="uuid of the project")]


@api.get(
    "/statistics/deliverability",
    response_model=Deliverability,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def get_deliverability(ctx: Ctx, date_from: From = None, date_to: Until = None) -> Any:
    return await deliverability.by_provider(ctx, date_from, date_to)


@api.get(
    "/statistics/deliverability/projects",
    response_model=DeliverabilityByProject,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def get_deliverability_by_project(ctx: Ctx, date_from: From = None, date_to: Until = None) -> Any:
    return await deliverability.by_project(ctx, date_from, date_to)


@api.get(
    "/statistics/mail-reports/{sendingProjectUuid}",
    response_model=list[ProviderReports],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def list_mail_reports(ctx: Ctx, id: ProjectId) -> Any:
    return await deliverability.of_project(ctx, id)
