"""Both doors show the same statement; it is JSON, CSV and a page; another user sees none; a mail tells of it."""

import csv
import io
from datetime import timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

import pytest

from engine.statements import months
from engine.statements.months import begin_of, day_of, name_of, newest_final, next_month
from tests.api_tokens.made import caller, made
from tests.statements.conftest import Books, statement
from tests.support.people import Person

QUERY = """
query($id: ID!, $month: String!) {
  accountStatements(id: $id) { month number state currency openingBalance closingBalance hash previousHash keyId }
  accountStatement(id: $id, month: $month) { month state openingBalance closingBalance document signature keys hash }
}
"""


@pytest.fixture
async def closed(books: Books, ada: Person, drain: Any) -> Books:
    for phone in ("+14155550100", "+4915123456700"):
        answer = await ada.rest("POST", "/messages", json={"to": phone, "channel": "sms", "body": "x"})
        assert answer.status_code == 202, answer.text
    await drain("sms")
    await ada.rest("PATCH", f"/accounts/{ada.account_id}", json={"name": "Main <b>&</b>"})
    await books.move(ada, books.begin + timedelta(days=9))
    await books.close()
    return books


async def test_both_doors_show_the_same(closed: Books, ada: Person, bob: Person, admin: Person):
    month = name_of(closed.month)
    rest = await statement(ada, closed.month)
    data = await ada.data(QUERY, {"id": str(ada.account_id), "month": month})
    shown = data["accountStatement"]
    assert shown == {name: rest[name] for name in shown}
    listed = (await ada.rest("GET", f"/accounts/{ada.account_id}/statements")).json()
    assert [{name: row[name] for name in data["accountStatements"][0]} for row in listed] == data[
        "accountStatements"
    ]
    assert [row["month"] for row in listed] == [month]
    assert (await admin.rest("GET", f"/accounts/{ada.account_id}/statements/{month}")).status_code == 200
    path = f"/accounts/{ada.account_id}/statements"
    for other in (path, f"{path}/{month}"):
        assert (await bob.rest("GET", other)).status_code == 404
    body = await bob.graphql(QUERY, {"id": str(ada.account_id), "month": month})
    assert {error["extensions"]["code"] for error in body["errors"]} == {"account_not_found"}
    missing = await ada.rest("GET", f"{path}/{name_of(next_month(closed.month))}")
    assert (missing.status_code, missing.json()["code"]) == (404, "no_statement")
    for bad in ("2026-13", "2026-1", "26-01", "0000-01", "x"):
        assert (await ada.rest("GET", f"{path}/{bad}")).status_code == 400


async def test_the_csv_adds_up(closed: Books, ada: Person):
    path = f"/accounts/{ada.account_id}/statements/{name_of(closed.month)}"
    answer = await ada.rest("GET", f"{path}?format=csv")
    assert answer.headers["content-type"].startswith("text/csv")
    name = f"statement-{ada.account_id}-{name_of(closed.month)}.csv"
    assert name in answer.headers["content-disposition"]
    rows = [*csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))]
    assert [rows[0]["kind"], rows[-1]["kind"]] == ["opening", "closing"]
    assert sum(Decimal(row["amount"] or 0) for row in rows[:-1]) == Decimal(rows[-1]["amount"])
    assert Decimal(rows[-1]["amount"]) == Decimal((await statement(ada, closed.month))["closingBalance"])
    assert {row["country"] for row in rows if row["kind"] == "charge"} == {"US", "DE"}


async def test_the_page_to_print_and_its_signed_link(closed: Books, ada: Person):
    path = f"/accounts/{ada.account_id}/statements/{name_of(closed.month)}"
    for answer in (
        await ada.rest("GET", f"{path}?format=html"),
        await ada.rest("GET", path, headers={"Accept": "text/html,application/xhtml+xml"}),
    ):
        assert answer.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "Main &lt;b&gt;&amp;&lt;/b&gt;" in answer.text
        assert "Balanced: " in answer.text
        assert "By country" in answer.text
    url = urlsplit((await statement(ada, closed.month))["pageUrl"])
    page = f"{url.path}?{url.query}"
    opened = await ada.client.get(page)
    assert opened.status_code == 200, opened.text
    assert opened.headers["cache-control"] == "private, no-store"
    assert (await ada.client.get(f"{page}&format=csv")).headers["content-type"].startswith("text/csv")
    other = page.replace(name_of(closed.month), name_of(closed.before))
    for bad in (other, page[:-1] + ("A" if page[-1] != "A" else "B")):
        refused = await ada.client.get(bad)
        assert (refused.status_code, refused.json()["code"]) == (403, "bad_link")
    token, id = await made(ada, scopes=["accounts:read"])
    of_token = urlsplit((await statement(caller(ada, token), closed.month))["pageUrl"])
    assert (await ada.client.get(f"{of_token.path}?{of_token.query}")).status_code == 200
    assert (await ada.rest("DELETE", f"/api-tokens/{id}")).status_code < 300
    assert (await ada.client.get(f"{of_token.path}?{of_token.query}")).status_code == 403


async def test_a_month_is_final_on_the_third(books: Books, ada: Person):
    begin = begin_of(day_of("2026-11"))
    assert newest_final(begin + timedelta(days=2)) == day_of("2026-10")
    assert newest_final(begin + timedelta(days=2) - timedelta(microseconds=1)) == day_of("2026-09")
    sql = await books.db.fetchval(f"SELECT ({months._NEWEST} - interval '1 month')::date")
    assert sql == newest_final(books.db.now())


async def test_months_that_nobody_asked_for_are_made_one_after_the_other(books: Books, ada: Person):
    """The workers were away for three months."""
    await books.move(ada, books.begin - timedelta(days=100))
    start = day_of(name_of((books.before - timedelta(days=40)).replace(day=1)))
    await books.close(since=start)
    listed = (await ada.rest("GET", f"/accounts/{ada.account_id}/statements")).json()
    assert [row["number"] for row in listed] == [*range(len(listed), 0, -1)]
    assert listed[0]["month"] == name_of(books.month)
    assert listed[-1]["month"] == name_of(next_month(start))
    assert len({row["closingBalance"] for row in listed}) == 1


async def test_an_account_that_was_not_there_has_none(books: Books, ada: Person):
    await books.close()
    assert (await ada.rest("GET", f"/accounts/{ada.account_id}/statements")).json() == []
    await books.close()
    assert await books.db.fetchval("SELECT count(*) FROM statement_months") == 1
