"""Events of a feed reach a webhook: once, in order, signed, filtered, in batches."""

import asyncio
from uuid import UUID

import pytest
from standardwebhooks.webhooks import Webhook

from tests.event_webhooks.world import World, phones
from tests.support.people import Person
from tests.support.waits import until
from tests.webhooks.receiver import Receiver
from tests.webhooks.world import SECRET

PHONE = "+14155550100"


async def test_what_happens_is_posted_as_the_feed_tells_it(world: World, receiver: Receiver):
    await world.block("+14155550199")  # before anybody listened
    hook = await world.hook(receiver)
    await world.block(PHONE)
    async with world.delivering():
        (call,) = await receiver.got(1)
    (event,) = (await world.ada.rest("GET", "/events")).json()["events"]
    assert call.json == event
    assert (call.id, event["type"], event["data"]["phone"]) == (event["id"], "block.added", PHONE)
    assert Webhook(SECRET).verify(call.body, call.headers) == event
    await world.becomes(hook, last_status=200)
    (delivery,) = await world.deliveries(hook, "delivered")
    assert (delivery["attempts"], delivery["lastStatus"], delivery["answer"]) == (1, 200, "ok")
    assert delivery["body"].encode() == call.body
    assert delivery["seconds"] > 0


async def test_two_webhooks_get_the_types_that_they_asked_for(world: World, receiver: Receiver):
    await world.hook(receiver, "/all")
    await world.hook(receiver, "/removed", types=["block.removed"])
    await world.block(PHONE)
    await world.ada.rest("POST", f"/block/unblock/{PHONE}")
    async with world.delivering():
        await receiver.got(3)
        await asyncio.sleep(0.3)
    assert sorted(call.json["type"] for call in receiver.taken) == [
        "block.added", "block.removed", "block.removed",
    ]  # fmt: skip


async def test_filters_leave_out_other_projects_and_accounts(world: World, receiver: Receiver):
    ada, db = world.ada, world.services.db
    project = "01890000-0000-7000-8000-00000000000a"
    await db.fetch(
        "INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status)"
        " VALUES ($1, $2, $3, 'p', 'sms', 'draft')",
        project, ada.id, ada.account_id,
    )  # fmt: skip
    other = (await ada.rest("POST", "/accounts", json={"name": "other", "currency": "USD"})).json()["id"]
    await world.hook(receiver, "/project", sendingProjectUuid=project)
    await world.hook(receiver, "/account", payingAccountId=str(ada.account_id))
    await world.hook(receiver, "/other", payingAccountId=other)
    await world.block(PHONE)
    await db.fetch("UPDATE sending_projects SET status = 'running' WHERE id = $1", project)
    async with world.delivering():
        await receiver.got(2)
        await asyncio.sleep(0.3)
    assert [call.json["type"] for call in receiver.taken] == ["project.started"] * 2


async def test_foreign_objects_are_not_found(world: World, bob: Person, receiver: Receiver):
    for name in ("sendingProjectUuid", "payingAccountId", "messengerAccountUuid"):
        body = {"url": receiver.url, name: str(world.ada.account_id)}
        assert (await bob.rest("POST", "/webhooks", json=body)).status_code == 404


async def test_a_batch_is_one_request_and_nothing_is_lost_or_twice(world: World, receiver: Receiver):
    await world.hook(receiver, batch=100)
    await world.blocks(1050)
    async with world.delivering():
        await receiver.got(11)
        await asyncio.sleep(0.3)
    events = [event for call in receiver.taken for event in call.json["events"]]
    assert len({event["id"] for event in events}) == len(events) == 1050
    assert max(len(call.json["events"]) for call in receiver.taken) == 100
    assert len({call.id for call in receiver.taken}) == len(receiver.taken)


async def test_a_batch_that_failed_goes_out_again_in_parts(world: World, receiver: Receiver):
    """An event that its receiver refuses does not hold up the others: first small groups, then one by one."""
    hook = await world.hook(receiver, batch=20)
    await world.blocks(20)
    poison = "+1415555000004"
    receiver.answer = lambda call: 500 if poison in call.body.decode() else 200
    async with world.delivering():
        await world.becomes(hook, failures=1)
        world.time.forward(seconds=7)
        await until(lambda: len(_phones(receiver)) == 15)
        world.time.forward(seconds=7)
        await until(lambda: len(_phones(receiver)) == 19)
    assert poison not in _phones(receiver)
    assert len(set(_phones(receiver))) == 19
    assert [len(call.json["events"]) for call in receiver.calls] == [20, *[5] * 4, *[1] * 5]


def _phones(receiver: Receiver) -> list[str]:
    """Returns the phones of the accepted events, from requests with several."""
    return [event["data"]["phone"] for call in receiver.taken for event in call.json["events"]]


@pytest.mark.parametrize("batch", [1, 10])
async def test_events_of_one_subject_keep_their_order_through_failures(
    world: World, receiver: Receiver, batch: int
):
    hook = await world.hook(receiver, types=["block.added", "block.removed"], batch=batch)
    await world.block(PHONE)
    await world.ada.rest("POST", f"/block/unblock/{PHONE}")
    receiver.answer = 500
    async with world.delivering():
        for failures, seconds in ((1, 10), (2, 400), (3, 3000)):
            await world.becomes(hook, failures=failures)
            if failures == 3:
                receiver.answer = 200
            world.time.forward(seconds=seconds)
        await receiver.got(2)
    events = [event for call in receiver.taken for event in call.json.get("events", [call.json])]
    assert [event["type"] for event in events] == ["block.added", "block.removed"]


async def test_a_webhook_that_is_down_leaves_its_events_in_the_feed(world: World, receiver: Receiver):
    """Few deliveries wait, however many events there are; all of them come when it works again."""
    hook = await world.hook(receiver)
    receiver.answer = 500
    await world.blocks(3000)
    async with world.delivering():
        await world.becomes(hook, failures=8)
    waiting = await world.services.db.fetchval("SELECT count(*) FROM webhook_deliveries")
    assert 0 < waiting <= 500
    receiver.answer = 200
    world.time.forward(seconds=10)
    async with world.delivering():
        await receiver.got(3000)
    assert len(set(phones(receiver))) == 3000


async def test_events_that_were_deleted_before_their_turn_are_counted(world: World, receiver: Receiver):
    hook = await world.hook(receiver)
    await world.blocks(100)
    await world.ada.rest("GET", "/events")
    await world.services.db.fetch("DELETE FROM events WHERE position <= 40")
    await world.services.db.fetch("UPDATE event_feeds SET pruned_position = 40")
    async with world.delivering():
        await receiver.got(60)
    shown = await world.get(hook)
    assert shown.get("missed") == 40, shown


async def test_two_workers_deliver_each_event_once(world: World, receiver: Receiver):
    for number in range(4):
        await world.hook(receiver, f"/{number}")
    async with world.delivering(), world.delivering():
        for number in range(20):
            await world.blocks(20, begin=20 * number)
        await receiver.got(1600)
        await asyncio.sleep(0.3)
    assert len(receiver.taken) == 1600


async def test_a_suspended_owner_s_events_wait(world: World, receiver: Receiver):
    await world.hook(receiver)
    await world.services.db.fetch("UPDATE users SET status = 'suspended' WHERE id = $1", world.ada.id)
    await world.block(PHONE)
    async with world.delivering():
        await asyncio.sleep(0.6)
        assert receiver.calls == []
        await world.services.db.fetch("UPDATE users SET status = 'active' WHERE id = $1", world.ada.id)
        await receiver.got(1)


_OF_MESSAGE = """query ($id: ID!) {
  message(id: $id) { webhookDeliveries { totalCount nodes { type state attempts webhook { uuid } } } }
}"""


async def test_a_message_shows_which_webhooks_received_its_events(
    world: World, receiver: Receiver, bob: Person
):
    first, second = await world.hook(receiver, "/first"), await world.hook(receiver, "/second")
    sms = {"to": PHONE, "channel": "sms", "body": "Hello"}
    sent = (await world.ada.rest("POST", "/messages", json=sms)).json()["id"]
    other = (await world.ada.rest("POST", "/messages", json=sms)).json()["id"]
    async with world.delivering():
        await receiver.got(4)
        await world.becomes(first, last_status=200)
        await world.becomes(second, last_status=200)

    async def delivered() -> bool:
        rows = await world.deliveries(first, "delivered") + await world.deliveries(second, "delivered")
        return len(rows) == 4

    await until(delivered)
    for id in (sent, other):
        of_message = (await world.ada.data(_OF_MESSAGE, {"id": id}))["message"]["webhookDeliveries"]
        assert of_message["totalCount"] == 2
        assert {node["webhook"]["uuid"] for node in of_message["nodes"]} == {first, second}
        assert {(node["type"], node["state"]) for node in of_message["nodes"]} == {
            ("message.queued", "delivered")
        }
    # Who owns the message now sees only the deliveries of webhooks that are theirs.
    await world.services.db.fetch("UPDATE webhooks SET owner_id = $1 WHERE id = $2", bob.id, UUID(second))
    of_message = (await world.ada.data(_OF_MESSAGE, {"id": sent}))["message"]["webhookDeliveries"]
    assert [node["webhook"]["uuid"] for node in of_message["nodes"]] == [first]
