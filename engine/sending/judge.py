"""Decides the consequence of an outcome for a message, by one table for every kind of message."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from channels.port import Outcome, Result

ASKED_FOR = timedelta(hours=24)
"""The time for which a provider that honors keys is asked about a message whose outcome is unknown."""
LONGEST_RETRY_AFTER = 3600.0
"""Seconds: the longest pause that a provider can ask for."""

FINAL = (Result.sent, Result.delivered, Result.refused)
"""Results that are final."""

_FIRST_AGAIN, _LAST_AGAIN = timedelta(seconds=5), timedelta(minutes=15)
_MISCONFIGURED_SECONDS = 60.0


class State(StrEnum):
    """The state of a message after a dispatch."""

    sent = "sent"
    delivered = "delivered"
    failed = "failed"
    unknown = "unknown"
    queued = "queued"


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of one store of messages."""

    tries: int
    """Known failures after which a message fails for good."""
    backoff: Callable[[int], float]
    """Returns the seconds before the next try, by the number of known failures."""
    throttle: tuple[float, float] = (5.0, 0.1)
    """Seconds until a throttled message is tried again: if the provider names no time, and the least."""
    every_route_counts: bool = True
    """A known failure counts on every route. Otherwise it counts on the last route alone."""
    new_key_after_refusal: bool = False
    """Users may retry a refused message: its next key is another one."""
    once: bool = False
    """A message that was not sent has failed: a trial, whose sender waits for its result."""


@dataclass(frozen=True, slots=True)
class History:
    """Holds the history of a message before this outcome."""

    attempts: int  # part of the idempotency key: known failures so far
    tries: int  # known failures that count for `Policy.tries`
    first_dispatch: datetime | None = None  # if its outcome was not known


@dataclass(frozen=True, slots=True)
class Verdict:
    """The new state of a message."""

    state: State
    attempts: int
    tries: int
    code: str | None = None
    reason: str | None = None
    delay: float = 0.0  # seconds until it is due again, if it is queued
    uncertain: bool = False  # it is queued to be asked for under the same key: the provider may have it
    another_route: bool = False  # it is queued for the next route
    misconfigured: bool = False  # every message would fail on this route
    refused: bool = False  # its route has refused it: the same message would be refused again


def reconcile(outcome: Outcome, *, uncertain: bool) -> Outcome:
    """Returns the certain result of the message: this outcome, or `unknown`.

    `uncertain`: an earlier dispatch had a result that is not known. Then only the route itself can report its result:
    "come back later", and a driver's own decision without a request, leave it unknown.
    """
    if not uncertain or (outcome.result in FINAL and outcome.asked):
        return outcome
    return replace(outcome, result=Result.unknown)


def judge(
    outcome: Outcome,
    history: History,
    policy: Policy,
    *,
    last: bool,
    asks_again: bool,
    now: datetime,
    jitter: Callable[[float, float], float] = random.uniform,
) -> Verdict:
    """Returns the verdict on an outcome. `last`: no other route may try, as none may after an unknown outcome.

    `asks_again`: the route honors keys.
    """
    result, attempts, tries = outcome.result, history.attempts, history.tries
    code = outcome.code or result.value
    if result in (Result.sent, Result.delivered):
        return Verdict(State(result.value), attempts, tries)
    if result is Result.unknown:
        code = outcome.code or "timeout"
        again = None if policy.once or not asks_again else ask_again_after(history.first_dispatch, now)
        if again is None:
            return Verdict(State.unknown, attempts, tries, code, outcome.reason)
        delay = again.total_seconds() * jitter(0.8, 1.2)
        return Verdict(State.queued, attempts, tries, code, outcome.reason, delay, uncertain=True)
    if result is Result.refused:
        attempts += policy.new_key_after_refusal
        return Verdict(State.failed, attempts, tries, code, outcome.reason, refused=outcome.dispatched)
    transient = result is Result.transient
    if transient and (policy.every_route_counts or last):
        attempts += 1
        tries += 1
    if not last:
        return Verdict(State.queued, attempts, tries, code, outcome.reason, another_route=True)
    if policy.once or (tries >= policy.tries and (transient or policy.every_route_counts)):
        return Verdict(State.failed, attempts, tries, code, outcome.reason)
    misconfigured = result is Result.misconfigured
    delay = _delay(outcome, tries, policy, jitter)
    return Verdict(State.queued, attempts, tries, code, outcome.reason, delay, misconfigured=misconfigured)


def ask_again_after(first_dispatch: datetime | None, now: datetime) -> timedelta | None:
    """Returns the pause before a route is asked again about a message; None if the first dispatch was a day ago.

    `first_dispatch`: None means just now.
    """
    age = now - (first_dispatch or now)
    return None if age > ASKED_FOR else min(max(age, _FIRST_AGAIN), _LAST_AGAIN)


def _delay(outcome: Outcome, tries: int, policy: Policy, jitter: Callable[[float, float], float]) -> float:
    """Returns the seconds before the next try: never less than the provider has asked for."""
    asked = min(outcome.retry_after or 0.0, LONGEST_RETRY_AFTER)
    if outcome.result is Result.throttled:
        usual, least = policy.throttle
        return max(asked or usual, least) * jitter(1, 1.2)
    if outcome.result is Result.misconfigured:
        return _MISCONFIGURED_SECONDS * jitter(0.8, 1.2)
    return max(policy.backoff(tries) * jitter(0.8, 1.2), asked * jitter(1, 1.2))
