"""The table of decisions: what an outcome means for a message."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from channels.port import Outcome, Result
from engine.direct.dispatch import backoff
from engine.sending.judge import History, Policy, State, Verdict, judge, reconcile

NOW = datetime(2026, 11, 21, tzinfo=UTC)
DIRECT = Policy(5, backoff)
TRIAL = Policy(5, backoff, once=True)
PROJECT = Policy(
    3, lambda tries: 60.0 * tries, throttle=(1.0, 1.0), every_route_counts=False, new_key_after_refusal=True
)
OLD = NOW - timedelta(hours=1)
YESTERDAY = NOW - timedelta(hours=24, seconds=1)


def verdict(outcome: Outcome, policy: Policy, attempts: int = 0, tries: int = 0, **more: Any) -> Verdict:
    history = History(attempts, tries, more.pop("first", None))
    arguments = {"last": True, "asks_again": False, **more}
    return judge(outcome, history, policy, now=NOW, jitter=lambda low, high: (low + high) / 2, **arguments)


@pytest.mark.parametrize("policy", [DIRECT, TRIAL, PROJECT])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("asks_again", [True, False])
@pytest.mark.parametrize("result", [Result.sent, Result.delivered])
def test_what_was_accepted_is_settled(policy: Policy, last: bool, asks_again: bool, result: Result) -> None:
    decision = verdict(Outcome(result, "id"), policy, 2, 1, last=last, asks_again=asks_again)
    assert decision == Verdict(State(result.value), 2, 1)


@pytest.mark.parametrize(
    ("policy", "attempts"),
    [pytest.param(DIRECT, 2, id="direct"), (TRIAL, 2), pytest.param(PROJECT, 3, id="a retry has a new key")],
)
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("asks_again", [True, False])
def test_a_refusal_is_final_on_any_route(policy: Policy, attempts: int, last: bool, asks_again: bool) -> None:
    outcome = Outcome(Result.refused, code="bad", reason="no", asked=asks_again)
    decision = verdict(outcome, policy, 2, 1, last=last)
    assert decision == Verdict(State.failed, attempts, 1, "bad", "no", refused=True)


@pytest.mark.parametrize("policy", [DIRECT, TRIAL, PROJECT])
def test_what_no_driver_was_given_has_failed_and_nobody_has_refused_it(policy: Policy) -> None:
    decision = verdict(Outcome(Result.refused, code="expired", dispatched=False), policy)
    assert (decision.state, decision.code, decision.refused) == (State.failed, "expired", False)


@pytest.mark.parametrize(
    ("policy", "asks_again", "first", "delay"),
    [
        (DIRECT, False, None, None),
        (DIRECT, True, None, 5.0),
        (DIRECT, True, NOW - timedelta(seconds=70), 70.0),
        (DIRECT, True, OLD, 900.0),
        (DIRECT, True, YESTERDAY, None),
        (PROJECT, True, None, 5.0),
        (PROJECT, False, OLD, None),
        (TRIAL, True, None, None),
    ],
)
@pytest.mark.parametrize("last", [True, False])
def test_an_unknown_outcome_is_asked_for_where_the_key_is_honored(
    policy: Policy, asks_again: bool, first: datetime | None, delay: float | None, last: bool
) -> None:
    decision = verdict(Outcome(Result.unknown), policy, 1, 1, asks_again=asks_again, first=first, last=last)
    assert (decision.attempts, decision.tries, decision.code) == (1, 1, "timeout")
    assert not decision.another_route
    assert not decision.refused
    if delay is None:
        assert (decision.state, decision.uncertain) == (State.unknown, False)
    else:
        assert (decision.state, decision.uncertain, decision.delay) == (State.queued, True, delay)


@pytest.mark.parametrize("result", [Result.transient, Result.throttled, Result.misconfigured])
@pytest.mark.parametrize(("policy", "counts"), [(DIRECT, True), (PROJECT, False), (TRIAL, True)])
def test_another_route_tries_what_was_surely_not_accepted(
    result: Result, policy: Policy, counts: bool
) -> None:
    decision = verdict(Outcome(result, code="x"), policy, 1, 1, last=False)
    counted = int(counts and result is Result.transient)
    assert decision == Verdict(State.queued, 1 + counted, 1 + counted, "x", None, another_route=True)


@pytest.mark.parametrize(
    ("policy", "tries", "outcome", "state", "after", "delay"),
    [
        (DIRECT, 0, Outcome(Result.transient), State.queued, 1, 5.0),
        (DIRECT, 1, Outcome(Result.transient), State.queued, 2, 15.0),
        (DIRECT, 3, Outcome(Result.transient), State.queued, 4, 300.0),
        (DIRECT, 4, Outcome(Result.transient), State.failed, 5, 0.0),
        (DIRECT, 0, Outcome(Result.transient, retry_after=60), State.queued, 1, 66.0),
        (DIRECT, 0, Outcome(Result.transient, retry_after=1e9), State.queued, 1, 3960.0),
        (DIRECT, 0, Outcome(Result.throttled), State.queued, 0, 5.5),
        (DIRECT, 0, Outcome(Result.throttled, retry_after=0), State.queued, 0, 5.5),
        (DIRECT, 0, Outcome(Result.throttled, retry_after=0.01), State.queued, 0, 0.11),
        (DIRECT, 0, Outcome(Result.throttled, retry_after=1e9), State.queued, 0, 3960.0),
        (DIRECT, 0, Outcome(Result.misconfigured), State.queued, 0, 60.0),
        (PROJECT, 0, Outcome(Result.transient), State.queued, 1, 60.0),
        (PROJECT, 2, Outcome(Result.transient), State.failed, 3, 0.0),
        (PROJECT, 0, Outcome(Result.throttled), State.queued, 0, 1.1),
        (PROJECT, 2, Outcome(Result.throttled, retry_after=30), State.queued, 2, 33.0),
        (TRIAL, 0, Outcome(Result.transient), State.failed, 1, 0.0),
        (TRIAL, 0, Outcome(Result.throttled), State.failed, 0, 0.0),
        (TRIAL, 0, Outcome(Result.misconfigured), State.failed, 0, 0.0),
    ],
)
def test_on_the_last_route_it_waits_or_has_failed(
    policy: Policy, tries: int, outcome: Outcome, state: State, after: int, delay: float
) -> None:
    decision = verdict(outcome, policy, tries, tries)
    assert (decision.state, decision.tries, decision.attempts, round(decision.delay, 3)) == (
        state,
        after,
        after,
        delay,
    )
    assert decision.misconfigured is (outcome.result is Result.misconfigured and state is State.queued)
    assert not decision.another_route
    assert not decision.refused  # although it may have failed


def test_jitter_never_comes_before_the_time_that_the_provider_named() -> None:
    for _ in range(200):
        decision = judge(
            Outcome(Result.transient, retry_after=20),
            History(0, 0),
            DIRECT,
            last=True,
            asks_again=False,
            now=NOW,
        )
        assert 20 <= decision.delay <= 24


@pytest.mark.parametrize("result", [Result.sent, Result.refused])
def test_after_an_unknown_dispatch_the_route_alone_makes_it_certain(result: Result) -> None:
    """A driver that refuses without asking knows nothing of the dispatch before: a refund would be wrong."""
    asked, unasked = Outcome(result, "id", asked=True), Outcome(result, "id", asked=False)
    assert reconcile(asked, uncertain=True) == asked
    assert reconcile(unasked, uncertain=True).result is Result.unknown
    assert reconcile(unasked, uncertain=False) == unasked
