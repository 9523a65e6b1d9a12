"""Approvals of plans of Sending Projects: asked for, looked at, decided, withdrawn; and the owner's rule.

make a plan ── ask ──► asked ── decide ──► approved ── start obeys the plan
                         │                    └─ content changes ──► void (a trigger, in the same statement)
                         └─ withdraw, refuse
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import select

from core.errors import Conflict, NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.lists.filters import comparisons
from db.query import Query, columns, p
from engine.projects.approvals import digests, mails
from engine.projects.approvals.content import content_of, differences
from resolvers.approvals import deciders, reviewing
from resolvers.auth.token_rows import own_login, require_own_login
from resolvers.project_plans import samples
from resolvers.sending_projects import project_rows
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.approvals import (
    RUN_DAYS,
    Approval,
    ApprovalDecisionKind,
    ApprovalReview,
    ApprovalRule,
    ApprovalRuleInput,
    ApprovalState,
    AskApproval,
    DecideApproval,
    StoredPlan,
)

_ROW = models.ProjectApproval
_PROJECT = models.SendingProject
_REPEATABLE = select(_PROJECT.repeatable_uuid).where(_PROJECT.id == _ROW.project_id).scalar_subquery()
_LISTS = Listing(
    _ROW,
    filters={
        **comparisons("state", _ROW.state, ("eq", "in_", "not_in")),
        **comparisons("sending_project_uuid", _ROW.project_id, ("eq", "in_")),
        **comparisons("repeatable_uuid", _REPEATABLE, ("eq", "in_")),
        **comparisons("asked_at", _ROW.asked_at, ("gte", "gt", "lte", "lt")),
    },
)
_MINE = _ROW.owner_id == p("owner_id")
_BY_ID = Query(_ROW, select(*columns(_ROW)).where(_ROW.id == p("id")))

_NEWEST = """
SELECT id, number, hash, document, expires_at, expires_at <= now() AS has_expired,
  (SELECT a.state FROM project_approvals AS a WHERE a.plan_id = l.id ORDER BY a.id DESC LIMIT 1) AS state
FROM project_plans AS l WHERE project_id = $1 ORDER BY number DESC LIMIT 1
"""
_ADD = """
INSERT INTO project_approvals (id, plan_id, plan_hash, project_id, owner_id, asked_by, asked_by_token, note, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""
_EMAILS = "SELECT id, email FROM users WHERE id = ANY($1)"
_PROJECT_OF = "SELECT project_id FROM project_approvals WHERE id = $1 AND ($2 OR owner_id = $3)"
_LOCK = "SELECT id, plan_id, state, asked_by FROM project_approvals WHERE id = $1 FOR UPDATE"
_DECIDE = """
UPDATE project_approvals SET state = $2, decided_by = $3, note = COALESCE($4, note), decided_at = now(),
  expires_at = GREATEST(expires_at, now() + $5::interval) WHERE id = $1
"""
_WITHDRAW = "UPDATE project_approvals SET state = 'withdrawn', decided_at = now() WHERE id = $1"
_RULE = """
SELECT mode, above_recipients, above_amount, channels, categories, self_approval, updated_at FROM approval_rules
WHERE owner_id = $1
"""
_SET_RULE = """
INSERT INTO approval_rules (owner_id, mode, above_recipients, above_amount, channels, categories, self_approval)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (owner_id) DO UPDATE SET mode = EXCLUDED.mode, above_recipients = EXCLUDED.above_recipients,
  above_amount = EXCLUDED.above_amount, channels = EXCLUDED.channels, categories = EXCLUDED.categories,
  self_approval = EXCLUDED.self_approval, updated_at = now()
"""


@operation(Permission.projects_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.ProjectApproval]:
    """Lists the approvals that were asked for, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def get(op: Op, id: UUID) -> models.ProjectApproval:
    """Returns one approval. Raises NotFound."""
    return await _visible(op, id)


@operation(Permission.projects_read, "read")
async def emails(op: Op, ids: Sequence[UUID | None]) -> list[str | None]:
    """Returns the email of each person whom an approval names; None: there is no such person any more."""
    by_id = {row["id"]: row["email"] for row in await op.db.fetch(_EMAILS, [id for id in ids if id])}
    return [by_id.get(id) for id in ids]


async def _visible(op: Op, id: UUID) -> models.ProjectApproval:
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise _unknown()
    return row


@operation(Permission.projects_read, "read")
async def review(op: Op, id: UUID) -> ApprovalReview:
    """Returns all that is to be seen before a decision: the plan with its texts, in what it differs from the plan that
    was approved before, and the messages of three real recipients. Raises NotFound, RateLimited, Unavailable.
    """
    row = await _visible(op, id)
    plan = await reviewing.plan(op, row.plan_id)
    since = await reviewing.approved_before(op, row)
    content = await content_of(op.db, row.project_id, at=op.services.db.now(), has_plan=True)
    document: Any = plan.document
    why_not = await deciders.why_not(op, op.db, row, document)
    return ApprovalReview(
        approval=Approval.model_validate(row),
        plan=StoredPlan.model_validate(plan),
        asked_by_email=await reviewing.email_of(op, row.asked_by),
        is_current=plan.superseded_at is None and not differences(document["content"], content),
        since=None if since is None else StoredPlan.model_validate(since),
        differences=[] if since is None else reviewing.compared(since, plan),
        messages=await samples.messages(op, row.project_id, document["content"]),
        may_decide=why_not is None,
        why_not=None if why_not is None else deciders.SENTENCES[why_not],
        why_not_code=why_not,
    )


@operation(Permission.projects_write, "sql", idempotent=stored_model(models.ProjectApproval))
async def ask(op: Op, id: UUID, input: AskApproval) -> models.ProjectApproval:
    """Asks for the approval of a project's newest plan. Who may decide gets a mail and finds it in the console. Raises
    NotFound, Conflict (`plan_changed`, `plan_expired`, `already_asked`, `plan_refused`).
    """
    project = await project_rows.locked(op, id)
    plan = await op.connection.fetchrow(_NEWEST, id)
    if plan is None:
        raise NotFound(
            "This project has no plan yet. Make one with POST /sending-project/{uuid}/plans.",
            code="plan_not_found",
        )
    await _require_current(op, id, plan, input.plan_hash)
    if plan["state"] in (ApprovalState.asked, ApprovalState.approved):
        raise Conflict(
            f"The approval of plan {plan['number']} is {plan['state']} already.", code="already_asked"
        )
    if plan["state"] == ApprovalState.refused:
        raise Conflict(
            f"Plan {plan['number']} was refused. Change the project, make a new plan, and ask for that one.",
            code="plan_refused",
        )
    approval, token = uuid7(), op.viewer.token_id or op.viewer.limited_by
    await op.connection.execute(
        _ADD,
        approval,
        plan["id"],
        plan["hash"],
        id,
        project.owner_id,
        op.viewer.actor_id,
        token,
        input.note,
        plan["expires_at"],
    )
    await mails.ask(op.services, op.connection, project.owner_id, approval, asker=op.viewer.actor_id)
    return await _read_back(op, approval)


@operation(Permission.projects_approve, "sql")
async def decide(op: Op, id: UUID, input: DecideApproval) -> models.ProjectApproval:
    """Approves or refuses the plan that an approval is about. An approval that was given can be refused until its
    project starts. No person decides about their own request or change, and no API token decides.

    Raises NotFound, Forbidden (`needs_login`, `own_change`), Conflict (`plan_changed`, `plan_expired`, `not_asked`).
    """
    await own_login(op, "decide about plans")
    project, approval = await _locked(op, id)
    plan = await op.connection.fetchrow(_NEWEST, project.id)
    refusing = input.decision is ApprovalDecisionKind.refused
    open_states = (ApprovalState.asked, ApprovalState.approved) if refusing else (ApprovalState.asked,)
    has_begun = project.started_at is not None and project.plan_id == approval["plan_id"]
    if approval["state"] not in open_states or (refusing and has_begun):
        raise Conflict(
            f"This approval is {approval['state']}, so nothing is to be decided.", code="not_asked"
        )
    await _require_current(op, project.id, plan, input.plan_hash)
    row = await _read_back(op, id)
    await deciders.require(op, op.connection, row, plan["document"])
    runs = timedelta(days=RUN_DAYS if project.repeatable_uuid and not refusing else 0)
    await op.connection.execute(_DECIDE, id, input.decision.value, op.viewer.actor_id, input.note, runs)
    return await _read_back(op, id)


@operation(Permission.projects_write, "sql")
async def withdraw(op: Op, id: UUID) -> models.ProjectApproval:
    """Withdraws an approval that was asked for, before it is decided. Raises NotFound, Conflict (`not_asked`)."""
    _, approval = await _locked(op, id)
    if approval["state"] != ApprovalState.asked:
        raise Conflict(
            f"This approval is {approval['state']}, so nothing is to be withdrawn.", code="not_asked"
        )
    await op.connection.execute(_WITHDRAW, id)
    return await _read_back(op, id)


@operation(Permission.projects_read, "read")
async def get_rule(op: Op) -> ApprovalRule:
    """Returns your rule of approval: which projects need one before they start."""
    row = await op.db.fetchrow(_RULE, op.viewer.id)
    return ApprovalRule() if row is None else ApprovalRule.model_validate(dict(row))


@operation(Permission.members_write, "sql")
async def set_rule(op: Op, input: ApprovalRuleInput) -> ApprovalRule:
    """Sets your rule of approval. Projects that run go on; a scheduled one needs its approval when its time comes.

    Raises Forbidden unless the owner has logged in with a password, and has given a fresh code of the second factor.
    """
    await require_own_login(op, "change the rule of approval")
    await digests.ensure_key(op.connection, op.viewer.id)
    await op.connection.execute(
        _SET_RULE, op.viewer.id, input.mode.value, input.above_recipients, input.above_amount,
        [each.value for each in input.channels], [each.value for each in input.categories], input.self_approval,
    )  # fmt: skip
    row = await op.connection.fetchrow(_RULE, op.viewer.id)
    return ApprovalRule.model_validate(dict(row))


async def _locked(op: Op, id: UUID) -> tuple[Any, Any]:
    """Locks the project and the approval, in the order of all that change a project. Raises NotFound."""
    project_id = await op.connection.fetchval(_PROJECT_OF, id, op.viewer.admin, op.viewer.id)
    if project_id is None:
        raise _unknown()
    project = await project_rows.locked(op, project_id)
    return project, await op.connection.fetchrow(_LOCK, id)


async def _require_current(op: Op, project: UUID, plan: Any, plan_hash: str) -> None:
    """Raises Conflict unless the plan is the one that the caller has seen, and says what would be sent now."""
    if plan["hash"] != plan_hash:
        raise Conflict(
            f"The newest plan of this project is plan {plan['number']}, and has another hash. Look at that one.",
            code="plan_changed",
            details={"planHash": plan["hash"]},
        )
    content = await content_of(op.connection, project, at=op.services.db.now(), has_plan=True)
    if changed := differences(plan["document"]["content"], content):
        raise Conflict(
            f"What would be sent is not what plan {plan['number']} says any more. Make a new plan.",
            code="plan_changed",
            details={"differences": changed},
        )
    if plan["has_expired"]:
        raise Conflict(f"Plan {plan['number']} has expired. Make a new one.", code="plan_expired")


async def _read_back(op: Op, id: UUID) -> models.ProjectApproval:
    row = await _BY_ID.first(op.connection, id=id)
    assert row is not None  # this transaction made it, or has locked it
    return row


def _unknown() -> NotFound:
    return NotFound(
        "There is no approval with this uuid among yours. Check the uuid.", code="approval_not_found"
    )
