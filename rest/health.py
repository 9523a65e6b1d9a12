"""Routes /, /health and /health/v2 (specification §4). They need no credential and skip the allowlist.

Load balancers and monitors also ask by HEAD, which gets the same answer without its body.
"""

from typing import Any

from fastapi import Response

from resolvers import health
from rest.frame.errors import errors
from rest.frame.routing import router
from runtime.context import Ctx
from shapes.health import Liveness, Readiness

api = router("health", "Health of the process and of its dependencies.", any_query=True)


@api.head("/", include_in_schema=False)
@api.get("/", response_model=Liveness, responses=errors(503))
async def check_root(ctx: Ctx) -> Any:
    return await health.live(ctx)


@api.head("/health", include_in_schema=False)
@api.get("/health", response_model=Liveness, responses=errors(503))
async def check_live(ctx: Ctx) -> Any:
    return await health.live(ctx)


@api.head("/health/v2", response_model_exclude_none=True, include_in_schema=False)
@api.get(
    "/health/v2",
    response_model=Readiness,
    response_model_exclude_none=True,
    responses={503: {"model": Readiness, "description": "at least one dependency is unavailable"}},
)
async def check_ready(ctx: Ctx, response: Response) -> Any:
    return status_of(response, await health.ready(ctx))


def status_of(response: Response, readiness: Readiness) -> Readiness:
    """Sets the status 503, with the same body, if a dependency is down (specification §4)."""
    response.status_code = 503 if readiness.error else 200
    return readiness
