"""An agent as a program: it speaks MCP to the door with the credential of a person."""

from typing import Any
from uuid import uuid4

import httpx
import orjson

from tests.support.people import Person

MODERN = "2026-07-28"
OLD = "2025-11-25"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


async def sent(person: Person, body: Any, headers: dict[str, str] | None = None) -> httpx.Response:
    """Posts a body as it is."""
    raw = body if isinstance(body, bytes) else orjson.dumps(body)
    return await person.client.post(
        "/mcp", content=raw, headers={**person.headers, "content-type": "application/json", **(headers or {})}
    )


async def asked(
    person: Person, method: str, params: dict[str, Any] | None = None, *, revision: str = MODERN
) -> httpx.Response:
    """Sends a request of a revision, with the headers that it needs."""
    params = params or {}
    headers = {"mcp-protocol-version": revision}
    if revision == MODERN:
        params = {**params, "_meta": META}
        headers["mcp-method"] = method
        if method == "tools/call":
            headers["mcp-name"] = params["name"]
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return await sent(person, body, headers)


async def result(person: Person, method: str, params: dict[str, Any] | None = None, **options: Any) -> Any:
    """Returns the result of a request that is not refused."""
    answer = await asked(person, method, params, **options)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert "error" not in body, body
    return body["result"]


async def tool(person: Person, name: str, /, *, revision: str = MODERN, **arguments: Any) -> dict[str, Any]:
    """Calls a tool, and returns what its answer says."""
    called = await result(person, "tools/call", {"name": name, "arguments": arguments}, revision=revision)
    (content,) = called["content"]
    said: dict[str, Any] = orjson.loads(content["text"])
    assert called.get("isError", False) == ("error" in said)
    return said


def key() -> str:
    """Returns a new idempotency key."""
    return uuid4().hex
