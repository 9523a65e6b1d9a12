"""Tests the bounds of accounts: how many a user may have, and how much money each may hold."""

import asyncio
from decimal import Decimal

import pytest

from resolvers.accounts import MOST

CREDIT = "mutation($input: Credit!) { creditAccount(input: $input) { balance } }"


@pytest.mark.settings(accounts_per_user=5)
async def test_twenty_at_once_get_as_many_accounts_as_one_may_have(ada, bob, services):
    answers = await asyncio.gather(*(ada.rest("POST", "/accounts", json={"name": "x"}) for _ in range(20)))
    assert sorted(answer.status_code for answer in answers) == [201] * 4 + [409] * 16
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"too_many_accounts"}
    assert (await ada.rest("GET", "/accounts")).json()["meta"]["total"] == 5
    assert (await bob.rest("POST", "/accounts", json={"name": "x"})).status_code == 201


@pytest.mark.settings(accounts_per_user=2)
async def test_a_key_that_was_used_is_replayed_at_the_bound(ada):
    headers = {"Idempotency-Key": "k"}
    first = await ada.rest("POST", "/accounts", json={"name": "x"}, headers=headers)
    again = await ada.rest("POST", "/accounts", json={"name": "x"}, headers=headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()


async def test_a_credit_leaves_room_for_every_refund(ada, admin, services, drain):
    async def credit(amount):
        return await admin.graphql(
            CREDIT, {"input": {"accountId": str(ada.account_id), "amount": str(amount)}}
        )

    def code(body):
        return body["errors"][0]["extensions"]["code"] if "errors" in body else None

    refused = {"to": "+15005550010", "channel": "sms", "body": "hi"}
    assert (await ada.rest("POST", "/messages", json=refused)).status_code == 202
    assert code(await credit(MOST)) == "balance_too_large"
    assert code(await credit(MOST - 100 + Decimal("0.010001"))) == "balance_too_large"
    assert code(await credit(MOST - 100 + Decimal("0.01"))) is None
    for _ in range(2):
        assert code(await credit("0.000001")) == "balance_too_large"
    # The refund lifts it above that, and fits.
    assert await drain("sms") == 1
    balance = await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    assert balance == MOST + Decimal("0.01")
    ledger = await services.db.fetchval(
        "SELECT sum(amount) FROM ledger_entries WHERE account_id = $1", ada.account_id
    )
    assert ledger == balance


async def test_credits_at_once_do_not_pass_it_together(ada, admin, services):
    half = {"input": {"accountId": str(ada.account_id), "amount": str(MOST / 2)}}
    bodies = await asyncio.gather(*(admin.graphql(CREDIT, half) for _ in range(5)))
    assert sum("errors" not in body for body in bodies) == 1
    assert await services.db.fetchval(
        "SELECT balance <= $2 FROM accounts WHERE id = $1", ada.account_id, MOST
    )
