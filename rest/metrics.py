"""Route /metrics for Prometheus, an extension. Callers without access get the 404 of a route that does not exist."""

import hmac
from typing import Any

from fastapi import Request, Response
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from starlette.exceptions import HTTPException

from resolvers import metrics
from rest.frame.errors import errors
from rest.frame.routing import router
from runtime.context import Ctx
from runtime.origins import of_this_machine

api = router("metrics", "Metrics for Prometheus.", any_query=True, extension=True)

_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Prometheus text format",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    },
    **errors(404),
}


@api.get("/metrics", response_class=Response, responses=_ANSWERS)
async def read(ctx: Ctx, request: Request) -> Response:
    """Returns the metrics of this process, to loopback clients and to callers with the bearer token
    POSTERN_METRICS_TOKEN.
    """
    if not (of_this_machine(request) or _has_token(ctx, request)):
        raise HTTPException(404)
    text = await metrics.exposition(ctx.services, request.app.state.allowlist)
    return Response(text, media_type=CONTENT_TYPE_PLAIN_0_0_4)


def _has_token(ctx: Ctx, request: Request) -> bool:
    expected = ctx.services.settings.metrics_token
    scheme, _, presented = request.headers.get("authorization", "").partition(" ")
    if expected is None or not expected.get_secret_value() or scheme.lower() != "bearer":
        return False
    return hmac.compare_digest(presented.strip().encode(), expected.get_secret_value().encode())
