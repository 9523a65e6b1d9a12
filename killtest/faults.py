"""Chooses from the seed which fault happens when."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

LONG_FREEZE = (
    40.0  # seconds: longer than the leases and locks of the products here, of which the longest is 30
)


@dataclass(frozen=True)
class Fault:
    at: float  # seconds since the first submission
    kind: str  # kill, freeze, power, black_hole, provider_down, disk_full
    target: str = ""  # the process, for kill and freeze
    seconds: float = 0.0

    def __str__(self) -> str:
        of = f" {self.target}" if self.target else ""
        return f"{self.at:.1f}s {self.kind}{of}" + (f" for {self.seconds:g} s" if self.seconds else "")


def schedule(
    seed: int, targets: Sequence[str], senders: Sequence[str], *, span: float, disk: bool
) -> list[Fault]:
    """Returns the faults of a run in their order: each target is killed once, each sender twice and frozen once.

    `senders` are the targets that talk to the provider. The first of them is frozen for `LONG_FREEZE`.
    """
    dice = Random(f"faults:{seed}")

    def at(last: float = 1.0) -> float:
        return round(dice.uniform(2, span * last), 2)

    faults = [Fault(at(), "kill", target) for target in targets]
    faults += [Fault(at(), "kill", sender) for sender in senders]
    faults += [Fault(at(), "freeze", sender, 8.0) for sender in senders[1:]]
    faults += [Fault(at(0.4), "freeze", senders[0], LONG_FREEZE)]
    faults += [
        Fault(at(), "black_hole", seconds=8.0),
        Fault(at(), "black_hole", seconds=4.0),
        Fault(at(), "provider_down", seconds=5.0),
        Fault(at(), "power"),
    ]
    if disk:
        faults.append(Fault(at(), "disk_full", seconds=6.0))
    return sorted(faults, key=lambda fault: fault.at)
