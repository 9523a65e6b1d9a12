"""The rules of a series once more, as a table: each combination of facts is looked up in it."""

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from engine.series.decide import BEGIN, LATEST, SOON, Decision, Delay, Progress, decide
from shapes.series import DelayFrom, StopReason

NOW = datetime(2027, 1, 31, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
LAST = 2
DELAYS = [Delay(3600, DelayFrom.entry), Delay(7200, DelayFrom.previous)]

TABLE = (
    # subscribed, replied, left, under way, blocked, steps begun, due → what happens; None: either
    ((False, None, None, None, None, None, None), StopReason.withdrawn),
    ((True, True, None, None, None, None, None), StopReason.replied),
    ((True, False, True, None, None, None, None), StopReason.left),
    ((True, False, False, True, None, None, None), "waits for its message"),
    ((True, False, False, False, None, LAST, None), "finished"),
    ((True, False, False, False, True, None, None), StopReason.blocked),
    ((True, False, False, False, False, None, False), "waits for its time"),
    ((True, False, False, False, False, None, True), "begins"),
)


def by_table(row: tuple[object, ...]) -> object:
    """Returns the result of the first line that fits."""
    return next(
        result
        for line, result in TABLE
        if all(each is None or each == fact for each, fact in zip(line, row, strict=True))
    )


@pytest.mark.parametrize("step", range(LAST + 1))
@pytest.mark.parametrize("due", [True, False])
def test_each_combination_of_facts(step: int, due: bool):
    for subscribed, replied, left, under_way, blocked in product([True, False], repeat=5):
        ago = 3 * HOUR if due else timedelta(minutes=30)
        progress = Progress(
            step,
            entered_at=NOW - ago,
            begun_at=NOW - ago if step else None,
            sent_at=NOW - ago if step else None,
            is_under_way=under_way,
            is_subscribed=subscribed,
            has_replied=replied,
            has_left=left,
            is_blocked=blocked,
        )
        decision = decide(progress, DELAYS, NOW)
        expected = by_table((subscribed, replied, left, under_way, blocked, step, due))
        if isinstance(expected, StopReason):
            assert decision == Decision(stop=expected)
        elif expected == "waits for its time":
            assert decision.waits_until == NOW - ago + (HOUR if step == 0 else 2 * HOUR)
        elif expected == "waits for its message":
            assert decision.waits_until is not None
            assert NOW + SOON <= decision.waits_until <= NOW + LATEST
        else:
            assert decision == (Decision(finished=True) if expected == "finished" else BEGIN)


def test_a_step_without_a_message_counts_from_when_it_began():
    progress = Progress(1, entered_at=NOW - 9 * HOUR, begun_at=NOW - HOUR, sent_at=None)
    assert decide(progress, DELAYS, NOW) == Decision(waits_until=NOW + HOUR)
