"""A bucket of points that processes lease pieces of: bounded whatever they do, and seldom a word to Redis."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import budget as module
from core.budget import Budget
from core.rate_limits import Limit, Limiter, RateStatus
from core.store import Store
from tests.support import servers
from tests.support.examples import examples
from tests.support.waits import until

pytestmark = pytest.mark.servers

NOWHERE = "redis://127.0.0.1:1/0"  # port 1 (tcpmux) is never ours
LONG = 1e9  # seconds: nothing fills up again while a test runs, not even a point of 200,000


class Counted(Store):
    """A store that knows how often Redis was asked."""

    asked = 0

    async def attempt(self, call: Any, otherwise: Any) -> Any:
        self.asked += 1
        return await super().attempt(call, otherwise)


@asynccontextmanager
async def process(limit: Limit, url: str | None = None) -> AsyncIterator[tuple[Budget, Counted]]:
    """A process of its own, as far as a budget can tell."""
    store = Counted(url or servers.redis_url())
    servers.patient(store.client)
    try:
        yield Budget(Limiter(store), limit), store
    finally:
        await store.close()


def bucket(count: int, seconds: float = LONG) -> Limit:
    return Limit(f"budget-{uuid4().hex}", count, seconds)


def forget(budget: Budget) -> None:
    """Ends all leases, as time would."""
    for lease in budget._local_buckets.values():
        lease.until = 0.0


def leased(budget: Budget) -> int:
    return sum(lease.points for lease in budget._local_buckets.values())


async def free(limit: Limit, key: str = "ada") -> int:
    async with process(limit) as (_, store):
        return (await Limiter(store).draw(limit, key, 0, 0)).remaining


@pytest.fixture(params=["redis", "memory"])
async def opened_budget(request: pytest.FixtureRequest) -> AsyncIterator[Callable[[Limit], Budget]]:
    store = Store(servers.redis_url() if request.param == "redis" else NOWHERE)
    servers.patient(store.client)
    yield lambda limit: Budget(Limiter(store), limit)
    await store.close()


async def test_what_is_there_is_spent_and_no_more(opened_budget):
    budget = opened_budget(bucket(1000))
    status = await budget.take("ada", 700)
    assert (status.allowed, status.limit, status.remaining) == (True, 1000, 300)
    refused = await budget.take("ada", 301)
    assert (refused.allowed, refused.remaining) == (False, 300)
    assert 0 < refused.retry_after <= LONG / 1000
    assert refused.headers()["Retry-After"]
    assert (await budget.take("ada", 300)).remaining == 0
    assert not (await budget.take("ada", 1)).allowed
    assert (await budget.take("bob", 1000)).allowed  # another caller, another bucket
    assert not (await budget.take("eve", 1001)).allowed


async def test_what_was_not_used_comes_back(opened_budget):
    budget = opened_budget(bucket(1000))
    for _ in range(50):
        assert (await budget.take("ada", 900)).allowed
        await budget.give("ada", 899)
    assert budget.remaining("ada") == 950
    assert leased(budget) <= budget.chunk
    assert (await budget.take("ada", 950)).allowed
    assert not (await budget.take("ada", 1)).allowed
    await budget.give("nobody", 5)
    assert budget.remaining("nobody") == 1000


async def test_what_was_used_beyond_is_owed(opened_budget):
    budget = opened_budget(bucket(1000))
    await budget.take("ada", 10)
    await budget.give("ada", -90)
    assert budget.remaining("ada") == 900
    assert not (await budget.take("ada", 901)).allowed
    assert (await budget.take("ada", 900)).remaining == 0


async def test_it_fills_up_again():
    limit = bucket(1000, 1.0)
    async with process(limit) as (budget, _):
        assert (await budget.take("ada", 1000)).allowed

        async def again() -> bool:
            return (await budget.take("ada", 200)).allowed

        await until(again)


async def test_who_asks_a_lot_seldom_touches_redis_and_who_asks_once_holds_nothing(monkeypatch):
    monkeypatch.setattr(module, "_FRESH", LONG)
    limit = bucket(200_000)
    async with process(limit) as (budget, store):
        await budget.take("ada", 7)
        assert (store.asked, leased(budget)) == (1, 0)
        store.asked = 0
        for _ in range(10_000):
            assert (await budget.take("ada", 10)).allowed
            assert leased(budget) <= budget.chunk
        assert store.asked < 25  # one a slice (10,000 points), and some until it is that large
        assert await free(limit) + leased(budget) == 200_000 - 7 - 100_000


async def test_a_lease_that_is_old_goes_back_with_the_next_draw():
    limit = bucket(2000)
    async with process(limit) as (here, _), process(limit) as (there, _):
        for _ in range(20):
            await here.take("ada", 10)
        await here.give("ada", 60)
        held = leased(here)
        assert held >= 60
        forget(here)
        # Nobody else may have it meanwhile: 200 points were taken, 60 came back.
        assert (await there.take("ada", 1)).remaining == 2000 - 140 - held - 1
        await here.take("ada", 1)
        assert await free(limit) == 2000 - 140 - 2
        assert leased(here) == 0


async def test_processes_share_a_bucket():
    limit = bucket(1000)
    async with process(limit) as (here, _), process(limit) as (there, _):
        taken = 0
        for turn in range(400):
            taken += (await (here, there)[turn % 2].take("ada", 5)).allowed * 5
        held = leased(here) + leased(there)
        assert taken + held + await free(limit) == 1000
        assert held <= 2 * here.chunk
        assert 1000 - held - 5 < taken <= 1000


async def test_of_many_at_once_exactly_the_bucket_gets_through():
    limit = bucket(1000)
    async with process(limit) as (budget, store):
        statuses = await asyncio.gather(*(budget.take("ada", 9) for _ in range(300)))
        assert sum(status.allowed for status in statuses) == 111  # of 9 points each
        assert 999 + leased(budget) + await free(limit) == 1000
        assert store.asked <= 300


async def test_one_draw_serves_those_who_wait_for_it(monkeypatch):
    monkeypatch.setattr(module, "_FRESH", LONG)
    async with process(bucket(200_000)) as (budget, store):
        await budget.take("ada", 10_000)  # from now on it draws slices
        before = store.asked
        await asyncio.gather(*(budget.take("ada", 1) for _ in range(500)))
        assert store.asked - before == 1


async def test_without_redis_each_process_goes_on_by_itself():
    limit = bucket(1000)
    async with process(limit, NOWHERE) as (here, _), process(limit, NOWHERE) as (there, _):
        for budget in (here, there):
            assert (await budget.take("ada", 1000)).allowed
            refused = await budget.take("ada", 1)
            assert not refused.allowed
            assert refused.retry_after <= LONG / 1000 + 1


async def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "_MOST", 5)
    async with process(bucket(1000)) as (budget, _):
        for number in range(20):
            await budget.take(str(number), 1)
        assert list(budget._local_buckets) == ["15", "16", "17", "18", "19"]


async def test_who_leaves_in_the_middle_breaks_nothing():
    limit = bucket(1000)
    async with process(limit) as (budget, _):
        await budget.take("ada", 10)
        await budget.give("ada", 5)
        waiting = [asyncio.create_task(budget.take("ada", 100)) for _ in range(5)]
        await asyncio.sleep(0)
        for task in waiting[:3]:
            task.cancel()
        done = await asyncio.gather(*waiting, return_exceptions=True)
        stayed = [status for status in done if not isinstance(status, asyncio.CancelledError)]
        assert len(stayed) >= 2
        assert all(isinstance(status, RateStatus) and status.allowed for status in stayed)
        assert 0 <= leased(budget) <= budget.chunk
        # Whatever was drawn for those who left counts as spent at most.
        assert await free(limit) + leased(budget) <= 1000 - 5 - 100 * len(stayed)
        assert (await budget.take("ada", 1)).allowed


async def test_what_is_owed_is_not_forgotten_with_the_lease(monkeypatch):
    monkeypatch.setattr(module, "_MOST", 5)
    limit = bucket(1000)
    async with process(limit) as (budget, _):
        await budget.take("ada", 10)
        await budget.give("ada", -90)
        await budget.take("bob", 10)
        for number in range(10):
            await budget.take(str(number), 1)
        assert list(budget._local_buckets) == ["5", "6", "7", "8", "9"]
        await budget.give("bob", -40)
        assert (await free(limit, "ada"), await free(limit, "bob")) == (900, 950)
        assert not (await budget.take("ada", 901)).allowed
        assert (await budget.take("ada", 900)).allowed


class Slow(Limiter):
    """Redis, when the test lets it answer."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.asked, self.answers = asyncio.Event(), asyncio.Event()

    async def draw(self, *arguments: Any, **more: Any) -> Any:
        self.asked.set()
        await self.answers.wait()
        return await super().draw(*arguments, **more)


@pytest.mark.parametrize("old", [False, True], ids=["fresh", "old"])
async def test_what_is_owed_is_not_forgotten_with_who_leaves(old):
    """The debt is remembered also when the lease is forgotten meanwhile."""
    limit = bucket(1000)
    store = Store(servers.redis_url())
    servers.patient(store.client)
    slow = Slow(store)
    budget = Budget(slow, limit)
    slow.answers.set()
    for forgotten in (False, True):
        key = f"ada {forgotten}"
        await budget.take(key, 10)
        await budget.give(key, -90)
        if old:
            forget(budget)
        slow.answers.clear()
        slow.asked.clear()
        leaving = asyncio.create_task(budget.take(key, 10))
        await slow.asked.wait()
        if forgotten:  # as when twenty thousand others come
            del budget._local_buckets[key]
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        slow.answers.set()
        assert not (await budget.take(key, 901)).allowed
        assert (await budget.take(key, 900)).allowed
    await store.close()


async def test_of_two_draws_the_answer_that_is_read_last_is_the_newest(monkeypatch):
    limit = bucket(1000)
    async with process(limit) as (budget, _):
        await budget.take("ada", 300)
        real, done, read = budget._limiter.draw, asyncio.Event(), asyncio.Event()

        async def first_is_late(*arguments: Any) -> Any:
            drawn = await real(*arguments)
            if not done.is_set():
                done.set()
                await read.wait()
            return drawn

        monkeypatch.setattr(budget._limiter, "draw", first_is_late)
        giving = asyncio.create_task(budget.give("ada", 200))
        await done.wait()
        taking = asyncio.create_task(budget.take("ada", 100))
        await asyncio.sleep(0.05)  # it is answered in this time, or waits for the other
        read.set()
        await asyncio.gather(giving, taking)
        assert budget.remaining("ada") == 800


Step = tuple[str, int, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["take", "take", "take", "give", "forget"]), st.integers(0, 2), st.integers(1, 400)
    ),
    max_size=60,
)


@given(steps=STEPS, count=st.integers(20, 1000))
@settings(max_examples=examples(15), deadline=None)
def test_no_order_of_things_makes_points(steps: list[Step], count: int):
    """Three processes, one bucket that does not fill up: every point is spent, leased or in Redis, once."""
    asyncio.run(_play(steps, count))


async def _play(steps: list[Step], count: int) -> None:
    limit = bucket(count)
    async with process(limit) as (a, _), process(limit) as (b, _), process(limit) as (c, _):
        processes = (a, b, c)
        spent = [0, 0, 0]
        for what, who, points in steps:
            budget = processes[who]
            if what == "take":
                before = count - sum(spent)
                allowed = (await budget.take("ada", points)).allowed
                assert not (allowed and points > before), "more than there is"
                spent[who] += allowed * points
            elif what == "give":
                points = min(points, spent[who])  # noqa: PLW2901  no caller gives back more than it took
                await budget.give("ada", points)
                spent[who] -= points
            else:
                forget(budget)
            for child in processes:
                assert 0 <= leased(child) <= child.chunk
            assert sum(spent) + sum(map(leased, processes)) + await free(limit) == count
