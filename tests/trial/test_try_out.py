"""POST /test-sending: one message, charged like any other, and what became of it."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from channels.sandbox import box
from core import change_events
from resolvers import trial as sending
from tests.support.gateway import MAGIC
from tests.support.records import Records
from tests.support.waits import until

PHONE = "+14155550177"


async def send(person: Any, status: int = 200, **body: Any) -> Any:
    headers = body.pop("headers", {})
    body = {"channel": "sms", "to": PHONE, "text": "Hello {{ name }}", "variables": {"name": "Ada"}} | body
    answer = await person.rest("POST", "/test-sending", json=body, headers=headers)
    assert answer.status_code == status, answer.text
    return answer.json()


async def balance(person: Any) -> float:
    return float((await person.rest("GET", f"/accounts/{person.account_id}/balance")).json()["balance"])


def taken(id: str) -> Any:
    """The message as the sandbox took it."""
    (accepted,) = [message for message in box().outbox if message.message.id == UUID(id)]
    return accepted.message


@pytest.mark.usefixtures("working")
async def test_an_sms_goes_the_way_of_every_message(records: Records, ada: Any, bob: Any) -> None:
    answer = await send(ada)
    assert (answer["status"], answer["error"]) == ("sent", None)
    assert answer["providerMessageId"]
    assert taken(answer["messageId"]).body == "Hello Ada"
    assert await balance(ada) == 99.99
    assert (await ada.rest("GET", f"/messages/{answer['messageId']}")).json()["body"] == "Hello Ada"
    assert (await bob.rest("GET", f"/messages/{answer['messageId']}")).status_code == 404


@pytest.mark.usefixtures("working")
@pytest.mark.parametrize("channel", ["email", "push"])
async def test_the_other_kinds(channel: str, records: Records, ada: Any) -> None:
    to = {"email": "anna@example.com", "push": "device-token"}[channel]
    answer = await send(ada, channel=channel, to=to, subject="For {{ name }}", html="<b>{{ name }}</b>")
    message = taken(answer["messageId"])
    if channel == "email":
        assert (message.subject, message.html) == ("[Test] For Ada", "<b>Ada</b>")
    else:
        assert message.metadata["title"] == "For Ada"


@pytest.mark.usefixtures("working")
async def test_what_fails_says_why_and_costs_nothing(records: Records, ada: Any) -> None:
    answer = await send(ada, to=MAGIC["sms"]["failed"])
    assert (answer["status"], answer["error"]["code"]) == ("failed", "invalid_recipient")
    assert answer["error"]["message"]
    assert await balance(ada) == 100


async def test_it_waits_no_longer_than_it_says(records: Records, ada: Any, monkeypatch: Any) -> None:
    """No worker is there."""
    monkeypatch.setattr(sending, "WAIT", 0.2)
    answer = await send(ada)
    assert (answer["status"], answer["providerMessageId"], answer["error"]) == ("queued", None, None)


async def test_an_announcement_ends_the_wait(
    records: Records, ada: Any, drain: Any, monkeypatch: Any
) -> None:
    """The state is read when the worker announces it, and not at intervals; else the test runs into its timeout."""
    monkeypatch.setattr(sending, "_LOOK_SECONDS", 10_000.0)
    monkeypatch.setattr(sending, "WAIT", 1000.0)
    asked = asyncio.create_task(send(ada))
    await until(lambda: records.count("messages"))
    await asyncio.sleep(0.5)  # the first read is over: it has found a queued message
    assert not asked.done()
    await drain("sms")
    assert (await asked)["status"] == "sent"


@pytest.mark.usefixtures("working")
async def test_a_result_that_nobody_announces_is_found(records: Records, ada: Any, monkeypatch: Any) -> None:
    """A worker that dies after its commit announces nothing, nor does one without Redis."""
    monkeypatch.setattr(change_events, "message", lambda *_: None)
    monkeypatch.setattr(sending, "WAIT", 20.0)
    assert (await send(ada))["status"] == "sent"


async def test_a_process_that_drains_waits_no_longer(
    records: Records, ada: Any, services: Any, monkeypatch: Any
) -> None:
    """No worker is there. Without the end of the wait the test runs into its own timeout."""
    monkeypatch.setattr(sending, "WAIT", 1000.0)
    asked = asyncio.create_task(send(ada))
    await until(lambda: records.count("messages"))
    services.draining = True
    assert (await asked)["status"] == "queued"


async def test_a_key_of_the_release_before_is_known(records: Records, ada: Any, monkeypatch: Any) -> None:
    """The operation had another name; the answers of its keys keep it."""
    monkeypatch.setattr(sending, "WAIT", 0.1)
    await send(ada, headers={"idempotency-key": "k1"})
    rows = await records.db.fetch("SELECT operation FROM idempotency_keys")
    assert [row["operation"] for row in rows] == ["test_sending.send"]


@pytest.mark.usefixtures("working")
async def test_the_same_key_is_the_same_message(records: Records, ada: Any) -> None:
    key = {"idempotency-key": "k1"}
    first, again = await send(ada, headers=key), await send(ada, headers=key)
    assert first == again
    assert await balance(ada) == 99.99
    await send(ada, 422, headers=key, text="something else")
    messenger = {"headers": {"idempotency-key": "k2"}, "channel": "whatsapp"}
    first, again = await send(ada, **messenger), await send(ada, **messenger)
    assert first == again
    taken(first["messageId"])
    for other in ({"to": "+14155550178"}, {"text": "something else"}, {"variables": {"name": "Bob"}}):
        refused = await send(ada, 422, **{**messenger, **other})
        assert refused["code"] == "idempotency_key_reused"


@pytest.mark.usefixtures("working")
@pytest.mark.parametrize(
    ("channel", "to", "address"),
    [
        ("whatsapp", "(415) 555-0100", "+14155550100"),
        ("telegram", "+7 999 123 45 67", "+79991234567"),
        ("telegram", " @ada_lovelace", "@ada_lovelace"),
        ("telegram", "123456789", "123456789"),
    ],
)
async def test_messengers_take_it_at_once(
    channel: str, to: str, address: str, records: Records, ada: Any
) -> None:
    made = await ada.rest(
        "POST", "/account/create", json={"source": channel, "login": "7999", "token": "t" * 20}
    )
    answer = await send(ada, channel=channel, to=to, accountUuid=made.json()["uuid"])
    assert (answer["status"], answer["error"]) == ("sent", None)
    message = taken(answer["messageId"])
    assert (message.to, message.body, message.metadata) == (
        address,
        "Hello Ada",
        {"sender": made.json()["uuid"]},
    )


PRICED = """UPDATE tariffs SET prices = jsonb_set(prices, '{USD,whatsapp}', '0.5') WHERE code = 'default'"""


@pytest.mark.usefixtures("working")
async def test_a_messenger_s_price_is_charged_and_given_back(records: Records, ada: Any, people: Any) -> None:
    await records.db.fetch(PRICED)
    await send(ada, channel="whatsapp")
    assert await balance(ada) == 99.5
    refused = await send(ada, channel="whatsapp", to=MAGIC["sms"]["failed"])
    assert (refused["status"], refused["error"]["code"]) == ("failed", "invalid_recipient")
    assert await balance(ada) == 99.5
    poor = await people.make(credit="0.4")
    assert (await send(poor, 402, channel="whatsapp"))["code"] == "insufficient_balance"
    rows = await records.db.fetch(
        "SELECT kind, amount FROM ledger_entries WHERE kind <> 'credit' ORDER BY id"
    )
    assert [(row["kind"], float(row["amount"])) for row in rows] == [
        ("charge", -0.5), ("charge", -0.5), ("refund", 0.5),
    ]  # fmt: skip
    rows = await records.db.fetch("SELECT trial, state, price::float8 AS price FROM messages ORDER BY id")
    assert [tuple(row) for row in rows] == [(True, "sent", 0.5), (True, "failed", 0.5)]


@pytest.mark.settings(channel_whatsapp="sandbox://?timeout=3&deliver=0")
@pytest.mark.usefixtures("working")
async def test_a_messenger_that_never_answers(records: Records, ada: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(sending, "WAIT", 0.2)
    answer = await send(ada, channel="whatsapp", to=MAGIC["sms"]["silent"])
    assert (answer["status"], answer["error"]) == ("sending", None)


@pytest.mark.usefixtures("working")
@pytest.mark.settings(channel_whatsapp="post://127.0.0.1:1/send?scheme=http, sandbox://second?deliver=0")
async def test_the_next_way_out_is_tried(records: Records, ada: Any) -> None:
    answer = await send(ada, channel="whatsapp")
    assert answer["status"] == "sent"
    assert box("second").outbox[-1].message.id == UUID(answer["messageId"])


@pytest.mark.usefixtures("working")
@pytest.mark.settings(channel_whatsapp="post://127.0.0.1:1/send?scheme=http")
async def test_no_way_out(records: Records, ada: Any) -> None:
    answer = await send(ada, channel="whatsapp")
    assert (answer["status"], answer["error"]["code"]) == ("failed", "connect_failed")


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({"to": "12"}, 400, "invalid_recipient"),
    ({"channel": "email"}, 400, "invalid_recipient"),
    ({"channel": "whatsapp", "to": "@ada"}, 400, "invalid_recipient"),
    ({"channel": "telegram", "to": "@" + "a" * 100}, 400, "invalid_recipient"),
    ({"text": "{{ name"}, 400, "bad_text"),
    ({"text": "{{ nobody }}"}, 400, "bad_text"),
    ({"text": "x" * 1601}, 400, "bad_text"),
    ({"text": ""}, 400, "validation_failed"),
    ({"channel": "pigeon"}, 400, "validation_failed"),
    ({"more": 1}, 400, "validation_failed"),
    ({"variables": {"a": "\x00"}}, 400, "validation_failed"),
    ({"accountUuid": "01890000-0000-7000-8000-000000000000"}, 404, "source_account_not_found"),
]


async def test_what_is_refused_is_not_charged(records: Records, ada: Any) -> None:
    for changes, status, code in REFUSED:
        assert (await send(ada, status, **changes))["code"] == code, changes
    assert await records.count("messages") == 0
    assert await balance(ada) == 100


async def test_a_sender_must_be_one_s_own_and_connected(records: Records, ada: Any, bob: Any) -> None:
    body = {"source": "telegram", "login": "7999", "token": "t" * 20}
    mine = (await ada.rest("POST", "/account/create", json=body)).json()["uuid"]
    telegram = {"channel": "telegram", "accountUuid": mine}
    assert (await send(bob, 404, **telegram))["code"] == "source_account_not_found"
    await records.db.fetch("UPDATE source_accounts SET status = 'blocked'")
    assert (await send(ada, 409, **telegram))["code"] == "sender_offline"


async def test_the_blocked_and_the_tariff(records: Records, ada: Any) -> None:
    await ada.rest("POST", f"/block/{PHONE}", json={})
    for channel in ("sms", "whatsapp"):
        assert (await send(ada, 409, channel=channel))["code"] == "recipient_blocked"
    await records.db.fetch("UPDATE tariffs SET channels = '{push}'")
    for channel in ("sms", "whatsapp"):
        refused = await send(ada, 403, channel=channel, to="+14155550178")
        assert refused["code"] == "channel_not_in_tariff"


@pytest.mark.usefixtures("working")
@pytest.mark.settings(limit_test_sending="3/60")
async def test_it_is_limited_by_user(records: Records, ada: Any, bob: Any) -> None:
    await records.services.store.client.flushdb()
    answers = await asyncio.gather(
        *(
            ada.rest("POST", "/test-sending", json={"channel": "telegram", "to": "@ada", "text": "hi"})
            for _ in range(5)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 429, 429]
    assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 429)
    await send(bob, channel="telegram")


@pytest.mark.usefixtures("working")
async def test_the_graphql_door_does_the_same(records: Records, ada: Any) -> None:
    query = """mutation($v: JSON){sendTestMessage(input: {channel: sms, to: "+14155550177", text: "Hi {{ name }}",
      variables: $v}){messageId status providerMessageId error{code message}}}"""
    answer = (await ada.data(query, {"v": {"name": "Ada"}}))["sendTestMessage"]
    assert (answer["status"], answer["error"]) == ("sent", None)
    assert taken(answer["messageId"]).body == "Hi Ada"


@pytest.mark.usefixtures("working")
async def test_a_key_and_a_later_refusal_never_give_back_what_was_sent(records: Records, ada: Any) -> None:
    """The second of them was once answered as if it were the first, and its refusal refunded the first one."""
    await records.db.fetch(PRICED)
    key = {"headers": {"idempotency-key": "k3"}, "channel": "whatsapp"}
    assert (await send(ada, **key))["status"] == "sent"
    assert (await send(ada, 422, **key, to=MAGIC["sms"]["failed"]))["code"] == "idempotency_key_reused"
    assert (await send(ada, **key))["status"] == "sent"
    assert await balance(ada) == 99.5


@pytest.mark.usefixtures("working")
async def test_one_key_at_once_is_one_message(records: Records, ada: Any) -> None:
    await records.db.fetch(PRICED)
    key = {"headers": {"idempotency-key": "k4"}, "channel": "telegram", "to": "@ada_lovelace"}
    body = {"channel": "whatsapp", "to": PHONE, "text": "hi"}
    answers = await asyncio.gather(
        *(ada.rest("POST", "/test-sending", json=body, headers=key["headers"]) for _ in range(10))
    )
    ids = {answer.json()["messageId"] for answer in answers if answer.status_code == 200}
    assert len(ids) == 1
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert await balance(ada) == 99.5


@pytest.mark.usefixtures("working")
async def test_trials_are_shown_where_they_belong(records: Records, ada: Any, bob: Any, admin: Any) -> None:
    sms = await send(ada)
    messenger = await send(ada, channel="telegram", to="@ada_lovelace")
    listed = (await ada.rest("GET", "/messages")).json()
    assert [(row["id"], row["trial"]) for row in listed["items"]] == [(sms["messageId"], True)]
    assert listed["meta"]["total"] == 1
    assert (await admin.rest("GET", "/messages")).json()["meta"]["total"] == 1
    assert (await ada.rest("GET", f"/messages/{messenger['messageId']}")).status_code == 404
    seen = await ada.data("{messages{totalCount nodes{uuid trial}}}")
    assert seen["messages"] == {"totalCount": 1, "nodes": [{"uuid": sms["messageId"], "trial": True}]}
    for answer in (sms, messenger):
        shown = await ada.rest("GET", f"/test-sending/{answer['messageId']}")
        assert shown.json() == answer
        assert (await bob.rest("GET", f"/test-sending/{answer['messageId']}")).status_code == 404
        assert (await admin.rest("GET", f"/test-sending/{answer['messageId']}")).status_code == 200
    trials = "{trialMessages{totalCount nodes{uuid channel deliveryState to body failureCode}}}"
    assert (await ada.data(trials))["trialMessages"]["nodes"] == [
        {"uuid": messenger["messageId"], "channel": "telegram", "deliveryState": "sent", "to": "@ada_lovelace",
         "body": "Hello Ada", "failureCode": None},
        {"uuid": sms["messageId"], "channel": "sms", "deliveryState": "sent", "to": PHONE,
         "body": "Hello Ada", "failureCode": None},
    ]  # fmt: skip
    assert (await bob.data(trials))["trialMessages"]["totalCount"] == 0
    query = "query($id:ID!){trialMessage(id:$id){uuid}}"
    assert (await ada.data(query, {"id": messenger["messageId"]}))["trialMessage"] is not None
    assert (await bob.graphql(query, {"id": messenger["messageId"]}))["data"]["trialMessage"] is None


@pytest.mark.usefixtures("working")
async def test_a_trial_is_no_direct_message_of_the_statistics(records: Records, ada: Any) -> None:
    await send(ada)
    await send(ada, channel="telegram", to="@ada_lovelace")
    assert (await ada.rest("GET", "/statistics/total", params={"kind": "direct"})).json()["counts"][
        "total"
    ] == 0
    await ada.rest("POST", "/messages", json={"to": PHONE, "channel": "sms", "body": "x"})
    assert (await ada.rest("GET", "/statistics/total", params={"kind": "direct"})).json()["counts"][
        "total"
    ] == 1


async def test_a_crash_before_the_hand_over_leaves_a_message_that_is_sent(
    records: Records, ada: Any, monkeypatch: Any, drain: Any
) -> None:
    """The caller is gone, but the row and its charge exist, and the next worker takes it."""
    await records.db.fetch(PRICED)
    monkeypatch.setattr(sending, "WAIT", 0.05)
    answer = await send(ada, channel="whatsapp")
    assert answer["status"] == "queued"
    assert await balance(ada) == 99.5
    assert await drain("whatsapp") == 1
    shown = (await ada.rest("GET", f"/test-sending/{answer['messageId']}")).json()
    assert shown["status"] == "sent"
    taken(answer["messageId"])
