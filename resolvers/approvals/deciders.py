"""Says who may decide about a plan: a person who has not asked for it, and has changed nothing of it lately."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from core.errors import Forbidden
from db import models
from runtime.operation import Op
from runtime.permissions import Permission, allowed
from shapes.approvals import DecisionObstacle

# What was changed before the plan that was approved last is in that one, about which another person has decided.
# What was changed of one run is in no plan of another one; the template and segments are in the plans of all runs.
_CHANGED = """
SELECT EXISTS (
  SELECT FROM content_editors AS e WHERE e.person_id = $1 AND e.object_id = ANY($2) AND e.changed_at > COALESCE((
    SELECT max(l.created_at) FROM project_approvals AS a
    JOIN project_plans AS l ON l.id = a.plan_id JOIN sending_projects AS p ON p.id = a.project_id
    WHERE a.id <> $3 AND a.decided_by IS NOT NULL AND a.state IN ('approved', 'void')
      AND (p.id = $4 OR (p.repeatable_uuid = $5 AND e.object_id <> $4))
  ), '-infinity')
)
"""
_REPEATABLE = "SELECT repeatable_uuid FROM sending_projects WHERE id = $1"
_MAY_DECIDE_ALONE = "SELECT self_approval FROM approval_rules WHERE owner_id = $1"


SENTENCES: Final[Mapping[DecisionObstacle, str]] = {
    DecisionObstacle.api_token: "An API token can't decide, nor a login that was opened with one. Log in with a"
    " password.",
    DecisionObstacle.no_permission: "Your role may not decide about plans. Ask the owner, a manager or an approver.",
    DecisionObstacle.asked: "You have asked for this approval yourself, so another person must decide.",
    DecisionObstacle.changed: "You have changed what this plan says since the last approval, so another person must"
    " decide.",
}


async def why_not(
    op: Op, connection: Any, approval: models.ProjectApproval, document: Mapping[str, Any]
) -> DecisionObstacle | None:
    """Returns why the caller may not decide; None: the caller may."""
    if op.viewer.token_id is not None or op.viewer.limited_by is not None:
        return DecisionObstacle.api_token
    if not allowed(op.viewer, Permission.projects_approve):
        return DecisionObstacle.no_permission
    person = op.viewer.actor_id
    alone = person == approval.owner_id and await connection.fetchval(_MAY_DECIDE_ALONE, approval.owner_id)
    if alone:
        return None
    if approval.asked_by == person:
        return DecisionObstacle.asked
    if await _has_changed(connection, person, approval, document):
        return DecisionObstacle.changed
    return None


async def require(
    op: Op, connection: Any, approval: models.ProjectApproval, document: Mapping[str, Any]
) -> None:
    """Raises Forbidden (`own_change`) if the caller may not decide."""
    if (reason := await why_not(op, connection, approval, document)) is not None:
        raise Forbidden(SENTENCES[reason], code="own_change")


async def _has_changed(
    connection: Any, person: UUID, approval: models.ProjectApproval, document: Mapping[str, Any]
) -> bool:
    """Returns whether the person has changed the project, a segment of its audience, a project that it follows, or the
    template of its runs.
    """
    repeatable = await connection.fetchval(_REPEATABLE, approval.project_id)
    definition = document["content"]["audience"].get("definition") or {}
    objects = [approval.project_id, *([repeatable] if repeatable else [])]
    for name in ("segmentUuids", "exceptSegmentUuids"):
        objects += [UUID(id) for id in definition.get(name) or ()]
    audience = document["content"]["audience"]
    while audience and (rule := (audience.get("definition") or {}).get("follows")):
        objects.append(UUID(rule["projectUuid"]))
        audience = audience.get("followed")
    asked = (person, objects, approval.id, approval.project_id, repeatable)
    return bool(await connection.fetchval(_CHANGED, *asked))
