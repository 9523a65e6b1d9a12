"""Live updates of projects, direct messages and the queue, for GraphQL subscriptions; `looks` also serves the inbox.

An announcement (core/change_events.py) says only that something has changed. The new state is read from the database,
at most once every `STEP` seconds, so a burst of changes becomes its last state. That last state is never lost: an
announcement that arrives during a read causes another read. A gap in the announcements, and now and then a timer,
cause a read of everything.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from cachetools import LRUCache
from sqlalchemy import any_, or_, select

from core import change_events
from core.errors import NotFound
from core.pubsub import GAP, listening
from db import models
from db.query import Query, columns, p
from engine.projects.states import LIVING
from resolvers import processing
from resolvers.read_retry import retry_read
from resolvers.sending_projects import project_rows
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.services import Services
from shapes.messages import DeliveryState
from shapes.statistics import QueueStatistics

STEP = 0.25  # seconds between two reads of projects or messages
LOOK_SECONDS = 30.0  # a process that dies after its commit announces nothing
QUEUE_STEP = 1.0
QUEUE_SECONDS = 10.0
MOST = 100  # rows of one read of everything
_REMEMBERED = 1000  # messages whose last sent state is remembered
_LATE = timedelta(seconds=5)  # a transaction may commit this long after its now()

FINAL = frozenset({DeliveryState.delivered, DeliveryState.failed, DeliveryState.canceled})
"""No state follows these."""

_PROJECT, _MESSAGE = models.SendingProject, models.Message
_SEEN = (_PROJECT.owner_id == p("owner_id"), _PROJECT.status != "deleted")
_LIVES = or_(*(_PROJECT.status == status.value for status in sorted(LIVING)))
_PROJECTS = Query(
    _PROJECT, select(*columns(_PROJECT)).where(*_SEEN, _PROJECT.id == any_(p("ids", like=_PROJECT.id)))
)
_LIVING = Query(
    _PROJECT,
    select(*columns(_PROJECT))
    .where(*_SEEN, or_(_LIVES, _PROJECT.id == any_(p("ids", like=_PROJECT.id))))
    .order_by(_PROJECT.id.desc())
    .limit(MOST),
)
_VISIBLE = _MESSAGE.chain_id.is_(None)  # the steps of chains are shown by their heads
_MESSAGE_BY_ID = Query(_MESSAGE, select(*columns(_MESSAGE)).where(_MESSAGE.id == p("id"), _VISIBLE))
_MESSAGES = Query(
    _MESSAGE,
    select(*columns(_MESSAGE)).where(
        _MESSAGE.owner_id == p("owner_id"), _MESSAGE.id == any_(p("ids", like=_MESSAGE.id)), _VISIBLE
    ),
)
_NEWEST = (
    select(_MESSAGE.id)
    .where(_MESSAGE.owner_id == p("owner_id"), _VISIBLE)
    .order_by(_MESSAGE.id.desc())
    .limit(MOST)
)
_CHANGED = Query(
    _MESSAGE,
    select(*columns(_MESSAGE))
    .where(
        _MESSAGE.id.in_(_NEWEST),
        _MESSAGE.updated_at >= p("since"),
        or_(_MESSAGE.state != DeliveryState.queued.value, _MESSAGE.attempts > 0),  # skips new messages
    )
    .order_by(_MESSAGE.updated_at, _MESSAGE.id),
)
_ACCOUNT_OWNER = "SELECT owner_id FROM accounts WHERE id = $1"


@operation(Permission.projects_read, "outside")
async def projects(op: Op, id: UUID | None = None) -> AsyncIterator[models.SendingProject]:
    """Emits the project now and whenever its state or counts change, at most four times a second. Without `id`: your
    projects that are scheduled, running or paused, and from then on every project of yours that changes.

    It ends when the project is deleted. Raises NotFound.
    """
    if id is None:
        return _all_projects(op.services, op.viewer.id)
    row = await project_rows.visible(op, id)
    return _project_changes(op.services, row.owner_id, id)


async def _project_changes(services: Services, owner: UUID, id: UUID) -> AsyncIterator[models.SendingProject]:
    last_progress: Any = None
    look = partial(_PROJECTS.all, services.db, owner_id=owner, ids=[id])
    async with aclosing(looks(services, change_events.projects_of(owner), _PROJECT_IDS, id)) as reads:
        async for _ in reads:
            rows = await retry_read(look)
            if not rows:
                return
            if (now := _progress(rows[0])) != last_progress:
                last_progress = now
                yield rows[0]


async def _all_projects(services: Services, owner: UUID) -> AsyncIterator[models.SendingProject]:
    last_progress: dict[UUID, Any] = {}  # only live projects; a finished one is removed when it is sent
    async with aclosing(looks(services, change_events.projects_of(owner), _PROJECT_IDS)) as reads:
        async for changed in reads:
            query, ids = (_LIVING, [*last_progress]) if changed is None else (_PROJECTS, [*changed])
            rows = await retry_read(partial(query.all, services.db, owner_id=owner, ids=ids))
            existing = {row.id for row in rows}
            for gone in [project_id for project_id in ids if project_id not in existing]:
                last_progress.pop(gone, None)
            for row in rows:
                now = _progress(row)
                if last_progress.pop(row.id, None) != now:
                    yield row
                if row.status in LIVING:
                    last_progress[row.id] = now


def _progress(row: Any) -> tuple[Any, ...]:
    return row.status, row.status_reason, row.counts, row.started_at, row.finished_at


@operation(Permission.messages_read, "outside")
async def messages(
    op: Op, id: UUID | None = None, account_id: UUID | None = None
) -> AsyncIterator[models.Message]:
    """Emits the direct message now and whenever its state changes, until the state is final. Without `id`: your
    messages (or those of an account) whose state changes from now on.

    After a gap it yields those of the newest hundred that changed meanwhile. Raises NotFound.
    """
    if id is not None:
        row: Any = await _MESSAGE_BY_ID.first(op.db, id=id)
        mine = row is not None and (op.viewer.admin or row.owner_id == op.viewer.id)
        if not mine or account_id not in (None, row.account_id):
            raise NotFound(
                "There is no message with this id among yours. Check the id.", code="message_not_found"
            )
        return _message_changes(op.services, row.owner_id, id)
    owner = op.viewer.id
    if account_id is not None:
        account_owner = await op.db.fetchval(_ACCOUNT_OWNER, account_id)
        if account_owner is None or not (op.viewer.admin or account_owner == owner):
            raise NotFound(
                "There is no account with this id among yours. Check the id.", code="account_not_found"
            )
        owner = account_owner
    return _all_messages(op.services, owner, account_id)


async def _message_changes(services: Services, owner: UUID, id: UUID) -> AsyncIterator[models.Message]:
    last_state: Any = None
    async with aclosing(looks(services, change_events.messages_of(owner), MESSAGE_IDS, id)) as reads:
        async for _ in reads:
            row: Any = await retry_read(partial(_MESSAGE_BY_ID.first, services.db, id=id))
            if row is None:
                return
            if row.state != last_state:
                last_state = row.state
                yield row
            if row.state in FINAL:
                return


async def _all_messages(
    services: Services, owner: UUID, account_id: UUID | None
) -> AsyncIterator[models.Message]:
    last_states: LRUCache[UUID, str] = LRUCache(_REMEMBERED)
    since: datetime | None = None
    db = services.db
    async with aclosing(looks(services, change_events.messages_of(owner), MESSAGE_IDS)) as reads:
        async for changed in reads:
            if changed is None:
                now = await retry_read(partial(db.fetchval, "SELECT now()"))
                before, since = since, now
                if before is None:
                    continue
                asked = {"owner_id": owner, "since": before - _LATE}
                rows: Any = await retry_read(partial(_CHANGED.all, db, **asked))
            else:
                rows = await retry_read(partial(_MESSAGES.all, db, owner_id=owner, ids=[*changed]))
            for row in rows:
                last_state = last_states.get(row.id)
                last_states[row.id] = row.state
                if last_state != row.state and account_id in (None, row.account_id):
                    yield row


@operation(Permission.statistics_read, "outside")
async def queue(op: Op) -> AsyncIterator[QueueStatistics]:
    """Emits your queue statistics now and when they change, at most once a second and at least every ten seconds.

    They are those that `processing.queue` returns.
    """
    return _queue(op)


async def _queue(op: Op) -> AsyncIterator[QueueStatistics]:
    last_statistics: QueueStatistics | None = None
    topic = change_events.EVERYBODY if op.viewer.admin else change_events.projects_of(op.viewer.id)
    queue_looks = looks(op.services, topic, _PROJECT_IDS, step=QUEUE_STEP, every=QUEUE_SECONDS)
    async with aclosing(queue_looks) as reads:
        async for _ in reads:
            now = await retry_read(partial(processing.queue, op.ctx))
            if now != last_statistics:
                last_statistics = now
                yield now


async def looks(
    services: Services,
    topic: str,
    changed_ids: Callable[[dict[str, Any]], set[UUID] | None],
    only: UUID | None = None,
    *,
    step: float | None = None,
    every: float | None = None,
) -> AsyncGenerator[set[UUID] | None, None]:
    """Yields when to read, and which rows; None means all. The first None comes at once, later ones by announcement.

    `changed_ids` returns the rows that an announcement is about; None: any row may have changed. An announcement about
    no row, or (with `only`) about other rows, is ignored. `step`, `every`: see `STEP`, `LOOK_SECONDS`.
    """
    step, every = step or STEP, every or LOOK_SECONDS
    clock = asyncio.get_running_loop().time
    async with listening(services.store, topic) as events:
        changed: set[UUID] | None = None
        while True:
            if changed is None:
                everything_at = clock() + random.uniform(0.8, 1.2) * every
            yield changed
            earliest, changed, until = clock() + step, set(), everything_at
            while (left := until - clock()) > 0:
                try:
                    async with asyncio.timeout(left):
                        event = await anext(events)
                except TimeoutError:
                    break
                ids = changed_ids(event)
                if ids is not None and (not ids if only is None else only not in ids):
                    continue
                changed = None if ids is None or changed is None else changed | ids
                until = min(until, earliest)  # announcements until then are covered by the same read
            if clock() >= everything_at:
                changed = None


def _changed_ids(kind: str, event: dict[str, Any]) -> set[UUID] | None:
    """Returns the ids that an announcement names, or None if any row may have changed."""
    if event == GAP or not (ids := event.get(kind)):
        return None
    with suppress(ValueError, TypeError):
        return {UUID(id) for id in ids}
    return None


_PROJECT_IDS, MESSAGE_IDS = partial(_changed_ids, "projects"), partial(_changed_ids, "messages")
