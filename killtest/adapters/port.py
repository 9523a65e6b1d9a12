"""Defines an adapter: it starts a product, submits messages to it, and reads what the product says of each."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from killtest.counter import Statement
from killtest.people import Person
from killtest.processes import Service, Supervisor


class Submitted(StrEnum):
    """Says what the caller learns from one submission."""

    accepted = "accepted"
    refused = "refused"  # the product has surely not taken it
    doubtful = "doubtful"  # no answer came


@dataclass
class Place:
    """Holds where a run takes place."""

    folder: Path  # configuration and logs
    store: Path  # what the product stores, on a disk of its own
    provider_port: int
    seed: int


class Adapter(ABC):
    """A product. The docstring of each subclass names its settings and where they differ from the documented ones."""

    name: ClassVar[str]
    title: ClassVar[str]
    protocol: ClassVar[str] = "smtp"
    pattern: ClassVar[bool] = False  # written here from a library's documentation, and so no product
    recognizes: ClassVar[bool] = False  # a repeated submission is recognized by a key
    bulk: ClassVar[bool] = False  # all people are submitted at once, and the product spreads them over time
    targets: ClassVar[Sequence[str]]  # the processes that are killed
    senders: ClassVar[Sequence[str]]  # those of them that talk to the provider

    def __init__(self, place: Place) -> None:
        self.place = place

    @classmethod
    def missing(cls) -> str | None:
        """Returns a sentence about what is not installed; None if the product can run."""
        return None

    @abstractmethod
    def version(self) -> str: ...

    @abstractmethod
    async def start(self, supervisor: Supervisor) -> None:
        """Writes the configuration, and starts the services until they take messages."""

    @abstractmethod
    async def submit(self, person: Person) -> Submitted: ...

    async def submit_all(self, everyone: Sequence[Person], span: float) -> None:
        """Submits all people at once, to be sent within `span` seconds."""
        raise NotImplementedError

    @abstractmethod
    async def statements(self, everyone: Sequence[Person]) -> Mapping[int, Statement]:
        """Returns what the product says of each message now. Raises whatever it raises while it is down."""

    async def money(self) -> str:
        """Returns `right`, or what is wrong with the money; a dash if the product has none."""
        return "–"

    async def notes(self) -> dict[str, int]:
        """Returns why messages wait, with the number of each reason, as far as the product says it."""
        return {}

    async def close(self) -> None:  # noqa: B027 - most adapters have nothing to close
        """Closes the connections that the adapter itself has open."""


__all__ = ["Adapter", "Person", "Place", "Service", "Statement", "Submitted", "Supervisor"]
