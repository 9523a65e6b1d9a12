"""The lines of a statement are the ledger to the digit, and each opens with what the one before closed with."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from core.ids import uuid7
from core.settings import Settings
from engine.statements.sums import Group, Sums
from tests.conftest import MakeSettings
from tests.reconciliations.conftest import all_words, finished
from tests.statements.conftest import Books, statement, total_of
from tests.support.gateway import MAGIC
from tests.support.people import Person
from tests.support.projects import Projects

PHONES = ("+14155550100", "+491512345670", "+491512345671")


async def send(person: Person, **fields: Any) -> Any:
    answer = await person.rest("POST", "/messages", json={"body": "x", **fields})
    assert answer.status_code in (201, 202), answer.text
    return answer.json()


def line(document: Any, kind: str, **values: Any) -> Any:
    (found,) = [
        each
        for each in document["lines"]
        if each["kind"] == kind and all(each[name] == value for name, value in values.items())
    ]
    return found


async def test_direct_messages_by_channel_country_and_route(books: Books, ada: Person, drain: Any):
    for phone in PHONES:
        await send(ada, to=phone, channel="sms", body="x" * 200)
    await send(ada, to="a@example.com", channel="email", category="promotional")
    await send(ada, to=MAGIC["sms"]["failed"], channel="sms")
    await drain("sms")
    await drain("email")
    await books.move(ada, books.begin + timedelta(days=3))
    await books.close()
    made = await statement(ada, books.month)
    document = made["document"]
    assert document["state"] == "balanced"
    assert total_of(document) == await books.entries(ada.account_id, books.begin, books.end)
    balance = document["balance"]
    assert Decimal(balance["opening"]) + total_of(document) == Decimal(balance["closing"])
    german = line(document, "charge", country="DE")
    assert (german["messages"], german["parts"], german["channel"], german["route"]) == (
        2,
        4,
        "sms",
        "sandbox",
    )
    (row,) = await books.db.fetch('SELECT price, segments FROM messages WHERE "to" = $1', PHONES[1])
    assert Decimal(german["amount"]) == -2 * row["price"]
    assert line(document, "charge", channel="email")["category"] == "promotional"
    refund = line(document, "refund")
    assert (refund["messages"], refund["channel"]) == (1, "sms")
    totals = {total["kind"]: total for total in document["totals"]}
    assert (totals["charge"]["entries"], totals["charge"]["messages"]) == (5, 5)
    text = str(made)
    assert not [to for to in (*PHONES, MAGIC["sms"]["failed"], "a@example.com") if to in text]


async def test_a_project_by_country_and_route(books: Books, projects: Projects, ada: Person):
    """Those that were refused came back: what the batch had reserved is a line without a country."""
    phones = [f"+1415555010{digit}" for digit in "1289"] + ["+4915123456700", "+4915123456709"]
    project = await finished(projects, ada, phones, channel="sms", text="x" * 200, name="Autumn")
    await books.move(ada, books.begin + timedelta(days=3))
    await books.close()
    document = (await statement(ada, books.month))["document"]
    records = await projects.records(project)
    assert document["state"] == "balanced"
    assert total_of(document) == await books.entries(ada.account_id, books.begin, books.end)
    american = line(document, "charge", country="US")
    assert (american["project"], american["projectName"]) == (str(project), "Autumn")
    assert (american["messages"], american["parts"]) == (3, 6)
    net = sum(
        (Decimal(each["amount"]) for each in document["lines"] if each["project"] == str(project)), Decimal()
    )
    assert net == -sum(row["price"] for row in records)
    rest = line(document, "charge", country=None, project=str(project))
    assert Decimal(rest["amount"]) == -Decimal(line(document, "refund", project=str(project))["amount"])
    assert not [phone for phone in phones if phone in str(document)]


async def test_the_chain_of_months(books: Books, ada: Person, drain: Any):
    await send(ada, to=PHONES[0], channel="sms")
    await drain("sms")
    await books.move(ada, books.end - timedelta(days=45))
    await send(ada, to=PHONES[1], channel="sms")
    await drain("sms")
    await books.move(ada, books.end - timedelta(microseconds=1))
    await send(ada, to=PHONES[1], channel="sms")
    await drain("sms")
    await books.move(ada, books.end + timedelta(minutes=1))
    await books.close(since=(books.before - timedelta(days=1)).replace(day=1))
    first, second = await statement(ada, books.before), await statement(ada, books.month)
    assert second["openingBalance"] == first["closingBalance"]
    assert second["previousHash"] == first["hash"]
    assert (first["number"], second["number"]) == (1, 2)
    assert second["document"]["totals"][1]["messages"] == 1
    balance = await books.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    later = await books.entries(ada.account_id, books.end, books.db.now() + timedelta(days=1))
    assert later < 0
    assert Decimal(second["closingBalance"]) == balance - later


async def test_what_came_late_is_in_the_next_one(books: Books, ada: Person, drain: Any):
    """A row of a month that is closed already, as a restored database may have."""
    await send(ada, to=PHONES[0], channel="sms")
    await drain("sms")
    await books.move(ada, books.begin - timedelta(days=5))
    await send(ada, to=PHONES[1], channel="sms")
    await drain("sms")
    await books.move(ada, books.begin + timedelta(days=5))
    await books.close(since=(books.before - timedelta(days=1)).replace(day=1))
    first = await statement(ada, books.before)
    async with books.db.transaction() as db:
        await db.execute("DELETE FROM statements WHERE month = $1", books.month)
        await db.execute("DELETE FROM statement_months WHERE month = $1", books.month)
        await db.execute(
            "INSERT INTO ledger_entries (id, created_at, account_id, kind, amount, reference)"
            " VALUES (test_shifted($1, now() - $2::timestamptz), $2, $3, 'credit', 7.000001, $1)",
            uuid7(), books.begin - timedelta(days=4), ada.account_id,
        )  # fmt: skip
        await db.execute("UPDATE accounts SET balance = balance + 7.000001 WHERE id = $1", ada.account_id)
    await books.close()
    assert await statement(ada, books.before) | {"pageUrl": ""} == first | {"pageUrl": ""}
    second = await statement(ada, books.month)
    assert second["document"]["late"] == [{"month": f"{books.before:%Y-%m}", "amount": "7.000001"}]
    assert second["state"] == "balanced"
    assert second["openingBalance"] == first["closingBalance"]


async def test_what_does_not_add_up_is_said(books: Books, ada: Person):
    await books.move(ada, books.begin - timedelta(days=5))
    async with books.db.transaction() as db:
        await db.execute("UPDATE accounts SET created_at = $1", books.begin - timedelta(days=9))
    await books.close(since=(books.before - timedelta(days=1)).replace(day=1))
    async with books.db.transaction() as db:
        await db.execute("DELETE FROM statements WHERE month = $1", books.month)
        await db.execute("DELETE FROM statement_months WHERE month = $1", books.month)
        await db.execute("UPDATE accounts SET balance = balance + 1 WHERE id = $1", ada.account_id)
    await books.close()
    document = (await statement(ada, books.month))["document"]
    assert document["state"] == "open"
    (difference,) = document["differences"]
    assert Decimal(difference["recorded"]) - Decimal(difference["counted"]) == 1


async def test_sums_of_old_days_stay_in_their_month(books: Books, ada: Person, drain: Any):
    """The entries of deleted messages are added up by day; the statement counts them, and says less of them."""
    from engine.upkeep.ledger_sums import add_up_before

    for phone in PHONES:
        await send(ada, to=phone, channel="sms")
    await drain("sms")
    await books.move(ada, books.begin + timedelta(hours=1))
    async with books.db.transaction() as db:
        await db.execute("DELETE FROM messages WHERE account_id = $1", ada.account_id)
    await add_up_before(books.services, books.begin + timedelta(days=2))
    await books.close()
    document = (await statement(ada, books.month))["document"]
    charge = line(document, "charge")
    assert (charge["messages"], charge["channel"], charge["country"]) == (3, None, None)
    assert total_of(document) == await books.entries(ada.account_id, books.begin, books.end)


class TestWithoutBilling:
    @pytest.fixture
    def settings(self, make_settings: MakeSettings) -> Settings:
        return make_settings(billing="off")

    async def test_messages_are_counted_without_amounts(
        self, books: Books, projects: Projects, ada: Person, drain: Any
    ):
        for phone in PHONES:
            await send(ada, to=phone, channel="sms", body="x" * 200)
        await drain("sms")
        project = await finished(projects, ada, all_words(2))
        async with books.db.transaction() as db:
            await db.execute("UPDATE sending_projects SET started_at = $1", books.begin + timedelta(days=3))
            await db.execute("UPDATE sending_projects SET created_at = started_at, finished_at = started_at")
        await books.move(ada, books.begin + timedelta(days=3))
        await books.close()
        document = (await statement(ada, books.month))["document"]
        german = line(document, "free", country="DE")
        assert (german["messages"], german["parts"], german["amount"]) == (2, 4, None)
        mails = line(document, "free", project=str(project))
        assert (mails["messages"], mails["channel"]) == (4, "email")
        assert {each["kind"] for each in document["lines"]} <= {"free", "credit"}


def test_too_many_groups_are_added_up_without_the_sender_and_the_project():
    sums = Sums(most=100)
    projects = [uuid7() for _ in range(20)]
    for number in range(2000):
        sums.add(
            Group("charge", "sms", "promotional", "DE", "sms", f"s{number % 31}", projects[number % 20]),
            1, 2, Decimal("-0.01"),
        )  # fmt: skip
    assert "sender" not in sums.grouped_by
    assert "project" in sums.grouped_by
    assert len(sums.groups) == 20
    for number in range(2000):
        sums.add(
            Group("charge", "sms", "promotional", "DE", "sms", None, uuid7()), number % 2, 0, Decimal(-1)
        )
    assert [*sums.grouped_by] == ["channel", "category", "country", "route"]
    assert sums.groups == {
        Group("charge", "sms", "promotional", "DE", "sms"): [3000, 4000, Decimal("-2020.00")]
    }
