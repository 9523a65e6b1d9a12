"""Counts the recipients of a project by the language of the text that they get."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

TAG: Final = "lower(replace(btrim({variables} ->> {name}), '_', '-'))"
"""The language of a recipient, as the sending reads it (engine/texts/choices.py)."""

LANGUAGES: Final = """
SELECT (
    SELECT l FROM unnest({locales}::text[]) AS l WHERE t.tag = lower(l) OR starts_with(t.tag, lower(l) || '-')
    ORDER BY length(l) DESC LIMIT 1
  ) AS locale, sum(t.recipients)::int8 AS recipients
FROM ({tags}) AS t GROUP BY 1
"""
"""The sums of `tags`, rows of a tag and a number, by the language whose text is taken; NULL: none fits."""

_OF_LIST = LANGUAGES.format(
    locales="$3",
    tags=f"""
  SELECT {TAG.format(variables="variables", name="$2")} AS tag, count(*) AS recipients
  FROM recipients WHERE project_id = $1 AND seq > $4 GROUP BY 1""",  # noqa: S608  our own words
)


async def of_list(db: Any, project: UUID, variable: str, locales: list[str], after: int = 0) -> list[Any]:
    """Returns how many recipients of a list have each of the languages, and how many none: those after `after`."""
    rows: list[Any] = await db.fetch(_OF_LIST, project, variable, locales, after)
    return rows


def by_locale(locales: list[str], rows: list[Any]) -> Mapping[str, int]:
    """Returns how many recipients get the text in each language. The first one is that of all others."""
    counts = dict.fromkeys(locales, 0)
    for row in rows:
        counts[row["locale"] or locales[0]] += row["recipients"]
    return counts
