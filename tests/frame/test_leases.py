"""A lease of this process: renewed while it is held, and its work ends when it was lost."""

import asyncio
import time
from datetime import timedelta
from typing import Any

import pytest

from core.clock import steady
from runtime.leases import JobLease, Lease, Moment, Renewal, leased
from tests.support.waits import PATIENCE, until

EXPIRY = "SELECT expires_at FROM leases WHERE name = 'work'"


async def test_one_process_has_it_and_gives_it_back(services):
    async with leased(services.db, "work", PATIENCE) as ours:
        assert ours is not None
        assert ours.valid
        async with leased(services.db, "work", PATIENCE) as theirs:
            assert theirs is None
    async with leased(services.db, "work", PATIENCE) as again:
        assert again is not None


async def test_it_is_renewed_while_the_work_goes_on(services):
    async with leased(services.db, "work", 1.0) as lease:
        assert lease is not None
        first = await services.db.fetchval(EXPIRY)

        async def renewed_past_its_length() -> bool:
            expiry = await services.db.fetchval(EXPIRY)
            return bool(expiry > first + timedelta(seconds=1))

        await until(renewed_past_its_length)


async def test_another_holder_in_its_row_ends_it(services):
    async with leased(services.db, "work", PATIENCE / 10) as lease:
        assert lease is not None
        await services.db.fetchval("UPDATE leases SET holder = gen_random_uuid() WHERE name = 'work'")
        await until(lambda: not lease.valid)
    assert await services.db.fetchval(EXPIRY) is not None  # that of the other holder is not given back


async def test_work_ends_by_our_own_clock_while_the_database_is_away(services):
    work = JobLease("work", None, Lease(seconds=2.0))  # type: ignore[arg-type]
    ended, tries = asyncio.Event(), 0

    async def away(_: object, __: object) -> list[JobLease]:
        nonlocal tries
        tries += 1
        raise ConnectionRefusedError

    def lost(ended_work: JobLease) -> None:
        assert ended_work is work
        ended.set()

    renewing = asyncio.create_task(Renewal(services.db.thread, lambda: 2.0, lambda: [work], away, lost).run())
    try:
        await asyncio.wait_for(ended.wait(), PATIENCE)
    finally:
        renewing.cancel()
    assert tries > 1  # a renewal that fails is tried again before the lease is over
    assert not work.valid


class _Repeated:
    """Work that the thread does once, and then only in an hour."""

    def __init__(self, seconds: float) -> None:
        self.due = self.wanted = steady() + seconds
        self.done: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    async def repeat(self) -> None:
        self.due = steady() + 3600
        self.done.get_loop().call_soon_threadsafe(self.done.set_result, steady())


@pytest.mark.alone
async def test_the_thread_does_on_time_what_is_added_while_it_waits(services):
    later, thread = _Repeated(3600), services.db.thread
    thread.add(later)
    works = []
    for seconds in (0.0, 0.1, 0.3):
        await asyncio.sleep(0.05)  # by now it waits for a second
        works.append(work := _Repeated(seconds))
        thread.add(work)
    for work in works:
        assert await asyncio.wait_for(work.done, PATIENCE) - work.wanted < 0.5
    for work in (later, *works):
        thread.discard(work)


async def test_what_is_not_in_the_answer_is_lost_and_the_others_go_on(services):
    owner: Any = None
    ours, theirs = (JobLease(name, owner, Lease(seconds=PATIENCE)) for name in ("ours", "theirs"))
    before, ended = ours.lease.renewed, []

    async def renew(_: object, __: object) -> list[JobLease]:
        return [ours]

    renewal = Renewal(services.db.thread, lambda: PATIENCE, lambda: [ours, theirs], renew, ended.append)
    await renewal.once()
    renewal.end_lost()
    assert (ours.valid, theirs.valid, ended) == (True, False, [theirs])
    assert ours.lease.renewed is not before


@pytest.mark.parametrize("clock", ["steady", "wall"])
def test_either_clock_ends_it(clock: str):
    """One of them stands still while a machine sleeps."""
    now = Moment()
    readings = {"steady": now.steady, "wall": now.wall}
    readings[clock] -= 10.0
    assert Lease(seconds=60.0, renewed=Moment(**readings)).valid
    assert not Lease(seconds=9.0, renewed=Moment(**readings)).valid


def test_a_wall_clock_that_was_set_back_does_not_lengthen_it():
    lease = Lease(seconds=1.0, renewed=Moment(Moment().steady - 2.0, time.time() + 3600.0))
    assert not lease.valid
