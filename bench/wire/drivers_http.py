"""The driver `post` alone, without a database, against a bare aiohttp loop: `python -m bench.wire.drivers_http`.

Both send the same bodies and headers over the same number of connections and read the answer; server and clients are
processes of their own, and the clients run on uvloop, as a worker does. The driver gets one message a call, as many
calls at once as it has connections. Printed are messages a second and milliseconds of the client's processor time a
message (medians of the rounds), and the median of the rounds' ratios. The goal is 0.9 of the bare loop, and not one
outcome other than `sent`.
"""

import argparse
import asyncio
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from statistics import median
from typing import Any
from uuid import UUID, uuid4

import aiohttp
import orjson
import uvloop
from yarl import URL

from channels.dsn import Dsn
from channels.port import Channel, Outgoing
from channels.post import PostChannel
from core.installation import ROOT

# milliseconds, connections, messages
CASES = ((200, 100, 5000), (20, 32, 10_000), (50, 10, 1500), (200, 300, 10_000))
WARM_UP = 2  # messages a connection
TEXT = "Your parcel arrives today between 14:00 and 16:00. Reply STOP to end these messages."
Send = Callable[[UUID], Awaitable[str]]


class Connection(asyncio.Protocol):
    """A provider's side of one connection: every POST is answered after the latency."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._buffer = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end].lower()
            _, _, length = head.partition(b"\r\ncontent-length:")
            after = end + 4 + int(length.split(b"\r\n")[0])
            if len(self._buffer) < after:
                return
            key = orjson.loads(self._buffer[end + 4 : after])["key"].encode()
            self._buffer = self._buffer[after:]
            body = b'{"id":"p-' + key + b'"}'
            answer = (
                b"HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
            )
            asyncio.get_running_loop().call_later(self._seconds, self._answer, answer % (len(body), body))

    def _answer(self, answer: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(answer)


async def serve(seconds: float) -> None:
    """Prints the port, and serves until the standard input ends."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(seconds), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


@asynccontextmanager
async def bare(port: int, connections: int) -> AsyncIterator[Send]:
    """The loop that anybody would write."""
    url = URL(f"http://127.0.0.1:{port}/send")
    common = {"User-Agent": "Postern", "Accept": "application/json", "Content-Type": "application/json"}
    connector = aiohttp.TCPConnector(limit=connections)
    async with aiohttp.ClientSession(
        connector=connector, headers={**common, "Accept-Encoding": "gzip, deflate"}
    ) as session:

        async def send(id: UUID) -> str:
            body = orjson.dumps(
                {
                    "id": str(id),
                    "key": str(id),
                    "channel": "sms",
                    "to": "+14155550123",
                    "body": TEXT,
                    "subject": None,
                    "html": None,
                    "replyTo": None,
                    "metadata": {},
                }
            )
            async with session.post(url, data=body, headers={"Idempotency-Key": str(id)}) as response:
                answer = orjson.loads(await response.read())
                return "sent" if response.status == 202 and answer["id"] == f"p-{id}" else "wrong"

        yield send


@asynccontextmanager
async def driver(port: int, connections: int) -> AsyncIterator[Send]:
    """The driver `post`."""
    dsn = Dsn.parse(f"post://127.0.0.1:{port}/send?scheme=http&connections={connections}")
    channel = PostChannel.from_dsn(dsn, "sms")

    async def sink(channel: Channel, events: Any) -> None:
        """The driver reports no events."""

    async def send(id: UUID) -> str:
        [outcome] = await channel.send([Outgoing(id=id, key=str(id), to="+14155550123", body=TEXT)])
        right = outcome.provider_message_id == f"p-{id}"
        return outcome.result.value if right else f"{outcome.result.value}: {outcome.reason}"

    await channel.open(sink)
    try:
        yield send
    finally:
        await channel.close()


CLIENTS = {"bare": bare, "driver": driver}


async def client(which: str, port: int, connections: int, count: int) -> None:
    """Sends `count` messages, and prints the result as JSON."""
    async with CLIENTS[which](port, connections) as send:
        await drive(send, connections, WARM_UP * connections)
        began, cpu = time.perf_counter(), time.process_time()
        outcomes = await drive(send, connections, count)
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(orjson.dumps({"rate": count / seconds, "cpu": cpu / count * 1000, "outcomes": outcomes}).decode())


async def drive(send: Send, connections: int, count: int) -> Counter[str]:
    """Sends `count` messages, always as many at once as there are connections."""
    left = iter(range(count))
    outcomes: Counter[str] = Counter()

    async def worker() -> None:
        for _ in left:
            outcomes[await send(uuid4())] += 1

    await asyncio.gather(*(worker() for _ in range(connections)))
    return outcomes


def run(*arguments: object) -> dict[str, Any]:
    """Returns what a client printed."""
    command = [sys.executable, "-m", "bench.wire.drivers_http", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    result: dict[str, Any] = orjson.loads(done.stdout)
    return result


def contest(latency: int, connections: int, count: int, rounds: int) -> None:
    """Runs both clients against one server in turn, and prints the medians."""
    command = [sys.executable, "-m", "bench.wire.drivers_http", "serve", str(latency / 1000)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout
        assert server.stdin
        port = int(server.stdout.readline())
        results: dict[str, list[dict[str, Any]]] = {name: [] for name in CLIENTS}
        for number in range(rounds):
            for name in sorted(CLIENTS, reverse=number % 2 == 1):
                results[name].append(run(name, port, connections, count))
        server.stdin.close()
    pairs = zip(results["driver"], results["bare"], strict=True)
    ratio = median(ours["rate"] / theirs["rate"] for ours, theirs in pairs)
    print(f"{latency} ms, {connections} connections, {count} messages, {rounds} rounds: {ratio:.2f}")
    for name, each in results.items():
        outcomes = sum((Counter(report["outcomes"]) for report in each), Counter[str]())
        rate, cpu = median(report["rate"] for report in each), median(report["cpu"] for report in each)
        print(f"    {name:8}{rate:8,.0f}/s{cpu:8.2f} ms   {dict(outcomes)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.wire.drivers_http")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--part", type=float, default=1.0, help="part of the messages, to be quicker")
    arguments = parser.parse_args()
    for latency, connections, count in CASES:
        contest(latency, connections, max(int(count * arguments.part), 2 * connections), arguments.rounds)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve", seconds]:
            uvloop.run(serve(float(seconds)))
        case [which, port, connections, count] if which in CLIENTS:
            uvloop.run(client(which, int(port), int(connections), int(count)))
        case _:
            main()
