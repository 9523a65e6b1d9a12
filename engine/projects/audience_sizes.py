"""Counts an audience of contacts while the rows of its project and its owner are locked: for a few seconds at most."""

from typing import Any, Final

import asyncpg

from engine.projects import contact_audience

_SECONDS: Final = 5


async def size_in_time(connection: Any, project: Any) -> int | None:
    """Returns how many people the audience of a project has; None if they can't be counted in a few seconds.

    `project` has owner_id, channel, audience and audience_segments. The worker that reads the audience counts it, too.
    """
    before = await connection.fetchval("SELECT current_setting('statement_timeout')")
    try:
        async with connection.transaction():
            await connection.execute(f"SET LOCAL statement_timeout = '{_SECONDS}s'")
            size, _ = await contact_audience.size(
                connection,
                project["owner_id"],
                project["channel"],
                project["audience"],
                asked=project["audience_segments"],
            )
    except asyncpg.QueryCanceledError:
        return None
    await connection.execute("SELECT set_config('statement_timeout', $1, true)", before)
    return size
