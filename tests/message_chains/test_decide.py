"""The decisions about a chain one by one, and ten thousand random histories."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from engine.chains.decide import ChainState, Decision, Rule, StepState, decide, visible_step
from shapes.message_chains import StepUntil
from shapes.messages import DeliveryState as State

NOW = datetime(2026, 12, 1, tzinfo=UTC)
MINUTE = timedelta(seconds=60)
ACCEPTED, DELIVERED = Rule(StepUntil.accepted, MINUTE), Rule(StepUntil.delivered, MINUTE)


def queued() -> StepState:
    return StepState(State.queued, cancelable=True, unsent=True)


def chain(
    steps: Mapping[int, StepState], *, rules: int = 2, began: int = 0, until: Rule = DELIVERED
) -> ChainState:
    """Returns a chain whose newest step began so many seconds ago."""
    return ChainState([until] * rules, max(steps, default=0), NOW - timedelta(seconds=began), steps)


CASES = {
    "nothing has begun": (chain({}), Decision(begins=1)),
    "it waits for its time": (chain({1: queued()}, began=10), Decision(due_at=NOW + timedelta(seconds=50))),
    "accepted is not delivered": (chain({1: StepState(State.sent)}), Decision(due_at=NOW + MINUTE)),
    "accepted is enough": (chain({1: StepState(State.sent)}, until=ACCEPTED), Decision(settles=True)),
    "delivered": (chain({1: StepState(State.delivered)}), Decision(settles=True)),
    "failed": (chain({1: StepState(State.failed)}), Decision(begins=2)),
    "its time is over": (chain({1: StepState(State.sent)}, began=60), Decision(begins=2)),
    "unknown waits": (chain({1: StepState(State.unknown)}, began=59), Decision(due_at=NOW + MINUTE / 60)),
    "unknown, and its time is over": (chain({1: StepState(State.unknown)}, began=61), Decision(begins=2)),
    "canceled by another": (chain({1: StepState(State.canceled)}), Decision(settles=True)),
    "its row is gone": (replace(chain({}), current=1), Decision(begins=2)),
    "late, and the next one is queued": (
        chain({1: StepState(State.delivered), 2: queued()}),
        Decision(cancels=[2], due_at=NOW + MINUTE),
    ),
    "late, and the next one is being sent": (
        chain({1: StepState(State.delivered), 2: StepState(State.sending)}),
        Decision(cancels=[], due_at=NOW + MINUTE),
    ),
    "both delivered": (
        chain({1: StepState(State.delivered), 2: StepState(State.delivered)}),
        Decision(settles=True),
    ),
    "all have failed": (
        chain({1: StepState(State.failed), 2: StepState(State.failed)}),
        Decision(settles=True),
    ),
    "the last one is over in time": (
        chain({1: StepState(State.failed), 2: StepState(State.sent)}, began=60),
        Decision(settles=True),
    ),
    "the last one is over, and still queued": (
        chain({1: StepState(State.failed), 2: queued()}, began=60),
        Decision(due_at=NOW + MINUTE),
    ),
    "its time is over, and nobody has it": (
        chain({1: queued()}, began=60),
        Decision(expires=1, due_at=NOW + MINUTE / 60),
    ),
    "its time is over, and a worker has it": (
        chain({1: replace(queued(), cancelable=False)}, began=60),
        Decision(due_at=NOW + MINUTE / 60),
    ),
    "its time is over, and it is queued again after a hand-over": (
        chain({1: StepState(State.queued)}, began=60),
        Decision(begins=2),
    ),
    "no money": (replace(chain({1: StepState(State.sent)}, began=60), ended=True), Decision(settles=True)),
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_decision(case: str):
    state, expected = CASES[case]
    got = decide(state, NOW)
    assert replace(got, cancels=[*got.cancels]) == replace(expected, cancels=[*expected.cancels])


@pytest.mark.parametrize(
    ("steps", "number"),
    [
        ({1: State.failed, 2: State.queued}, 2),
        ({1: State.sent, 2: State.failed}, 1),
        ({1: State.unknown, 2: State.failed, 3: State.failed}, 1),
        ({1: State.failed, 2: State.failed}, 2),
        ({1: State.sent, 2: State.canceled}, 1),
        ({1: State.delivered, 2: State.sent}, 1),
        ({1: State.failed, 2: State.canceled}, 1),
    ],
)
def test_the_step_that_the_head_shows(steps: Mapping[int, State], number: int):
    assert visible_step(chain({each: StepState(state) for each, state in steps.items()})) == number


def test_of_two_that_were_delivered_the_first_is_shown():
    late = StepState(State.delivered, delivered_at=NOW)
    assert visible_step(chain({1: late, 2: replace(late, delivered_at=NOW - MINUTE)})) == 2


@dataclass
class History:
    """A chain whose steps do what they may do, at any time."""

    dice: random.Random
    rules: list[Rule]
    now: datetime = NOW
    current: int = 0
    began_at: datetime | None = None
    steps: dict[int, StepState] = field(default_factory=dict)
    begun: list[tuple[int, datetime]] = field(default_factory=list)
    expires: dict[int, datetime] = field(default_factory=dict)

    @property
    def state(self) -> ChainState:
        return ChainState(self.rules, self.current, self.began_at, dict(self.steps))

    def happens(self) -> None:
        """Moves one step as the engine would, or the time."""
        if self.dice.random() < 0.4:
            self.now += timedelta(seconds=self.dice.uniform(0, 90))
        for number, step in self.steps.items():
            if step.state is State.queued and self.now > self.expires[number]:
                self.steps[number] = StepState(State.failed)
        number = self.dice.choice([*self.steps])
        following = {
            State.queued: (State.sending, State.failed),
            State.sending: (State.sent, State.failed, State.unknown, State.queued, State.delivered),
            State.sent: (State.delivered, State.failed),
            State.unknown: (State.sent, State.delivered, State.failed),
            State.failed: (State.delivered,),
        }.get(self.steps[number].state, ())
        if following:
            to = self.dice.choice(following)
            was_unsent = self.steps[number].unsent
            unsent = to in (State.queued, State.sending) and was_unsent and self.dice.random() < 0.7
            self.steps[number] = StepState(
                to, to is State.queued and unsent, self.now if to is State.delivered else None, unsent
            )

    def obeys(self, decision: Decision) -> None:
        for number in decision.cancels:
            assert self.steps[number].cancelable
            if self.dice.random() < 0.9:  # else a worker was faster
                self.steps[number] = StepState(State.canceled)
        if (number := decision.expires) is not None:
            assert decision.begins is None
            assert number == self.current
            assert self.steps[number].cancelable
            assert self.now >= self.begun[-1][1] + self.rules[number - 1].within
            if self.dice.random() < 0.9:
                self.steps[number] = StepState(State.failed)
        if (number := decision.begins) is None:
            return
        assert number not in self.steps
        assert number == self.current + 1 <= len(self.rules)
        assert not any(step.state is State.delivered for step in self.steps.values())
        if self.current:
            over = self.now >= self.begun[-1][1] + self.rules[self.current - 1].within
            assert over or self.steps[self.current].state is State.failed
            assert not self.steps[self.current].unsent
            assert not (
                self.rules[self.current - 1].until is StepUntil.accepted
                and self.steps[self.current].state is State.sent
            )
        self.current, self.began_at = number, self.now
        self.begun.append((number, self.now))
        self.expires[number] = self.now + self.rules[number - 1].within
        self.steps[number] = queued()


def test_ten_thousand_random_histories_keep_the_rules_and_settle():
    for seed in range(10_000):
        dice = random.Random(seed)
        history = History(
            dice,
            [
                Rule(dice.choice([StepUntil.accepted, StepUntil.delivered]), timedelta(seconds=within))
                for within in dice.choices((5, 30, 60, 300), k=dice.randint(1, 4))
            ],
        )
        for _ in range(500):
            decision = decide(history.state, history.now)
            if decision.settles:
                break
            assert decision.begins is not None or decision.due_at is not None, seed
            history.obeys(decision)
            history.happens()
            if dice.random() < 0.2 and decision.due_at is not None:
                history.now = max(history.now, decision.due_at)
        else:
            raise AssertionError(f"{seed} does not settle")
        assert not any(step.state in (State.queued, State.sending) for step in history.steps.values()), seed
