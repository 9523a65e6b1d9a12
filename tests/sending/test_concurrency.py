"""Tests how many messages a route has in flight: slow start, cuts, and the bounds that always hold."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.sending import concurrency
from engine.sending.concurrency import AHEAD, FLOOR, MOST_AHEAD, START, AdaptiveLimit


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    own = SimpleNamespace(now=1000.0)
    own.monotonic = lambda: own.now
    monkeypatch.setattr(concurrency, "CLOCK", own)
    return own


def round_trip(limit: AdaptiveLimit, clock: SimpleNamespace, seconds: float) -> None:
    """Makes as many requests as the limit allows, all answered after `seconds`."""
    started = clock.now
    clock.now += seconds
    for _ in range(limit.limit):
        limit.succeeded(started, busy=True)


def test_it_doubles_each_round_trip_up_to_the_limit_of_the_dsn(clock: SimpleNamespace) -> None:
    limit = AdaptiveLimit(100)
    seen = [limit.limit]
    for _ in range(4):
        round_trip(limit, clock, 0.2)
        seen.append(limit.limit)
    assert seen == [START, 32, 64, 100, 100]


def test_it_does_not_grow_while_it_is_not_used_up(clock: SimpleNamespace) -> None:
    limit = AdaptiveLimit(100)
    for _ in range(50):
        limit.succeeded(clock.now, busy=False)
    assert limit.limit == START


def test_too_fast_cuts_once_a_round_trip_and_then_it_grows_by_one(clock: SimpleNamespace) -> None:
    limit = AdaptiveLimit(100)
    for _ in range(4):
        round_trip(limit, clock, 0.2)
    started = clock.now
    clock.now += 0.2
    for _ in range(20):  # of requests that were under way together
        limit.throttled(started)
    assert limit.limit == 70
    round_trip(limit, clock, 0.2)
    assert limit.limit in (70, 71)
    round_trip(limit, clock, 0.2)
    assert limit.limit in (71, 72)


def test_a_latency_that_grows_far_cuts(clock: SimpleNamespace) -> None:
    limit = AdaptiveLimit(100)
    for _ in range(5):
        round_trip(limit, clock, 0.2)
    for _ in range(12):
        round_trip(limit, clock, 3.0)
    assert limit.limit < 20


@pytest.mark.parametrize("seconds", [0.05, 0.3, 0.7])
def test_a_latency_that_was_always_so_does_not(clock: SimpleNamespace, seconds: float) -> None:
    limit = AdaptiveLimit(64)
    for _ in range(300):
        round_trip(limit, clock, seconds)
    assert limit.limit == 64


@pytest.mark.parametrize(
    ("answers", "stores", "ahead"),
    [
        (0.2, 0.005, 15),  # a slow provider never waits for the database: half of the limit is enough
        (0.005, 0.01, 30),  # ten answers in 5 ms, so twenty while a group is stored
        (0.0001, 0.01, 10 + MOST_AHEAD),  # a kill may never leave more `unknown`
        (0.1, 5.0, 15),  # the database waits for a lock, which says nothing of the provider
    ],
)
def test_a_provider_faster_than_the_database_gets_more_ahead(
    clock: SimpleNamespace, answers: float, stores: float, ahead: int
) -> None:
    limit = AdaptiveLimit(10)
    assert limit.ahead == 15
    for _ in range(50):
        round_trip(limit, clock, answers)
        limit.stored(stores)
    assert abs(limit.ahead - ahead) <= 1


def test_a_provider_that_becomes_slow_has_less_ahead(clock: SimpleNamespace) -> None:
    limit = AdaptiveLimit(10)
    round_trip(limit, clock, 0.001)
    limit.stored(0.01)
    assert limit.ahead == 10 + MOST_AHEAD
    for _ in range(10):
        round_trip(limit, clock, 0.3)
    assert limit.ahead == 15


@given(
    most=st.integers(1, 5000),
    happens=st.lists(st.tuples(st.floats(0, 30), st.booleans(), st.booleans()), max_size=200),
)
def test_it_stays_within_its_bounds(most: int, happens: list[tuple[float, bool, bool]]) -> None:
    limit = AdaptiveLimit(most)
    now = 1000.0
    for latency, busy, throttled in happens:
        concurrency_time = SimpleNamespace(monotonic=lambda now=now + latency: now)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(concurrency, "CLOCK", concurrency_time)
            limit.stored(latency)
            if throttled:
                limit.throttled(now)
            else:
                limit.succeeded(now, busy=busy)
        now += latency
        assert min(most, FLOOR) <= limit.limit <= most
        assert 1 <= limit.ahead <= max(AHEAD * limit.limit, limit.limit + MOST_AHEAD)
