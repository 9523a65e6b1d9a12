"""`python -m bench.follow_ups` measures a project that follows another one of a million messages.

The followed messages are rows that are made by SQL: a hundredth has failed, and the others wait for `within`. A real
`postern serve` follows them. It prints the seconds of a round in which nothing is new, those until all that have failed
are recipients, those until all are when `within` is over, and beside them a round under a held snapshot. Meanwhile
another user's request is timed, with and without the rounds. `--messages` sets the number.
"""

import argparse
import asyncio
import statistics
import time

import asyncpg
import httpx

from bench.serving import installation

_FILL = """
WITH project AS (SELECT id, owner_id FROM sending_projects WHERE id = $1), added AS (
  INSERT INTO recipients (id, project_id, address, name, variables)
  SELECT gen_random_uuid(), $1, 'p' || i || '@example.com', 'Person ' || i,
    jsonb_build_object('phone', '+1415' || lpad((2000000 + i)::text, 7, '0'))
  FROM generate_series($2::int, $3::int) AS i RETURNING id, address
)
INSERT INTO message_records (id, project_id, owner_id, recipient_id, channel, "to", status, sent_at, handed_at,
  failure_code)
SELECT gen_random_uuid(), $1, project.owner_id, added.id, 'email', added.address,
  CASE WHEN failed THEN 'failed' ELSE 'sent' END, now(), now(), CASE WHEN failed THEN 'bounced' END
FROM added CROSS JOIN project CROSS JOIN LATERAL (SELECT hashtext(added.address) % 100 = 0 AS failed) AS f
"""
_PAGE = 20_000
_LATE = "UPDATE message_records SET sent_at = sent_at - interval '2 days' WHERE project_id = $1 AND status = 'sent'"
_ROUND = "UPDATE sending_projects SET follow_due_at = now() WHERE id = $1"
_READ = """
SELECT follow_due_at IS NULL OR (follow_due_at > now() AND follow_read_to = follow_settled_to) FROM sending_projects
WHERE id = $1
"""
_THERE = "SELECT count(*) FROM recipients WHERE project_id = $1"


async def _project(client: httpx.AsyncClient, **fields: object) -> str:
    body = {
        "name": "bench",
        "text": "Hi {{ name }}",
        "category": "transactional",
        "speed": {"perMinute": 1},
        **fields,
    }
    answer = await client.post("/sending-project", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["uuid"])


async def _round(connection: asyncpg.Connection, project: str) -> float:
    """Returns the seconds of one round."""
    await connection.execute(_ROUND, project)
    began = time.perf_counter()
    while not await connection.fetchval(_READ, project):
        await asyncio.sleep(0.02)
    return time.perf_counter() - began


async def _latencies(client: httpx.AsyncClient, stop: asyncio.Event) -> list[float]:
    """Returns the milliseconds of requests of another user, until `stop` is set."""
    taken = []
    while not stop.is_set():
        began = time.perf_counter()
        (await client.get("/accounts")).raise_for_status()
        taken.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(0.02)
    return taken


async def main(number: int) -> None:
    """Prints the seconds."""
    async with installation("follower", "other") as here:
        follower, other = here.users["follower"], here.users["other"]
        connection = await asyncpg.connect(here.database_url, command_timeout=1800)
        first = await _project(follower, channel="email", subject="Hi")
        for begin in range(0, number, _PAGE):
            await connection.execute(_FILL, first, begin, min(begin + _PAGE, number) - 1)
        await connection.execute("UPDATE sending_projects SET status = 'stopped' WHERE id = $1", first)
        await connection.execute("ANALYZE")
        rule = {"projectUuid": first, "until": "delivered", "within": 86400}
        second = await _project(follower, channel="sms", audience={"follows": rule})
        failed = await connection.fetchval(
            "SELECT count(*) FROM message_records WHERE project_id = $1 AND status = 'failed'", first
        )
        began = time.perf_counter()
        (await follower.post(f"/sending-project/start/{second}", json={}, timeout=60)).raise_for_status()
        answered = time.perf_counter() - began
        while await connection.fetchval(_THERE, second) < failed:
            await asyncio.sleep(0.05)
        print(f"{number:,} messages: start answered in {answered:.2f} s, {failed:,} failed ones were followed within"
              f" {time.perf_counter() - began:.1f} s")  # fmt: skip
        stop = asyncio.Event()
        quiet = asyncio.create_task(_latencies(other, stop))
        await asyncio.sleep(3)
        stop.set()
        alone = await quiet
        stop = asyncio.Event()
        busy = asyncio.create_task(_latencies(other, stop))
        rounds = [await _round(connection, second) for _ in range(3)]
        stop.set()
        print(f"a round without news: {statistics.median(rounds):.1f} s")
        medians = f"{statistics.median(alone):.1f} → {statistics.median(await busy):.1f} ms"
        print(f"the other user's p50 {medians}, most {max(alone):.0f} → {max(busy.result()):.0f} ms")
        held = await asyncpg.connect(here.database_url)
        async with held.transaction(isolation="repeatable_read"):
            await held.fetchval("SELECT count(*) FROM users")
            await connection.execute(_LATE, first)
            began = time.perf_counter()
            await connection.execute(_ROUND, second)
            while await connection.fetchval(_THERE, second) < number:
                await asyncio.sleep(0.5)
            print(
                f"all that were late were followed within {time.perf_counter() - began:.1f} s, a snapshot held"
            )
        await held.close()
        await connection.close()


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.follow_ups")
    parse.add_argument("--messages", type=int, default=1_000_000)
    asyncio.run(main(parse.parse_args().messages))
