"""Settings through both doors: merge, null, scopes, bounds, and writers at the same time."""

import asyncio
from uuid import uuid4

import pytest

from resolvers import settings as module
from tests.support.people import Person

ALL = "query($scope: Scope! = user, $id: ID) { settings(scope: $scope, accountId: $id) }"
ONE = "query($key: String!) { setting(key: $key) { key value } }"
UPDATE = "mutation($input: UpdateSettings!) { updateSettings(input: $input) }"
SET = "mutation($input: SetSetting!) { setSetting(input: $input) { key value } }"
DELETE = "mutation($input: DeleteSetting!) { deleteSetting(input: $input) }"


async def test_a_patch_merges_and_null_removes(ada: Person):
    assert (await ada.rest("GET", "/settings")).json() == {}
    first = await ada.rest(
        "PATCH", "/settings", json={"ui.theme": "dark", "ui.rows": 50, "a": {"b": [1, None]}}
    )
    assert first.status_code == 200
    assert first.json() == {"ui.theme": "dark", "ui.rows": 50, "a": {"b": [1, None]}}
    # The top level alone is merged: a value is replaced as a whole.
    second = await ada.rest("PATCH", "/settings", json={"ui.rows": None, "a": {"c": 1.5}, "unknown": None})
    assert second.json() == {"ui.theme": "dark", "a": {"c": 1.5}}
    assert (await ada.rest("GET", "/settings")).json() == second.json()
    assert (await ada.rest("PATCH", "/settings", json={})).json() == second.json()


async def test_one_key(ada: Person):
    missing = await ada.rest("GET", "/settings/ui.theme")
    assert (missing.status_code, missing.json()["code"]) == (404, "setting_not_found")
    for value in ("dark", None, False, 0, [], {"a": 1}):
        put = await ada.rest("PUT", "/settings/ui.theme", json={"value": value})
        assert (put.status_code, put.json()) == (200, {"key": "ui.theme", "value": value})
        assert (await ada.rest("GET", "/settings/ui.theme")).json() == {"key": "ui.theme", "value": value}
    for _ in range(2):
        assert (await ada.rest("DELETE", "/settings/ui.theme")).status_code == 204
    assert (await ada.rest("GET", "/settings/ui.theme")).status_code == 404


async def test_scopes_are_apart(ada: Person, bob: Person):
    second = (await ada.rest("POST", "/accounts", json={"name": "Second"})).json()["id"]
    for query, value in (
        ("", "user"),
        ("?scope=account", "oldest"),
        (f"?scope=account&accountId={second}", "second"),
    ):
        await ada.rest("PUT", f"/settings/x{query}", json={"value": value})
    assert (await ada.rest("GET", "/settings")).json() == {"x": "user"}
    assert (await ada.rest("GET", "/settings/x?scope=account")).json()["value"] == "oldest"
    assert (await ada.rest("GET", f"/settings?scope=account&accountId={ada.account_id}")).json() == {
        "x": "oldest"
    }
    assert (await ada.rest("DELETE", f"/settings/x?scope=account&accountId={second}")).status_code == 204
    assert await ada.data(ALL, {"scope": "account", "id": second}) == {"settings": {}}
    assert await ada.data(ALL, {"scope": "account"}) == {"settings": {"x": "oldest"}}
    assert (await bob.rest("GET", "/settings")).json() == {}


async def test_anothers_account_is_not_there(ada: Person, bob: Person, admin: Person):
    await ada.rest("PUT", "/settings/x?scope=account", json={"value": 1})
    for account in (ada.account_id, uuid4()):
        of = f"?scope=account&accountId={account}"
        for method, path, body in (
            ("GET", "/settings", None),
            ("PATCH", "/settings", {"x": 2}),
            ("GET", "/settings/x", None),
            ("PUT", "/settings/x", {"value": 2}),
            ("DELETE", "/settings/x", None),
        ):
            answer = await bob.rest(method, path + of, json=body)
            assert (answer.status_code, answer.json()["code"]) == (404, "account_not_found"), method
        place = {"scope": "account", "accountId": str(account)}
        assert await bob.code(ALL, {"scope": "account", "id": str(account)}) == "account_not_found"
        assert await bob.code(UPDATE, {"input": {"values": {"x": 2}, **place}}) == "account_not_found"
        assert await bob.code(SET, {"input": {"key": "x", "value": 2, **place}}) == "account_not_found"
        assert await bob.code(DELETE, {"input": {"key": "x", **place}}) == "account_not_found"
    of = f"?scope=account&accountId={ada.account_id}"
    assert (await admin.rest("GET", f"/settings/x{of}")).json()["value"] == 1
    wrong = await ada.rest("GET", f"/settings?accountId={ada.account_id}")
    assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_scope")


async def test_no_credential(client):
    for method, path in (
        ("GET", "/settings"),
        ("PATCH", "/settings"),
        ("GET", "/settings/x"),
        ("PUT", "/settings/x"),
        ("DELETE", "/settings/x"),
    ):
        answer = await client.request(method, path, json={"value": 1} if method in ("PATCH", "PUT") else None)
        assert answer.status_code == 401, method


async def test_graphql_shows_the_same(ada: Person):
    values = {"ui.theme": "dark", "n": None, "deep": {"a": [1, 2.5, "x", None]}}
    merged = {"ui.theme": "dark", "deep": values["deep"]}
    assert (await ada.data(UPDATE, {"input": {"values": values}}))["updateSettings"] == merged
    assert await ada.data(ALL) == {"settings": merged}
    assert await ada.data(ONE, {"key": "deep"}) == {"setting": {"key": "deep", "value": merged["deep"]}}
    assert await ada.data(SET, {"input": {"key": "n", "value": None}}) == {
        "setSetting": {"key": "n", "value": None}
    }
    assert await ada.data(ONE, {"key": "n"}) == {"setting": {"key": "n", "value": None}}
    assert await ada.data(DELETE, {"input": {"key": "n"}}) == {"deleteSetting": True}
    assert await ada.data(DELETE, {"input": {"key": "n"}}) == {"deleteSetting": True}
    assert await ada.code(ONE, {"key": "n"}) == "setting_not_found"
    assert (await ada.rest("GET", "/settings")).json() == merged


async def test_what_a_patch_refuses(ada: Person):
    for body in (
        [], "x", None, {"": 1}, {"a b": 1}, {"a/b": 1}, {"ключ": 1}, {"a" * 129: 1}, {"a\n": 1}, {"a": "x" * 65536},
        {"a": "\x00"}, {"a": {"\x00": 1}}, {f"k{number}": 1 for number in range(1001)},
    ):  # fmt: skip
        answer = await ada.rest("PATCH", "/settings", json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed"), repr(body)[:40]
        assert isinstance(answer.json()["message"], list)
        assert await ada.code(UPDATE, {"input": {"values": body}}) in ("validation_failed", "bad_request")
    assert (await ada.rest("GET", "/settings")).json() == {}


async def test_what_one_key_refuses(ada: Person):
    deep = []
    for _ in range(40):
        deep = [deep]
    for value in ("x" * 65536, deep, "\x00"):
        assert (await ada.rest("PUT", "/settings/x", json={"value": value})).status_code == 400
        assert await ada.code(SET, {"input": {"key": "x", "value": value}}) == "validation_failed"
    assert (await ada.rest("PUT", "/settings/x", json={"value": "x" * 65534})).status_code == 200
    for body in ({}, {"value": 1, "more": 1}, [], None):
        assert (await ada.rest("PUT", "/settings/x", json=body)).status_code == 400
    for key in ("a b", "a%00", "%D0%BA", "a" * 129, "a%0A"):
        for method in ("GET", "PUT", "DELETE"):
            assert (await ada.rest(method, f"/settings/{key}", json={"value": 1})).status_code == 400, key
    for query in ("scope=all", "scope=account&accountId=1"):
        assert (await ada.rest("GET", f"/settings?{query}")).status_code == 400
    # A document can hold integers that JSON parsers of ours never give.
    huge = 'mutation { setSetting(input: {key: "x", value: %s}) { key } }' % ("9" * 30)
    assert await ada.code(huge) == "validation_failed"
    # For GraphQL what may be null may be left out; here it may not.
    assert await ada.code(SET, {"input": {"key": "x"}}) == "validation_failed"


async def test_numbers_and_text_come_back_as_they_were(ada: Person):
    values = {"a": 2**63 - 1, "b": -(2**63), "c": 0.1, "d": 1e308, "e": "é💥\u2028", "f": 5e-324, "g": True}
    assert (await ada.rest("PATCH", "/settings", json=values)).json() == values
    assert (await ada.rest("GET", "/settings")).json() == values


async def test_a_scope_is_bounded(ada: Person, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MAX_KEYS", 3)
    monkeypatch.setattr(module, "MAX_TOTAL", 1000)
    assert (await ada.rest("PATCH", "/settings", json={"a": 1, "b": 2, "c": 3})).status_code == 200
    for answer in (
        await ada.rest("PATCH", "/settings", json={"d": 4}),
        await ada.rest("PUT", "/settings/d", json={"value": 4}),
        await ada.rest("PUT", "/settings/a", json={"value": "x" * 1000}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (400, "too_many_settings")
    assert (await ada.rest("GET", "/settings")).json() == {"a": 1, "b": 2, "c": 3}
    assert (await ada.rest("PATCH", "/settings", json={"a": None, "d": 4})).json() == {"b": 2, "c": 3, "d": 4}
    assert (await ada.rest("PUT", "/settings/x?scope=account", json={"value": 4})).status_code == 200


async def test_fifty_patches_at_once_lose_nothing(ada: Person, monkeypatch: pytest.MonkeyPatch):
    answers = await asyncio.gather(
        *(
            ada.rest("PATCH", "/settings", json={f"k{n}": n, "same": n, f"k{n - 1}.x": None})
            for n in range(50)
        )
    )
    assert {answer.status_code for answer in answers} == {200}
    stored = (await ada.rest("GET", "/settings")).json()
    assert stored.pop("same") in range(50)
    assert stored == {f"k{n}": n for n in range(50)}
    # The bound holds with writers at the same time, too.
    monkeypatch.setattr(module, "MAX_KEYS", 60)
    answers = await asyncio.gather(
        *(ada.rest("PUT", f"/settings/new{n}", json={"value": n}) for n in range(20))
    )
    assert sorted(answer.status_code for answer in answers) == [200] * 9 + [400] * 11
