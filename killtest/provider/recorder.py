"""Decides from the seed what happens to each attempt of a message, and records what the provider accepted."""

import asyncio
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from random import Random
from typing import Any

from killtest.people import Person, number_of


class Decision(StrEnum):
    accept = "accept"
    busy = "busy"  # refuses for now: SMTP 451, SMPP ESME_RTHROTTLED, HTTP 503
    refuse = "refuse"  # refuses for good: SMTP 550, SMPP ESME_RINVDSTADR, HTTP 422
    hang = "hang"  # accepts, does not answer, and breaks the connection later
    reset = "reset"  # accepts, and resets the connection in the place of the answer
    half = "half"  # accepts, writes a part of the answer, and resets the connection
    drop = "drop"  # resets the connection and accepts nothing
    die = "die"  # accepts, answers, and resets the connection at once


ACCEPTING = {Decision.accept, Decision.hang, Decision.reset, Decision.half, Decision.die}
ANSWERING = {Decision.accept, Decision.die}

SHARES = {
    Decision.busy: 0.05, Decision.hang: 0.015, Decision.reset: 0.02, Decision.half: 0.02, Decision.drop: 0.03,
    Decision.die: 0.03,
}  # fmt: skip
"""The share of attempts with each trouble; all other attempts are accepted and answered."""


@dataclass
class Attempt:
    at: float  # seconds since the start of the run
    person: int
    number: int  # of this person's attempts, from 1
    decision: Decision
    accepted: bool = False
    answered: bool = False  # the whole answer was written to a connection that stood


@dataclass
class Recorder:
    """Holds all attempts. `closed` is true while the provider is a black hole: it reads nothing and answers nothing."""

    seed: int
    refused: frozenset[int] = frozenset()
    shares: dict[Decision, float] = field(default_factory=lambda: dict(SHARES))
    latency: tuple[float, float] = (0.2, 1.2)
    hang_seconds: float = 10.0
    attempts: list[Attempt] = field(default_factory=list)
    strangers: int = 0  # messages to addresses of no person, such as notices of a failure
    troubled: bool = True
    last: float = field(default_factory=time.monotonic)
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._numbers: Counter[int] = Counter()
        self._open = asyncio.Event()
        self._open.set()

    @classmethod
    def of(cls, everyone: list[Person], seed: int, **options: Any) -> "Recorder":
        return cls(seed, frozenset(person.number for person in everyone if person.refused), **options)

    def begin(self, address: str) -> Attempt | None:
        """Decides about an attempt whose whole text has arrived. Returns None for an address of no person."""
        self.last = time.monotonic()
        number = number_of(address)
        if number is None:
            self.strangers += 1
            return None
        self._numbers[number] += 1
        attempt = Attempt(round(self.last - self.started, 3), number, self._numbers[number], Decision.accept)
        attempt.decision = self.decide(number, attempt.number)
        self.attempts.append(attempt)
        return attempt

    def decide(self, person: int, attempt: int) -> Decision:
        """Returns the same decision for the same seed, person and attempt, whatever product asks."""
        if person in self.refused:
            return Decision.refuse
        draw = Random(f"decision:{self.seed}:{person}:{attempt}").random()
        for decision, share in self.shares.items() if self.troubled else ():
            if draw < share:
                return decision
            draw -= share
        return Decision.accept

    async def think(self) -> None:
        """Takes as long as a provider takes for a message."""
        await asyncio.sleep(Random().uniform(*self.latency))

    async def opened(self) -> None:
        """Waits while the provider is a black hole."""
        await self._open.wait()

    @property
    def closed(self) -> bool:
        return not self._open.is_set()

    def close(self) -> None:
        self._open.clear()

    def reopen(self) -> None:
        self._open.set()

    def deliveries(self) -> dict[int, list[Attempt]]:
        """Returns the accepted attempts of each person who has one."""
        accepted: dict[int, list[Attempt]] = {}
        for attempt in self.attempts:
            if attempt.accepted:
                accepted.setdefault(attempt.person, []).append(attempt)
        return accepted

    def log(self) -> list[dict[str, Any]]:
        return [asdict(attempt) for attempt in self.attempts]
