"""Reports rules of countries by which nothing can be sent, and the caps that were reached in the last day."""

from typing import Final

from db.models.country_rules import INSTALLATION
from db.session import Database
from postern.doctor.findings import Findings

_NOTHING: Final = f"""
SELECT COALESCE(bool_or(r.id = '{INSTALLATION}'), false) AS installation,
  count(*) FILTER (WHERE r.id <> '{INSTALLATION}') AS users
FROM country_rules AS r LEFT JOIN country_rules AS i ON i.id = '{INSTALLATION}'
WHERE NOT EXISTS (
  SELECT FROM unnest(COALESCE(r.allow, i.allow)) AS c (code)
  WHERE c.code <> ALL (r.deny) AND c.code <> ALL (COALESCE(i.deny, '{{}}'))
    AND (i.allow IS NULL OR c.code = ANY (i.allow))
) AND COALESCE(r.allow, i.allow) IS NOT NULL
"""  # noqa: S608  our own id
_LIMITED: Final = """
SELECT country, count(DISTINCT owner_id) AS owners FROM country_limits WHERE created_at > now() - interval '24 hours'
GROUP BY country ORDER BY 2 DESC, 1
"""
_MOST: Final = 10  # countries in one finding


async def look(findings: Findings, db: Database) -> None:
    """Checks the rules, and what they have limited."""
    row = await db.fetchrow(_NOTHING)
    if row["installation"]:
        findings.bad(
            "countries",
            "the installation's rule allows no country: no SMS is accepted",
            "Set it with PUT /country-rules, or on the page Countries of the console.",
        )
    elif row["users"]:
        findings.note(
            "countries",
            f"the rules of {row['users']} users, with the installation's, allow no country",
            "Their SMS are refused. The page Countries of the console shows and sets a user's rule.",
        )
    if limited := await db.fetch(_LIMITED):
        names = ", ".join(f"{each['country']} ({each['owners']})" for each in limited[:_MOST])
        more = f" and {len(limited) - _MOST} more" if len(limited) > _MOST else ""
        findings.note(
            "countries",
            f"caps were reached in the last day, by so many users: {names}{more}",
            "Is it a flood of codes? docs/countries.md says how to stop it, and how to raise a cap.",
        )
