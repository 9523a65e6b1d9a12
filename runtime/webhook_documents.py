"""The way to GraphQL: a webhook's body may be made by a document, and the schema is a layer above this one.

The package `postern` registers a function that imports the schema, which is called when the first document is used.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from runtime.services import Services
from runtime.viewers import Viewer
from shapes.event_feed import Event

LARGEST = 64 * 1024
"""Bytes of a body that a document makes; a larger one is replaced by the documented shape, with `truncated`."""


class BadDocument(ValueError):
    """Is raised for a document that can't make bodies. Its message is a sentence for the user, with the place in the
    document.
    """


@dataclass(frozen=True, slots=True)
class Checked:
    """Describes a document that can make bodies."""

    cost: int  # points of one event
    types: frozenset[str] | None  # the types of its field; None: all types


class DocumentRunner(Protocol):
    """Checks documents, and runs them for events."""

    def check(self, services: Services, text: str) -> Checked:
        """Checks a document. Raises BadDocument."""

    async def run(
        self, services: Services, text: str, viewer: Viewer, events: Sequence[Event]
    ) -> list[bytes]:
        """Returns the response for each event, as the live subscription would send it.

        They may be fewer than the events: the next one could not be made now. Raises BadDocument, and Unavailable if
        there is none.
        """


@dataclass
class _Registered:
    load: Callable[[], DocumentRunner] | None = None


def register(services: Services, load: Callable[[], DocumentRunner]) -> None:
    """Registers what imports the schema and returns its runner."""
    services.single(_Registered, _Registered).load = load


async def runner(services: Services) -> DocumentRunner:
    """Returns the runner. The first call takes seconds in a worker, and does not block the event loop."""
    load = services.single(_Registered, _Registered).load
    if load is None:
        raise RuntimeError("no runner of documents is registered in this process")
    return await asyncio.to_thread(load)


def bucket(owner_id: UUID) -> str:
    """Returns the key of the bucket that pays for an owner's documents."""
    return f"webhooks:{owner_id}"
