"""Starts, pauses and ends series: the projects of the steps are made at the first start, and run while the series does.

start ── plan, rule of approval, limits ──► the texts of the steps, as they are now ──► admit, begin: each project
pause ──► stop: each project                archive ──► no project gets recipients any more, so each finishes
"""

from typing import Final
from uuid import UUID

from core.errors import Conflict, Forbidden
from core.ids import uuid7
from db import models
from engine.jobs import JobName, enqueue
from engine.projects import project_moves
from engine.series.entering import audience_of
from resolvers.series.planning import planned
from resolvers.series.series_rows import texts_of_step
from runtime.operation import Op
from runtime.permissions import Permission, allowed
from shapes.series import ExistingMembers

# No subscription to the topic is being changed while this is held: db/functions/postern_enter_series.sql.
LOCK_TOPIC: Final = "SELECT pg_advisory_xact_lock(hashtextextended('series:' || $1::uuid, 0))"
_LOCK_OWNER: Final = "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE"
_MAKE: Final = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, category, subject, html, text, template_id,
  template_version, template_locale, languages, attachment_uuids, "window", on_missing_variable, stop_on_reply,
  from_address, sender, account_uuids, audience, audience_read_at, follow_due_at, series_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, now(),
  'infinity', $22)
"""
_CHANGE: Final = """
UPDATE sending_projects SET account_id = $2, name = $3, subject = $4, html = $5, text = $6, template_id = $7,
  template_version = $8, template_locale = $9, languages = $10, attachment_uuids = $11, "window" = $12,
  on_missing_variable = $13, stop_on_reply = $14, from_address = $15, sender = $16, account_uuids = $17,
  updated_at = now()
WHERE id = $1
"""
_TEXTS: Final = (
    "subject", "html", "text", "template_id", "template_version", "template_locale", "languages", "attachment_uuids",
)  # fmt: skip
"""The columns of a project that its step's template sets, in the order of the two statements."""
_STATUSES: Final = "SELECT id, status FROM sending_projects WHERE id = ANY($1) ORDER BY id"
# A segment is read from the first contact on, and its present contacts enter in the first round, or do not. A topic is
# read once, if its present subscribers are to enter; a reading that a pause has interrupted goes on.
_RUN: Final = """
UPDATE series SET status = 'running', status_reason = NULL, started_at = COALESCE(started_at, now()),
  project_ids = $2, conditions = $3, updated_at = now(),
  read_excludes = CASE WHEN started_at IS NULL THEN $4 AND segment_id IS NOT NULL ELSE read_excludes END,
  read_due_at = CASE WHEN segment_id IS NOT NULL THEN now() WHEN started_at IS NULL AND NOT $4 THEN now()
    ELSE read_due_at END
WHERE id = $1
"""
_PAUSE: Final = "UPDATE series SET status = 'paused', status_reason = NULL, updated_at = now() WHERE id = $1"
_ARCHIVE: Final = """
UPDATE series SET status = 'archived', status_reason = NULL, read_due_at = NULL, updated_at = now() WHERE id = $1
"""
_CLOSE: Final = (
    "UPDATE sending_projects SET follow_due_at = NULL WHERE id = ANY($1) AND follow_due_at IS NOT NULL"
)
_RULE: Final = """
SELECT mode, channels, categories, self_approval, above_recipients, above_amount,
  EXISTS (SELECT FROM content_editors WHERE person_id = $2 AND object_id = ANY($3)) AS has_changed
FROM approval_rules WHERE owner_id = $1
"""


async def start(op: Op, series: models.Series, plan_hash: str) -> None:
    """Starts a series that this transaction has locked. Raises Conflict (`plan_changed`, `approval_required`), and what
    `project_moves.admit` raises.
    """
    db = op.connection
    await db.execute(_LOCK_OWNER, series.owner_id)
    plan = await planned(db, series)
    if plan.hash != plan_hash:
        raise Conflict(
            "The series, or its segment, was changed after this plan. Read POST /series/{id}/plan again, and start by"
            " its hash.",
            code="plan_changed",
        )
    await _require_decided(op, series)
    ids = list(series.project_ids) or [uuid7() for _ in series.steps]
    is_new = not series.project_ids
    for number, (id, step) in enumerate(zip(ids, series.steps, strict=True), 1):
        columns = await texts_of_step(db, series.owner_id, step)
        texts = [columns[column] for column in _TEXTS]
        name = f"{series.name[:180]} · {number}"
        common = (
            series.window, series.on_missing_variable, series.stop_on_reply, step["from"], step["sender"],
            [UUID(account) for account in step["accountUuids"]],
        )  # fmt: skip
        if is_new:
            await db.execute(
                _MAKE, id, series.owner_id, series.account_id, name, step["channel"], series.category, *texts, *common,
                audience_of({"topic_id": series.topic_id, "segment_id": series.segment_id}), series.id,
            )  # fmt: skip
        else:
            await project_moves.stop(db, id)  # one that runs while the service has paused the series
            await db.execute(_CHANGE, id, series.account_id, name, *texts, *common)
        await project_moves.admit(op.services, db, id, may_be_empty=True)
        await project_moves.begin(db, id)
    await db.execute(_RUN, series.id, ids, plan.conditions, series.existing == ExistingMembers.skip)
    for job in (JobName.enter_series, JobName.step_series):
        await enqueue(db, job, series.id, unless_queued=True)


async def pause(op: Op, series: models.Series) -> None:
    """Pauses a series that this transaction has locked: its messages stay queued."""
    for id in series.project_ids:
        await project_moves.stop(op.connection, id)
    await op.connection.execute(_PAUSE, series.id)


async def archive(op: Op, series: models.Series) -> None:
    """Ends a series that this transaction has locked. Messages that wait are skipped by a gate, so the projects run
    until these are gone, also those of a series that was paused.
    """
    db = op.connection
    await db.execute(_ARCHIVE, series.id)
    await db.execute(_CLOSE, series.project_ids)
    for row in await db.fetch(_STATUSES, series.project_ids):
        if row["status"] == "stopped":
            await project_moves.begin(db, row["id"])
        elif row["status"] in ("running", "paused"):
            await enqueue(db, JobName.prepare_project, row["id"])
    await enqueue(db, JobName.step_series, series.id, unless_queued=True)


async def _require_decided(op: Op, series: models.Series) -> None:
    """Checks the owner's rule of approval. A plan can't list contacts who have not come yet, so the start
    itself is the decision: by a person who may approve, and has changed nothing of the series or its segment.

    Raises Conflict (`approval_required`), Forbidden (`own_change`).
    """
    objects = [series.id, *([series.segment_id] if series.segment_id else [])]
    rule = await op.connection.fetchrow(_RULE, series.owner_id, op.viewer.actor_id, objects)
    if rule is None or rule["mode"] == "off":
        return
    channels = {step["channel"] for step in series.steps}
    is_meant = (not rule["channels"] or channels & {*rule["channels"]}) and (
        not rule["categories"] or series.category in rule["categories"]
    )
    most = rule["above_recipients"]
    is_small = most is not None and series.max_entries is not None and series.max_entries <= most
    if not is_meant or (rule["mode"] == "above" and rule["above_amount"] is None and is_small):
        return
    is_person = op.viewer.token_id is None and op.viewer.limited_by is None
    if not is_person or not allowed(op.viewer, Permission.projects_approve):
        raise Conflict(
            "A rule of approval holds for this series, and nobody knows yet who will enter it. It is started by a"
            " person who may approve, with a login and no API token; with a rule `above`, a lower maxEntries needs no"
            " approval.",
            code="approval_required",
        )
    alone = op.viewer.actor_id == series.owner_id and rule["self_approval"]
    if rule["has_changed"] and not alone:
        raise Forbidden(
            "You have changed this series or its segment yourself, so another person who may approve must start it.",
            code="own_change",
        )
