"""The rows of series that the operations share: who sees a series, and what it refers to."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from core.errors import BadRequest, Conflict, NotFound
from db import models
from db.lists import Listing
from db.query import p, returning
from engine.series.entering import audience_of
from resolvers.sending_projects.project_checks import require_own_parts
from resolvers.sending_projects.project_templates import TemplateChoice, texts_of_template
from runtime.operation import Op
from shapes.messages import MessageCategory
from shapes.sending_projects import ProjectChannel
from shapes.series import SeriesStepInput

_SERIES = models.Series
SERIES: Final = Listing(_SERIES)
MINE: Final = _SERIES.owner_id == p("owner_id")
COLUMNS: Final = returning(_SERIES, "series")
_LOCK = "SELECT owner_id FROM series WHERE id = $1 AND ($2 OR owner_id = $3) FOR NO KEY UPDATE"
_ROW = f"SELECT {COLUMNS} FROM series WHERE id = $1"  # noqa: S608  our own column names


async def visible(op: Op, id: UUID, db: Any = None) -> models.Series:
    """Returns one of the caller's series, or any for an administrator. Raises NotFound."""
    (row,) = await SERIES.by_ids(db or op.db, [id], None, *op.own(MINE), owner_id=op.viewer.id)
    if row is None:
        raise unknown()
    return row


async def locked(op: Op, id: UUID) -> models.Series:
    """Returns a series, locked until the commit. Raises NotFound."""
    if await op.connection.fetchval(_LOCK, id, op.viewer.admin, op.viewer.id) is None:
        raise unknown()
    return await read_back(op, id)


async def read_back(op: Op, id: UUID) -> models.Series:
    row: models.Series = await op.connection.fetchrow(_ROW, id)
    return row


def unknown() -> NotFound:
    """Returns the error for a series that is not there, or another owner's."""
    return NotFound("There is no series with this id among yours. Check the id.", code="series_not_found")


async def stored_steps(db: Any, owner: UUID, steps: list[SeriesStepInput]) -> list[dict[str, Any]]:
    """Returns steps as they are stored: each with the version of its template, which never changes.

    Raises NotFound (`template_not_found`, `template_version_not_found`), BadRequest (`template_archived`,
    `template_not_published`, `template_lacks_part`, `text_too_long`).
    """
    stored = []
    for step in steps:
        choice = TemplateChoice(step.template_key, step.template_version, step.locale, step.locale_from)
        text = await texts_of_template(db, owner, choice, step.channel)
        stored.append(
            {
                "channel": step.channel.value,
                "templateKey": step.template_key,
                "templateId": str(text["template_id"]),
                "templateVersion": text["template_version"],
                "templateLocale": text["template_locale"],
                "localeFrom": step.locale_from,
                "delay": step.delay,
                "after": step.after.value,
                "from": step.from_address,
                "sender": step.sender,
                "accountUuids": [str(id) for id in step.account_uuids],
            }
        )
    return stored


async def texts_of_step(db: Any, owner: UUID, step: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the columns of a project that a stored step sets. Raises as `stored_steps` does."""
    choice = TemplateChoice(
        step["templateKey"], step["templateVersion"], step["templateLocale"], step.get("localeFrom")
    )
    return {"attachment_uuids": []} | await texts_of_template(
        db, owner, choice, ProjectChannel(step["channel"])
    )


async def require_own(op: Op, owner: UUID, values: dict[str, Any]) -> None:
    """Checks that what a series refers to belongs to its owner, and fills in the paying account. `values`: all columns.

    Raises NotFound (topic, segment, account, source account), BadRequest (`no_topic`, `bad_sender` and others).
    """
    if values["topic_id"] is None and values["segment_id"] is None:
        raise BadRequest("A series needs a topic or a segment. Send topicId or segmentId.", code="no_topic")
    if values["topic_id"] is None and values["category"] == MessageCategory.promotional:
        raise BadRequest(
            "A promotional series needs a topic, because that is what people have agreed to. Send topicId; segmentId"
            " narrows it down.",
            code="no_topic",
        )
    parts: dict[str, Any] = {"account_id": values["account_id"], "audience": audience_of(values)}
    await require_own_parts(op, owner, parts)
    values["account_id"] = parts["account_id"]
    for step in values["steps"]:
        own = {
            "channel": step["channel"],
            "from_address": step["from"],
            "sender": step["sender"],
            "account_uuids": [UUID(id) for id in step["accountUuids"]],
        }
        await require_own_parts(op, owner, own)


def require_status(row: Any, *statuses: str, to: str) -> None:
    """Raises Conflict (`bad_transition`) unless a series has one of these statuses."""
    if row.status not in statuses:
        raise Conflict(
            f"A series that is {row.status} can't become {to}. Read its status again before you change it.",
            code="bad_transition",
            details={"from": row.status, "to": to},
        )
