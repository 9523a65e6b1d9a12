"""GraphQL subscriptions as server-sent events: the distinct connections mode of graphql-sse
(github.com/enisdenjo/graphql-sse, PROTOCOL.md), on a path of its own.

It is not on /graphql because some clients name `text/event-stream` in the Accept header of every query. One request is
one subscription. An invalid request is answered before the stream begins, as JSON; an invalid document is an event
`next`, as in the protocol, since an EventSource can't read the body of a 400. A stream that ends without `complete` was
interrupted, and the client may connect again.
"""

import asyncio
from collections.abc import Mapping
from contextlib import aclosing, suppress
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from graphql import GraphQLError
from starlette.types import Receive, Scope, Send

from core.errors import AppError
from core.json_text import dumps
from core.tasks import end
from runtime.context import Context, Ctx
from runtime.database_errors import translate
from runtime.viewers import Viewer
from schema.frame import subscriptions
from schema.frame.admission import Refused, refused
from schema.frame.errors import render
from schema.frame.requests import (
    ERROR_REF,
    JSON,
    UNBUFFERED,
    body_described,
    from_body,
    from_query,
    left,
    query_described,
    ranked,
)
from schema.frame.schema import Schema

EVENTS = "text/event-stream"
KEEP_SECONDS = 12.0  # between two keep-alive comments

_SIGN = b":\n\n"
_COMPLETE = b"event: complete\ndata:\n\n"


def stream_router(schema: Schema) -> APIRouter:
    """Returns the routes of /graphql/stream."""
    router = APIRouter(tags=["extensions"])

    @router.post(
        "/graphql/stream",
        operation_id="graphql_subscribe",
        responses=_answers(400, 401, 406, 413, 415, 429, 503),
        response_class=Response,
        openapi_extra=_REQUEST,
    )
    async def post(ctx: Ctx, request: Request) -> Response:
        """Executes a GraphQL subscription and streams its events as server-sent events (graphql-sse, distinct
        connections mode).
        """
        return await _open(schema, ctx, request)

    @router.get(
        "/graphql/stream",
        operation_id="graphql_subscribe_by_get",
        responses=_answers(400, 401, 406, 429, 503),
        response_class=Response,
        openapi_extra=_QUERY,
    )
    async def get(ctx: Ctx, request: Request) -> Response:
        """Executes a GraphQL subscription by GET, as `POST /graphql/stream` does."""
        return await _open(schema, ctx, request)

    return router


_SECURITY: dict[str, Any] = {"security": [{"bearer": []}]}
_REQUEST = {**body_described("subscription { queueStatisticsChanged { queued perMinute } }"), **_SECURITY}
_QUERY = {**query_described(), **_SECURITY}
_DESCRIPTIONS = {
    400: "the request is not a valid GraphQL request",
    401: "the credential is missing or no longer valid",
    406: f"the client does not accept {EVENTS}",
    413: "the body is too large; without a login it has at most 256 KiB",
    415: f"the Content-Type of the body is not {JSON}",
    429: "the user has too many open connections",
    503: "the database is unavailable",
}
_ERRORS = {
    "type": "object",
    "properties": {
        "errors": {
            "type": "array",
            "description": "errors, in GraphQL's format",
            "items": ERROR_REF,
        }
    },
}


def _answers(*statuses: int) -> dict[int | str, dict[str, Any]]:
    # Requests that are refused before this router (a NUL in the URL, no database) get REST's error body.
    either = {"anyOf": [_ERRORS, {"$ref": "#/components/schemas/ErrorEnvelope"}]}
    return {
        200: {
            "description": "an event stream: `next` events, each with an execution result, and a final `complete`",
            "content": {EVENTS: {"schema": {"type": "string"}}},
        },
        **{
            status: {"description": _DESCRIPTIONS[status], "content": {JSON: {"schema": either}}}
            for status in statuses
        },
    }


async def _open(schema: Schema, ctx: Context, request: Request) -> Response:
    try:
        if not _accepted(request.headers.get("accept")):
            raise refused(f"Accept {EVENTS}.", HTTPStatus.NOT_ACCEPTABLE)
        asked = from_query(request) if request.method == "GET" else await from_body(ctx, request)
        return _Stream(schema, ctx, asked, await ctx.viewer())
    except Refused as error:
        return Response(orjson.dumps(error.body()), error.status, error.headers, JSON)
    except Exception as error:
        app_error = error if isinstance(error, AppError) else translate(error)
        if app_error is None:
            raise
        return _failed(ctx, app_error)


def _failed(ctx: Context, error: AppError) -> Response:
    body = {"errors": [_rendered(ctx, error).formatted]}
    return Response(orjson.dumps(body), error.status, error.headers, JSON)


def _rendered(ctx: Context, error: AppError) -> GraphQLError:
    return render(GraphQLError(error.message, original_error=error), ctx.request_id)


class _Stream(Response):
    """One subscription. Ends with it, with the login, when the client leaves or doesn't read, or the server stops."""

    def __init__(self, schema: Schema, ctx: Context, asked: dict[str, Any], viewer: Viewer) -> None:
        super().__init__(headers=UNBUFFERED, media_type=EVENTS)
        del self.headers["content-length"]
        self._schema, self._ctx, self._asked, self._viewer = schema, ctx, asked, viewer
        self._sending = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with subscriptions.seat(self._viewer.actor_id):
                await self._run(receive, send)
        except AppError as error:  # the user has too many connections
            await _failed(self._ctx, error)(scope, receive, send)

    async def _run(self, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        services = self._ctx.services
        sending = asyncio.create_task(self._send_events(send))
        checking = asyncio.create_task(subscriptions.until_login_ends(self._ctx, self._viewer))
        leaving = asyncio.create_task(left(receive))
        others = [asyncio.create_task(self._stay(send)), asyncio.create_task(services.stopping.wait())]
        try:
            done, _ = await asyncio.wait(
                (sending, checking, leaving, *others), return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            await end((sending, checking, leaving, *others))
        if leaving in done or any(isinstance(task.exception(), TimeoutError) for task in done):
            return  # the client doesn't read any more; uvicorn closes the connection
        with suppress(TimeoutError):
            if checking in done:
                await self._say(send, _next({"errors": [_rendered(self._ctx, checking.result()).formatted]}))
                await self._say(send, _COMPLETE)
            await self._say(send, b"", more=False)

    async def _send_events(self, send: Send) -> None:
        try:
            await self._say(send, _SIGN)  # so that the client sees at once that it is connected
            async with aclosing(subscriptions.results(self._schema, self._ctx, self._asked)) as results:
                async for result in results:
                    await self._say(send, _next(subscriptions.body(result)))
        except TimeoutError:
            raise
        except Exception as error:  # a bug, which is logged and reported to the client
            errors = subscriptions.broken(error, self._ctx)
            await self._say(send, _next({"errors": [failure.formatted for failure in errors]}))
        await self._say(send, _COMPLETE)

    async def _stay(self, send: Send) -> None:
        """Sends keep-alive comments, so that proxies don't close an idle stream and lost clients are noticed."""
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            await self._say(send, _SIGN)

    async def _say(self, send: Send, what: bytes, *, more: bool = True) -> None:
        """Sends bytes. Raises TimeoutError if the client doesn't read."""
        async with self._sending, asyncio.timeout(subscriptions.SEND_SECONDS):
            await send({"type": "http.response.body", "body": what, "more_body": more})


def _next(body: Mapping[str, Any]) -> bytes:
    return b"event: next\ndata: " + dumps(body) + b"\n\n"


def _accepted(accept: str | None) -> bool:
    """Returns whether the client accepts events. Without an Accept header it accepts everything."""
    return not accept or any(kind in (EVENTS, "text/*", "*/*") for kind, _ in ranked(accept))
