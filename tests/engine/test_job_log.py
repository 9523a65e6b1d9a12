"""Tests how the ends of jobs are stored: soon, again after a failure, and without a timer while there are none."""

import asyncio
from datetime import timedelta
from typing import Any

from pgqueuer.core import buffers, qm

from engine.queue import JobLogBuffer
from tests.support.waits import until

TIMEOUT = timedelta(milliseconds=20)


class Storage:
    """Remembers what was stored, and fails at first as often as it is told to."""

    def __init__(self, failures: int = 0) -> None:
        self.stored: list[Any] = []
        self.groups = 0
        self.failures = failures

    async def log_jobs(self, items: list[Any]) -> None:
        if self.failures:
            self.failures -= 1
            raise ConnectionError("away")
        self.groups += 1
        self.stored += items


def buffer(storage: Storage, size: int = 10) -> JobLogBuffer:
    return JobLogBuffer(max_size=size, timeout=TIMEOUT, repository=storage)


def test_pgqueuer_makes_this_one():
    assert qm.buffers is buffers
    assert buffers.JobStatusLogBuffer is JobLogBuffer


async def test_it_sets_no_timer_while_there_is_nothing_to_store(monkeypatch: Any):
    loop, timers = asyncio.get_running_loop(), []
    async with buffer(Storage()):
        monkeypatch.setattr(loop, "call_later", lambda *arguments: timers.append(arguments))
        for _ in range(5):
            await asyncio.sleep(0)
        assert timers == []


async def test_ends_are_stored_together_a_moment_later_and_at_once_if_there_are_many():
    storage = Storage()
    async with buffer(storage, size=3) as log:
        await log.add("first")
        await log.add("second")
        assert storage.stored == []
        await until(lambda: storage.stored == ["first", "second"])
        assert storage.groups == 1
        for item in range(3):
            await log.add(item)
        for _ in range(3):  # no time passes
            await asyncio.sleep(0)
        assert storage.stored == ["first", "second", 0, 1, 2]


async def test_what_could_not_be_stored_is_tried_again():
    storage = Storage(failures=3)
    async with buffer(storage) as log:
        await log.add("end")
        await until(lambda: storage.stored == ["end"])


async def test_the_end_of_a_queue_stores_the_rest_at_once():
    storage = Storage()
    async with buffer(storage) as log:
        await log.add("end")
    assert storage.stored == ["end"]
    await asyncio.sleep(2 * TIMEOUT.total_seconds())
    assert storage.groups == 1
