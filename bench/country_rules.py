"""`python -m bench.country_rules [--before FOLDER]` measures what rules of countries cost `POST /messages`.

One server is asked for users with a rule of each kind and for one without, alternately, in rounds; each round gives one
ratio. With a checkout of the code before there were rules, a server of it is asked alternately with this one, without
any rule. The processor's time a request is printed too, because it depends less on what else the machine does.
"""

import argparse
import asyncio
import os
import statistics
import tempfile
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import orjson

from bench.checkouts import server_of
from bench.gateway import login
from bench.graphql import JSON, PINNED, Contestant, on_processor, processor, serving
from bench.load import drive
from core.installation import ROOT
from postern.embedded import EmbeddedPostgres, EmbeddedRedis

PORT = 3940
_PLAIN = "plain"
_RULES: dict[str, tuple[Any, ...]] = {
    "lists": (["US", "DE", "FR"], ["KP"], None, None),
    "caps": (None, [], 1_000_000_000, 1_000_000_000),
    "lists and caps": (["US", "DE", "FR"], ["KP"], 1_000_000_000, 1_000_000_000),
}
_BODY = orjson.dumps({"to": "+15005550080", "channel": "sms", "body": "Your code is 424242"})
_SET = """
INSERT INTO country_rules (id, owner_id, allow, deny, per_hour, per_day)
SELECT id, id, $2, $3, $4, $5 FROM users WHERE email = $1
"""


@dataclass(eq=False)
class Side:
    """A user of a server."""

    server: Contestant
    headers: dict[str, str]
    rates: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)

    async def ask(self, seconds: float) -> int:
        """Asks for so long. Returns how many requests have failed."""
        before = processor(self.server.pid)
        measured = await drive(self.server.port, "/messages", self.headers, seconds, _BODY)
        self.rates.append(measured.per_second)
        used = (processor(self.server.pid) - before) * 1e6
        self.work.append(used / max(1.0, measured.per_second * seconds))
        return measured.failed


def _email(kind: str) -> str:
    return f"{kind.replace(' ', '-')}@example.com"


async def _server(name: str, root: Path, port: int, url: str, environment: dict[str, str]) -> Contestant:
    """Returns the server of a checkout, with the users of this benchmark."""
    kinds = (_PLAIN, *(_RULES if root == ROOT else ()))
    server = await server_of(root, name, port, url, environment, [_email(kind) for kind in kinds])
    connection = await asyncpg.connect(server.environment["DB_STRING"])
    if root == ROOT:
        for kind, rule in _RULES.items():
            await connection.execute(_SET, _email(kind), *rule)
    await connection.close()
    return server


async def _side(server: Contestant, kind: str) -> Side:
    return Side(server, {**JSON, **await login(server.port, _email(kind))})


async def _compare(title: str, side: Side, other: Side, arguments: argparse.Namespace) -> None:
    sides, failed = (side, other), 0
    for each in sides:
        await drive(each.server.port, "/messages", each.headers, 1.0, _BODY)
    for number in range(arguments.rounds):
        for each in sides if number % 2 == 0 else sides[::-1]:
            failed += await each.ask(arguments.seconds)
    ratios = [mine / theirs for mine, theirs in zip(side.rates, other.rates, strict=True)]
    work = [statistics.median(each.work) for each in sides]
    print(
        f"  {title:36} {statistics.median(ratios):5.3f} times as many requests"
        f" ({', '.join(f'{ratio:.2f}' for ratio in ratios)})   processor's time {work[0]:,.0f} and {work[1]:,.0f} µs"
        + (f", {failed} FAILED" if failed else ""),
        flush=True,
    )


async def _measure(arguments: argparse.Namespace, folder: Path, url: str, redis: str) -> None:
    allowlist = folder / "allow.conf"
    allowlist.write_text("127.0.0.0/8\n")
    environment = {
        "REDIS_URL": redis, "POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32,
        "POSTERN_ACCESS_TOKEN_SECONDS": "86400", "POSTERN_LIMIT_MESSAGES": "1000000000/60",
        "IP_ALLOWLIST_FILE": str(allowlist), "IP_ALLOWLIST_MODE": "Enforce",
    }  # fmt: skip
    async with AsyncExitStack() as stack:
        now = await _server("now", ROOT, PORT, url, environment)
        await stack.enter_async_context(serving(now, folder))
        if arguments.before:
            root = arguments.before.resolve()
            before = await _server("before", root, PORT + 1, url, environment)
            await stack.enter_async_context(serving(before, folder))
            sides = await _side(now, _PLAIN), await _side(before, _PLAIN)
            await _compare("no rule, to the code before", *sides, arguments)
        for kind in _RULES:
            await _compare(f"{kind}, to no rule", await _side(now, kind), await _side(now, _PLAIN), arguments)


async def main(arguments: argparse.Namespace) -> None:
    if not PINNED:
        print("Nothing is pinned to a processor here; the ratios say less.")
    print(f"load before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as name, on_processor(1):
        folder = Path(name)
        with EmbeddedPostgres(folder) as postgres, EmbeddedRedis(folder) as redis:
            await _measure(arguments, folder, postgres.url, redis.url)


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.country_rules")
    parse.add_argument("--before", type=Path, help="a checkout of the code before")
    parse.add_argument("--seconds", type=float, default=4, help="of load, for each server in each round")
    parse.add_argument("--rounds", type=int, default=5)
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))
