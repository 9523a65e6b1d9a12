"""Reads the parts of a plan's review: the plan that was approved before, the differences, and real messages."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import orjson
from sqlalchemy import select

from db import models
from db.query import Query, columns, p
from engine.projects import audience_sizes
from engine.projects.approvals.content import differences
from engine.texts import bodies, recipient_links, run_clock
from resolvers import project_content
from runtime import link_domains
from runtime.operation import Op
from runtime.permissions import Permission, allowed
from shapes.approvals import MOST_DIFFERENCES, MOST_SAMPLES, PlanDifference, PlannedMessage

_PLAN = models.StoredPlan
_BY_ID = Query(_PLAN, select(*columns(_PLAN)).where(_PLAN.id == p("id")))
_BEFORE = """
SELECT a.plan_id FROM project_approvals AS a JOIN sending_projects AS p ON p.id = a.project_id
WHERE a.id < $1 AND a.decided_by IS NOT NULL AND a.state IN ('approved', 'void') AND a.owner_id = $4
  AND (p.id = $2 OR p.repeatable_uuid = (SELECT repeatable_uuid FROM sending_projects WHERE id = $3))
ORDER BY a.id DESC LIMIT 1
"""
_EMAIL = "SELECT email FROM users WHERE id = $1"
_SPREAD = """
WITH ends AS (SELECT min(seq) AS first, max(seq) AS last FROM recipients WHERE project_id = $1)
SELECT DISTINCT ON (r.id) r.id, r.seq, r.address, r.name, r.variables, r.timezone
FROM ends CROSS JOIN generate_series(0, $2 - 1) AS step CROSS JOIN LATERAL (
  SELECT * FROM recipients WHERE project_id = $1
    AND seq >= ends.first + (ends.last - ends.first) * step / GREATEST($2 - 1, 1) ORDER BY seq LIMIT 1
) AS r
"""
_PROJECT = """
SELECT owner_id, channel, category, audience, audience_read_at, started_at FROM sending_projects WHERE id = $1
"""
_VISIBLE: Final = 4  # characters at the end of an address


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


async def messages(op: Op, project: UUID, content: Mapping[str, Any]) -> list[PlannedMessage]:
    """Returns what three recipients would get by the texts of a plan. Raises BadRequest, RateLimited, Unavailable."""
    may_read = allowed(op.viewer, Permission.recipients_read)
    if not may_read and not allowed(op.viewer, Permission.projects_approve):
        return []
    row = await op.db.fetchrow(_PROJECT, project)
    recipients = await _recipients(op, project, row)
    clock = run_clock.at(content, row["started_at"] or op.services.db.now())
    base = await link_domains.base_of(op.services, row["owner_id"])
    made = []
    for recipient in recipients:
        variables = run_clock.of(clock, recipient["address"], recipient["timezone"])
        if row["category"] == "promotional":
            variables = {**recipient_links.examples(op.services.settings, base), **variables}
        variables |= bodies.variables(
            row["channel"], recipient["address"], recipient["name"], recipient["variables"]
        )
        if not may_read:
            part = _part_of(recipient["address"])
            variables = {
                name: part if value == recipient["address"] else value for name, value in variables.items()
            }
        rendered = await project_content.preview(op, content, variables, None, (project, recipient["id"]))
        made.append(
            PlannedMessage(
                to=recipient["address"] if may_read else _part_of(recipient["address"]),
                subject=rendered.subject,
                body=rendered.body,
                html=rendered.html,
                missing=rendered.missing,
            )
        )
    return made


async def _recipients(op: Op, project: UUID, row: Any) -> Sequence[Any]:
    if row["audience"] is not None and row["audience_read_at"] is None:
        region, asked = (
            op.services.settings.default_region,
            (row["owner_id"], row["channel"], row["audience"]),
        )
        contacts = await audience_sizes.sample(op.db, region, *asked, row["category"], 100)
        return (
            [*contacts[:1], *contacts[len(contacts) // 2 :][:1], *contacts[-1:]]
            if len(contacts) > MOST_SAMPLES
            else contacts
        )
    return sorted(await op.db.fetch(_SPREAD, project, MOST_SAMPLES), key=lambda each: each["seq"])


def _part_of(address: str) -> str:
    """Returns a part of an address, for a caller who may not see recipients."""
    name, at, domain = address.rpartition("@")
    return f"{name[:1]}…@{domain}" if at and name else f"…{address[-_VISIBLE:]}"
