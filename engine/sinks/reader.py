"""Reads the next part of a feed for a sink, and makes the events that are published of it."""

import random
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from core.errors import Unavailable
from db.session import Database
from engine.feed import event_feed
from engine.feed.stored_events import COLUMNS, EVENTS
from engine.sinks.cursors import Cursor, Reached
from engine.webhooks.feed import BodySettings, bodies_of, plain
from runtime.services import Services
from shapes.event_feed import Event
from sinks import subjects
from sinks.port import SinkEvent

BATCH: Final = 512
"""Events of one batch."""
DOCUMENT_BATCH: Final = 50
"""Events of one batch whose bodies a document makes."""
BATCH_BYTES: Final = 8 * 1024 * 1024
SEARCHED_POSITIONS: Final = 50_000
"""Positions of a feed that one statement searches."""
TRUNCATED_AFTER: Final = 3
"""After so many failures in a row of a sink whose document can't be run its next event has the documented shape."""

_READ: Final = f"""
SELECT {COLUMNS} FROM {EVENTS}
WHERE ($4::text[] = '{{}}' OR type = ANY($4)) AND ($5::timestamptz IS NULL OR at >= $5)
ORDER BY first, position LIMIT $6
"""  # noqa: S608  our own columns


class NoPoints(Exception):
    """The documents of the sink's owner have cost so much that they must wait."""


@dataclass(frozen=True, slots=True)
class Part:
    """Names the positions of a feed that are read next: those behind `begin`, up to `to`."""

    begin: int
    to: int
    stored: int  # the position of the cursor, which is before `begin` where events are gone
    epoch: int
    types: list[str]
    since: datetime | None = None
    is_replay: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """The events of a part."""

    part: Part
    events: list[SinkEvent]
    positions: list[int]  # of the events
    last: int  # the position up to which there are no others
    truncated: bool = False  # its document could not be run

    def reached(self, count: int) -> Reached:
        """Returns how far the part is published, if the first `count` events are."""
        part = self.part
        if count == len(self.events):
            position = self.last
        else:
            position = self.positions[count - 1] if count else part.begin
        missed = 0 if part.is_replay else max(part.begin - part.stored, 0)
        return Reached(part.stored, position, count, part.epoch, missed, part.is_replay)

    @property
    def rest(self) -> Part | None:
        """Returns the part behind this batch; None if there is none."""
        if self.last >= self.part.to:
            return None
        return replace(self.part, begin=self.last, stored=self.last)


async def next_part(services: Services, row: Any, cursor: Cursor) -> Part | None:
    """Returns the next part of the cursor's feed: new events, or some that are replayed; each in turn, where there are
    both. Returns None if there is nothing to read.
    """
    async with services.db.transaction() as connection:
        feed, _ = await event_feed.advance(connection, services, cursor.owner_id)
    if feed is None or not feed.recording or feed.pending:
        return None
    is_same = feed.epoch == cursor.epoch
    is_new = feed.last_position > cursor.position or not is_same
    if is_new and (cursor.replay_position is None or random.random() < 0.5):
        begin = max(cursor.position, feed.pruned_position) if is_same else feed.pruned_position
        to = max(min(feed.last_position, begin + SEARCHED_POSITIONS), begin)
        return Part(begin, to, cursor.position, feed.epoch, row.types)
    if cursor.replay_position is None or cursor.replay_to is None:
        return None
    begin = max(cursor.replay_position, feed.pruned_position)
    to = max(min(cursor.replay_to, begin + SEARCHED_POSITIONS), begin)
    types = row.types if cursor.replay_types is None else cursor.replay_types
    return Part(begin, to, cursor.replay_position, feed.epoch, types, cursor.replay_since, is_replay=True)


async def read(services: Services, row: Any, owner_id: UUID, part: Part, largest: int) -> Batch:
    """Returns the next batch of a part. `largest`: bytes of a body that the broker takes.

    Raises BadDocument, NoPoints, and Unavailable if the sink's document can't be run now.
    """
    limit = BATCH if row.query is None else DOCUMENT_BATCH
    part, rows = await _rows(services.db, owner_id, part, limit)
    last = rows[-1]["position"] if len(rows) == limit else part.to
    events = [event_feed.event_of(each, part.epoch) for each in rows]
    bodies, truncated = await _bodies(services, row, owner_id, events)
    count, total = 0, 0
    for body in bodies:
        if count and total + len(body) > BATCH_BYTES:
            break
        count, total = count + 1, total + len(body)
    if count < len(events):
        last = rows[count - 1]["position"]
    made = [
        SinkEvent(
            event.id,
            subjects.render(row.subject, owner_id, event.type, event.subject),
            (event.subject, event.subject_id),
            body if len(body) <= largest else _without_data(event),
        )
        for event, body in zip(events[:count], bodies, strict=False)
    ]
    return Batch(part, made, [each["position"] for each in rows[:count]], last, truncated)


async def _rows(db: Database, owner_id: UUID, part: Part, limit: int) -> tuple[Part, list[Any]]:
    """Returns the rows of a part, and the part without events that were deleted before it was read."""
    while True:
        to = max(part.begin, part.to)
        rows = await db.fetch(_READ, owner_id, part.begin, to, part.types, part.since, limit)
        async with db.reading() as connection:
            feed = await event_feed.get(connection, owner_id)
        if feed is None or feed.pruned_position <= part.begin:
            return replace(part, to=to), rows
        part = replace(part, begin=feed.pruned_position)


async def _bodies(
    services: Services, row: Any, owner_id: UUID, events: list[Event]
) -> tuple[list[bytes], bool]:
    """Returns the bodies; if the document can't be run for a while, that of the first event without it, and True."""
    if row.query is None or not events:
        return [plain(event) for event in events], False
    scopes = None if row.token_scopes is None else frozenset(row.token_scopes)
    settings = BodySettings(owner_id, row.query, row.query_roles, row.roles or (), scopes)
    try:
        bodies = await bodies_of(services, settings, events)
    except Unavailable:
        if row.failures < TRUNCATED_AFTER:
            raise
        return [plain(events[0], truncated=True)], True
    if bodies is None:
        raise NoPoints
    return bodies, False


def _without_data(event: Event) -> bytes:
    """Returns an event that is too large for the broker without its data; its readers get those by its object's id."""
    return plain(event.model_copy(update={"data": {}}), truncated=True)
