"""Event sinks in both doors: made, listed, changed, tested, replayed, deleted."""

import asyncio
import json
from typing import Any

import pytest

from tests.event_sinks.world import World
from tests.support.people import Person

pytestmark = pytest.mark.timeout(60)

CREATE = """
mutation($i: NewEventSink!) {
  createEventSink(input: $i) {
    uuid name kind url stream subject makeStream replicas duplicateWindowSeconds types query enabled failures
    owner { email } status { lag ratePerSecond published missed replaying }
  }
}
"""
UPDATE = (
    "mutation($id: ID!, $i: EventSinkPatch!) { updateEventSink(id: $id, input: $i) { name types enabled } }"
)
TEST = "mutation($id: ID!) { testEventSink(id: $id) { acknowledged error code subject sequence } }"
REPLAY = "mutation($id: ID!, $i: EventSinkReplay!) { replayEventSink(id: $id, input: $i) }"
NOW = {"since": "2020-01-01T00:00:00Z"}


async def test_a_sink_is_made_listed_changed_and_deleted_in_both_doors(world: World):
    ada = world.ada
    made = (await ada.data(CREATE, {"i": world.input(types=["block.added"])}))["createEventSink"]
    assert made == {
        "uuid": made["uuid"], "name": "Warehouse", "kind": "nats", "url": f"nats://127.0.0.1:{world.port}",
        "stream": "POSTERN", "subject": "postern.{owner}.{type}", "makeStream": True, "replicas": 1,
        "duplicateWindowSeconds": 120, "types": ["block.added"], "query": None, "enabled": True, "failures": 0,
        "owner": {"email": ada.email},
        "status": {"lag": 0, "ratePerSecond": 0, "published": 0, "missed": 0, "replaying": False},
    }  # fmt: skip
    second = await ada.rest("POST", "/event-sinks", json=world.input(name="Archive"))
    assert second.status_code == 201, second.text
    listed = (await ada.rest("GET", "/event-sinks")).json()
    assert [item["name"] for item in listed["items"]] == ["Warehouse", "Archive"]
    connection = (await ada.data("{ eventSinks { totalCount nodes { name } } }"))["eventSinks"]
    assert connection == {"totalCount": 2, "nodes": [{"name": "Warehouse"}, {"name": "Archive"}]}
    changed = await ada.data(UPDATE, {"id": made["uuid"], "i": {"types": [], "name": "Lake"}})
    assert changed["updateEventSink"] == {"name": "Lake", "types": [], "enabled": True}
    patched = (await ada.rest("PATCH", f"/event-sinks/{made['uuid']}", json={"enabled": False})).json()
    assert (patched["enabled"], patched["disabledReason"], patched["name"]) == (False, "switched off", "Lake")
    one = (await ada.data("query($id: ID!) { eventSink(id: $id) { name url } }", {"id": made["uuid"]}))[
        "eventSink"
    ]
    assert one == {"name": "Lake", "url": f"nats://127.0.0.1:{world.port}"}
    assert (await ada.rest("DELETE", f"/event-sinks/{made['uuid']}")).status_code == 204
    assert (
        await ada.data("mutation($id: ID!) { deleteEventSink(id: $id) }", {"id": second.json()["id"]})
    ) == {"deleteEventSink": True}
    assert (await ada.rest("GET", "/event-sinks")).json()["items"] == []
    assert await world.messages() == []  # the stream is still there, and nothing was published


async def test_no_answer_has_a_password(world: World, admin: Person):
    sink = await world.sink()
    answers = [
        await world.get(sink),
        (await world.ada.rest("GET", "/event-sinks")).json(),
        (await world.ada.rest("PATCH", f"/event-sinks/{sink}", json={"url": world.url})).json(),
        (await world.ada.rest("POST", f"/event-sinks/{sink}/test")).json(),
        (await admin.rest("GET", "/event-sinks")).json(),
        (await admin.rest("GET", "/audit", params={"objectId": sink})).json(),
    ]
    assert len(answers[-1]["items"]) >= 1
    for answer in answers:
        assert "secret" not in json.dumps(answer)
    assert b"secret" not in (await world.row(sink))["url_encrypted"]


async def test_the_broker_is_asked_before_a_sink_is_stored(world: World):
    assert await world.messages() == []
    await world.sink(duplicateWindowSeconds=30)
    async with world.broker.client(user="postern", password="secret") as client:
        config = (await client.jetstream().stream_info("POSTERN")).config
    assert (config.num_replicas, config.duplicate_window) == (1, 30)
    assert config.subjects == ["postern.*.>"]


async def test_a_test_publishes_an_event_and_says_where(world: World):
    sink = await world.sink()
    subject = f"postern.{world.ada.id}.sink.test"
    tested = (await world.ada.rest("POST", f"/event-sinks/{sink}/test")).json()
    assert (tested["acknowledged"], tested["error"], tested["sequence"], tested["subject"]) == (
        True,
        None,
        1,
        subject,
    )
    again = (await world.ada.data(TEST, {"id": sink}))["testEventSink"]
    assert again == {"acknowledged": True, "error": None, "code": None, "subject": subject, "sequence": 2}
    assert [body["type"] for body in await world.bodies()] == ["sink.test", "sink.test"]
    world.broker.nodes[0].kill()
    failed = (await world.ada.data(TEST, {"id": sink}))["testEventSink"]
    assert (failed["acknowledged"], failed["code"], failed["sequence"]) == (False, "broker_away", None)
    assert failed["error"]
    assert (await world.get(sink))["failures"] == 0  # a test changes nothing


async def test_events_are_published_with_their_status_and_again(world: World):
    sink = await world.sink()
    other = await world.sink(name="Blocks", stream="BLOCKS", subject="blocks.{type}", types=["block.removed"])
    async with world.publishing():
        await world.block("+14155550100", "+14155550101")
        bodies = await world.has(2)
        assert [body["data"]["phone"] for body in bodies] == ["+14155550100", "+14155550101"]

        status = await world.becomes(sink, published=2)
        assert (status["lag"], status["missed"], status["replaying"]) == (0, 0, False)
        assert (await world.get(sink))["publishedAt"] is not None
        assert (await world.status(other))["published"] == 0
        assert await world.messages("BLOCKS") == []
    events = (await world.ada.rest("GET", "/events")).json()
    assert [event["id"] for event in events["events"]] == [body["id"] for body in bodies]


async def test_a_replay_begins_at_a_cursor_or_a_time(world: World):
    await world.sink(name="Other", stream="BLOCKS", subject="blocks.{type}", types=["block.removed"])
    sink = await world.sink(duplicateWindowSeconds=1)
    async with world.publishing():
        await world.block("+14155550100", "+14155550101", "+14155550102")
        await world.has(3)
        await world.becomes(sink, published=3)
        events = (await world.ada.rest("GET", "/events")).json()["events"]
        await asyncio.sleep(1.5)  # past the duplicate window
        answer = await world.ada.rest(
            "POST", f"/event-sinks/{sink}/replay", json={"after": events[1]["cursor"]}
        )
        assert (answer.status_code, answer.json()) == (200, {"count": 1}), answer.text
        bodies = await world.has(4)
        assert bodies[3] == bodies[2]
        await world.becomes(sink, replaying=False)
        await asyncio.sleep(1.5)
        assert await world.ada.data(REPLAY, {"id": sink, "i": NOW}) == {"replayEventSink": 3}
        bodies = await world.has(7)
        assert [body["id"] for body in bodies[4:]] == [event["id"] for event in events]
        await world.becomes(sink, replaying=False)
        await asyncio.sleep(1.5)
        only = {**NOW, "types": ["block.removed"]}
        assert await world.ada.data(REPLAY, {"id": sink, "i": only}) == {"replayEventSink": 3}
        await world.becomes(sink, replaying=False)
        assert len(await world.messages()) == 7


async def test_a_replay_has_its_rules(world: World, bob: Person, admin: Person):
    sink = await world.sink()
    path = f"/event-sinks/{sink}/replay"
    await world.block("+14155550100")
    cursor = (await world.ada.rest("GET", "/events")).json()["next"]
    of_bob = (await bob.rest("GET", "/events")).json()["next"]
    whole = await world.sink(
        who=admin, name="All", stream="ALL", subject="all.{type}", wholeInstallation=True
    )

    async def code(body: Any, path: str = path, who: Person = world.ada) -> tuple[int, str]:
        answer = await who.rest("POST", path, json=body)
        return answer.status_code, answer.json()["code"]

    assert await code({}) == (400, "validation_failed")
    assert await code({**NOW, "after": cursor}) == (400, "validation_failed")
    assert await code({"after": "x"}) == (400, "bad_cursor")
    assert await code({"after": of_bob}) == (400, "bad_cursor")
    assert await code({**NOW, "types": ["x"]}) == (400, "unknown_event_type")
    assert await code({"after": cursor}, f"/event-sinks/{whole}/replay", admin) == (
        400,
        "cursor_of_installation",
    )
    await world.services.db.fetch(
        "UPDATE event_feeds SET pruned_position = last_position + 9, last_position = last_position + 9"
    )
    gone = await world.ada.rest("POST", path, json={"after": cursor})
    assert (gone.status_code, gone.json()["code"]) == (410, "cursor_expired")
    again = await world.ada.rest("POST", path, json={"after": gone.json()["details"]["oldest"]})
    assert (again.status_code, again.json()) == (200, {"count": 0})
    await world.ada.rest("PATCH", f"/event-sinks/{sink}", json={"enabled": False})
    assert await code(NOW) == (409, "event_sink_disabled")
