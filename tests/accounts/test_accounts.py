"""Accounts through both doors: contract §2."""

import asyncio
from uuid import uuid4

from schema.frame.graphql import global_id

ACCOUNT = "query($id: ID!) { account(id: $id) { uuid ownerId name plan balance owed currency createdAt } }"
CREATE = "mutation($input: NewAccount!) { createAccount(input: $input) { uuid name plan balance currency } }"
UPDATE = "mutation($id: ID!, $input: AccountPatch!) { updateAccount(id: $id, input: $input) { uuid name } }"
CREDIT = "mutation($input: Credit!) { creditAccount(input: $input) { uuid balance } }"
LEDGER = """query($id: ID!, $first: Int = 20, $after: String) { account(id: $id) { ledger(first: $first,
  after: $after) {
  nodes { kind amount note reference accountId } totalCount pageInfo { endCursor } } } }"""


async def _row(services, id):
    return dict((await services.db.fetchrow("SELECT * FROM accounts WHERE id = $1", id)).items())


async def test_an_account_is_opened_read_changed_and_the_same_in_both_doors(ada):
    made = await ada.rest("POST", "/accounts", json={"name": "Marketing", "plan": "pro", "currency": "EUR"})
    assert made.status_code == 201
    account = made.json()
    assert set(account) == {"id", "ownerId", "name", "plan", "balance", "owed", "currency", "createdAt"}
    assert (account["ownerId"], account["balance"], account["plan"], account["currency"]) == (
        str(ada.id), 0, "pro", "EUR",
    )  # fmt: skip
    seen = (await ada.data(ACCOUNT, {"id": account["id"]}))["account"]
    assert {**seen, "id": seen["uuid"]} == {**account, "uuid": account["id"]}
    balance = (await ada.rest("GET", f"/accounts/{account['id']}/balance")).json()
    assert balance == {"accountId": account["id"], "balance": 0, "currency": "EUR"}
    query = "query($id: ID!) { balance(accountId: $id) { accountId balance currency } }"
    assert (await ada.data(query, {"id": global_id("Account", account["id"])}))["balance"] == balance
    answer = await ada.rest(
        "PATCH", f"/accounts/{account['id']}", json={"name": "Sales", "plan": "enterprise"}
    )
    assert (answer.json()["name"], answer.json()["plan"]) == ("Sales", "enterprise")
    second = (await ada.data(CREATE, {"input": {"name": "Second"}}))["createAccount"]
    assert (second["plan"], second["currency"]) == ("free", "USD")
    page = (await ada.rest("GET", "/accounts", params={"limit": 2})).json()
    assert [item["name"] for item in page["items"]] == ["Second", "Sales"]
    assert page["meta"] == {"page": 1, "limit": 2, "total": 3, "totalPages": 2}


REFUSED = [
    {}, {"name": ""}, {"name": "x" * 129}, {"name": "a\nb"}, {"name": "a\0b"}, {"name": None}, {"name": 7},
    {"name": "x", "currency": "usd"}, {"name": "x", "currency": "XXZ"}, {"name": "x", "currency": "USDT"},
    {"name": "x", "currency": "US$"}, {"name": "x", "plan": "gold"}, {"name": "x", "balance": 100},
    {"name": "x", "ownerId": "018f3c9e-0000-7000-8000-000000000000"}, {"name": "x", "id": "1"},
    {"name": "x", "owner_id": "018f3c9e-0000-7000-8000-000000000000"},
    {"name": "x", "createdAt": "2020-01-01T00:00:00Z"},
]  # fmt: skip


async def test_what_makes_no_account(ada, services):
    for input in REFUSED:
        answer = await ada.rest("POST", "/accounts", json=input)
        assert answer.status_code == 400, (input, answer.text)
        body = await ada.graphql(CREATE, {"input": input})
        assert body["errors"][0]["extensions"]["code"] in ("validation_failed", "bad_request"), input
    assert await services.db.fetchval("SELECT count(*) FROM accounts") == 1


async def test_anothers_account_looks_exactly_like_none_in_both_doors(ada, bob, services):
    before = await _row(services, bob.account_id)
    for id in (bob.account_id, uuid4()):
        for method, path in (("GET", ""), ("PATCH", ""), ("GET", "/balance")):
            answer = await ada.rest(
                method, f"/accounts/{id}{path}", json={"name": "x"} if method == "PATCH" else None
            )
            assert (answer.status_code, answer.json()["code"]) == (404, "account_not_found")
            assert answer.json()["message"] == "There is no account with this id among yours. Check the id."
        for spelling in (str(id), global_id("Account", id)):
            for query, more in ((ACCOUNT, {}), (UPDATE, {"input": {"name": "x"}}), (LEDGER, {})):
                assert await ada.code(query, {"id": spelling, **more}) == "account_not_found"
            assert await ada.code(
                "query($id: ID!) { balance(accountId: $id) { balance } }", {"id": spelling}
            ) == ("account_not_found")
        sent = {"to": "+14155550100", "channel": "sms", "body": "x", "accountId": str(id)}
        assert (await ada.rest("POST", "/messages", json=sent)).json()["code"] == "account_not_found"
        assert (await ada.rest("GET", "/messages", params={"accountId": str(id)})).json()["items"] == []
    assert str(bob.account_id) not in (await ada.rest("GET", "/accounts")).text
    assert await _row(services, bob.account_id) == before


async def test_who_may_change_what(ada, bob, admin, services):
    before = await _row(services, ada.account_id)
    path, id = f"/accounts/{ada.account_id}", str(ada.account_id)
    read_only = [
        {"balance": 1_000_000}, {"balance": 100.000001}, {"balance": 0}, {"balance": "1e6"}, {"id": str(uuid4())},
        {"createdAt": "2020-01-01T00:00:00Z"}, {"name": "stolen", "balance": 1},
    ]  # fmt: skip
    unknown = [
        {"owner": str(bob.id)}, {"owner_id": str(bob.id), "x": 1}, {"updatedAt": "2020-01-01T00:00:00Z"}, {"note": "x"},
        {"balance": "NaN"}, {"balance": 1e-9}, {"balance": 10**20}, {"name": ""}, {"plan": "gold"}, {"currency": "XXZ"},
    ]  # fmt: skip
    for person in (ada, admin):
        for inputs, status in ((read_only, 403), (unknown, 400)):
            for input in inputs:
                answer = await person.rest("PATCH", path, json=input)
                assert answer.status_code == status, (input, answer.text)
                body = await person.graphql(UPDATE, {"id": id, "input": input})
                code = body["errors"][0]["extensions"]["code"]
                allowed = ["read_only_field"] if status == 403 else ["validation_failed"]
                assert code in [*allowed, "bad_request"], input
    assert (await ada.rest("PATCH", path, json={"ownerId": str(bob.id)})).status_code == 403
    assert await ada.code(UPDATE, {"id": id, "input": {"ownerId": str(bob.id)}}) == "read_only_field"
    assert await _row(services, ada.account_id) == before
    assert (await admin.rest("PATCH", path, json={"ownerId": str(uuid4())})).status_code == 404
    assert (await admin.rest("PATCH", path, json={"ownerId": str(bob.id)})).json()["ownerId"] == str(bob.id)
    assert (await ada.rest("GET", path)).status_code == 404
    assert (await bob.rest("GET", path)).status_code == 200


async def test_an_account_sent_back_as_it_was_shown_changes_nothing(ada, admin):
    shown = (await ada.rest("GET", f"/accounts/{ada.account_id}")).json()
    for person in (ada, admin):
        for sent in (shown, {**shown, "balance": "100.00"}, {}, None, {"name": None}):
            answer = await person.rest("PATCH", f"/accounts/{ada.account_id}", json=sent)
            assert (answer.status_code, answer.json()) == (200, shown)


async def test_the_currency_is_fixed_by_the_first_entry(ada, admin):
    account = (await ada.rest("POST", "/accounts", json={"name": "x"})).json()
    path = f"/accounts/{account['id']}"
    assert (await ada.rest("PATCH", path, json={"currency": "EUR"})).json()["currency"] == "EUR"
    await admin.data(CREDIT, {"input": {"accountId": account["id"], "amount": 1}})
    refused = await ada.rest("PATCH", path, json={"currency": "USD", "name": "y"})
    assert (refused.status_code, refused.json()["code"]) == (409, "currency_fixed")
    assert await ada.code(UPDATE, {"id": account["id"], "input": {"currency": "USD"}}) == "currency_fixed"
    same = (await ada.rest("PATCH", path, json={"currency": "EUR"})).json()
    assert (same["currency"], same["name"]) == ("EUR", "x")


async def test_a_currency_and_a_first_entry_at_once_agree(ada, admin, services):
    """An entry is never in another currency than its account, whichever of the two requests comes first."""
    for _ in range(8):
        account = (await ada.rest("POST", "/accounts", json={"name": "x"})).json()
        changed, _ = await asyncio.gather(
            ada.rest("PATCH", f"/accounts/{account['id']}", json={"currency": "EUR"}),
            admin.data(CREDIT, {"input": {"accountId": account["id"], "amount": "0.5"}}),
        )
        assert changed.status_code in (200, 409)
        row = await services.db.fetchrow(
            "SELECT currency, balance FROM accounts WHERE id::text = $1", account["id"]
        )
        assert (row["currency"], str(row["balance"])) == (
            "EUR" if changed.status_code == 200 else "USD",
            "0.500000",
        )


async def test_a_long_name_is_not_said_again(ada):
    answer = await ada.rest("POST", "/accounts", json={"name": "n", "x" * 100_000: 1})
    assert answer.status_code == 400
    assert len(answer.text) < 5000
