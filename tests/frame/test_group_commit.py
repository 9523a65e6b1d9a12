"""Requests that are joined: in which groups, within which bounds, and what a failure of one means for the others."""

import asyncio
from collections.abc import Sequence

import asyncpg
import pytest

from runtime.group_commit import GroupCommit, NotStarted, SharedReads


class Bad(Exception):
    """An error that lies in one request."""


class Work:
    """Doubles numbers, a group at a time: notes the groups, and waits while `gate` is closed."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.gate = asyncio.Event()
        self.bad: set[int] = set()
        self.error: Exception = Bad()

    async def __call__(self, numbers: Sequence[int]) -> Sequence[int]:
        self.groups.append([*numbers])
        await self.gate.wait()
        if self.bad & {*numbers}:
            raise self.error
        return [2 * number for number in numbers]


async def _joined(group_commit, *numbers, key="a", size=0):
    """Tasks of requests that have arrived, in this order."""
    tasks = [asyncio.create_task(group_commit.join(key, number, size)) for number in numbers]
    await asyncio.sleep(0)
    return tasks


async def _at_work(group_commit, work, number=0):
    """The task of a request that is being carried out, alone."""
    (task,) = await _joined(group_commit, number)
    await asyncio.sleep(0)
    assert work.groups == [[number]]
    return task


async def test_the_first_goes_alone_and_what_arrives_meanwhile_together():
    work = Work()
    group_commit = GroupCommit(work)
    first = await _at_work(group_commit, work)
    rest = await _joined(group_commit, 1, 2, 3)
    work.gate.set()
    assert await asyncio.gather(first, *rest) == [0, 2, 4, 6]
    assert work.groups == [[0], [1, 2, 3]]
    assert await group_commit.join("a", 4) == 8
    assert work.groups[-1] == [4]
    assert not group_commit._queues, "a key without requests takes no memory"


async def test_other_keys_do_not_wait():
    work = Work()
    group_commit = GroupCommit(work)
    tasks = [*await _joined(group_commit, 1, key="a"), *await _joined(group_commit, 2, key="b")]
    await asyncio.sleep(0)
    assert work.groups == [[1], [2]]
    work.gate.set()
    assert await asyncio.gather(*tasks) == [2, 4]


async def test_a_group_is_bounded_in_number_and_in_bytes():
    work = Work()
    group_commit = GroupCommit(work, together=3, size=100)
    tasks = [await _at_work(group_commit, work), *await _joined(group_commit, 1, 2, 3, 4)]
    tasks += await _joined(group_commit, 5, 6, size=60)
    tasks += await _joined(group_commit, 7, size=500)
    work.gate.set()
    assert await asyncio.gather(*tasks) == [0, 2, 4, 6, 8, 10, 12, 14]
    assert work.groups == [[0], [1, 2, 3], [4, 5], [6], [7]]


async def test_only_so_many_wait():
    work = Work()
    group_commit = GroupCommit(work, waiting=2)
    first = await _at_work(group_commit, work)
    rest = await _joined(group_commit, 1, 2)
    with pytest.raises(NotStarted):
        await group_commit.join("a", 3)
    other = await _joined(group_commit, 4, key="b")
    work.gate.set()
    assert await asyncio.gather(first, *rest, *other) == [0, 2, 4, 8]
    assert 3 not in [number for group in work.groups for number in group]


async def test_who_waits_too_long_is_taken_out_and_what_is_at_work_goes_on():
    work = Work()
    group_commit = GroupCommit(work, seconds=0.05)
    first = await _at_work(group_commit, work)
    (second,) = await _joined(group_commit, 1)
    with pytest.raises(NotStarted):
        await second
    assert not first.done()
    work.gate.set()
    assert await first == 0
    assert work.groups == [[0]]


async def test_a_cancelled_request_is_taken_out_before_its_group_and_carried_through_later():
    work = Work()
    group_commit = GroupCommit(work)
    first = await _at_work(group_commit, work)
    second, third = await _joined(group_commit, 1, 2)
    second.cancel()
    first.cancel()
    for task in (first, second):
        with pytest.raises(asyncio.CancelledError):
            await task
    work.gate.set()
    assert await third == 4
    assert work.groups == [[0], [2]]


@pytest.mark.parametrize("bad", [{0}, {3}, {6}, {1, 5}, set(range(7))])
async def test_bad_requests_fail_alone(bad):
    work = Work()
    group_commit = GroupCommit(work)
    first = await _at_work(group_commit, work, 100)
    tasks = await _joined(group_commit, *range(7))
    work.bad = bad
    work.gate.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [isinstance(answer, Bad) for answer in answers] == [number in bad for number in range(7)]
    assert [answer for answer in answers if not isinstance(answer, Bad)] == [
        2 * number for number in range(7) if number not in bad
    ]
    assert await first == 200
    done = [number for group in work.groups if not bad & {*group} for number in group]
    assert done == [100, *(number for number in range(7) if number not in bad)], "once each, and in order"


@pytest.mark.parametrize(
    "error",
    [asyncpg.LockNotAvailableError("locked"), ConnectionError(), asyncpg.DeadlockDetectedError("lost")],
)
async def test_an_error_that_lies_in_no_request_is_everybodys_and_nothing_is_repeated(error):
    work = Work()
    group_commit = GroupCommit(work)
    first = await _at_work(group_commit, work, 100)
    tasks = await _joined(group_commit, *range(4))
    work.bad, work.error = {2}, error
    work.gate.set()
    assert await asyncio.gather(*tasks, return_exceptions=True) == [error] * 4
    assert work.groups == [[100], [0, 1, 2, 3]]
    await first


async def test_the_end_of_the_process_waits_for_what_is_at_work():
    work = Work()
    group_commit = GroupCommit(work)
    first = await _at_work(group_commit, work)
    asyncio.get_running_loop().call_later(0.05, work.gate.set)
    await group_commit.close()
    assert await first == 0


async def test_the_end_of_the_process_does_not_wait_for_ever():
    work = Work()
    group_commit = GroupCommit(work)
    first = await _at_work(group_commit, work)
    (second,) = await _joined(group_commit, 1)
    await group_commit.close(0.05)
    with pytest.raises(TimeoutError):  # whether it was committed is not known
        await first
    with pytest.raises(NotStarted):
        await second


async def test_a_shared_read_begins_after_all_of_its_requests_have_arrived():
    truth, gate, begun = ["old"], asyncio.Event(), []

    async def read(key: str) -> str:
        begun.append(key)
        value = truth[0]
        await gate.wait()
        return value

    reads = SharedReads(read)
    first = asyncio.create_task(reads.of("a"))
    await asyncio.sleep(0.01)
    truth[0] = "new"
    later = [asyncio.create_task(reads.of("a")) for _ in range(20)]
    other = asyncio.create_task(reads.of("b"))
    await asyncio.sleep(0.01)
    gate.set()
    assert await first == "old"
    assert await asyncio.gather(*later) == ["new"] * 20, "what was changed before they came"
    assert await other == "new"
    assert begun == ["a", "b", "a"], "the twenty share one read"


async def test_each_request_waits_for_its_own_time_alone():
    work = Work()
    group_commit = GroupCommit(work, seconds=0.2)
    first = await _at_work(group_commit, work)
    early = await _joined(group_commit, 1)
    await asyncio.sleep(0.1)
    late = await _joined(group_commit, 2)
    with pytest.raises(NotStarted):
        await early[0]
    assert not late[0].done(), "it has half of its time left"
    work.gate.set()
    assert await asyncio.gather(first, *late) == [0, 4]
