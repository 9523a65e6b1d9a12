"""`statusCallback` of a message: each change of its status reaches the URL, signed, through the outbox of webhooks."""

import asyncio
import signal
from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from standardwebhooks import Webhook

from engine.webhooks import callbacks
from engine.webhooks.callbacks import IN_USE, MOST
from runtime.services import Services
from tests.api_tokens.made import caller, made
from tests.members.made import joined
from tests.messages.test_batch import SMS, batch, codes
from tests.support.people import Person
from tests.support.tls import self_signed, server_side
from tests.support.waits import until
from tests.webhooks.conftest import Spawn, settings, spawn
from tests.webhooks.receiver import Receiver, receiving
from tests.webhooks.world import World

__all__ = ["settings", "spawn"]

REFUSED = "+15005550010"  # by the sandbox
DELIVERED = "UPDATE messages SET state = 'delivered', delivered_at = now(), updated_at = now() WHERE id = $1"
COUNT = "SELECT count(*) FROM webhook_deliveries"
DELIVERIES = """query($id:ID!){message(id:$id){webhookDeliveries{nodes{
  type state eventId webhook{uuid url secretHint: enabled}
}}}}"""


@pytest.fixture
async def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Receiver]:
    """Returns a receiver over TLS, whose certificate this process and its children trust."""
    certificate = self_signed(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with receiving(server_side(certificate)) as made:
        yield made


@pytest.fixture
def world(services: Services, ada: Person) -> World:
    return World(services, ada)


async def _sent(person: Person, url: str, **changes: Any) -> str:
    answer = await person.rest("POST", "/messages", json={**SMS, "statusCallback": url, **changes})
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


async def _secret(person: Person) -> str:
    answer = await person.rest("POST", "/status-callbacks/secret")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["secret"])


async def test_each_change_comes_signed_and_in_order(
    ada: Person, world: World, receiver: Receiver, drain: Any
):
    secret = await _secret(ada)
    id = await _sent(ada, f"{receiver.url}?order=4711")
    refused = await _sent(ada, receiver.url, to=REFUSED)
    silent = (await ada.rest("POST", "/messages", json=SMS)).json()["id"]
    assert await world.services.db.fetchval(COUNT) == 0  # the answer says that it is queued
    await drain("sms")
    await world.services.db.fetch(DELIVERED, UUID(id))
    async with world.delivering():
        calls = await receiver.got(3)
    assert silent not in {call.json["subjectId"] for call in calls}
    of_first = [call for call in calls if call.json["subjectId"] == id]
    assert [call.json["type"] for call in of_first] == ["message.sent", "message.delivered"]
    assert {call.path for call in of_first} == {"/hook?order=4711"}
    (failed,) = [call for call in calls if call.json["subjectId"] == refused]
    assert (failed.json["type"], failed.json["data"]["price"]) == ("message.refused", 0)
    assert failed.json["data"]["failureCode"]
    for call in calls:
        Webhook(secret).verify(call.body, call.headers)
        assert call.json["id"] == call.id
        assert call.json["data"]["uuid"] == call.json["subjectId"]
        assert call.json["accountId"] == str(ada.account_id)


async def test_the_event_is_that_of_a_webhook(ada: Person, world: World, receiver: Receiver, drain: Any):
    await ada.rest("POST", "/events/enable")
    await ada.data("mutation{enableEvents{__typename}}")
    id = await _sent(ada, receiver.url)
    await drain("sms")
    async with world.delivering():
        (call, *_) = await receiver.got(1)
    events = (await ada.rest("GET", "/events", params={"types": call.json["type"]})).json()["events"]
    (event,) = [each for each in events if each["subjectId"] == id]
    own = {"id", "cursor", "at"}
    assert call.json["data"] == event["data"]
    assert {**call.json, **dict.fromkeys(own)} == {**event, **dict.fromkeys(own)}


async def test_its_deliveries_are_shown_as_those_of_webhooks(
    ada: Person, bob: Person, world: World, receiver: Receiver, drain: Any
):
    id = await _sent(ada, receiver.url)
    await drain("sms")
    async with world.delivering():
        await receiver.got(1)
        await world.empty()
    nodes = (await ada.data(DELIVERIES, {"id": id}))["message"]["webhookDeliveries"]["nodes"]
    assert {node["state"] for node in nodes} == {"delivered"}
    host = nodes[0]["webhook"]
    assert host["url"] == f"https://127.0.0.1:{receiver.port}"
    # It is no webhook of the feed.
    assert (await ada.rest("GET", "/webhooks")).json()["items"] == []
    hosts = (await ada.rest("GET", "/status-callbacks/hosts")).json()["items"]
    assert [each["id"] for each in hosts] == [host["uuid"]]
    assert (await bob.rest("GET", "/status-callbacks/hosts")).json()["items"] == []
    for method, path, body in (
        ("PATCH", "", {"enabled": False}),
        ("POST", "/test", None),
        ("POST", "/secret/rotate", None),
        ("POST", "/replay", {"since": "2026-01-01T00:00:00Z"}),
    ):
        answer = await ada.rest(method, f"/webhooks/{host['uuid']}{path}", json=body)
        assert answer.status_code in (400, 404), (path, answer.text)
    assert (await bob.rest("DELETE", f"/webhooks/{host['uuid']}")).status_code == 404


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/hook", "https://127.0.0.2.nip.io:5432/", "https://user:pass@example.com/",
        "https://10.0.0.1/", "https://[::1]/", "https://169.254.169.254/latest", "ftp://example.com/", "nonsense",
        "https://example.com/a b", "https://ex%41mple.com/",
    ],
)  # fmt: skip
async def test_a_bad_url_is_refused_before_the_charge(ada: Person, services: Services, url: str):
    answer = await ada.rest("POST", "/messages", json={**SMS, "statusCallback": url})
    assert (answer.status_code, answer.json()["code"]) == (400, "webhook_url_refused"), answer.text
    results = await batch(ada, {**SMS, "statusCallback": url}, SMS)
    assert codes(results) == ["webhook_url_refused", None]
    balance = await services.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    assert balance == 100 - Decimal(str(results[1]["message"]["price"]))
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 1
    assert await services.db.fetchval("SELECT count(*) FROM webhooks") == 0


async def test_a_url_that_is_too_long_is_refused(ada: Person):
    answer = await ada.rest(
        "POST", "/messages", json={**SMS, "statusCallback": "https://a.example/" + "x" * 2048}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed")


async def test_a_name_that_leads_inside_is_not_called(ada: Person, world: World, drain: Any):
    await _sent(ada, "https://localhost:8443/hook")
    await drain("sms")
    async with world.delivering():
        row = await until(
            lambda: world.services.db.fetchrow(
                "SELECT * FROM webhook_deliveries WHERE last_error IS NOT NULL LIMIT 1"
            )
        )
    assert row["state"] == "waiting"


async def test_both_secrets_sign_after_a_rotation(ada: Person, world: World, receiver: Receiver, drain: Any):
    old, new = await _secret(ada), (await ada.data("mutation{rotateCallbackSecret}"))["rotateCallbackSecret"]
    await _sent(ada, receiver.url)
    await drain("sms")
    async with world.delivering():
        (call, *_) = await receiver.got(1)
        for secret in (old, new):
            Webhook(secret).verify(call.body, call.headers)
        own = "whsec_" + "MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY="
        answer = await ada.rest("POST", "/status-callbacks/secret", json={"secret": own})
        assert answer.json() == {"secret": None}
        count = len(receiver.taken)
        await _sent(ada, receiver.url)
        await drain("sms")
        call = (await receiver.got(count + 1))[count]
        Webhook(own).verify(call.body, call.headers)


async def test_one_path_that_is_gone_does_not_end_the_others(
    ada: Person, world: World, receiver: Receiver, drain: Any
):
    receiver.answer = lambda call: 410 if call.path.endswith("gone") else 200
    await _sent(ada, f"{receiver.url}/gone")
    await drain("sms")
    async with world.delivering():
        await receiver.tried(1)
        await _sent(ada, f"{receiver.url}/here")
        await drain("sms")
        await receiver.got(1)
    row = await world.services.db.fetchrow("SELECT * FROM webhooks")
    assert row["enabled"]


async def test_hosts_are_few_and_urls_are_many(
    ada: Person, services: Services, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(callbacks, "MOST", 3)
    urls = [f"https://{host}.example/{number}" for host in "abc" for number in range(5)]
    results = await batch(ada, *[{**SMS, "statusCallback": url} for url in urls])
    assert set(codes(results)) == {None}
    assert await services.db.fetchval("SELECT count(*) FROM webhooks") == 3
    fourth = {**SMS, "statusCallback": "https://d.example/"}
    answer = await ada.rest("POST", "/messages", json=fourth)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_webhooks")
    assert codes(await batch(ada, fourth, {**SMS, "statusCallback": urls[0]})) == ["too_many_webhooks", None]
    (first, *_) = (await ada.rest("GET", "/status-callbacks/hosts")).json()["items"]
    assert (await ada.rest("DELETE", f"/webhooks/{first['id']}")).status_code == 204
    assert (await ada.rest("POST", "/messages", json=fourth)).status_code == 202
    assert MOST == 100


async def test_thirty_two_at_once_make_one_host(ada: Person, services: Services):
    answers = await asyncio.gather(*(_sent(ada, f"https://a.example/{number}") for number in range(32)))
    assert len(set(answers)) == 32
    assert await services.db.fetchval("SELECT count(*) FROM webhooks WHERE is_callback") == 1
    assert await services.db.fetchval("SELECT count(DISTINCT callback_id) FROM messages") == 1


async def test_callbacks_end_with_the_token_that_has_sent_the_message(
    ada: Person, world: World, receiver: Receiver, drain: Any
):
    token, id = await made(ada, preset="send")
    await _sent(caller(ada, token), receiver.url)
    own = await _sent(ada, receiver.url)
    await ada.data("mutation($id:ID!){revokeApiToken(id:$id){uuid}}", {"id": id})
    await drain("sms")
    async with world.delivering():
        calls = await receiver.got(1)
        await world.empty()
    assert {call.json["subjectId"] for call in calls} == {own}


async def test_callbacks_end_with_a_member_who_is_removed(
    ada: Person, bob: Person, world: World, receiver: Receiver, drain: Any
):
    member, _ = await joined(ada, bob, "manager")
    await _sent(member, receiver.url)
    await world.services.db.fetch("DELETE FROM memberships")
    await drain("sms")
    assert await world.services.db.fetchval(COUNT) == 0


async def test_a_message_of_another_user_has_none(ada: Person, admin: Person):
    body = {**SMS, "statusCallback": "https://a.example/", "accountId": str(ada.account_id)}
    assert (await admin.rest("POST", "/messages", json=body)).status_code == 400


async def test_unused_hosts_are_deleted(ada: Person, world: World):
    await _sent(ada, "https://a.example/")
    world.time.forward(days=IN_USE.days - 1)
    await world.look_after()
    assert await world.services.db.fetchval("SELECT count(*) FROM webhooks") == 1
    world.time.forward(days=2)
    await world.look_after()
    assert await world.services.db.fetchval("SELECT count(*) FROM webhooks") == 0


@pytest.mark.rotating
@pytest.mark.slow
async def test_a_worker_killed_after_the_change_leaves_the_callback_to_the_next(
    ada: Person, world: World, receiver: Receiver, spawn: Spawn, drain: Any
):
    id = await _sent(ada, receiver.url)
    await drain("sms")
    child = spawn(2.0, FAULT_AT="webhook.taken")
    assert await child.ended() == -signal.SIGKILL
    spawn()
    await world.empty()
    ids = [call.id for call in receiver.calls if call.json["subjectId"] == id]
    assert len(ids) > len(set(ids)), "the call that was not written down came again, under its id"
    types = {call.id: call.json["type"] for call in receiver.calls}
    assert "message.sent" in types.values()


async def test_the_url_is_nowhere_in_answers(ada: Person, services: Services):
    url = "https://a.example/secret-path"
    message = await ada.rest("POST", "/messages", json={**SMS, "statusCallback": url})
    listed = await ada.rest("GET", "/messages")
    hosts = await ada.rest("GET", "/status-callbacks/hosts")
    for answer in (message, listed, hosts):
        assert "secret-path" not in answer.text
    row = await services.db.fetchrow("SELECT status_callback, callback_id FROM messages")
    assert (row["status_callback"], UUID(str(row["callback_id"]))) == (
        url,
        UUID(hosts.json()["items"][0]["id"]),
    )
