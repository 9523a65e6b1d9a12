"""Queries with `@defer`: the response is `multipart/mixed`, and its deferred parts follow as soon as they are ready.

It follows "Incremental Delivery over HTTP" (github.com/graphql/graphql-over-http, rfcs/IncrementalDelivery.md), in the
format of graphql-core 3.3 and GraphQL.js 17, which Apollo calls `incrementalSpec=v0.2`: the first part has `data` and
`pending`, the others `incremental` and `completed`, the last one `hasNext: false` and `extensions.cost`. A response
that ends before that is incomplete. docs/graphql.md is for callers.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from inspect import isawaitable
from typing import Any

import orjson
from graphql import ExecutionResult, GraphQLError
from graphql.execution import (
    CompletedResult,
    ExperimentalIncrementalExecutionResults,
    IncrementalDeferResult,
    InitialIncrementalExecutionResult,
    PendingResult,
    SubsequentIncrementalExecutionResult,
    experimental_execute_incrementally,
)
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from strawberry.execution import optimized_is_awaitable

from core.tasks import end
from runtime.context import Context
from schema.frame.admission import Admitted
from schema.frame.cost import Shape, objects
from schema.frame.errors import render
from schema.frame.executors import InParts
from schema.frame.requests import UNBUFFERED, left, ranked
from schema.frame.schema import Schema
from schema.frame.subscriptions import SEND_SECONDS

PARTS = "multipart/mixed"
FORMAT = "v0.2"

_BEGIN = b"\r\n---"
_HEAD = b"\r\ncontent-type: application/json\r\n\r\n"
_END = b"--\r\n"


def accepted(accept: str | None) -> bool:
    """Returns whether the client accepts parts in our format. It must name them explicitly.

    `deferSpec=20220824` is an older format and `subscriptionSpec` something else: such clients get one response.
    """
    return any(
        kind == PARTS
        and parameters.keys() <= {"boundary", "incrementalspec"}
        and parameters.get("incrementalspec", FORMAT).strip('"') == FORMAT
        for kind, parameters in ranked(accept or "")
    )


async def execute(schema: Schema, ctx: Context, admitted: Admitted) -> "ExecutionResult | Parts":
    """Runs a query that may run. Returns an ExecutionResult if nothing was deferred after all."""
    run: Any = (
        experimental_execute_incrementally  # its type needs a TypeGuard, which Strawberry's function is not
    )
    result = run(
        schema._schema,  # noqa: SLF001
        admitted.prepared.document,
        context_value=ctx,
        variable_values=admitted.variables,
        operation_name=admitted.operation.name,
        is_awaitable=optimized_is_awaitable,
        executor_class=InParts,
        operation_extensions=admitted.prepared.handed,
    )
    if isawaitable(result):
        result = await result
    if isinstance(result, ExperimentalIncrementalExecutionResults):
        return Parts(schema, ctx, admitted, result)
    assert isinstance(result, ExecutionResult)
    return result


class Parts(Response):
    """The response. Ends when it is complete, or when the client leaves or doesn't read.

    Deferred parts are started when the first part has been sent, and each part is made when the one before has been
    sent. A server that stops lets the response finish, like any other.
    """

    def __init__(
        self,
        schema: Schema,
        ctx: Context,
        admitted: Admitted,
        result: ExperimentalIncrementalExecutionResults,
    ) -> None:
        super().__init__(headers=UNBUFFERED, media_type=f'{PARTS}; boundary="-"')
        del self.headers["content-length"]
        self._schema, self._ctx, self._admitted = schema, ctx, admitted
        self._first: InitialIncrementalExecutionResult = result.initial_result
        self._rest: AsyncGenerator[SubsequentIncrementalExecutionResult, None] = result.subsequent_results
        self._objects = 0
        self._open: dict[str, Shape] = {}  # the pending ids, each with the shape of its object

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        sending = asyncio.create_task(self._send_parts(send))
        leaving = asyncio.create_task(left(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end((sending, leaving))
            await self._cost()  # a client that disconnects early is charged for what it has received

    async def _send_parts(self, send: Send) -> None:
        try:
            async with aclosing(self._rest) as rest:
                await self._say(send, _BEGIN, self._initial(self._first))
                async for result in rest:
                    body = self._subsequent(result)
                    if not result.has_next:
                        body["extensions"] = {"cost": await self._cost()}
                    await self._say(send, b"", body)
        except TimeoutError:  # the client doesn't read: the connection is closed
            raise
        except Exception as error:  # a bug, which is logged and reported to the client
            errors = self._rendered([GraphQLError(str(error), original_error=error)])
            broken = [{"id": id, "errors": errors} for id in self._open]
            cost = {"cost": await self._cost()}
            await self._say(send, b"", {"completed": broken, "hasNext": False, "extensions": cost})

    def _initial(self, result: InitialIncrementalExecutionResult) -> dict[str, Any]:
        shape = self._admitted.operation.price.shape
        self._objects += objects(result.data or {}, shape)
        body: dict[str, Any] = {"data": result.data}
        if result.errors:
            body["errors"] = self._rendered(result.errors)
        body |= {"pending": self._pending(result.pending), "hasNext": True}
        return body

    def _subsequent(self, result: SubsequentIncrementalExecutionResult) -> dict[str, Any]:
        body: dict[str, Any] = {}
        if result.pending:
            body["pending"] = self._pending(result.pending)
        if result.incremental:
            body["incremental"] = [self._incremental(part) for part in result.incremental]
        if result.completed:
            body["completed"] = [self._completed(part) for part in result.completed]
        body["hasNext"] = result.has_next
        return body

    def _pending(self, pending: Sequence[PendingResult]) -> list[Any]:
        shape = self._admitted.operation.price.shape
        for part in pending:
            self._open[part.id] = _below(shape, part.path)
        return [part.formatted for part in pending]

    def _incremental(self, part: Any) -> dict[str, Any]:
        assert isinstance(part, IncrementalDeferResult)  # the schema has no @stream
        self._objects += objects(part.data, _below(self._open[part.id], part.sub_path or ()))
        body: dict[str, Any] = {"id": part.id}
        if part.sub_path:
            body["subPath"] = part.sub_path
        body["data"] = part.data
        if part.errors:
            body["errors"] = self._rendered(part.errors)
        return body

    def _completed(self, part: CompletedResult) -> dict[str, Any]:
        del self._open[part.id]
        return {"id": part.id, "errors": self._rendered(part.errors)} if part.errors else {"id": part.id}

    def _rendered(self, errors: Sequence[GraphQLError]) -> list[Any]:
        explorable = self._schema.explorable
        return [render(error, self._ctx.request_id, explorable=explorable).formatted for error in errors]

    async def _cost(self) -> dict[str, int]:
        return await self._admitted.settle(counted=self._objects)

    async def _say(self, send: Send, before: bytes, body: dict[str, Any]) -> None:
        """Sends a part and the boundary after it, so that the client knows its end without waiting for the next.

        Raises TimeoutError if the client doesn't read.
        """
        last = not body["hasNext"]
        # OPT_UTC_Z writes times as the scalar DateTime does.
        what = orjson.dumps(body, option=orjson.OPT_UTC_Z)
        what = b"".join((before, _HEAD, what, _BEGIN, _END if last else b""))
        async with asyncio.timeout(SEND_SECONDS):
            await send({"type": "http.response.body", "body": what, "more_body": not last})


def _below(shape: Shape, path: Sequence[str | int]) -> Shape:
    """Returns the shape of the object at this path."""
    for key in path:
        if isinstance(key, str):
            shape = next((inner for name, inner in shape if name == key), ())
    return shape
