"""Other users do not see a sink, administrators do, and it ends with the token or the member that made it."""

import asyncio

import pytest

from tests.api_tokens.made import caller, made
from tests.event_sinks.world import World
from tests.members.made import joined
from tests.support.people import People, Person

pytestmark = pytest.mark.timeout(60)

STATUS = "{ eventSinks { nodes { uuid ownerId status { lag } } } }"
CREATE = "mutation($i: NewEventSink!) { createEventSink(input: $i) { uuid ownerId } }"


async def test_another_user_does_not_find_it_and_an_administrator_does(
    world: World, bob: Person, admin: Person
):
    sink = await world.sink()
    calls = [
        ("GET", "", None), ("GET", "/status", None), ("PATCH", "", {"name": "x"}), ("DELETE", "", None),
        ("POST", "/test", None), ("POST", "/replay", {"since": "2020-01-01T00:00:00Z"}),
    ]  # fmt: skip
    for method, path, body in calls:
        answer = await bob.rest(method, f"/event-sinks/{sink}{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "event_sink_not_found"), (method, path)
    assert (await bob.rest("GET", "/event-sinks")).json()["items"] == []
    assert (await bob.data(STATUS))["eventSinks"]["nodes"] == []
    assert (await world.get(sink, admin))["ownerId"] == str(world.ada.id)
    assert (await admin.data(STATUS))["eventSinks"]["nodes"] == [
        {"uuid": sink, "ownerId": str(world.ada.id), "status": {"lag": 0}}
    ]
    changed = await admin.rest("PATCH", f"/event-sinks/{sink}", json={"name": "Seen to"})
    assert changed.json()["name"] == "Seen to"


async def test_only_administrators_make_one_of_the_whole_installation(world: World, admin: Person):
    whole = world.input(name="All", stream="ALL", subject="all.{owner}.{type}", wholeInstallation=True)
    refused = await world.ada.rest("POST", "/event-sinks", json=whole)
    assert (refused.status_code, refused.json()["details"]["permission"]) == (403, "users:admin")
    assert await world.ada.code(CREATE, {"i": whole}) == "forbidden"
    document = {**whole, "query": "subscription { events { type } }"}
    assert await admin.code(CREATE, {"i": document}) == "bad_document"
    sink = (await admin.data(CREATE, {"i": whole}))["createEventSink"]
    assert sink["ownerId"] is None
    refused = await admin.rest("PATCH", f"/event-sinks/{sink['uuid']}", json={"query": document["query"]})
    assert refused.json()["code"] == "bad_document"
    assert (await world.ada.rest("GET", f"/event-sinks/{sink['uuid']}")).status_code == 404
    assert (await world.ada.rest("GET", "/event-sinks")).json()["items"] == []


async def test_one_of_the_installation_has_the_events_of_all(world: World, people: People, admin: Person):
    for person in (world.ada, admin):
        await person.rest("GET", "/events")  # begins the recording
    await world.sink(
        who=admin, name="All", stream="ALL", subject="all.{owner}.{type}", wholeInstallation=True
    )
    async with world.publishing():
        await world.block("+14155550100")
        await world.block("+14155550101", who=admin)
        bodies = await world.has(2, "ALL")
    assert {body["data"]["phone"] for body in bodies} == {"+14155550100", "+14155550101"}
    subjects = {message.subject for message in await world.messages("ALL")}
    assert subjects == {f"all.{person.id}.block.added" for person in (world.ada, admin)}


async def test_the_feed_stays_while_a_sink_needs_it(world: World, admin: Person):
    sink = await world.sink()
    kept = await world.ada.rest("DELETE", "/events/feed")
    assert (kept.status_code, kept.json()["code"]) == (409, "sinks_exist"), kept.text
    await world.ada.rest("DELETE", f"/event-sinks/{sink}")
    whole = await world.sink(
        who=admin, name="All", stream="ALL", subject="all.{type}", wholeInstallation=True
    )
    kept = await world.ada.rest("DELETE", "/events/feed")
    assert (kept.status_code, kept.json()["code"]) == (409, "sinks_exist"), kept.text
    await admin.rest("DELETE", f"/event-sinks/{whole}")
    assert (await world.ada.rest("DELETE", "/events/feed")).status_code == 204


@pytest.mark.parametrize("keep", [False, True])
async def test_it_ends_with_its_token_unless_it_is_kept(world: World, keep: bool):
    token, id = await made(world.ada, scopes=["events:read", "events:write"])
    sink = await world.sink(who=caller(world.ada, token))
    revoked = await world.ada.rest("DELETE", f"/api-tokens/{id}", params={"keepWebhooks": str(keep).lower()})
    assert revoked.is_success, revoked.text
    shown = await world.get(sink)
    assert (shown["enabled"], shown["disabledReason"]) == (
        (True, None) if keep else (False, "its API token was revoked")
    )


@pytest.mark.parametrize("keep", [False, True])
async def test_it_ends_with_the_membership_unless_it_is_kept(world: World, bob: Person, keep: bool):
    member, id = await joined(world.ada, bob, "manager")
    sink = await world.sink(who=member)
    assert (await world.get(sink))["ownerId"] == str(world.ada.id)
    removed = await world.ada.rest("DELETE", f"/members/{id}", params={"keepWebhooks": str(keep).lower()})
    assert removed.status_code == 200, removed.text
    assert (await world.get(sink))["enabled"] is keep


@pytest.mark.parametrize("way", ["left", "narrowed", "suspended"])
async def test_it_ends_or_pauses_with_its_maker(world: World, bob: Person, admin: Person, way: str):
    member, id = await joined(world.ada, bob, "manager")
    sink = await world.sink(who=member)
    assert (await world.get(sink))["createdBy"] == str(bob.id)
    if way == "left":
        (mine,) = (await bob.rest("GET", "/memberships")).json()
        assert (await bob.rest("DELETE", f"/memberships/{mine['id']}")).is_success
    elif way == "narrowed":
        changed = (await world.ada.rest("PATCH", f"/members/{id}", json={"role": "editor"})).json()
        assert [(each["kind"], each["credentialUuid"]) for each in changed["ended"]] == [("event_sink", sink)]
    else:
        await admin.data("mutation($i:ID!){suspendUser(id:$i){uuid}}", {"i": str(bob.id)})
    async with world.publishing():
        await world.block("+14155550100")
        await asyncio.sleep(1)
        assert await world.messages() == []
        if way == "suspended":
            await admin.data("mutation($i:ID!){activateUser(id:$i){uuid}}", {"i": str(bob.id)})
            assert [body["data"]["phone"] for body in await world.has(1)] == ["+14155550100"]
    assert (await world.get(sink))["enabled"] is (way == "suspended")


@pytest.mark.parametrize("is_changed", [False, True], ids=["as made", "changed"])
async def test_the_installation_s_ends_with_its_administrator(
    world: World, admin: Person, people: People, is_changed: bool
):
    other = await people.make("other@example.com", admin=True)
    whole = world.input(name="All", stream="ALL", subject="all.{type}", wholeInstallation=True)
    sink = (await other.rest("POST", "/event-sinks", json=whole)).json()["id"]
    if is_changed:
        patched = await other.rest("PATCH", f"/event-sinks/{sink}", json={"query": None})
        assert patched.status_code == 200, patched.text
    changed = await admin.rest("PATCH", f"/users/{other.id}", json={"roles": ["user"]})
    assert changed.status_code == 200, changed.text
    shown = await world.get(sink, admin)
    assert not shown["enabled"] and "may not make it" in shown["disabledReason"]


async def test_a_member_needs_the_permission(world: World, bob: Person):
    member, _ = await joined(world.ada, bob, "viewer", permissions=["events:read"])
    sink = await world.sink()
    assert (await world.get(sink, member))["id"] == sink
    answer = await member.rest("POST", "/event-sinks", json=world.input(name="Other"))
    assert (answer.status_code, answer.json()["details"]["permission"]) == (403, "events:write")
    assert (await member.rest("POST", f"/event-sinks/{sink}/test")).status_code == 403
