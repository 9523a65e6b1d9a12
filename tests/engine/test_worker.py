"""A worker in this process: it wakes, survives, and stops in good order."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from channels.sandbox import box
from engine import queue, upkeep
from engine import worker as module
from engine.jobs import ROUNDS, Every
from engine.worker import Worker
from runtime.services import Services, open_services
from tests.support.gateway import Gateway
from tests.support.waits import PATIENCE, until

pytestmark = [
    pytest.mark.settings(
        channel_sms="sandbox://worker?deliver=0", channel_email="sandbox://worker?deliver=0"
    ),
    pytest.mark.alone,
]

STOPPED = 4.0
"""Seconds. A stop that waited for what the job engine waits for would take longer: it sleeps for a minute."""


@asynccontextmanager
async def working(services: Services) -> AsyncIterator[Worker]:
    """A worker that has begun to listen; it is stopped afterwards, and in good time (so the test is `alone`)."""
    services.stopping.clear()  # another worker of these services may have been stopped
    worker = Worker(services)
    running = asyncio.create_task(worker.run())

    async def listening() -> bool:
        listens = "datname = current_database() AND query ILIKE 'LISTEN%'"
        listeners = await services.db.fetchval(f"SELECT count(*) FROM pg_stat_activity WHERE {listens}")
        return running.done() or bool(listeners)

    try:
        await until(listening)
        assert not running.done()
        yield worker
    finally:
        worker.stop()
        begun = time.monotonic()
        await asyncio.wait_for(running, PATIENCE)
        assert time.monotonic() - begun < STOPPED


def never(monkeypatch: pytest.MonkeyPatch, seconds: float = 3600.0) -> None:
    """The upkeep comes at the start and then not again: what wakes is the job."""
    monkeypatch.setattr(module, "_UPKEEP_SECONDS", seconds)


async def test_a_post_wakes_it(gateway: Gateway, ada: Any, monkeypatch: Any) -> None:
    never(monkeypatch)
    async with working(gateway.services):
        slowest = 0.0
        for _ in range(3):
            begun = time.monotonic()
            id = await gateway.send(ada, "+15005550000")
            await gateway.until({id: "delivered"})
            slowest = max(slowest, time.monotonic() - begun)
        # Without a notification the second and the third would be found when a round looks for such jobs, 5 s
        # after the one before.
        assert slowest < 4
    # Afterwards nothing is sent until somebody works again.
    id = await gateway.send(ada)
    await asyncio.sleep(0.3)
    assert await gateway.state(id) == "queued"
    async with working(gateway.services):
        await gateway.until({id: "sent"})


async def test_what_has_lost_its_job_is_found(gateway: Gateway, ada: Any, monkeypatch: Any) -> None:
    never(monkeypatch, 0.2)
    id = await gateway.send(ada)
    await gateway.db.fetch("DELETE FROM pgqueuer")
    async with working(gateway.services):
        await gateway.until({id: "sent"})


@pytest.mark.parametrize(
    "change",
    [
        "execute_after = now()",
        "status = 'picked', execute_after = now(), heartbeat = now() - interval '1 hour'",
    ],
    ids=["unheard", "taken by a dead worker"],
)
async def test_a_job_that_nothing_notifies_of_is_found(
    gateway: Gateway, ada: Any, monkeypatch: Any, change: str
) -> None:
    never(monkeypatch)
    monkeypatch.setattr(module, "_LEFT_SECONDS", 0.2)
    async with working(gateway.services):
        (id,) = await gateway.queue(ada, 1)
        async with gateway.db.reading() as connection:
            await queue.wake_later(connection, "sms", timedelta(hours=1))
        await asyncio.sleep(0.3)  # its notification has passed
        assert await gateway.state(id) == "queued"
        await gateway.db.fetch(f"UPDATE pgqueuer SET {change}")
        await gateway.until({id: "sent"})


async def test_a_retry_comes_by_itself(gateway: Gateway, ada: Any, monkeypatch: Any) -> None:
    never(monkeypatch, 0.2)
    async with working(gateway.services):
        id = await gateway.send(ada, "+15005550040")  # throttled once, for a second
        await gateway.until({id: "sent"})


async def test_a_dead_workers_messages_are_taken_over(gateway: Gateway, ada: Any, monkeypatch: Any) -> None:
    never(monkeypatch, 0.2)
    id = await gateway.send(ada)
    await gateway.db.fetch("DELETE FROM pgqueuer")
    await gateway.db.fetch("INSERT INTO claims VALUES ($1, 'dead', now() + interval '0.3 seconds')", id)
    await gateway.set(f"state = 'sending', claim_id = '{id}'", id)
    async with working(gateway.services):
        await gateway.until({id: "sent"})


async def test_all_kinds_are_sent_and_a_slow_one_holds_up_nobody(
    gateway: Gateway, ada: Any, monkeypatch: Any
) -> None:
    never(monkeypatch)
    (route,) = gateway.services.routes.of("email")
    real, go_on = route.send, asyncio.Event()

    async def send(batch: Any) -> Any:
        if any(message.to == "slow@example.com" for message in batch):
            await go_on.wait()
        return await real(batch)

    monkeypatch.setattr(route, "send", send)
    async with working(gateway.services):
        slow = await gateway.send(ada, "slow@example.com", "email")
        await gateway.until({slow: "sending"})
        quick = [await gateway.send(ada, channel=channel) for channel in ("sms", "push", "email")]
        await gateway.until(dict.fromkeys(quick, "sent"))
        assert await gateway.state(slow) == "sending"
        go_on.set()
        await gateway.until({slow: "sent"})


@pytest.mark.settings(channel_sms="sandbox://worker?latency_ms=500&deliver=0")
async def test_a_stop_waits_for_what_was_handed_over(gateway: Gateway, ada: Any, monkeypatch: Any) -> None:
    never(monkeypatch)
    (route,) = gateway.services.routes.of("sms")
    real = route.send
    async with working(gateway.services) as worker:

        async def send(batch: Any) -> Any:
            await worker.services.stopping.wait()  # the answers come after the stop, however late that is
            return await real(batch)

        monkeypatch.setattr(route, "send", send)
        await gateway.queue(ada, 599)
        await gateway.send(ada)
        await until(lambda: gateway.count("messages WHERE handed_at IS NOT NULL"))
    states = await gateway.states()
    assert set(states) == {"sent", "queued"}, states
    assert states["sent"] >= 450
    assert await gateway.count("claims") == 0


async def test_it_survives_the_loss_of_all_its_connections(gateway: Gateway, ada: Any, capfd: Any) -> None:
    async with working(gateway.services):
        await gateway.db.fetch(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        id = await gateway.send(ada)
        await gateway.until({id: "sent"})


async def test_it_listens_again_at_once(gateway: Gateway, ada: Any, monkeypatch: Any) -> None:
    never(monkeypatch)
    listens = "datname = current_database() AND query ILIKE 'LISTEN%'"

    async def listeners() -> set[int]:
        pids = await gateway.db.fetch(f"SELECT pid FROM pg_stat_activity WHERE {listens}")
        return {row["pid"] for row in pids}

    queues = 1 + len(module._SLOTS)

    async def all_listen() -> bool:
        return len(await listeners()) == queues

    async def others_listen() -> bool:
        return len(await listeners() - before) == queues

    async with working(gateway.services):
        await until(all_listen)
        before = await listeners()
        await gateway.db.fetch(
            f"SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE {listens}"
        )
        begun = time.monotonic()
        await until(others_listen)
        # PgQueuer asks every ten seconds, and acts on the answer when it looks for jobs the next time, up to a minute
        # later.
        assert time.monotonic() - begun < 5


async def test_a_pause_ends_when_the_database_has_answered_another_part(services: Services) -> None:
    worker, db = Worker(services), services.db
    outage, bug = (asyncio.create_task(worker._pause(PATIENCE, away=away)) for away in (True, False))
    await asyncio.sleep(0)  # both have begun
    assert await db.fetchval("SELECT 1") == 1
    await until(outage.done)
    assert not bug.done(), "a bug is no outage, and would come again at once"
    worker.stop()
    await until(bug.done)


async def test_a_drain_or_an_upkeep_that_breaks_is_no_end(
    gateway: Gateway, ada: Any, monkeypatch: Any, capsys: Any
) -> None:
    never(monkeypatch, 0.2)
    broken = {"drain": 0, "upkeep": 0}
    wake = upkeep.wake_channels

    async def breaks(*arguments: Any) -> None:
        broken["upkeep"] += 1
        if broken["upkeep"] < 3:
            raise KeyError("a bug")
        await wake(*arguments)

    monkeypatch.setattr(upkeep, "wake_channels", breaks)
    async with working(gateway.services) as worker:
        drain = worker.dispatcher.drain

        async def once(channel: str, **options: Any) -> int:
            broken["drain"] += 1
            if broken["drain"] == 1:
                raise KeyError("another bug")
            return await drain(channel, **options)

        monkeypatch.setattr(worker.dispatcher, "drain", once)
        id = await gateway.send(ada)
        await gateway.until({id: "sent"})
    logged = capsys.readouterr().err
    assert '"work":"_upkeep"' in logged
    assert "a round has to wait" in logged
    assert "a drain broke off" in logged


async def test_stopped_before_it_began(gateway: Gateway) -> None:
    worker = Worker(gateway.services)
    worker.stop()
    await asyncio.wait_for(worker.run(), PATIENCE)


async def test_two_workers_send_everything_once(
    gateway: Gateway, ada: Any, settings: Any, monkeypatch: Any
) -> None:
    never(monkeypatch)
    other = open_services(settings)
    try:
        async with working(gateway.services), working(other):
            ids = [await gateway.send(ada) for _ in range(60)]
            ids += await gateway.queue(ada, 1500)
            ids += [await gateway.send(ada) for _ in range(60)]

            async def all_sent() -> bool:
                return (await gateway.states())["sent"] == len(ids)

            await until(all_sent)
    finally:
        await other.close()
    mine = set(ids)
    taken = [accepted for accepted in box("worker").outbox if accepted.message.id in mine]
    assert len(taken) == len(ids)
    assert {accepted.hand_overs for accepted in taken} == {1}


# Rounds


async def test_on_an_empty_database_no_round_is_due(services: Services) -> None:
    rounds = [*ROUNDS, *Worker(services).own_rounds()]
    conditions = [each.due for each in rounds if each.due is not None]
    assert len(conditions) >= 8
    for condition in conditions:
        assert await services.db.fetchval(f"SELECT {condition}") is False, condition


async def test_a_round_runs_while_it_is_due(services: Services, monkeypatch: Any) -> None:
    """Neither one that fails nor one that takes long keeps the others of its period waiting."""
    ran: list[str] = []
    ended = asyncio.Event()

    async def slow(_: Services) -> None:
        ran.append("slow")
        await ended.wait()

    async def fails(_: Services) -> None:
        ran.append("fails")
        raise ValueError

    async def never_due(_: Services) -> None:
        ran.append("never")

    async def own(_: Services) -> None:
        ran.append("own")

    own_work: list[str] = []

    async def quick(_: Services) -> None:
        ran.append("quick")

    rounds = [
        Every(0.01, slow, "true"),
        Every(0.01, fails, "true"),
        Every(0.01, never_due, "false"),
        Every(0.01, own, "false", pending=lambda _: bool(own_work)),
        Every(0.01, quick, "EXISTS (SELECT FROM users WHERE email = 'late@example.com')"),
    ]
    monkeypatch.setattr(module, "ROUNDS", rounds)
    async with working(services):
        await until(lambda: _is(ran.count("fails") > 2))
        assert not {"quick", "own"} & {*ran}
        own_work.append("this process has something to do")
        await until(lambda: _is("own" in ran))
        await services.db.fetch(
            "INSERT INTO users (id, email, password_hash, roles, status, tariff_code)"
            " SELECT gen_random_uuid(), 'late@example.com', '', '{user}', 'active', code FROM tariffs LIMIT 1"
        )
        await until(lambda: _is(ran.count("quick") > 2))
        assert (ran.count("slow"), ran.count("never")) == (1, 0)
        ended.set()
        await until(lambda: _is(ran.count("slow") > 1))


async def _is(value: bool) -> bool:
    return value
