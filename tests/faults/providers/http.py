"""Takes JSON POSTs, as the driver `post` sends them."""

import asyncio
import json

from tests.faults.providers.effects import SILENCE, Effects, Trouble

_NOT_TAKEN = {Trouble.throttled: 429, Trouble.unavailable: 503, Trouble.doubtful: 500}


async def serve(effects: Effects) -> int:
    """Returns the port."""

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length:")
                )
                message = json.loads(await reader.readexactly(length))
                await asyncio.sleep(effects.latency())
                if (answer := await _answer(effects, message)) is None:
                    return
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(connection, "127.0.0.1", 0, backlog=1024)
    return int(server.sockets[0].getsockname()[1])


async def _answer(effects: Effects, message: dict[str, str]) -> bytes | None:
    """Returns the bytes of an answer; None if the connection is to be reset."""
    trouble = effects.trouble()
    if trouble is not None and trouble not in (Trouble.throttled, Trouble.unavailable):
        effects.doubt()
    if trouble in _NOT_TAKEN:
        return _http(_NOT_TAKEN[trouble], {}, "Retry-After: 1\r\n" if trouble is Trouble.throttled else "")
    id = effects.take(message["key"], message["id"], message["to"], message["body"])
    if trouble is Trouble.silence:
        await asyncio.sleep(SILENCE)
    if trouble in (Trouble.reset, Trouble.silence):
        return None
    return _http(500, {}) if trouble is Trouble.error else _http(200, {"id": id})


def _http(status: int, body: dict[str, str], more: str = "") -> bytes:
    content = json.dumps(body).encode()
    return f"HTTP/1.1 {status} X\r\nContent-Length: {len(content)}\r\n{more}\r\n".encode() + content
