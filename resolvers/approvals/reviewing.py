"""Reads the parts of a plan's review: the plan that was approved before, and the differences."""

from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import select

from db import models
from db.query import Query, columns, p
from engine.projects.approvals.content import differences
from runtime.operation import Op
from shapes.approvals import MOST_DIFFERENCES, PlanDifference

_PLAN = models.StoredPlan
_BY_ID = Query(_PLAN, select(*columns(_PLAN)).where(_PLAN.id == p("id")))
_BEFORE = """
SELECT a.plan_id FROM project_approvals AS a JOIN sending_projects AS p ON p.id = a.project_id
WHERE a.id < $1 AND a.decided_by IS NOT NULL AND a.state IN ('approved', 'void') AND a.owner_id = $4
  AND (p.id = $2 OR p.repeatable_uuid = (SELECT repeatable_uuid FROM sending_projects WHERE id = $3))
ORDER BY a.id DESC LIMIT 1
"""
_EMAIL = "SELECT email FROM users WHERE id = $1"


async def plan(op: Op, id: UUID) -> models.StoredPlan:
    """Returns a plan, which the caller may see."""
    row = await _BY_ID.first(op.db, id=id)
    assert row is not None  # an approval refers to it
    return row


async def approved_before(op: Op, approval: models.ProjectApproval) -> models.StoredPlan | None:
    """Returns the plan that was approved last before this one, of the project or of a run of the same template."""
    project = approval.project_id
    id = await op.db.fetchval(_BEFORE, approval.id, project, project, approval.owner_id)
    return None if id is None else await plan(op, id)


def compared(old: models.StoredPlan, new: models.StoredPlan) -> list[PlanDifference]:
    """Returns in what two plans differ, the content first."""
    before, after = old.document, new.document
    changed = [
        *differences(before["content"], after["content"]),
        *differences(before["limits"], after["limits"]),
    ]
    return [
        PlanDifference(field=each["field"], old=_text(each["old"]), new=_text(each["new"]))
        for each in changed[:MOST_DIFFERENCES]
    ]


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else orjson.dumps(value).decode()


async def email_of(op: Op, person: UUID | None) -> str | None:
    """Returns the email of a person; None if there is none any more."""
    return None if person is None else await op.db.fetchval(_EMAIL, person)
