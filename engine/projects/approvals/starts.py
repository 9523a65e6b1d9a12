"""Decides by which plan a project may start: the one that the caller names, or the approved one that a rule demands.

    start, retry, the scheduler, a run of a repeatable project ── `obey` ──► the plan, whose limits the sending obeys
                                                                     └────► Conflict: what differs, or what is missing

The caller has locked the project, so that its content stays as it was compared.
"""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum, auto
from typing import Any, Final
from uuid import UUID

from core.errors import Conflict, NotFound
from engine.projects.approvals.content import content_of, differences
from engine.projects.approvals.narrowing import is_narrower, is_slower
from engine.projects.audience_sizes import size_in_time

NOW: Final = datetime.max.replace(tzinfo=UTC)
"""The time of a start that does not wait for `startAt`, even if that comes later."""
_CHANGED: Final = "changed_after_plan"  # the code of contacts that were changed since
_OF_START: Final = frozenset(
    {"startAt", "startWithinSeconds"}
)  # they say nothing of a project that has begun
_PROJECT = """
SELECT p.owner_id, p.channel, p.category, p.repeatable_uuid, p.plan_id, p.started_at, p.audience, p.audience_segments,
  p.audience_read_at, p.audience IS NULL AND (p.recipients_pending > 0
    OR EXISTS (SELECT FROM recipient_additions WHERE project_id = p.id)) AS is_pending,
  r.mode, r.above_recipients, r.above_amount, r.channels, r.categories
FROM sending_projects AS p LEFT JOIN approval_rules AS r ON r.owner_id = p.owner_id WHERE p.id = $1
"""
# A change of a segment waits until the start has stored the conditions that were compared.
_LOCK_SEGMENTS = """
SELECT FROM segments AS s JOIN sending_projects AS p ON p.owner_id = s.owner_id
WHERE p.id = $1 AND (p.audience -> 'segmentUuids' ? s.id::text OR p.audience -> 'exceptSegmentUuids' ? s.id::text)
ORDER BY s.id FOR SHARE OF s
"""
_PLAN = """
SELECT l.id, l.number, l.hash, l.document, l.at_most, l.at_most_recipients, l.expires_at <= now() AS has_expired,
  EXISTS (SELECT FROM project_approvals AS a WHERE a.plan_id = l.id AND a.state = 'approved') AS is_approved,
  EXISTS (SELECT FROM project_approvals AS a WHERE a.plan_id = l.id AND a.state = 'approved' AND a.expires_at > now())
    AS holds,
  (SELECT a.state FROM project_approvals AS a WHERE a.plan_id = l.id ORDER BY a.id DESC LIMIT 1) AS state
FROM project_plans AS l
"""
_NEWEST = f"{_PLAN} WHERE l.project_id = $1 ORDER BY l.number DESC LIMIT 1"
_BY_HASH = f"{_PLAN} WHERE l.project_id = $1 AND l.hash = $2 ORDER BY l.number DESC LIMIT 1"
_BY_ID = f"{_PLAN} WHERE l.id = $1"
_OF_RUNS = f"""{_PLAN} WHERE l.id IN (
  SELECT a.plan_id FROM project_approvals AS a JOIN sending_projects AS p ON p.id = a.project_id
  WHERE p.repeatable_uuid = $1 AND a.owner_id = $2 AND a.state = 'approved' AND a.expires_at > now()
  ORDER BY a.id DESC LIMIT 10
) ORDER BY l.id DESC"""  # noqa: S608  our own words
_THERE = "SELECT count(*) FROM recipients WHERE project_id = $1"


class Demand(Enum):
    """Names what a rule demands of a start."""

    nothing = auto()
    plan = auto()  # the newest plan, with its limits
    approval = auto()


async def obey(
    connection: Any,
    project: UUID,
    *,
    at: datetime | None,
    plan_hash: str | None = None,
    is_demanded: bool = False,
    is_retry: bool = False,
    skipped: Collection[str] = (),
) -> UUID | None:
    """Returns the plan that the start of a project obeys; None: neither the caller nor a rule demands one.

    `at`: the time of the start, or None for the scheduler (content.py). `is_demanded`: an approved plan is demanded
    whatever the rule says. `is_retry`: messages of a project that has run are sent again, which its approval covers;
    `skipped` are the codes of skipped ones among them.

    Raises NotFound (`plan_not_found`), Conflict (`plan_changed`, `plan_expired`, `approval_required`, `still_copying`).
    """
    row = await connection.fetchrow(_PROJECT, project)
    is_ruled = is_demanded or row["mode"] not in (None, "off")
    if plan_hash is None and not is_ruled and not (is_retry and row["plan_id"]):
        return None
    if row["is_pending"]:
        raise Conflict(
            "Recipients are still being added to this project, so it can't be compared with its plan. Start it when its"
            " recipientsPending is 0.",
            code="still_copying",
        )
    await connection.execute(_LOCK_SEGMENTS, project)
    newest = await connection.fetchrow(_NEWEST, project)
    content = await content_of(connection, project, at=at, has_plan=newest is not None)
    by_hash = None if plan_hash is None else await _of_hash(connection, project, plan_hash, content)
    same = newest is not None and not differences(newest["document"]["content"], content)
    started_by = None if row["started_at"] is None else await connection.fetchrow(_BY_ID, row["plan_id"])
    if started_by is not None and not _covers(started_by, content):
        started_by = None
    demand = Demand.approval
    if not is_demanded:
        demand = await _demand(connection, project, row, newest if same else None)
    if demand is not Demand.approval:
        obeyed = by_hash or (started_by if is_retry else None) or (newest if demand is Demand.plan else None)
        return None if obeyed is None else await _fitting(connection, project, row, obeyed)
    if _CHANGED in skipped:
        raise Conflict(
            "Contacts that were changed after the plan are not sent by its approval. Copy the project, and have the"
            " plan of the copy approved.",
            code="approval_required",
        )
    if started_by is not None and started_by["is_approved" if is_retry else "holds"]:
        return await _fitting(connection, project, row, started_by)
    if newest is not None and same and newest["holds"] and plan_hash in (None, newest["hash"]):
        return await _fitting(connection, project, row, newest)
    if newest is None and row["repeatable_uuid"] is not None:
        for plan in await connection.fetch(_OF_RUNS, row["repeatable_uuid"], row["owner_id"]):
            if not differences(plan["document"]["content"], content):
                return UUID(str(plan["id"]))
    raise _not_approved(newest, [] if newest is None else differences(newest["document"]["content"], content))


async def approved_plan(
    connection: Any, project: UUID, *, at: datetime, is_retry: bool = False, skipped: Collection[str] = ()
) -> UUID | None:
    """Returns the approved plan that covers what a start or a retry of the project would send; None: none does."""
    try:
        return await obey(connection, project, at=at, is_demanded=True, is_retry=is_retry, skipped=skipped)
    except Conflict:
        return None


def require_unapproved(plan: UUID | None, status: str) -> None:
    """Raises Conflict (`approved_content`) for a change of a project that is under way by a plan."""
    if plan is not None and status in ("scheduled", "running", "paused"):
        raise Conflict(
            f"This project is {status} by a plan, which covers what you change. Stop the project first; it then needs a"
            " new plan, and a new approval if a rule asks for one.",
            code="approved_content",
        )


def require_narrower(row: Any, changed: Mapping[str, Any]) -> None:
    """Raises Conflict (`approved_content`) for a change of a project that is under way by a plan, unless it runs and
    only becomes slower, or has a narrower window.
    """
    covered = {*changed} - {"name"}
    if row.status != "scheduled":
        slower = "speed" not in changed or is_slower(row.speed, changed["speed"])
        narrower = "window" not in changed or is_narrower(row.window, changed["window"])
        covered -= {*(["speed"] if slower else []), *(["window"] if narrower else [])}
    if covered:
        require_unapproved(row.plan_id, row.status)


async def _of_hash(connection: Any, project: UUID, plan_hash: str, content: Mapping[str, Any]) -> Any:
    plan = await connection.fetchrow(_BY_HASH, project, plan_hash)
    if plan is None:
        raise NotFound(
            "This project has no plan with this hash. Make one with POST /sending-project/{uuid}/plans.",
            code="plan_not_found",
        )
    if changed := differences(plan["document"]["content"], content):
        raise Conflict(
            f"What would be sent is not what plan {plan['number']} says: {_fields(changed)} differ. Make a new plan.",
            code="plan_changed",
            details={"differences": changed},
        )
    if plan["has_expired"]:
        raise Conflict(f"Plan {plan['number']} has expired. Make a new one.", code="plan_expired")
    return plan


async def _fitting(connection: Any, project: UUID, row: Any, plan: Any) -> UUID:
    """Returns the id of the plan. Raises Conflict if an audience that was read is larger than it allows."""
    if row["audience_read_at"] is not None:
        there = await connection.fetchval(_THERE, project)
        if there > plan["at_most_recipients"]:
            raise Conflict(
                f"The audience has {there} people, and plan {plan['number']} allows {plan['at_most_recipients']}."
                " Make a new plan, and ask for its approval.",
                code="approval_required",
            )
    return UUID(str(plan["id"]))


def _covers(plan: Any, content: Mapping[str, Any]) -> bool:
    """Returns whether a project that runs by the plan still says the same, and leaves no earlier and no faster."""
    old = plan["document"]["content"]
    changed = {difference["field"] for difference in differences(old, content)} - _OF_START
    if "speed" in changed and is_slower(old["speed"], content["speed"]):
        changed.remove("speed")
    if "window" in changed and is_narrower(old["window"], content["window"]):
        changed.remove("window")
    return not changed


async def _demand(connection: Any, project: UUID, row: Any, plan: Any) -> Demand:
    """Returns what the owner's rule demands. `plan`: the newest one, if it says what would be sent."""
    if row["mode"] in (None, "off") or not _meant(row["channels"], row["channel"]):
        return Demand.nothing
    if not _meant(row["categories"], row["category"]):
        return Demand.nothing
    if row["mode"] == "always":
        return Demand.approval
    demand = Demand.nothing
    if row["above_amount"] is not None:
        # Only a plan tells the cost, so a project without one may cost more. The one that tells it is obeyed.
        at_most: Decimal | None = None if plan is None or plan["has_expired"] else plan["at_most"]
        if at_most is None or at_most > row["above_amount"]:
            return Demand.approval
        demand = Demand.plan
    if row["above_recipients"] is None:
        return demand
    size = await _size(connection, project, row)
    return Demand.approval if size is None or size > row["above_recipients"] else demand


def _meant(chosen: Collection[str], value: str) -> bool:
    return not chosen or value in chosen


async def _size(connection: Any, project: UUID, row: Any) -> int | None:
    """Returns the number of recipients; None if contacts can't be counted in a few seconds."""
    if row["audience"] is None or row["audience_read_at"] is not None:
        return int(await connection.fetchval(_THERE, project))
    return await size_in_time(connection, row)


def _fields(changed: Collection[Mapping[str, Any]]) -> str:
    return ", ".join(difference["field"] for difference in changed)


def _not_approved(plan: Any, changed: list[dict[str, Any]]) -> Conflict:
    ask = "Make a plan with POST /sending-project/{uuid}/plans, and ask for its approval with …/approvals."
    details: dict[str, Any] = {}
    if plan is None:
        message = f"This project needs an approved plan before it starts. {ask}"
    else:
        details = {"planHash": plan["hash"], "state": plan["state"], "differences": changed}
        if changed:
            message = (
                f"What would be sent is not what plan {plan['number']} says: {_fields(changed)} differ. {ask}"
            )
        elif plan["is_approved"] or plan["has_expired"]:
            message = f"The approval of plan {plan['number']} has expired. {ask}"
        elif plan["state"] == "asked":
            message = f"Plan {plan['number']} is not approved yet. Wait for the decision."
        else:
            message = f"Plan {plan['number']} is not approved. {ask}"
    return Conflict(message, code="approval_required", details=details)
