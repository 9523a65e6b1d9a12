"""MCP by standard input and output, for clients that start their servers themselves: each line is a message, which is
passed to /mcp of a service that runs, and each answer is a line.

The credential is an API token in the environment, as MCP says for this transport: it stands in no argument, which other
users of the machine could read.
"""

import asyncio
import os
import sys
from collections.abc import Mapping
from typing import Any, Final

import aiohttp
import orjson

from doors.mcp.envelope import METHOD_HEADER, NAME_HEADER, REVISION_HEADER, names

ADDRESS: Final = "MCP_URL"
TOKEN: Final = "MCP_TOKEN"
_LONGEST: Final = 1024 * 1024
_AT_ONCE: Final = 8
_META: Final = "io.modelcontextprotocol/protocolVersion"


async def serve(address: str, token: str) -> None:
    """Passes messages until standard input ends. Raises aiohttp.ClientError for an address that is none."""
    reader = asyncio.StreamReader(_LONGEST)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    turns, tasks = asyncio.Semaphore(_AT_ONCE), set[asyncio.Task[None]]()
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Accept": "application/json",
    }
    bridge = _Bridge(f"{address.rstrip('/')}/mcp")
    async with aiohttp.ClientSession(headers=headers, trust_env=True) as session:
        while line := await reader.readline():
            await turns.acquire()
            task = asyncio.create_task(bridge.passed(session, line.strip()))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            task.add_done_callback(lambda _: turns.release())
        await asyncio.gather(*tasks)


class _Bridge:
    """Holds the revision that the client and the service have agreed on."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._revision: str | None = None

    async def passed(self, session: aiohttp.ClientSession, line: bytes) -> None:
        """Passes one message, and writes what the service answers."""
        if not line:
            return
        try:
            message = orjson.loads(line)
        except orjson.JSONDecodeError:
            message = None
        id = message.get("id") if isinstance(message, dict) else None
        try:
            async with session.post(self._url, data=line, headers=self._headers(message)) as answer:
                body = await answer.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            body = _failure(id, f"The service at {self._url} does not answer: {error}.")
        if body and not body.startswith(b"{"):
            body = _failure(
                id, f"The service answered {answer.status}; POSTERN_MCP=1 switches its door /mcp on."
            )
        if not body:
            return
        if isinstance(message, dict) and message.get("method") == "initialize":
            self._revision = (orjson.loads(body).get("result") or {}).get("protocolVersion")
        sys.stdout.buffer.write(body + b"\n")
        sys.stdout.buffer.flush()

    def _headers(self, message: Any) -> dict[str, str]:
        """Returns the headers that say over HTTP what the body says."""
        if not isinstance(message, Mapping) or not isinstance(message.get("method"), str):
            return {}
        params = message.get("params")
        meta = params.get("_meta") if isinstance(params, Mapping) else None
        revision = meta.get(_META) if isinstance(meta, Mapping) else None
        if not isinstance(revision, str):
            return {} if self._revision is None else {REVISION_HEADER: self._revision}
        headers = {REVISION_HEADER: revision, METHOD_HEADER: message["method"]}
        name = params.get(names(message["method"])) if isinstance(params, Mapping) else None
        return headers | ({NAME_HEADER: name} if isinstance(name, str) else {})


def _failure(id: Any, message: str) -> bytes:
    return orjson.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": message}})


def main() -> str | None:
    """Runs the bridge. Returns a sentence if the environment lacks something."""
    token = os.environ.get(TOKEN)
    if not token:
        return f"Set {TOKEN} to an API token, with the permissions that the agent shall have."
    asyncio.run(serve(os.environ.get(ADDRESS, "http://127.0.0.1:3000"), token))
    return None
