"""Scopes of blocks and categories of messages: what is sent to whom, at the door and at dispatch."""

import asyncio
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from channels.sandbox import box
from engine import blocks
from shapes.blocks import BlockReason, BlockScope
from tests.support.people import People, Person

PHONE = "+14155550100"
SMS = {"to": PHONE, "channel": "sms", "body": "hi"}
SEND = """mutation($to:String!,$c:MessageCategory!){
  sendMessage(input:{to:$to,channel:sms,body:"hi",category:$c}){uuid category trial status}}"""


async def balance(person: Person) -> Decimal:
    return Decimal(
        str((await person.rest("GET", f"/accounts/{person.account_id}/balance")).json()["balance"])
    )


async def block(person: Person, address: str = PHONE, **body: Any) -> dict[str, Any]:
    answer = await person.rest("POST", f"/block/{address}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_message_says_its_category(ada: Person):
    made = (await ada.rest("POST", "/messages", json=SMS)).json()
    assert (made["category"], made["trial"]) == ("transactional", False)
    made = (await ada.rest("POST", "/messages", json={**SMS, "category": "promotional"})).json()
    assert made["category"] == "promotional"
    seen = (await ada.data(SEND, {"to": PHONE, "c": "promotional"}))["sendMessage"]
    assert (seen["category"], seen["trial"]) == ("promotional", False)
    answer = await ada.rest("POST", "/messages", json={**SMS, "category": "spam"})
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")


@pytest.mark.parametrize("price", ["paid", "free"])
@pytest.mark.parametrize(
    ("scope", "refused"), [("all", {"transactional", "promotional"}), ("promotional", {"promotional"})]
)
async def test_a_blocked_recipient_gets_no_direct_message(
    ada: Person, services: Any, scope: str, refused: set[str], price: str
):
    if price == "free":
        await services.db.fetch("UPDATE tariffs SET prices = jsonb_set(prices, '{USD,sms}', '0')")
    await block(ada, scope=scope)
    before = await balance(ada)
    for category in ("transactional", "promotional"):
        answer = await ada.rest("POST", "/messages", json={**SMS, "category": category})
        body = await ada.graphql(SEND, {"to": PHONE, "c": category})
        if category in refused:
            assert (answer.status_code, answer.json()["code"]) == (400, "recipient_blocked")
            assert body["errors"][0]["extensions"]["code"] == "recipient_blocked"
        else:
            assert answer.status_code == 202, answer.text
            assert body["data"]["sendMessage"]["status"] == "queued"
    sent = 2 * (2 - len(refused))
    assert await services.db.fetchval("SELECT count(*) FROM messages") == sent
    assert await balance(ada) == before - (sent * Decimal("0.01") if price == "paid" else 0)


async def test_a_block_is_its_owner_s(ada: Person, bob: Person):
    await block(bob)
    assert (await ada.rest("POST", "/messages", json=SMS)).status_code == 202
    assert (await bob.rest("POST", "/messages", json=SMS)).status_code == 400


async def test_too_poor_is_still_too_poor(people: People):
    poor = await people.make(credit="0")
    assert (await poor.rest("POST", "/messages", json=SMS)).status_code == 402
    await block(poor)
    assert (await poor.rest("POST", "/messages", json=SMS)).status_code == 400


async def test_a_refused_one_can_be_sent_again_under_its_key(ada: Person):
    await block(ada)
    key = {"Idempotency-Key": "k1"}
    assert (await ada.rest("POST", "/messages", json=SMS, headers=key)).status_code == 400
    await ada.rest("POST", f"/block/unblock/{PHONE}")
    assert (await ada.rest("POST", "/messages", json=SMS, headers=key)).status_code == 202


async def test_who_is_blocked_before_dispatch_gets_nothing_and_it_is_refunded(
    ada: Person, drain: Any, services: Any
):
    box().outbox.clear()
    made = {
        category: (await ada.rest("POST", "/messages", json={**SMS, "category": category})).json()["id"]
        for category in ("transactional", "promotional")
    }
    await block(ada, scope="promotional")
    await drain("sms")
    states = {
        str(row["id"]): (row["state"], row["failure_code"])
        for row in await services.db.fetch("SELECT id, state, failure_code FROM messages")
    }
    assert states == {
        made["transactional"]: ("sent", None),
        made["promotional"]: ("failed", "recipient_blocked"),
    }
    assert [str(accepted.message.id) for accepted in box().outbox] == [made["transactional"]]
    assert await balance(ada) == Decimal("99.99")


async def test_what_may_have_been_taken_is_asked_about_all_the_same(ada: Person, drain: Any, services: Any):
    """It went out before the block: the sandbox drops the second one, and says what it did with the first."""
    id = (await ada.rest("POST", "/messages", json=SMS)).json()["id"]
    await services.db.fetch("UPDATE messages SET handed_at = now(), provider = 'sandbox'")
    await block(ada)
    await drain("sms")
    assert await services.db.fetchval("SELECT state FROM messages WHERE id = $1", UUID(id)) == "sent"
    assert await balance(ada) == Decimal("99.99")


async def test_a_block_only_widens_and_unblocking_removes_it(ada: Person):
    made = await block(ada, scope="promotional", reason="unsubscribed")
    assert (made["scope"], made["reason"]) == ("promotional", "unsubscribed")
    assert (await block(ada))["scope"] == "all"
    blocked = await block(ada, scope="promotional")
    assert (blocked["scope"], blocked["uuid"]) == ("all", made["uuid"])
    seen = await ada.data(
        "mutation($p:String!){blockPhone(phone:$p,input:{scope:promotional}){scope reason}}", {"p": PHONE}
    )
    assert seen["blockPhone"] == {"scope": "all", "reason": "unsubscribed"}
    await ada.rest("POST", f"/block/unblock/{PHONE}")
    assert (await block(ada, scope="promotional"))["scope"] == "promotional"
    answer = await ada.rest("POST", f"/block/{PHONE}", json={"scope": "some"})
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")
    data = await ada.data("{blockedPhones(where:{scope:{eq:promotional}}){nodes{phone scope}}}")
    assert data["blockedPhones"]["nodes"] == [{"phone": PHONE, "scope": "promotional"}]


async def test_blocks_at_once_end_in_the_widest(ada: Person, services: Any):
    async def one(scope: BlockScope) -> None:
        async with services.db.reading() as connection:
            await blocks.block(connection, UUID(str(ada.id)), PHONE, BlockReason.unsubscribed, scope)

    await asyncio.gather(*(one(scope) for scope in [BlockScope.all, BlockScope.promotional] * 10))
    (row,) = (await ada.rest("GET", "/block/list")).json()["items"]
    assert (row["scope"], row["reason"]) == ("all", "unsubscribed")


async def test_blocks_from_before_stop_everything(ada: Person, services: Any):
    """A version that knows no scopes inserts its blocks without one."""
    await services.db.fetch(
        "INSERT INTO blocked_phones (id, owner_id, phone) VALUES (gen_random_uuid(), $1, $2)", ada.id, PHONE
    )
    assert (await ada.rest("POST", "/messages", json=SMS)).json()["code"] == "recipient_blocked"
