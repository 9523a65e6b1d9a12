"""Sends one message whose caller waits for the result: intent, ask, judge, store. It has no queue and no claim."""

from typing import Protocol, TypeVar

from channels.port import Outcome
from core.clock import CLOCK
from engine.sending.judge import History, Policy, Verdict, judge, reconcile

R_co = TypeVar("R_co", covariant=True)


class Attempt(Protocol[R_co]):
    """One attempt to send a message."""

    @property
    def policy(self) -> Policy: ...

    @property
    def uncertain(self) -> bool:
        """Returns whether an earlier attempt ended with a result that is not known."""

    async def record_intent(self) -> bool:
        """Commits that the message is dispatched now. Returns False if another attempt at it is under way."""

    async def ask(self) -> Outcome:
        """Dispatches the message."""

    async def store(self, outcome: Outcome, verdict: Verdict) -> R_co:
        """Stores the verdict. Returns the result, or raises it as the error that the caller gets."""


async def send_once(attempt: Attempt[R_co]) -> R_co | None:
    """Makes the attempt. Returns None, and does nothing, if another one at this message is under way.

    A process that dies after `record_intent` leaves an intent without an outcome: the store's recovery finds it.
    """
    if not await attempt.record_intent():
        return None
    outcome = reconcile(await attempt.ask(), uncertain=attempt.uncertain)
    # The store decides by the key of the next request whether it asks again, so the core never does.
    verdict = judge(outcome, History(0, 0), attempt.policy, last=True, asks_again=False, now=CLOCK.now())
    return await attempt.store(outcome, verdict)
