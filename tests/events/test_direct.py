"""Reports and replies of a user's engine about direct messages, by its hook."""

import asyncio
from uuid import uuid4

SMS = {"channel": "sms", "to": "+14155550100", "body": "Hello"}


async def sent(ada, services, drain, number="ext-1"):
    """A direct SMS that a provider has taken under its own id."""
    id = (await ada.rest("POST", "/messages", json=SMS)).json()["id"]
    await drain("sms")
    await services.db.fetch("UPDATE messages SET provider_message_id = $2 WHERE id = $1::uuid", id, number)
    return id


async def hook(ada, *events):
    answer = await ada.rest("POST", f"/delivery-hook/{ada.id}", json={"events": list(events)})
    assert answer.status_code == 202, answer.text
    return answer.json()


async def state(services, id):
    return tuple(
        await services.db.fetchrow("SELECT state, failure_code FROM messages WHERE id = $1::uuid", id)
    )


async def balance(services, ada):
    return await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)


async def test_a_report_moves_a_direct_message_by_either_id(ada, services, drain):
    first, second = await sent(ada, services, drain, "ext-1"), await sent(ada, services, drain, "ext-2")
    answer = await hook(
        ada,
        {"messageId": first, "status": "delivered"},
        {"providerMessageId": "ext-2", "status": "read"},
    )
    assert answer == {"accepted": 2, "duplicates": 0, "unknown": 0}
    assert await state(services, first) == ("delivered", None)
    assert await state(services, second) == ("delivered", None)  # the specification has no `read` for these
    await hook(ada, {"messageId": first, "status": "failed", "code": "rejected"})
    assert await state(services, first) == ("delivered", None)  # never back


async def test_one_that_failed_is_shown_and_not_refunded(ada, services, drain):
    id = await sent(ada, services, drain)
    paid = await balance(services, ada)
    for _ in range(2):
        await hook(ada, {"messageId": id, "status": "failed", "code": "rejected"})
    assert await state(services, id) == ("failed", "rejected")
    assert await balance(services, ada) == paid
    entries = await services.db.fetch("SELECT kind FROM ledger_entries WHERE reference = $1::uuid", id)
    assert [entry["kind"] for entry in entries] == ["charge"]


async def test_another_s_message_is_nobody_s(ada, bob, services, drain):
    id = await sent(ada, services, drain)
    assert await hook(bob, {"messageId": id, "status": "failed"}) == {
        "accepted": 0,
        "duplicates": 0,
        "unknown": 1,
    }
    assert (await state(services, id))[0] == "sent"


async def test_a_report_that_comes_before_our_commit_is_applied_after_it(ada, services, drain):
    id = (await ada.rest("POST", "/messages", json=SMS)).json()["id"]
    answer = await hook(ada, {"messageId": id, "status": "delivered"})
    assert answer["unknown"] == 1
    await services.db.fetch("UPDATE early_reports SET event = jsonb_set(event, '{at}', 'null')")
    await drain("sms")
    assert (await state(services, id))[0] == "delivered"
    assert await services.db.fetchval("SELECT count(*) FROM early_reports") == 0


async def test_a_reply_becomes_an_inbound_message_once(ada, services, drain):
    await sent(ada, services, drain)
    reply = {"type": "reply", "from": "+14155550100", "text": "Thanks", "providerMessageId": f"in-{uuid4()}"}
    answers = await asyncio.gather(*(hook(ada, reply) for _ in range(3)))
    assert sum(answer["unknown"] for answer in answers) == 0
    rows = await services.db.fetch(
        'SELECT "to", body, account_id FROM messages WHERE direction = $1', "inbound"
    )
    assert [tuple(row) for row in rows] == [("+14155550100", "Thanks", ada.account_id)]
    listed = (await ada.rest("GET", "/messages")).json()["items"]
    assert {item["direction"] for item in listed} == {"inbound", "outbound"}


async def test_a_stop_word_blocks_whoever_got_a_direct_message(ada, services, drain):
    await sent(ada, services, drain)
    await hook(ada, {"type": "reply", "from": "+14155550100", "text": "STOP", "providerMessageId": "in-1"})
    assert (await ada.rest("GET", "/block/count")).json()["count"] == 1
    answer = await ada.rest("POST", "/messages", json=SMS)
    assert (answer.status_code, answer.json()["code"]) == (400, "recipient_blocked")
