"""Readiness is public, and each look at it opens a connection: a crowd must not open a crowd of them."""

import asyncio

import asyncpg

from resolvers import health
from tests.support.waits import PATIENCE, until

THERE = "SELECT array_agg(pid) FROM pg_stat_activity WHERE datname = current_database()"
ITS_LAST = """
SELECT count(*) = 0 FROM pg_stat_activity
WHERE datname = current_database() AND query = 'SELECT 1' AND pid <> ALL($1::int[])
"""


async def test_thirty_fields_and_many_requests_at_once_share_one_look(
    client, services, database, monkeypatch
):
    monkeypatch.setattr(health, "BOUND", PATIENCE)  # how long a look takes is no claim
    own, other = await asyncpg.connect(database), await asyncpg.connect(database)
    there = await own.fetchval(THERE)  # the pool's own connections, among others
    probe = services.db.probe

    async def probed():
        """A session ends a moment after its client has left, and would be counted with those of the next looks."""
        await probe()
        await until(lambda: other.fetchval(ITS_LAST, there), 0.001)

    monkeypatch.setattr(services.db, "probe", probed)
    most = 0
    done = asyncio.Event()

    async def watch():
        nonlocal most
        while not done.is_set():
            most = max(
                most,
                await own.fetchval(
                    "SELECT count(*) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> ALL($1::int[]) AND application_name = 'postern'",
                    there,
                ),
            )
            await asyncio.sleep(0.001)

    fields = " ".join(f"a{number}: readiness {{ status details }}" for number in range(30))
    watching = asyncio.create_task(watch())
    for _ in range(5):
        answers = await asyncio.gather(
            *(client.post("/graphql", json={"query": f"{{ {fields} }}"}) for _ in range(4)),
            *(client.get("/health/v2") for _ in range(20)),
        )
        assert {answer.status_code for answer in answers} == {200}
        data = answers[0].json()["data"]
        assert len(data) == 30
        assert {answer["status"] for answer in data.values()} <= {"ok", "degraded"}
    done.set()
    await watching
    await own.close()
    await other.close()
    assert 1 <= most <= 2


async def test_who_leaves_does_not_take_the_answer_from_the_others(client, services, monkeypatch):
    probes, released = 0, asyncio.Event()

    async def probe():
        nonlocal probes
        probes += 1
        await released.wait()

    monkeypatch.setattr(services.db, "probe", probe)
    first = asyncio.create_task(client.get("/health/v2"))
    second = asyncio.create_task(client.get("/health/v2"))
    while not probes:
        await asyncio.sleep(0)
    first.cancel()
    released.set()
    assert (await second).status_code == 200
    assert probes == 1
    # A later caller gets a new look.
    assert (await client.get("/health/v2")).status_code == 200
    assert probes == 2
