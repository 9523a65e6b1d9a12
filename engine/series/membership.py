"""Tells which people of a series are still in its segment, for those series that end with it."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from db.query import fetch_planned
from engine.contacts import segments
from engine.contacts.upsert import field_types

_MEMBERS: Final = """
SELECT c.id FROM contacts AS c WHERE c.id = ANY($2) AND c.owner_id = $1 AND {condition}
"""


async def members(db: Any, series: Any, contacts: Sequence[UUID]) -> set[UUID] | None:
    """Returns which of the contacts are in the segment of the series; None: it does not end with that."""
    if not series["stop_on_leave"] or series["conditions"] is None or series["segment_id"] is None:
        return None
    types = await field_types(db, series["owner_id"])
    now = await db.fetchval("SELECT now()")
    selection = segments.Selection(types, now, "$1", 3, at_once=False)
    condition = selection.meets_any(segments.read(series["conditions"]["segments"]))
    sql = _MEMBERS.format(condition=condition)
    rows = await fetch_planned(db, sql, [series["owner_id"], contacts, *selection.arguments])
    return {row["id"] for row in rows}
