"""GraphQL over HTTP: the border itself, without node. What it answers to whom, and how often it thinks."""

import itertools
import json
from typing import Any

import pytest
from graphql import get_introspection_query

from schema import router
from schema.frame import documents
from schema.frame.requests import JSON
from schema.router import GRAPHQL_JSON
from tests.support.people import Person

URQL = f"{GRAPHQL_JSON}, application/graphql+json, {JSON}, text/event-stream, multipart/mixed"
QUERY = "{health{status}}"
OK = {"health": {"status": "ok"}}


ACCEPTED: list[tuple[str | None, str | None]] = [
    (None, JSON),
    ("", JSON),
    ("*/*", JSON),
    ("application/*", JSON),
    (JSON, JSON),
    (GRAPHQL_JSON, GRAPHQL_JSON),
    (f"{GRAPHQL_JSON}; charset=utf-8, {JSON}; charset=utf-8", GRAPHQL_JSON),
    (f"{JSON}, {GRAPHQL_JSON}", JSON),
    (f"{JSON};q=0.5, {GRAPHQL_JSON};q=0.9", GRAPHQL_JSON),
    (f"{GRAPHQL_JSON};q=0, */*", JSON),
    (f"{GRAPHQL_JSON};q=x, {JSON}", JSON),
    ("APPLICATION/JSON", JSON),
    ("text/html, */*;q=0.1", JSON),
    (URQL, GRAPHQL_JSON),
    ("text/html", None),
    ("text/event-stream", None),
    (f"{JSON};q=0", None),
    ("," * 10_000 + JSON, None),  # only so many are looked at
]


async def test_the_answer_s_type_is_the_client_s_choice(client, subtests):
    client.headers.pop("accept")
    for accept, media in ACCEPTED:
        with subtests.test(str(accept)[:60]):
            headers = {} if accept is None else {"accept": accept}
            answer = await client.post("/graphql", json={"query": QUERY}, headers=headers)
            if media is None:
                assert answer.status_code == 406
                assert answer.json()["errors"][0]["extensions"]["code"] == "bad_request"
            else:
                assert answer.status_code == 200
                assert answer.headers["content-type"] == media
                assert answer.json()["data"] == OK


TYPES = [
    (JSON, 200),
    ("application/json; charset=utf-8", 200),
    ('Application/JSON;charset="UTF-8"', 200),
    ("application/json; charset=utf-7", 415),
    ("application/json; charset=utf-16", 415),
    ("application/jsonp", 415),
    ("application/graphql", 415),
    ("text/plain", 415),
    ("application/x-www-form-urlencoded", 415),
    ("multipart/form-data; boundary=x", 400),  # a form, but none that has a file
    ("", 415),
]


async def test_only_json_is_read(client, subtests):
    for kind, status in TYPES:
        with subtests.test(kind):
            answer = await client.post(
                "/graphql", content=json.dumps({"query": QUERY}), headers={"content-type": kind}
            )
            assert answer.status_code == status


async def test_get_asks_and_never_changes(client):
    answer = await client.get(
        "/graphql", params={"query": QUERY, "variables": "{}", "extensions": "", "operationName": ""}
    )
    assert (answer.status_code, answer.json()["data"]) == (200, OK)
    refused = await client.get("/graphql", params={"query": "mutation{logoutEverywhere}"})
    assert refused.status_code == 405
    assert refused.headers["allow"] == "POST"
    for params in (
        {"query": QUERY, "variables": "{"},
        {"query": QUERY, "extensions": "[]"},
        {"query": QUERY, "variables": "1"},
        {},
    ):
        assert (await client.get("/graphql", params=params)).status_code == 400
    both = "query A{health{status}} mutation B{logoutEverywhere}"
    assert (await client.get("/graphql", params={"query": both, "operationName": "A"})).json()["data"] == OK
    assert (await client.get("/graphql", params={"query": both, "operationName": "B"})).status_code == 405


async def test_other_methods(client, subtests):
    for method in ["PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"]:
        with subtests.test(method):
            answer = await client.request(method, "/graphql")
            assert answer.status_code == 405
            assert answer.headers["allow"] == "GET, POST"


NONE: list[Any] = [
    {}, {"query": ""}, {"query": None}, {"query": 1}, {"query": ["{me}"]}, {"query": QUERY, "variables": []},
    {"query": QUERY, "variables": "{}"}, {"query": QUERY, "operationName": 1}, {"query": QUERY, "extensions": "x"},
    [{"query": QUERY}], [], "x", 1, None, True,
]  # fmt: skip


async def test_a_request_that_is_none(client, subtests):
    for body, accept in itertools.product(NONE, (JSON, GRAPHQL_JSON)):
        with subtests.test(str(body)):
            sent = json.dumps(body)
            answer = await client.post(
                "/graphql", content=sent, headers={"accept": accept, "content-type": JSON}
            )
            assert answer.status_code == 400
            assert set(answer.json()) == {"errors"}
            assert answer.json()["errors"][0]["extensions"]["code"] == "bad_request"


REQUEST_ERRORS = {
    "syntax": ("{", None),
    "unknown field": ("{nowhere}", None),
    "unknown operation": ("query A{health{status}}", None),
    "variable missing": ("query($k:String!){setting(key:$k){key}}", None),
    "variable of another type": ("query($k:String!){setting(key:$k){key}}", {"k": 1}),
    "enum that is none": ("query($s:MessageStatus){messages(status:$s){items{uuid}}}", {"s": "x"}),
    "too deep": ("{" + "a{" * 13 + "b" + "}" * 14, None),
}


async def test_a_request_error_is_400_without_data_for_those_who_know_the_type(ada: Person, subtests):
    for name, (query, variables) in REQUEST_ERRORS.items():
        with subtests.test(name):
            body = {"query": query, "variables": variables}
            if name == "unknown operation":
                body["operationName"] = "B"
            modern = await ada.rest("POST", "/graphql", json=body, headers={"accept": GRAPHQL_JSON})
            assert modern.status_code == 400
            assert "data" not in modern.json()
            assert modern.json()["errors"][0]["extensions"]["code"] in ("bad_request", "query_too_complex")
            old = await ada.rest("POST", "/graphql", json=body, headers={"accept": JSON})
            assert old.status_code == (400 if name == "unknown operation" else 200)
            assert old.json() == modern.json()


async def test_a_field_s_error_is_200_with_data(client):
    answer = await client.post(
        "/graphql", json={"query": "{me{uuid} health{status}}"}, headers={"accept": GRAPHQL_JSON}
    )
    assert answer.status_code == 200
    assert answer.json()["data"] == {"me": None, **OK}


async def test_several_operations_need_a_name(client):
    body = {"query": "query A{health{status}} query B{timezones}"}
    assert "operationName" in (await client.post("/graphql", json=body)).json()["errors"][0]["message"]
    assert (await client.post("/graphql", json={**body, "operationName": "A"})).json()["data"] == OK


async def test_subscriptions_are_refused_clearly(client):
    answer = await client.post(
        "/graphql", json={"query": "subscription{x}"}, headers={"accept": GRAPHQL_JSON}
    )
    assert answer.status_code == 400


SAME = {
    "insufficient_balance": ("POST", "/messages", {"to": "+14155550100", "channel": "sms", "body": "x" * 1600},
                             'mutation{sendMessage(input:{to:"+14155550100",channel:sms,body:"'
                             + "x" * 1600 + '"}){uuid}}'),
    "validation_failed": ("POST", "/accounts", {"name": "", "currency": "XYZ"},
                          'mutation{createAccount(input:{name:"",currency:"XYZ"}){uuid}}'),
    "invalid_recipient": ("POST", "/messages", {"to": "x", "channel": "sms", "body": "x"},
                          'mutation{sendMessage(input:{to:"x",channel:sms,body:"x"}){uuid}}'),
    "setting_not_found": ("GET", "/settings/a", None, '{setting(key:"a"){key}}'),
    "forbidden": ("GET", "/users", None, "{users{nodes{uuid}}}"),
    "bad_scope": ("GET", "/settings?accountId=01890000-0000-7000-8000-000000000000", None,
                  '{settings(accountId:"01890000-0000-7000-8000-000000000000")}'),
    "legacy_not_configured": ("GET", "/legacy/x", None, 'mutation{legacyCall(input:{path:"/x"}){ok}}'),
    "bad_credentials": ("POST", "/auth/login", {"email": "a@example.com", "password": "12345678"},
                        'mutation{login(input:{email:"a@example.com",password:"12345678"}){tokenType}}'),
}  # fmt: skip


async def test_the_same_failure_has_the_same_words_in_both_doors(people, subtests):
    poor: Person = await people.make(credit="0.01")
    for code, (method, path, body, document) in SAME.items():
        with subtests.test(code):
            rest = (await poor.rest(method, path, json=body)).json()
            graphql = (await poor.graphql(document))["errors"][0]
            assert graphql["extensions"]["code"] == rest["code"] == code
            message = rest["message"]
            assert graphql["message"] == ("; ".join(message) if isinstance(message, list) else message)
            assert graphql["extensions"]["message"] == graphql["message"]


async def test_a_bug_is_masked_and_logged_with_its_request_id(client, ada: Person, monkeypatch, caplog):
    async def broken(*_: Any) -> None:
        raise RuntimeError("postgresql://postern:hunter2@10.0.0.7/db is not there")

    monkeypatch.setattr("db.query.Query.first", broken)
    headers = {"x-request-id": "req-17"}
    body = await ada.graphql("{me{uuid}}", **headers)
    (error,) = body["errors"]
    assert error["extensions"] == {"code": "internal_error"}
    assert error["message"] == "Something went wrong on our side. Tell the operator this request id: req-17"
    assert error["path"] == ["me"]
    answer = await ada.rest("GET", "/auth/me", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert answer.json()["message"] == error["message"]
    for text in (str(body), answer.text):
        assert "hunter2" not in text
        assert "RuntimeError" not in text


@pytest.mark.settings(graphiql=False)
async def test_a_closed_schema_tells_nothing_of_itself(client):
    async def message_of(query: str) -> str:
        answer = await client.post("/graphql", json={"query": query})
        assert "data" not in answer.json()
        return answer.text

    for query in ("{__schema{types{name}}}", '{__type(name:"User"){name}}', get_introspection_query()):
        assert "introspection" in (await message_of(query)).lower()
    assert "health" not in await message_of("{healt{status}}")
    assert "status" not in await message_of("{health{statu}}")
    assert "Did you mean" not in await message_of('mutation{login(input:{emai:"x"}){accessToken}}')
    answer = await client.post("/graphql", json={"query": "{__typename health{__typename}}"})
    assert answer.json()["data"] == {"__typename": "Query", "health": {"__typename": "Liveness"}}


async def test_an_open_schema_can_be_explored(client):
    options = {
        "specified_by_url": True,
        "directive_is_repeatable": True,
        "schema_description": True,
        "input_value_deprecation": True,
    }
    answer = await client.post("/graphql", json={"query": get_introspection_query(**options)})
    assert answer.json()["data"]["__schema"]["queryType"]["name"] == "Query"
    assert "Did you mean 'health'" in (await client.post("/graphql", json={"query": "{healt{status}}"})).text


async def test_a_document_is_read_and_validated_once(client, monkeypatch):
    counted = {"parse": 0, "validate": 0}

    def counting(name: str) -> Any:
        real = getattr(documents, name)

        def call(*arguments: Any, **options: Any) -> Any:
            counted[name] += 1
            return real(*arguments, **options)

        return call

    for name in counted:
        monkeypatch.setattr(documents, name, counting(name))
    query = "query($k:String!){timezones __typename setting(key:$k){key}}"
    for number in range(10):
        await client.post("/graphql", json={"query": query, "variables": {"k": f"k{number}"}})
    assert counted == {"parse": 1, "validate": 1}
    for _ in range(3):  # a wrong one is not worth remembering, and its error is the same every time
        wrong = await client.post("/graphql", json={"query": "{nowhere}"})
        assert len(wrong.json()["errors"]) == 1
    assert counted == {"parse": 4, "validate": 4}


def test_the_accept_header_is_read_in_bounded_time():
    assert router._media_type("a/b;q=0.1," * 100_000) is None
