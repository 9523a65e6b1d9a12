"""Makes deliveries of the events of a feed, for a webhook that this process has claimed.

A webhook has a position in its owner's feed. The events after it have no deliveries yet: a slow webhook has few of
them, and the feed, which is bounded, holds the others. The position and the deliveries are written by one statement,
which is fenced by the claim and by the version of the webhook's settings.
"""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
import structlog

from core.errors import Unavailable
from core.ids import uuid7
from db.session import Database
from engine.feed import event_feed
from engine.feed.event_feed import Feed
from engine.feed.stored_events import COLUMNS, EVENTS
from engine.webhooks import resend_bodies
from engine.webhooks.claim_queries import EndpointClaim
from runtime import webhook_documents as documents
from runtime.services import Services
from runtime.viewers import Viewer
from runtime.webhook_documents import BadDocument
from shapes.event_feed import Event
from shapes.resend_events import FORMAT as RESEND

log = structlog.get_logger("postern.webhooks")

BATCH = 500
"""Deliveries that one statement makes."""

MOST_WAITING = 10_000
"""A webhook with so many deliveries that are ready gets no others until some are delivered."""

SEARCHED_POSITIONS = 50_000
"""Positions of a feed that one statement searches."""

BUDGET_PAUSE = timedelta(seconds=5)
"""The pause while the owner's documents have no points left, or too many deliveries are due."""

ERROR_PAUSE = timedelta(minutes=1)
"""The pause after an error that should not happen."""

DOCUMENT_PAUSES = tuple(timedelta(seconds=seconds) for seconds in (5, 60, 300))
"""The pauses after a document could not be run; after the last one its event is sent in the documented shape."""

_DOCUMENT_BATCH = 50  # events whose documents run one after the other

_SOURCE = """
SELECT w.*, u.roles, COALESCE(t.scopes, w.query_scopes) AS token_scopes,
  t.revoked_at IS NOT NULL OR COALESCE(t.expires_at <= now(), false) AS token_ended,
  w.saved_by IS NOT NULL AND NOT EXISTS (
    SELECT FROM memberships AS m WHERE m.owner_id = w.owner_id AND m.member_id = w.saved_by
  ) AS member_left,
  (SELECT count(*) FROM (
    SELECT FROM webhook_deliveries AS d
    WHERE d.webhook_id = w.id AND d.state = 'waiting' AND d.next_at IS NULL AND NOT d.behind_failed LIMIT $3
  ) AS ready) AS ready
FROM webhooks AS w JOIN users AS u ON u.id = w.owner_id AND u.status = 'active'
LEFT JOIN api_tokens AS t ON t.id = w.api_token_id
WHERE w.id = $1 AND w.claim_id = $2 AND w.enabled AND (w.fill_after IS NULL OR w.fill_after <= now())
"""
SELECTED = """
  ($4::text[] = '{}' OR type = ANY($4)) AND ($5::uuid IS NULL OR project_id = $5)
  AND ($6::uuid IS NULL OR account_id = $6
    OR project_id IN (SELECT p.id FROM sending_projects AS p WHERE p.account_id = $6))
  AND ($7::uuid IS NULL OR data->>'accountUuid' = $7::text OR (subject = 'messengerAccount' AND subject_id = $7))
  AND ($8::timestamptz IS NULL OR at >= $8) AND ($9::timestamptz IS NULL OR at < $9)
"""
"""The condition for events of a webhook: $4 types, $5 project, $6 paying account, $7 messenger account, $8 since, $9
until.
"""

_READ = f"""
SELECT {COLUMNS} FROM {EVENTS} WHERE {SELECTED} ORDER BY first, position LIMIT $10
"""  # noqa: S608  our own words
_PUT = """
WITH mine AS (
  UPDATE webhooks SET {moved}, fill_after = NULL,
    last_error = CASE WHEN fill_after IS NULL THEN last_error END
  WHERE id = $1 AND claim_id = $2 AND version = $3 RETURNING id
), put AS (
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, body, thread, replayed)
  SELECT d.id, mine.id, d.event_id, d.type, d.body, d.thread, {replayed}
  FROM mine, unnest($5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::text[])
    WITH ORDINALITY AS d (id, event_id, type, body, thread, number)
  ORDER BY d.number
)
SELECT id FROM mine
"""
_PUT_NEW = _PUT.format(moved="position = $4, missed = missed + $10, document_failures = 0", replayed="false")
_PUT_REPLAYED = _PUT.format(
    moved="replay_position = CASE WHEN $4 < replay_to THEN $4 END", replayed="true"
)  # a replay that has come to its end is over
_PAUSE = """
UPDATE webhooks SET enabled = false, paused = true, disabled_reason = $4, last_error = $4, version = version + 1
WHERE id = $1 AND claim_id = $2 AND version = $3
"""
_WAIT = """
UPDATE webhooks SET fill_after = now() + $4::interval, last_error = $5, document_failures = $6
WHERE id = $1 AND claim_id = $2 AND version = $3
"""


@dataclass(frozen=True, slots=True)
class _Part:
    """Names a part of the feed of which no deliveries were made: the positions after `begin`, up to `to`."""

    begin: int
    to: int
    types: Sequence[str]
    since: datetime | None = None
    until: datetime | None = None
    is_replay: bool = False


@dataclass(frozen=True, slots=True)
class _Read:
    """Holds the events of a part that the webhook asks for."""

    events: list[Event]
    positions: list[int]  # of the events
    last: int  # the position up to which there are no others
    missed: int  # positions that were deleted before


@dataclass(frozen=True, slots=True)
class BodySettings:
    """Names the maker of the bodies. A document has the permissions that both have: who saved it, and its owner."""

    owner_id: UUID
    query: str | None
    query_roles: Collection[str]
    roles: Collection[str]  # of the owner
    scopes: frozenset[str] | None = None  # of the API token, or of the member, that has saved the document


async def fill(services: Services, claim: EndpointClaim) -> bool:
    """Makes deliveries of the next events that the webhook asks for. Returns False if there are none now.

    A document that is not valid any more disables its webhook; the events wait in the feed. Raises database errors.
    """
    db = services.db
    source = await db.fetchrow(_SOURCE, claim.webhook_id, claim.id, MOST_WAITING)
    if source is None:
        return False
    if source.token_ended or (source.token_scopes is not None and "events:read" not in source.token_scopes):
        reason = "its API token has ended, or may not read events any more; save the webhook again to go on"
        await db.fetch(_PAUSE, claim.webhook_id, claim.id, source.version, reason)
        return False
    if source.member_left:
        reason = "the member who has made it has left; save the webhook again to go on"
        await db.fetch(_PAUSE, claim.webhook_id, claim.id, source.version, reason)
        return False
    if source.ready >= MOST_WAITING:
        return await _wait(db, claim, source, BUDGET_PAUSE, "too many events wait for the next attempt")
    async with db.transaction() as connection:
        feed, _ = await event_feed.advance(connection, services, claim.owner_id)
    if feed is None or not feed.recording or feed.pending:
        return False
    part = _part(source, feed)
    if part is None:
        return False
    read = await _read(db, source, part, BATCH if source.query is None else _DOCUMENT_BATCH)
    scopes = None if source.token_scopes is None else frozenset(source.token_scopes)
    settings = BodySettings(claim.owner_id, source.query, source.query_roles, source.roles, scopes)
    last, bodies = read.last, list[bytes]()
    if read.events:
        try:
            made = await bodies_of(services, settings, read.events)
        except BadDocument as error:
            reason = f"its document is not valid any more: {error}"
            await db.fetch(_PAUSE, claim.webhook_id, claim.id, source.version, reason)
            log.warning("a webhook is paused", webhook=str(claim.webhook_id), reason=str(error)[:200])
            return False
        except Unavailable:
            failures = source.document_failures
            if failures < len(DOCUMENT_PAUSES) and not part.is_replay:
                pause, reason = DOCUMENT_PAUSES[failures], "its document could not be run in time"
                return await _wait(db, claim, source, pause, reason, failures + 1)
            made = [plain(read.events[0], truncated=True)]
        if made is None:
            return await _wait(db, claim, source, BUDGET_PAUSE, "its owner's documents have no points left")
        bodies = made
        if len(bodies) < len(read.events):
            last = read.positions[len(bodies) - 1]
    sent = [(event, body) for event, body in zip(read.events, bodies, strict=False) if body]
    events, bodies = [event for event, _ in sent], [body for _, body in sent]
    arguments = [
        claim.webhook_id,
        claim.id,
        source.version,
        last,
        [uuid7() for _ in events],
        [event.id for event in events],
        [event.type for event in events],
        [body.decode() for body in bodies],
        [str(event.subject_id) for event in events],
    ]
    if part.is_replay:
        return await db.fetchval(_PUT_REPLAYED, *arguments) is not None
    return await db.fetchval(_PUT_NEW, *arguments, read.missed) is not None


async def _wait(
    db: Database,
    claim: EndpointClaim,
    source: Any,
    pause: timedelta,
    reason: str,
    failures: int | None = None,
) -> bool:
    """Makes no deliveries for a time. Returns False."""
    failures = source.document_failures if failures is None else failures
    await db.fetch(_WAIT, claim.webhook_id, claim.id, source.version, pause, reason, failures)
    return False


async def wait_after_error(db: Database, claim: EndpointClaim) -> None:
    """Makes no deliveries for a time, after an error that is in the log."""
    reason = "its events could not be read: an error of ours, which is in the log"
    await db.fetch(_WAIT, claim.webhook_id, claim.id, claim.version, ERROR_PAUSE, reason, 0)


def _part(source: Any, feed: Feed) -> _Part | None:
    """Returns the next part: new events, or some that are replayed; each in turn, where there are both."""
    is_new = feed.last_position > source.position
    if is_new and (source.replay_position is None or random.random() < 0.5):
        to = min(feed.last_position, source.position + SEARCHED_POSITIONS)
        return _Part(source.position, to, source.events)
    if source.replay_position is None:
        return None
    to = min(source.replay_to, source.replay_position + SEARCHED_POSITIONS)
    return _Part(
        source.replay_position,
        to,
        source.replay_events,
        source.replay_since,
        source.replay_until,
        is_replay=True,
    )


async def _read(db: Database, source: Any, part: _Part, limit: int) -> _Read:
    begin = part.begin
    while True:
        to = max(begin, part.to)
        rows = await db.fetch(
            _READ, source.owner_id, begin, to, part.types, source.sending_project_uuid, source.paying_account_id,
            source.messenger_account_uuid, part.since, part.until, limit,
        )  # fmt: skip
        async with db.reading() as connection:
            feed = await event_feed.get(connection, source.owner_id)
        assert feed is not None
        if feed.pruned_position <= begin:
            last = rows[-1]["position"] if len(rows) == limit else to
            events = [event_feed.event_of(row, feed.epoch) for row in rows]
            return _Read(events, [row["position"] for row in rows], last, begin - part.begin)
        begin = feed.pruned_position


async def bodies_of(
    services: Services, settings: BodySettings, events: Sequence[Event]
) -> list[bytes] | None:
    """Returns the bodies of events: the documented shape, or the result of the webhook's document.

    They may be fewer than the events: the others' documents were not run now. An empty body: the event is not sent.
    None: the owner's documents have cost so much that they must wait. Raises BadDocument; Unavailable if the first
    event's document can't be run now.
    """
    if settings.query is None:
        return [plain(event) for event in events]
    if settings.query == RESEND:
        return await resend_bodies.bodies(services.db, settings.owner_id, events)
    runner = await documents.runner(services)
    capacity = services.budget.limit.count
    cost = min(runner.check(services, settings.query).cost, capacity)
    events = events[: capacity // cost]
    bucket = documents.bucket(settings.owner_id)
    if not (await services.budget.take(bucket, cost * len(events))).allowed:
        return None
    roles = frozenset(settings.query_roles) & frozenset(settings.roles)
    viewer = Viewer(settings.owner_id, roles, scopes=settings.scopes)
    made: list[bytes] = []
    try:
        made = await runner.run(services, settings.query, viewer, events)
    finally:
        await services.budget.give(bucket, cost * (len(events) - len(made)))
    return [
        body if len(body) <= documents.LARGEST else plain(event, truncated=True)
        for event, body in zip(events, made, strict=False)
    ]


def plain(event: Event, *, truncated: bool = False) -> bytes:
    """Returns the documented shape of an event, which is the same as in `GET /events`."""
    # Pydantic writes the same bytes in three times the time; each event is written once for each reader of a feed.
    body: dict[str, Any] = {
        "id": event.id,
        "cursor": event.cursor,
        "type": event.type,
        "at": event.at.astimezone(UTC),
        "subject": event.subject,
        "subjectId": event.subject_id,
        "sendingProjectUuid": event.sending_project_uuid,
        "accountId": event.account_id,
        "data": event.data,
    }
    if truncated:
        body["truncated"] = True
    return orjson.dumps(body, default=str, option=orjson.OPT_UTC_Z)  # str: for asyncpg's own UUIDs


def request_body(batch: int, bodies: Sequence[bytes]) -> bytes:
    """Returns the body of a request with these events, to a webhook with this `batch`."""
    return bodies[0] if batch == 1 else b'{"events":[' + b",".join(bodies) + b"]}"
