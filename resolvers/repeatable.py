"""Repeatable Sending Projects (contract §3). engine/projects/repeatable_states.py has their states, the engine their
scheduler.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import select

from core.errors import BadRequest, Conflict, NotFound, RateLimited, Unavailable, ValidationFailed
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs, conditions
from db.query import Query, columns, p
from engine.projects import project_moves, schedules
from engine.projects.repeatable_states import deletable, move
from resolvers import reach
from resolvers.sending_projects import project_rows
from resolvers.sending_projects.project_checks import require_own_parts
from resolvers.sending_projects.project_templates import of_repeatable
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.render_pool import TooComplex
from shapes.page import Rows
from shapes.repeatable import (
    NewRepeatableProject,
    NextRuns,
    ProjectTemplateInput,
    RepeatableCount,
    RepeatablePatch,
    RepeatableStatus,
    Schedule,
    ScheduleInput,
    SourceInput,
)
from shapes.shape import Shape

MOST_FIRINGS = 50
SECONDS = 3.0  # time for the calculation of all next runs in one answer

_MODEL = models.RepeatableSendingProject
_SEEN = _MODEL.deleted_at.is_(None)
_SELECT_BY_ID = select(*columns(_MODEL)).where(_MODEL.id == p("id"), _SEEN)
_BY_ID = Query(_MODEL, _SELECT_BY_ID)
_LOCKED = Query(_MODEL, _SELECT_BY_ID.with_for_update(key_share=True))
_LISTS = Listing(
    _MODEL,
    always=(_SEEN,),
    filters={("name", "contains"): _MODEL.name.ilike(p("name_contains_"), escape="\\")},
)
_MINE = _MODEL.owner_id == p("owner_id")
_INSERT = """
INSERT INTO repeatable_projects (id, owner_id, name, template, schedule, source) VALUES ($1, $2, $3, $4, $5, $6)
"""
_UPDATE = """
UPDATE repeatable_projects SET name = $2, template = $3, schedule = $4, source = $5, next_run_at = $6,
  updated_at = now()
WHERE id = $1
"""
_MOVE = """
UPDATE repeatable_projects SET status = $2, next_run_at = $3, last_error = NULL, updated_at = now() WHERE id = $1
"""
_DELETE = (
    "UPDATE repeatable_projects SET deleted_at = now(), next_run_at = NULL, updated_at = now() WHERE id = $1"
)
# Locked against the retention until the schedule names them.
_HIS_IMPORT = (
    "SELECT true FROM recipient_imports WHERE id = $1 AND owner_id = $2 AND contacts IS NULL FOR SHARE"
)
_HIS_PROJECT = """
SELECT messages_deleted_at, audience IS NOT NULL AS has_audience FROM sending_projects
WHERE id = $1 AND owner_id = $2 AND status <> 'deleted' FOR SHARE
"""


@operation(Permission.projects_read, "read")
async def list(
    op: Op, page: int = 1, limit: int = 20, status: RepeatableStatus | None = None
) -> Rows[models.RepeatableSendingProject]:
    """Returns what `page` returns, by page numbers."""
    where = conditions({("status", "eq"): status})
    return await _LISTS.numbered(op.db, page, limit, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def count(op: Op) -> RepeatableCount:
    """Counts your repeatable projects."""
    return RepeatableCount(count=await _LISTS.count(op.db, {}, *op.own(_MINE), owner_id=op.viewer.id))


@operation(Permission.projects_read, "read")
async def count_concurrent(op: Op) -> RepeatableCount:
    """Counts your active repeatable projects."""
    where = {("status", "eq"): RepeatableStatus.active}
    return RepeatableCount(count=await _LISTS.count(op.db, where, *op.own(_MINE), owner_id=op.viewer.id))


@operation(Permission.projects_read, "read")
async def get(op: Op, id: UUID) -> models.RepeatableSendingProject:
    """Returns one repeatable project. Raises NotFound."""
    return await visible(op, id)


@operation(Permission.projects_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.RepeatableSendingProject]:
    """Lists your repeatable projects, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def of_users(
    op: Op, user_ids: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.RepeatableSendingProject]]:
    """Returns one page of repeatable projects for each owner."""
    return await _LISTS.pages(
        op.db, _MODEL.owner_id, user_ids, page_args, where, *op.own(_MINE), owner_id=op.viewer.id
    )


@operation(Permission.projects_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.RepeatableSendingProject | None]:
    """Returns repeatable projects by id. A deleted one, or one that the caller may not see, gives None."""
    return await _LISTS.by_ids(op.db, ids, column_names, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def next_runs(op: Op, rows: Sequence[Any], number: int) -> Sequence[Sequence[datetime] | None]:
    """Returns the next run times of each project, as if it were active.

    A costly rule gives fewer times than asked for, and None if no time was left for it. The caller has read the
    `rows`, which have a schedule and runs. Raises ValidationFailed.
    """
    return await _in_time(op, rows, number)


@operation(Permission.projects_read, "read")
async def next_runs_of(op: Op, id: UUID, number: int) -> NextRuns:
    """Returns the next times at which a repeatable project runs, or would run if it were active.

    They are those that `next_runs` returns. Raises NotFound, ValidationFailed.
    """
    (times,) = await _in_time(op, [await visible(op, id)], number)
    return NextRuns(next_runs=times)


async def _in_time(op: Op, rows: Sequence[Any], number: int) -> Sequence[Sequence[datetime] | None]:
    """Returns the next run times of each project, in the time that the request has left for it."""
    if not 1 <= number <= MOST_FIRINGS:
        raise ValidationFailed([f"count: must be from 1 to {MOST_FIRINGS}"])
    allowed: _Allowance = op.ctx.loaders.setdefault("next runs", _Allowance())
    async with allowed.lock:
        begun = time.monotonic()
        try:
            return await _next_runs(op, rows, number, allowed.seconds)
        finally:
            allowed.seconds -= time.monotonic() - begun


@dataclass(slots=True)
class _Allowance:
    """The time budget that all fields with next runs in one answer share."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    seconds: float = SECONDS


async def _next_runs(
    op: Op, rows: Sequence[Any], number: int, seconds: float
) -> Sequence[Sequence[datetime] | None]:
    """Returns the next run times, or None where no time or no process is left."""
    counts = [Schedule.model_validate(row.schedule).max_runs for row in rows]
    asked = [
        (row.schedule, number if most is None else max(min(number, most - row.runs), 0))
        for row, most in zip(rows, counts, strict=True)
    ]
    if seconds <= 0:
        return [None] * len(asked)
    arguments = {"rows": asked, "now": op.services.db.now().isoformat(), "seconds": seconds}
    try:
        results = await op.services.render_pool.run(
            op.viewer.id, "firings", arguments, seconds=seconds + 1, network=op.ctx.client_network
        )
    except (TooComplex, RateLimited, Unavailable):
        return [None] * len(asked)
    return [times and [datetime.fromisoformat(at) for at in times] for times in results]


class _Prepared(NamedTuple):
    """Holds the parts that are read before the transaction; None: it stays as it is."""

    template: dict[str, Any] | None
    schedule: dict[str, Any] | None


async def _read_new(op: Op, input: NewRepeatableProject) -> _Prepared:
    template = await of_repeatable(op, op.viewer.id, input.template)
    return _Prepared(template, _json(await _check_schedule(op, input.schedule)))


@operation(
    Permission.projects_write,
    "sql",
    idempotent=stored_model(models.RepeatableSendingProject),
    before=_read_new,
)
async def create(op: Op, input: NewRepeatableProject) -> models.RepeatableSendingProject:
    """Creates a repeatable project, as a draft. Raises ValidationFailed and BadRequest for its content, NotFound for
    projects, imports, accounts or files that it refers to.
    """
    await _own(op, op.viewer.id, input.template, input.source)
    id = uuid7()
    await op.connection.execute(_INSERT, id, op.viewer.id, input.name, *op.prepared, _json(input.source))
    return await _read_back(op, id)


async def _read_patch(op: Op, id: UUID, input: RepeatablePatch) -> _Prepared:
    template = schedule = None
    if input.template is not None:
        template = await of_repeatable(op, (await visible(op, id)).owner_id, input.template)
    if input.schedule is not None:
        schedule = _json(await _check_schedule(op, input.schedule))
    return _Prepared(template, schedule)


@operation(Permission.projects_write, "sql", before=_read_patch)
async def update(op: Op, id: UUID, input: RepeatablePatch) -> models.RepeatableSendingProject:
    """Changes the template, schedule or recipients of future runs.

    The state may be any; the next run of an active one follows the new schedule. Raises as `create` does, Conflict.
    """
    row = await _locked(op, id)
    await _own(op, row.owner_id, input.template, input.source)
    if row.status == RepeatableStatus.active:
        await reach.require_repeating(op)
    schedule, following = row.schedule, row.next_run_at
    if op.prepared.schedule is not None:
        schedule = op.prepared.schedule
        if row.status == RepeatableStatus.active:
            following = await _following(op, schedule, row.runs)
    await op.connection.execute(
        _UPDATE,
        id,
        row.name if input.name is None else input.name,
        op.prepared.template or row.template,
        schedule,
        row.source if input.source is None else _json(input.source),
        following,
    )
    return await _read_back(op, id)


@operation(Permission.projects_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a repeatable project; the projects that it has created are kept.

    Its row stays, hidden. Raises NotFound, Conflict.
    """
    row = await _locked(op, id)
    deletable(row.status)
    await op.connection.execute(_DELETE, id)


@operation(Permission.projects_send, "sql", idempotent=stored_model(models.RepeatableSendingProject))
async def start(op: Op, id: UUID) -> models.RepeatableSendingProject:
    """Activates a repeatable project, so that it runs by its schedule. Raises NotFound, Conflict for a wrong state or a
    schedule without a next run.
    """
    row = await _locked(op, id)
    status = move(row.status, RepeatableStatus.active)
    await reach.require_repeating(op)
    await op.connection.execute(_MOVE, id, status, await _following(op, row.schedule, row.runs))
    return await _read_back(op, id)


@operation(Permission.projects_send, "sql", idempotent=stored_model(models.RepeatableSendingProject))
async def stop(op: Op, id: UUID) -> models.RepeatableSendingProject:
    """Deactivates a repeatable project; the projects that it has created continue. Raises NotFound, Conflict."""
    row = await _locked(op, id)
    await op.connection.execute(_MOVE, id, move(row.status, RepeatableStatus.stopped), None)
    return await _read_back(op, id)


async def visible(op: Op, id: UUID) -> models.RepeatableSendingProject:
    """Returns one of the caller's repeatable projects, or any for an administrator. Raises NotFound, if deleted too."""
    return _his(op, await _BY_ID.first(op.db, id=id))


async def _locked(op: Op, id: UUID) -> models.RepeatableSendingProject:
    return _his(op, await _LOCKED.first(op.connection, id=id))


def _his(op: Op, row: models.RepeatableSendingProject | None) -> models.RepeatableSendingProject:
    """Returns the row if the caller may see it. Raises NotFound."""
    if row is None or not (op.viewer.admin or row.owner_id == op.viewer.id):
        raise NotFound(
            "There is no repeatable project with this uuid among yours. Check the uuid.",
            code="repeatable_project_not_found",
        )
    return row


async def _read_back(op: Op, id: UUID) -> models.RepeatableSendingProject:
    row = await _BY_ID.first(op.connection, id=id)
    assert row is not None  # this transaction made it, or has locked it
    return row


async def _check_schedule(op: Op, schedule: ScheduleInput) -> Schedule:
    """Returns the schedule with its start, which an RRULE counts from.

    Raises ValidationFailed, BadRequest (`schedule_too_complex`).
    """
    now = op.services.db.now()
    try:
        whole = schedules.anchored(schedule, now)
    except schedules.BadSchedule as error:
        raise ValidationFailed([f"schedule.{error}"]) from error
    result = await _asked(op, "check_schedule", {"schedule": _json(whole), "now": now.isoformat()})
    if "bad" in result:
        raise ValidationFailed([f"schedule.{result['bad']}"])
    return whole


async def _asked(op: Op, task: str, arguments: dict[str, Any]) -> Any:
    """Runs a task on a schedule. Raises BadRequest (`schedule_too_complex`), RateLimited, Unavailable."""
    try:
        return await op.services.render_pool.run(
            op.viewer.id, task, arguments, seconds=schedules.SECONDS, network=op.ctx.client_network
        )
    except TooComplex:
        raise BadRequest(
            "It takes too long to find the next run of this schedule. Simplify the schedule.",
            code="schedule_too_complex",
        ) from None


async def _following(op: Op, schedule: dict[str, Any], runs: int) -> datetime:
    """Returns the next run. Raises Conflict if there is none, BadRequest (`schedule_too_complex`)."""
    read = Schedule.model_validate(schedule)
    result = await _asked(
        op, "next_firing", {"schedule": schedule, "after": op.services.db.now().isoformat()}
    )
    if "bad" in result:
        raise Conflict(
            f"The schedule is invalid: {result['bad']}. Correct it with PATCH first.", code="schedule_over"
        )
    next_run = result["next"] and datetime.fromisoformat(result["next"])
    if read.max_runs is not None and runs >= read.max_runs:
        raise Conflict(
            f"This repeatable project has made {runs} runs, and maxRuns is {read.max_runs}. Raise maxRuns"
            " with PATCH first.",
            code="schedule_over",
        )
    if next_run is None:
        raise Conflict(
            "The schedule of this repeatable project has no run left. Change it with PATCH first.",
            code="schedule_over",
        )
    return next_run


async def _own(
    op: Op, owner: UUID, template: ProjectTemplateInput | None, source: SourceInput | None
) -> None:
    """Checks that everything the project refers to belongs to its owner. Raises NotFound."""
    if template is not None:
        await require_own_parts(op, owner, project_moves.columns_of(template))
    if source is not None and source.import_uuid is not None:
        if not await op.connection.fetchval(_HIS_IMPORT, source.import_uuid, owner):
            raise NotFound(
                "There is no recipient import with this uuid among yours. Check the uuid.",
                code="import_not_found",
            )
    elif source is not None and source.audience is not None:
        await require_own_parts(
            op, owner, {"audience": source.audience.model_dump(mode="json", by_alias=True)}
        )
    elif source is not None:
        row = await op.connection.fetchrow(_HIS_PROJECT, source.sending_project_uuid, owner)
        if row is None:
            raise project_rows.unknown()
        project_rows.require_messages(row["messages_deleted_at"])
        if row["has_audience"]:
            raise Conflict(
                "The recipients of this project are the contacts of its audience. Send that `audience`"
                " as the source, so that each run goes to those of its time.",
                code="has_audience",
            )


def _json(shape: Shape) -> dict[str, Any]:
    return shape.model_dump(mode="json", by_alias=True)
