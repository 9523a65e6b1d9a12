"""addAccount with an Idempotency-Key: one account, and its first answer again, through either door (contract §0)."""

import asyncio

import pytest

from tests.support.messengers import added, ok

pytestmark = pytest.mark.settings(whatsapp_driver=["sandbox", "whatsapp-cloud"])

HOOK = "https://93.184.215.14/one"
PROXY = "socks5://u:pass-word@93.184.215.14:1080"
CREDENTIALS = {
    "phoneNumberId": "1",
    "accessToken": "very-secret",
    "appSecret": "secret-too",
    "verifyToken": "third-one",
}
NEW = {"source": "telegram", "login": "x", "webhookUrls": [HOOK], "proxyString": PROXY}
CLOUD = {"source": "whatsapp", "login": "shop", "driver": "whatsapp-cloud", "credentials": CREDENTIALS}
ADD = """mutation($input: NewMessengerAccount!) { addMessengerAccount(input: $input) {
  id uuid source login name driver wanted state step { value } next proxy createdAt updatedAt webhooks { nodes { url }
    } me { messengerId }
  owner { email } chats { nodes { uuid } }
} }"""


def key(name):
    return {"Idempotency-Key": name}


async def add(person, **fields):
    return await person.rest("POST", "/addAccount", json={**NEW, **fields}, headers=key("k"))


async def test_the_first_answer_is_given_again_through_either_door(ada, bob):
    first = await add(ada)
    assert "idempotent-replayed" not in first.headers
    account = first.json()["account"]
    await ok(ada, "updateAccount", "x", name="since renamed", webhookUrls=[])
    again = await add(ada)
    assert (again.status_code, again.json()["account"]) == (200, account)
    assert again.headers["idempotent-replayed"] == "true"
    shown = (await ada.graphql(ADD, {"input": NEW}, **key("k")))["data"]["addMessengerAccount"]
    assert (shown["uuid"], shown["name"], shown["state"]) == (account["accountUuid"], "x", "stopped")
    assert (shown["proxy"], shown["owner"]) == (account["proxy"], {"email": ada.email})
    # Another's key is another one.
    assert (await add(bob)).json()["account"]["accountUuid"] != account["accountUuid"]
    assert (await ok(ada, "getInfoByToken"))["summary"]["total"] == 1


async def test_the_other_way_round(ada):
    bodies = [await ada.graphql(ADD, {"input": NEW}, **key("k")) for _ in range(2)]
    assert bodies[0] == bodies[1]
    assert bodies[0]["data"]["addMessengerAccount"]["webhooks"] == {"nodes": [{"url": HOOK}]}
    answer = await add(ada)
    assert answer.headers["idempotent-replayed"] == "true"
    assert answer.json()["account"]["webhookUrls"] == [HOOK]


async def test_another_request_under_the_key_is_refused(ada):
    await add(ada)
    for other in ({"login": "y"}, {"webhookUrls": []}, {"proxyString": PROXY.replace("pass-word", "other")}):
        answer = await add(ada, **other)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "idempotency_key_reused")
    assert await ada.code(ADD, {"input": {**NEW, "name": "y"}}) == "account_exists"  # without the key
    assert (await ok(ada, "getInfoByToken"))["summary"]["total"] == 1


async def test_the_token_in_the_body_is_no_part_of_the_request(ada, client):
    tokens = [
        (await ada.data('mutation{createApiToken(input:{name:"t"}){token}}'))["createApiToken"]["token"]
        for _ in range(2)
    ]
    answers = [
        (await client.post("/addAccount", json={**NEW, "token": token}, headers=key("k"))).json()
        for token in tokens
    ]
    assert answers[0]["account"] == answers[1]["account"]


async def test_no_secret_is_in_the_kept_answer(ada, services):
    token = (await ada.data('mutation{createApiToken(input:{name:"t"}){token}}'))["createApiToken"]["token"]
    for body in ({**NEW, "token": token}, CLOUD):
        answers = [
            await ada.rest("POST", "/addAccount", json=body, headers=key(body["login"])) for _ in range(2)
        ]
        assert answers[0].json()["account"] == answers[1].json()["account"]
        assert answers[1].headers["idempotent-replayed"] == "true"
    rows = await services.db.fetch("SELECT answer FROM idempotency_keys")
    assert len(rows) == 2
    for row in rows:
        assert not [name for name in row.answer if "encrypted" in name]
        for secret in (token, "pass-word", "very-secret", "secret-too", "third-one"):
            assert secret not in str(row.answer)


async def test_at_once_they_make_one(ada):
    answers = await asyncio.gather(*(add(ada) for _ in range(10)))
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert {answer.json()["error"]["code"] for answer in answers if answer.status_code == 409} <= {
        "idempotency_in_flight"
    }
    assert (
        len({answer.json()["account"]["accountUuid"] for answer in answers if answer.status_code == 200}) == 1
    )


async def test_a_refusal_is_not_kept(ada):
    await added(ada, "x")
    assert (await add(ada)).json()["error"]["code"] == "account_exists"
    await ok(ada, "deleteAccount", "x")
    assert (await add(ada)).json()["status"] == "ok"
