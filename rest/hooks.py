"""Routes /hooks/{driver}/{name}, an extension: callbacks from providers. Each driver checks its vendor's signature."""

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse

from channels.port import HookRequest
from resolvers import hooks
from rest.frame.errors import errors
from rest.frame.routing import router
from runtime.context import Ctx

api = router("hooks", "Callbacks from providers.", any_query=True, prefix="/hooks", extension=True)


@api.get(
    "/whatsapp-cloud/{account_id}",
    responses={
        200: {
            "description": "the value of `hub.challenge`",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        },
        **errors(400, 403, 404, 503),
    },
)
async def verify_cloud(ctx: Ctx, account_id: str, request: Request) -> Response:
    return challenge(await hooks.verify_cloud(ctx, account_id, request.query_params))


@api.post("/whatsapp-cloud/{account_id}", responses=errors(400, 401, 404, 413, 429, 503))
async def receive_cloud(ctx: Ctx, account_id: str, request: Request) -> Response:
    return written(await hooks.receive_cloud(ctx, account_id, await as_hook(ctx, request)))


@api.post("/{driver}/{name}", status_code=204, responses=errors(400, 401, 404, 429, 503))
async def receive(ctx: Ctx, driver: str, name: str, request: Request) -> Response:
    return acknowledged(await hooks.receive(ctx, driver, name, await as_hook(ctx, request)))


async def as_hook(ctx: Ctx, request: Request) -> HookRequest:
    """Returns the request with the URL that the provider called, because signatures cover the URL."""
    configured = ctx.services.settings.public_url
    # Starlette's URLs would take a tenth of the time of a callback with a wrong signature.
    scope, host = request.scope, request.headers.get("host")
    address = f"{scope['scheme']}://{host}" if host else str(request.base_url)
    public = (configured or address).rstrip("/")
    query = f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""
    return HookRequest(
        method=request.method,
        url=f"{public}{scope['path']}{query}",
        headers={name.lower(): value for name, value in request.headers.items()},
        body=await request.body(),
        public=configured is not None,
        tolerance=ctx.services.settings.hook_tolerance_seconds,
        now=ctx.services.db.now().timestamp(),
    )


def acknowledged(_: int) -> Response:
    """Returns an empty 204 for a callback."""
    return Response(status_code=204)


def challenge(text: str) -> Response:
    """Returns the challenge as plain text."""
    return PlainTextResponse(text, headers={"x-content-type-options": "nosniff"})


def written(_: int) -> Response:
    """Returns 200 for a callback of Meta, which repeats the callback for every other status."""
    return Response(status_code=200)
