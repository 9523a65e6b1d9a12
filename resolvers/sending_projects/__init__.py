"""Sending Projects (contract §3). Their states and state changes: engine/projects/states.py and project_moves.py."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import or_

from core.errors import Conflict, NotFound, ValidationFailed
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, PageArgs, conditions
from engine.projects import follow_ups, progress, project_moves
from engine.projects.approvals import starts
from engine.projects.states import LIVING, Event, after
from engine.texts import bodies, recipient_links, run_clock
from resolvers import project_content, reach
from resolvers.sending_projects.project_checks import (
    changed_values,
    merged_content,
    require_own_parts,
    require_within_a_year,
)
from resolvers.sending_projects.project_lists import BY, LISTS, MINE, mine_of
from resolvers.sending_projects.project_rows import locked, read_back, visible
from resolvers.sending_projects.project_steps import delete_project, each_project, retry_project, stop_project
from resolvers.sending_projects.project_templates import NO_TEMPLATE, TEXTS, texts_of_template
from runtime import link_domains
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.approvals import StartProject
from shapes.messages import MessageCategory
from shapes.page import Rows
from shapes.project_actions import (
    MessagePreview,
    NotStopped,
    PreviewMessage,
    ProjectCount,
    RetryProject,
    StoppedProjects,
    StopProjects,
)
from shapes.sending_projects import NewSendingProject, ProjectChannel, ProjectStatus, SendingProjectPatch
from shapes.where import like

_PROJECT = models.SendingProject
_LIVES = or_(*(_PROJECT.status == status.value for status in sorted(LIVING)))

_OF_THE_SAME_PLAN = {"name", "speed", "window"}
_COPYING = "SELECT EXISTS (SELECT FROM repeatable_firings WHERE project_id = $1)"
_HAS_RECIPIENTS = "SELECT EXISTS (SELECT FROM recipients WHERE project_id = $1)"
_RECIPIENT = "SELECT project_id, address, name, variables, timezone FROM recipients WHERE id = $1"


@operation(Permission.projects_read, "read")
async def list(op: Op, page: int = 1, limit: int = 20) -> Rows[models.SendingProject]:
    """Lists your projects, newest first; administrators get those of all users."""
    return await LISTS.numbered(op.db, page, limit, {}, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def search(
    op: Op,
    page: int = 1,
    limit: int = 20,
    q: str | None = None,
    status: ProjectStatus | None = None,
    channel: ProjectChannel | None = None,
    date_from: datetime | None = None,
    date_to: datetime | None = None,
) -> Rows[models.SendingProject]:
    """Searches your projects by name, status, channel and creation time.

    The part of the name is literal. Raises ValidationFailed.
    """
    if any(moment is not None and moment.tzinfo is None for moment in (date_from, date_to)):
        raise ValidationFailed(["dateFrom, dateTo: must have a time zone, like 2026-01-31T00:00:00Z"])
    where = conditions(
        {
            ("name", "contains"): like(q) if q else None,
            ("status", "eq"): status,
            ("channel", "eq"): channel,
            ("created_at", "gte"): date_from,
            ("created_at", "lt"): date_to,
        }
    )
    return await LISTS.numbered(op.db, page, limit, where, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def count(op: Op) -> ProjectCount:
    """Counts your projects."""
    return ProjectCount(count=await LISTS.count(op.db, {}, *op.own(MINE), owner_id=op.viewer.id))


@operation(Permission.projects_read, "read")
async def count_concurrent(op: Op) -> ProjectCount:
    """Counts your projects that are scheduled, running or paused."""
    return ProjectCount(count=await LISTS.count(op.db, {}, _LIVES, *op.own(MINE), owner_id=op.viewer.id))


@operation(Permission.projects_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.SendingProject]:
    """Lists your projects, newest first unless `orderBy` is given; administrators get those of all users."""
    return await LISTS.page(op.db, page_args, where, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def related(
    op: Op,
    by: Literal["owner_id", "account_id", "repeatable_uuid", "account_uuids", "follows_uuid"],
    parents: Sequence[UUID],
    page_args: PageArgs,
    where: Conditions,
) -> Sequence[CursorPage[models.SendingProject]]:
    """Returns one page of projects for each owner, paying account, repeatable project, source account, or project that
    they follow.
    """
    mine = mine_of(by, page_args, where)
    return await LISTS.pages(op.db, BY[by], parents, page_args, where, *op.own(mine), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.SendingProject | None]:
    """Returns projects by id. A deleted project, or one that the caller may not see, gives None."""
    return await LISTS.by_ids(op.db, ids, column_names, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def get(op: Op, id: UUID) -> models.SendingProject:
    """Returns one project. Raises NotFound."""
    return await visible(op, id)


async def _check_new(op: Op, input: NewSendingProject) -> dict[str, Any]:
    values = project_moves.columns_of(input)
    if input.template_key is not None:
        values |= await texts_of_template(op.db, op.viewer.id, input, input.channel)
    require_within_a_year(op, values.get("start_at"))
    project_content.fit(values)
    await project_content.check(op, values, {*values})
    return values


@operation(
    Permission.projects_write, "sql", idempotent=stored_model(models.SendingProject), before=_check_new
)
async def create(op: Op, input: NewSendingProject) -> models.SendingProject:
    """Creates a project, as a draft. Raises BadRequest and ValidationFailed for its content, NotFound for accounts or
    files that it refers to.
    """
    values = {**op.prepared, "id": uuid7(), "owner_id": op.viewer.id}
    await require_own_parts(op, op.viewer.id, values)
    names = ", ".join(f'"{name}"' for name in values)
    placeholders = ", ".join(f"${number}" for number in range(1, len(values) + 1))
    await op.connection.execute(
        f"INSERT INTO sending_projects ({names}) VALUES ({placeholders})",  # noqa: S608  our own words
        *values.values(),
    )
    return await read_back(op, values["id"])


def _has_other_texts(row: models.SendingProject, values: Mapping[str, Any]) -> bool:
    return any(getattr(row, name) != values[name] for name in values.keys() & TEXTS)


async def _check_patch(op: Op, id: UUID, input: SendingProjectPatch) -> dict[str, Any]:
    row = await visible(op, id)
    values = project_moves.columns_of(input, input.model_fields_set)
    if input.template_key is not None:
        channel = input.channel or ProjectChannel(row.channel)
        values |= await texts_of_template(op.db, row.owner_id, input, channel)
    elif "template_key" in input.model_fields_set or _has_other_texts(row, values):
        values |= NO_TEMPLATE
    changed_values(row, values)
    await project_content.check(op, merged_content(row, values), {*values})
    return values


@operation(Permission.projects_write, "sql", before=_check_patch)
async def update(op: Op, id: UUID, input: SendingProjectPatch) -> models.SendingProject:
    """Changes the given fields of a project. While it is running or paused, only speed and window can change. Raises
    NotFound, Conflict (its state forbids the change), BadRequest, ValidationFailed.
    """
    row = await locked(op, id, with_owner=True)
    changed = changed_values(row, op.prepared)
    starts.require_narrower(row, changed)
    if "start_at" in changed:
        require_within_a_year(op, changed["start_at"])
        if changed["start_at"] is None and row.status == ProjectStatus.scheduled:
            raise ValidationFailed(
                ["startAt: this project is scheduled for it; start the project now, or stop it first"]
            )
    if {"audience", "category", "channel"} & {*changed}:
        await follow_ups.require_unfollowed(op.connection, id)
    if changed.get("audience") and await op.connection.fetchval(_HAS_RECIPIENTS, id):
        raise Conflict(
            "This project already has recipients. Remove them, or create another project for the topics.",
            code="has_recipients",
        )
    if "channel" in changed and await op.connection.fetchval(_HAS_RECIPIENTS, id):
        raise Conflict(
            f"This project already has recipients for {row.channel}. Create another project for another"
            " channel.",
            code="not_editable",
        )
    if "account_id" in changed and row.started_at is not None:
        raise Conflict(
            "Messages of this project were paid from its account, and refunds go there. Create another"
            " project to pay from another account.",
            code="not_editable",
        )
    project_content.fit(merged_content(row, changed))
    await require_own_parts(op, row.owner_id, changed, id)
    if changed:
        pairs = ", ".join(f'"{name}" = ${number}' for number, name in enumerate(changed, 2))
        await op.connection.execute(
            f"UPDATE sending_projects SET {pairs}, updated_at = now() WHERE id = $1",  # noqa: S608  our own words
            id,
            *changed.values(),
        )
        if {"window", "speed"} & {*changed}:
            await progress.window_or_rate_changed(op.connection, id)
        if row.status == ProjectStatus.scheduled:  # the scheduler will start it without further checks
            await project_moves.admit(op.services, op.connection, id)
            if {*changed} - _OF_THE_SAME_PLAN:
                await reach.require_project(op, id, at=op.services.db.now())
    return await read_back(op, id)


@operation(Permission.projects_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a project and cancels its queued messages. Messages that were sent stay in the statistics.

    Its row stays, hidden. Raises NotFound, Conflict.
    """
    await delete_project(op, id)


@operation(Permission.projects_send, "sql", idempotent=stored_model(models.SendingProject))
async def start(op: Op, id: UUID, input: StartProject) -> models.SendingProject:
    """Starts a project, or schedules it if its `startAt` is in the future. With `planHash` it sends what that plan
    says, or is refused; a rule of approval refuses it without an approved plan. Raises NotFound, Conflict, and what
    `project_moves.admit` and `starts.obey` raise.
    """
    row = await locked(op, id, with_owner=True)
    later = row.start_at is not None and row.start_at > op.services.db.now()
    later = later and row.status != ProjectStatus.scheduled  # a second call starts it at once
    after(row.status, Event.start_later if later else Event.start)
    if await op.connection.fetchval(_COPYING, id):
        raise Conflict(
            "The recipients of this run are still being copied. Wait; the run starts by itself.",
            code="still_copying",
        )
    await project_moves.admit(op.services, op.connection, id)
    at = op.services.db.now() if later else starts.NOW
    plan = await starts.obey(op.connection, id, at=at, plan_hash=input.plan_hash)
    plan = await reach.require_project(op, id, at=at) or plan
    if later:
        await project_moves.schedule(op.connection, id, plan)
    else:
        await project_moves.begin(op.connection, id, plan)
    return await read_back(op, id)


@operation(Permission.projects_send, "sql", idempotent=stored_model(models.SendingProject))
async def stop(op: Op, id: UUID) -> models.SendingProject:
    """Stops a project. Starting it again continues where it stopped. Raises NotFound, Conflict."""
    await stop_project(op, id)
    return await read_back(op, id)


@operation(Permission.projects_send, "sql")
async def stop_multiple(op: Op, input: StopProjects) -> StoppedProjects:
    """Stops several projects; each one succeeds or fails on its own."""
    stopped, failed = await each_project(input.uuids, partial(stop_project, op), NotStopped)
    return StoppedProjects(stopped=stopped, failed=failed)


@operation(Permission.projects_send, "sql", idempotent=stored_model(models.SendingProject))
async def retry(op: Op, id: UUID, input: RetryProject) -> models.SendingProject:
    """Sends failed messages again, optionally also messages in state `unknown` and messages `skipped` with given codes.

    Failed ones can be chosen by their codes, too. Raises NotFound, Conflict.
    """
    await retry_project(op, id, input)
    return await read_back(op, id)


@operation(Permission.projects_read, "read")
async def preview(op: Op, input: PreviewMessage) -> MessagePreview:
    """Renders a text for a recipient, and counts the SMS segments that are charged. Raises NotFound (project,
    recipient), BadRequest (`bad_text`).
    """
    recipient: Any = None
    project = input.sending_project_uuid
    if input.recipient_uuid is not None:
        recipient = await op.db.fetchrow(_RECIPIENT, input.recipient_uuid)
        if recipient is None or project not in (None, recipient["project_id"]):
            raise _no_recipient()
        project = recipient["project_id"]
    row: Any = None
    if project is not None:
        try:
            row = await visible(op, project)
        except NotFound:
            if recipient is not None:
                raise _no_recipient() from None
            raise
    content = {
        name: getattr(row, name, None)
        for name in ("channel", "subject", "html", "text", "variants", "template", "languages")
    }
    texts = {"channel": input.channel, "subject": input.subject, "html": input.html, "text": input.text}
    content |= {name: value for name, value in texts.items() if value is not None}
    if input.text is not None:
        content |= {"variants": [], "languages": None}
    channel = content["channel"] = str(content["channel"] or ProjectChannel.sms.value)
    variables: dict[str, Any] = dict(input.variables or {})
    if row is None or row.category == MessageCategory.promotional:
        owner = op.viewer.id if row is None else row.owner_id
        base = await link_domains.base_of(op.services, owner)
        variables = {**recipient_links.examples(op.services, owner, base), **variables}
    started = row.started_at if row is not None else None
    clock = run_clock.at(content, started or op.services.db.now())
    address, zone = (recipient["address"], recipient["timezone"]) if recipient is not None else ("", None)
    variables = {**run_clock.of(clock, address, zone), **variables}
    message: tuple[UUID, UUID] | None = None
    if recipient is not None and input.recipient_uuid is not None:
        recipient_variables = bodies.variables(
            channel, recipient["address"], recipient["name"], recipient["variables"]
        )
        variables = {**recipient_variables, **variables}
        message = (recipient["project_id"], input.recipient_uuid)
    return await project_content.preview(op, content, variables, input.variant, message)


def _no_recipient() -> NotFound:
    return NotFound(
        "There is no recipient with this uuid in this project. Check the uuid.", code="recipient_not_found"
    )
