"""Decides how a chain goes on: a pure function of its steps and the time, and the step that its head shows.

    nothing has begun ──► begin step 1
    a step has reached its goal ──► cancel what is still queued ──► settled, when no step is under way
    the newest step ── failed, or its time is over ──► begin the next one; after the last one: settled likewise
                    └─ else ──► wait for a change of a step, or for the end of its time

A newest step whose time is over, and that no provider can have, fails and is refunded before the next one is charged.

Its goal is reached when a step is delivered, or accepted if that is its `until`: also one from before. A chain that is
settled begins no step; what is reported later of its steps changes only what the head shows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from shapes.message_chains import StepUntil
from shapes.messages import DeliveryState

_ACTIVE: Final = frozenset({DeliveryState.queued, DeliveryState.sending})
_ACCEPTED: Final = frozenset({DeliveryState.sent, DeliveryState.delivered})
_OVER: Final = frozenset({DeliveryState.failed, DeliveryState.canceled})

LOOKS_AGAIN: Final = timedelta(seconds=60)
"""A chain that waits for a step to end, without a time of its own, is looked at again: the step's change says so first.
"""
LOOKS_SOON: Final = timedelta(seconds=1)
"""A chain that waits for what another transaction or worker has locked is looked at again."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The end of a step."""

    until: StepUntil
    within: timedelta


@dataclass(frozen=True, slots=True)
class StepState:
    """The state of a step that has begun, or that could not begin: that is `failed`."""

    state: DeliveryState
    cancelable: bool = False  # it is queued, and no worker has it
    delivered_at: datetime | None = None
    unsent: bool = False  # it is queued or being sent, and was never handed over


@dataclass(frozen=True, slots=True)
class ChainState:
    """The state of a chain."""

    rules: Sequence[Rule]
    current: int  # the newest step that has begun; 0: none has
    began_at: datetime | None  # when that has begun
    steps: Mapping[int, StepState]
    ended: bool = False  # it has failed as a whole, such as for want of money


@dataclass(frozen=True, slots=True)
class Decision:
    """Says how a chain goes on now. Steps that are to end may have left their queue meanwhile."""

    begins: int | None = None
    expires: int | None = None  # it fails, and the chain is decided about again
    cancels: Sequence[int] = ()
    settles: bool = False
    due_at: datetime | None = None  # when to decide again, unless a step changes before


def decide(chain: ChainState, now: datetime) -> Decision:
    """Returns what to do with a chain that is not settled."""
    if is_reached(chain):
        cancels = [number for number, step in sorted(chain.steps.items()) if step.cancelable]
        return _ending(chain, now, cancels)
    newest = chain.steps.get(chain.current)
    if chain.ended or (newest is not None and newest.state is DeliveryState.canceled):
        return _ending(chain, now)
    # A step whose row is gone is over.
    if chain.current > 0 and newest is not None and newest.state is not DeliveryState.failed:
        ends_at = (chain.began_at or now) + chain.rules[chain.current - 1].within
        if now < ends_at:
            return Decision(due_at=ends_at)
    if chain.current < len(chain.rules):
        if newest is not None and newest.unsent:  # its refund may have to pay for the next one
            return Decision(expires=chain.current if newest.cancelable else None, due_at=now + LOOKS_SOON)
        return Decision(begins=chain.current + 1)
    return _ending(chain, now)


def is_reached(chain: ChainState) -> bool:
    """Returns whether a step has reached the goal of the chain."""
    return any(
        step.state is DeliveryState.delivered
        or (chain.rules[number - 1].until is StepUntil.accepted and step.state in _ACCEPTED)
        for number, step in chain.steps.items()
    )


def is_over(chain: ChainState) -> bool:
    """Returns whether each step that has begun has failed or was canceled."""
    return all(step.state in _OVER for step in chain.steps.values())


def _ending(chain: ChainState, now: datetime, cancels: Sequence[int] = ()) -> Decision:
    """Returns the decision about a chain of which no further step begins: it is settled when none is under way."""
    if any(step.state in _ACTIVE for step in chain.steps.values()):
        return Decision(cancels=cancels, due_at=now + LOOKS_AGAIN)
    return Decision(settles=True)


def visible_step(chain: ChainState) -> int:
    """Returns the step that the head shows: the one that was delivered first; else the newest unless it is over; else
    the newest before it that may still arrive; else the newest that has failed. 0: none has begun.
    """
    delivered = [
        (step.delivered_at is None, step.delivered_at, number)
        for number, step in chain.steps.items()
        if step.state is DeliveryState.delivered
    ]
    if delivered:
        return min(delivered)[2]
    newest_first = sorted(chain.steps.items(), reverse=True)
    for number, step in newest_first:
        if step.state not in _OVER:
            return number
    for number, step in newest_first:
        if step.state is DeliveryState.failed:
            return number
    return chain.current
