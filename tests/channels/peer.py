"""Defines what the conformance suite needs of a driver's counterpart: a real server on loopback that misbehaves on
demand. Each driver has one file `peer_<driver>.py`; `test_conformance.py` runs every scenario against each.
"""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from tests.support.waits import PATIENCE


class Scenario(StrEnum):
    accept = "accept"
    refuse = "refuse"  # permanent refusal of the recipient
    transient = "transient"  # a temporary failure, nothing taken
    throttle = "throttle"  # too fast; with Retry-After 7 s where the protocol can say so
    hang_before = (
        "hang_before"  # no answer, and the message can't have left yet (dead connect, no greeting, no bind)
    )
    hang_after = "hang_after"  # takes the message, never answers
    reset_after = "reset_after"  # takes the message, then resets the connection
    bad_credentials = "bad_credentials"


@dataclass(slots=True)
class Received:
    """Holds one message as the peer decoded it."""

    key: (
        str | None
    )  # Message-ID, idempotency header …: whatever carries our message id, None where nothing can
    to: str
    body: str
    extra: dict[str, object] = field(default_factory=dict)


class Peer(Protocol):
    driver: str
    dsn: str  # with short time-outs (?timeout=0.5), so that hanging costs the suite half a second
    supports: frozenset[Scenario]
    recipient: str  # a valid one
    longest: str  # the longest body that must go through whole
    received: list[Received]

    def script(self, scenario: Scenario) -> None:
        """Sets what the peer does with everything from now on."""


def patient(dsn: str) -> str:
    """The DSN without its short time-outs, for whatever has to come: a busy machine may take long."""
    return re.sub(r"\b(timeout|rto|cto)=[0-9.]+", rf"\g<1>={PATIENCE:g}", dsn)


PeerFactory = Callable[[], AbstractAsyncContextManager[Peer]]
__all__ = ["AsyncIterator", "Peer", "PeerFactory", "Received", "Scenario", "patient"]
