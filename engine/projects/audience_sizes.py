"""Counts the people of an audience, and takes some of them: the subscribers of topics, the contacts of segments, and
those whom the project that it follows may not reach.
"""

from collections.abc import Mapping
from typing import Any, Final

import asyncpg

from engine.projects import contact_audience, followed
from engine.projects.contact_audience import followed_by
from engine.projects.languages import by_locale, of_list

_SECONDS: Final = 5


async def size(
    db: Any, owner_id: Any, channel: str, audience: Any, *, category: str = "", asked: Any = None
) -> tuple[int, int]:
    """Returns how many people an audience has now, at most, and how many of them are known to be blocked.

    `category`: of the messages. `asked`: the conditions of its segments; None: the present ones. Raises BadRequest.
    """
    if (before := followed_by(audience)) is not None:
        return await followed.size(db, channel, before, audience["follows"], category), 0
    return await contact_audience.size(db, owner_id, channel, audience, category=category, asked=asked)


async def sample(
    db: Any, region: str, owner_id: Any, channel: str, audience: Any, category: str, most: int
) -> list[Any]:
    """Returns some people of an audience who are not known to be blocked, as the recipients that they would be.

    `region`: of phones without a country. Raises BadRequest.
    """
    if followed_by(audience) is not None:
        return await followed.sample(db, region, channel, audience["follows"], category, most)
    return await contact_audience.sample(db, owner_id, channel, audience, category, most)


async def languages(db: Any, project: Any, *, left: bool) -> Mapping[str, int] | None:
    """Returns how many recipients of a project get the text in each of its languages; None: it has one text for all, or
    follows a project, of which only the most is known.

    `project` has id, owner_id, channel, audience, audience_read_at, prepared_to and languages. `left`: only those
    without a message. Raises BadRequest.
    """
    if project.languages is None:
        return None
    variable, locales = (
        project.languages["localeFrom"],
        [text["locale"] for text in project.languages["texts"]],
    )
    if project.audience is None or project.audience_read_at is not None:
        rows = await of_list(db, project.id, variable, locales, project.prepared_to if left else 0)
    elif followed_by(project.audience) is not None:
        return None
    else:
        rows = await contact_audience.languages(
            db, project.owner_id, project.channel, project.audience, variable, locales
        )
    return by_locale(locales, rows)


async def size_in_time(connection: Any, project: Any) -> int | None:
    """Returns how many people the audience of a project has at most; None if they can't be counted in a few seconds,
    since the rows of its project and its owner are locked meanwhile.

    `project` has owner_id, channel, audience and audience_segments. The worker that reads the audience counts it, too.
    """
    before = await connection.fetchval("SELECT current_setting('statement_timeout')")
    try:
        async with connection.transaction():
            await connection.execute(f"SET LOCAL statement_timeout = '{_SECONDS}s'")
            if (before_it := followed_by(project["audience"])) is not None:
                contacts = await followed.most(connection, before_it)
            else:
                contacts, _ = await contact_audience.size(
                    connection,
                    project["owner_id"],
                    project["channel"],
                    project["audience"],
                    asked=project["audience_segments"],
                )
    except asyncpg.QueryCanceledError:
        return None
    await connection.execute("SELECT set_config('statement_timeout', $1, true)", before)
    return contacts
