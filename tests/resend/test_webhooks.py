"""Webhooks in Resend's form: made by its clients, signed as Svix signs, with its events."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from standardwebhooks.webhooks import Webhook

from channels.sandbox import Effect
from runtime.services import Services
from runtime.webhook_documents import register
from schema.webhook_documents import runner
from tests.conftest import MakeSettings
from tests.event_webhooks.world import World
from tests.mail_reports.made import COMPLAINT, Mails, bounce
from tests.resend.client import EMAIL, agent, done, refused
from tests.support.gateway import MAGIC, Gateway, gateway
from tests.support.people import Person
from tests.support.records import Records, records
from tests.webhooks.conftest import receiver
from tests.webhooks.receiver import Call, Receiver

__all__ = ["gateway", "receiver", "records"]
NAMES = [
    "email.sent",
    "email.delivered",
    "email.bounced",
    "email.complained",
    "email.failed",
    "email.scheduled",
]


@pytest.fixture
def settings(make_settings: MakeSettings) -> Any:
    return make_settings(resend=True, outbound_allow=["127.0.0.0/8"])


@pytest.fixture
def world(services: Services, sender: Person) -> World:
    register(services, runner)
    return World(services, sender)


def verified(call: Call, secret: str) -> Any:
    """The event of a request, as Resend's own clients check and read it."""
    names = {
        "webhook-id": "svix-id",
        "webhook-timestamp": "svix-timestamp",
        "webhook-signature": "svix-signature",
    }
    assert not names.keys() & call.headers.keys()
    return Webhook(secret).verify(call.body, {ours: call.headers[svix] for ours, svix in names.items()})


async def test_a_webhook_is_made_changed_and_deleted(sender: Person, bob: Person, receiver: Receiver):
    made = await done(sender, "POST", "/webhooks", {"endpoint": receiver.url, "events": NAMES[:2]})
    assert made.keys() == {"object", "id", "signing_secret"}
    assert made["signing_secret"].startswith("whsec_")
    path = f"/webhooks/{made['id']}"
    shown = await done(sender, "GET", path)
    assert (shown["endpoint"], shown["status"], shown["events"]) == (receiver.url, "enabled", NAMES[:2])
    assert shown["signing_secret"] is None
    changes = {"status": "disabled", "events": ["email.bounced"], "endpoint": f"{receiver.url}/other"}
    assert await done(sender, "PATCH", path, changes) == {"object": "webhook", "id": made["id"]}
    shown = await done(sender, "GET", path)
    assert (shown["status"], shown["events"]) == ("disabled", ["email.bounced"])
    assert (await done(sender, "POST", f"{path}/signing-secret/rotate"))["signing_secret"] != made[
        "signing_secret"
    ]
    second = await done(sender, "POST", "/webhooks", {"endpoint": receiver.url, "events": NAMES})
    ids = [made["id"], second["id"]]
    page = await done(sender, "GET", "/webhooks?limit=1")
    assert (page["has_more"], [each["id"] for each in page["data"]]) == (True, ids[:1])
    page = await done(sender, "GET", f"/webhooks?after={ids[0]}")
    assert (page["has_more"], [each["id"] for each in page["data"]]) == (False, ids[1:])
    page = await done(sender, "GET", f"/webhooks?before={ids[1]}")
    assert [each["id"] for each in page["data"]] == ids[:1]
    for method, body in (("GET", None), ("PATCH", {"status": "enabled"}), ("DELETE", None)):
        assert (await refused(bob, method, path, body))[:2] == (404, "not_found")
    assert (await done(bob, "GET", "/webhooks"))["data"] == []
    assert (await done(sender, "DELETE", path))["deleted"]
    assert (await refused(sender, "GET", path))[:2] == (404, "not_found")


async def test_webhooks_of_another_form_are_not_shown(sender: Person, receiver: Receiver):
    answer = await sender.rest("POST", "/webhooks", json={"url": receiver.url})
    assert (await done(sender, "GET", "/webhooks"))["data"] == []
    assert (await refused(sender, "GET", f"/webhooks/{answer.json()['id']}"))[:2] == (404, "not_found")


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({}, "missing_required_field"),
        ({"endpoint": "https://example.com"}, "missing_required_field"),
        ({"endpoint": "https://example.com", "events": ["email.opened"]}, "validation_error"),
        ({"endpoint": "https://example.com", "events": "email.sent"}, "validation_error"),
        ({"endpoint": "nowhere", "events": ["email.sent"]}, "validation_error"),
        ({"endpoint": "http://10.0.0.1/", "events": ["email.sent"]}, "validation_error"),
        ({"endpoint": "https://example.com", "events": ["email.sent"], "more": 1}, "validation_error"),
        ([], "validation_error"),
    ],
)
async def test_what_is_no_webhook(sender: Person, body: Any, name: str):
    assert (await refused(sender, "POST", "/webhooks", body))[:2] == (422, name)
    key = await agent(sender, "messages:send")
    assert (await refused(key, "POST", "/webhooks", body))[0] in (401, 422)


async def test_the_events_of_an_email(world: World, receiver: Receiver, drain: Any, services: Services):
    sender = world.ada
    hook = await done(sender, "POST", "/webhooks", {"endpoint": receiver.url, "events": NAMES})
    await sender.rest("POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "no email"})
    await drain("sms")
    tagged = {**EMAIL, "tags": [{"name": "category", "value": "welcome"}]}
    id = (await done(sender, "POST", "/emails", tagged))["id"]
    await drain("email")
    later = {**EMAIL, "scheduled_at": "in 2 hours"}
    scheduled = (await done(sender, "POST", "/emails", later))["id"]
    async with world.delivering():
        calls = await receiver.got(2)
        events = [verified(call, hook["signing_secret"]) for call in calls]
        last = (await done(sender, "GET", f"/emails/{id}"))["last_event"]
    by_id = {event["data"]["email_id"]: event for event in events}
    assert by_id[scheduled]["type"] == "email.scheduled"
    event = by_id[id]
    assert event["type"] == f"email.{last}"
    assert event["data"]["from"] == EMAIL["from"]
    assert (event["data"]["to"], event["data"]["subject"]) == (["anna@example.com"], "Hello")
    assert event["data"]["tags"] == {"category": "welcome"}
    assert len(calls) == 2  # nothing for the SMS


async def test_bounces_complaints_and_failures(
    world: World, receiver: Receiver, services: Services, gateway: Gateway, records: Records, drain: Any
):
    sender = world.ada
    hook = await done(sender, "POST", "/webhooks", {"endpoint": receiver.url, "events": NAMES})
    mails = Mails(services, gateway, records, sender)
    bounced, complained = await mails.direct(count=2)
    await mails.report(bounced, bounce("hard"))
    await mails.report(complained, COMPLAINT)
    effects = {}
    for effect in (Effect.failed, Effect.bounced):
        sent = await done(sender, "POST", "/emails", {**EMAIL, "to": MAGIC["email"][effect]})
        effects[effect] = UUID(sent["id"])
    await drain("email")
    async with world.delivering():
        calls = await receiver.got(7)
    events = [verified(call, hook["signing_secret"]) for call in calls]
    told: dict[UUID, list[Any]] = {}
    for event in events:
        told.setdefault(UUID(event["data"]["email_id"]), []).append(event)
    assert [event["type"] for event in told[bounced]] == ["email.sent", "email.bounced"]
    assert told[bounced][1]["data"]["bounce"]["type"] == "Permanent"
    assert [event["type"] for event in told[complained]] == ["email.sent", "email.complained"]
    (refusal,) = told[effects[Effect.failed]]
    assert (refusal["type"], refusal["data"]["bounce"]["type"]) == ("email.bounced", "Permanent")
    assert [event["type"] for event in told[effects[Effect.bounced]]] == ["email.sent", "email.failed"]
    assert told[effects[Effect.bounced]][1]["data"]["failed"]["reason"]


async def test_a_test_and_a_preview_have_the_form(world: World, receiver: Receiver, drain: Any):
    sender = world.ada
    hook = await done(sender, "POST", "/webhooks", {"endpoint": receiver.url, "events": NAMES})
    tested = (await sender.rest("POST", f"/webhooks/{hook['id']}/test")).json()
    assert tested["delivered"]
    (call,) = receiver.taken
    assert verified(call, hook["signing_secret"])["type"] == "webhook.test"
    await sender.rest("POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "no email"})
    await sender.rest("GET", "/events")  # events get their positions
    asked = {"types": ["message.queued"], "query": "resend"}
    shown = await sender.rest("POST", "/webhooks/preview", json=asked)
    assert (shown.status_code, shown.json()["body"]) == (200, None), shown.text
    for types in ([], ["block.added"]):
        answer = await sender.rest("POST", "/webhooks/preview", json={**asked, "types": types})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_document")


async def test_an_unknown_id_is_not_found(sender: Person):
    for id in (str(uuid4()), "one"):
        assert (await refused(sender, "POST", f"/webhooks/{id}/signing-secret/rotate"))[:2] == (
            404,
            "not_found",
        )
