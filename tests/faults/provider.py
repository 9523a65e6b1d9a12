"""A provider in a process of its own that is never killed: it takes JSON POSTs and writes down what took effect.

`python -m tests.faults.provider LOG HONOURS SEED TROUBLE` prints its port. Each effect is a line of LOG,
`key message-id recipient body-hash`. TROUBLE is the share of requests that it answers badly: 500 before or
after the effect, 429, 503, silence after the effect, a reset after the effect. With HONOURS it drops a request
whose key it has seen, and gives the answer of the first one.
"""

import asyncio
import hashlib
import json
import random
import sys
from pathlib import Path

_SILENCE = 30.0


class Provider:
    def __init__(self, log: Path, *, honours: bool, seed: int, trouble: float) -> None:
        self._log = log.open("a", buffering=1)
        self._honours, self._trouble = honours, trouble
        self._random = random.Random(seed)
        self._seen: dict[str, str] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length:")
                )
                said = json.loads(await reader.readexactly(length))
                await asyncio.sleep(self._random.uniform(0.0005, 0.004))
                if (answer := await self._answer(said)) is None:
                    writer.transport.abort()
                    return
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.transport.abort()

    async def _answer(self, said: dict[str, str]) -> bytes | None:
        kind = self._random.random() / self._trouble if self._trouble else 9.0
        if kind < 0.2:
            return _http(429, {}, "Retry-After: 1\r\n")
        if kind < 0.4:
            return _http(503, {})
        if kind < 0.5:
            return _http(500, {})
        id = self._take(said)
        if kind < 0.6:
            return _http(500, {})
        if kind < 0.8:
            return None
        if kind < 1.0:
            await asyncio.sleep(_SILENCE)
            return None
        return _http(200, {"id": id})

    def _take(self, said: dict[str, str]) -> str:
        key = said["key"]
        if self._honours and key in self._seen:
            return self._seen[key]
        self._seen[key] = f"p{len(self._seen)}"
        digest = hashlib.sha256(said["body"].encode()).hexdigest()
        self._log.write(f"{key} {said['id']} {said['to']} {digest}\n")
        return self._seen[key]


def _http(status: int, body: dict[str, str], more: str = "") -> bytes:
    content = json.dumps(body).encode()
    return f"HTTP/1.1 {status} X\r\nContent-Length: {len(content)}\r\n{more}\r\n".encode() + content


async def main(log: str, honours: str, seed: str, trouble: str) -> None:
    provider = Provider(Path(log), honours=honours == "1", seed=int(seed), trouble=float(trouble))
    server = await asyncio.start_server(provider.serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
