"""Routes under /queue and /sending-project-processing (specification §4)."""

from typing import Any

from resolvers import processing
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.statistics import ProcessingHealth, QueueStatistics

api = router("statistics")


@api.get(
    "/queue/statistics",
    response_model=QueueStatistics,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def queue(ctx: Ctx) -> Any:
    """Returns your queued messages, the sending rate and the workers that send them."""
    return await processing.queue(ctx)


@api.get(
    "/sending-project-processing/health-check",
    response_model=ProcessingHealth,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def health(ctx: Ctx) -> Any:
    """Reports whether your running, paused and scheduled projects are being processed."""
    return await processing.health(ctx)
