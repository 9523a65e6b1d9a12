"""A message whose outcome is uncertain is asked for once more at once."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from channels.port import Outcome, Outgoing, Result
from core.ids import uuid7
from engine.sending.ask import ask

TIMEOUT = Outcome(Result.unknown, code="timeout")
REFUSED = Outcome(Result.refused, code="invalid_recipient")
DECIDED = Outcome(Result.refused, code="text_too_long", asked=False)


class Route:
    """Gives the outcomes of a script."""

    name, idempotent = "http", True

    def __init__(self, *outcomes: Outcome) -> None:
        self.outcomes = [*outcomes]

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        return [self.outcomes.pop(0)]


class Breakers:
    """All are closed."""

    async def record_outcomes(self, outcomes: Any) -> None:
        """Counts nothing."""

    def closed(self, name: str | None) -> bool:
        return True


@pytest.mark.parametrize(
    ("uncertain", "outcomes", "result"),
    [
        (False, (TIMEOUT, REFUSED), Result.refused),  # the provider says it, under the same key
        (False, (TIMEOUT, DECIDED), Result.unknown),  # the first request may have been accepted
        (True, (DECIDED, DECIDED), Result.unknown),
        (False, (DECIDED,), Result.refused),
    ],
)
async def test_a_driver_s_own_decision_does_not_end_an_uncertainty(
    uncertain: bool, outcomes: tuple[Outcome, ...], result: Result
) -> None:
    item: Any = SimpleNamespace(
        outcome=None,
        route=None,
        probe=None,
        uncertain=uncertain,
        outgoing=Outgoing(uuid7(), "key", "+1", "hi"),
    )
    route: Any = Route(*outcomes)
    breakers: Any = Breakers()
    await ask(route, [item], ["sms-1"], breakers, point="")
    assert item.outcome.result is result
    assert route.outcomes == []
