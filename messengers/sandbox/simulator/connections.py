"""Connections of the simulation: their places, their events, and the messages to them."""

import asyncio
import os
from dataclasses import dataclass, field
from typing import Literal, NamedTuple
from uuid import UUID, uuid4

from messengers.port import Action
from shapes.messenger_accounts import MessengerSource


@dataclass(frozen=True, slots=True)
class Home:
    """An address at a messenger: the source, and the phone's digits or the user name."""

    source: MessengerSource
    address: str

    def __str__(self) -> str:
        return f"{self.source}:{self.address}"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two connections of one account; see the docstring of simulation.py."""

    kind: Literal["second", "stale"]
    account: str
    home: str
    holder: str
    other: str
    at: float


@dataclass(frozen=True, slots=True)
class Act:
    """An action (typing, recording) that an account showed."""

    sender: str
    action: Action
    at: float


class Condition(NamedTuple):
    """The messenger's view of an account and of one of its sessions."""

    banned: bool
    down: bool  # the messenger can't be reached
    ended: bool  # the session was logged out
    epoch: str  # sessions of another epoch were revoked


class Gone(Exception):
    """This connection is gone, and another one has replaced it."""


@dataclass(eq=False, slots=True)
class Link:
    """One live connection, as the simulation sees it."""

    home: Home
    account: UUID
    cursor: str
    token: str = field(default_factory=lambda: f"{os.getpid()}-{uuid4().hex[:12]}")
    ring: asyncio.Event = field(default_factory=asyncio.Event)
    calls: list[str] = field(default_factory=list)  # events of the account

    def pop_calls(self) -> list[str]:
        """Returns and clears the pending calls."""
        self.ring.clear()
        calls, self.calls = self.calls, []
        return calls
