"""The client of Python's `mcp` package, in a virtual environment of its own: by HTTP and by `postern mcp`, with a
handshake and without. The environment names the service, the token, and the interpreter that has `postern`.
"""

import asyncio
import json
import os
from contextlib import AbstractAsyncContextManager
from typing import Any
from uuid import uuid4

import httpx2
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

URL, TOKEN, PYTHON, ROOT = (
    os.environ[name] for name in ("MCP_URL", "MCP_TOKEN", "POSTERN_PYTHON", "POSTERN_ROOT")
)
SENT = {"to": "+14155550100", "channel": "sms"}


async def tried(mode: Any, server: AbstractAsyncContextManager[Any], how: str) -> None:
    async with Client(server, mode=mode) as client:
        names = {each.name for each in (await client.list_tools()).tools}
        assert len(names) == 15, names
        key, body = uuid4().hex, uuid4().hex
        answers = []
        for each in (key, key, uuid4().hex):  # a restart, and a model that tries again
            called = await client.call_tool("send_message", {**SENT, "body": body, "idempotencyKey": each})
            assert not called.is_error, called
            answers.append(json.loads(called.content[0].text))
        assert len({each["id"] for each in answers}) == 1, answers
        assert [each.get("repeated") for each in answers] == [None, True, True], answers
        bad = await client.call_tool("get_message", {"id": "x"})
        assert bad.is_error, bad
    print(f"  {how:5} {mode}: 15 tools, sent once of three calls")


async def main() -> None:
    for mode in ("legacy", "auto", "2026-07-28"):
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http:
            await tried(mode, streamable_http_client(f"{URL}/mcp", http_client=http), "HTTP")
        environment = {**os.environ, "PYTHONPATH": ROOT}
        command = StdioServerParameters(
            command=PYTHON, args=["-m", "postern", "mcp"], env=environment, cwd=ROOT
        )
        await tried(mode, stdio_client(command), "stdio")


asyncio.run(main())
