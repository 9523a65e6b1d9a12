"""Server-sent events of /graphql/stream without a socket: ASGI's messages, and the events on them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlencode

import orjson

from tests.support.waits import PATIENCE

EVENTS = "text/event-stream"


class Events:
    """Receives the response: `status`, `headers`, then one event after the other."""

    def __init__(self) -> None:
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._text = b""
        self.reads = True  # False: what is sent to it waits
        self.ended = False
        self.signs = 0  # comments
        self.status = 0
        self.headers: dict[str, str] = {}

    async def _send(self, message: dict[str, Any]) -> None:
        if not self.reads:
            await asyncio.Event().wait()
        await self._outbox.put(message)

    async def _more(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            return await self._outbox.get()

    async def begin(self) -> None:
        message = await self._more()
        assert message["type"] == "http.response.start"
        self.status = message["status"]
        self.headers = {name.decode(): value.decode() for name, value in message["headers"]}

    async def next(self) -> tuple[str, Any] | None:
        """The next event and its data; None: the stream has ended."""
        while b"\n\n" not in self._text:
            if self.ended:
                assert not self._text, "it has ended amid an event"
                return None
            message = await self._more()
            self._text += message.get("body", b"")
            self.ended = not message.get("more_body", False)
        block, _, self._text = self._text.partition(b"\n\n")
        if block == b":":
            self.signs += 1
            return await self.next()
        lines = dict(line.split(b":", 1) for line in block.split(b"\n"))
        assert set(lines) == {b"event", b"data"}, block
        data = lines[b"data"].strip()
        return lines[b"event"].strip().decode(), orjson.loads(data) if data else None

    async def data(self) -> Any:
        """The data of a `next` that went well."""
        event = await self.next()
        assert event is not None
        name, body = event
        assert name == "next"
        assert "errors" not in body, body
        return body["data"]

    async def body(self) -> Any:
        """Returns the body of an answer that is no stream."""
        text = b""
        while True:
            message = await self._more()
            text += message.get("body", b"")
            if not message.get("more_body", False):
                return orjson.loads(text)

    async def leave(self) -> None:
        await self._inbox.put({"type": "http.disconnect"})


@asynccontextmanager
async def streaming(
    app: Any,
    authorization: str | None,
    asked: Any = None,
    *,
    method: str = "POST",
    raw: bytes | None = None,
    **headers: str,
) -> AsyncIterator[Events]:
    """A request to /graphql/stream, whose answer has begun."""
    events = Events()
    query = ""
    if method == "GET":
        query = urlencode(
            {name: v if isinstance(v, str) else orjson.dumps(v).decode() for name, v in asked.items()}
        )
    body = raw if raw is not None else b"" if method == "GET" else orjson.dumps(asked)
    await events._inbox.put({"type": "http.request", "body": body, "more_body": False})
    sent_headers = {"accept": EVENTS, "content-type": "application/json"}
    if authorization:
        sent_headers["authorization"] = authorization
    sent_headers |= {name.replace("_", "-"): value for name, value in headers.items()}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": "/graphql/stream",
        "raw_path": b"/graphql/stream",
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in sent_headers.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("postern.test", 80),
    }
    running = asyncio.create_task(app(scope, events._inbox.get, events._send))
    try:
        await events.begin()
        yield events
    finally:
        await events.leave()
        async with asyncio.timeout(PATIENCE):
            await running
