"""One hand-over of messages to a route, as both pipelines make it: what the route says, and what that means for each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol
from uuid import UUID

import structlog

from channels.batch import BROKE
from channels.port import Channel, Outcome, Outgoing, Result
from engine.breakers import Breakers
from engine.faultpoints import reach

log = structlog.get_logger("postern.engine")

# What settles what became of a message. To a second hand-over under the same key, "come back later" does not.
SETTLED = (Result.sent, Result.delivered, Result.refused)


class Marked(Protocol):
    """A message whose hand-over has been recorded; its outcome is set here."""

    outcome: Outcome | None
    route: Channel | None
    probe: UUID | None

    @property
    def outgoing(self) -> Outgoing | None: ...

    @property
    def uncertain(self) -> bool:
        """Whether it was handed over before, and its fate is not known."""


async def ask(
    route: Channel, items: Sequence[Marked], names: Sequence[str | None], breakers: Breakers, *, point: str
) -> None:
    """Hands them over and sets `outcome` and `route` of each. `names`: of the breakers that they stand behind.

    An uncertain outcome is asked for once more at once where the provider honours keys, unless its breaker is open now.
    `point`: the fault point between the answer and its use.
    """
    outcomes = await _asked(route, items)
    for item, outcome in zip(items, outcomes, strict=True):
        known = outcome.result in SETTLED or not item.uncertain
        item.outcome = outcome if known else replace(outcome, result=Result.unknown)
        item.route = route
    reach(point)
    await breakers.heard(zip(names, items, outcomes, strict=True))
    if not route.idempotent:
        return
    uncertain = [
        item
        for item, name in zip(items, names, strict=True)
        if item.outcome and item.outcome.result is Result.unknown and breakers.closed(name)
    ]
    if uncertain:
        # The provider drops what it has: asking again under the same key tells us what it did.
        for item, outcome in zip(uncertain, await _asked(route, uncertain), strict=True):
            if outcome.result in SETTLED:
                item.outcome = outcome


async def _asked(route: Channel, items: Sequence[Marked]) -> list[Outcome]:
    """What the route says. A channel raises for programming errors only; then nobody knows what it did."""
    try:
        outcomes = await route.send([item.outgoing for item in items if item.outgoing])
        if len(outcomes) != len(items):
            raise RuntimeError(f"{len(outcomes)} outcomes for {len(items)} messages")
    except Exception:
        log.exception("a channel broke", driver=route.name, messages=len(items))
        return [BROKE] * len(items)
    return outcomes
