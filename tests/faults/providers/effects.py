"""Holds what all providers share: the log of effects, and the dice that spoil some of the messages."""

import hashlib
import random
from enum import StrEnum
from pathlib import Path

SILENCE = 30.0  # seconds without an answer, longer than any timeout of the tests


class Trouble(StrEnum):
    throttled = "throttled"  # not taken: too fast
    unavailable = "unavailable"  # not taken: try later
    doubtful = "doubtful"  # an answer that does not say whether it was taken; it was not
    error = "error"  # the same, and it was taken
    reset = "reset"  # taken, and the connection is reset instead of an answer
    silence = "silence"  # taken, and no answer comes


_SHARES = {
    Trouble.throttled: 0.2,
    Trouble.unavailable: 0.2,
    Trouble.doubtful: 0.1,
    Trouble.error: 0.1,
    Trouble.reset: 0.2,
    Trouble.silence: 0.2,
}


class Effects:
    """The log of one provider."""

    def __init__(self, log: Path, *, honours: bool, seed: int, trouble: float) -> None:
        self._log = log.open("a", buffering=1)
        self._doubts = log.with_suffix(".doubts").open("a", buffering=1)
        self._honours, self._trouble = honours, trouble
        self.random = random.Random(seed)
        self._seen: dict[str, str] = {}
        self._count = 0

    def latency(self) -> float:
        """Returns the seconds until this message is answered."""
        return self.random.uniform(0.0005, 0.004)

    def trouble(self) -> Trouble | None:
        """Returns how this message is spoiled; None in most cases."""
        if self.random.random() >= self._trouble:
            return None
        return self.random.choices(list(_SHARES), list(_SHARES.values()))[0]

    def doubt(self, messages: int = 1) -> None:
        """Notes that the sender can't know about so many messages."""
        self._doubts.write("?\n" * messages)

    def take(self, key: str, message: str, to: str, text: str) -> str:
        """Returns the provider's id of the message, which is the first one's if the key is known and honoured."""
        if self._honours and key in self._seen:
            return self._seen[key]
        self._count += 1
        id = self._seen[key] = f"p{self._count}"
        digest = hashlib.sha256(text.encode()).hexdigest()
        self._log.write(f"{key} {message} {to} {digest}\n")
        return id
