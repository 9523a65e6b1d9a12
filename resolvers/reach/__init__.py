"""Refuses what a caller may not do without an approved plan, since the caller's token or membership has
`approvalAbove`: the most distinct recipients that it may reach in 24 hours. engine/reach counts them.

Every operation that sends, or makes a worker send later, calls one of these functions in the transaction of what it
writes. A caller without a limit costs them one comparison.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from core.errors import Conflict
from engine import reach
from engine.projects.approvals import starts
from engine.reach import Beyond, Retry
from runtime.operation import Op
from runtime.routes import MESSENGERS
from shapes.project_actions import RetryProject
from shapes.sending_projects import ProjectStatus

_NEXT = (
    "Ask for an approval of a project's plan: POST /sending-project/{uuid}/plans, then its /approvals. Or use a"
    " credential with a higher `approvalAbove`."
)
_STATE = """
SELECT status, audience IS NOT NULL AS has_audience,
  recipients_pending > 0 OR EXISTS (SELECT FROM recipient_additions WHERE project_id = p.id) AS is_pending
FROM sending_projects AS p WHERE id = $1
"""
# Recipients of such projects are sent to without a further start.
_FEEDS = """
SELECT (SELECT status = 'scheduled' FROM sending_projects WHERE id = $1) AS is_scheduled, EXISTS (
  SELECT FROM repeatable_projects AS r WHERE r.owner_id = $2 AND r.status = 'active' AND r.deleted_at IS NULL
    AND r.source ->> 'sendingProjectUuid' = $1::text
) AS repeats
"""


async def require(op: Op, connection: Any, addresses: Iterable[str], *, same_person: bool = False) -> None:
    """Counts recipients of the caller, in the transaction of the connection. `same_person`: the addresses are names of
    one person. Raises Conflict `approval_required`, and then nothing is counted.
    """
    if op.viewer.reach:
        _raise(
            await reach.count(op.services, connection, op.viewer.reach, addresses, same_person=same_person)
        )


async def require_contacts(op: Op, contacts: Sequence[UUID], channel: str) -> None:
    """Counts contacts that are sent to by a channel. Raises Conflict `approval_required`."""
    if op.viewer.reach:
        beyond = await reach.count_contacts(op.services, op.connection, op.viewer.reach, contacts, channel)
        _raise(beyond)


async def require_project(op: Op, id: UUID, *, at: datetime) -> UUID | None:
    """Counts the recipients of a project that starts, or that is scheduled and has other content now. One whose plan is
    approved is free: returns the plan, which the start has to obey then. `at` is the time of the start (starts.py).

    Raises Conflict: `approval_required`; `still_copying` while an import is being added.
    """
    if not op.viewer.reach:
        return None
    if (plan := await starts.approved_plan(op.connection, id, at=at)) is not None:
        return plan
    state = await op.connection.fetchrow(_STATE, id)
    if state["has_audience"]:
        await refuse(op, "The people of an audience are known only when a worker reads it.")
    if state["is_pending"]:
        raise Conflict(
            "Recipients are still being added to this project, so they can't be counted yet. Start it when they"
            " are in.",
            code="still_copying",
        )
    _raise(await reach.count_project(op.services, op.connection, op.viewer.reach, id))
    return None


async def require_retry(op: Op, id: UUID, input: RetryProject) -> UUID | None:
    """Counts the recipients of a project to whom it is sent again; a stopped one goes on to all of its recipients.

    Raises what `require_project` raises.
    """
    if not op.viewer.reach:
        return None
    now = op.services.db.now()
    if (
        plan := await starts.approved_plan(op.connection, id, at=now, is_retry=True, skipped=input.skipped)
    ) is not None:
        return plan
    state = await op.connection.fetchrow(_STATE, id)
    if state["status"] != ProjectStatus.finished:
        return await require_project(op, id, at=now)
    retry = Retry(input.unknown, input.failed, input.skipped)
    _raise(await reach.count_retry(op.services, op.connection, op.viewer.reach, id, retry))
    return None


async def require_added(op: Op, id: UUID, owner_id: UUID, addresses: Sequence[str] | None) -> None:
    """Counts recipients that are added to a project if it is scheduled, since it is sent to them without a further
    start. `addresses`: None are those of an import.

    Raises Conflict `approval_required`, also if an active repeatable project has its recipients from this one: they
    would count for as long as that goes on.
    """
    if not op.viewer.reach:
        return
    feeds = await op.connection.fetchrow(_FEEDS, id, owner_id)
    if feeds["repeats"]:
        await refuse(
            op, "A repeatable project, which sends later without a person, has its recipients from this one."
        )
    if not feeds["is_scheduled"]:
        return
    if addresses is None:
        await refuse(op, "The rows of an import are added by a worker, to a project that starts by itself.")
    else:
        _raise(await reach.count_added(op.services, op.connection, op.viewer.reach, addresses, id))


async def require_repeating(op: Op) -> None:
    """Refuses a repeatable project that is or becomes active: its runs start later, without a person.

    Raises Conflict `approval_required`.
    """
    if op.viewer.reach:
        await refuse(op, "A repeatable project sends later, without a person.")


def may_be_many(channel: str, address: str) -> bool:
    """Returns whether an address of a messenger may be that of a group or a channel."""
    return channel in MESSENGERS and address.startswith("@")


async def refuse(op: Op, why: str) -> None:
    """Raises Conflict `approval_required` if the caller has a limit: these recipients can't be counted."""
    if op.viewer.reach and (standing := await reach.standing(op.reads, op.viewer.reach)) is not None:
        _raise(standing, why)


def _raise(beyond: Beyond | None, why: str = "") -> None:
    if beyond is None:
        return
    if not why and beyond.asked is None:
        why = "A user name may be that of a group or a channel, whose people can't be counted: name people by phone."
    reached = (
        why
        or f"It has reached {beyond.used:,}, and this would reach {beyond.asked:,} more"
        f"{'' if beyond.used else '; nothing was sent'}."
    )
    most = f"{beyond.most:,} recipient{'s'[: beyond.most != 1]} in 24 hours" if beyond.most else "nobody"
    raise Conflict(
        f"Without an approval this token or member may reach {most}. {reached} {_NEXT}",
        code="approval_required",
        details={"limit": beyond.most, "used": beyond.used, "asked": beyond.asked},
    )
