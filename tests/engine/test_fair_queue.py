"""Background work is shared fairly between owners, in all workers together."""

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from engine.jobs import JOBS, JobName, fair_queue
from runtime.fair_slots import FairSlots
from tests.support.rounds import run_round
from tests.support.waits import until

ROWS = "SELECT owner_id, id FROM pieces"
GROUP = "preparing"


class Work:
    """Pieces of a table of their own, whose work is recorded: (owner, piece), in its order."""

    def __init__(self) -> None:
        self.done: list[tuple[UUID, UUID]] = []
        self.at_work: Counter[UUID] = Counter()
        self.most: Counter[UUID] = Counter()
        self.gate = asyncio.Event()
        self.pause = timedelta()
        self.error: Exception | None = None
        self.gate.set()

    async def __call__(self, services: Any, id: UUID, lease: Any) -> None:
        owner = await services.db.fetchval("SELECT owner_id FROM pieces WHERE id = $1", id)
        self.at_work[owner] += 1
        self.most[owner] = max(self.most[owner], self.at_work[owner])
        self.done.append((owner, id))
        try:
            await self.gate.wait()
            if self.error is not None:
                lease.pause = self.pause
                raise self.error
        finally:
            self.at_work[owner] -= 1
        lease.pause = self.pause
        if not self.pause:
            await services.db.fetch("UPDATE pieces SET parts = parts - 1 WHERE id = $1", id)
            await services.db.fetch("DELETE FROM pieces WHERE parts = 0")


@pytest.fixture
async def work(services, monkeypatch):
    """One kind of work in its group, without a share."""
    async with services.db.reading() as db:
        await db.execute(
            "CREATE TABLE pieces (id uuid PRIMARY KEY, owner_id uuid NOT NULL, parts int NOT NULL)"
        )
    made = Work()
    kind = fair_queue.Kind(JobName.copy_project, GROUP, ROWS, 10, made)
    monkeypatch.setattr(fair_queue, "KINDS", {kind.name: kind})
    yield made
    async with services.db.reading() as db:
        await db.execute("DROP TABLE pieces")


async def add(services, owner: int, pieces: int, parts: int = 1) -> list[UUID]:
    made = [UUID(int=owner * 1000 + number) for number in range(pieces)]
    await services.db.fetch(
        "INSERT INTO pieces SELECT id, $2, $3 FROM unnest($1::uuid[]) AS id", made, UUID(int=owner), parts
    )
    return made


async def serve(services) -> None:
    await JOBS[JobName.copy_project].work(services, UUID(int=0))


async def test_an_owner_with_one_piece_is_next_whoever_has_many(work, services):
    await add(services, 1, 300)
    work.gate.clear()
    serving = asyncio.create_task(serve(services))
    await until(lambda: work.done)
    await add(services, 2, 1)
    work.gate.set()
    await serving
    assert [owner.int for owner, _ in work.done[:3]] == [1, 2, 1]
    assert len(work.done) == len(set(work.done)) == 301


async def test_owners_and_their_pieces_take_turns(work, services):
    await add(services, 1, 2, parts=2)
    await add(services, 2, 1, parts=3)
    await serve(services)
    assert [(owner.int, id.int % 1000) for owner, id in work.done] == [
        (1, 0), (2, 0), (1, 1), (2, 0), (1, 0), (2, 0), (1, 1),
    ]  # fmt: skip


async def test_one_alone_has_all_slots_and_a_share_bounds_it(work, services, monkeypatch):
    await add(services, 1, 8)
    work.gate.clear()
    slots = [asyncio.create_task(serve(services)) for _ in range(4)]
    await until(lambda: len(work.done) == 4)
    await add(services, 2, 1)
    work.gate.set()
    await asyncio.gather(*slots)
    assert work.most[UUID(int=1)] == 4
    assert UUID(int=2) in {owner for owner, _ in work.done[4:8]}
    assert len(set(work.done)) == 9
    (kind,) = fair_queue.KINDS.values()
    monkeypatch.setitem(
        fair_queue.KINDS, kind.name, fair_queue.Kind(kind.name, kind.group, kind.waiting, 1, work)
    )
    work.most.clear()
    await add(services, 3, 20)
    await asyncio.gather(*(serve(services) for _ in range(4)))
    assert work.most[UUID(int=3)] == 1


async def test_slots_of_all_workers_choose_different_pieces(work, services):
    await add(services, 1, 60)
    await asyncio.gather(*(serve(services) for _ in range(8)))
    assert len(work.done) == len(set(work.done)) == 60
    assert not await services.db.fetch("SELECT FROM leases")


async def test_who_waits_for_a_pause_is_not_taken_and_wakes_a_worker_later(work, services):
    (piece,) = await add(services, 1, 1)
    work.pause = timedelta(minutes=1)
    await serve(services)
    await serve(services)
    assert len(work.done) == 1
    (job,) = await services.db.fetch(
        "SELECT execute_after - now() AS after FROM pgqueuer WHERE status = 'queued' AND entrypoint = $1",
        JobName.copy_project,
    )
    assert timedelta(seconds=50) < job["after"] <= timedelta(minutes=1)
    backlog = (await fair_queue.backlogs(services.db, None))[JobName.copy_project]
    assert (backlog.pieces, backlog.owner_count) == (1, 1)
    work.pause = timedelta()
    await services.db.fetch("UPDATE leases SET expires_at = now()")
    await serve(services)
    assert work.done == [(UUID(int=1), piece)] * 2


async def test_a_piece_that_raises_does_not_hold_up_the_others(work, services):
    await add(services, 1, 1)
    work.error = ValueError("it can't be done")
    await serve(services)
    work.error = None
    await add(services, 2, 1)
    await serve(services)
    assert [owner.int for owner, _ in work.done] == [1, 2]
    await services.db.fetch("UPDATE leases SET expires_at = now()")
    await serve(services)
    assert [owner.int for owner, _ in work.done] == [1, 2, 1]


async def test_work_that_raises_may_ask_for_a_longer_pause(work, services):
    await add(services, 1, 1)
    work.error, work.pause = ValueError("the files are away"), timedelta(minutes=1)
    await serve(services)
    left = await services.db.fetchval("SELECT expires_at - now() FROM leases")
    assert timedelta(seconds=50) < left <= timedelta(minutes=1)


async def test_more_that_waits_wakes_another_slot(work, services):
    await add(services, 1, 3)
    work.gate.clear()
    serving = asyncio.create_task(serve(services))
    await until(lambda: work.done)
    waiting = "SELECT count(*) FROM pgqueuer WHERE status = 'queued' AND entrypoint = 'repeatable.copy'"
    assert await services.db.fetchval(waiting) == 1
    work.gate.set()
    await serving


async def test_a_worker_that_stops_leaves_a_job_for_another(work, services):
    await add(services, 1, 3)
    work.gate.clear()
    serving = asyncio.create_task(serve(services))
    await until(lambda: work.done)
    await services.db.fetch("DELETE FROM pgqueuer")
    services.stopping.set()
    work.gate.set()
    await serving
    services.stopping.clear()
    assert len(work.done) == 1
    assert await services.db.fetchval("SELECT count(*) FROM pgqueuer WHERE status = 'queued'") == 1


async def test_the_rounds_ask_nothing_that_is_not_there(services):
    """Each condition runs as it stands, and nothing is due in an empty installation."""
    for name in ("wake_read", "wake_write", "wake_add", "wake_copy", "wake_read_audience", "wake_prepare"):
        await run_round(services, name)
    assert not await services.db.fetch("SELECT FROM pgqueuer")
    assert {backlog.pieces for backlog in (await fair_queue.backlogs(services.db, None)).values()} == {0}


async def test_slots_of_a_process_go_round():
    slots, order = FairSlots(2, 1), list[str]()

    async def use(key: str) -> None:
        async with slots.slot(key):
            order.append(key)
            await asyncio.sleep(0)

    await asyncio.gather(*(use(key) for key in "aaaabbc"))
    assert "".join(order) == "abcabaa"
    assert slots.idle


async def test_a_slot_that_nobody_waits_for_any_more_goes_to_the_next():
    slots = FairSlots(1)
    first, second, third = (slots.request(key) for key in "abc")
    assert first.done() and slots.contested
    second.cancel()
    slots.give_back("a", first)
    slots.give_back("b", second)
    await asyncio.wait_for(third, 1)
    slots.give_back("c", third)
    assert slots.idle and not slots.contested
