"""getConfigList, getConfig and setConfig through both doors."""

import asyncio
from datetime import datetime
from typing import Any
from uuid import UUID

import httpx
import orjson
import pytest

from engine.messengers import accounts
from runtime.services import Services
from shapes.messenger_accounts import AccountState
from tests.configuration.conftest import Account
from tests.support.people import Person

WHO = {"source": "telegram", "login": "14155550100"}
SET = """mutation($id:ID!,$input:NewMessengerConfig!){
  setMessengerConfig(id:$id,input:$input){accountId source login name config updatedAt}}"""
GET = "query($id:ID!,$name:String!){messengerConfig(id:$id,name:$name){name config}}"
LIST = """query($s:MessengerSource,$first:Int,$after:String){
  messengerConfigs(where:{source:{eq:$s}},first:$first,after:$after){
    nodes{source login name config} pageInfo{hasNextPage endCursor}}}"""

pytestmark = pytest.mark.usefixtures("woken")


async def ok(person: Person, method: str, **body: Any) -> Any:
    """Calls a method as a vendor's client does, with the token in the body and HTTP 200, and returns the answer."""
    answer = await person.client.post(f"/{method}", json={"token": person.token, **body})
    assert answer.status_code == 200, answer.text
    answer_body = answer.json()
    assert answer_body.pop("status") == "ok", answer_body
    UUID(answer_body.pop("uuid"))
    return answer_body


async def wrong(person: Person, method: str, **body: Any) -> tuple[str, str]:
    answer = await person.client.post(f"/api/{method}", json={"token": person.token, **body})
    assert answer.status_code == 200, answer.text
    answer_body = answer.json()
    assert answer_body["status"] == "error", answer_body
    return answer_body["error"]["code"], answer_body["error"]["message"]


async def test_default_is_empty_until_it_is_set(ada: Person, account: Account) -> None:
    id = await account(ada)
    assert await ok(ada, "getConfig", **WHO) == {"config": {}}
    assert await ok(ada, "getConfigList") == {"configs": [], "next": None}
    assert await ada.data(GET, {"id": str(id), "name": "default"}) == {
        "messengerConfig": {"name": "default", "config": {}}
    }


async def test_what_one_door_sets_the_other_shows(ada: Person, account: Account, woken: list[UUID]) -> None:
    id = await account(ada)
    config = {
        "stateWebhooks": {"syncing": False},
        "quiet": {"ignoreGroups": True},
        "reconnect": {"maxAttempts": 3},
    }
    assert await ok(ada, "setConfig", **WHO, config=config) == {"config": config}
    assert (await ada.data(GET, {"id": str(id), "name": "default"}))["messengerConfig"]["config"] == config
    changed = {"autoRead": True, "takeover": True, "stateWebhooks": False}
    made = (await ada.data(SET, {"id": str(id), "input": {"config": changed}}))["setMessengerConfig"]
    datetime.fromisoformat(made.pop("updatedAt"))
    assert made.pop("accountId")
    assert made == {"source": "telegram", "login": "14155550100", "name": "default", "config": changed}
    assert await ok(ada, "getConfig", **WHO) == {"config": changed}  # replaced, not merged
    assert woken == [id, id]


async def test_documents_of_ones_own(ada: Person, account: Account, woken: list[UUID]) -> None:
    await account(ada)
    config = {"crm": {"id": 7, "none": None, "list": [None, 1.5, "ж"]}, "gone": None}
    stored = {"crm": {"id": 7, "none": None, "list": [None, 1.5, "ж"]}}
    assert await ok(ada, "setConfig", **WHO, name="my.crm-1", config=config) == {"config": stored}
    assert await ok(ada, "getConfig", **WHO, name="my.crm-1") == {"config": stored}
    assert woken == []  # the service itself does not read it
    assert await ok(ada, "setConfig", **WHO, name="my.crm-1", config={"crm": None}) == {"config": {}}
    code, message = await wrong(ada, "getConfig", **WHO, name="my.crm-1")
    assert code == "config_not_found"
    assert "setConfig" in message
    assert await ok(ada, "setConfig", **WHO, name="my.crm-1", config={}) == {
        "config": {}
    }  # again is no error


async def test_null_leaves_a_key_of_default_out(ada: Person, account: Account) -> None:
    await account(ada)
    assert await ok(ada, "setConfig", **WHO, config={"autoRead": None, "takeover": False}) == {
        "config": {"takeover": False}
    }


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ({"autoread": True}, (
            "config.autoread is not known; known are stateWebhooks, autoRead, reconnect, quiet, "
            "takeover"
        )),
        ({"auto_read": True}, "config.auto_read is not known"),
        ({"autoRead": "yes"}, "config.autoRead: should be a valid boolean"),
        ({"autoRead": 1}, "config.autoRead: should be a valid boolean"),
        ({"stateWebhooks": 1}, "true, false, or an object of states"),
        ({"stateWebhooks": {"wroking": True}}, "'wroking' is not a state; states are stopped, starting"),
        ({"stateWebhooks": {"working": 1}}, "working must be true or false"),
        ({"quiet": {"groups": True}}, "known are ignoreGroups, ignoreChannels"),
        ({"quiet": True}, "config.quiet: should be an object"),
        ({"reconnect": {"maxAttempts": 0}}, "config.reconnect.maxAttempts"),
        ({"reconnect": {"maxAttempts": "3"}}, "config.reconnect.maxAttempts"),
        ({"reconnect": {"enabled": None}}, "config.reconnect.enabled"),
    ],
    ids=range(12),
)  # fmt: skip
async def test_default_takes_what_it_knows(
    ada: Person, account: Account, woken: list[UUID], config: Any, problem: str
) -> None:
    id = await account(ada)
    code, message = await wrong(ada, "setConfig", **WHO, config=config)
    assert code == "validation_failed"
    assert problem in message
    answer = await ada.graphql(SET, {"id": str(id), "input": {"config": config}})
    assert problem in answer["errors"][0]["message"]
    assert await ok(ada, "getConfig", **WHO) == {"config": {}}
    assert woken == []
    # Elsewhere anything goes.
    assert await ok(ada, "setConfig", **WHO, name="other", config=config)


@pytest.mark.parametrize(
    "body",
    [
        {"config": []},
        {"config": "x"},
        {"config": None},
        {},
        {"config": {}, "name": ""},
        {"config": {}, "name": "a b"},
        {"config": {}, "name": "x" * 65},
        {"config": {}, "name": "nul\0"},
        {"config": {"a": "nul\0"}},
        {"config": {"nul\0": 1}},
        {"config": {"a": "x" * 65536}},
        {"config": {"a": [[[[]]] * 2] * 3, "b": orjson.loads("[" * 40 + "]" * 40)}},
        {"config": {}, "name": None},
        {"config": {}, "name": 5},
    ],
    ids=range(14),
)
async def test_what_is_no_document(ada: Person, account: Account, body: Any) -> None:
    await account(ada)
    code, message = await wrong(ada, "setConfig", **WHO, **body)
    assert code == "validation_failed", message
    assert await ok(ada, "getConfigList") == {"configs": [], "next": None}


async def test_a_document_of_exactly_64_kib(ada: Person, account: Account) -> None:
    id = await account(ada)
    config = {"a": "x" * (65536 - len('{"a":""}'))}
    assert len(orjson.dumps(config)) == 65536
    assert await ok(ada, "setConfig", **WHO, name="big", config=config) == {"config": config}
    config["a"] += "x"
    for door in ("rest", "graphql"):
        if door == "rest":
            assert "64 KiB" in (await wrong(ada, "setConfig", **WHO, name="big", config=config))[1]
        else:
            answer = await ada.graphql(SET, {"id": str(id), "input": {"name": "big", "config": config}})
            assert "64 KiB" in answer["errors"][0]["message"]


async def test_no_more_than_fifty_however_many_come_at_once(
    ada: Person, account: Account, services: Services
) -> None:
    id = await account(ada)
    for number in range(45):
        await ok(ada, "setConfig", **WHO, name=f"n{number}", config={"n": number})
    answers = await asyncio.gather(
        *(
            ada.client.post(
                "/setConfig", json={"token": ada.token, **WHO, "name": f"m{n}", "config": {"n": n}}
            )
            for n in range(12)
        )
    )
    bodies = [answer.json() for answer in answers]
    assert sum(body["status"] == "ok" for body in bodies) == 5
    assert {body["error"]["code"] for body in bodies if body["status"] == "error"} == {"too_many_configs"}
    assert (
        await services.db.fetchval("SELECT count(*) FROM messenger_configs WHERE account_id = $1", id) == 50
    )
    # One that is there may still be changed.
    assert await ok(ada, "setConfig", **WHO, name="n1", config={"n": "other"})
    assert await ok(ada, "setConfig", **WHO, name="n1", config={}) == {"config": {}}
    assert await ok(ada, "setConfig", **WHO, name="new", config={"n": 1})


async def test_a_list_of_everything_that_is_ones_own(ada: Person, bob: Person, account: Account) -> None:
    await account(ada)
    await account(ada, "ada", "whatsapp")
    await account(bob)
    await ok(ada, "setConfig", **WHO, config={"autoRead": True})
    await ok(ada, "setConfig", source="whatsapp", login="ada", name="x", config={"y": 1})
    await ok(bob, "setConfig", **WHO, name="bobs", config={"secret": 1})
    first = {**WHO, "name": "default", "config": {"autoRead": True}}
    second = {"source": "whatsapp", "login": "ada", "name": "x", "config": {"y": 1}}
    assert await ok(ada, "getConfigList") == {"configs": [first, second], "next": None}
    assert (await ok(ada, "getConfigList", source="whatsapp"))["configs"] == [second]
    assert (await ada.data(LIST))["messengerConfigs"]["nodes"] == [first, second]
    assert (await ada.data(LIST, {"s": "telegram"}))["messengerConfigs"]["nodes"] == [first]
    code, _ = await wrong(ada, "getConfigList", source="icq")
    assert code == "validation_failed"


async def test_a_long_list_comes_in_parts(
    ada: Person, account: Account, monkeypatch: pytest.MonkeyPatch, services: Services
) -> None:
    await account(ada)
    for number in range(5):
        await ok(ada, "setConfig", **WHO, name=f"n{number}", config={"n": "x" * 60_000})
    from resolvers import configuration as resolver

    # By number, then by bytes: the same statement with smaller bounds.
    by_number = resolver._LIST.replace(f"LIMIT {resolver.MOST + 1}", "LIMIT 3").replace(
        f"LIMIT {resolver.MOST}", "LIMIT 2"
    )
    by_bytes = resolver._LIST.replace(str(resolver.MOST_BYTES), "100000")
    for statement in (by_number, by_bytes):
        assert statement != resolver._LIST
        monkeypatch.setattr(resolver, "_LIST", statement)
        names: list[str] = []
        after: dict[str, Any] = {}
        for _ in range(3):
            part = await ok(ada, "getConfigList", **after)
            assert len(part["configs"]) <= 2
            names += [config["name"] for config in part["configs"]]
            after = {"after": part["next"]}
        assert names == [f"n{number}" for number in range(5)]
        assert part["next"] is None
    page = (await ada.data(LIST, {"first": 2}))["messengerConfigs"]
    rest = (await ada.data(LIST, {"first": 2, "after": page["pageInfo"]["endCursor"]}))["messengerConfigs"]
    assert [node["name"] for node in rest["nodes"]] == ["n2", "n3"]
    assert rest["pageInfo"]["hasNextPage"] is True


async def test_anothers_account_is_not_there(
    ada: Person, bob: Person, admin: Person, account: Account, woken: list[UUID]
) -> None:
    id = await account(ada)
    await ok(ada, "setConfig", **WHO, name="mine", config={"a": 1})
    for method, more in (("getConfig", {}), ("setConfig", {"config": {"a": 1}})):
        assert (await wrong(bob, method, **WHO, **more))[0] == "account_not_found"
    assert await bob.code(GET, {"id": str(id), "name": "mine"}) == "account_not_found"
    assert (
        await bob.code(SET, {"id": str(id), "input": {"name": "mine", "config": {"b": 2}}})
        == "account_not_found"
    )
    assert (await admin.data(GET, {"id": str(id), "name": "mine"}))["messengerConfig"]["config"] == {"a": 1}
    assert woken == []


async def test_without_a_credential(client: httpx.AsyncClient) -> None:
    for method in ("getConfigList", "getConfig", "setConfig"):
        answer = await client.post(f"/{method}", json={**WHO, "config": {}})
        assert answer.json()["error"]["code"] == "unauthenticated"


async def test_true_statuses_for_who_asks(ada: Person, account: Account) -> None:
    await account(ada)
    answer = await ada.rest("POST", "/getConfig", json={**WHO, "name": "none"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "config_not_found")
    answer = await ada.rest("POST", "/api/getConfig", json={**WHO, "unknown": "ignored"})
    assert answer.json()["config"] == {}


# What the service itself reads


async def test_what_live_accounts_read(ada: Person, account: Account, services: Services) -> None:
    id = await account(ada)
    read = await accounts.settings_of(services.db, id)
    assert (read.version, read.auto_read, read.takeover, read.reconnect.enabled) == (None, False, False, True)
    assert all(read.has_webhook(state) for state in AccountState)
    await ok(
        ada, "setConfig", **WHO,
        config={"stateWebhooks": {"syncing": False}, "autoRead": True, "quiet": {"ignoreOutgoing": True}},
    )  # fmt: skip
    async with services.db.reading() as db:
        first = await accounts.settings_of(db, id)
    assert first.version is not None
    assert (first.auto_read, first.quiet.ignore_outgoing, first.quiet.ignore_groups) == (True, True, False)
    assert [state for state in AccountState if not first.has_webhook(state)] == [AccountState.syncing]
    await ok(ada, "setConfig", **WHO, config={"stateWebhooks": False})
    second = await accounts.settings_of(services.db, id)
    assert second.version > first.version
    assert not any(second.has_webhook(state) for state in AccountState)
    await ok(ada, "setConfig", **WHO, config={})
    assert (await accounts.settings_of(services.db, id)).version is None


def test_a_document_of_another_version_of_the_service() -> None:
    read = accounts.read_settings({"autoRead": True, "brandNew": 1, "quiet": {"ignoreMondays": True}})
    assert read.auto_read
    assert not read.quiet.ignore_groups
    assert read.document["brandNew"] == 1
