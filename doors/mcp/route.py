"""The route of MCP: one POST, one answer. The other methods of HTTP have nothing to do without sessions."""

from typing import Any, Final
from urllib.parse import urlsplit

import orjson
import structlog
from mcp_types.jsonrpc import INTERNAL_ERROR
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from core.errors import AppError, Unauthenticated
from core.http.bodies import read_body
from core.logs import redact
from core.settings import Settings
from doors.mcp import oauth, server
from doors.mcp.calls import ToolContext
from doors.mcp.envelope import Refused, read
from runtime.fast.router import FastRoute
from runtime.origins import at_this_machine, is_loopback

log = structlog.get_logger("postern.mcp")
_INTERNAL: Final = "Something went wrong in the server. Give the request's id to the operator: {id}."


async def _post(request: Request) -> Response:
    ctx = ToolContext(request.scope["app"].state.services, request)
    if _of_other_page(request, ctx.services.settings):
        refused = Refused(
            -32000, "Pages of other origins may not call this server: POSTERN_CORS_ORIGINS lists some."
        )
        return _json(refused.body(), 403)
    try:
        message = read(await read_body(request.receive), request.headers)
    except Refused as refused:
        return _json(refused.body(), refused.status)
    try:
        await ctx.viewer()
        if message.id is None:
            return Response(status_code=202)  # nothing here waits for a notification
        result = await server.answer(ctx, message)
    except Refused as refused:
        return _json(refused.body(), refused.status)
    except Unauthenticated as error:
        body = Refused(-32000, error.message, {"code": error.code}, id=message.id).body()
        return _json(body, 401, {"WWW-Authenticate": oauth.challenge(ctx.services.settings)})
    except AppError as error:
        refusal = Refused(
            -32000, error.message, {"code": error.code}, id=message.id, status=int(error.status)
        )
        return _json(refusal.body(), refusal.status, error.headers)
    except Exception as error:
        log.exception("unexpected failure", method=message.method[:100], error=redact(str(error)))
        bug = Refused(INTERNAL_ERROR, _INTERNAL.format(id=ctx.request_id), id=message.id)
        return _json(bug.body(), bug.status)
    return _json({"jsonrpc": "2.0", "id": message.id, "result": result})


def _of_other_page(request: Request, settings: Settings) -> bool:
    """Returns whether a page in a browser has sent the request that is neither ours nor one of the origins that the
    operator allows. A name that leads to this machine (DNS rebinding) makes no page ours.
    """
    origin = request.headers.get("origin")
    if origin is None or origin in settings.cors_origins:
        return False
    try:
        site = urlsplit(origin)
    except ValueError:
        return True
    if settings.public_url and site.netloc == urlsplit(settings.public_url).netloc:
        return False
    return not (at_this_machine(request) and is_loopback(site.hostname or ""))


def _json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(body), status, headers, media_type="application/json")


async def _no_stream(request: Request) -> Response:
    return Response(status_code=405, headers={"Allow": "POST"})


async def _fast(scope: Scope, receive: Receive, send: Send) -> None:
    response = await _post(Request(scope, receive))
    await response(scope, receive, send)


_POST: Final = FastRoute("/mcp", _post, methods=["POST"], include_in_schema=False, response_model=None)
_POST.fast = _fast

ROUTES: Final[tuple[BaseRoute, ...]] = (
    _POST,
    Route("/mcp", _no_stream, methods=["GET", "DELETE"]),
    *oauth.ROUTES,
)
