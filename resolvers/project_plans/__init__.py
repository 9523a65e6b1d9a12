"""Plans of Sending Projects: what would happen if one started now, and plans that are kept as objects with a hash."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from sqlalchemy import select

from core.errors import BadRequest, Conflict, NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.lists.filters import comparisons
from db.query import Query, columns, p
from engine.projects import audience_sizes
from engine.projects.approvals import digests, starts
from engine.projects.approvals.content import (
    content_of,
    count_followed,
    differences,
    document_of,
    hash_of,
)
from engine.projects.contact_audience import followed_by
from resolvers.project_plans import planning, samples
from resolvers.sending_projects import project_rows
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.approvals import PLAN_DAYS, ProjectSamples
from shapes.project_plans import PlannedChanges, ProjectPlan
from shapes.sending_projects import ProjectStatus

_ROW = models.StoredPlan
_LISTS = Listing(_ROW, filters={**comparisons("sending_project_uuid", _ROW.project_id, ("eq", "in_"))})
_BY_ID = Query(_ROW, select(*columns(_ROW)).where(_ROW.id == p("id")))
_MINE = _ROW.owner_id == p("owner_id")
_PLANNED: Final = {*ProjectStatus} - {ProjectStatus.deleted, ProjectStatus.running, ProjectStatus.paused}
_GROWTH, _GROWTH_AT_LEAST = 0.02, 10  # by which an audience of topics may grow until it is read
_MOST_PLANS: Final = 200  # of a project

_SPENT = "SELECT COALESCE(-sum(amount), 0)::numeric FROM ledger_entries WHERE project_id = $1"
_COUNT = "SELECT count(*) FROM project_plans WHERE project_id = $1"
_NEWEST = """
SELECT id, hash, document, expires_at > now() AND NOT EXISTS (
  SELECT FROM project_approvals AS a WHERE a.plan_id = l.id AND a.state NOT IN ('asked', 'approved')
) AS holds, EXISTS (SELECT FROM project_approvals AS a WHERE a.plan_id = l.id) AS is_asked
FROM project_plans AS l WHERE project_id = $1 ORDER BY number DESC LIMIT 1
"""
_SUPERSEDE = "UPDATE project_plans SET superseded_at = now() WHERE project_id = $1 AND superseded_at IS NULL"
_OUTDATE = """
UPDATE project_approvals SET state = 'void', reason = 'plan', voided_by = $2, decided_at = now()
WHERE project_id = $1 AND state IN ('asked', 'approved')
"""
_ADD = """
INSERT INTO project_plans (id, project_id, owner_id, number, hash, document, at_most, at_most_recipients, made_by,
  made_by_token, expires_at)
VALUES ($1, $2, $3, (SELECT COALESCE(max(number), 0) + 1 FROM project_plans WHERE project_id = $2), $4, $5, $6, $7, $8,
  $9, $10)
"""


@operation(Permission.projects_read, "read")
async def get(op: Op, id: UUID, changes: PlannedChanges) -> ProjectPlan:
    """Plans a project: how many messages will be sent, who is skipped and why, the cost, and the expected end. For a
    project that has begun, it plans what is left. Nothing is changed. Raises NotFound, BadRequest (`bad_text`),
    RateLimited, Unavailable.
    """
    return await planning.plan(op, await project_rows.visible(op, id), changes)


@operation(Permission.projects_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.StoredPlan]:
    """Lists the plans of your projects that were made, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def stored(op: Op, id: UUID) -> models.StoredPlan:
    """Returns one plan that was made. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise NotFound(
            "There is no plan with this uuid among those of your projects. Check the uuid.",
            code="plan_not_found",
        )
    return row


@operation(Permission.projects_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.StoredPlan | None]:
    """Returns plans by id. One that the caller may not see gives None."""
    return await _LISTS.by_ids(op.db, ids, column_names, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def are_current(op: Op, rows: Sequence[models.StoredPlan]) -> list[bool]:
    """Says of each plan whether it is the newest one of its project, and says what would be sent now."""
    now = op.services.db.now()
    return [
        row.superseded_at is None
        and not differences(row.document["content"], await content_of(op.db, row.project_id, at=now))
        for row in rows
    ]


@operation(Permission.projects_read, "read")
async def samples_of(op: Op, id: UUID) -> ProjectSamples:
    """Renders what three recipients of a project would get now, as it is saved: one of them lacks a variable, if one of
    a dozen does. Recipients of topics and segments are the people whom these have now.

    Without the permission `recipients:read` there are none. Raises NotFound, BadRequest (`bad_text`,
    `text_too_complex`), RateLimited, Unavailable.
    """
    project: Any = await project_rows.visible(op, id)
    content = {
        name: getattr(project, name)
        for name in ("channel", "subject", "html", "text", "variants", "template")
    }
    sender = project.from_address or project.sender or op.services.routes.default_sender(project.channel)
    made = await samples.with_lacking(op, project.id, content)
    return ProjectSamples.model_validate({"from": sender, "messages": made})


async def _examine(op: Op, id: UUID) -> ProjectPlan:
    """Renders the texts before the transaction begins, which locks the project."""
    return await planning.plan(op, await project_rows.visible(op, id), PlannedChanges())


@operation(Permission.projects_write, "sql", idempotent=stored_model(models.StoredPlan), before=_examine)
async def make(op: Op, id: UUID) -> models.StoredPlan:
    """Makes a plan of a project as an object: what will be sent to whom, at which cost at most, under one hash. A start
    with this hash sends exactly that, or is refused; an approval is asked for it.

    The plan before is superseded, but one that says the same and holds is returned again. Raises NotFound, Conflict
    (the project runs, its recipients are still being added, it has 200 plans), BadRequest (`no_recipients`, `no_text`,
    `bad_text`), RateLimited, Unavailable.
    """
    project = await project_rows.locked(op, id, still=True)
    if ProjectStatus(project.status) not in _PLANNED:
        raise Conflict(
            f"The project is {project.status}. Stop it first, then make a plan.", code="not_editable"
        )
    starts.require_unapproved(project.plan_id, project.status)
    if project.recipients_pending:
        raise Conflict(
            "Recipients are still being added to this project. Wait until recipientsPending is 0.",
            code="recipients_pending",
        )
    if await op.connection.fetchval(_COUNT, id) >= _MOST_PLANS:
        raise Conflict(
            f"This project has {_MOST_PLANS} plans, the most that one may have. Copy it, and plan the copy.",
            code="too_many_plans",
        )
    digest = await digests.whole(op.connection, project.owner_id, id)
    await count_followed(op.connection, id, project.owner_id)
    now = op.services.db.now()
    content = await content_of(op.connection, id, at=now, digest=digest)
    estimate: ProjectPlan = op.prepared
    limits = await _limits(op, project, digest, estimate)
    document = document_of(
        content, limits, await audience_sizes.languages(op.connection, project, left=False)
    )
    expires = now + timedelta(days=PLAN_DAYS)
    if project.start_at is not None:
        expires = max(expires, project.start_at + timedelta(days=1))
    newest = await op.connection.fetchrow(_NEWEST, id)
    plan_hash = hash_of(document)
    # New prices void no approval: a plan with other limits takes the place of none that is asked for or approved.
    says_the_same = newest is not None and not differences(newest["document"]["content"], content)
    if says_the_same and newest["holds"] and (newest["is_asked"] or newest["hash"] == plan_hash):
        return await _read_back(op, newest["id"])
    plan = uuid7()
    await op.connection.execute(_OUTDATE, id, op.viewer.actor_id)
    await op.connection.execute(_SUPERSEDE, id)
    await op.connection.execute(
        _ADD, plan, id, project.owner_id, plan_hash, document,
        limits["atMost"] and Decimal(limits["atMost"]), limits["atMostRecipients"],
        op.viewer.actor_id, op.viewer.token_id or op.viewer.limited_by, expires,
    )  # fmt: skip
    return await _read_back(op, plan)


async def _read_back(op: Op, id: UUID) -> models.StoredPlan:
    row = await _BY_ID.first(op.connection, id=id)
    assert row is not None  # this transaction made it, or has locked its project
    return row


async def _limits(
    op: Op, project: models.SendingProject, digest: digests.Digest, estimate: ProjectPlan
) -> Mapping[str, Any]:
    """Returns the limits that the sending obeys. Raises BadRequest for an audience that is empty."""
    size = most = digest.recipients
    if project.audience is not None and project.audience_read_at is None:
        size = estimate.recipients
        if (
            followed_by(project.audience) is not None
        ):  # those who are not queued yet, and all whom it has already
            size += await op.connection.fetchval(planning.THERE, project.id) - project.counts["queued"]
        most = size + max(int(size * _GROWTH), _GROWTH_AT_LEAST)
    elif project.audience is not None:
        size = most = await op.connection.fetchval(planning.THERE, project.id)
    if size == 0 and project.follows_uuid is not None:
        raise BadRequest(
            "Nobody in the project that this one follows has an address for this channel. Add recipients to that one,"
            " with an address in a column such as phone or email.",
            code="no_recipients",
        )
    if size == 0:
        raise BadRequest(
            "This project has no recipients yet. Add some with POST /recipient/{projectUuid}.",
            code="no_recipients",
        )
    spent: Decimal = await op.connection.fetchval(_SPENT, project.id)
    return {
        "recipients": size,
        "atMostRecipients": most,
        "currency": estimate.cost and estimate.cost.currency,
        "spent": f"{spent:f}",
        "atMost": estimate.cost and f"{spent + estimate.cost.at_most:f}",
    }
