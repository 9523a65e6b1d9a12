"""Money: a balance moves only by an entry, and is the sum of them, whatever happens at once."""

import asyncio
import random
from decimal import Decimal
from uuid import uuid4

import asyncpg

from tests.accounts.test_accounts import CREDIT, LEDGER
from tests.support.waits import WAITING, until

SMS = {"to": "+14155550100", "channel": "sms", "body": "x"}
ODD = """
    SELECT a.id, a.balance, coalesce(sum(e.amount), 0) AS entries FROM accounts a
    LEFT JOIN ledger_entries e ON e.account_id = a.id GROUP BY a.id
    HAVING a.balance <> coalesce(sum(e.amount), 0) OR a.balance < 0
"""


async def test_a_credit_is_an_administrators_and_stands_in_the_ledger(ada, admin, services):
    input = {"accountId": str(ada.account_id), "amount": 25.5, "note": "invoice 7"}
    assert await ada.code(CREDIT, {"input": input}) == "forbidden"
    assert (await admin.data(CREDIT, {"input": input}))["creditAccount"]["balance"] == 125.5
    assert (await admin.data(CREDIT, {"input": {**input, "amount": "0.000001"}}))["creditAccount"][
        "balance"
    ] == (125.500001)
    await ada.rest("POST", "/messages", json=SMS)
    ledger = (await ada.data(LEDGER, {"id": str(ada.account_id)}))["account"]["ledger"]
    assert [(item["kind"], item["amount"]) for item in ledger["nodes"]] == [
        ("charge", -0.01), ("credit", 0.000001), ("credit", 25.5), ("credit", 100),
    ]  # fmt: skip
    assert ledger["nodes"][1]["note"] == "invoice 7"
    assert ledger["totalCount"] == 4
    assert (await admin.data(LEDGER, {"id": str(ada.account_id)}))["account"]["ledger"] == ledger
    by = await services.db.fetchval("SELECT created_by FROM ledger_entries WHERE note = 'invoice 7' LIMIT 1")
    assert by == admin.id
    variables = {"id": str(ada.account_id), "first": 2}
    first = (await ada.data(LEDGER, variables))["account"]["ledger"]
    after = first["pageInfo"]["endCursor"]
    second = (await ada.data(LEDGER, {**variables, "after": after}))["account"]["ledger"]
    assert [*first["nodes"], *second["nodes"]] == ledger["nodes"]
    assert await ada.code(LEDGER, {**variables, "first": 101}) == "validation_failed"
    assert await admin.code(CREDIT, {"input": {**input, "accountId": str(uuid4())}}) == "account_not_found"
    assert await services.db.fetch(ODD) == []


async def test_an_entry_names_the_message_that_it_was_for(ada, bob, admin):
    message = (await ada.rest("POST", "/messages", json=SMS)).json()["id"]
    query = (
        "query($id: ID!) { account(id: $id) { ledger { nodes { kind message { uuid } "
        "sendingProject { uuid } } } } }"
    )
    for person in (ada, admin):
        ledger = (await person.data(query, {"id": str(ada.account_id)}))["account"]["ledger"]["nodes"]
        assert ledger == [
            {"kind": "charge", "message": {"uuid": message}, "sendingProject": None},
            {"kind": "credit", "message": None, "sendingProject": None},
        ]
    assert await bob.code(query, {"id": str(ada.account_id)}) == "account_not_found"
    mine = "query($owner: String!) { messages(where: {ownerId: {eq: $owner}}) { nodes { uuid } } }"
    for person, messages in ((admin, [{"uuid": message}]), (ada, [{"uuid": message}]), (bob, [])):
        assert (await person.data(mine, {"owner": str(ada.id)}))["messages"]["nodes"] == messages


NO_AMOUNTS = [
    0, -5, "0", "-5", "0.0", "NaN", "nan", "sNaN", "Infinity", "-Infinity", "inf", 1e-9, "0.0000001", 10**20, "1e3",
    "1E3",
    "1e-3", "1_000", "1,000", " 1", "1 ", "+1", ".5", "5.", "0x10", "", "five", "１", "1" * 100_000, True, None, [], {},
    [1, 2], 0.1234567, 1234567890123.5, "1234567890123", "12345678901234567.89", "1e999999999", 1e308,
]  # fmt: skip


async def test_what_is_no_amount_is_refused_and_nothing_moves(admin, ada, services):
    for amount in NO_AMOUNTS:
        body = await admin.graphql(CREDIT, {"input": {"accountId": str(ada.account_id), "amount": amount}})
        assert body["errors"][0]["extensions"]["code"] in ("validation_failed", "bad_request"), amount
        assert len(str(body)) < 2000
    for literal in ("1e-9", "-1", "0", "1e20", "true", '"NaN"', '"1e3"', "null", "1e999", "9" * 40):
        body = await admin.graphql(
            f'mutation {{ creditAccount(input: {{accountId: "{ada.account_id}", amount: {literal}}}) {{ balance }} }}'
        )
        assert body["errors"][0]["extensions"]["code"] in ("validation_failed", "bad_request"), literal
    for note in ("x" * 257, "a\0b"):
        input = {"accountId": str(ada.account_id), "amount": 1, "note": note}
        assert await admin.code(CREDIT, {"input": input}) == "validation_failed"
    assert await services.db.fetchval("SELECT count(*) FROM ledger_entries") == 1
    assert await services.db.fetch(ODD) == []


async def test_more_than_a_balance_can_hold_is_refused(admin, ada, services):
    most = {"accountId": str(ada.account_id), "amount": "99999999900"}
    assert (await admin.data(CREDIT, {"input": most}))["creditAccount"]["balance"] == 10**11
    for amount in ("0.000001", "1", "999999999999.999999"):
        assert await admin.code(CREDIT, {"input": {**most, "amount": amount}}) == "balance_too_large"
    assert await services.db.fetchval("SELECT count(*) FROM ledger_entries") == 2
    assert await services.db.fetch(ODD) == []


async def test_twenty_parallel_credits_with_one_key_are_one_entry(admin, ada, services):
    input = {"input": {"accountId": str(ada.account_id), "amount": 7}}
    bodies = await asyncio.gather(
        *(admin.graphql(CREDIT, input, **{"Idempotency-Key": "k"}) for _ in range(20))
    )
    for body in bodies:
        if "errors" in body:
            assert body["errors"][0]["extensions"]["code"] == "idempotency_in_flight"
        else:
            assert body["data"]["creditAccount"] == {"uuid": str(ada.account_id), "balance": 107}
    assert any("errors" not in body for body in bodies)
    assert await services.db.fetchval("SELECT count(*) FROM ledger_entries WHERE amount = 7") == 1
    # The replay is the first answer, also after more has happened.
    await admin.data(CREDIT, {"input": {"accountId": str(ada.account_id), "amount": 1}})
    again = await admin.graphql(CREDIT, input, **{"Idempotency-Key": "k"})
    assert again["data"]["creditAccount"]["balance"] == 107
    assert (await admin.rest("GET", f"/accounts/{ada.account_id}/balance")).json()["balance"] == 108


async def test_a_charge_that_waited_for_a_credit_is_made_with_it(admin, people, services, database):
    """PostgreSQL checks the row of the balance from before the credit before it looks whether the row has changed."""
    person = await people.make(credit="0.001")  # the price of one segment
    crediting = await asyncpg.connect(database)
    try:
        async with crediting.transaction():
            await crediting.execute(
                "UPDATE accounts SET balance = balance + 1 WHERE id = $1", person.account_id
            )
            sending = asyncio.create_task(person.rest("POST", "/messages", json={**SMS, "body": "y" * 200}))
            await until(lambda: services.db.fetchval(WAITING))
        answer = await sending
        assert answer.status_code == 202, answer.text
    finally:
        await crediting.close()


async def test_the_balance_is_the_sum_of_the_entries_whatever_happens_at_once(admin, people, services):
    chance = random.Random(20261120)
    spenders = [await people.make(credit="0.05") for _ in range(3)]

    async def credit(person):
        amount = str(Decimal(chance.randint(1, 30_000)) / 1_000_000)
        return await admin.graphql(CREDIT, {"input": {"accountId": str(person.account_id), "amount": amount}})

    async def charge(person):
        body = chance.choice(["x", "y" * 200, "ü" * 100])  # one, two and two segments
        answer = await person.rest("POST", "/messages", json={**SMS, "body": body})
        assert answer.status_code in (202, 402), answer.text

    async def rename(person):
        answer = await person.rest(
            "PATCH", f"/accounts/{person.account_id}", json={"name": chance.choice("ab")}
        )
        assert answer.status_code == 200

    async def look(person):
        balance = (await person.rest("GET", f"/accounts/{person.account_id}/balance")).json()["balance"]
        assert balance >= 0

    for _ in range(3):
        steps = chance.choices([credit, charge, rename, look], weights=[4, 8, 2, 1], k=60)
        done = await asyncio.gather(*(step(chance.choice(spenders)) for step in steps))
        assert [body for body in done if body and "errors" in body] == []
        assert await services.db.fetch(ODD) == []
    charges = await services.db.fetchval("SELECT count(*) FROM ledger_entries WHERE kind = 'charge'")
    assert charges == await services.db.fetchval("SELECT count(*) FROM messages") > 0
    # Nobody had to be killed and tried again for it.
    deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    await services.db.fetch("SELECT pg_stat_force_next_flush()")
    assert await services.db.fetchval(deadlocks) == 0
