"""`POST /messages` on a PostgreSQL as Debian installs it, against the embedded one, or against itself without `jit`.

    python -m bench.debian_postgres [--against embedded | jit | billing | approval]
                                    [--clients 200] [--rounds 3] [--seconds 8]

A real API process without a worker; 1, 8, 40 and 200 clients of one account; the rounds alternate. Printed are the
messages that were accepted a second, their ratio, and the 99th percentile of the answers' times. `--against jit` has
both sides on Debian's server, whose database has `jit = on` for the first and `jit = off` for the second.
`--against billing` has both on the embedded server: messages cost nothing for the first, and are charged for the other.
`--against approval` has both on the embedded server: the token of the first has `approvalAbove`, that of the other has
no limit. All messages go to one recipient, who is counted in the first round.
"""

import argparse
import asyncio
import statistics
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg

from bench.gateway import child
from bench.load import Measured, in_turns, request
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services
from tests.support.debian_postgres import debian_postgres
from tests.support.ports import free_port

CLIENTS = (1, 8, 40, 200)
GOAL = 0.8
_BILLING = """
INSERT INTO installation_choice AS c (billing) VALUES ('{0}') ON CONFLICT (single) DO UPDATE SET billing = '{0}'
"""
_APPROVAL = "UPDATE api_tokens SET approval_above = {0}"
_BODY = b'{"to":"+14155550100","channel":"sms","body":"Your code is 424242"}'
_KEYS = {"secret_key": "s" * 32, "jwt_key": "j" * 32}


@dataclass(frozen=True, slots=True)
class Server:
    """A PostgreSQL with a user who sends, and a Redis of its own."""

    url: str
    redis: str
    folder: str
    token: str


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two that are compared. `before`: SQL that its database gets before each round."""

    name: str
    server: Server
    before: str = ""


async def _prepared(url: str, stack: ExitStack) -> Server:
    """Migrates the database, and makes a user with money."""
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="postern-bench-"))
    redis = stack.enter_context(EmbeddedRedis(Path(folder)))
    keys: dict[str, Any] = dict(_KEYS)
    settings = Settings(_env_file=None, db_string=url, redis_url=redis.url, **keys)
    await prepare(settings)
    async with services(settings) as opened:
        await operator.create_user(opened, "bench@bench.test", admin=False, password="bench bench")
        await operator.credit(opened, "bench@bench.test", "1000000", account_id=None, note="bench")
        token = await operator.create_token(opened, "bench@bench.test", "bench")
    return Server(url, redis.url, folder, token)


async def _sides(against: str, stack: ExitStack) -> tuple[Side, Side]:
    if against in ("billing", "approval"):
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="postern-bench-"))
        server = await _prepared(stack.enter_context(EmbeddedPostgres(Path(folder))).url, stack)
        if against == "approval":
            return (
                Side("approvalAbove", server, _APPROVAL.format(1000)),
                Side("no limit", server, _APPROVAL.format("NULL")),
            )
        return (
            Side("off", server, _BILLING.format("off")),
            Side("prepaid", server, _BILLING.format("prepaid")),
        )
    debian = await _prepared(stack.enter_context(debian_postgres()), stack)
    if against == "jit":
        return (
            Side("jit on", debian, "ALTER DATABASE postern SET jit = on"),
            Side("jit off", debian, "ALTER DATABASE postern SET jit = off"),
        )
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="postern-bench-"))
    embedded = await _prepared(stack.enter_context(EmbeddedPostgres(Path(folder))).url, stack)
    return Side("Debian's", debian), Side("embedded", embedded)


async def _measured(side: Side, clients: int, seconds: float) -> Measured:
    """Returns the messages accepted a second by a new API process, and their p99 in milliseconds."""
    server = side.server
    db = await asyncpg.connect(server.url)
    if side.before:
        await db.execute(side.before)
    await db.execute("TRUNCATE messages CASCADE")
    await db.close()
    port = free_port()
    environment = {
        "DB_STRING": server.url, "REDIS_URL": server.redis, "POSTERN_SECRET_KEY": _KEYS["secret_key"],
        "POSTERN_JWT_KEY": _KEYS["jwt_key"], "POSTERN_DATA_DIR": server.folder, "POSTERN_LOG_LEVEL": "error",
        "POSTERN_LIMIT_MESSAGES": "1000000000/60",
    }  # fmt: skip
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    requests = [request("/messages", headers, _BODY)] * clients
    async with child(port, "/health", environment, "postern", "serve", "--no-worker", "--port", str(port)):
        await in_turns(port, requests, 1.0)  # connections and caches are warm
        answers = await in_turns(port, requests, seconds)
    rate = (len(answers.times) - answers.failed) / answers.took
    return Measured(rate, answers.percentile(99), answers.failed)


async def main(against: str, numbers: list[int], rounds: int, seconds: float) -> None:
    """Prints the measurements of all rounds, and the ratio of the median rates."""
    with ExitStack() as stack:
        sides = await _sides(against, stack)
        for clients in numbers:
            done: dict[str, list[Measured]] = {side.name: [] for side in sides}
            for number in range(rounds):
                for side in sides if number % 2 == 0 else sides[::-1]:
                    done[side.name].append(await _measured(side, clients, seconds))
            first, second = (statistics.median(one.per_second for one in each) for each in done.values())
            print(f"{clients:3} clients  {first / second:.2f} (goal {GOAL})", flush=True)
            for name, each in done.items():
                rates = ", ".join(f"{one.per_second:.0f}" for one in each)
                times = ", ".join(f"{one.p99_ms:.0f}" for one in each)
                print(f"    {name}: accepted a second {rates}; p99 {times} ms", flush=True)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument(
        "--against", choices=["jit", "embedded", "billing", "approval"], default="embedded"
    )
    arguments.add_argument("--clients", type=int, nargs="+", default=CLIENTS)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--seconds", type=float, default=8.0)
    options = arguments.parse_args()
    asyncio.run(main(options.against, options.clients, options.rounds, options.seconds))
