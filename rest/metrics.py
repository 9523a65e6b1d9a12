"""Route /metrics for Prometheus, an extension. Callers without access get the 404 of a route that does not exist."""

import hmac
import ipaddress
from typing import Any

from fastapi import Request, Response
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from starlette.exceptions import HTTPException

from resolvers import metrics
from rest.frame.errors import errors
from rest.frame.routing import router
from runtime.context import Ctx

api = router("metrics", "Metrics for Prometheus.", any_query=True, extension=True)

# Behind a proxy on this machine every peer is loopback. These headers show that a proxy forwarded the request.
_PROXIED = ("x-real-ip", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "via")
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
    if not (_local(request) or _has_token(ctx, request)):
        raise HTTPException(404)
    text = await metrics.exposition(ctx.services, request.app.state.allowlist)
    return Response(text, media_type=CONTENT_TYPE_PLAIN_0_0_4)


def _local(request: Request) -> bool:
    """Returns whether a program on this machine sent the request itself, not as a proxy."""
    if request.client is None or any(name in request.headers for name in _PROXIED):
        return False
    try:
        peer = ipaddress.ip_address(request.client.host)
    except ValueError:
        return False
    return (getattr(peer, "ipv4_mapped", None) or peer).is_loopback


def _has_token(ctx: Ctx, request: Request) -> bool:
    expected = ctx.services.settings.metrics_token
    scheme, _, presented = request.headers.get("authorization", "").partition(" ")
    if expected is None or not expected.get_secret_value() or scheme.lower() != "bearer":
        return False
    return hmac.compare_digest(presented.strip().encode(), expected.get_secret_value().encode())
