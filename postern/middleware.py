"""The outermost layer of every request, as pure ASGI: request id, bound of the body, log line, unexpected errors."""

import asyncio
import os
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import orjson
import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import doors
from core.http.bodies import TooBig
from core.logs import redact, request_line, without_addresses
from core.metrics import observe
from rest.frame.errors import refusal

log = structlog.get_logger("postern.request")

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
# Browsers must not guess the type of a response, nor store it: nearly all are private. A cacheable one says so itself.
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
)


_LARGE = 32 * 1024  # bytes; the event loop reads and checks a larger body for several milliseconds

META_HOOKS = "/hooks/whatsapp-cloud/"
META_BYTES = 3 * 2**20  # Meta's largest callback


class RequestMiddleware:
    """Gives each request an id, bounds its body, adds the common headers, and logs and counts the response."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        max_body_bytes: int,
        larger: Mapping[tuple[str, str], int] | None = None,
        draining: Callable[[], bool] = lambda: False,
    ) -> None:
        """`larger`: the bounds of forms with a file, by method and path. Their body is streamed. `draining` returns
        whether connections are to end with their next response.
        """
        self.app = app
        self.draining = draining
        self.max_body_bytes = max_body_bytes
        self.larger = larger or {}
        self._turns = asyncio.Lock()

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] not in ("http", "websocket"):
            return self.app(scope, receive, send)
        headers = dict(reversed(scope["headers"]))  # if a header is repeated, the first one counts
        request_id = _request_id(headers)
        request_state: dict[str, Any] = {
            "request_id": request_id,
            "headers": {},
            "user_id": None,
            "status": 0,
        }
        scope["postern"] = request_state
        # The only bound variable, so this overwrites any earlier request's; uvicorn runs each request in its own task.
        structlog.contextvars.bind_contextvars(request_id=request_id)
        if scope["type"] == "websocket":
            return self.app(scope, receive, send)
        return self._http(scope, receive, send, request_state, _length(headers))

    async def _http(
        self, scope: Scope, receive: Receive, send: Send, request_state: dict[str, Any], declared: int | None
    ) -> None:
        begun = time.perf_counter()
        bound = self._bound(scope)
        request_id: str = request_state["request_id"]

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                request_state["status"] = message["status"]
                headers = message.setdefault("headers", [])
                present = [name for name, _ in headers]
                headers += [pair for pair in _HEADERS if pair[0] not in present]
                headers.append((b"x-request-id", request_id.encode()))
                if self.draining() and b"connection" not in present:
                    headers.append((b"connection", b"close"))
                if own := request_state["headers"]:
                    headers += [(name.encode(), value.encode()) for name, value in own.items()]
            await send(message)

        try:
            if (
                b"\0" in scope.get("query_string", b"")
                or "\0" in scope["path"]
                or b"%00" in scope["query_string"]
            ):
                await _plain(answer, scope, 400, "The URL must not contain a NUL character.", "bad_request")
            elif declared is not None and declared > bound:
                await _too_big(answer, scope, bound)
            else:
                await self.app(scope, self._bounded(receive, bound), answer)
        except TooBig:
            if not request_state["status"]:
                await _too_big(answer, scope, bound)
        except Exception as error:  # rest/frame/errors.py has answered already; the log gets the traceback
            log.exception(
                "unexpected failure", path=without_addresses(scope["path"]), error=redact(str(error))
            )
        finally:
            seconds, status = time.perf_counter() - begun, request_state["status"]
            route = getattr(scope.get("route"), "path", "-")
            observe(scope["method"], route, status, seconds)
            request_line(
                request_id=request_id,
                method=scope["method"],
                path=scope["path"],
                status=status or 499,  # nginx's status for a client that closed the connection
                ms=round(seconds * 1000, 1),
                user_id=request_state["user_id"],
            )

    def _bounded(self, receive: Receive, bound: int) -> Receive:
        """Returns `receive` for a body of at most `bound` bytes.

        Large bodies that have arrived begin one after the other, each in another round of the event loop. So many of
        them delay a small request by one of them, and not by all.
        """
        left = bound

        async def read() -> Message:
            nonlocal left
            message = await receive()
            if message["type"] == "http.request":
                left -= len(message.get("body", b""))
                if left < 0:
                    raise TooBig(bound)
                if bound - left > _LARGE and not message.get("more_body", False):
                    async with self._turns:
                        await asyncio.sleep(0)
            return message

        return read

    def _bound(self, scope: Scope) -> int:
        if scope["path"].startswith(META_HOOKS):
            return max(self.max_body_bytes, META_BYTES)
        larger = self.larger.get((scope["method"], scope["path"]))
        takes_json = scope["path"].startswith("/doors/")
        return self.max_body_bytes if larger is None or not (takes_json or _is_form(scope)) else larger


def _is_form(scope: Scope) -> bool:
    kinds = [value for name, value in scope["headers"] if name == b"content-type"]
    return len(kinds) == 1 and kinds[0].lower().startswith(b"multipart/form-data")


async def _too_big(send: Send, scope: Scope, bound: int) -> None:
    await _plain(send, scope, 413, f"The body is larger than {bound} bytes.", "too_large")


def _request_id(headers: Mapping[bytes, bytes]) -> str:
    value = headers.get(b"x-request-id", b"").decode("latin-1")
    return value if _REQUEST_ID.fullmatch(value) else os.urandom(16).hex()


def _length(headers: Mapping[bytes, bytes]) -> int | None:
    value = headers.get(b"content-length", b"")
    # Only the last 18 digits, as Python refuses to parse thousands of them; no real length has more.
    return int(value[-18:]) if value.isdigit() else None


async def _plain(send: Send, scope: Scope, status: int, message: str, code: str) -> None:
    body = orjson.dumps(
        doors.refusal(scope["path"], status, message) or refusal(scope, status, message, code)
    )
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 413:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
