"""Dispatches messages to a route, and sets their outcomes."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

import structlog

from channels.batch import BROKE
from channels.port import Channel, Outcome, Outgoing, Result
from engine.faultpoints import fault_point
from engine.sending.judge import FINAL, reconcile
from runtime.breakers import Breakers

log = structlog.get_logger("postern.engine")


class DispatchableItem(Protocol):
    """A message whose intent is recorded; its outcome is set here."""

    outcome: Outcome | None
    route: Channel | None
    probe: UUID | None

    @property
    def outgoing(self) -> Outgoing | None: ...

    @property
    def uncertain(self) -> bool:
        """Returns whether the message was dispatched before with an unknown result."""


async def ask(
    route: Channel,
    items: Sequence[DispatchableItem],
    names: Sequence[str | None],
    breakers: Breakers,
    *,
    point: str,
) -> None:
    """Dispatches the messages and sets `outcome` and `route` of each. `names`: of their breakers.

    An uncertain outcome is asked for once more at once if the provider honors keys, unless its breaker is open now.
    `point`: the fault point between the answer and its use.
    """
    outcomes = await _asked(route, items)
    for item, outcome in zip(items, outcomes, strict=True):
        item.outcome = reconcile(outcome, uncertain=item.uncertain)
        item.route = route
    fault_point(point)
    await breakers.record_outcomes(zip(names, items, outcomes, strict=True))
    if not route.idempotent:
        return
    uncertain = [
        item
        for item, name in zip(items, names, strict=True)
        if item.outcome and item.outcome.result is Result.unknown and breakers.closed(name)
    ]
    if uncertain:
        # The provider drops duplicates: asking again under the same key returns the first result. What a driver decides
        # without a request says nothing of the first one.
        for item, outcome in zip(uncertain, await _asked(route, uncertain), strict=True):
            if outcome.result in FINAL and outcome.asked:
                item.outcome = outcome


async def _asked(route: Channel, items: Sequence[DispatchableItem]) -> list[Outcome]:
    """Returns the route's outcomes. A channel raises for programming errors only; then the result is unknown."""
    try:
        outcomes = await route.send([item.outgoing for item in items if item.outgoing])
        if len(outcomes) != len(items):
            raise RuntimeError(f"{len(outcomes)} outcomes for {len(items)} messages")
    except Exception:
        log.exception("a channel broke", driver=route.name, messages=len(items))
        return [BROKE] * len(items)
    return outcomes
