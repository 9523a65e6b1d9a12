"""Tests the waking of workers: few jobs are made, and no message is left behind in any race."""

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from pgqueuer.domain import types
from sqlalchemy import text

from channels.sandbox import box
from db.session import driver_connection
from engine import queue
from engine import worker as module
from engine.direct import dispatch
from tests.engine.test_worker import working
from tests.support.gateway import Gateway
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.settings(
    channel_sms="sandbox://queue?deliver=0", channel_email="sandbox://queue?deliver=0"
)

READY = "pgqueuer WHERE status = 'queued' AND execute_after <= now() + interval '250 milliseconds'"


async def test_a_thousand_messages_make_a_few_jobs(gateway: Gateway, ada: Any, drain: Any) -> None:
    ids = []
    for _ in range(20):
        ids += await asyncio.gather(*(gateway.send(ada) for _ in range(50)))
    # Two senders that look at the same moment may each leave one, as long as none has committed: at most as many
    # as there are connections.
    assert 1 <= await gateway.count(READY) <= gateway.services.settings.database.read_pool_size
    assert await drain("sms") == 1000
    assert await gateway.states() == {"sent": 1000}
    assert sum(accepted.message.id in set(ids) for accepted in box("queue").outbox) == 1000


async def test_one_after_another_they_make_one(gateway: Gateway, ada: Any) -> None:
    for _ in range(20):
        await gateway.send(ada)
    assert await gateway.count(READY) == 1
    await gateway.send(ada, channel="email")
    assert await gateway.count(READY) == 2
    log = "pgqueuer_log WHERE status = 'queued' AND entrypoint LIKE 'messages.drain.%'"
    assert await gateway.count(log) == 2  # what PgQueuer's own statistics count


async def test_while_a_drain_is_at_work_messages_share_a_job_for_later(gateway: Gateway, ada: Any) -> None:
    await gateway.send(ada)
    await gateway.db.fetch("UPDATE pgqueuer SET status = 'picked'")
    for _ in range(3):
        await gateway.send(ada)
    delays = "SELECT entrypoint, execute_after - created AS delay FROM pgqueuer WHERE status = 'queued' ORDER BY id"
    (job,) = await gateway.db.fetch(delays)
    assert (job["entrypoint"], job["delay"]) == ("messages.drain.sms", queue.PAUSE)
    await gateway.send(ada, channel="email")  # another channel's drain begins at once
    _, job = await gateway.db.fetch(delays)
    assert (job["entrypoint"], job["delay"]) == ("messages.drain.email", timedelta())


async def test_a_queue_is_notified_of_its_own_new_jobs_only(gateway: Gateway) -> None:
    """Not of those of other queues, and not of what becomes of a job."""
    pool = await gateway.services.db.pool(size=2)
    driver = queue.JobDriver(pool)
    driver.names.add("messages.drain.sms")
    heard: asyncio.Queue[Any] = asyncio.Queue()
    async with driver:
        await driver.add_listener("ch_pgqueuer", heard.put_nowait)
        for channel in ("email", "sms", "push"):
            async with gateway.services.db.session.begin() as session:
                await queue.wake(await driver_connection(session), channel)
        for change in ("UPDATE pgqueuer SET heartbeat = now()", "DELETE FROM pgqueuer"):
            await gateway.db.fetch(change)
        await driver.notify("ch_pgqueuer", '{"type": "health_check_event"}')  # notifications keep their order
        names = [
            json.loads(await asyncio.wait_for(heard.get(), PATIENCE)).get("entrypoint") for _ in range(2)
        ]
    await pool.close()
    assert names == ["messages.drain.sms", None]


async def test_one_statement_says_how_long_a_queue_waits(gateway: Gateway, ada: Any) -> None:
    pool = await gateway.services.db.pool(size=1)
    queries = queue.JobQueries(queue.JobDriver(pool))
    sms, email = [types.QueueEntrypoint(queue.drain(channel)) for channel in ("sms", "email")]

    async def found(names: list[types.QueueEntrypoint]) -> tuple[int, timedelta | None, int]:
        eligible = await queries.eligible_queued_work(names)
        return eligible, await queries.next_deferred_eta(names), await queries.queued_work(names)

    assert await found([sms]) == (0, None, 0)
    async with gateway.services.db.session.begin() as session:
        connection = await driver_connection(session)
        await queue.wake_later(connection, "sms", timedelta(seconds=200))
        await queue.wake_later(connection, "sms", timedelta(seconds=100))
        await queue.wake_later(connection, "email", timedelta(seconds=50))
    waiting, wait, jobs = await found([sms])
    assert (waiting, jobs) == (0, 1)
    assert wait is not None and timedelta(seconds=100 - PATIENCE) < wait <= timedelta(seconds=100)
    await gateway.send(ada)
    assert (await found([sms, email]))[0] == 1
    assert (await found([email]))[0] == 0
    await pool.close()


async def test_a_message_that_is_not_committed_leaves_no_job(gateway: Gateway, people: Any) -> None:
    poor = await people.make(credit="0")
    answer = await poor.rest("POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "hi"})
    assert answer.status_code == 402
    assert await gateway.count(READY) == 0
    async with gateway.services.db.session() as session:
        await queue.wake(await driver_connection(session), "sms")
        await session.rollback()
    assert await gateway.count(READY) == 0
    async with gateway.services.db.session.begin() as session:
        await queue.wake(await driver_connection(session), "sms")
        await queue.wake(await driver_connection(session), "sms")
    assert await gateway.count(READY) == 1


async def test_a_drain_waits_for_the_sender_that_found_its_job(
    gateway: Gateway, ada: Any, drain: Any, monkeypatch: Any
) -> None:
    """The sender saw a job, so it left none, and it has not committed: the drain of that job must see its message."""
    monkeypatch.setattr(dispatch, "_BARRIER", timedelta(seconds=PATIENCE))
    await gateway.send(ada)
    async with gateway.services.db.session() as session:
        await queue.wake(await driver_connection(session), "sms")
        assert await gateway.count(READY) == 1
        (id,) = await gateway.queue(ada, 1)
        await session.execute(text("UPDATE messages SET body = 'late' WHERE id = :id"), {"id": id})
        await gateway.db.fetch("UPDATE pgqueuer SET status = 'picked'")
        draining = asyncio.create_task(drain("sms"))
        await asyncio.sleep(0.1)
        assert not draining.done()
        await session.commit()
    assert await draining == 2
    # A sender that comes after the job was taken leaves a new one.
    await gateway.send(ada)
    assert await gateway.count(READY) == 1


@pytest.mark.alone
async def test_a_sender_that_hangs_stops_no_channel(gateway: Gateway, ada: Any, drain: Any) -> None:
    """Committed messages are sent; another job looks for the hanging sender's message a second later."""
    await gateway.send(ada)
    async with gateway.services.db.session() as session:
        await queue.wake(await driver_connection(session), "sms")
        await gateway.db.fetch("DELETE FROM pgqueuer")
        assert await asyncio.wait_for(drain("sms"), 4) == 1  # `lock_timeout` would end it after 5 s
        assert await gateway.count("pgqueuer WHERE execute_after > created AND status = 'queued'") == 1


async def test_other_channels_do_not_wait(gateway: Gateway, ada: Any, drain: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(dispatch, "_BARRIER", timedelta(seconds=2 * PATIENCE))
    await gateway.send(ada, channel="email")
    async with gateway.services.db.session() as session:
        await queue.wake(await driver_connection(session), "sms")
        assert await asyncio.wait_for(drain("email"), PATIENCE) == 1


async def test_jobs_for_later(gateway: Gateway) -> None:
    async def later(seconds: float) -> None:
        async with gateway.db.reading() as db:
            await queue.wake_later(db, "sms", timedelta(seconds=seconds))

    async def jobs() -> list[int]:
        rows = await gateway.db.fetch(
            "SELECT round(extract(epoch FROM execute_after - created) / 10) AS tens FROM pgqueuer ORDER BY 1"
        )
        return [int(row["tens"]) for row in rows]

    await later(100)
    await later(200)  # the one of 100 looks first
    assert await jobs() == [10]
    await later(50)
    assert await jobs() == [5, 10]
    # A job for later is none for now.
    async with gateway.services.db.session.begin() as session:
        await queue.wake(await driver_connection(session), "sms")
    assert await jobs() == [0, 5, 10]


@pytest.mark.alone
async def test_nothing_is_left_behind_by_two_hundred_senders(
    gateway: Gateway, ada: Any, monkeypatch: Any
) -> None:
    """The worker's upkeep finds nothing: only the jobs wake it."""
    monkeypatch.setattr(module, "_UPKEEP_SECONDS", 3600.0)
    async with working(gateway.services):
        ids = []
        for size in (1, 3, 20, 176):
            ids += await asyncio.gather(*(gateway.send(ada) for _ in range(size)))
            await asyncio.sleep(0.02)

        async def all_sent() -> bool:
            return (await gateway.states())["sent"] == 200

        async def no_job_left() -> bool:
            return not await gateway.count("pgqueuer")

        await until(all_sent)
        await until(no_job_left)  # a job whose message another drain has sent is worked a moment later
    assert await gateway.states() == {"sent": 200}
    mine = set(ids)
    taken = [accepted for accepted in box("queue").outbox if accepted.message.id in mine]
    assert len(taken) == 200
    assert {accepted.hand_overs for accepted in taken} == {1}


async def test_drains_beside_each_other_take_nothing_twice(gateway: Gateway, ada: Any, drain: Any) -> None:
    done = asyncio.Event()

    async def drains() -> int:
        total = 0
        while not done.is_set():
            total += await drain("sms")
        return total

    draining = [asyncio.create_task(drains()) for _ in range(3)]
    ids = await asyncio.gather(*(gateway.send(ada) for _ in range(200)))
    done.set()
    total = sum(await asyncio.gather(*draining)) + await drain("sms")
    assert total == 200
    assert await gateway.states() == {"sent": 200}
    mine = set(ids)
    assert sorted(
        accepted.message.id for accepted in box("queue").outbox if accepted.message.id in mine
    ) == sorted(ids)
