"""Chooses from the seed which fault happens when.

A fault has a place in the run's progress and not a time: it happens when the provider has seen so many attempts, so
that messages are under way, however slowly a product starts again. If the provider sees none for `PATIENCE` seconds,
the next fault happens nevertheless.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

LONG_FREEZE = (
    40.0  # seconds: longer than the leases and locks of the products here, of which the longest is 30
)
PATIENCE = 20.0  # seconds
_LAST = 0.9  # the share of the people after whose attempts no fault begins


@dataclass(frozen=True)
class Fault:
    share: float  # attempts at the provider, as a share of the people
    delay: float  # seconds after that
    kind: str  # kill, freeze, power, black_hole, provider_down, disk_full
    target: str = ""  # the process, for kill and freeze
    seconds: float = 0.0

    def __str__(self) -> str:
        of = f" {self.target}" if self.target else ""
        return f"{self.kind}{of}" + (f" for {self.seconds:g} s" if self.seconds else "")


def schedule(seed: int, targets: Sequence[str], senders: Sequence[str], *, disk: bool) -> list[Fault]:
    """Returns the faults of a run in their order: each target is killed once, each sender twice and frozen once.

    `senders` are the targets that talk to the provider. The first of them is frozen for `LONG_FREEZE`.
    """
    dice = Random(f"faults:{seed}")
    kinds: list[tuple[str, str, float]] = [("kill", target, 0.0) for target in (*targets, *senders)]
    kinds += [("freeze", sender, 8.0 if index else LONG_FREEZE) for index, sender in enumerate(senders)]
    kinds += [
        ("black_hole", "", 8.0),
        ("black_hole", "", 4.0),
        ("provider_down", "", 5.0),
        ("power", "", 0.0),
    ]
    if disk:
        kinds.append(("disk_full", "", 6.0))
    dice.shuffle(kinds)
    return [
        Fault(
            round((index + dice.random()) / len(kinds) * _LAST, 3),
            round(dice.random(), 2),
            kind,
            target,
            seconds,
        )
        for index, (kind, target, seconds) in enumerate(kinds)
    ]
