"""The send rate is exact over a minute, across processes, and when Redis is wiped or away."""

import asyncio
import time

import pytest

from engine.rates.send_rate import Rate, SendRate
from runtime.services import Services


class Clock:
    """Time that passes when the test says so, for the arithmetic without Redis."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr("core.rate_limits.time", made)
    return made


def redis_away(services: Services, monkeypatch) -> None:
    async def away(call, otherwise):
        return otherwise

    monkeypatch.setattr(services.store, "attempt", away)


@pytest.mark.parametrize("per_minute", [1, 7, 60, 600, 100_000])
async def test_no_minute_has_more_than_two_hundredths_too_many(
    services: Services, clock: Clock, monkeypatch, per_minute: int
):
    redis_away(services, monkeypatch)
    pace, rate = SendRate(services), Rate("r", per_minute)
    sent: list[tuple[float, int]] = []
    while clock.now < 1180:
        most, wait = await pace.take([rate], 500)
        if most:
            sent.append((clock.now, most))
        clock.now += max(wait, 0.0005) if most < 500 else 0.0
    for begin, _ in sent[:: max(1, len(sent) // 500)]:
        inside = sum(count for at, count in sent if begin <= at < begin + 60)
        assert inside <= max(per_minute * 1.02, per_minute + 1)
    total = sum(count for _, count in sent)
    assert total >= per_minute * 3 * 0.98 - 1


async def test_several_processes_share_one_bucket(services: Services):
    rates = [Rate("user:x", 60_000), Rate("project:y", 30_000)]
    paces = [SendRate(services) for _ in range(4)]
    begun = time.monotonic()
    taken = await asyncio.gather(*(pace.take(rates, 500) for pace in paces))
    # The slower one has 600 at once, and half a message a millisecond beside.
    refilled = (time.monotonic() - begun) * 1000 / 2
    assert 600 <= sum(most for most, _ in taken) <= 600 + refilled + 1
    assert all(wait > 0 for most, wait in taken if most < 500)


async def test_what_one_bucket_refuses_costs_the_others_nothing(services: Services):
    pace = SendRate(services)
    slow, fast = Rate("slow", 1), Rate("fast", 60_000)
    begun = time.monotonic()
    assert (await pace.take([slow, fast], 100))[0] == 1
    most, wait = await pace.take([slow, fast], 100)
    assert most == 0
    assert 60 - (time.monotonic() - begun) <= wait <= 60
    assert (await pace.take([fast], 1199))[0] == 1199
    await pace.give_back([fast], 100)
    assert (await pace.take([fast], 100))[0] == 100


@pytest.mark.parametrize("away", [False, True], ids=["redis", "memory"])
@pytest.mark.parametrize("old", [1, 60, 6000])
@pytest.mark.parametrize("new", [1, 60, 6000])
async def test_a_changed_rate_counts_at_once(
    services: Services, clock: Clock, monkeypatch, old: int, new: int, away: bool
):
    """Messages that were sent at the old rate cost at most one burst of the new one, and no more is waited for."""
    if away:
        redis_away(services, monkeypatch)
    rates, changed = SendRate(services), Rate("r", new)
    while (await rates.take([Rate("r", old)], 500))[0]:
        pass
    first, wait = await rates.take([changed], 1)
    assert (
        wait <= changed.every * changed.burst / 1000
    )  # 1.2 s at 6000 a minute; it was 60 s after one a minute
    second, later = await rates.take([changed], 1)
    if not first:
        assert later <= wait  # it is counted from the change on
    if away:  # the clock stands still, and the change gives nothing away
        owed = min(Rate("r", old).every * Rate("r", old).burst, changed.every * changed.burst)
        taken = first + second + (await rates.take([changed], 500))[0]
        assert abs(taken - (changed.burst - owed / changed.every)) <= 1


async def test_without_redis_it_goes_on_here(services: Services, clock: Clock, monkeypatch):
    redis_away(services, monkeypatch)
    pace = SendRate(services)
    assert (await pace.take([Rate("r", 600)], 20))[0] == 12
    assert (await pace.take([Rate("r", 600)], 20))[0] == 0
    await pace.give_back([Rate("r", 600)], 5)
    assert (await pace.take([Rate("r", 600)], 20))[0] == 5
