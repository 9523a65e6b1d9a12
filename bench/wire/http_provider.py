"""An HTTP provider in a process of its own: it takes POSTs, answers after a latency, and counts.

`python -m bench.wire.http_provider --latency 200` prints its port. A request whose Idempotency-Key (or webhook-id) is
known is answered as the first one and counted as a duplicate. `GET` answers with the counts since the last `DELETE`,
times in seconds of the monotonic clock, which all processes of a machine share. With `--ages` the body of each POST is
JSON whose `text` begins with the time at which it was made, and the seconds since then are kept. With `--refuse 100`
every hundredth POST is answered with 503 and not counted.
"""

import argparse
import asyncio
import sys
import time
from typing import Any

import orjson

_KEYS = (b"\r\nidempotency-key:", b"\r\nwebhook-id:")
_LENGTH = b"\r\ncontent-length:"


class Counts:
    """Counts the requests that were received since the last reset."""

    def __init__(self) -> None:
        self.known: dict[bytes, int] = {}
        self.requests = 0
        self.first = self.last = 0.0
        self.ages: list[float] = []

    def count(self, key: bytes) -> int:
        """Returns the number of the message with this key."""
        self.requests += 1
        number = self.known.setdefault(key, len(self.known))
        if number == len(self.known) - 1:
            self.last = time.monotonic()
            self.first = self.first or self.last
        return number

    def report(self) -> dict[str, Any]:
        messages = len(self.known)
        return {
            "messages": messages,
            "duplicates": self.requests - messages,
            "first": self.first,
            "last": self.last,
            "ages": self.ages,
        }


class Connection(asyncio.Protocol):
    """One connection of a client. asyncio's streams would take longer than everything else here."""

    def __init__(self, provider: "Provider") -> None:
        self._provider = provider
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._provider.connections.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._provider.connections.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        self._buffer = self._buffer + data if self._buffer else data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[: end + 2].lower()
            after = end + 4 + int(_header(head, _LENGTH) or 0)
            if len(self._buffer) < after:
                return
            body, self._buffer = self._buffer[end + 4 : after], self._buffer[after:]
            self._provider.answer(self._transport, head, body)


class Provider:
    def __init__(self, latency: float, *, ages: bool, refuse: int) -> None:
        self._latency, self._ages, self._refuse = latency, ages, refuse
        self._posts = 0
        self._counts = Counts()
        self._loop = asyncio.get_running_loop()
        self.connections: set[asyncio.Transport] = set()

    def answer(self, transport: asyncio.Transport, head: bytes, body: bytes) -> None:
        if not head.startswith(b"post "):
            transport.write(_response(orjson.dumps(self._counts.report())))
            if head.startswith(b"delete "):
                self._counts = Counts()
            return
        self._posts += 1
        if self._refuse and self._posts % self._refuse == 0:
            self._send(transport, _response(b"{}", b"503 Service Unavailable"))
            return
        key = next((key for name in _KEYS if (key := _header(head, name)) is not None), b"")
        number = self._counts.count(key or b"%d" % self._counts.requests)
        if self._ages:
            self._counts.ages.append(time.time() - float(orjson.loads(body)["text"].split()[0]))
        self._send(transport, _response(b'{"id":"p%d"}' % number))

    def _send(self, transport: asyncio.Transport, response: bytes) -> None:
        if self._latency:
            self._loop.call_later(self._latency, _write, transport, response)
        else:
            transport.write(response)


def _write(transport: asyncio.Transport, response: bytes) -> None:
    if not transport.is_closing():
        transport.write(response)


def _header(head: bytes, name: bytes) -> bytes | None:
    """Returns the value of a header, in lower case like the whole head."""
    start = head.find(name)
    return None if start < 0 else head[start + len(name) : head.index(b"\r\n", start + 2)].strip()


def _response(body: bytes, status: bytes = b"200 OK") -> bytes:
    return b"HTTP/1.1 %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
        status,
        len(body),
        body,
    )


async def main() -> None:
    parse = argparse.ArgumentParser(prog="python -m bench.wire.http_provider")
    parse.add_argument("--latency", type=float, default=0.0, help="milliseconds")
    parse.add_argument("--ages", action="store_true")
    parse.add_argument("--refuse", type=int, default=0, help="every so many POSTs one is refused; 0: none")
    arguments = parse.parse_args()
    provider = Provider(arguments.latency / 1000, ages=arguments.ages, refuse=arguments.refuse)
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(provider), "127.0.0.1", 0, backlog=1024
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    # The one who started us holds our standard input: when that process ends, however it ends, so do we.
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
