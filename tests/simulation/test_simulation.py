"""A part of what `make simulate` does: some histories hold, a history is repeated by its seed, and a fault is found."""

from typing import Any

import pytest

from engine.sending import delivery
from tests.simulation.history import many, run


def test_histories_hold() -> None:
    results = many(range(250))
    assert [(result.seed, result.violations) for result in results if result.violations] == []
    assert {state for result in results for state in result.states} >= {
        "sent",
        "delivered",
        "failed",
        "unknown",
    }


@pytest.mark.parametrize("seed", [4, 27, 84])
def test_a_seed_repeats_its_history(seed: int) -> None:
    first, second = run(seed, traced=True), run(seed, traced=True)
    assert len(first.trace) > 10
    assert first.trace == second.trace


def test_a_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages that may have been sent go to another route."""

    def following(self: Any, message: Any, after: Any) -> Any:
        routes = self._routes_of(message)
        index = 0 if after is None else routes.index(after) + 1
        return routes[index] if index < len(routes) else None

    monkeypatch.setattr(delivery.Delivery, "_next", following)
    results = many(range(250))
    assert any("sent twice" in text for result in results for text in result.violations)
