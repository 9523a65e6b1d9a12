"""POST /messages/batch: each item is what POST /messages would have made of it, in their order."""

import asyncio
from collections import Counter
from decimal import Decimal
from typing import Any

import pytest

from runtime.services import Services
from tests.api_tokens.made import caller, made
from tests.reach.limited import counted, limited, phone
from tests.support.people import People, Person

SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
EMAIL = {"to": "a@example.com", "channel": "email", "body": "hi"}
SEND = """mutation($inputs:[BatchMessage!]!){
  sendMessages(inputs:$inputs){index message{uuid to price} error{code message details}}
}"""
COUNT = "SELECT count(*) FROM messages"


async def batch(person: Person, *items: Any, key: str | None = None) -> list[dict[str, Any]]:
    """Sends a batch. Returns the results."""
    headers = {"Idempotency-Key": key} if key else {}
    answer = await person.rest("POST", "/messages/batch", json={"messages": items}, headers=headers)
    assert answer.status_code == 200, answer.text
    results: list[dict[str, Any]] = answer.json()["results"]
    assert [result["index"] for result in results] == list(range(len(items)))
    assert all((result["message"] is None) != (result["error"] is None) for result in results)
    return results


def codes(results: list[dict[str, Any]]) -> list[str | None]:
    """Returns the code of each result's error."""
    return [result["error"] and result["error"]["code"] for result in results]


async def balance(person: Person, services: Services) -> Decimal:
    """Returns what the account has, which must be the sum of its ledger."""
    row = await services.db.fetchrow(
        "SELECT balance, (SELECT sum(amount) FROM ledger_entries WHERE account_id = a.id) AS ledger"
        " FROM accounts AS a WHERE id = $1",
        person.account_id,
    )
    assert row["balance"] == (row["ledger"] or 0)
    return Decimal(row["balance"])


@pytest.mark.settings(limit_messages="1000/60")
async def test_five_hundred_messages_in_their_order(ada: Person, services: Services, drain: Any):
    items = [{**SMS, "to": phone(number), "body": f"text {number}"} for number in range(500)]
    results = await batch(ada, *items)
    assert [result["message"]["to"] for result in results] == [item["to"] for item in items]
    assert [result["message"]["body"] for result in results] == [item["body"] for item in items]
    assert all(result["message"]["status"] == "queued" for result in results)
    single = (await ada.rest("POST", "/messages", json=SMS)).json()
    assert set(results[0]["message"]) == set(single)
    assert await balance(ada, services) == Decimal(100) - 501 * Decimal("0.01")
    assert await services.db.fetchval(COUNT) == 501
    assert len({result["message"]["id"] for result in results}) == 500
    assert await drain("sms") == 501


async def test_a_bad_item_fails_alone_in_both_doors(ada: Person, services: Services):
    await ada.rest("POST", "/block/+14155550111")
    bad = [
        ({"channel": "sms", "body": "hi"}, "validation_failed"),
        ({**SMS, "body": "x" * 1601}, "validation_failed"),
        ({**SMS, "to": "nonsense"}, "invalid_recipient"),
        ({**SMS, "to": "+14155550111"}, "recipient_blocked"),
        ({**SMS, "accountId": "01890000-0000-7000-8000-000000000000"}, "account_not_found"),
        ({**SMS, "from": "a@example.com"}, "bad_sender"),
        ({**SMS, "sender": "Acme"}, "sender_not_approved"),
        ({**EMAIL, "metadata": {"replyTo": 1}}, "bad_metadata"),
        (
            {**EMAIL, "metadata": {"attachmentUuids": ["01890000-0000-7000-8000-000000000000"]}},
            "file_not_found",
        ),
        ({**SMS, "unknown": 1}, "validation_failed"),
        (17, "validation_failed"),
        (None, "validation_failed"),
        ({**SMS, "metadata": {"deep": "\ud800"}}, "validation_failed"),
    ]
    items = [SMS, *(item for item, _ in bad), EMAIL]
    results = await batch(ada, *items[:13], items[-1])
    assert codes(results) == [None, *(code for _, code in bad[:12]), None]
    assert results[1]["error"]["details"] == {"rules": ["to: field required"]}
    for result in results[11:13]:
        rules = result["error"]["details"]["rules"]
        assert rules == ["an item must be an object with the fields of a message"]
    paid = [Decimal(str(result["message"]["price"])) for result in results if result["message"]]
    assert await balance(ada, services) == 100 - sum(paid)
    # GraphQL itself refuses what has another type; the lengths are those of each item.
    answer = await ada.data(
        SEND,
        {"inputs": [SMS, {**SMS, "body": "x" * 1601}, {**SMS, "to": ""}, {**SMS, "to": "nonsense"}, EMAIL]},
    )
    assert codes(answer["sendMessages"]) == [None, *["validation_failed"] * 2, "invalid_recipient", None]
    rules = answer["sendMessages"][1]["error"]["details"]["rules"]
    assert rules == ["body: string should have at most 1600 characters"]
    assert await services.db.fetchval(COUNT) == 4


@pytest.mark.parametrize(
    "body",
    [
        [],
        [SMS],
        {"messages": []},
        {"messages": [SMS] * 501},
        {"messages": "x"},
        {},
        {"messages": [SMS], "x": 1},
    ],
)
async def test_an_envelope_that_is_none_is_refused(ada: Person, services: Services, body: Any):
    answer = await ada.rest("POST", "/messages/batch", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")
    assert await services.db.fetchval(COUNT) == 0


async def test_an_item_of_null_fails_alone_by_graphql_too(ada: Person, services: Services):
    send = SEND.replace("[BatchMessage!]!", "[BatchMessage]!")
    sent = (await ada.data(send, {"inputs": [SMS, None, EMAIL]}))["sendMessages"]
    assert codes(sent) == [None, "validation_failed", None]
    assert sent[1]["error"]["details"]["rules"] == ["an item must be an object with the fields of a message"]
    written = "mutation{sendMessages(inputs:[null]){error{code}}}"
    assert await ada.data(written) == {"sendMessages": [{"error": {"code": "validation_failed"}}]}
    assert await services.db.fetchval(COUNT) == 2


async def test_graphql_bounds_the_list_and_counts_its_items(ada: Person):
    assert await ada.code(SEND, {"inputs": []}) == "validation_failed"
    assert await ada.code(SEND, {"inputs": [SMS] * 501}) == "validation_failed"
    few, many = [
        (await ada.graphql(SEND, {"inputs": [SMS] * count}))["extensions"]["cost"]["requested"]
        for count in (1, 50)
    ]
    assert many - few >= 49


async def test_the_balance_pays_for_the_first_ones(people: People, services: Services):
    poor = await people.make(credit="0.035")
    results = await batch(poor, *[{**SMS, "to": phone(number)} for number in range(10)])
    assert codes(results) == [None] * 3 + ["insufficient_balance"] * 7
    assert await balance(poor, services) == Decimal("0.005")


async def test_each_item_is_charged_to_its_account(people: People, services: Services):
    rich = await people.make(credit="1")
    answer = await rich.rest("POST", "/accounts", json={"name": "Other", "currency": "USD"})
    other = answer.json()["id"]
    items = [SMS, {**SMS, "accountId": other}, {**SMS, "accountId": str(rich.account_id)}]
    results = await batch(rich, *items)
    assert codes(results) == [None, "insufficient_balance", None]
    assert await balance(rich, services) == Decimal("0.98")
    await services.db.fetch("UPDATE accounts SET balance = 1 WHERE id = $1", rich.account_id)


@pytest.mark.settings(limit_messages="4/3600")
async def test_beyond_the_rate_limit_items_wait_uncharged(ada: Person, services: Services):
    await ada.rest("POST", "/messages", json=SMS)
    results = await batch(ada, *[SMS] * 3, {**SMS, "to": "x"}, SMS)
    assert codes(results) == [None] * 3 + ["rate_limited"] * 2
    assert results[3]["error"]["details"]["limit"] == 4
    assert await balance(ada, services) == Decimal("99.96")
    assert codes(await batch(ada, SMS)) == ["rate_limited"]


async def test_the_key_of_a_batch_returns_its_answer(ada: Person, services: Services):
    items = [SMS, {**SMS, "to": "x"}, EMAIL]
    first = await ada.rest(
        "POST", "/messages/batch", json={"messages": items}, headers={"Idempotency-Key": "b"}
    )
    again = await ada.rest(
        "POST", "/messages/batch", json={"messages": items}, headers={"Idempotency-Key": "b"}
    )
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    other = await ada.rest(
        "POST", "/messages/batch", json={"messages": items[:2]}, headers={"Idempotency-Key": "b"}
    )
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    # The other door has the same keys.
    body = await ada.graphql(SEND, {"inputs": items}, **{"Idempotency-Key": "b"})
    assert [result["message"] and result["message"]["uuid"] for result in body["data"]["sendMessages"]] == [
        result["message"] and result["message"]["id"] for result in first.json()["results"]
    ]
    assert codes(body["data"]["sendMessages"]) == codes(first.json()["results"])
    assert await services.db.fetchval(COUNT) == 2


async def test_thirty_two_at_once_with_one_key_send_it_once(ada: Person, services: Services):
    items = [{**SMS, "to": phone(number), "key": f"k{number}"} for number in range(20)]

    async def send(number: int) -> Any:
        headers = {"Idempotency-Key": "b" if number % 2 else f"b{number}"}
        return await ada.rest("POST", "/messages/batch", json={"messages": items}, headers=headers)

    answers = await asyncio.gather(*map(send, range(32)))
    assert {answer.status_code for answer in answers} <= {200, 409, 429}
    assert await services.db.fetchval(COUNT) == 20
    assert await balance(ada, services) == Decimal("99.8")
    ids = {
        (result["index"], result["message"]["id"])
        for answer in answers
        if answer.status_code == 200
        for result in answer.json()["results"]
        if result["message"]
    }
    assert len(ids) == 20
    assert {result["error"]["code"] for answer in answers if answer.status_code == 200
            for result in answer.json()["results"] if result["error"]} <= {"idempotency_in_flight"}  # fmt: skip


async def test_the_key_of_an_item_is_that_of_a_single_message(ada: Person, services: Services):
    single = await ada.rest("POST", "/messages", json=SMS, headers={"Idempotency-Key": "one"})
    results = await batch(ada, {**SMS, "key": "one"}, {**EMAIL, "key": "two"}, {**SMS, "key": "two"})
    assert results[0]["message"]["id"] == single.json()["id"]
    assert codes(results) == [None, None, "duplicate_key"]
    # As a single message, and in another batch under another key of the batch.
    again = await ada.rest("POST", "/messages", json=EMAIL, headers={"Idempotency-Key": "two"})
    assert (again.status_code, again.json()["id"]) == (202, results[1]["message"]["id"])
    assert again.headers["idempotent-replayed"] == "true"
    more = await batch(ada, {**EMAIL, "key": "two"}, {**SMS, "body": "else", "key": "one"}, key="other")
    assert more[0]["message"] == results[1]["message"]
    assert codes(more) == [None, "idempotency_key_reused"]
    assert await services.db.fetchval(COUNT) == 2


@pytest.mark.settings(limit_messages="3/3600")
async def test_a_repeated_item_costs_nothing_and_no_rate(ada: Person, services: Services):
    items = [{**SMS, "to": phone(number), "key": f"k{number}"} for number in range(3)]
    first = await batch(ada, *items)
    assert await batch(ada, *items) == first
    assert await balance(ada, services) == Decimal("99.97")


async def test_the_limits_of_a_token_count_each_item(ada: Person, services: Services):
    token, _ = await made(ada, spendPerDay=0.03, scopes=["messages:send"])
    results = await batch(caller(ada, token), *[SMS] * 5)
    assert codes(results) == [None] * 3 + ["token_spend_limit"] * 2
    token, _ = await made(ada, messagesPerDay=2, scopes=["messages:send"])
    assert codes(await batch(caller(ada, token), *[SMS] * 3)) == [None, None, "token_message_limit"]
    assert await balance(ada, services) == Decimal("99.95")


async def test_recipients_of_a_limited_token_are_counted_if_they_are_sent_to(ada: Person, services: Services):
    token, id = await limited(ada, 3)
    await ada.rest("POST", f"/block/{phone(9)}")
    items = [{**SMS, "to": phone(number)} for number in (0, 9, 1, 0, 2, 3, 4, 1)]
    results = await batch(token, *items)
    beyond = "approval_required"
    assert codes(results) == [None, "recipient_blocked", None, None, None, beyond, beyond, None]
    assert results[5]["error"]["details"] == {"limit": 3, "used": 3, "asked": 1}
    assert await counted(services, id) == 3
    assert codes(await batch(token, {**SMS, "to": phone(2)}, {**SMS, "to": phone(5)})) == [None, beyond]
    assert await counted(services, id) == 3


async def test_the_cap_of_a_country_counts_each_item(ada: Person, services: Services):
    assert (await ada.rest("PUT", "/country-rules", json={"perHour": 3})).status_code == 200
    results = await batch(ada, *[{**SMS, "to": phone(number)} for number in range(5)], EMAIL)
    assert codes(results) == [None] * 3 + ["rate_limited"] * 2 + [None]
    assert results[3]["error"]["details"]["country"] == "US"
    assert await services.db.fetchval(COUNT) == 4


async def test_a_locked_account_is_named_and_nothing_is_sent(ada: Person, services: Services):
    async with services.db.reading() as db, db.transaction():
        await db.execute("SELECT FROM accounts WHERE id = $1 FOR UPDATE", ada.account_id)
        headers = {"Idempotency-Key": "k"}
        answer = await ada.rest("POST", "/messages/batch", json={"messages": [SMS] * 60}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (429, "account_busy")
    assert await services.db.fetchval(COUNT) == 0
    # It has cost none of the 60 messages of a minute.
    assert codes(await batch(ada, *[SMS] * 60, key="k")) == [None] * 60


async def test_of_two_accounts_the_one_that_is_free_pays(ada: Person, services: Services):
    answer = await ada.rest("POST", "/accounts", json={"name": "Other", "currency": "USD"})
    other = answer.json()["id"]
    async with services.db.reading() as db, db.transaction():
        await db.execute("SELECT FROM accounts WHERE id = $1 FOR UPDATE", other)
        results = await batch(ada, {**SMS, "accountId": other}, {**SMS, "accountId": str(ada.account_id)})
    assert codes(results) == ["account_busy", None]


async def test_another_user_pays_from_an_own_account(ada: Person, bob: Person, services: Services):
    results = await batch(bob, {**SMS, "accountId": str(ada.account_id)}, SMS)
    assert codes(results) == ["account_not_found", None]
    assert await balance(ada, services) == Decimal(100)


async def test_a_body_of_more_than_the_bound_is_refused(ada: Person, services: Services):
    metadata = {"text": "x" * (256 * 1024 - 100)}
    items = [{**EMAIL, "metadata": metadata}] * 500
    answer = await ada.rest("POST", "/messages/batch", json={"messages": items})
    assert answer.status_code == 413
    results = await batch(ada, *items[:7])
    assert Counter(codes(results)) == {None: 7}
    assert await services.db.fetchval(COUNT) == 7
