"""`python -m bench.shortcuts [NAME …]` measures each shortcut of the request path against the way without it.

Two servers run, one with the shortcut and one without (`bench/without.py`), on the same database and Redis. They are
asked alternately, in rounds, and each round gives one ratio. The processor's time a request is printed too, because it
depends less on what else the machine does.
"""

import argparse
import asyncio
import statistics
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import httpx
import orjson

from bench import contest
from bench.gateway import login
from bench.graphql import Contestant, Unfair, own_servers, processor, serving
from bench.load import drive
from core.installation import ROOT
from core.settings import Settings
from postern import operator
from postern.process import prepare
from runtime.services import services

PORT = 3930


@dataclass(frozen=True)
class Ask:
    """A request. `{user}` and `{message}` are filled in."""

    title: str
    path: str
    body: object = None


USER = Ask("GET /users/{id}", "/users/{user}")
MESSAGES = Ask("GET /messages?limit=100", "/messages?limit=100")
SEND = Ask(
    "POST /messages", "/messages", {"to": "+15005550080", "channel": "sms", "body": "Your code is 424242"}
)
ONE = Ask("GraphQL, one message", "/graphql", {"query": '{message(id:"{message}"){uuid status to body}}'})
LIST = Ask(
    "GraphQL, 100 messages",
    "/graphql",
    {"query": "{messages(first:100){nodes{uuid channel direction status to body createdAt updatedAt}}}"},
)
ASKED = {
    "routes": (USER, MESSAGES, SEND, ONE),
    "connections": (USER, MESSAGES, ONE),
    "viewers": (USER, SEND, ONE),
    "points": (ONE, LIST),
    "hashes": (SEND,),
}
ERASED = 1000  # people whom the sender has erased and whose addresses stay blocked
_BLOCKS = """
INSERT INTO blocked_phones (id, owner_id, phone, reason, scope)
SELECT gen_random_uuid(), $1, 'erased:' || md5(n::text) || md5((-n)::text), 'complaint', 'all'
FROM generate_series(1, $2::int) AS n
"""


def _pair(name: str, environment: dict[str, str]) -> tuple[Contestant, Contestant]:
    def serve(*command: str, port: int) -> tuple[str, ...]:
        return (sys.executable, "-m", *command, "serve", "--no-worker", "--port", str(port))

    return (
        Contestant("with", "with", PORT, serve("postern", port=PORT), environment),
        Contestant(
            f"without-{name}", "without", PORT + 1, serve("bench.without", name, port=PORT + 1), environment
        ),
    )


async def _compare(
    pair: tuple[Contestant, Contestant], ask: Ask, filled: dict[str, str], arguments: argparse.Namespace
) -> None:
    path, body = ask.path, None if ask.body is None else orjson.dumps(ask.body)
    for key, value in filled.items():
        path = path.replace("{" + key + "}", value)
        body = body and body.replace(b"{" + key.encode() + b"}", value.encode())
    rates: dict[str, list[float]] = {server.title: [] for server in pair}
    work: dict[str, list[float]] = {server.title: [] for server in pair}
    failed = 0
    first, second = [await _answer(server, path, body) for server in pair]
    if first != second and ask is not SEND:
        raise Unfair(f"{ask.title}: {first[:200]!r} and {second[:200]!r}")
    for server in pair:
        await drive(server.port, path, server.headers, 1.0, body)
    for number in range(arguments.rounds):
        for server in pair if number % 2 == 0 else pair[::-1]:
            before = processor(server.pid)
            measured = await drive(server.port, path, server.headers, arguments.seconds, body)
            failed += measured.failed
            rates[server.title].append(measured.per_second)
            work[server.title].append(
                (processor(server.pid) - before) * 1e6 / max(1.0, measured.per_second * arguments.seconds)
            )
    speed = [mine / other for mine, other in zip(rates["with"], rates["without"], strict=True)]
    less = [other / mine for mine, other in zip(work["with"], work["without"], strict=True)]
    print(
        f"  {ask.title:26} {statistics.median(speed):5.2f} times as many requests"
        f" ({', '.join(f'{ratio:.2f}' for ratio in speed)})"
        f"   without it {statistics.median(less):4.2f} times the processor's time"
        f" ({statistics.median(work['with']):,.0f} -> {statistics.median(work['without']):,.0f} µs)"
        + (f", {failed} FAILED" if failed else ""),
        flush=True,
    )


async def _answer(server: Contestant, path: str, body: bytes | None) -> bytes:
    """Returns the answer without the cost of a query. Raises Unfair for an error."""
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{server.port}", headers=server.headers
    ) as client:
        answer = await client.request("GET" if body is None else "POST", path, content=body)
    if answer.is_error or b'"errors":' in answer.content:
        raise Unfair(f"{server.title} answers {path} with {answer.text[:500]}")
    return answer.content.partition(b'"extensions"')[0]


async def _measure(arguments: argparse.Namespace, folder: Path, url: str, redis: str) -> None:
    allowlist = folder / "allow.conf"
    allowlist.write_text("127.0.0.0/8\n")
    environment = {
        "DB_STRING": url, "REDIS_URL": redis, "POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32,
        "POSTERN_ACCESS_TOKEN_SECONDS": "86400", "POSTERN_LIMIT_GRAPHQL": "1000000000/60",
        "POSTERN_LIMIT_MESSAGES": "1000000000/60", "IP_ALLOWLIST_FILE": str(allowlist),
        "IP_ALLOWLIST_MODE": "Enforce", "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    settings = Settings(_env_file=None, db_string=url, redis_url=redis, secret_key="s" * 32, jwt_key="j" * 32)
    await prepare(settings)
    async with services(settings) as opened:
        owner, other = [
            (await operator.create_user(opened, f"{who}@example.com", admin=False, password="bench bench")).id
            for who in ("bench", "other")
        ]
    message = await contest.fill(url, owner, other)
    connection = await asyncpg.connect(url)
    await connection.execute("UPDATE accounts SET balance = 100000000")  # enough for all the messages
    await connection.execute(_BLOCKS, owner, ERASED)
    await connection.close()
    filled = {"user": str(owner), "message": str(message)}
    for name in arguments.names or ASKED:
        print(f"{name}:")
        pair = _pair(name, environment)
        async with AsyncExitStack() as stack:
            for server in pair:
                await stack.enter_async_context(serving(server, folder))
                server.headers |= await login(server.port, "bench@example.com")
            for ask in ASKED[name]:
                await _compare(pair, ask, filled, arguments)


async def main(arguments: argparse.Namespace) -> None:
    with own_servers() as (folder, url, redis):
        await _measure(arguments, folder, url, redis)


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.shortcuts")
    parse.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ASKED)}; default: all")
    parse.add_argument("--seconds", type=float, default=4, help="of load, for each server in each round")
    parse.add_argument("--rounds", type=int, default=5)
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))
