"""Routes under /legacy: the legacy bridge. The routes are Postern's own, the envelope is the specification's (§2)."""

from typing import Annotated, Any

from fastapi import Path, Request

from resolvers import legacy
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.legacy import LegacyEnvelope, LegacyMethod

api = router("legacy", "The bridge to the legacy system.", any_query=True, prefix="/legacy", extension=True)
Rest = Annotated[
    str,
    Path(
        description="path in the legacy system; it is forwarded unchanged, with the query string",
        examples=["customers/7"],
    ),
]

_BODY: dict[str, Any] = {
    "description": "any body; it is forwarded with its Content-Type",
    "content": {"*/*": {"schema": {}}, "application/json": {"schema": {}, "example": {"name": "Ada"}}},
}
_ANSWERS = errors(400, 401, 413, 502, 503, 504)
_ANSWERS[503]["description"] = (
    "The legacy bridge is not configured (`legacy_not_configured`), or a dependency is unavailable"
)


async def call(ctx: Ctx, request: Request, path: Rest) -> Any:
    """Forwards a request to the legacy system. Any response of the legacy system is returned as 200, with its HTTP
    status in `legacyStatus`. Accept, Accept-Language, Content-Type, Idempotency-Key, User-Agent and X-Request-ID are
    forwarded; your credential is not.
    """
    return await legacy.call(
        ctx,
        request.method,
        _raw_path(request),
        request.scope["query_string"].decode(errors="surrogateescape"),
        request.headers.items(),
        await request.body(),
    )


def _raw_path(request: Request) -> str:
    """Returns the path after `/legacy`, not decoded: the bridge must see `%2e%2e` and `%2f` unchanged.

    Lone surrogates stand for bytes that are not UTF-8. The bridge rejects them, and also `/legacy%2fx`.
    """
    raw: bytes = request.scope["raw_path"]
    return "/" + raw.decode(errors="surrogateescape").split("/", 2)[-1]


for method in LegacyMethod:
    api.add_api_route(
        "/{path:path}",
        call,
        methods=[method.value],
        operation_id=f"legacy_{method.value.lower()}",
        response_model=LegacyEnvelope,
        responses=_ANSWERS,
        openapi_extra={**BEARER, **({} if method is LegacyMethod.GET else {"requestBody": _BODY})},
    )
