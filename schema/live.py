"""GraphQL subscriptions over WebSockets: graphql-transport-ws (github.com/enisdenjo/graphql-ws, PROTOCOL.md).

Strawberry's own handler shows unmasked errors, shares one context among all operations of a connection, and
breaks off at JSON that is no object; so the door is ours, and the execution Strawberry's. Queries and mutations
go by POST, where they have a request id, a log line and an Idempotency-Key.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import orjson
import structlog
from graphql import GraphQLError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types import ExecutionResult

from postern.context import Context
from postern.errors import AppError, Unauthenticated
from postern.services import Services
from postern.tasks import end
from schema import root
from schema.errors import render

log = structlog.get_logger("postern.live")

PROTOCOL = "graphql-transport-ws"
INIT_SECONDS = 10.0  # for connection_init
CHECK_SECONDS = 3.0  # between two looks at whether the login still holds
MOST_BYTES = 128 * 1024  # of one message; the document alone may have 64 KiB
MOST_OPERATIONS = 20  # of one connection at once
MOST_CONNECTIONS = 20  # of one user, in one process
SEND_SECONDS = 30.0  # for a client that does not read

# Close codes of the protocol.
_BAD, _UNAUTHORIZED, _FORBIDDEN, _WRONG_PROTOCOL = 4400, 4401, 4403, 4406
_INIT_TIMEOUT, _ID_TAKEN, _TOO_MANY = 4408, 4409, 4429

_open: Counter[UUID] = Counter()


class _Closed(Exception):
    """The connection ends, with this code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


async def serve(schema: root.Schema, services: Services, socket: WebSocket) -> None:
    """One connection, from the handshake to its end."""
    if not _same_site(socket, services):
        await socket.close(1008)  # before it is accepted: HTTP 403
        return
    if PROTOCOL not in socket.scope.get("subprotocols", ()):
        await socket.accept()
        await socket.close(_WRONG_PROTOCOL, f"Subprotocol not acceptable: send {PROTOCOL}")
        return
    await socket.accept(PROTOCOL)
    begun = time.monotonic()
    connection = _Connection(schema, services, socket)
    code = 1000
    try:
        await connection.run()
    except _Closed as closed:
        code = closed.code
        if socket.application_state is WebSocketState.CONNECTED:
            with suppress(RuntimeError, WebSocketDisconnect):
                await socket.close(code, closed.reason)
    except (WebSocketDisconnect, RuntimeError) as error:  # Starlette's words for "it has gone"
        code = getattr(error, "code", 1006)
    finally:
        await connection.end()
        log.info("live", seconds=round(time.monotonic() - begun, 1), user_id=connection.user, code=code)


def _same_site(socket: WebSocket, services: Services) -> bool:
    """No page of another site, as CORS has it for everything else; programs send no Origin."""
    origin = socket.headers.get("origin")
    settings = services.settings
    if origin is None or origin in settings.cors_origins:
        return True
    ours = {socket.headers.get("host"), urlsplit(settings.public_url or "").netloc}
    return urlsplit(origin).netloc in ours


class _Connection:
    def __init__(self, schema: root.Schema, services: Services, socket: WebSocket) -> None:
        self._schema, self._services, self._socket = schema, services, socket
        self._authorization: str | None = None
        self._operations: dict[str, asyncio.Task[None]] = {}
        self._sending = asyncio.Lock()
        self.user: UUID | None = None

    async def run(self) -> None:
        """Until the client leaves, or what it says or who it is ends it (_Closed)."""
        try:
            async with asyncio.timeout(INIT_SECONDS):
                await self._begin()
        except TimeoutError:
            raise _Closed(_INIT_TIMEOUT, "Connection initialisation timeout") from None
        checking = asyncio.create_task(self._check())
        reading = asyncio.create_task(self._read())
        try:
            done, _ = await asyncio.wait((checking, reading), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await end((checking, reading))

    async def end(self) -> None:
        if self.user is not None:
            _open[self.user] -= 1
            if not _open[self.user]:
                del _open[self.user]
        await end(self._operations.values())

    async def _begin(self) -> None:
        while True:
            message = await self._receive()
            match message.get("type"):
                case "connection_init":
                    break
                case "ping":
                    await self._send({"type": "pong"})
                case "pong":
                    pass
                case _:
                    raise _Closed(_UNAUTHORIZED, "Unauthorized")
        payload = message.get("payload") or {}
        if not isinstance(payload, dict):
            raise _Closed(_BAD, "Invalid connection_init payload")
        given = payload.get("Authorization", payload.get("authorization"))
        self._authorization = given if isinstance(given, str) else self._socket.headers.get("authorization")
        try:
            viewer = await self._services.viewers.identify(self._authorization)
        except AppError as error:
            raise _Closed(_FORBIDDEN, error.code) from error
        if _open[viewer.id] >= MOST_CONNECTIONS:
            raise _Closed(_TOO_MANY, "too_many_connections")
        _open[viewer.id] += 1
        self.user = viewer.id
        await self._send({"type": "connection_ack"})

    async def _check(self) -> None:
        """Ends the connection with the login: an access token lives minutes, and less after a suspension."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self._services.viewers.identify(self._authorization)
            except Unauthenticated as error:
                raise _Closed(_FORBIDDEN, error.code) from error
            except Exception as error:  # the database is away: nothing is told meanwhile either
                log.debug("can't check a login", error=str(error)[:200])

    async def _read(self) -> None:
        while True:
            message = await self._receive()
            match message.get("type"):
                case "ping":
                    await self._send({"type": "pong"})
                case "pong":
                    pass
                case "subscribe":
                    await self._subscribe(message)
                case "complete":
                    if isinstance(id := message.get("id"), str) and (task := self._operations.pop(id, None)):
                        await end((task,))
                case "connection_init":
                    raise _Closed(_TOO_MANY, "Too many initialisation requests")
                case _:
                    raise _Closed(_BAD, "Unknown message type")

    async def _subscribe(self, message: dict[str, Any]) -> None:
        id, payload = message.get("id"), message.get("payload") or {}
        if not isinstance(id, str) or not 0 < len(id) <= 128 or not _is_request(payload):
            raise _Closed(_BAD, "Invalid subscribe message")
        if id in self._operations:
            raise _Closed(_ID_TAKEN, f"Subscriber for {id[:64]} already exists")
        if len(self._operations) >= MOST_OPERATIONS:
            said = (
                f"A connection has at most {MOST_OPERATIONS} subscriptions. Complete one, or connect again."
            )
            await self._fail(id, [GraphQLError(said, extensions={"code": "too_many_subscriptions"})])
            return
        task = asyncio.create_task(self._run(id, payload))
        self._operations[id] = task

    async def _run(self, id: str, payload: dict[str, Any]) -> None:
        """One subscription. It tells whatever goes wrong, and ends with `complete` or `error`."""
        ctx = Context(self._services, self._socket)
        ctx.credential = self._authorization
        try:
            async with aclosing(_results(self._schema, ctx, payload)) as results:
                async for result in results:
                    if not isinstance(result, ExecutionResult):
                        await self._fail(id, result)
                        return
                    shown: dict[str, Any] = {"data": result.data}
                    if result.errors:
                        shown["errors"] = [error.formatted for error in result.errors]
                    await self._send({"id": id, "type": "next", "payload": shown})
            if self._operations.pop(id, None):
                await self._send({"id": id, "type": "complete"})
        except (WebSocketDisconnect, TimeoutError):
            pass  # whoever reads the socket finds out
        except Exception as error:  # a bug, or a socket that has gone: the connection's other ones go on
            if self._socket.application_state is WebSocketState.CONNECTED:
                told = render(GraphQLError(str(error), original_error=error), ctx.request_id)
                with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
                    await self._fail(id, [told])
        finally:
            self._operations.pop(id, None)

    async def _fail(self, id: str, errors: list[GraphQLError]) -> None:
        self._operations.pop(id, None)
        await self._send({"id": id, "type": "error", "payload": [error.formatted for error in errors]})

    async def _receive(self) -> dict[str, Any]:
        frame = await self._socket.receive()
        if frame["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(frame.get("code", 1005))
        text = frame.get("text")
        if text is None:
            raise _Closed(_BAD, "Messages are text")
        if len(text) > MOST_BYTES:
            raise _Closed(_BAD, f"A message has at most {MOST_BYTES} bytes")
        try:
            message = orjson.loads(text)
        except orjson.JSONDecodeError:
            raise _Closed(_BAD, "Invalid JSON") from None
        if not isinstance(message, dict):
            raise _Closed(_BAD, "A message is a JSON object")
        return message

    async def _send(self, message: dict[str, Any]) -> None:
        async with self._sending, asyncio.timeout(SEND_SECONDS):
            await self._socket.send_text(orjson.dumps(message, default=str).decode())


async def _results(
    schema: root.Schema, ctx: Context, payload: dict[str, Any]
) -> AsyncGenerator[ExecutionResult | list[GraphQLError], None]:
    """What the subscription gives, errors as a caller may see them; a list of errors alone if it never began."""

    def shown(errors: list[GraphQLError] | None) -> list[GraphQLError]:
        return [
            render(_plainly(error), ctx.request_id, explorable=schema.explorable) for error in errors or ()
        ]

    source = await schema.subscribe(
        payload["query"],
        variable_values=payload.get("variables"),
        context_value=ctx,
        operation_name=payload.get("operationName"),
    )
    async with aclosing(source):
        try:
            async for result in source:
                if type(result) is not ExecutionResult:
                    yield shown(result.errors)
                    return
                yield replace(result, errors=shown(result.errors))
                ctx.loaders.clear()  # the next event is read anew
        except GraphQLError as error:  # of a document that can't be read, or is too much
            yield shown([error])


def _plainly(error: GraphQLError) -> GraphQLError:
    match error.original_error:
        case InvalidOperationTypeError():
            return GraphQLError("Send queries and mutations by POST; subscriptions alone are answered here.")
        case CannotGetOperationTypeError() as cause:
            return GraphQLError(cause.as_http_error_reason())
    return error


def _is_request(payload: Any) -> bool:
    kinds: tuple[tuple[str, Callable[[Any], bool]], ...] = (
        ("query", lambda value: isinstance(value, str) and bool(value)),
        ("variables", lambda value: value is None or isinstance(value, dict)),
        ("operationName", lambda value: value is None or isinstance(value, str)),
    )
    return isinstance(payload, dict) and all(good(payload.get(name)) for name, good in kinds)
