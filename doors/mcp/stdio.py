"""MCP by standard input and output, for clients that start their servers themselves: each line is a message, which is
passed to /mcp of a service that runs, and each answer is a line.

The credential is an API token in the environment, as MCP says for this transport: it stands in no argument, which other
users of the machine could read.
"""

import asyncio
import base64
import os
import sys
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

import aiohttp
import orjson
from mcp_types.jsonrpc import PARSE_ERROR

from doors.mcp.envelope import METHOD_HEADER, NAME_HEADER, REVISION_HEADER, names

ADDRESS: Final = "MCP_URL"
TOKEN: Final = "MCP_TOKEN"
_LONGEST: Final = 1024 * 1024
_AT_ONCE: Final = 8
_META: Final = "io.modelcontextprotocol/protocolVersion"


async def serve(address: str, token: str) -> None:
    """Passes messages until standard input ends. Raises OSError or ValueError if it can't be read as a pipe."""
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
        async for line in _lines(reader):
            await turns.acquire()
            task = asyncio.create_task(bridge.passed(session, line))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            task.add_done_callback(lambda _: turns.release())
        await asyncio.gather(*tasks)


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[bytes | None]:
    """Iterates over lines without their ends. A line that is too long is skipped, and comes as None."""
    skipping = False
    while True:
        try:
            line = await reader.readuntil(b"\n")
        except asyncio.IncompleteReadError as end:
            line = end.partial
            if not line:
                return
        except asyncio.LimitOverrunError as beyond:
            await reader.readexactly(beyond.consumed)
            skipping = True
            continue
        if skipping:
            skipping = False
            yield None
        elif line := line.strip():
            yield line


class _Bridge:
    """Holds the revision that the client and the service have agreed on."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._revision: str | None = None

    async def passed(self, session: aiohttp.ClientSession, line: bytes | None) -> None:
        """Passes one message, and writes what the service answers. Each request gets an answer, and no notification."""
        if line is None:
            _write(_failure(None, f"A message may have at most {_LONGEST} bytes.", PARSE_ERROR))
            return
        try:
            message = orjson.loads(line)
        except orjson.JSONDecodeError:
            message = None
        id = message.get("id") if isinstance(message, dict) else None
        try:
            async with session.post(
                self._url, data=line, headers=self._headers(message), allow_redirects=False
            ) as response:
                answer = _answer(await response.read())
                if answer is None:
                    answer = _failure(
                        id,
                        f"The service answered {response.status}; POSTERN_MCP=1 switches its door /mcp on.",
                    )
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            # A ValueError is a header that can't be sent, such as a revision with a line's end.
            answer = _failure(id, f"The service at {self._url} does not answer: {error}.")
        if isinstance(message, dict) and "id" not in message:
            return
        if isinstance(message, dict) and message.get("method") == "initialize":
            self._revision = (answer.get("result") or {}).get("protocolVersion")
        _write(answer)

    def _headers(self, message: Any) -> dict[str, str]:
        """Returns the headers that say over HTTP what the body says."""
        if not isinstance(message, Mapping) or not isinstance(message.get("method"), str):
            return {}
        params = message.get("params")
        meta = params.get("_meta") if isinstance(params, Mapping) else None
        revision = meta.get(_META) if isinstance(meta, Mapping) else None
        if not isinstance(revision, str):
            return {} if self._revision is None else {REVISION_HEADER: self._revision}
        headers = {REVISION_HEADER: revision, METHOD_HEADER: _as_header(message["method"])}
        name = params.get(names(message["method"])) if isinstance(params, Mapping) else None
        return headers | ({NAME_HEADER: _as_header(name)} if isinstance(name, str) else {})


def _as_header(name: str) -> str:
    """Returns a name as a header can have it."""
    if name.isascii() and name.isprintable() and name == name.strip() and not name.startswith("=?"):
        return name
    return f"=?base64?{base64.b64encode(name.encode()).decode()}?="


def _answer(body: bytes) -> dict[str, Any] | None:
    """Returns a message of JSON-RPC; None for anything else, such as the page of a proxy."""
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return answer if isinstance(answer, dict) and answer.get("jsonrpc") == "2.0" else None


def _failure(id: Any, message: str, code: int = -32000) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


def _write(answer: Mapping[str, Any]) -> None:
    sys.stdout.buffer.write(orjson.dumps(answer) + b"\n")
    sys.stdout.buffer.flush()


def main() -> str | None:
    """Runs the bridge. Returns a sentence if the environment lacks something."""
    token = os.environ.get(TOKEN)
    if not token:
        return f"Set {TOKEN} to an API token, with the permissions that the agent shall have."
    if not token.isascii() or not token.isprintable():
        return f"{TOKEN} has characters that no API token has. Copy it again."
    try:
        asyncio.run(serve(os.environ.get(ADDRESS, "http://127.0.0.1:3000"), token))
    except BrokenPipeError:
        return "Nobody reads the standard output any more."
    except (OSError, ValueError):
        return "Standard input must be a pipe or a terminal, by which a client sends its messages."
    return None
