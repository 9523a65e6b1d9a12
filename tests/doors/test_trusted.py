"""Tests documents that have a name: Apollo's hashes, `documentId`, and an operator's manifest, which can be
exclusive.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from core import trusted_documents
from core.database_options import BadSettings
from core.rate_limits import Limit
from core.store import Store
from core.trusted_documents import open_documents
from schema.frame.requests import JSON
from schema.router import GRAPHQL_JSON

QUERY = "query Ask { health { status } }"
OTHER = "query Other { health { status } __typename }"
OK = {"health": {"status": "ok"}}


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def apollo(digest: str, query: str | None = None, **more: Any) -> dict[str, Any]:
    """Returns the body that Apollo Client's link for persisted queries writes."""
    body = {
        "operationName": None,
        "variables": {},
        "extensions": {"persistedQuery": {"version": 1, "sha256Hash": digest}},
    }
    return {**body, **({"query": query} if query else {}), **more}


async def send(
    client: httpx.AsyncClient, body: Any, headers: Any = None, accept: str = GRAPHQL_JSON
) -> httpx.Response:
    return await client.post("/graphql", json=body, headers={"accept": accept, **(headers or {})})


def code(answer: httpx.Response) -> str:
    body = answer.json()
    assert "data" not in body
    (error,) = body["errors"]
    return str(error["extensions"]["code"])


# Apollo's automatic persisted queries


async def test_a_hash_that_nobody_knows_is_asked_for_as_apollo_s_clients_expect(client):
    for accept in (GRAPHQL_JSON, JSON):
        answer = await send(client, apollo(sha(QUERY)), accept=accept)
        assert answer.status_code == 200
        assert answer.json() == {
            "errors": [
                {"message": "PersistedQueryNotFound", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}
            ]
        }
        assert answer.headers["cache-control"] == "no-store"


async def test_a_document_is_registered_with_its_hash_and_then_the_hash_is_enough(client, ada, services):
    answer = await send(client, apollo(sha(QUERY), QUERY), ada.headers)
    assert answer.json()["data"] == OK
    assert 0 < await services.store.client.ttl(f"graphql:document:{sha(QUERY)}") <= 7 * 86_400
    for headers in ({}, ada.headers):
        assert (await send(client, apollo(sha(QUERY)), headers)).json()["data"] == OK
        got = await client.get(
            "/graphql", params={"extensions": json.dumps(apollo(sha(QUERY))["extensions"])}, headers=headers
        )
        assert got.json()["data"] == OK
    assert (await send(client, {"documentId": f"sha256:{sha(QUERY)}"})).json()["data"] == OK


async def test_another_process_knows_it_too_and_without_redis_the_text_is_sent_again(
    client, ada, services, settings
):
    await send(client, apollo(sha(QUERY), QUERY), ada.headers)
    there = open_documents(settings, services.store, services.limiter)
    assert await there.registered(sha(QUERY)) == QUERY
    away = Store("redis://127.0.0.1:1/0")
    alone = open_documents(settings, away, services.limiter)
    assert await alone.registered(sha(QUERY)) is None
    await alone.register(sha(QUERY), QUERY, "user:x")
    assert await alone.registered(sha(QUERY)) == QUERY  # in this process
    await away.close()


async def test_a_hash_of_another_text_is_refused(client, ada):
    for digest in (sha(OTHER), "abc", sha(QUERY).upper()):
        for accept in (GRAPHQL_JSON, JSON):
            answer = await send(client, apollo(digest, QUERY), ada.headers, accept)
            assert answer.status_code == 400
            assert answer.json()["errors"][0]["message"] == "provided sha does not match query"
    assert code(await send(client, apollo(sha(OTHER)))) == "PERSISTED_QUERY_NOT_FOUND"


@pytest.mark.parametrize(
    "persisted",
    [{}, [], "x", 1, {"version": 1}, {"version": 1, "sha256Hash": 5}, {"version": 1, "sha256Hash": ""},
     {"version": 2, "sha256Hash": "a"}, {"version": "1", "sha256Hash": "a"}, {"sha256Hash": "a"}],
    ids=str,
)  # fmt: skip
async def test_what_is_no_persisted_query_is_a_bad_request(client, persisted):
    for query in ({}, {"query": QUERY}):
        answer = await send(client, {**query, "extensions": {"persistedQuery": persisted}}, accept=JSON)
        assert answer.status_code == 400
        assert code(answer) == "bad_request"


async def test_only_sound_documents_of_users_are_kept(client, ada, services):
    for text, headers in (
        (QUERY, {}),
        ("{ nowhere }", ada.headers),
        ("{", ada.headers),
        (QUERY, {"authorization": "Bearer x"}),
    ):
        await send(client, apollo(sha(text), text), headers)
        assert not await services.store.client.exists(f"graphql:document:{sha(text)}")
        assert code(await send(client, apollo(sha(text)))) == "PERSISTED_QUERY_NOT_FOUND"


async def test_one_user_registers_only_so_many(client, ada, bob, services, monkeypatch):
    monkeypatch.setattr(trusted_documents, "_REGISTERED", Limit("documents", 3, 86_400))
    texts = [f"query Q{number} {{ health {{ status }} }}" for number in range(5)]
    for text in texts:
        assert (await send(client, apollo(sha(text), text), ada.headers)).json()["data"] == OK
    stored = [bool(await services.store.client.exists(f"graphql:document:{sha(text)}")) for text in texts]
    assert stored == [True] * 3 + [False] * 2
    await send(client, apollo(sha(texts[4]), texts[4]), bob.headers)
    assert (await send(client, apollo(sha(texts[4])))).json()["data"] == OK


async def test_only_short_documents_are_kept_counted_in_bytes(client, ada, services):
    room = 16 * 1024 - len(QUERY) - 1
    for comment, stored in (
        ("x" * room, True),
        ("x" * (room + 1), False),
        ("\U0001f600" * (room // 4 + 1), False),
    ):
        text = f"{QUERY}#{comment}"
        assert (await send(client, apollo(sha(text), text), ada.headers)).json()["data"] == OK
        assert bool(await services.store.client.exists(f"graphql:document:{sha(text)}")) is stored
        if not stored:
            assert code(await send(client, apollo(sha(text)))) == "PERSISTED_QUERY_NOT_FOUND"


async def test_what_one_user_registers_is_bounded_in_bytes(client, ada, bob, services):
    texts = [f"{QUERY}#{number:03}{'x' * 16_000}" for number in range(140)]
    for text in texts:
        await services.documents.register(sha(text), text, f"user:{ada.id}")
    lengths = [await services.store.client.strlen(f"graphql:document:{sha(text)}") for text in texts]
    assert 120 * 16_000 < sum(lengths) < 2.1 * 2**20
    assert lengths[-1] == 0
    await services.documents.register(sha(texts[-1]), texts[-1], f"user:{bob.id}")
    assert await services.store.client.exists(f"graphql:document:{sha(texts[-1])}")


async def test_what_a_process_remembers_is_bounded(services, settings, monkeypatch):
    monkeypatch.setattr(trusted_documents, "_MOST_CACHED", 100)
    documents = open_documents(settings, services.store, services.limiter)
    texts = [f"{{{'x' * 28}{number}}}" for number in range(9)]
    for text in texts:
        await documents.register(sha(text), text, "user:x")
    assert list(documents._cache) == [sha(text) for text in texts[-3:]]
    assert documents._cache.currsize == 93
    assert await documents.registered(sha(texts[0])) == texts[0]  # Redis has it


# documentId, and manifests


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    path = tmp_path / "persisted-documents.json"
    path.write_text(json.dumps({"ask": QUERY, "change": "mutation Change { logoutEverywhere }"}))
    return path


@pytest.fixture
def settings(request: pytest.FixtureRequest, make_settings: Any) -> Any:
    mark = request.node.get_closest_marker("settings")
    changes = dict(mark.kwargs) if mark else {}
    if changes.pop("manifest", False):
        changes["graphql_documents"] = request.getfixturevalue("manifest")
    return make_settings(**changes)


@pytest.mark.settings(manifest=True)
async def test_a_trusted_document_runs_by_its_id_or_its_hash(client, ada):
    for id in ("ask", f"sha256:{sha(QUERY)}", sha(QUERY)):
        assert (await send(client, {"documentId": id})).json()["data"] == OK
        assert (await client.get("/graphql", params={"documentId": id, "operationName": ""})).json()[
            "data"
        ] == OK
        assert (await send(client, apollo(id))).json()["data"] == OK
        assert (await send(client, {"documentId": id, "query": QUERY})).json()["data"] == OK
        assert (await send(client, {"documentId": id, "query": OTHER})).status_code == 400
    refused = await client.get("/graphql", params={"documentId": "change"})
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    assert (await send(client, {"query": OTHER})).json()["data"]  # others run too


async def test_an_unknown_id_says_what_to_do(client):
    for id in ("nothing", f"sha256:{sha(QUERY)}", "sha256:xyz", "x-own:1", "\u0000", "é" * 300):
        answer = await send(client, {"documentId": id})
        assert (answer.status_code, code(answer)) == (400, "document_not_found")
        assert "Send the document itself" in answer.json()["errors"][0]["message"]
        assert (await send(client, {"documentId": id}, accept=JSON)).status_code == 200
    for id in (1, [], {}, True):
        assert (await send(client, {"documentId": id})).status_code == 400


# Nothing but trusted documents


@pytest.mark.settings(manifest=True, graphql_allow_only=True, graphiql=False)
async def test_only_trusted_documents_run(client, ada):
    for body in ({"documentId": "ask"}, {"query": QUERY}, apollo(sha(QUERY)), apollo(sha(QUERY), QUERY)):
        assert (await send(client, body, ada.headers)).json()["data"] == OK
    for body in (
        {"query": OTHER}, {"query": QUERY + " "}, {"query": "{"}, {"query": "{ __typename }"},
        {"documentId": "other"}, {"documentId": f"sha256:{sha(OTHER)}"}, apollo(sha(OTHER)), apollo(sha(OTHER), OTHER),
        {"query": "{ __schema { queryType { name } } }"},
    ):  # fmt: skip
        answer = await send(client, body, ada.headers)
        assert (answer.status_code, code(answer)) == (403, "document_not_allowed")
        assert (await send(client, body, ada.headers, JSON)).status_code == 200
    got = await client.get("/graphql", params={"query": OTHER}, headers={"accept": GRAPHQL_JSON})
    assert got.status_code == 403


@pytest.mark.settings(manifest=True, graphql_allow_only=True, graphiql=True)
async def test_where_graphiql_is_it_may_draw_the_schema_and_no_more(client, ada):
    for query in ("{ __schema { queryType { name } } }", "{ ...F } fragment F on Query { __typename }"):
        assert (await send(client, {"query": query}, ada.headers)).json()["data"]
    for query in (OTHER, "{ __typename health { status } }"):
        assert code(await send(client, {"query": query}, ada.headers)) == "document_not_allowed"


@pytest.mark.settings(manifest=True, graphql_allow_only=True)
async def test_nobody_registers_where_only_trusted_documents_run(client, ada, services):
    await services.store.client.set(f"graphql:document:{sha(OTHER)}", OTHER)
    assert code(await send(client, apollo(sha(OTHER)), ada.headers)) == "document_not_allowed"
    await send(client, apollo(sha(QUERY), QUERY), ada.headers)
    assert not await services.store.client.exists(f"graphql:document:{sha(QUERY)}")


# What an operator gives


def named(path: Path, make_settings: Any, services: Any) -> dict[str, str]:
    settings = make_settings(console=False, graphql_documents=path)
    return dict(open_documents(settings, services.store, services.limiter)._by_id)


async def test_the_tools_manifests_are_read(tmp_path, make_settings, services):
    codegen = tmp_path / "persisted-documents.json"
    codegen.write_text(json.dumps({"sha1": QUERY, "other": OTHER}))
    assert named(codegen, make_settings, services) == {"sha1": QUERY, "other": OTHER}
    of_apollo = tmp_path / "apollo.json"
    of_apollo.write_text(json.dumps({
        "format": "apollo-persisted-query-manifest", "version": 1,
        "operations": [{"id": sha(QUERY), "name": "Ask", "type": "query", "body": QUERY}],
    }))  # fmt: skip
    assert named(of_apollo, make_settings, services) == {sha(QUERY): QUERY}
    (tmp_path / "third.graphql").write_text(OTHER)
    (tmp_path / "README.md").write_text("no manifest")
    assert set(named(tmp_path, make_settings, services)) == {"sha1", "other", sha(QUERY), "third"}


BAD: dict[str, tuple[bytes, str]] = {
    "no JSON": (b"{", "it is not JSON"),
    "a list": (b'["a"]', "it must be {id: document}"),
    "empty": (b"{}", "it contains no document"),
    "a number for a document": (b'{"a": 1}', "the document of 'a' must be text"),
    "an empty document": (b'{"a": " "}', "the document of 'a' must be text"),
    "an empty id": (b'{"": "{me}"}', "an id has 1 to 256 characters"),
    "too long a document": (json.dumps({"a": "x" * 70_000}).encode(), "more than 65536 characters"),
    "Apollo's without operations": (b'{"format": "apollo-persisted-query-manifest"}', "operations must be a list"),
    "Apollo's without an id": ((
        b'{"format": "apollo-persisted-query-manifest", '
        b'"operations": [{}]}'
    ), "must have an id and a body"),
    "Apollo's without a body": ((
        b'{"format": "apollo-persisted-query-manifest", '
        b'"operations": [{"id": "a"}]}'
    ), "must be text"),
    "too many": (json.dumps({str(number): "{a}" for number in range(10_001)}).encode(), "more than 10000 documents"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
async def test_a_bad_manifest_stops_the_start_and_is_named(name, tmp_path, make_settings, services):
    content, message = BAD[name]
    path = tmp_path / "documents.json"
    path.write_bytes(content)
    with pytest.raises(BadSettings) as raised:
        named(path, make_settings, services)
    assert str(raised.value).startswith(f"POSTERN_GRAPHQL_DOCUMENTS: {path}: ")
    assert message in str(raised.value)


async def test_what_can_t_be_read_stops_the_start_too(tmp_path, make_settings, services):
    with pytest.raises(BadSettings, match="No such file"):
        named(tmp_path / "nowhere.json", make_settings, services)
    (tmp_path / "a.json").write_text('{"x": "{a}"}')
    (tmp_path / "b.json").write_text('{"x": "{b}"}')
    with pytest.raises(BadSettings, match=r"b\.json: 'x' is the id of another document already"):
        named(tmp_path, make_settings, services)
    (tmp_path / "b.json").unlink()
    (tmp_path / "c.graphql").write_bytes(b"\xff\xfe")
    with pytest.raises(BadSettings, match="it is not UTF-8"):
        named(tmp_path, make_settings, services)
    with pytest.raises(
        ValueError, match="POSTERN_GRAPHQL_ALLOW_ONLY needs POSTERN_GRAPHQL_DOCUMENTS or POSTERN_CONSOLE"
    ):
        make_settings(graphql_allow_only=True, console=False)
