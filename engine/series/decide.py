"""Decides what becomes of a person in a series: a pure function of what has happened, and of the time.

the subscription has ended, a reply, left the segment, blocked ──► stop
the message of the newest step is not sent yet                 ──► wait, a tenth of the time so far
no further step                                                ──► finish
the delay of the next step is not over                         ──► wait until then
else                                                           ──► begin it
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from shapes.series import DelayFrom, StopReason

SOON: Final = timedelta(seconds=5)
LATEST: Final = timedelta(minutes=10)
"""The shortest and the longest time after which a message that is on its way is asked for again."""


@dataclass(frozen=True, slots=True)
class Delay:
    """The delay of a step."""

    seconds: int
    after: DelayFrom

    def ends_at(self, entered_at: datetime, before: datetime | None) -> datetime:
        """Returns when the step begins. `before`: when the message of the step before was sent; None: it has none."""
        base = entered_at if self.after is DelayFrom.entry or before is None else before
        return base + timedelta(seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class Progress:
    """Holds how far a person is in a series, and what has happened meanwhile."""

    step: int  # the newest that was begun; 0: none
    entered_at: datetime
    begun_at: datetime | None  # when the newest step was begun
    sent_at: datetime | None  # when its message was sent; None: it has no message, or that was never sent
    is_under_way: bool = False  # its message waits to be sent
    is_subscribed: bool = True
    has_replied: bool = False
    has_left: bool = False
    is_blocked: bool = False  # the address of the next step


@dataclass(frozen=True, slots=True)
class Decision:
    """Says what happens now: exactly one of these, or the next step begins."""

    stop: StopReason | None = None
    finished: bool = False
    waits_until: datetime | None = None


BEGIN: Final = Decision()


def decide(progress: Progress, delays: list[Delay], now: datetime) -> Decision:
    """Returns what becomes of a person. `delays`: those of all steps."""
    for is_over, reason in (
        (not progress.is_subscribed, StopReason.withdrawn),
        (progress.has_replied, StopReason.replied),
        (progress.has_left, StopReason.left),
    ):
        if is_over:
            return Decision(stop=reason)
    if progress.is_under_way:
        waited = (now - progress.begun_at) / 10 if progress.begun_at else SOON
        return Decision(waits_until=now + min(max(waited, SOON), LATEST))
    if progress.step >= len(delays):
        return Decision(finished=True)
    if progress.is_blocked:
        return Decision(stop=StopReason.blocked)
    before = None if progress.step == 0 else progress.sent_at or progress.begun_at
    ends_at = delays[progress.step].ends_at(progress.entered_at, before)
    return BEGIN if ends_at <= now else Decision(waits_until=ends_at)
