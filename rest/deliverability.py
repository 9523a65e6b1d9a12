"""The route /statistics/deliverability, an extension."""

from typing import Annotated, Any

from fastapi import Query

from resolvers import deliverability
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.deliverability import Deliverability
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


@api.get(
    "/statistics/deliverability",
    response_model=Deliverability,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def get_deliverability(ctx: Ctx, date_from: From = None, date_to: Until = None) -> Any:
    """Counts your emails by the provider of the mailbox: how many were sent, came back, or were reported as spam.
    Administrators get the counts of all users.
    """
    return await deliverability.by_provider(ctx, date_from, date_to)
