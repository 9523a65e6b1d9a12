"""`python -m bench.project_plan --before FOLDER` measures what prices by country cost the plan of a project.

FOLDER is a checkout of the code before there were price lists. Two servers, each with a project of a million phones in
five countries, are asked for its plan by HTTP, alternately; each round gives one ratio. On our side the tariff has a
price list of 60,000 prefixes, and the plan has the cost by country.
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import httpx

from bench.checkouts import server_of
from bench.gateway import login
from bench.graphql import Contestant, serving
from core.installation import ROOT
from postern.embedded import EmbeddedPostgres, EmbeddedRedis

PORT = 3950
_EMAIL = "plain@example.com"
_FILL = """
INSERT INTO recipients (id, project_id, address, name)
SELECT gen_random_uuid(), $1,
  '+' || (ARRAY['4915', '49301', '1415', '3361', '4850'])[1 + n % 5] || (1000000 + n), 'n' || n
FROM generate_series(1, $2) AS n
"""
_PRICES = """
INSERT INTO prices (version_id, channel, prefix, price)
SELECT DISTINCT $1::uuid, 'sms', (10 + (n * 7919) % 989989)::text, 0.05 FROM generate_series(1, 60000) AS n
"""
_NEW = {"name": "Plan", "channel": "sms", "text": "Hello {{ name }}, our shop opens at nine."}


class Side:
    """A server with its project."""

    def __init__(self, server: Contestant, http: httpx.AsyncClient, project: str) -> None:
        self.server, self.http, self.project = server, http, project
        self.seconds: list[float] = []

    async def plan(self) -> dict[str, object]:
        """Asks for the plan, and notes how long it took."""
        begun = time.perf_counter()
        answer = await self.http.post(f"/sending-project/{self.project}/plan", json={})
        self.seconds.append(time.perf_counter() - begun)
        answer.raise_for_status()
        body: dict[str, object] = answer.json()
        return body


async def _side(stack: AsyncExitStack, server: Contestant, recipients: int, *, priced: bool) -> Side:
    headers = await login(server.port, _EMAIL)
    http = await stack.enter_async_context(
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", headers=headers, timeout=120)
    )
    made = (await http.post("/sending-project", json=_NEW)).raise_for_status().json()["uuid"]
    db = await asyncpg.connect(server.environment["DB_STRING"])
    await db.execute(_FILL, made, recipients)
    if priced:
        list_id = await db.fetchval(
            "INSERT INTO price_lists (id, name, currency) VALUES (gen_random_uuid(), 'Bench',"
            " (SELECT currency FROM accounts LIMIT 1)) RETURNING id"
        )
        version = await db.fetchval(
            "INSERT INTO price_list_versions (id, list_id, number, valid_from, size)"
            " VALUES (gen_random_uuid(), $1, 1, now(), 60000) RETURNING id",
            list_id,
        )
        await db.execute(_PRICES, version)
        await db.execute("UPDATE tariffs SET price_list_id = $1", list_id)
    await db.execute("VACUUM ANALYZE")
    await db.close()
    return Side(server, http, made)


async def main(arguments: argparse.Namespace) -> None:
    print(f"load before: {os.getloadavg()[0]:.1f}")
    environment = {
        "POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32, "POSTERN_ACCESS_TOKEN_SECONDS": "86400",
    }  # fmt: skip
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="postern-bench-")))
        postgres, redis = (stack.enter_context(kind(folder)) for kind in (EmbeddedPostgres, EmbeddedRedis))
        environment["REDIS_URL"] = redis.url
        roots = {"now": ROOT, "before": arguments.before.resolve()}
        sides = {}
        for number, (name, root) in enumerate(roots.items()):
            server = await server_of(root, name, PORT + number, postgres.url, environment, [_EMAIL])
            await stack.enter_async_context(serving(server, folder))
            sides[name] = await _side(stack, server, arguments.recipients, priced=root == ROOT)
            body = await sides[name].plan()
            print(f"  {name}: {body['toSend']:,} to send, exact: {body['exact']}, cost {body['cost']}"[:220])
        for number in range(arguments.rounds):
            for side in [*sides.values()][:: 1 if number % 2 else -1]:
                await side.plan()
    now, before = (sides[name].seconds[1:] for name in ("now", "before"))
    ratios = [mine / theirs for mine, theirs in zip(now, before, strict=True)]
    print(
        f"  a plan takes {statistics.median(now) * 1000:,.0f} ms, before {statistics.median(before) * 1000:,.0f} ms:"
        f" {statistics.median(ratios):.3f} ({', '.join(f'{ratio:.2f}' for ratio in ratios)})"
    )


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.project_plan")
    parse.add_argument("--before", type=Path, required=True, help="a checkout of the code before price lists")
    parse.add_argument("--recipients", type=int, default=1_000_000)
    parse.add_argument("--rounds", type=int, default=9)
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))
