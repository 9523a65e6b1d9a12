"""Rate limits, in Redis and, while it is away, in this process: the same arithmetic."""

import asyncio

import pytest

from core.errors import RateLimited
from core.rate_limits import Bucket, Limit, Limiter
from core.store import Store

NOWHERE = "redis://127.0.0.1:1/0"  # port 1 (tcpmux) is never ours


@pytest.fixture(params=["redis", "memory"])
async def limiter(request, services):
    store = services.store if request.param == "redis" else Store(NOWHERE)
    yield Limiter(store)
    if request.param == "memory":
        await store.close()


@pytest.mark.exclusive
async def test_all_at_once_and_then_one_every_so_often(limiter):
    """GCRA: 4 in 4 s is a burst of four, then one every second."""
    limit = Limit("test", 4, 4)
    statuses = [await limiter.take(limit, "a") for _ in range(6)]
    assert [status.allowed for status in statuses] == [True] * 4 + [False] * 2
    assert [status.remaining for status in statuses[:4]] == [3, 2, 1, 0]
    refused = statuses[-1]
    assert 0 < refused.retry_after <= 1
    assert 3 < refused.reset <= 4
    assert refused.headers() == {
        "RateLimit-Limit": "4", "RateLimit-Remaining": "0", "RateLimit-Reset": "4", "Retry-After": "1",
    }  # fmt: skip
    assert (await limiter.take(limit, "b")).remaining == 3  # another key, another bucket
    assert (await limiter.take(Limit("else", 4, 4), "a")).remaining == 3  # another name too
    await asyncio.sleep(refused.retry_after + 0.01)
    assert [(await limiter.take(limit, "a")).allowed for _ in range(2)] == [True, False]
    await asyncio.sleep(4.05)
    assert (await limiter.take(limit, "a")).remaining == 3  # and full again, no fuller


async def test_a_cost_counts_as_so_many_and_what_is_refused_costs_nothing(limiter):
    limit = Limit("test", 10, 100)
    assert (await limiter.take(limit, "a", 7)).remaining == 3
    assert not (await limiter.take(limit, "a", 4)).allowed
    assert (await limiter.take(limit, "a", 3)).remaining == 0
    assert not (await limiter.take(limit, "b", 11)).allowed


async def test_of_fifty_at_once_exactly_the_limit_gets_through(limiter):
    statuses = await asyncio.gather(*(limiter.take(Limit("test", 7, 100), "a") for _ in range(50)))
    assert sum(status.allowed for status in statuses) == 7


@pytest.mark.parametrize(("before", "count"), [(0, 1), (0, 5), (2, 9), (7, 1), (7, 3), (0, 30)])
async def test_requests_that_are_counted_together_are_told_what_each_would_be_told_alone(
    limiter, before: int, count: int
):
    limit = Limit("test", 7, 70_000)  # a point comes after hours: both are counted before the next one
    for key in ("alone", "together"):
        assert all([(await limiter.take(limit, key)).allowed for _ in range(before)])
    alone = [await limiter.take(limit, "alone") for _ in range(count)]
    together = await limiter.take_each(limit, "together", count)
    assert [(each.allowed, each.remaining) for each in together] == [
        (each.allowed, each.remaining) for each in alone
    ]
    for one, other in zip(together, alone, strict=True):
        assert one.reset == pytest.approx(other.reset, abs=5)
        assert one.retry_after == pytest.approx(other.retry_after, abs=5)


async def test_the_refusal_says_when_to_come_back(limiter):
    limit = Limit("test", 1, 90)
    await limiter.enforce(limit, "a", "knocks")
    with pytest.raises(RateLimited) as refused:
        await limiter.enforce(limit, "a", "knocks")
    seconds = refused.value.details["retryAfter"]
    assert 60 <= seconds <= 90  # of 90 s, some of which may be over
    assert refused.value.message == f"Too many knocks. Try again in {seconds} s."
    assert seconds == int(refused.value.headers["Retry-After"])
    assert refused.value.details["limit"] == 1


async def test_processes_share_a_bucket_and_it_is_gone_when_it_is_full(services, settings):
    other = Store(settings.redis_url.get_secret_value())
    try:
        here, there = Limiter(services.store), Limiter(other)
        limit = Limit("test", 3, 60)
        assert [(await limiter.take(limit, "a")).allowed for limiter in (here, there, here, there)] == [
            True
        ] * 3 + [False]
        assert 0 < await services.store.client.pttl("limit:test:a") <= 61_000
    finally:
        await other.close()


async def test_the_memory_of_a_process_is_bounded(monkeypatch):
    monkeypatch.setattr("core.rate_limits._MEMORY", 5)
    store = Store(NOWHERE)
    limiter = Limiter(store)
    for number in range(9):
        await limiter.take(Limit("test", 1, 60), str(number))
    assert len(limiter._memory) == 5
    assert not (await limiter.take(Limit("test", 1, 60), "8")).allowed
    await store.close()


async def test_a_burst_of_callers_is_no_outage(services):
    """More callers come at once than there are connections: they wait for one, and none falls back to local memory."""
    limiter = Limiter(services.store)
    limit = Limit("test", 250, 1_000_000)  # nothing fills up again meanwhile
    statuses = await asyncio.gather(*(limiter.take(limit, "a") for _ in range(400)))
    assert sum(status.allowed for status in statuses) == 250
    assert not services.store._reported_down


def test_a_limit_is_written_count_by_seconds(make_settings):
    assert Limit.parse("test", "4/60") == Limit("test", 4, 60.0)
    for bad in ("", "4", "0/60", "4/0", "-1/60", "4/60s", "1e3/60"):
        with pytest.raises(ValueError, match="count/seconds"):
            make_settings(limit_login=bad)


async def test_of_several_buckets_the_emptiest_decides_and_refusing_costs_none(limiter):
    small, large = Bucket("small", 1e6, 3), Bucket("large", 1e6, 10)
    drawn = await limiter.draw_from([small, large], need=1, want=5, awaited=5)
    assert (drawn.taken, drawn.remaining) == (3, 0)
    # Two more points are missing; the first bucket has none left.
    assert drawn.retry_after == pytest.approx(2000, rel=0.1)
    drawn = await limiter.draw_from([small, large], need=1, want=5, awaited=5)
    assert drawn.taken == 0
    assert drawn.retry_after == pytest.approx(3000, rel=0.1)  # a burst of the first bucket, not all five
    assert (await limiter.draw_from([large], need=7, want=7, awaited=7)).taken == 7
    back = await limiter.draw_from([small, large], need=0, want=0, awaited=0, back=2)
    assert (back.taken, back.remaining) == (0, 2)
    assert (await limiter.draw_from([small], need=3, want=3, awaited=3)).taken == 0
    assert (await limiter.draw_from([small], need=1, want=9, awaited=1)).taken == 2


async def test_a_bucket_is_never_fuller_than_full(limiter):
    bucket = Bucket("full", 1e6, 3)
    await limiter.draw_from([bucket], need=1, want=1, awaited=1)
    back = await limiter.draw_from([bucket], need=0, want=0, awaited=0, back=50)
    assert back.remaining == 3
