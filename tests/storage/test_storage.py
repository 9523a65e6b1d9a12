"""Key-value storage on a real Redis: keys that attack, time, exact pages, bounds, and Redis away."""

import asyncio
from typing import Any
from urllib.parse import quote

import orjson
import pytest

from resolvers import storage as module
from tests.support import servers
from tests.support.people import Person
from tests.support.waits import PATIENCE

LIST = """query($prefix: String, $first: Int, $after: String, $last: Int, $before: String) {
    storageValues(where: {key: {startsWith: $prefix}}, first: $first, after: $after, last: $last, before: $before) {
        nodes { key value ttlSeconds } totalCount
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
}"""
ONE = "query($key: String!) { storageValue(key: $key) { key value ttlSeconds } }"
PUT = "mutation($input: PutStorageValue!) { putStorageValue(input: $input) { key value ttlSeconds } }"
DELETE = "mutation($key: String!) { deleteStorageValue(key: $key) }"


def path(key: str) -> str:
    """Dots too: clients fold `..` away."""
    return "/storage/" + quote(key, safe="").replace(".", "%2E")


async def put(person: Person, key: str, value=1, **more):
    return await person.rest("PUT", path(key), json={"value": value, **more})


async def get(person: Person, key: str):
    return await person.rest("GET", path(key))


async def keys(person: Person, **query) -> list[str]:
    answer = await person.rest("GET", "/storage", params=query)
    assert answer.status_code == 200, answer.text
    return [item["key"] for item in answer.json()["items"]]


async def test_put_get_delete(ada: Person):
    missing = await get(ada, "a")
    assert (missing.status_code, missing.json()["code"]) == (404, "storage_key_not_found")
    for value in ({"a": [1, None, 2.5]}, None, "x", 0, False, [], 2**63 - 1, "é💥"):
        answer = await put(ada, "a", value)
        assert (answer.status_code, answer.json()) == (200, {"key": "a", "value": value, "ttlSeconds": None})
        assert (await get(ada, "a")).json() == {"key": "a", "value": value, "ttlSeconds": None}
    assert await keys(ada) == ["a"]
    for _ in range(2):
        assert (await ada.rest("DELETE", "/storage/a")).status_code == 204
    assert (await get(ada, "a")).status_code == 404
    assert await keys(ada) == []


ODD_KEYS = [
    "../x", "..", "a/../../b", "/", "//a//", "*", "[a-z]", "?", "a b", "{x}", "storage:{0}:keys", "value:", "%2e%2e",
    "a\\b", "a?b#c", "ключ/🔑", "👩‍👩‍👧", "x" * 256, "é" * 256, "'; DROP", "\u00a0",
]  # fmt: skip


async def test_keys_are_only_names(ada: Person, bob: Person):
    await put(bob, "x", "bob's")
    for key in ODD_KEYS:
        answer = await put(ada, key, "ada's")
        assert (answer.status_code, answer.json()["key"]) == (200, key)
        assert (await get(ada, key)).json()["value"] == "ada's"
        assert await keys(ada) == await keys(ada, prefix=key) == [key]
        assert await keys(ada, prefix=f"{key[:255]}!") == []
        assert (await get(bob, key)).status_code == 404
        await bob.rest("DELETE", path(key))
        assert (await get(ada, key)).status_code == 200
        assert (await ada.rest("DELETE", path(key))).status_code == 204
        assert await keys(ada) == []
    assert await keys(bob) == ["x"]


async def test_nobody_reaches_anothers_values(app, ada: Person, bob: Person):
    await put(ada, "secret", 1)
    for key in (
        f"storage:{{{ada.id}}}:value:secret",
        f"}}:{{{ada.id}}}:value:secret",
        f"../{ada.id}/secret",
        "*",
        "s*",
    ):
        assert (await get(bob, key)).status_code == 404
        assert (await bob.rest("DELETE", path(key))).status_code == 204
        assert await bob.code(ONE, {"key": key}) == "storage_key_not_found"
        assert await bob.data(DELETE, {"key": key}) == {"deleteStorageValue": True}
    assert (await get(ada, "secret")).json()["value"] == 1
    names = [name async for name in app.services.store.client.scan_iter("storage:*")]
    assert all(name.startswith(f"storage:{{{ada.id}}}:".encode()) for name in names)


async def test_keys_that_are_refused(ada: Person):
    for key in ("\x01", "a\nb", "a\n", "\x7f", "\x85", "\u2028", "\ufffd", "x" * 257):
        for answer in (
            await get(ada, key),
            await put(ada, key),
            await ada.rest("DELETE", path(key)),
            await ada.rest("GET", "/storage", params={"prefix": key}),
        ):
            assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed"), repr(key)
        assert await ada.code(PUT, {"input": {"key": key, "value": 1}}) == "validation_failed"


async def test_paths_that_are_no_keys(ada: Person):
    for place in ("/storage/", "/storage/%ff", "/storage/%00"):
        assert (await ada.rest("GET", place)).status_code == 400, place
    assert (await ada.rest("POST", "/storage/a", json={"value": 1})).status_code == 405


async def test_bodies_that_are_refused(ada: Person):
    deep = []
    for _ in range(40):
        deep = [deep]
    bad_values = ("\x00", deep, "x" * (1024 * 1024 - 1))
    for body in (
        {}, [], None, {"value": 1, "more": 1}, {"value": 1, "ttlSeconds": 0}, {"value": 1, "ttlSeconds": 31536001},
        {"value": 1, "ttlSeconds": 1.5}, {"value": 1, "ttlSeconds": "soon"},
        *({"value": value} for value in bad_values),
    ):  # fmt: skip
        answer = await ada.rest("PUT", "/storage/a", json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "validation_failed"), str(body)[:40]
    for value in bad_values:
        assert await ada.code(PUT, {"input": {"key": "a", "value": value}}) == "validation_failed"
    huge = 'mutation { putStorageValue(input: {key: "a", value: %s}) { key } }' % ("9" * 30)
    assert await ada.code(huge) == "validation_failed"
    assert await ada.code(PUT, {"input": {"key": "a"}}) == "validation_failed"
    assert (await ada.rest("PUT", "/storage/a", json={"value": "x" * 2**21})).status_code == 413
    assert await keys(ada) == []
    assert (await put(ada, "a", "x" * (1024 * 1024 - 2))).status_code == 200
    assert len((await get(ada, "a")).json()["value"]) == 1024 * 1024 - 2


@pytest.mark.alone
async def test_time(ada: Person, app):
    redis = app.services.store.client
    assert (await put(ada, "a", 1, ttlSeconds=31536000)).json()["ttlSeconds"] == 31536000
    assert (await get(ada, "a")).json()["ttlSeconds"] == 31536000  # rounded up
    assert (await put(ada, "a", 1, ttlSeconds=None)).json()["ttlSeconds"] is None
    assert (await get(ada, "a")).json()["ttlSeconds"] is None  # the time goes with the value
    await put(ada, "b", 2, ttlSeconds=2)
    await put(ada, "c", 3, ttlSeconds=2)
    assert (await get(ada, "b")).json()["ttlSeconds"] == 2
    assert await keys(ada) == ["a", "b", "c"]
    await ada.rest("DELETE", "/storage/c")
    await asyncio.sleep(2.05)
    assert (await get(ada, "b")).status_code == 404
    listed = (await ada.rest("GET", "/storage")).json()
    assert [item["key"] for item in listed["items"]] == ["a"]
    assert listed["meta"]["total"] == 1
    prefix = f"storage:{{{ada.id}}}:"
    assert await redis.zcard(f"{prefix}expiry") == 0
    assert await redis.hgetall(f"{prefix}sizes") == {b"a": b"2", b"": b"2"}
    assert not await redis.exists(f"{prefix}value:b")


async def test_pages_are_exact(ada: Person):
    names = sorted([f"n/{number:02}" for number in range(25)] + ["n", "N/1", "m/é", "o", "n/ÿ", "n/🔑"])
    await asyncio.gather(*(put(ada, name, name) for name in reversed(names)))
    assert await keys(ada, limit=100) == names
    pages = [await keys(ada, page=page, limit=10) for page in range(1, 6)]
    assert [len(page) for page in pages] == [10, 10, 10, 1, 0]
    assert [name for page in pages for name in page] == names
    answer = (await ada.rest("GET", "/storage", params={"prefix": "n/", "page": 2, "limit": 10})).json()
    assert answer["meta"] == {"page": 2, "limit": 10, "total": 27, "totalPages": 3}
    assert [item["value"] for item in answer["items"]] == [f"n/{number:02}" for number in range(10, 20)]
    assert await keys(ada, page=2**63 // 100 - 1, limit=100) == []
    for query in ({"page": 0}, {"limit": 101}, {"limit": 0}, {"page": 2**63}):
        assert (await ada.rest("GET", "/storage", params=query)).status_code == 400


async def test_many_keys_that_end_together(ada: Person, monkeypatch: pytest.MonkeyPatch, app):
    """More than one script's share of pruning: the books are exact all the same."""
    redis = app.services.store.client
    prefix = f"storage:{{{ada.id}}}:"
    async with redis.pipeline(transaction=False) as pipe:
        pipe.zadd(f"{prefix}keys", {f"{number}": 0 for number in range(2500)})
        pipe.zadd(f"{prefix}expiry", {f"{number}": 1000 for number in range(2500)})
        pipe.hset(f"{prefix}sizes", mapping={"": 2500 * 10, **{f"{number}": 10 for number in range(2500)}})
        await pipe.execute()
    monkeypatch.setattr(module, "MAX_KEYS", 1)
    assert (await put(ada, "a")).status_code == 200
    assert await keys(ada) == ["a"]
    assert await redis.hgetall(f"{prefix}sizes") == {b"a": b"2", b"": b"2"}


async def test_what_a_server_evicts_is_gone_from_the_list(ada: Person, app):
    for key in "abc":
        await put(ada, key)
    await app.services.store.client.delete(f"storage:{{{ada.id}}}:value:b")
    listed = (await ada.rest("GET", "/storage")).json()
    assert ([item["key"] for item in listed["items"]], listed["meta"]["total"]) == (["a", "c"], 2)


async def test_bounds(ada: Person, bob: Person, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MAX_KEYS", 3)
    monkeypatch.setattr(module, "MAX_BYTES", 1000)
    answers = await asyncio.gather(*(put(ada, f"k{number}") for number in range(10)))
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [400] * 7
    assert {answer.json()["code"] for answer in answers if answer.status_code == 400} == {"storage_full"}
    (first, *_) = await keys(ada)
    assert (await put(ada, first, "x" * 900)).status_code == 200
    assert (await put(ada, first, "x" * 1000)).status_code == 400
    assert (await put(ada, first, "y" * 900)).status_code == 200  # what is replaced doesn't count
    assert (await put(bob, "k")).status_code == 200
    await ada.rest("DELETE", f"/storage/{first}")
    assert (await put(ada, "new", "x" * 900, ttlSeconds=60)).status_code == 200


async def test_a_page_is_bounded(ada: Person, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MAX_PAGE_BYTES", 2000)
    for key in "abc":
        await put(ada, key, "x" * 900)
    answer = await ada.rest("GET", "/storage")
    assert (answer.status_code, answer.json()["code"]) == (413, "storage_page_too_large")
    assert await keys(ada, limit=2) == ["a", "b"]
    assert await keys(ada, limit=2, page=2) == ["c"]


async def test_writers_at_once_leave_the_books_right(ada: Person, app):
    async def one(number: int) -> None:
        for turn in range(6):
            key = f"k{(number + turn) % 7}"
            if (number + turn) % 3:
                await put(ada, key, "x" * number, **({"ttlSeconds": 60} if number % 2 else {}))
            else:
                await ada.rest("DELETE", f"/storage/{key}")

    await asyncio.gather(*(one(number) for number in range(20)))
    await asyncio.gather(*(put(ada, f"end{number}", number) for number in range(5)))
    redis, prefix = app.services.store.client, f"storage:{{{ada.id}}}:"
    listed = (await ada.rest("GET", "/storage", params={"limit": 100})).json()["items"]
    sizes = {name.decode(): int(size) for name, size in (await redis.hgetall(f"{prefix}sizes")).items()}
    total = sizes.pop("")
    assert sizes == {
        item["key"]: len(item["key"].encode()) + len(orjson.dumps(item["value"])) for item in listed
    }
    assert total == sum(sizes.values())
    ending = {name.decode() for name in await redis.zrange(f"{prefix}expiry", 0, -1)}
    assert ending == {item["key"] for item in listed if item["ttlSeconds"]}


async def test_cursors_meet_every_key_once_both_ways(ada: Person):
    wanted = [f"k{number}" for number in range(7)] + ["k" + "🔑" * 255]
    for key in (*wanted, "a", "l", "z"):
        await put(ada, key)

    async def part(**fields):
        return (await ada.data(LIST, {"prefix": "k", **fields}))["storageValues"]

    for size in (1, 3, 8, 100):
        forwards, after, backwards, before = [], None, [], None
        while True:
            page = await part(first=size, after=after)
            forwards += [node["key"] for node in page["nodes"]]
            assert page["totalCount"] == 8
            assert page["pageInfo"]["hasPreviousPage"] is (after is not None)
            after = page["pageInfo"]["endCursor"]
            if not page["pageInfo"]["hasNextPage"]:
                break
        while True:
            page = await part(last=size, before=before)
            backwards = [node["key"] for node in page["nodes"]] + backwards
            assert page["pageInfo"]["hasNextPage"] is (before is not None)
            before = page["pageInfo"]["startCursor"]
            if not page["pageInfo"]["hasPreviousPage"]:
                break
        assert forwards == backwards == wanted
    middle = await part(first=2, after=(await part(first=2))["pageInfo"]["endCursor"])
    await ada.rest("DELETE", path(middle["nodes"][1]["key"]))  # a cursor holds where its row is gone
    rest = await part(
        after=middle["pageInfo"]["endCursor"], before=(await part(last=1))["pageInfo"]["startCursor"]
    )
    assert [node["key"] for node in rest["nodes"]] == wanted[4:7]
    assert (await part(first=0))["nodes"] == []
    # A cursor of other keys leads out of none.
    elsewhere = (await ada.data(LIST, {"first": 1}))["storageValues"]["pageInfo"]["endCursor"]
    assert [node["key"] for node in (await part(after=elsewhere, first=1))["nodes"]] == ["k0"]
    assert (await part(before=elsewhere, last=1))["nodes"] == []


def lasting(shown: dict[str, Any]) -> bool:
    """Takes out what is left of its minute, which gets less from one answer to the next."""
    return 60 - PATIENCE <= shown.pop("ttlSeconds") <= 60


async def test_graphql_shows_the_same(ada: Person):
    value = {"a": [1, None]}
    expected = {"key": "a/b", "value": value, "ttlSeconds": 60}
    assert await ada.data(PUT, {"input": expected}) == {"putStorageValue": expected}
    shown = (await ada.data(ONE, {"key": "a/b"}))["storageValue"]
    assert (lasting(shown), shown) == (True, {"key": "a/b", "value": value})
    nothing = {"key": "n", "value": None, "ttlSeconds": None}
    assert await ada.data(PUT, {"input": {"key": "n", "value": None}}) == {"putStorageValue": nothing}
    rest = (await ada.rest("GET", "/storage?limit=1")).json()
    shown = (await ada.data(LIST, {"first": 1}))["storageValues"]
    assert all(lasting(row) for row in (*shown["nodes"], *rest["items"]))
    assert (shown["nodes"], shown["totalCount"]) == (rest["items"], rest["meta"]["total"])
    page = (await ada.data(LIST, {"prefix": "n"}))["storageValues"]
    assert (page["nodes"], page["totalCount"]) == ([nothing], 1)
    for bounds in ({"first": -1}, {"first": 101}, {"last": 101}, {"first": 1, "last": 1}):
        assert await ada.code(LIST, bounds) == "validation_failed"
    assert await ada.code(LIST, {"after": "x"}) == "bad_cursor"
    assert await ada.code(LIST, {"prefix": "x" * 257}) == "validation_failed"
    assert await ada.data(DELETE, {"key": "a/b"}) == {"deleteStorageValue": True}
    assert await ada.code(ONE, {"key": "a/b"}) == "storage_key_not_found"


async def test_no_credential(client):
    for method, place in (
        ("GET", "/storage"),
        ("GET", "/storage/a"),
        ("PUT", "/storage/a"),
        ("DELETE", "/storage/a"),
    ):
        answer = await client.request(method, place, json={"value": 1} if method == "PUT" else None)
        assert answer.status_code == 401, method


async def test_redis_away(ada: Person, app, monkeypatch: pytest.MonkeyPatch):
    from core.store import Store

    away = Store("redis://127.0.0.1:1")
    monkeypatch.setattr(app.services, "store", away)
    for answer in (
        await get(ada, "a"),
        await put(ada, "a"),
        await ada.rest("DELETE", "/storage/a"),
        await ada.rest("GET", "/storage"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "storage_unavailable")
    assert await ada.code(ONE, {"key": "a"}) == "storage_unavailable"
    await away.close()
    assert servers.redis_url()
