"""The limits of a tariff, checked in the transaction that uses them up.

Every function takes an asyncpg connection (`db.session.driver_connection` returns a session's) and is correct for any
number of concurrent callers: a row is locked first, and the rows that it bounds are read afterwards.
"""

from typing import Any
from uuid import UUID

import asyncpg

from core.errors import Conflict, NotFound

# The statement locks the row, so concurrent callers are served one after the other. `granted` is what this statement
# took: RETURNING shows only new values (PostgreSQL 15).
_RESERVE = """
INSERT INTO tariff_usage AS u (user_id, day, messages, granted)
VALUES ($1, (now() AT TIME ZONE 'UTC')::date, LEAST($2::bigint, $3::bigint), LEAST($2::bigint, $3::bigint))
ON CONFLICT (user_id, day) DO UPDATE SET
  granted = LEAST($2::bigint, GREATEST($3::bigint - u.messages, 0)),
  messages = u.messages + LEAST($2::bigint, GREATEST($3::bigint - u.messages, 0))
RETURNING granted
"""
_GIVE_BACK = """
UPDATE tariff_usage SET messages = GREATEST(messages - $2::bigint, 0)
WHERE user_id = $1 AND day = (now() AT TIME ZONE 'UTC')::date
"""
_LOCK_USER = """
SELECT t.max_concurrent_projects AS most FROM users AS u JOIN tariffs AS t ON t.code = u.tariff_code
WHERE u.id = $1 FOR NO KEY UPDATE OF u
"""
# The steps of a series are one.
_PROJECTS = """
SELECT count(DISTINCT COALESCE(series_id, id)) FROM sending_projects
WHERE owner_id = $1 AND status IN ('scheduled', 'running', 'paused') AND COALESCE(series_id, id) IS DISTINCT FROM (
  SELECT COALESCE(series_id, id) FROM sending_projects WHERE id = $2)
"""
_LOCK_PROJECT = """
SELECT t.max_recipients_per_project AS most, p.audience IS NOT NULL AS has_audience FROM sending_projects AS p
JOIN users AS u ON u.id = p.owner_id JOIN tariffs AS t ON t.code = u.tariff_code
WHERE p.id = $1 FOR NO KEY UPDATE OF p
"""
# Recipients have increasing numbers, so the first and the last of a project bound their count.
_AT_MOST = "SELECT COALESCE(max(seq) - min(seq) + 1, 0) FROM recipients WHERE project_id = $1"
_RECIPIENTS = "SELECT count(*) FROM recipients WHERE project_id = $1"


async def reserve(connection: asyncpg.Connection | Any, user_id: UUID, requested: int, per_day: int) -> int:
    """Takes up to `requested` of the rest of `per_day` for this day (UTC). Returns how many were granted, from 0.

    The user's row of the day stays locked until the caller's transaction ends.
    """
    if requested <= 0:
        return 0
    return int(await connection.fetchval(_RESERVE, user_id, requested, max(per_day, 0)))


async def give_back(connection: asyncpg.Connection | Any, user_id: UUID, count: int) -> None:
    """Returns an unused reservation. After midnight it is subtracted from the new day, never below zero."""
    if count > 0:
        await connection.execute(_GIVE_BACK, user_id, count)


async def room_for_project(
    connection: asyncpg.Connection | Any, user_id: UUID, project_id: UUID | None = None
) -> None:
    """Call before a project becomes scheduled, running or paused. `project_id`, which may be so already, is not
    counted.

    Raises Conflict `too_many_projects`. The user's row stays locked until the caller's transaction ends.
    """
    most = await connection.fetchval(_LOCK_USER, user_id)
    if most is None:
        raise NotFound("There is no user with this id. Check the id.", code="user_not_found")
    living = await connection.fetchval(_PROJECTS, user_id, project_id)
    if living >= most:
        raise Conflict(
            f"Your tariff allows {most} projects at once; {living} are scheduled, running or paused. Stop"
            " one, or choose another tariff.",
            code="too_many_projects",
            details={"limit": most, "projects": living},
        )


def require_no_audience(has_audience: bool) -> None:
    """Raises Conflict (`has_audience`) for a project whose recipients are the contacts of an audience."""
    if has_audience:
        raise Conflict(
            "The recipients of this project are the contacts of its audience. Remove its `audience` to add"
            " others.",
            code="has_audience",
        )


async def recipients_beyond(
    connection: asyncpg.Connection | Any, project_id: UUID, adding: int, most: int
) -> int | None:
    """Returns how many recipients a project has, if it would have more than `most` with `adding` others; else None."""
    bound: int = await connection.fetchval(_AT_MOST, project_id)
    if bound + adding <= most:
        return None
    # Recipients of other projects may lie between them: count exactly, which takes longer.
    has: int = await connection.fetchval(_RECIPIENTS, project_id)
    return has if has + adding > most else None


async def check_recipients(connection: asyncpg.Connection | Any, project_id: UUID, adding: int) -> None:
    """Call before `adding` recipients are added, in the same transaction.

    Raises Conflict (`too_many_recipients`, `has_audience`). The project's row stays locked until the caller's
    transaction ends.
    """
    project = await connection.fetchrow(_LOCK_PROJECT, project_id)
    if project is None:
        raise NotFound("There is no project with this uuid among yours. Check the uuid.")
    require_no_audience(project["has_audience"])
    most = project["most"]
    has = await recipients_beyond(connection, project_id, adding, most)
    if has is not None:
        raise Conflict(
            f"Your tariff allows {most} recipients per project; this project has {has}, and {adding} more"
            " were sent. Send fewer, or choose another tariff.",
            code="too_many_recipients",
            details={"limit": most, "recipients": has},
        )
