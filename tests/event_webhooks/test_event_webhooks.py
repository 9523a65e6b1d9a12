"""Webhooks of event feeds in both doors: made, changed, tested, replayed, refused."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from engine.feed import rounds
from tests.event_webhooks.world import World, phones
from tests.support.people import Person
from tests.support.waits import until
from tests.webhooks.receiver import Receiver

CREATE = """
mutation($i: NewEventWebhook!) {
  createWebhook(input: $i) { secret webhook { uuid types query batch enabled missed replaying account { uuid } } }
}
"""
UPDATE = """
mutation($id: ID!, $i: WebhookPatch!) { updateWebhook(id: $id, input: $i) { types batch query enabled } }
"""
URL = "http://127.0.0.1:8080/hook"


async def test_a_webhook_is_made_listed_changed_and_deleted_in_both_doors(world: World):
    ada = world.ada
    made = (await ada.data(CREATE, {"i": {"url": URL, "types": ["block.added"], "batch": 10}}))[
        "createWebhook"
    ]
    assert made["secret"].startswith("whsec_")
    hook = made["webhook"]
    assert hook == {
        "uuid": hook["uuid"], "types": ["block.added"], "query": None, "batch": 10, "enabled": True, "missed": 0,
        "replaying": False, "account": None,
    }  # fmt: skip
    second = await ada.rest("POST", "/webhooks", json={"url": URL})
    assert second.status_code == 201
    assert second.json()["secret"].startswith("whsec_")
    listed = (await ada.rest("GET", "/webhooks")).json()
    assert [item["id"] for item in listed["items"]] == [hook["uuid"], second.json()["id"]]
    assert "secret" not in listed["items"][0]
    connection = await ada.data("{ webhooks { nodes { uuid types } totalCount } }")
    assert connection["webhooks"]["totalCount"] == 2
    changed = (await ada.data(UPDATE, {"id": hook["uuid"], "i": {"types": [], "batch": 1}}))["updateWebhook"]
    assert changed == {"types": [], "batch": 1, "query": None, "enabled": True}
    patched = (await ada.rest("PATCH", f"/webhooks/{hook['uuid']}", json={"enabled": False})).json()
    assert (patched["enabled"], patched["disabledReason"], patched["types"]) == (False, "switched off", [])
    assert (await ada.rest("POST", f"/webhooks/{hook['uuid']}/secret", json={})).json()["secret"]
    assert (await ada.rest("DELETE", f"/webhooks/{hook['uuid']}")).status_code == 204
    assert (await ada.rest("GET", f"/webhooks/{hook['uuid']}")).status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"url": URL, "types": ["message.nothing"]}, 400, "unknown_event_type"),
        ({"url": "http://10.0.0.1/hook"}, 400, "webhook_url_refused"),
        ({"url": URL, "secret": "short"}, 400, "invalid_secret"),
        ({"url": URL, "batch": 101}, 400, "validation_failed"),
        ({"url": URL, "batch": 0}, 400, "validation_failed"),
        ({"url": URL, "query": "x" * 20_000}, 400, "validation_failed"),
        ({"url": "ftp://example.com/"}, 400, "webhook_url_refused"),
        ({}, 400, "validation_failed"),
    ],
)
async def test_bad_input_is_refused(world: World, body: dict[str, object], status: int, code: str):
    answer = await world.ada.rest("POST", "/webhooks", json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


async def test_an_owner_has_at_most_twenty(world: World, bob: Person):
    async def one_more() -> int:
        return (await world.ada.rest("POST", "/webhooks", json={"url": URL})).status_code

    codes = await asyncio.gather(*(one_more() for _ in range(24)))
    assert sorted(codes) == [201] * 20 + [409] * 4
    assert (await bob.rest("POST", "/webhooks", json={"url": URL})).status_code == 201


async def test_a_webhook_of_an_account_has_other_settings(world: World, receiver: Receiver):
    call = {"source": "telegram", "login": "14155550100", "webhookUrls": [receiver.url]}
    assert (await world.ada.rest("POST", "/addAccount", json=call)).status_code == 200
    account = await world.services.db.fetchval("SELECT id FROM messenger_accounts")
    hook = str(await world.services.db.fetchval("SELECT id FROM webhooks"))
    feed = await world.hook(receiver)
    assert await world.ada.code(UPDATE, {"id": hook, "i": {"types": []}}) == "bad_request"
    assert await world.ada.code(UPDATE, {"id": feed, "i": {"events": ["message"]}}) == "bad_request"
    listed = await world.ada.data(
        "query($a: ID) { webhooks(accountId: $a) { nodes { uuid } } }", {"a": str(account)}
    )
    assert [node["uuid"] for node in listed["webhooks"]["nodes"]] == [hook]
    listed = await world.ada.data("{ webhooks { nodes { uuid } } }")
    assert [node["uuid"] for node in listed["webhooks"]["nodes"]] == [feed]
    assert (
        await world.ada.rest("POST", f"/webhooks/{hook}/replay", json={"since": "2026-01-01T00:00:00Z"})
    ).status_code == 400
    tested = (await world.ada.rest("POST", f"/webhooks/{hook}/test")).json()
    assert tested["delivered"]
    assert receiver.taken[0].json["hook_type"] == "test"


async def test_a_test_shows_what_the_receiver_answers(world: World, receiver: Receiver):
    hook = await world.hook(receiver, query="subscription { events { type } }")
    tested = (await world.ada.rest("POST", f"/webhooks/{hook}/test")).json()
    assert (tested["delivered"], tested["status"], tested["answer"], tested["error"]) == (
        True,
        200,
        "ok",
        None,
    )
    assert tested["body"].encode() == receiver.taken[0].body == b'{"data":{"events":{"type":"webhook.test"}}}'
    receiver.answer = 503
    shown = await world.ada.data(
        "mutation($id: ID!) { testWebhook(id: $id) { delivered error status } }", {"id": hook}
    )
    assert shown["testWebhook"] == {"delivered": False, "error": "it answered 503", "status": 503}
    assert (await world.row(hook))["failures"] == 0  # a test changes nothing


async def test_deliveries_are_listed_with_request_and_answer(world: World, receiver: Receiver):
    hook = await world.hook(receiver)
    receiver.answer = lambda call: 500 if "+14155550101" in call.body.decode() else 200
    await world.block("+14155550100", "+14155550101")
    async with world.delivering():
        await world.becomes(hook, failures=1)
    waiting, delivered = await world.deliveries(hook)
    assert (waiting["state"], waiting["attempts"], waiting["lastStatus"]) == ("waiting", 1, 500)
    assert waiting["nextAt"] is not None
    assert (delivered["state"], delivered["attempts"], delivered["lastStatus"]) == ("delivered", 1, 200)
    nodes = (
        await world.ada.data(
            "query($id: ID!) { webhookDeliveries(webhookId: $id, where: { state: { eq: delivered } }) {"
            " nodes { uuid body answer webhook { uuid } } } }",
            {"id": hook},
        )
    )["webhookDeliveries"]["nodes"]
    assert [(node["body"]["data"]["phone"], node["webhook"]["uuid"]) for node in nodes] == [
        ("+14155550100", hook)
    ]
    one = await world.ada.data(
        "query($id: ID!) { webhookDelivery(id: $id) { state } }", {"id": nodes[0]["uuid"]}
    )
    assert one["webhookDelivery"]["state"] == "delivered"


async def test_delivered_ones_are_kept_for_a_time_and_not_without_bound(world: World, receiver: Receiver):
    await world.hook(receiver)
    await world.blocks(2000)
    async with world.delivering():
        await receiver.got(2000)
    count = "SELECT count(*) FROM webhook_deliveries"
    assert 5 <= await world.services.db.fetchval(count) <= 1000
    world.time.forward(days=4)
    for _ in range(10):
        await world.look_after()
    assert await world.services.db.fetchval(count) == 0


async def test_a_replay_sends_again_what_the_feed_still_has(world: World, receiver: Receiver):
    hook = await world.hook(receiver, types=["block.added"])
    await world.block("+14155550100")
    await asyncio.sleep(0.01)
    begin = datetime.now(UTC)
    await world.blocks(700)
    async with world.delivering():
        await receiver.got(701)
        end = datetime.now(UTC)
        first = {call.id: call.body for call in receiver.taken}
        receiver.taken.clear()
        body = {"since": begin.isoformat(), "until": end.isoformat()}
        answer = await world.ada.rest("POST", f"/webhooks/{hook}/replay", json=body)
        assert answer.json() == {"count": 700}
        await receiver.got(700)
        await world.becomes(hook, replay_position=None)
        await asyncio.sleep(0.3)
    assert len(receiver.taken) == 700
    assert {call.id: call.body for call in receiver.taken}.items() <= first.items()
    assert {call.headers["postern-replayed"] for call in receiver.taken} == {"true"}
    assert "+14155550100" not in phones(receiver)


async def test_a_replay_goes_on_beside_new_events_and_never_in_their_requests(
    world: World, receiver: Receiver
):
    hook = await world.hook(receiver, batch=50)
    await world.blocks(1000)
    async with world.delivering():
        await until(lambda: _count(receiver) == 1000)
        since = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
        await world.ada.rest("POST", f"/webhooks/{hook}/replay", json={"since": since})
        for number in range(20):
            await world.blocks(10, begin=1000 + 10 * number)
            await asyncio.sleep(0.02)
        await until(lambda: _count(receiver) == 2200)
    for call in receiver.taken:
        numbers = [int(event["data"]["phone"][-6:]) for event in call.json["events"]]
        assert "postern-replayed" not in call.headers or max(numbers) <= 1000
    assert _count(receiver) == 2200


def _count(receiver: Receiver) -> int:
    return sum(len(call.json["events"]) for call in receiver.taken)


async def test_what_can_not_be_replayed(world: World, receiver: Receiver):
    hook = await world.hook(receiver)
    typed = await world.hook(
        receiver, "/typed", query="subscription { messageReceived { type } }", types=["message.received"]
    )
    path, now = f"/webhooks/{hook}/replay", datetime.now(UTC)
    hour = timedelta(hours=1)
    for body, status, code in (
        ({"since": (now - hour).isoformat(), "types": ["nothing"]}, 400, "unknown_event_type"),
        ({"since": now.isoformat(), "types": ["message.failed"]}, 400, "bad_document"),
        ({"since": now.isoformat(), "until": (now - hour).isoformat()}, 400, "validation_failed"),
    ):
        answer = await world.ada.rest("POST", f"/webhooks/{typed}/replay", json=body)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    await world.block("+14155550100")
    async with world.delivering():
        await receiver.got(1)
    since = {"since": (now - hour).isoformat()}
    assert (await world.ada.rest("POST", path, json=since)).json() == {"count": 1}
    assert (await world.row(hook))["replay_position"] is not None
    none = {"since": (now + hour).isoformat()}
    assert (await world.ada.rest("POST", path, json=none)).json() == {"count": 0}  # and it ends the other
    assert (await world.row(hook))["replay_position"] is None
    await world.ada.rest("PATCH", f"/webhooks/{hook}", json={"enabled": False})
    assert (await world.ada.rest("POST", path, json=since)).json()["code"] == "webhook_disabled"


async def test_what_happens_while_a_webhook_is_switched_off_waits(world: World, receiver: Receiver):
    hook = await world.hook(receiver)
    await world.ada.rest("PATCH", f"/webhooks/{hook}", json={"enabled": False})
    await world.block("+14155550100")
    await world.ada.rest("GET", "/events")
    await world.ada.rest("PATCH", f"/webhooks/{hook}", json={"enabled": True})
    await world.block("+14155550101")
    async with world.delivering():
        await receiver.got(2)
    assert phones(receiver) == ["+14155550100", "+14155550101"]


async def test_a_feed_with_a_webhook_is_recorded_and_can_not_be_disabled(world: World, receiver: Receiver):
    hook = await world.hook(receiver)
    await world.services.db.fetch("UPDATE event_feeds SET used_at = now() - interval '40 days'")
    await rounds.maintain(world.services)
    answer = await world.ada.rest("DELETE", "/events/feed")
    assert (answer.status_code, answer.json()["code"]) == (409, "webhooks_exist")
    await world.ada.rest("DELETE", f"/webhooks/{hook}")
    assert (await world.ada.rest("DELETE", "/events/feed")).status_code == 204
    await world.block("+14155550100")
    assert await world.services.db.fetchval("SELECT count(*) FROM event_inbox") == 0


async def test_who_hears_what(world: World, bob: Person, admin: Person, receiver: Receiver):
    """Each hears of what is theirs; an administrator of no one else's. A suspended or deleted user hears nothing."""
    for name, who in (("ada", world.ada), ("bob", bob), ("admin", admin)):
        await world.hook(receiver, f"/{name}", who=who, batch=2 + len(name))
    await world.block("+14155550100")
    await world.block("+14155550101", who=bob)
    await world.block("+14155550102", who=admin)
    async with world.delivering():
        await receiver.got(3)
        for status in ("suspended", "deleted"):
            await world.services.db.fetch("UPDATE users SET status = $2 WHERE id = $1", bob.id, status)
            await world.block("+14155550111" if status == "suspended" else "+14155550112", who=bob)
            await asyncio.sleep(0.8)
    events = [event["data"]["phone"] for call in receiver.taken for event in call.json["events"]]
    assert sorted(events) == ["+14155550100", "+14155550101", "+14155550102"]
    assert (
        await world.ada.code("query($id: ID!) { webhook(id: $id) { uuid } }", {"id": await _of(world, admin)})
        == "webhook_not_found"
    )
    assert (await admin.rest("GET", "/webhooks")).json()["meta"]["total"] == 3


async def _of(world: World, who: Person) -> str:
    return str(await world.services.db.fetchval("SELECT id FROM webhooks WHERE owner_id = $1", who.id))
