"""The route /statistics/outcomes, an extension."""

from typing import Annotated, Any

from fastapi import Query

from resolvers import outcomes
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.outcomes import Outcomes
from shapes.shape import Timestamp

api = router("statistics", extension=True)

From = Annotated[
    Timestamp | None,
    Query(
        alias="dateFrom",
        description="only messages created since then; default: 24 hours ago; at most 92 days ago",
    ),
]


@api.get(
    "/statistics/outcomes",
    response_model=Outcomes,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def list_outcomes(ctx: Ctx, date_from: From = None) -> Any:
    return await outcomes.by_channel(ctx, date_from)
