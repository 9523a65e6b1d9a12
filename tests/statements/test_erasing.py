"""An erased person changes no statement of a month that is closed: it has sums, and nobody's address."""

from datetime import timedelta
from typing import Any

import engine.persons.erasing  # noqa: F401  registers the job
from tests.reconciliations.conftest import finished
from tests.reconciliations.test_erasing import erase
from tests.statements.conftest import Books, statement
from tests.support.people import Person
from tests.support.projects import Projects

PERSON = "sent.1@example.com"
_STORED = "SELECT document, hash, signature FROM statements ORDER BY month"


async def test_the_bytes_stay(books: Books, projects: Projects, ada: Person, drain: Any):
    await finished(projects, ada, [PERSON, "sent.2@example.com"])
    answer = await ada.rest("POST", "/messages", json={"to": PERSON, "channel": "email", "body": "x"})
    assert answer.status_code == 202, answer.text
    await drain("email")
    await books.move(ada, books.begin + timedelta(days=3))
    await books.close()
    before = [tuple(row.values()) for row in await books.db.fetch(_STORED)]
    first = await statement(ada, books.month)
    assert first["document"]["totals"][1]["messages"] == 3
    await erase(projects, ada, PERSON)
    assert await books.db.fetchval('SELECT count(*) FROM message_records WHERE "to" = $1', PERSON) == 0
    after = await statement(ada, books.month)
    assert [tuple(row.values()) for row in await books.db.fetch(_STORED)] == before
    assert after["document"] == first["document"]
    for kind in ("json", "csv", "html"):
        path = f"/accounts/{ada.account_id}/statements/{first['month']}?format={kind}"
        assert PERSON not in (await ada.rest("GET", path)).text


async def test_who_is_erased_before_the_month_is_closed_is_counted(
    books: Books, projects: Projects, ada: Person
):
    await finished(projects, ada, [PERSON, "sent.2@example.com"])
    await erase(projects, ada, PERSON)
    await books.move(ada, books.begin + timedelta(days=3))
    await books.close()
    document = (await statement(ada, books.month))["document"]
    assert (document["state"], document["totals"][1]["messages"]) == ("balanced", 2)
