"""The counters of workers reach /metrics through Redis, once; and it shows which workers are alive."""

import asyncio
import shutil
import socket
import time

import pytest
from prometheus_client import CollectorRegistry, Counter, Histogram
from redis.exceptions import ConnectionError as RedisGone
from redis.exceptions import ResponseError

from core.store import Store
from engine.worker import Worker
from postern.app import make_app
from postern.embedded import EmbeddedRedis
from runtime import workers
from runtime.workers import Reporter
from tests.metrics.test_metrics import ask, samples
from tests.support.waits import PATIENCE, until

SMS = {"to": "+15005550000", "channel": "sms", "body": "hi"}


@pytest.fixture
def counted():
    """Counters of a worker of its own, and what the sums in Redis are."""
    registry = CollectorRegistry()
    return (
        registry,
        Counter("postern_handovers", "Handed", ["channel"], registry=registry),
        Histogram("postern_took", "Took", ["channel"], registry=registry, buckets=(1, 2)),
    )


async def sums(store: Store, registry: CollectorRegistry) -> dict[str, float]:
    seen = await workers.seen(store, registry)
    assert seen is not None
    return {
        f"{sample.name}{sorted(sample.labels.values())}": sample.value
        for family in seen.families
        for sample in family.samples
    }


async def written(store: Store) -> bool:
    """Returns whether Redis has handed its append-only file to the operating system, so that a kill keeps it."""
    state = await store.client.info("persistence")
    return not (state["aof_buffer_length"] or state["aof_rewrite_in_progress"])


async def test_what_a_worker_sends_is_counted_on_the_page(app, ada, services, drain):
    teller = Reporter(services.store, "host:1")
    for _ in range(3):
        assert (await ada.rest("POST", "/messages", json=SMS)).status_code == 202
    await drain("sms")
    assert await teller.report()
    page = await ask(app)
    seen = samples(page)
    dispatched = sum(value for name, value in seen.items() if name.startswith("postern_handovers_total{"))
    assert dispatched == 3
    assert seen['postern_drain_batch_seconds_count{channel="sms"}'] == 1
    assert seen['postern_drain_batch_seconds_bucket{channel="sms",le="+Inf"}'] == 1
    assert (seen["postern_workers"], seen['postern_worker_handovers{worker="host:1"}']) == (1, 3)
    assert abs(seen['postern_worker_started_timestamp_seconds{worker="host:1"}'] - time.time()) < 30
    names = [line.split()[2] for line in page.text.splitlines() if line.startswith("# TYPE ")]
    assert len(names) == len(set(names)), "a family may stand on the page once"


async def test_workers_are_added_up_and_nothing_twice(services, counted):
    registry, dispatched, took = counted
    dispatched.labels("sms").inc(1)
    teller = Reporter(services.store, "host:1", registry)
    other = Reporter(services.store, "host:2", registry)
    dispatched.labels("sms").inc(5)
    took.labels("sms").observe(1.5)
    for _ in range(2):
        assert await teller.report()
    assert await other.report()
    assert await sums(services.store, registry) == {
        "postern_handovers_total['sms']": 10,
        "postern_took_bucket['1.0', 'sms']": 0,
        "postern_took_bucket['2.0', 'sms']": 2,
        "postern_took_bucket['+Inf', 'sms']": 2,
        "postern_took_count['sms']": 2,
        "postern_took_sum['sms']": 3,
    }
    assert [alive.handed for alive in await workers.living(services.store)] == [5, 5]


async def test_an_answer_that_was_lost_is_no_second_count(services, counted, monkeypatch):
    registry, dispatched, _ = counted
    teller = Reporter(services.store, "host:1", registry)
    dispatched.labels("sms").inc(2)
    real = teller._script

    async def lost(**options):
        await real(**options)
        raise RedisGone("the answer is lost")

    monkeypatch.setattr(teller, "_script", lost)
    assert not await teller.report()
    monkeypatch.setattr(teller, "_script", real)
    monkeypatch.setattr(services.store, "_broken_until", 0.0)
    dispatched.labels("sms").inc(1)
    assert await teller.report()
    assert (await sums(services.store, registry))["postern_handovers_total['sms']"] == 2
    await teller.close()
    assert (await sums(services.store, registry))["postern_handovers_total['sms']"] == 3


async def test_redis_away_is_no_loss(tmp_path, counted, monkeypatch):
    monkeypatch.setattr("core.store._PAUSE", 0.0)
    monkeypatch.setattr(workers, "READ_SECONDS", PATIENCE)
    registry, dispatched, _ = counted
    with EmbeddedRedis(tmp_path) as redis:
        store = patient(Store(redis.url))
        teller = Reporter(store, "host:1", registry)
        dispatched.labels("sms").inc(2)
        assert await teller.report()
        # while an earlier sync runs, Redis keeps what it has to write in memory for up to two seconds
        await until(lambda: written(store))
        redis.kill()
        dispatched.labels("sms").inc(3)
        assert not await teller.report()
        dispatched.labels("sms").inc(4)
        assert not await teller.report()
        assert await workers.seen(store, registry) is None
        redis.ensure()
        await teller.close()
        assert (await sums(store, registry))["postern_handovers_total['sms']"] == 9
        assert await workers.living(store) == []
        await store.close()


@pytest.mark.alone
async def test_a_stop_without_redis_is_bounded(counted):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections and never answers
        store = patient(Store(f"redis://127.0.0.1:{silent.getsockname()[1]}/0"))
        begun = time.monotonic()
        await Reporter(store, "host:1", counted[0]).close()
        assert time.monotonic() - begun < 10  # two seconds are its bound
        await store.close()


def patient(store: Store) -> Store:
    """Returns a store whose own time-outs end nothing, so that a bound on top of them shows."""
    store.client.connection_pool.connection_kwargs |= {"socket_timeout": 60, "socket_connect_timeout": 60}
    return store


@pytest.mark.alone
@pytest.mark.parametrize("silent", [True, False], ids=["hangs", "is-away"])
async def test_the_page_answers_without_redis(make_settings, silent):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        if not silent:
            server.close()
        app = make_app(make_settings(redis_url=f"redis://127.0.0.1:{port}/0"))
        patient(app.services.store)
        begun = time.monotonic()
        page = await ask(app)
        assert time.monotonic() - begun < 10  # one second is its bound
        assert samples(page)["postern_database_up"] == 1
        assert "postern_workers" not in page.text
        assert "postern_handovers" not in page.text
        await app.services.close()


async def test_a_full_redis_is_told_apart_from_one_that_is_away(make_settings, tmp_path):
    with EmbeddedRedis(tmp_path) as redis:
        app = make_app(make_settings(redis_url=redis.url))
        seen = samples(await ask(app))
        assert (seen["postern_redis_up"], seen["postern_redis_full"]) == (1, 0)
        await app.services.store.client.config_set("maxmemory", "1")
        seen = samples(await ask(app))
        assert (seen["postern_redis_up"], seen["postern_redis_full"]) == (1, 1)
        redis.kill()
        seen = samples(await ask(app))
        assert seen["postern_redis_up"] == 0
        assert "postern_redis_full" not in seen
        await app.services.close()


async def test_a_redis_whose_files_cannot_be_written_is_full(make_settings, tmp_path, counted):
    """It answers MISCONF to every write, also to the removal of a worker that has not reported."""
    with EmbeddedRedis(tmp_path) as redis:
        app = make_app(make_settings(redis_url=redis.url))
        client = app.services.store.client
        assert await Reporter(app.services.store, "host:1", counted[0]).report()
        await client.config_set("save", "1 1")
        shutil.rmtree((await client.config_get("dir"))["dir"])
        await client.bgsave()
        await until(lambda: _refuses(client), 0.1)
        await client.config_set("stop-writes-on-bgsave-error", "no")
        await client.delete("worker:alive:host:1")  # as its time to live does
        await client.config_set("stop-writes-on-bgsave-error", "yes")
        seen = samples(await ask(app))
        assert (seen["postern_redis_up"], seen["postern_redis_full"], seen["postern_workers"]) == (1, 1, 0)
        await app.services.close()


async def _refuses(client) -> bool:
    try:
        await client.set("limit:metrics", 1, px=1000)
    except ResponseError as error:
        return "MISCONF" in str(error)
    return False


async def test_a_worker_shows_itself_and_leaves(app, services, monkeypatch):
    monkeypatch.setattr(workers, "REPORT_SECONDS", 0.05)
    worker = Worker(services)
    running = asyncio.create_task(worker.run())

    async def shown() -> bool:
        return samples(await ask(app)).get("postern_workers") == 1

    await until(shown)
    (alive,) = await workers.living(services.store)
    assert alive.name == worker.name
    assert alive.started <= alive.at
    worker.stop()
    await asyncio.wait_for(running, PATIENCE)
    assert samples(await ask(app))["postern_workers"] == 0


async def test_a_worker_that_died_is_forgotten(services, counted):
    teller = Reporter(services.store, "host:1", counted[0])
    assert await teller.report()
    await services.store.client.delete("worker:alive:host:1")  # as its time to live does
    assert await workers.living(services.store) == []
    assert await services.store.client.smembers("worker:names") == set()
    assert await teller.report()
    assert len(await workers.living(services.store)) == 1


async def test_operations_that_failed_are_counted(app, ada, client):
    def failed(page) -> float:
        name = 'postern_operations_failed_total{{code="message_not_found",operation="messages.{}"}}'
        return sum(page.get(name.format(operation), 0) for operation in ("explained", "get"))

    before = samples(await ask(app))
    assert (await ada.rest("GET", f"/messages/{ada.id}")).status_code == 404
    await ada.graphql("query($id: ID!) { message(id: $id) { uuid } }", {"id": str(ada.id)})
    assert (await client.get("/auth/me")).status_code == 401
    after = samples(await ask(app))
    assert failed(after) - failed(before) == 2
    unauthenticated = [
        name for name in after if "postern_operations_failed_total{" in name and '"auth.me"' in name
    ]
    assert unauthenticated


async def test_a_bug_is_counted_too(app, services, ada, monkeypatch):
    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(services.db, "fetchrow", broken)
    name = 'postern_operations_failed_total{code="internal_error",operation="messages.explained"}'
    before = samples(await ask(app)).get(name, 0)
    assert (await ada.rest("GET", f"/messages/{ada.id}")).status_code == 500
    assert samples(await ask(app))[name] == before + 1
