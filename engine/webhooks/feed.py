"""Makes deliveries of the events of a feed, for a webhook that this process has claimed.

A webhook has a position in its owner's feed. What is behind it has no deliveries yet: a slow webhook has few of them,
and the feed, which is bounded, holds the others. The position and the deliveries are written by one statement, which
the claim fences.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
import structlog

from core.ids import uuid7
from db.session import Database
from engine import event_feed
from engine.event_feed import Feed
from engine.webhooks.queries import Claim
from runtime import webhook_documents as documents
from runtime.services import Services
from runtime.viewers import Viewer
from runtime.webhook_documents import BadDocument
from shapes.event_feed import Event

log = structlog.get_logger("postern.webhooks")

BATCH = 500
"""Deliveries that one statement makes."""

MOST_WAITING = 10_000
"""Deliveries of a webhook, from which on it gets no others: their threads wait for events that failed."""

_DOCUMENT_BATCH = 50  # events whose documents run one after the other
_SEARCHED = 50_000  # positions that one statement searches

_SOURCE = """
SELECT w.*, u.roles,
  (SELECT count(*) FROM (
    SELECT FROM webhook_deliveries AS d WHERE d.webhook_id = w.id AND d.state = 'waiting' LIMIT $3
  ) AS waiting) AS waiting
FROM webhooks AS w JOIN users AS u ON u.id = w.owner_id AND u.status = 'active'
WHERE w.id = $1 AND w.claim_id = $2 AND w.enabled
"""
SELECTED = """
  ($4::text[] = '{}' OR type = ANY($4)) AND ($5::uuid IS NULL OR project_id = $5)
  AND ($6::uuid IS NULL OR account_id = $6
    OR project_id IN (SELECT p.id FROM sending_projects AS p WHERE p.account_id = $6))
  AND ($7::uuid IS NULL OR data->>'accountUuid' = $7::text OR (subject = 'messengerAccount' AND subject_id = $7))
  AND ($8::timestamptz IS NULL OR at >= $8) AND ($9::timestamptz IS NULL OR at < $9)
"""
"""The condition for events of a webhook: $4 types, $5 project, $6 paying account, $7 messenger account, $8 since, $9 until."""

_READ = f"""
SELECT owner_id, position, id, type, at, subject, subject_id, project_id, account_id, data FROM events
WHERE owner_id = $1 AND position > $2 AND position <= $3 AND {SELECTED} ORDER BY position LIMIT $10
"""  # noqa: S608  our own words
_PUT = """
WITH mine AS (
  UPDATE webhooks SET {moved} WHERE id = $1 AND claim_id = $2 AND {at} = $3 RETURNING id
), put AS (
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, body, thread, replayed)
  SELECT d.id, mine.id, d.event_id, d.type, d.body, d.thread, {replayed}
  FROM mine, unnest($6::uuid[], $7::uuid[], $8::text[], $9::text[], $10::text[])
    WITH ORDINALITY AS d (id, event_id, type, body, thread, place)
  ORDER BY d.place
)
SELECT id FROM mine
"""
_PUT_NEW = _PUT.format(moved="position = $4, missed = missed + $5", at="position", replayed="false")
# A replay that has come to its end is over. It has missed nothing: what was deleted can't be replayed.
_PUT_AGAIN = _PUT.format(
    moved="replay_position = CASE WHEN $4 < replay_to THEN $4 END, missed = missed + 0 * $5",
    at="replay_position",
    replayed="true",
)
_PAUSE = """
UPDATE webhooks SET enabled = false, paused = true, disabled_reason = $3, last_error = $3, version = version + 1
WHERE id = $1 AND claim_id = $2
"""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the feed that the webhook has not looked at."""

    begin: int  # behind this position
    to: int
    types: Sequence[str]
    since: Any = None
    until: Any = None
    again: bool = False


async def fill(services: Services, claim: Claim) -> bool:
    """Makes deliveries of the next events that the webhook asks for. Returns False if there are none now.

    A document that is not valid any more disables its webhook; the events wait in the feed. Raises database errors.
    """
    db = services.db
    source = await db.fetchrow(_SOURCE, claim.webhook_id, claim.id, MOST_WAITING)
    if source is None or source.waiting >= MOST_WAITING:
        return False
    async with db.transaction() as connection:
        feed, _ = await event_feed.advance(connection, services, claim.owner_id)
    if feed is None or not feed.recording or feed.pending:
        return False
    part = _part(source, feed)
    if part is None:
        return False
    most = _most(services, source)
    read = await _read(db, source, part, most)
    bodies: list[bytes] = []
    if read.events:
        try:
            text = Source(claim.owner_id, source.query, source.query_roles, source.roles)
            made = await render(services, text, read.events)
        except BadDocument as error:
            await db.fetch(_PAUSE, claim.webhook_id, claim.id, f"its document is not valid any more: {error}")
            log.warning("a webhook is paused", webhook=str(claim.webhook_id), reason=str(error)[:200])
            return False
        if made is None:  # the owner's documents have cost too much
            return False
        bodies = made
    mine = await db.fetchval(
        _PUT_AGAIN if part.again else _PUT_NEW,
        claim.webhook_id,
        claim.id,
        part.begin,
        read.last,
        read.missed,
        [uuid7() for _ in bodies],
        [event.id for event in read.events],
        [event.type for event in read.events],
        [body.decode() for body in bodies],
        [str(event.subject_id) for event in read.events],
    )
    return mine is not None


def _part(source: Any, feed: Feed) -> _Part | None:
    """Returns the next part: new events first, then those that are replayed."""
    if feed.last_position > source.position:
        to = min(feed.last_position, source.position + _SEARCHED)
        return _Part(source.position, to, source.events)
    if source.replay_position is None:
        return None
    to = min(source.replay_to, source.replay_position + _SEARCHED)
    types = source.replay_events if source.replay_events is not None else source.events
    return _Part(source.replay_position, to, types, source.replay_since, source.replay_until, again=True)


def _most(services: Services, source: Any) -> int:
    return BATCH if source.query is None else _DOCUMENT_BATCH


@dataclass(frozen=True, slots=True)
class _Read:
    events: list[Event]
    last: int  # the position up to which there are no others
    missed: int  # positions that were deleted before


async def _read(db: Database, source: Any, part: _Part, most: int) -> _Read:
    begin = part.begin
    while True:
        to = max(begin, part.to)
        rows = await db.fetch(
            _READ, source.owner_id, begin, to, part.types, source.sending_project_uuid, source.paying_account_id,
            source.messenger_account_uuid, part.since, part.until, most,
        )  # fmt: skip
        async with db.reading() as connection:
            feed = await event_feed.get(connection, source.owner_id)
        assert feed is not None
        if feed.pruned_position <= begin:
            last = rows[-1]["position"] if len(rows) == most else to
            events = [event_feed.event_of(row, feed.epoch) for row in rows]
            return _Read(events, last, begin - part.begin)
        begin = feed.pruned_position


@dataclass(frozen=True, slots=True)
class Source:
    """What the body of an event depends on. A document has the permissions that both have: who saved it, and its owner."""

    owner_id: UUID
    query: str | None
    query_roles: Collection[str]
    roles: Collection[str]  # of the owner


async def render(services: Services, source: Source, events: Sequence[Event]) -> list[bytes] | None:
    """Returns the bodies of events: the documented shape, or what the webhook's document makes of them.

    None: the owner's documents have cost so much that they must wait. Raises BadDocument.
    """
    if source.query is None:
        return [plain(event) for event in events]
    runner = await documents.runner(services)
    points = runner.check(services, source.query).cost * len(events)
    bucket = documents.bucket(source.owner_id)
    if not (await services.budget.take(bucket, min(points, services.budget.limit.count))).allowed:
        return None
    viewer = Viewer(source.owner_id, frozenset(source.query_roles) & frozenset(source.roles))
    made = await runner.run(services, source.query, viewer, events)
    return [
        body if len(body) <= documents.LARGEST else plain(event, truncated=True)
        for event, body in zip(events, made, strict=True)
    ]


def plain(event: Event, *, truncated: bool = False) -> bytes:
    """Returns the documented shape of an event, which is the same as in `GET /events`."""
    body = event.model_dump(mode="json", by_alias=True)
    return orjson.dumps({**body, "truncated": True} if truncated else body)


def sample(webhook_id: UUID, now: datetime) -> Event:
    """Returns an event of no type of the catalogue, for a test of a webhook."""
    return Event.model_construct(
        id=uuid7(),
        cursor="",
        type="webhook.test",
        at=now,
        subject="webhook",
        subject_id=webhook_id,
        sending_project_uuid=None,
        account_id=None,
        data={},
    )
