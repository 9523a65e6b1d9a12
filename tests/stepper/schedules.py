"""Chooses schedules: all with few preemptions, by running each that branches off an earlier one; and random ones."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

PREEMPTIONS: Final = 2
"""Preemptions of a schedule at most: moments at which a session that could go on has to wait."""

Choose = Callable[[list[int], int | None], int]


@dataclass
class Guided:
    """Follows a prefix of choices, and then lets each session go on as long as it can. It records the alternatives.

    `twins`: two sessions that do the same work. The first of them begins first: a schedule in which the second one does
    is another one with the two exchanged.
    """

    prefix: tuple[int, ...]
    most: int = PREEMPTIONS
    twins: tuple[int, int] | None = None
    taken: list[int] = field(default_factory=list)
    preemptions: int = 0
    further: list[tuple[int, ...]] = field(default_factory=list)  # prefixes of schedules that branch off

    def __call__(self, free: list[int], last: int | None) -> int:
        usual = last if last in free and last is not None else free[0]
        at = len(self.taken)
        choice = self.prefix[at] if at < len(self.prefix) else usual
        if (
            choice not in free
        ):  # a session was slower to come to its lock than in the schedule that this branches off
            choice = usual
        if at >= len(self.prefix):
            cost = int(last in free)
            if self.preemptions + cost <= self.most:
                others = [other for other in free if other != choice and not self._is_mirrored(other)]
                self.further += [(*self.taken, other) for other in others]
        self.preemptions += last in free and choice != last
        self.taken.append(choice)
        return choice

    def _is_mirrored(self, other: int) -> bool:
        return self.twins is not None and other == self.twins[1] and self.twins[0] not in self.taken


async def all_schedules(
    run: Callable[[Choose], Awaitable[None]],
    most: int | None = None,
    preemptions: int = PREEMPTIONS,
    twins: tuple[int, int] | None = None,
) -> int:
    """Runs all schedules with at most so many preemptions, or `most` of them. Returns how many."""
    waiting: list[tuple[int, ...]] = [()]
    count = 0
    while waiting and (most is None or count < most):
        guided = Guided(waiting.pop(), preemptions, twins)
        try:
            await run(guided)
        except AssertionError as error:
            raise AssertionError(f"schedule {''.join(map(str, guided.taken))}: {error}") from error
        waiting += guided.further
        count += 1
    return count


async def random_schedules(run: Callable[[Choose], Awaitable[None]], seeds: range) -> int:
    """Runs random schedules. Returns how many."""
    for seed in seeds:
        random = Random(seed)
        try:
            await run(lambda free, last, random=random: random.choice(free))  # type: ignore[misc]
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    return len(seeds)
