"""Waiting is bounded, and fair between users and networks."""

import asyncio
from contextlib import AsyncExitStack, suppress

import pytest

from core.ids import uuid7
from runtime.fair_queue import Bounds, FairQueue
from tests.support.waits import until


class Busy(Exception):
    """Come again."""


def queue(**changes) -> FairQueue:
    bounds = {
        "slots": 1,
        "slots_per_network": 1,
        "waiting": 8,
        "per_user": 3,
        "per_network": 6,
        "seconds": 30.0,
    }
    return FairQueue(Bounds(**bounds | changes), Busy)


class Work:
    """Work that notes its order, and ends when it is told to."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue, self.order, self.go = queue, [], asyncio.Semaphore(0)
        self.tasks: list[asyncio.Task[str]] = []

    async def _work(self, user, network, name):
        async with self.queue.alone(user, network), self.queue.slot(user):
            self.order.append(name)
            await self.go.acquire()
            return name

    async def begin(self, user, network, name):
        self.tasks.append(asyncio.create_task(self._work(user, network, name)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def end(self):
        for _ in self.tasks:
            self.go.release()
        return await asyncio.gather(*self.tasks, return_exceptions=True)


async def test_networks_take_turns_and_so_do_their_users():
    work = Work(queue(waiting=20, per_network=20))
    a, b, c = uuid7(), uuid7(), uuid7()
    for number in range(2):
        await work.begin(a, "one", f"a{number}")
        await work.begin(b, "one", f"b{number}")
    await work.begin(c, "two", "c")
    assert work.order == ["a0"]
    assert await work.end() == ["a0", "b0", "a1", "b1", "c"]
    assert work.order == ["a0", "c", "b0", "a1", "b1"] or work.order == ["a0", "b0", "c", "a1", "b1"]
    assert not len(work.queue)


async def test_a_user_and_a_network_have_so_much_waiting():
    work = Work(queue())
    user = uuid7()
    for number in range(4):
        await work.begin(user, "one", str(number))
    for number in range(4, 8):
        await work.begin(uuid7(), "one", str(number))
    ends = await work.end()
    assert [name if isinstance(name, str) else type(name) for name in ends] == [
        "0", "1", "2", Busy, "4", "5", "6", Busy,
    ]  # fmt: skip


async def test_the_fullest_network_makes_room_for_others():
    work = Work(queue(waiting=5))
    for number in range(5):
        await work.begin(uuid7(), "one", str(number))
    await work.begin(uuid7(), "two", "stranger")
    await work.begin(uuid7(), "one", "late")
    ends = await work.end()
    assert [name if isinstance(name, str) else type(name) for name in ends] == [
        "0", "1", "2", "3", Busy, "stranger", Busy,
    ]  # fmt: skip
    assert work.order.index("stranger") <= 2


async def test_a_network_has_only_so_many_slots():
    work = Work(queue(slots=2))
    for number in range(3):
        await work.begin(uuid7(), "one", str(number))
    assert work.order == ["0"]
    await work.begin(uuid7(), "two", "stranger")
    assert work.order == ["0", "stranger"]
    await work.end()


async def test_work_of_the_service_itself_has_no_network():
    work = Work(queue(per_network=2))
    for number in range(4):
        await work.begin(uuid7(), None, str(number))
    assert await work.end() == ["0", "1", "2", "3"]


async def test_nobody_waits_for_ever():
    work = Work(queue(seconds=0.05))
    user = uuid7()
    for name in ("first", "second"):
        await work.begin(user, "one", name)
    await work.begin(uuid7(), "one", "third")
    await until(lambda: work.tasks[1].done() and work.tasks[2].done())
    ends = await work.end()
    assert [name if isinstance(name, str) else type(name) for name in ends] == ["first", Busy, Busy]
    assert not len(work.queue)


@pytest.mark.parametrize("who", range(5))
async def test_who_leaves_gives_the_turn_to_the_next(who: int):
    work = Work(queue(waiting=20, per_network=20))
    users = [uuid7(), uuid7()]
    for number in range(6):
        await work.begin(users[number % 2], "one", str(number))
    work.tasks[who].cancel()
    ends = await work.end()
    assert [end for end in ends if isinstance(end, str)] == [
        str(number) for number in range(6) if number != who
    ]
    assert not len(work.queue)
    async with AsyncExitStack() as stack:  # the slot is free again
        await stack.enter_async_context(work.queue.alone(users[0], "one"))
        await stack.enter_async_context(work.queue.slot(users[0]))


async def test_users_of_one_network_who_come_again_make_room_for_one_who_was_not_there() -> None:
    it = queue(slots=1, waiting=32, per_network=6)
    users = [uuid7() for _ in range(6)]

    async def again(user: object) -> int:
        answers = 0
        for _ in range(20):
            with suppress(Busy):
                async with it.alone(user, "one"), it.slot(user):
                    await asyncio.sleep(0)
                    answers += 1
            await asyncio.sleep(0)
        return answers

    tasks = [asyncio.create_task(again(user)) for user in users]
    await until(lambda: all(it._recent.get(user, 0) > 1 for user in users))
    for stranger in (uuid7(), uuid7()):
        async with it.alone(stranger, "one"), it.slot(stranger):
            pass
    assert sum(await asyncio.gather(*tasks)) > 100
    assert len(it) == 0


async def test_users_of_one_network_who_have_not_been_there_keep_their_places() -> None:
    work = Work(queue(slots=1, waiting=32, per_network=3))
    for name in "abcd":
        await work.begin(uuid7(), "one", name)
    answers = await work.end()
    assert answers[:3] == ["a", "b", "c"]
    assert isinstance(answers[3], Busy)
