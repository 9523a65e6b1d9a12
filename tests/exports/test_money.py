"""The ledger and single messages leave by an export: what a bookkeeper adds up is what the account has."""

from decimal import Decimal
from uuid import UUID

import pytest

from core.ids import uuid7
from runtime.services import Services
from tests.exports.cells import table
from tests.exports.conftest import Exports
from tests.message_records.rows import many, messages, project
from tests.support.people import People, Person

NUMBERS = ("+4915112345678", "+33612345678", "+14155550101")
_CREDITS = "UPDATE ledger_entries SET created_at = $2, id = $3 WHERE account_id = $1 AND kind = 'credit'"
_OLD = """
UPDATE messages SET created_at = '2025-03-31T23:59:59Z', id = '0195edd6-0000-7000-8000-000000000000'
WHERE owner_id = $1 AND "to" = $2
"""
_CLICK = """
INSERT INTO clicks (message_id, link_id, project_id, owner_id, machine, at) VALUES ($1, $2, $3, $4, $5, now())
"""
_BOUNCED = 'UPDATE messages SET bounced_at = now() WHERE owner_id = $1 AND "to" = $2'


def rows(content: bytes) -> list[dict[str, str]]:
    head, *lines = table(content)
    return [dict(zip(head, line, strict=True)) for line in lines]


@pytest.fixture
async def shop(people: People) -> Person:
    """A person with a balance who has sent three SMS."""
    shop = await people.make(credit="10")
    for number in NUMBERS:
        body = {"accountId": str(shop.account_id), "channel": "sms", "to": number, "body": "Hello"}
        answer = await shop.rest("POST", "/messages", json=body)
        assert answer.status_code == 202, answer.text
    return shop


async def test_the_amounts_of_the_ledger_are_the_balance(shop: Person, bob: Person, written: Exports):
    exported = rows(await written.complete(shop, "ledger"))
    account = (await shop.rest("GET", f"/accounts/{shop.account_id}")).json()
    assert sum(Decimal(row["amount"]) for row in exported) == Decimal(str(account["balance"]))
    assert [row["kind"] for row in exported] == ["credit", "charge", "charge", "charge"]
    assert {(row["currency"], row["accountName"]) for row in exported} == {
        (account["currency"], account["name"])
    }
    sent = rows(await written.complete(shop, "messages", filters={"kind": "direct"}))
    assert [row["reference"] for row in exported[1:]] == [row["uuid"] for row in sent]
    assert not any(
        row["accountUuid"] == str(shop.account_id) for row in rows(await written.complete(bob, "ledger"))
    )


async def test_a_month_of_the_ledger(shop: Person, services: Services, written: Exports):
    entry = UUID("0195edd6-1000-7000-8000-000000000000")
    moment = await services.db.fetchval("SELECT '2025-03-31T23:59:59.9Z'::timestamptz")
    await services.db.fetch(_CREDITS, shop.account_id, moment, entry)
    for month, expected in (("2025-02", []), ("2025-03", [str(entry)]), ("2025-04", [])):
        made = rows(await written.complete(shop, "ledger", filters={"month": month}))
        assert [row["uuid"] for row in made] == expected, month
    charges = rows(await written.complete(shop, "ledger", filters={"kind": "charge"}))
    assert [row["kind"] for row in charges] == ["charge"] * 3
    far = {"dateFrom": "0001-01-01T00:00:00Z", "dateTo": "9999-12-31T23:59:59Z"}
    assert len(rows(await written.complete(shop, "ledger", filters=far))) == 4


async def test_single_messages(shop: Person, bob: Person, services: Services, written: Exports):
    made = rows(await written.complete(shop, "messages", filters={"kind": "direct"}))
    assert [(row["to"], row["country"], row["parts"], row["kind"]) for row in made] == [
        (number, country, "1", "direct") for number, country in zip(NUMBERS, ("DE", "FR", "US"), strict=True)
    ]
    assert all(row["body"] == "Hello" and Decimal(row["price"]) > 0 for row in made)
    await services.db.fetch(_OLD, shop.id, NUMBERS[0])
    await services.db.fetch(_BOUNCED, shop.id, NUMBERS[1])
    (own,) = await messages(
        services, shop, await project(services, shop), {"to": "+4930123456", "channel": "sms"}
    )
    for filters, expected in (
        ({}, ["+4930123456"]),
        ({"kind": "project"}, ["+4930123456"]),
        ({"kind": "all"}, ["+4930123456", *NUMBERS]),
        ({"kind": "direct", "month": "2025-03"}, [NUMBERS[0]]),
        ({"kind": "direct", "month": "2025-04"}, []),
        ({"kind": "direct", "phone": NUMBERS[2]}, [NUMBERS[2]]),
        ({"kind": "direct", "reaction": "bounced"}, [NUMBERS[1]]),
        ({"kind": "direct", "reaction": "replied"}, []),
        ({"kind": "project", "reaction": "replied"}, []),
        ({"kind": "direct", "channel": "email"}, []),
        ({"kind": "direct", "clicked": "human"}, []),
        ({"kind": "direct", "accountUuid": str(own)}, []),
    ):
        exported = rows(await written.complete(shop, "messages", filters=filters, columns=["to"]))
        assert sorted(row["to"] for row in exported) == sorted(expected), filters
    assert rows(await written.complete(bob, "messages", filters={"kind": "all"})) == []


async def test_pages_of_a_rare_match(shop: Person, services: Services, written: Exports, monkeypatch):
    from engine.exports import ledger_source, message_source

    monkeypatch.setattr(message_source, "PAGE", 1)
    monkeypatch.setattr(ledger_source, "PAGE", 1)
    await many(services, shop, await project(services, shop), 3, "sent")
    only_last = {"kind": "direct", "phone": NUMBERS[2]}
    assert [row["to"] for row in rows(await written.complete(shop, "messages", filters=only_last))] == [
        NUMBERS[2]
    ]
    assert len(rows(await written.complete(shop, "ledger", filters={"kind": "charge"}))) == 3
    assert len(rows(await written.complete(shop, "messages", filters={"kind": "all"}))) == 6


async def test_an_administrator_exports_all_owners(shop: Person, admin: Person, written: Exports):
    accounts = {row["accountUuid"] for row in rows(await written.complete(admin, "ledger"))}
    assert str(shop.account_id) in accounts
    numbers = [
        row["to"] for row in rows(await written.complete(admin, "messages", filters={"kind": "direct"}))
    ]
    assert {*NUMBERS} <= {*numbers}


@pytest.mark.parametrize(
    ("source", "filters", "told"),
    [
        ("ledger", {"monht": "2026-11"}, "ledger has"),
        ("ledger", {"month": "2026-13"}, "month"),
        ("ledger", {"month": "2026-11", "dateFrom": "2026-11-01T00:00:00Z"}, "dateFrom"),
        ("messages", {"kind": "single"}, "updatedSince"),
    ],
)
async def test_a_wrong_filter_names_the_right_ones(
    ada: Person, source: str, filters: dict[str, str], told: str
):
    answer = await ada.rest("POST", "/export-link/start", json={"source": source, "filters": filters})
    assert answer.status_code == 400
    assert told in answer.text and "month" in answer.text


async def test_who_may_not_see_accounts_exports_no_ledger(ada: Person):
    body = {"name": "narrow", "scopes": ["exports:write", "exports:read", "messages:read"]}
    token = (await ada.rest("POST", "/api-tokens", json=body)).json()["token"]
    answer = await ada.client.post(
        "/export-link/start", json={"source": "ledger"}, headers={"Authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 403, answer.text


async def test_one_click_meets_all_conditions_on_clicks(shop: Person, services: Services, written: Exports):
    """A person has clicked on one link, and a machine on the other."""
    id = await project(services, shop)
    (message,) = await messages(services, shop, id, {"to": "+4930123456", "channel": "sms"})
    links = [uuid7(), uuid7()]
    for link, machine in zip(links, (None, "head"), strict=True):
        await services.db.fetch(
            "INSERT INTO click_links (id, project_id, url) VALUES ($1, $2, 'x')", link, id
        )
        await services.db.fetch(_CLICK, message, link, id, shop.id, machine)
    for kind, link, expected in (
        ("human", None, 1), ("machine", None, 1), ("human", 0, 1), ("human", 1, 0), ("machine", 1, 1), (None, 0, 1),
    ):  # fmt: skip
        filters = {} if kind is None else {"clicked": kind}
        filters |= {} if link is None else {"clickedLinkUuid": str(links[link])}
        assert len(rows(await written.complete(shop, "messages", filters=filters))) == expected, filters
