"""A GraphQL document makes the body: checked, priced, run once, and never with more than its owner may see."""

import asyncio
import re
from datetime import timedelta
from typing import Any

import orjson
import pytest
from graphql import GraphQLObjectType

from core.errors import Unavailable
from engine.webhooks import feed
from schema.root import build
from schema.webhook_documents import FIELDS, HIDDEN, DocumentRunner
from shapes.event_feed import CATALOGUE
from tests.event_feed.test_catalogue import World as Happenings
from tests.event_feed.test_catalogue import cause
from tests.event_webhooks.world import World
from tests.support.people import Person
from tests.support.sockets import live
from tests.support.waits import until
from tests.webhooks.receiver import Receiver

PHONE = "+14155550100"
FIELDS_OF_EVENT = "uuid cursor type at subject subjectId sendingProjectUuid accountId data"
WHOLE = f"subscription {{ events {{ {FIELDS_OF_EVENT} }} }}"
_RUNNING = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status)
VALUES (gen_random_uuid(), $1, $2, $3, 'sms', 'running')
"""
SMS = {"to": PHONE, "channel": "sms", "body": "hi"}


async def test_a_document_sends_what_the_live_subscription_sends(world: World, app: Any, receiver: Receiver):
    text = "subscription { events { uuid type data message { uuid to account { name } } } }"
    await world.hook(receiver, query=text, types=["message.queued"])
    async with live(app, f"Bearer {world.ada.token}") as socket, world.delivering():
        await socket.subscribe(text)
        await asyncio.sleep(0.2)
        sent = (await world.ada.rest("POST", "/messages", json=SMS)).json()
        (call,) = await receiver.got(1)
        assert call.json == await socket.next()
    assert call.json["data"]["events"]["message"] == {
        "uuid": sent["id"], "to": PHONE, "account": {"name": "Main"},
    }  # fmt: skip
    assert call.id == call.json["data"]["events"]["uuid"]


@pytest.mark.parametrize("type", [each.type for each in CATALOGUE if each.type != "feed.nearlyFull"])
async def test_every_type_has_the_same_fields_in_all_ways(
    world: World, app: Any, bob: Person, admin: Person, receiver: Receiver, type: str
):
    """Live, by a webhook with a document, by one without, and in the feed. Another user and an administrator hear
    nothing.
    """
    happenings = Happenings(world.services, world.ada, admin)
    await happenings.make()
    documented = await world.hook(receiver, "/document", query=WHOLE, types=[type])
    await world.hook(receiver, "/plain", types=[type])
    for other in (bob, admin):
        await world.hook(receiver, "/other", who=other)
    cursor = (await world.ada.rest("GET", "/events/feed")).json()["newest"]
    async with live(app, f"Bearer {world.ada.token}") as socket:
        await socket.subscribe(
            f"subscription($a: String, $t: [String!]) {{ events(after: $a, types: $t) {{ {FIELDS_OF_EVENT} }} }}",
            {"a": cursor, "t": [type]},
        )
        await cause(happenings, type)
        heard = (await socket.next())["data"]["events"]
    listed = (await world.ada.rest("GET", "/events", params={"after": cursor, "types": type})).json()
    feed = listed["events"][0]

    def of_event() -> list[Any]:
        return [call.json for call in receiver.taken if call.id == feed["id"]]

    async with world.delivering():
        await until(lambda: len(of_event()) == 2)
        await asyncio.sleep(0.1)
    for other in (bob, admin):
        assert (await other.rest("GET", "/events")).json()["events"] == []
    assert [call for call in receiver.calls if call.path == "/hook/other"] == []
    bodies = of_event()
    (by_document,) = [
        body["data"]["events"] for body in bodies if "data" in body and "events" in body["data"]
    ]
    (plain,) = [body for body in bodies if "cursor" in body]
    assert plain == feed
    assert by_document == heard
    assert {**plain, "uuid": plain["id"], "id": None} == {**heard, "id": None}
    assert (await world.get(documented))["query"] == WHOLE


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("query { eventTypes { type } }", "must be a subscription (line 1, column 1)"),
        ("mutation { disableEvents }", "must be a subscription"),
        ("subscription { events { nothing } }", "Cannot query field 'nothing' on type 'Event' (line 1"),
        ("subscription {", "Syntax Error"),
        ("subscription($a: String) { events(after: $a) { type } }", "can't have variables"),
        ('subscription { events(types: ["block.added"]) { type } }', "can't have arguments"),
        ("subscription { queueStatisticsChanged { queued } }", "must be one of events"),
        ("subscription { events { type } messageReceived { type } }", "one top level field"),
        ("subscription { ...a } fragment a on Subscription { events { type } }", "exactly one field"),
        ("subscription { events { type account { owner { exportLinks { nodes { url } } } } } }", "ExportLink.url"),
        ("subscription { messageReceived { type } }", "only for events of the type message.received"),
        ("subscription a { events { type } } subscription b { events { type } }", "operationName"),
    ],
)  # fmt: skip
async def test_bad_documents_are_refused_with_their_place(world: World, text: str, says: str):
    body = {"url": "http://127.0.0.1:8080/hook", "query": text}
    answer = await world.ada.rest("POST", "/webhooks", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_document")
    assert says.replace("'", '"') in answer.json()["message"].replace("'", '"')


async def test_a_document_that_is_too_dear_is_refused(world: World):
    deep = (
        "subscription { events { sendingProject { records(first: 100) { nodes { sendingProject { records(first: 100)"
        " { nodes { to } } } } } } } }"
    )
    code = await world.ada.code(
        "mutation($i: NewEventWebhook!) { createWebhook(input: $i) { webhook { uuid } } }",
        {"i": {"url": "http://127.0.0.1:8080/hook", "query": deep}},
    )
    assert code == "bad_document"


def test_no_field_that_a_document_can_reach_shows_a_secret():
    """A new field with such a name has to be looked at: it is hidden, or listed here as harmless."""
    telling = re.compile(
        r"qr|secret|token|url|link|password|proxy|pairing|src|hint|key|credential|body|answer", re.IGNORECASE
    )
    harmless = {
        "Message.body",  # a text that the owner sent or received
        "MessageRecord.body",
        "SendingProject.links",  # links of advertising, the same for all of its recipients
        "Click.linkUuid",
        "Click.url",
        "ClickedLink.url",
        "SendingProject.exportLinks",
        "User.apiTokens",
        "User.exportLinks",
        "User.hookSecrets",
    }  # lists
    core = build(explorable=False)._schema
    seen, todo = set(), [core.subscription_type.fields[name].type for name in FIELDS]  # type: ignore[union-attr]
    named = set()
    while todo:
        kind: Any = todo.pop()
        while hasattr(kind, "of_type"):
            kind = kind.of_type
        if isinstance(kind, GraphQLObjectType) and kind.name not in seen:
            seen.add(kind.name)
            for name, field in kind.fields.items():
                todo.append(field.type)
                if telling.search(name):
                    named.add(f"{kind.name}.{name}")
    assert len(seen) > 30
    assert named - harmless - HIDDEN == set()
    for name in HIDDEN:
        kind_name, _, field_name = name.partition(".")
        assert field_name in core.type_map[kind_name].fields, name  # type: ignore[attr-defined]


async def test_a_document_that_is_not_valid_any_more_pauses_its_webhook(world: World, receiver: Receiver):
    """An upgrade can take a field away. The events wait until the document is mended."""
    hook = await world.hook(receiver, query="subscription { events { type } }")
    await world.services.db.fetch("UPDATE webhooks SET query = 'subscription { events { gone } }'")
    await world.block(PHONE)
    async with world.delivering():
        row = await world.becomes(hook, enabled=False)
        assert "gone" in row["disabled_reason"]
        await world.block("+14155550101")
        answer = await world.ada.rest(
            "PATCH", f"/webhooks/{hook}", json={"query": "subscription { events { data } }"}
        )
        assert (answer.json()["enabled"], answer.json()["disabledReason"]) == (True, None)
        await receiver.got(2)
    assert [call.json["data"]["events"]["data"]["phone"] for call in receiver.taken] == [
        PHONE, "+14155550101",
    ]  # fmt: skip


async def test_a_large_body_gives_way_to_the_documented_shape(world: World, receiver: Receiver):
    again = " ".join(f"a{number}: data" for number in range(25))
    await world.hook(receiver, query=f"subscription {{ events {{ {again} }} }}", types=["project.started"])
    await world.services.db.fetch(_RUNNING, world.ada.id, world.ada.account_id, "x" * 4000)
    async with world.delivering():
        (call,) = await receiver.got(1)
    assert (call.json["truncated"], call.json["type"], len(call.json["data"]["name"])) == (
        True, "project.started", 4000,
    )  # fmt: skip


async def test_a_document_that_never_comes_to_an_end_does_not_stop_the_others(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    """It waits and is tried again; then its event is sent in the documented shape."""
    body_of = DocumentRunner._body
    slow = "+14155550150"

    async def body(*arguments: Any) -> bytes:
        if arguments[-1].data["phone"] == slow:
            raise Unavailable("The statement has taken too long.")
        return await body_of(*arguments)

    monkeypatch.setattr(DocumentRunner, "_body", body)
    monkeypatch.setattr(feed, "DOCUMENT_PAUSES", (timedelta(seconds=0.3), timedelta(seconds=0.3)))
    hook = await world.hook(receiver, query="subscription { events { data } }")
    await world.block("+14155550100", slow, "+14155550101")
    async with world.delivering():
        await receiver.got(1)
        await world.becomes(hook, last_error="its document could not be run in time")
        await receiver.got(3)
        await world.becomes(hook, document_failures=0)
    first, second, third = [call.json for call in receiver.taken]
    assert first["data"]["events"]["data"]["phone"] == "+14155550100"
    assert (second["data"]["phone"], second["truncated"]) == (slow, True)
    assert third["data"]["events"]["data"]["phone"] == "+14155550101"


async def test_a_document_runs_once_and_every_attempt_sends_its_bytes(world: World, receiver: Receiver):
    hook = await world.hook(
        receiver, query="subscription { events { type account { name } } }", types=["message.queued"]
    )
    receiver.answer = 500
    await world.ada.rest("POST", "/messages", json=SMS)
    async with world.delivering():
        await world.becomes(hook, failures=1)
        await world.services.db.fetch("UPDATE accounts SET name = 'another'")
        receiver.answer = 200
        world.time.forward(seconds=10)
        await receiver.got(1)
    assert len({call.body for call in receiver.calls}) == len({call.id for call in receiver.calls}) == 1


async def test_a_document_has_no_more_permissions_than_its_owner(
    world: World, admin: Person, receiver: Receiver
):
    """An administrator has saved it and is one no more; then it sees what a user sees."""
    query = "subscription { events { type account { owner { email } ledger(first: 1) { totalCount } } } }"
    await world.hook(receiver, who=admin, query=query, types=["project.started"])
    await world.services.db.fetch(_RUNNING, admin.id, admin.account_id, "p")
    await world.services.db.fetch("UPDATE users SET roles = '{}' WHERE id = $1", admin.id)
    async with world.delivering():
        (call,) = await receiver.got(1)
    assert call.json["data"]["events"]["account"] is None
    assert "permission" in orjson.dumps(call.json["errors"]).decode()


@pytest.mark.settings(limit_graphql="50/60")
async def test_documents_pay_from_a_bucket_of_their_own(world: World, receiver: Receiver):
    await world.hook(receiver, query="subscription { events { type } }")
    await world.hook(receiver, "/plain")
    await world.blocks(200)
    async with world.delivering():
        await receiver.got(200)
        await asyncio.sleep(0.5)
    documents = [call for call in receiver.taken if "data" in call.json and "events" in call.json["data"]]
    assert 40 <= len(documents) <= 60
    assert (await world.ada.data("{ eventFeed { recording } }"))[
        "eventFeed"
    ]  # the caller's own points are there


async def test_a_preview_is_what_would_be_sent(world: World, receiver: Receiver):
    text = "subscription { events { uuid type data } }"
    await world.hook(receiver, query=text)
    await world.block(PHONE)
    async with world.delivering():
        (call,) = await receiver.got(1)
    body = {"query": text, "types": ["block.added"]}
    shown = (await world.ada.rest("POST", "/webhooks/preview", json=body)).json()
    assert (shown["body"], shown["bytes"], shown["eventId"]) == (call.json, len(call.body), call.id)
    assert shown["cost"] == 1
    plain = await world.ada.data(
        "query($i: WebhookPreview!) { previewWebhook(input: $i) { body cost } }", {"i": {"eventId": call.id}}
    )
    assert plain["previewWebhook"]["body"]["data"]["phone"] == PHONE
    assert plain["previewWebhook"]["cost"] == 0
    other = {"types": ["project.finished"]}
    assert (await world.ada.rest("POST", "/webhooks/preview", json=other)).json()["code"] == "event_not_found"
