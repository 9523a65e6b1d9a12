"""A malformed request is answered with a GraphQL error and 400, and the log has one line about it."""

import json
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from schema.frame.requests import JSON
from schema.router import GRAPHQL_JSON
from tests.support.live import Live, serving
from tests.support.waits import eventually

Q = '"query":"{health{status}}"'
SOUND = f"{{{Q}}}".encode()
SURROGATE = b'"\\ud800"'
DEEP = b"[" * 5000 + b"]" * 5000

BODIES: dict[str, bytes] = {
    "nothing": b"",
    "spaces": b" \t\r\n",
    "half an object": b'{"query":',
    "two objects": SOUND + SOUND,
    "a comment": b'/* */ {"query":"{health{status}}"}',
    "a number": b"1",
    "a huge number": b"1" * 5000,
    "a huge float": b"1e999999",
    "not a number": b"NaN",
    "infinity": b'{"query":Infinity}',
    "text": b'"{health{status}}"',
    "true": b"true",
    "null": b"null",
    "a list": b"[]",
    "a batch": b"[" + SOUND + b"," + SOUND + b"]",
    "deep": DEEP,
    "half deep": b"[" * 100_000,
    "deep variables": b'{"query":"{health{status}}","variables":{"a":' + DEEP + b"}}",
    "half a surrogate": b'{"query":' + SURROGATE + b"}",
    "half a surrogate in a variable": b'{"query":"{health{status}}","variables":{"a":' + SURROGATE + b"}}",
    "half a surrogate for a name": b'{"query":"{health{status}}","operationName":' + SURROGATE + b"}",
    "no UTF-8": b'{"query":"\xff"}',
    "UTF-16": '{"query":"{health{status}}"}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf" + SOUND,
    "a NUL": b"\0",
    "a NUL at the end": SOUND + b"\0",
    "a NUL in the query": b'{"query":"{health{status}}\\u0000"}',
    "a NUL for a name": b'{"query":"{health{status}}","operationName":"\\u0000"}',
    "a NUL for an id": b'{"documentId":"\\u0000"}',
    "a form": b"query=%7Bhealth%7Bstatus%7D%7D",
    "a wrong comma": b'{"query":"{health{status}}",}',
    "single quotes": b"{'query':'{health{status}}'}",
    "an empty object": b"{}",
    "an empty query": b'{"query":""}',
    "no query but extensions": b'{"extensions":{}}',
    "a persisted query without a hash": b'{"extensions":{"persistedQuery":{"version":1}}}',
    "a persisted query that is a list": b'{"extensions":{"persistedQuery":[]}}',
    "only a comment in the query": b'{"query":"# nothing"}',
    "only a fragment": b'{"query":"fragment F on Query{health{status}}"}',
    "a type": b'{"query":"type Query{a:Int}"}',
    "a wrong escape": b'{"query":"{health(a:\\"\\\\ud800\\"){status}}"}',
    "an unknown operation": b'{"query":"query A{health{status}}","operationName":"B"}',
    "the second of two queries": b'{"query":"{health{status}}","query":"{"}',
} | {
    f"{name} is {value}": f'{{{Q},"{name}":{value}}}'.encode()
    for name, values in {
        "variables": ("1", "-0", '"{}"', "[]", "true", "0.5", "1" * 400),
        "extensions": ("1", '"x"', "[]", "false"),
        "operationName": ("1", "{}", "[]", "true", '"' + "x" * 9999 + '"'),
        "documentId": ("1", "{}", "[]", "false"),
    }.items()
    for value in values
}  # fmt: skip
BODIES |= {
    f"a query that is {value}": f'{{"query":{value}}}'.encode()
    for value in ("1", "[]", "{}", "true", "null", "[[" * 400 + "]]" * 400)
}

# Strange, but it can be read: the last of equal keys counts (RFC 8259 §4), and what nobody knows is ignored.
READ = {
    "equal keys": b'{"query":"{","query":"{health{status}}"}',
    "unknown keys": b'{"query":"{health{status}}","id":1,"x":{"y":[null]}}',
    "huge numbers that nobody asks for": b'{"query":"{health{status}}","variables":{"a":' + b"9" * 60 + b"}}",
    "nulls": b'{"query":"{health{status}}","variables":null,"operationName":null,"extensions":null,"documentId":null}',
    "an empty name": b'{"query":"{health{status}}","operationName":"","documentId":""}',
    "strange extensions": b'{"query":"{health{status}}","extensions":{"persistedQuery":null,"x":"\\u0000"}}',
}


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with serving() as running:
        yield running


def test_a_body_that_is_none_is_400(live, subtests):
    since = live.mark()
    for name, body in BODIES.items():
        for accept in (GRAPHQL_JSON, JSON):
            with subtests.test(name, accept=accept):
                answer = live.client.post(
                    "/graphql", content=body, headers={"content-type": JSON, "accept": accept}
                )
                # A document that is wrong is told old clients with a 200.
                assert answer.status_code == 400 or (accept == JSON and answer.status_code == 200), (
                    answer.text
                )
                assert answer.headers["content-type"] == accept
                assert set(answer.json()) == {"errors"}
                (error,) = answer.json()["errors"]
                assert error["extensions"]["code"] in (
                    "bad_request",
                    "document_not_found",
                    "query_too_complex",
                )
                assert len(error["message"]) < 500
    live.sound(since)


def test_what_can_be_read_is_answered(live, subtests):
    for name, body in READ.items():
        with subtests.test(name):
            answer = live.client.post(
                "/graphql", content=body, headers={"content-type": JSON, "accept": GRAPHQL_JSON}
            )
            assert answer.json()["data"] == {"health": {"status": "ok"}}, answer.text


# Through every scalar that a variable may have. None of them may be more than a wrong variable.
STRANGE: list[Any] = [
    0, -1, 1, 2**31, -(2**63), 2**64, 1.5, 1e308, -0.0, True, None, "", "\0", "😀" * 100, "null", "x" * 10_000,
    [], [[]], [None], {}, {"a": {"b": []}}, {"__proto__": 1}, {"": ""}, "9" * 400, "2026-13-45", "{", "../..",
]  # fmt: skip
TAKING = (
    ("query($v: ID!) { account(id: $v) { uuid } }", "ID"),
    ("query($v: Int) { accounts(first: $v) { nodes { uuid } } }", "Int"),
    ("query($v: String) { accounts(after: $v) { nodes { uuid } } }", "String"),
    ("query($v: String!) { setting(key: $v) { key } }", "String of a table"),
    ("query($v: [ID!]!) { nodes(ids: $v) { id } }", "a list"),
    ("query($v: Boolean!) { health @include(if: $v) { status } }", "Boolean"),
    ("mutation($v: CreateAccountInput!) { createAccount(input: $v) { uuid } }", "an input"),
    ("mutation($v: LoginInput!) { login(input: $v) { tokenType } }", "a secret input"),
)


def test_a_variable_may_be_anything(live, subtests):
    since = live.mark()
    for (query, name), value in ((taking, value) for taking in TAKING for value in STRANGE):
        with subtests.test(name, value=str(value)[:40]):
            answer = live.client.post(
                "/graphql",
                content=json.dumps({"query": query, "variables": {"v": value}}),
                headers={"content-type": JSON, "accept": GRAPHQL_JSON, **live.ada.headers},
            )
            assert answer.status_code in (200, 400), answer.text
            codes = [error["extensions"]["code"] for error in answer.json().get("errors", ())]
            assert "internal_error" not in codes, answer.text
    live.sound(since)


URLS = ("", "query", "query=", "query={", "query=%00", "query=%ff%fe", "query={health{status}}&variables={",
        "query={health{status}}&variables=1", "query={health{status}}&extensions=[]", "variables={}",
        "query={health{status}}&variables=%5B%5B%5B", "documentId=%F0%9F", "extensions={}",
        "query={health{status}}&operationName=%ed%a0%80", "extensions=" + "[" * 3000)  # fmt: skip


def test_a_url_that_is_none_is_400(live, subtests):
    since = live.mark()
    for url in URLS:
        with subtests.test(url[:60]):
            answer = live.client.get(f"/graphql?{url}", headers={"accept": GRAPHQL_JSON})
            assert answer.status_code == 400
    live.sound(since)


def test_a_client_that_leaves_in_the_middle_of_its_body_leaves_no_story(live):
    """The client leaves by a reset or by a half-closed socket, in each encoding of a body."""
    since = live.mark()
    head = b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Request-ID: %s\r\n"
    left = 0
    for encoding in (
        b"Content-Length: 4000\r\n\r\n" + SOUND[:9],
        b"Transfer-Encoding: chunked\r\n\r\n5\r\n" + SOUND[:5],
    ):
        for reset in (True, False):
            left += 1
            with socket.create_connection(("127.0.0.1", live.port)) as connection:
                connection.sendall(head % b"left-%d" % left + encoding)
                if reset:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                else:
                    connection.shutdown(socket.SHUT_WR)
                    with suppress(OSError):
                        connection.recv(65536)
    eventually(
        lambda: all(f"left-{number}" in live.log.read_text() for number in range(1, left + 1)),
        "each of them has its line in the log",
    )
    live.sound(since)
    lines = [json.loads(line) for line in live.logged(since).splitlines() if '"left-' in line]
    assert {line["level"] for line in lines} == {"info"}, lines
    assert len(lines) == left
