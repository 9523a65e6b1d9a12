"""POST /messages and what follows: money, states, both doors."""

import asyncio
from decimal import Decimal
from random import sample

import pytest

from tests.support.people import People, Person

SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}


async def _balance(person: Person) -> Decimal:
    answer = await person.rest("GET", f"/accounts/{person.account_id}/balance")
    return Decimal(str(answer.json()["balance"]))


async def test_a_message_is_charged_queued_sent_and_the_same_in_both_doors(ada, drain):
    answer = await ada.rest("POST", "/messages", json=SMS)
    assert answer.status_code == 202, answer.text
    message = answer.json()
    assert message["status"] == "queued"
    assert set(message) == {
        "id", "accountId", "direction", "channel", "status", "to", "body", "providerMessageId", "createdAt",
        "category", "trial", "updatedAt", "from", "sender", "price", "pricePrefix", "priceVersionId", "reportedBy",
        "deliveryState", "failureCode", "failureReason", "waitingFor", "sendAt", "steps",
        "templateId", "templateVersion", "templateLocale",
    }  # fmt: skip
    assert await _balance(ada) == Decimal("99.99")
    assert await drain("sms") == 1
    sent = (await ada.rest("GET", f"/messages/{message['id']}")).json()
    assert sent["status"] == "sent"
    seen = await ada.data(
        "query($id: ID!) { message(id: $id) { uuid status deliveryState provider price } }",
        {"id": message["id"]},
    )
    assert seen["message"] == {
        "uuid": message["id"],
        "status": "sent",
        "deliveryState": "sent",
        "provider": "sandbox",
        "price": 0.01,
    }


async def test_a_refused_message_is_refunded_once(ada, drain):
    message = (await ada.rest("POST", "/messages", json={**SMS, "to": "+15005550010"})).json()
    assert await _balance(ada) == Decimal("99.99")
    await drain("sms")
    assert (await ada.rest("GET", f"/messages/{message['id']}/status")).json()["status"] == "failed"
    assert await _balance(ada) == Decimal(100)


async def test_fifty_parallel_sends_with_funds_for_ten_accept_exactly_ten(people: People):
    poor = await people.make(credit="0.1")
    answers = await asyncio.gather(*(poor.rest("POST", "/messages", json=SMS) for _ in range(50)))
    assert sorted(answer.status_code for answer in answers) == [202] * 10 + [402] * 40
    assert await _balance(poor) == 0
    ledger = await poor.data(
        "query($id: ID!) { account(id: $id) { ledger(first: 100) { nodes { amount } } } }",
        {"id": str(poor.account_id)},
    )
    assert sum(Decimal(str(item["amount"])) for item in ledger["account"]["ledger"]["nodes"]) == 0


@pytest.mark.settings(limit_messages="2/60")
async def test_the_rate_limit_says_when_to_come_back(ada):
    for _ in range(2):
        assert (await ada.rest("POST", "/messages", json=SMS)).status_code == 202
    refused = await ada.rest("POST", "/messages", json=SMS)
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 30
    assert refused.headers["ratelimit-limit"] == "2"


async def test_a_repeated_key_gives_the_first_answer_and_one_message(ada):
    key = {"Idempotency-Key": "k1"}
    first = await ada.rest("POST", "/messages", json=SMS, headers=key)
    again = await ada.rest("POST", "/messages", json=SMS, headers=key)
    assert again.status_code == 202
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    other = await ada.rest("POST", "/messages", json={**SMS, "body": "else"}, headers=key)
    assert other.status_code == 422
    assert (await ada.rest("GET", "/messages")).json()["meta"]["total"] == 1
    # The same key through the other door is the same key.
    body = await ada.graphql(
        'mutation { sendMessage(input: {to: "+14155550100", channel: sms, body: "hi"}) { uuid deliveryState } }',
        **key,
    )
    assert body["data"]["sendMessage"] == {"uuid": first.json()["id"], "deliveryState": "queued"}


async def test_an_account_that_another_transaction_holds_is_not_waited_for(ada, services):
    body = {"channel": "email", "to": "a@example.com", "body": "x"}
    async with services.db.reading() as db, db.transaction():
        await db.execute("SELECT FROM accounts WHERE id = $1 FOR UPDATE", ada.account_id)
        answer = await ada.rest("POST", "/messages", json=body, headers={"Idempotency-Key": "k"})
    assert (answer.status_code, answer.json()["code"]) == (429, "account_busy")
    assert answer.headers["retry-after"] == "1"
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 0
    assert await services.db.fetchval("SELECT count(*) FROM idempotency_keys") == 0
    again = await ada.rest("POST", "/messages", json=body, headers={"Idempotency-Key": "k"})
    assert again.status_code == 202


async def test_a_push_target_that_no_index_could_hold_is_refused(ada):
    """A row of an index of PostgreSQL has at most 2,704 bytes."""
    body = {"channel": "push", "body": "hi"}
    answer = await ada.rest("POST", "/messages", json={**body, "to": "é" * 1251})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_recipient")
    assert "2,500 bytes" in answer.json()["message"]
    random = "".join(map(chr, sample(range(0x4E00, 0x9FA5), 833)))  # which PostgreSQL can't compress
    assert (await ada.rest("POST", "/messages", json={**body, "to": random})).status_code == 202
