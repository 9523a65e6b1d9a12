"""GraphQL subscriptions over WebSockets: graphql-transport-ws (github.com/enisdenjo/graphql-ws, PROTOCOL.md).

Strawberry's own handler shows unmasked errors, shares one context among all operations of a connection, and
fails on JSON that is not an object. So only the execution is Strawberry's. Queries and mutations are sent by POST,
where they have a request id, a log line and an Idempotency-Key.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import ExitStack, aclosing, suppress
from typing import Any
from uuid import UUID

import orjson
import structlog
from graphql import ExecutionResult, GraphQLError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from core.errors import AppError, RateLimited, Unavailable
from core.json_text import dumps
from core.tasks import end
from runtime.console_cookie import from_handshake
from runtime.context import Context
from runtime.database_errors import translate
from runtime.origins import of_own_page
from runtime.services import Services
from runtime.viewers import Credential, Viewer
from schema.frame import subscriptions
from schema.frame.admission import Refused, checked
from schema.frame.schema import Schema

log = structlog.get_logger("postern.live")

PROTOCOL = "graphql-transport-ws"
INIT_SECONDS = 10.0  # in which the client must send connection_init
MOST_BYTES = 128 * 1024  # of one message; a document may have up to 64 KiB
MOST_OPERATIONS = 20  # of one connection at once
GOODBYE_SECONDS = 1.0  # for sending the close frame to a client that may not read

# Close codes of the protocol.
_BAD, _UNAUTHORIZED, _FORBIDDEN, _WRONG_PROTOCOL = 4400, 4401, 4403, 4406
_INIT_TIMEOUT, _ID_TAKEN, _TOO_MANY = 4408, 4409, 4429
# Of RFC 6455 and its registry: policy violation, service restart, try again later.
_SLOW, _GOING_AWAY, _LATER = 1008, 1012, 1013


class _Closed(Exception):
    """Ends the connection with this code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


async def serve(schema: Schema, services: Services, socket: WebSocket) -> None:
    """Serves one connection, from the handshake to its end."""
    if not _allowed(socket, services):
        await socket.close(1008)  # before the accept: HTTP 403
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
            with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await socket.close(code, closed.reason)
    except (WebSocketDisconnect, RuntimeError, TimeoutError) as error:  # the client has gone, or doesn't read
        code = getattr(error, "code", 1006)
    finally:
        await connection.end()
        log.info("live", seconds=round(time.monotonic() - begun, 1), user_id=connection.user, code=code)


def _allowed(socket: WebSocket, services: Services) -> bool:
    """Returns whether the Origin is allowed, by the rules of CORS; programs send no Origin."""
    origin = socket.headers.get("origin")
    return (
        origin is None or origin in services.settings.cors_origins or of_own_page(socket, services.settings)
    )


class _Connection:
    def __init__(self, schema: Schema, services: Services, socket: WebSocket) -> None:
        self._schema, self._services, self._socket = schema, services, socket
        self._authorization: Credential | None = None
        self._acting_for: str | None = None
        self._operations: dict[str, asyncio.Task[None]] = {}  # by the ids that are in use
        self._tasks: set[asyncio.Task[None]] = set()  # the same, and those that still report their end
        self._sending = asyncio.Lock()
        self._unread = asyncio.Event()  # set if the client has not read for too long
        self._seat = ExitStack()
        self.user: UUID | None = None

    async def run(self) -> None:
        """Runs until the client leaves. Raises _Closed if the server ends the connection."""
        try:
            async with asyncio.timeout(INIT_SECONDS):
                viewer = await self._begin()
        except TimeoutError:
            raise _Closed(_INIT_TIMEOUT, "Connection initialisation timeout") from None
        ending = [
            asyncio.create_task(coroutine)
            for coroutine in (self._check(viewer), self._read(), self._drop(), self._services.stopping.wait())
        ]
        try:
            done, _ = await asyncio.wait(ending, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            raise _Closed(_GOING_AWAY, "The server stops")
        finally:
            await end(ending)

    async def end(self) -> None:
        self._seat.close()
        await end(self._tasks)

    async def _begin(self) -> Viewer:
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
        authorization = payload.get("Authorization", payload.get("authorization"))
        if not isinstance(authorization, str):
            authorization = self._socket.headers.get("authorization")
        self._authorization = authorization or from_handshake(self._socket, self._services.settings)
        owner = next((value for key, value in payload.items() if key.lower() == "x-postern-owner"), None)
        if owner is not None and not isinstance(owner, str):
            raise _Closed(_BAD, "Invalid X-Postern-Owner in connection_init")
        self._acting_for = owner
        try:
            viewer = await self._context().identified(self._authorization)
        except Exception as error:
            app_error = error if isinstance(error, AppError) else translate(error)
            if app_error is None:
                raise
            code = _LATER if isinstance(app_error, Unavailable) else _FORBIDDEN
            raise _Closed(code, app_error.code) from error
        try:
            self._seat.enter_context(subscriptions.seat(viewer.actor_id))
        except RateLimited as error:
            raise _Closed(_TOO_MANY, error.code) from error
        self.user = viewer.id
        await self._send({"type": "connection_ack"})
        return viewer

    async def _check(self, viewer: Viewer) -> None:
        """Ends the connection when the login ends."""
        why = await subscriptions.until_login_ends(self._context(), viewer)
        raise _Closed(_FORBIDDEN, why.code)

    def _context(self) -> Context:
        """Returns a new context with the credential and the owner of the connection."""
        ctx = Context(self._services, self._socket)
        ctx.credential, ctx.acting_for = self._authorization, self._acting_for
        return ctx

    async def _drop(self) -> None:
        """Ends the connection if the client doesn't read, so that messages for it don't wait for ever."""
        await self._unread.wait()
        raise _Closed(_SLOW, "You read too slowly")

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
        id, payload = message.get("id"), message.get("payload")
        if not isinstance(id, str) or not 0 < len(id) <= 128:
            raise _Closed(_BAD, "Invalid subscribe message")
        try:
            payload = checked(payload)
        except Refused as refused:
            raise _Closed(_BAD, str(refused)) from refused
        if id in self._operations:
            raise _Closed(_ID_TAKEN, f"Subscriber for {id[:64]} already exists")
        if len(self._tasks) >= MOST_OPERATIONS:
            problem = (
                f"A connection has at most {MOST_OPERATIONS} subscriptions. Complete one, or connect again."
            )
            await self._fail(id, [GraphQLError(problem, extensions={"code": "too_many_subscriptions"})])
            return
        task = asyncio.create_task(self._run(id, payload))
        self._operations[id] = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, id: str, payload: dict[str, Any]) -> None:
        """Runs one subscription. Reports every error, and ends with `complete` or `error`."""
        ctx = self._context()
        try:
            async with aclosing(subscriptions.results(self._schema, ctx, payload)) as results:
                async for result in results:
                    if not isinstance(result, ExecutionResult):
                        await self._fail(id, result)
                        return
                    await self._send({"id": id, "type": "next", "payload": subscriptions.body(result)})
            if id in self._operations:
                await self._send({"id": id, "type": "complete"}, frees=id)
        except (WebSocketDisconnect, TimeoutError):
            pass  # the task that reads the socket notices it, or `_drop` does
        except Exception as error:  # a bug, or a closed socket: the connection's other subscriptions go on
            if self._socket.application_state is WebSocketState.CONNECTED:
                with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
                    await self._fail(id, subscriptions.broken(error, ctx))
        finally:
            self._free(id)

    async def _fail(self, id: str, errors: Sequence[GraphQLError]) -> None:
        message = {"id": id, "type": "error", "payload": [error.formatted for error in errors]}
        await self._send(message, frees=id)

    def _free(self, id: str) -> None:
        """Frees the id, unless another subscription of the client uses it by now."""
        if self._operations.get(id) is asyncio.current_task():
            del self._operations[id]

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

    async def _send(self, message: dict[str, Any], *, frees: str | None = None) -> None:
        """Sends a message. `frees`: an id that the client may use again as soon as it has received this message."""
        text = dumps(message).decode()
        try:
            async with asyncio.timeout(subscriptions.SEND_SECONDS), self._sending:
                if frees is not None:
                    self._free(frees)
                await self._socket.send_text(text)
        except TimeoutError:
            self._unread.set()
            raise
