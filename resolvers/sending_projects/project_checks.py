"""Checks the values of a new or changed Sending Project: its state, its owner's rows, and its start."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from core.errors import BadRequest, Conflict, NotFound, ValidationFailed
from db import models
from engine.domains import approval
from engine.projects.contact_audience import followed_by
from engine.projects.followed import reported, require_reported
from engine.projects.states import ALL_EDITABLE, SEND_RATE_EDITABLE
from engine.sms import approved_senders
from runtime.operation import Op
from shapes.project_audiences import MOST_FOLLOWING

_FARTHEST = timedelta(days=366)
_PAYER = """
SELECT id FROM accounts WHERE owner_id = $1 AND ($2::uuid IS NULL OR id = $2) ORDER BY id LIMIT 1
"""
_FOREIGN_SENDERS = """
SELECT w FROM unnest($1::uuid[]) AS w
WHERE NOT EXISTS (SELECT FROM source_accounts WHERE id = w AND owner_id = $2 AND status <> 'deleted') LIMIT 1
"""
# Locked against being deleted until the project names them.
_FOREIGN_TOPICS = """
SELECT w FROM unnest($1::uuid[]) AS w
WHERE w NOT IN (SELECT id FROM topics WHERE id = ANY($1) AND owner_id = $2 FOR KEY SHARE) LIMIT 1
"""
_FOREIGN_SEGMENTS = """
SELECT w FROM unnest($1::uuid[]) AS w
WHERE w NOT IN (SELECT id FROM segments WHERE id = ANY($1) AND owner_id = $2 FOR KEY SHARE) LIMIT 1
"""
_FOREIGN_PROJECTS = """
SELECT w FROM unnest($1::uuid[]) AS w WHERE NOT EXISTS (
  SELECT FROM sending_projects WHERE id = w AND owner_id = $2 AND status <> 'deleted') LIMIT 1
"""
# The projects that a project would follow, directly and through others, the nearest first; and how many there are after
# it. Its owner's row is locked, so that two changes together make no circle.
_FOLLOWED = f"""
WITH RECURSIVE followed (id, channel, follows_uuid, place) AS (
  SELECT id, channel, follows_uuid, 1 FROM sending_projects WHERE id = $1 AND owner_id = $2 AND status <> 'deleted'
  UNION ALL
  SELECT p.id, p.channel, p.follows_uuid, f.place + 1
  FROM followed AS f JOIN sending_projects AS p ON p.id = f.follows_uuid WHERE f.place <= {MOST_FOLLOWING}
)
SELECT id, channel FROM followed ORDER BY place
"""  # noqa: S608  our own number
_FOLLOWING = f"""
WITH RECURSIVE following (id, place) AS (
  SELECT $1::uuid, 0
  UNION ALL
  SELECT p.id, f.place + 1 FROM following AS f JOIN sending_projects AS p ON p.follows_uuid = f.id
  WHERE f.place < {MOST_FOLLOWING} AND p.status <> 'deleted'
)
SELECT max(place) FROM following
"""  # noqa: S608  our own number
_FOREIGN_FILES = """
SELECT w FROM unnest($1::uuid[]) AS w WHERE NOT EXISTS (SELECT FROM files WHERE id = w AND owner_id = $2) LIMIT 1
"""


async def require_own_parts(op: Op, owner: UUID, values: dict[str, Any], project: UUID | None = None) -> None:
    """Checks that everything the project refers to belongs to its owner, and fills in the paying account, and the state
    that messages of a followed project have to reach. `project`: the project, unless it is new.

    Raises NotFound, BadRequest (a sender that is not approved, a project that can't be followed).
    """
    if "account_id" in values:
        account_id = values["account_id"]
        values["account_id"] = await op.connection.fetchval(_PAYER, owner, account_id)
        if values["account_id"] is None and account_id is not None:
            raise NotFound(
                "There is no account with this id among yours. Check the id.", code="account_not_found"
            )
        if values["account_id"] is None:
            raise NotFound("You have no account yet. Open one with POST /accounts.", code="no_account")
    lists = (
        ("account_uuids", _FOREIGN_SENDERS, "source account", "source_account_not_found"),
        ("attachment_uuids", _FOREIGN_FILES, "file", "file_not_found"),
    )
    if (sender := values.get("from_address")) is not None:  # a start asks for the channel, too
        await approval.require(op.services, op.connection, owner, values.get("channel", "email"), sender)
    if (sender := values.get("sender")) is not None:
        await approved_senders.require(op.connection, owner, values.get("channel", "sms"), sender)
    if values.get("audience"):
        await _require_own_audience(op, owner, values["audience"])
    if "audience" in values:
        values["follows_uuid"] = await _require_followed(op, owner, values["audience"], project)
    for name, query, what, code in lists:
        if values.get(name) and (missing := await op.connection.fetchval(query, values[name], owner)):
            raise NotFound(
                f"There is no {what} with the uuid {missing} among yours. Check the uuid.", code=code
            )


async def _require_own_audience(op: Op, owner: UUID, audience: Mapping[str, Any]) -> None:
    parts = (
        ("topicUuids", _FOREIGN_TOPICS, "topic", "topic_not_found"),
        ("exceptTopicUuids", _FOREIGN_TOPICS, "topic", "topic_not_found"),
        ("segmentUuids", _FOREIGN_SEGMENTS, "segment", "segment_not_found"),
        ("exceptSegmentUuids", _FOREIGN_SEGMENTS, "segment", "segment_not_found"),
        ("exceptProjectUuids", _FOREIGN_PROJECTS, "Sending Project", "sending_project_not_found"),
    )
    for name, query, what, code in parts:
        ids = [UUID(id) for id in audience.get(name) or ()]
        if ids and (missing := await op.connection.fetchval(query, ids, owner)):
            raise NotFound(
                f"There is no {what} with the uuid {missing} among yours. Check the uuid.", code=code
            )


async def _require_followed(
    op: Op, owner: UUID, audience: dict[str, Any] | None, project: UUID | None
) -> UUID | None:
    """Returns the project that an audience follows, and fills in the state that its messages have to reach."""
    followed = None if audience is None else followed_by(audience)
    if audience is None or followed is None:
        return None
    rows = await op.connection.fetch(_FOLLOWED, followed, owner)
    if not rows:
        raise NotFound(
            f"There is no Sending Project with the uuid {followed} among yours. Check the uuid.",
            code="sending_project_not_found",
        )
    after = 0 if project is None else await op.connection.fetchval(_FOLLOWING, project)
    if project in [row["id"] for row in rows] or len(rows) + after > MOST_FOLLOWING:
        raise BadRequest(
            f"At most {MOST_FOLLOWING} projects follow one after the other, and none follows itself. Follow another"
            " project.",
            code="bad_chain",
        )
    rule, channel = audience["follows"], rows[0]["channel"]
    rule["until"] = rule.get("until") or reported(op.services.routes, channel)[-1].value
    require_reported(op.services.routes, channel, rule["until"])
    return followed


def changed_values(row: models.SendingProject, values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values that differ from the row. Raises Conflict if the project's state forbids the change."""
    changed = {name: value for name, value in values.items() if getattr(row, name) != value}
    if "audience" in changed and row.started_at is not None:
        raise Conflict(
            "The audience of this project was read when it was first started. Create another project for another one.",
            code="not_editable",
        )
    if row.status in ALL_EDITABLE or not changed:
        return changed
    if row.status not in SEND_RATE_EDITABLE:
        raise Conflict(
            f"A project that is {row.status} can't be changed. Create another one.",
            code="not_editable",
        )
    if {*changed} - {"speed", "window"}:
        raise Conflict(
            f"While a project is {row.status}, only speed and window can be changed. Stop it first to"
            " change more.",
            code="not_editable",
        )
    return changed


def merged_content(row: models.SendingProject, values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the content of a project after a change: the new values, else those of the row."""
    names = ("channel", "subject", "html", "text", "variants", "template", "languages", "attachment_uuids")
    return {name: values[name] if name in values else getattr(row, name) for name in names}


def require_within_a_year(op: Op, moment: datetime | None) -> None:
    """Raises ValidationFailed for a start that is more than a year away."""
    if moment is not None and moment > op.services.db.now() + _FARTHEST:
        raise ValidationFailed(["startAt: must be within a year from now"])
