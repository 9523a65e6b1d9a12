"""Series: messages that a person gets one after the other, after an entry into a topic or a segment."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from core.errors import BadRequest, Conflict, NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p
from resolvers import reach
from resolvers.series import planning, series_rows, starting
from resolvers.series import statistics as numbers
from resolvers.series.series_rows import COLUMNS, MINE, SERIES, locked, read_back, require_status, visible
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.series import MOST_SERIES, NewSeries, SeriesPatch, SeriesStepInput, StartSeries
from shapes.series_plans import SeriesPlan, SeriesStatistics

_ENTRY = models.SeriesEntry
_ENTRIES: Final = Listing(_ENTRY, planned=("series_id",))
_ENTRIES_MINE: Final = _ENTRY.owner_id == p("owner_id")
_OF_SERIES: Final = _ENTRY.series_id == p("series_id")
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('series of:' || $1::uuid::text, 0))"
_COUNT = "SELECT count(*) FROM series WHERE owner_id = $1 AND status <> 'archived'"
_LASTING: Final = ("topic_id", "segment_id", "category", "existing")
"""The columns that can't change after the first start: who has entered by them, and has agreed to them."""


@operation(Permission.projects_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Series]:
    """Lists your series, newest first; administrators get those of all users."""
    return await SERIES.page(op.db, page_args, where, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def get(op: Op, id: UUID) -> models.Series:
    """Returns one series. Raises NotFound."""
    return await visible(op, id)


@operation(Permission.projects_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.Series | None]:
    """Returns series by id. An id that the caller may not see gives None."""
    return await SERIES.by_ids(op.db, ids, column_names, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.projects_read, "read")
async def statistics(op: Op, id: UUID) -> SeriesStatistics:
    """Counts the people of a series by what has become of them, and the messages of its steps. Raises NotFound."""
    return await numbers.of_series(op.db, await visible(op, id))


@operation(Permission.projects_read, "read")
async def plan(op: Op, id: UUID) -> SeriesPlan:
    """Returns what a series would send, how many people would enter now, and what it costs. Its `hash` starts the
    series. Nothing is stored. Raises NotFound, BadRequest (its segment, or a template that was archived), Unavailable.
    """
    series = await visible(op, id)
    async with op.db.transaction() as db:
        return await planning.plan_of(op, db, series)


@operation(Permission.contacts_read, "read")
async def entries(op: Op, id: UUID, page_args: PageArgs, where: Conditions) -> CursorPage[models.SeriesEntry]:
    """Lists the people of a series, newest first. Raises NotFound."""
    await visible(op, id)
    return await _ENTRIES.page(
        op.db, page_args, where, _OF_SERIES, *op.own(_ENTRIES_MINE), series_id=id, owner_id=op.viewer.id
    )


@operation(Permission.contacts_read, "read")
async def entry(op: Op, id: UUID) -> models.SeriesEntry:
    """Returns a person in a series. Raises NotFound."""
    (row,) = await _ENTRIES.by_ids(op.db, [id], None, *op.own(_ENTRIES_MINE), owner_id=op.viewer.id)
    if row is None:
        raise NotFound(
            "There is no entry with this id in your series. Check the id.", code="series_entry_not_found"
        )
    return row


@operation(Permission.projects_write, "sql", idempotent=stored_model(models.Series))
async def create(op: Op, input: NewSeries) -> models.Series:
    """Makes a series, as a draft. Raises NotFound (topic, segment, template, account), BadRequest (`no_topic`,
    `too_many_series`, and errors of templates and senders).
    """
    owner = op.viewer.id
    await op.connection.execute(_LOCK, owner)
    if await op.connection.fetchval(_COUNT, owner) >= MOST_SERIES:
        raise BadRequest(
            f"You may have at most {MOST_SERIES} series. Archive one that is not needed any more.",
            code="too_many_series",
        )
    values: dict[str, Any] = {"id": uuid7(), "owner_id": owner}
    values |= await _columns(op, owner, input, {*NewSeries.model_fields})
    await series_rows.require_own(op, owner, values)
    names = ", ".join(f'"{name}"' for name in values)
    numbered = ", ".join(f"${number}" for number in range(1, len(values) + 1))
    await op.connection.execute(f"INSERT INTO series ({names}) VALUES ({numbered})", *values.values())  # noqa: S608
    return await read_back(op, values["id"])


@operation(Permission.projects_write, "sql")
async def update(op: Op, id: UUID, input: SeriesPatch) -> models.Series:
    """Changes a series: its name at any time, the rest while it is a draft or paused. After the first start who enters,
    the category, and number and channels of the steps stay. Raises NotFound, Conflict (`not_editable`), and what
    `create` raises.
    """
    series = await locked(op, id)
    changes = await _columns(op, series.owner_id, input, input.model_fields_set)
    changed = {name: value for name, value in changes.items() if getattr(series, name) != value}
    if {*changed} - {"name"} and series.status not in ("draft", "paused"):
        raise Conflict(
            f"A series that is {series.status} can't be changed, but for its name. Pause it first.",
            code="not_editable",
        )
    if series.started_at is not None:
        _require_same(series, changed)
    if not changed:
        return series
    old = {
        name: getattr(series, name) for name in ("topic_id", "segment_id", "category", "account_id", "steps")
    }
    values = old | changed
    await series_rows.require_own(op, series.owner_id, values)
    if "account_id" in changed:
        changed["account_id"] = values["account_id"]
    pairs = ", ".join(f'"{name}" = ${number}' for number, name in enumerate(changed, 2))
    statement = f"UPDATE series SET {pairs}, updated_at = now() WHERE id = $1 RETURNING {COLUMNS}"  # noqa: S608
    row: models.Series = await op.connection.fetchrow(statement, id, *changed.values())
    return row


@operation(Permission.projects_send, "sql", idempotent=stored_model(models.Series))
async def start(op: Op, id: UUID, input: StartSeries) -> models.Series:
    """Starts a series, or goes on with a paused one. `planHash` must be that of what it says now.

    Raises NotFound, Conflict (`plan_changed`, `approval_required`, `bad_transition`, and what a start of a project
    raises), Forbidden (`own_change`, a channel that the tariff lacks), BadRequest.
    """
    await reach.refuse(op, "A series sends later, without a person.")
    series = await visible(op, id, op.connection)
    if series.topic_id is not None:
        await op.connection.execute(starting.LOCK_TOPIC, series.topic_id)
    series = await locked(op, id)
    require_status(series, "draft", "paused", to="running")
    await starting.start(op, series, input.plan_hash)
    return await read_back(op, id)


@operation(Permission.projects_send, "sql")
async def pause(op: Op, id: UUID) -> models.Series:
    """Pauses a series: people enter it and wait, and nothing is sent. Raises NotFound, Conflict (`bad_transition`)."""
    series = await locked(op, id)
    if series.status == "paused" and series.status_reason is None:
        return series
    require_status(series, "running", "paused", to="paused")
    await starting.pause(op, series)
    return await read_back(op, id)


@operation(Permission.projects_send, "sql")
async def archive(op: Op, id: UUID) -> models.Series:
    """Ends a series: no contact enters it any more, and nothing that was not sent yet is sent. Raises NotFound."""
    series = await locked(op, id)
    if series.status != "archived":
        await starting.archive(op, series)
    return await read_back(op, id)


async def _columns(op: Op, owner: UUID, input: NewSeries | SeriesPatch, names: set[str]) -> dict[str, Any]:
    """Returns the columns that the fields `names` of an input set."""
    values: dict[str, Any] = {}
    for name in names:
        value = getattr(input, name)
        if name == "window":
            value = None if value is None else value.model_dump(mode="json", by_alias=True, exclude_none=True)
        values[name] = getattr(value, "value", value)
    if "steps" in names:
        steps: list[SeriesStepInput] = list(input.steps or ())
        values["steps"] = await series_rows.stored_steps(op.connection, owner, steps)
        values["channel"], values["first_delay"] = steps[0].channel.value, steps[0].delay
    return values


def _require_same(series: models.Series, changed: dict[str, Any]) -> None:
    """Raises Conflict for a change of what people have entered by."""
    lasting = [name for name in _LASTING if name in changed]
    old, new = series.steps, changed.get("steps", series.steps)
    if lasting or [step["channel"] for step in old] != [step["channel"] for step in new]:
        raise Conflict(
            "After the first start of a series its topic, segment, category, `existing`, and the number and channels of"
            " its steps stay. Make another series.",
            code="not_editable",
        )
