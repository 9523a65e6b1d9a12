"""`python -m bench.plans` measures the plan of a list of a million recipients: what its digest costs the statements
that add them, how long a plan takes once the list is in, and a start by the plan against a start without one.

Requests go to a real `postern serve`, rows are added by SQL in pages of 5,000, and the order changes in each round.
`--recipients` sets the number, `--rounds` how often each is done: an even number, since each start is slower than the
last.
"""

import argparse
import asyncio
import statistics
import time
from datetime import UTC, datetime
from typing import Any

import asyncpg
import httpx

from bench.serving import installation

_PAGE = 5000
_ADD = """
INSERT INTO recipients (id, project_id, address, name, variables)
SELECT gen_random_uuid(), $1, '+4915' || lpad(i::text, 8, '0'), 'Person ' || i,
  jsonb_build_object('code', i, 'first', 'A' || i, 'city', 'Berlin')
FROM generate_series($2::int, $3::int) AS i
"""
_READY = "SELECT preparation IS NULL FROM sending_projects WHERE id = $1"


async def _project(client: httpx.AsyncClient) -> str:
    # A start in a window that is closed makes all messages, and sends none.
    closed = {
        "timezone": "UTC",
        "from": "00:00",
        "to": "01:00",
        "days": [(datetime.now(UTC).weekday() + 3) % 7 + 1],
    }
    body = {"name": "bench", "channel": "sms", "text": "Hi {{ first }}", "window": closed}
    answer = await client.post("/sending-project", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["uuid"])


async def _fill(connection: asyncpg.Connection, project: str, number: int) -> float:
    began = time.perf_counter()
    for first in range(0, number, _PAGE):
        await connection.execute(_ADD, project, first, min(first + _PAGE, number) - 1)
    return time.perf_counter() - began


async def _plan(client: httpx.AsyncClient, project: str) -> tuple[float, str]:
    began = time.perf_counter()
    answer = await client.post(f"/sending-project/{project}/plans", timeout=120)
    answer.raise_for_status()
    return time.perf_counter() - began, str(answer.json()["hash"])


async def _look(client: httpx.AsyncClient, project: str) -> float:
    began = time.perf_counter()
    (await client.post(f"/sending-project/{project}/plan", json={}, timeout=120)).raise_for_status()
    return time.perf_counter() - began


async def _start(
    client: httpx.AsyncClient, connection: asyncpg.Connection, project: str, plan_hash: str | None
) -> tuple[float, float]:
    """Returns the seconds of the request, and those until all messages are made."""
    body: dict[str, Any] = {} if plan_hash is None else {"planHash": plan_hash}
    began = time.perf_counter()
    answer = await client.post(f"/sending-project/start/{project}", json=body, timeout=120)
    answer.raise_for_status()
    answered = time.perf_counter() - began
    while not await connection.fetchval(_READY, project):
        await asyncio.sleep(0.2)
    made = time.perf_counter() - began
    (await client.post(f"/sending-project/stop/{project}")).raise_for_status()
    return answered, made


async def main(number: int, rounds: int) -> None:
    """Prints the seconds, and their ratios within this run."""
    async with installation("plain", "planner") as here:
        plain, planner = here.users["plain"], here.users["planner"]
        (await planner.put("/approvals/rule", json={"mode": "off"})).raise_for_status()  # makes the key
        connection = await asyncpg.connect(here.database_url, command_timeout=600)
        seconds: dict[str, list[float]] = {}
        try:
            for turn in range(rounds):
                # Each start is slower than the one before, since the tables grow: so the order alternates.
                order = (("without", plain), ("with", planner))
                for name, client in order if turn % 2 == 0 else reversed(order):
                    project = await _project(client)
                    seconds.setdefault(f"add {name}", []).append(await _fill(connection, project, number))
                    plan_hash = None
                    if name == "with":
                        spent, plan_hash = await _plan(client, project)
                        seconds.setdefault("plan", []).append(spent)
                        seconds.setdefault("the look that stores nothing", []).append(
                            await _look(client, project)
                        )
                    answered, made = await _start(client, connection, project, plan_hash)
                    seconds.setdefault(f"answer {name}", []).append(answered)
                    seconds.setdefault(f"start {name}", []).append(made)
                    if name == "without":
                        spent, _ = await _plan(client, project)
                        seconds.setdefault("plan of a list from before the key", []).append(spent)
                        await connection.execute(
                            "DELETE FROM audience_keys WHERE owner_id = (SELECT owner_id FROM sending_projects"
                            " WHERE id = $1)", project,
                        )  # fmt: skip
        finally:
            await connection.close()
    print(f"{number:,} recipients, {rounds} rounds, seconds: median (all)")
    for name, values in seconds.items():
        print(f"{name:36} {statistics.median(values):8.3f} ({', '.join(f'{each:.3f}' for each in values)})")
    for what in ("add", "start"):
        ratio = statistics.median(seconds[f"{what} without"]) / statistics.median(seconds[f"{what} with"])
        print(f"{what}: without a digest or plan / with one = {ratio:.2f}")


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.plans")
    parse.add_argument("--recipients", type=int, default=1_000_000)
    parse.add_argument("--rounds", type=int, default=2)
    asked = parse.parse_args()
    asyncio.run(main(asked.recipients, asked.rounds))
