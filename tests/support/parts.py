"""Answers in parts, over a real socket: the application behind uvicorn as `postern serve` has it, and multipart/mixed
read as it comes.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import orjson
import uvicorn

from core.http.limits import BoundedHttp
from postern.process import Server
from tests.support.people import Person
from tests.support.ports import free_port
from tests.support.waits import PATIENCE, until

PARTS = "multipart/mixed"


@asynccontextmanager
async def listening(app: Any) -> AsyncIterator[Server]:
    """A server for an application that somebody else opens and closes."""
    config = uvicorn.Config(
        app, port=free_port(), http=BoundedHttp, log_config=None, lifespan="off", ws="none"
    )
    server = Server(config)
    serving = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    try:
        yield server
    finally:
        server.should_exit = True
        async with asyncio.timeout(PATIENCE):
            await serving


def url_of(server: Server) -> str:
    return f"http://127.0.0.1:{server.config.port}"


class Parts:
    """An answer: its head, then one part after the other."""

    def __init__(self, response: httpx.Response) -> None:
        self.status, self.headers = response.status_code, response.headers
        self._response = response
        self._bytes = response.aiter_bytes()
        self._text = b""

    async def next(self) -> dict[str, Any] | None:
        """The next part, as soon as it is whole; None after the last."""
        while b"\r\n---" not in self._text[1:] and not self._text.startswith(b"--\r\n"):
            async with asyncio.timeout(PATIENCE):
                self._text += await anext(self._bytes)
            self._text = self._text.removeprefix(b"\r\n---")
        if self._text.startswith(b"--\r\n"):
            assert self._text == b"--\r\n"
            return None
        part, _, self._text = self._text.partition(b"\r\n---")
        head, _, body = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        assert head == b"content-type: application/json"
        payload: dict[str, Any] = orjson.loads(body)
        return payload

    async def all(self) -> list[dict[str, Any]]:
        """Returns the parts that are still to come."""
        parts = []
        while (part := await self.next()) is not None:
            parts.append(part)
        return parts

    async def body(self) -> Any:
        """Returns the body of an answer that has no parts."""
        return orjson.loads(await self._response.aread())


@asynccontextmanager
async def asking(
    url: str,
    person: Person | None,
    query: str,
    variables: Any = None,
    *,
    accept: str = PARTS,
    method: str = "POST",
) -> AsyncIterator[Parts]:
    """An answer that has begun. Who leaves this hangs up."""
    headers = {"accept": accept, **(person.headers if person else {})}
    request: dict[str, Any] = {"json": {"query": query, "variables": variables}}
    if method == "GET":
        request = {"params": {"query": query, "variables": orjson.dumps(variables).decode()}}
    async with (
        httpx.AsyncClient(timeout=PATIENCE) as client,
        client.stream(method, f"{url}/graphql", headers=headers, **request) as response,
    ):
        yield Parts(response)


def whole(parts: list[dict[str, Any]]) -> Any:
    """`data` with everything in its place."""
    data, pending = parts[0]["data"], {}
    for part in parts:
        pending |= {entry["id"]: entry["path"] for entry in part.get("pending", ())}
        for patch in part.get("incremental", ()):
            place = data
            for key in (*pending[patch["id"]], *patch.get("subPath", ())):
                place = place[key]
            _merge(place, patch["data"])
    return data


def _merge(into: Any, more: Any) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            assert key not in into, "nothing is told twice"
            into[key] = value
