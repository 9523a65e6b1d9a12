"""The sinks of event feeds, for resolvers: tried, begun, replayed, described, removed. Resolvers check the permission."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from db.query import Reads
from runtime.services import Services
from sinks.port import SinkAddress, StreamStatus

MOST = 10
"""Sinks of one owner, and of the whole installation."""


@dataclass(frozen=True, slots=True)
class TestResult:
    """Says what the broker did with an event of the type `sink.test`."""

    acknowledged: bool
    subject: str
    seconds: float
    error: str | None = None  # why it has not stored the event, and what to do
    code: str | None = None
    sequence: int | None = None  # the event's number in the stream


@dataclass(frozen=True, slots=True)
class SinkStatus:
    """Says how far a sink is."""

    lag: int = 0  # positions of its feeds behind its cursors
    rate_per_second: float = 0.0  # about the last minute
    published: int = 0
    missed: int = 0
    replaying: bool = False


def vault_context(id: UUID) -> str:
    """Returns the vault's context of a sink's address."""
    raise NotImplementedError


def seal(services: Services, id: UUID, url: str, credentials: str | None) -> bytes:
    """Returns what is stored of an address and its credentials."""
    raise NotImplementedError


def address_of(services: Services, row: Any) -> SinkAddress:
    """Returns the address of a row of event_sinks. Raises BadRequest `sink_unreadable` if no key opens it."""
    raise NotImplementedError


def visible(url: str) -> str:
    """Returns an address without user, password and token."""
    raise NotImplementedError


async def probe(services: Services, address: SinkAddress) -> StreamStatus:
    """Connects, looks for the stream or makes it, and publishes nothing. Call it before the transaction.

    Raises BadRequest: `sink_url_invalid`, `sink_url_refused`, `bad_sink_subject`, `broker_away`, `broker_refused`,
    `stream_missing`, `stream_refused`, `sink_subject_not_in_stream`.
    """
    raise NotImplementedError


async def test(services: Services, row: Any) -> TestResult:
    """Publishes one event of the type `sink.test`, and waits for the acknowledgement. It does not raise for what the
    broker did.
    """
    raise NotImplementedError


async def begin(db: asyncpg.Connection, sink_id: UUID) -> None:
    """Puts the cursors of a new sink at the ends of its feeds. Call `event_feed.newest` before the transaction for the
    sink of an owner. Raises Unavailable `feed_not_ready`.
    """
    raise NotImplementedError


async def room(db: asyncpg.Connection, owner_id: UUID | None) -> None:
    """Locks the owner's sinks until the end of the transaction. Raises Conflict `too_many_sinks`."""
    raise NotImplementedError


async def replay(
    db: asyncpg.Connection,
    sink_id: UUID,
    from_position: int | None = None,
    since: datetime | None = None,
    types: Sequence[str] | None = None,
) -> int:
    """Publishes the events again that are behind a position of the owner's feed, or from a time on, beside new ones.

    It ends an earlier replay. Returns how many positions it looks at. The broker drops those that are still in its
    duplicate window.
    """
    raise NotImplementedError


async def status(db: Reads, sink_ids: Sequence[UUID]) -> dict[UUID, SinkStatus]:
    """Returns how far each of these sinks is; one without a cursor is at its beginning."""
    raise NotImplementedError


async def wake(db: asyncpg.Connection, sink_id: UUID) -> None:
    """Ends the waits of a sink, and makes a worker read its row again. Call it after each change of the row."""
    raise NotImplementedError


async def remove(db: asyncpg.Connection, sink_id: UUID) -> None:
    """Deletes a sink with its cursors. The stream stays."""
    raise NotImplementedError


async def end_with_token(db: asyncpg.Connection, token_id: UUID, *, keep: bool) -> None:
    """Switches the sinks off that an API token has made, or leaves them to their owner. The token ends now."""
    raise NotImplementedError


async def end_with_member(db: asyncpg.Connection, owner_id: UUID, member_id: UUID, *, keep: bool) -> None:
    """Switches the sinks off that a member has made, or leaves them to their owner. The membership ends now."""
    raise NotImplementedError
