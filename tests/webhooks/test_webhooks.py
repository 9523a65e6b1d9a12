"""Webhooks added, changed and removed, through both doors."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from standardwebhooks import Webhook

from core.errors import AppError
from engine.webhooks import endpoints
from runtime.services import Services
from tests.support.people import Person
from tests.support.waits import until
from tests.webhooks.receiver import Receiver
from tests.webhooks.world import SECRET, World

CALL = {"source": "telegram", "login": "14155550100"}
URL = "https://93.184.215.14/hook"
OTHER = "whsec_" + "b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgb3RoZXI="
ADD = """
mutation($id: ID!, $input: NewWebhook!) {
  addWebhook(accountId: $id, input: $input) { secret webhook { uuid id url events enabled waiting dead account { uuid
    } } }
}
"""
LIST = (
    "query($id: ID!) { webhooks(accountId: $id) { nodes { uuid url events enabled failures lastError "
    "lastStatus nextAt disabledReason } } }"
)
ROTATE = (
    "mutation($id: ID!, $secret: String) { rotateWebhookSecret(id: $id, secret: $secret) { secret webhook { "
    "uuid } } }"
)
UPDATE = """
mutation($id: ID!, $input: WebhookPatch!) {
  updateWebhook(id: $id, input: $input) { enabled events disabledReason failures nextAt }
}
"""


async def test_the_vendors_call_answers_a_secret_that_verifies(
    world: World, ada: Person, receiver: Receiver
) -> None:
    added = (await ada.rest("POST", "/addWebhook", json={**CALL, "webhookUrl": receiver.url})).json()
    assert added["status"] == "ok"
    await world.say("one")
    async with world.delivering():
        (call,) = await receiver.got(1)
    assert Webhook(added["secret"]).verify(call.body, call.headers)["text"] == "one"


async def test_again_is_the_same_webhook_and_its_secret_is_not_shown(world: World, ada: Person) -> None:
    body = {**CALL, "webhookUrl": f" {URL} ", "events": ["message", "message", "state"]}
    first = (await ada.rest("POST", "/api/addWebhook", json=body)).json()
    assert first["secret"].startswith("whsec_")
    again = (await ada.rest("POST", "/addWebhook", json={**CALL, "webhookUrl": URL})).json()
    assert again["secret"] is None
    (hook,) = (await ada.data(LIST, {"id": str(world.account)}))["webhooks"]["nodes"]
    assert (hook["url"], hook["events"]) == (URL, ["message", "state"])
    assert (await ada.rest("POST", "/deleteWebhook", json={**CALL, "webhookUrl": URL})).json()[
        "status"
    ] == "ok"
    gone = await ada.rest("POST", "/deleteWebhook", json={**CALL, "webhookUrl": URL})
    assert gone.json()["error"]["code"] == "webhook_not_found"


async def test_graphql_adds_lists_and_removes(world: World, ada: Person) -> None:
    variables = {
        "id": str(world.account),
        "input": {"webhookUrl": URL, "events": ["state"], "secret": SECRET},
    }
    added = (await ada.data(ADD, variables))["addWebhook"]
    assert added["secret"] is None
    assert added["webhook"]["account"] == {"uuid": str(world.account)}
    await world.put()
    assert (added["webhook"]["waiting"], added["webhook"]["dead"]) == (0, 0)
    assert len((await ada.data(LIST, {"id": str(world.account)}))["webhooks"]["nodes"]) == 1
    assert await ada.data("mutation($i: ID!) { deleteWebhook(id: $i) }", {"i": added["webhook"]["id"]}) == {
        "deleteWebhook": True
    }
    assert (await ada.data(LIST, {"id": str(world.account)}))["webhooks"]["nodes"] == []


async def test_nobody_else_sees_or_changes_them(world: World, ada: Person, bob: Person) -> None:
    hook = str(await world.hook(URL))
    assert await bob.code(LIST, {"id": str(world.account)}) == "account_not_found"
    assert (
        await bob.code(ADD, {"id": str(world.account), "input": {"webhookUrl": URL}}) == "account_not_found"
    )
    for mutation in (
        "mutation($id: ID!) { deleteWebhook(id: $id) }",
        "mutation($id: ID!) { updateWebhook(id: $id, input: {enabled: false}) { enabled } }",
        "mutation($id: ID!) { rotateWebhookSecret(id: $id) { secret } }",
        "query($id: ID!) { webhook(id: $id) { url } }",
    ):
        assert await bob.code(mutation, {"id": hook}) == "webhook_not_found"
    foreign = await bob.rest("POST", "/addWebhook", json={**CALL, "webhookUrl": URL})
    assert foreign.json()["error"]["code"] == "account_not_found"
    assert (await world.row(UUID(hook)))["enabled"]
    assert (await ada.data("query($i: ID!) { webhook(id: $i) { url } }", {"i": hook}))["webhook"][
        "url"
    ] == URL


@pytest.mark.settings(outbound_allow=[])
@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/hook",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[64:ff9b::a00:1]/",
        "http://localhost/",
        "http://169.254.169.254/latest",
        "https://user:password@93.184.215.14/",
        "ftp://93.184.215.14/",
        "http://93.184.215.14:22/",
        "no-address",
        "http://127.1/",
        "http://①②⑦.0.0.1/",
    ],
    ids=[f"url{n}" for n in range(15)],
)
async def test_addresses_that_may_not_be_called(world: World, ada: Person, url: str) -> None:
    answer = await ada.rest("POST", "/addWebhook", json={**CALL, "webhookUrl": url})
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert error["code"] == "webhook_url_refused"
    assert error["message"].startswith("This webhook can't be called: ")
    assert url not in error["message"]
    private = error["details"]["reason"] == "url_private"
    assert ("POSTERN_OUTBOUND_ALLOW" in error["message"]) == private
    assert await ada.code(ADD, {"id": str(world.account), "input": {"webhookUrl": url}}) == error["code"]
    with pytest.raises(AppError):
        async with world.services.db.reading() as db, db.transaction():
            await endpoints.replace(db, world.services, world.account, [url])
    assert (await ada.data(LIST, {"id": str(world.account)}))["webhooks"]["nodes"] == []


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"secret": "short"}, "invalid_secret"),
        ({"secret": "whsec_c2hvcnQ="}, "invalid_secret"),
        ({"secret": "whsec_" + "A" * 100}, "invalid_secret"),
        ({"secret": "whsec_" + "!" * 44}, "invalid_secret"),
        ({"events": ["nonsense"]}, "validation_failed"),
        ({"webhookUrl": ""}, "validation_failed"),
        ({"webhookUrl": 7}, "validation_failed"),
        ({"webhookUrl": "https://x/" + "y" * 3000}, "validation_failed"),
        ({"login": "nobody"}, "account_not_found"),
    ],
    ids=["no-prefix", "short", "long", "base64", "event", "empty", "number", "huge", "account"],
)
async def test_what_can_not_be_added(ada: Person, change: dict[str, object], code: str) -> None:
    answer = await ada.rest("POST", "/addWebhook", json={**CALL, "webhookUrl": URL, **change})
    assert answer.json()["error"]["code"] == code


async def test_ten_an_account_even_when_they_come_at_once(world: World, ada: Person) -> None:
    answers = await asyncio.gather(
        *(ada.rest("POST", "/addWebhook", json={**CALL, "webhookUrl": f"{URL}/{n}"}) for n in range(14))
    )
    codes = [(answer.json().get("error") or {}).get("code") for answer in answers]
    assert codes.count(None) == 10
    assert codes.count("too_many_webhooks") == 4


async def test_enabling_clears_what_failed_and_tries_at_once(
    world: World, ada: Person, receiver: Receiver
) -> None:
    hook = await world.hook(receiver.url)
    receiver.answer = 410
    await world.say("one")
    async with world.delivering():

        async def disabled() -> bool:
            return not (await world.row(hook))["enabled"]

        await until(disabled)
        (shown,) = (await ada.data(LIST, {"id": str(world.account)}))["webhooks"]["nodes"]
        assert (shown["lastStatus"], shown["failures"]) == (410, 1)
        assert shown["disabledReason"] == "it answered 410 Gone"
        assert shown["nextAt"]
        receiver.answer = 200
        updated = await ada.data(UPDATE, {"id": str(hook), "input": {"enabled": True, "events": []}})
        assert updated["updateWebhook"] == {
            "enabled": True,
            "events": [],
            "disabledReason": None,
            "failures": 0,
            "nextAt": None,
        }
        await receiver.got(1)


async def test_after_a_rotation_both_secrets_sign_for_a_day(
    world: World, ada: Person, receiver: Receiver
) -> None:
    hook = await world.hook(receiver.url)
    rotated = (await ada.data(ROTATE, {"id": str(hook)}))["rotateWebhookSecret"]
    await world.say("one")
    async with world.delivering():
        (call,) = await receiver.got(1)
        await world.empty()
    Webhook(SECRET).verify(call.body, call.headers)
    Webhook(rotated["secret"]).verify(call.body, call.headers)
    world.time.forward(hours=25)
    await world.say("two")
    async with world.delivering():
        call = (await receiver.got(2))[1]
        await world.empty()
    at = datetime.fromtimestamp(int(call.headers["webhook-timestamp"]), UTC)
    assert abs(at - world.time()) < timedelta(minutes=5)
    signed = Webhook(rotated["secret"]).sign(call.id, at, call.body.decode())
    assert call.headers["webhook-signature"] == signed
    assert await ada.code(ROTATE, {"id": str(hook), "secret": "x"}) == "invalid_secret"
    assert (await ada.data(ROTATE, {"id": str(hook), "secret": OTHER}))["rotateWebhookSecret"][
        "secret"
    ] is None


async def test_a_new_address_of_events_takes_effect_while_events_flow(
    world: World, ada: Person, receiver: Receiver
) -> None:
    """A secret that was changed signs the next events, though a worker holds the endpoint."""
    hook = await world.hook(receiver.url)
    async with world.delivering():
        await world.say("one")
        await receiver.got(1)
        await ada.data(ROTATE, {"id": str(hook), "secret": OTHER})
        await world.say("two")
        call = (await receiver.got(2))[1]
        await world.empty()
    Webhook(OTHER).verify(call.body, call.headers)


async def test_a_deleted_webhook_is_told_nothing_more(world: World, ada: Person, receiver: Receiver) -> None:
    hook = await world.hook(receiver.url)
    receiver.delay = 0.05
    await world.say(*(f"{n}" for n in range(300)))
    async with world.delivering():
        await receiver.tried(2)
        assert (await ada.data("mutation($i: ID!) { deleteWebhook(id: $i) }", {"i": str(hook)}))[
            "deleteWebhook"
        ]

        async def quiet() -> bool:
            before = len(receiver.calls)
            await asyncio.sleep(0.5)
            return before == len(receiver.calls)

        await until(quiet)
    assert len(receiver.calls) < 200


async def test_the_secret_is_sealed_and_opens_nowhere_else(world: World, services: Services) -> None:
    one, two = await world.hook(URL), await world.hook(f"{URL}/2")
    sealed = (await world.row(one))["secret_encrypted"]
    assert SECRET.encode() not in sealed
    assert services.vault.open(sealed, endpoints.vault_context(one)) == SECRET
    await services.db.fetch("UPDATE webhooks SET secret_encrypted = $2 WHERE id = $1", two, sealed)
    await services.db.fetch("DELETE FROM webhooks WHERE id = $1", one)
    await world.say("one")
    async with world.delivering():
        row = await world.failed(two, 1)
    assert "rotate it" in row["last_error"]


async def test_replace_keeps_what_stays(world: World, services: Services) -> None:
    left = await world.hook(f"{URL}/1")
    await world.hook(f"{URL}/2")
    async with services.db.transaction() as db:
        await endpoints.replace(db, services, world.account, None)
        await endpoints.replace(db, services, world.account, [f"{URL}/1", f" {URL}/3", f"{URL}/3"])
    assert await endpoints.urls_of(services.db, [world.account]) == {
        world.account: [f"{URL}/1", f"{URL}/3"],
    }
    assert (await world.row(left))["version"] == 0
    async with services.db.reading() as db, db.transaction():
        await endpoints.replace(db, services, world.account, [])
    assert await endpoints.urls_of(services.db, [world.account]) == {world.account: []}
    with pytest.raises(AppError, match="at most 10"):
        async with services.db.reading() as db, db.transaction():
            await endpoints.replace(db, services, world.account, [f"{URL}/{n}" for n in range(11)])
