"""`postern doctor` names statements that do not add up, and those that no worker makes."""

from typing import Any

from tests.doctor.looking import look
from tests.support.gateway import gateway
from tests.support.people import Person

__all__ = ["gateway"]

_ADD = """
INSERT INTO statements (id, account_id, month, created_at, state, made_at)
SELECT postern_uuid7(), $1, $2::text::date, now() - interval '7 hours', state,
  CASE WHEN state IS NOT NULL THEN now() END
FROM (SELECT $3::text AS state) AS made
"""


async def test_a_statement_that_does_not_add_up(own: Any, ada: Person, services: Any):
    assert (await look(own())).of("statement") == []
    async with services.db.reading() as db:
        await db.execute(_ADD, ada.account_id, "2026-09-01", "open")
    (line,) = (await look(own())).of("statement")
    assert line.startswith("✗") and f"{ada.account_id} (2026-09)" in line


async def test_one_that_nobody_makes(own: Any, ada: Person, services: Any):
    async with services.db.reading() as db:
        await db.execute(_ADD, ada.account_id, "2026-09-01", None)
    (line,) = (await look(own())).of("statement")
    assert line.startswith("!") and "1 statements have waited" in line
