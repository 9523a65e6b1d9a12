"""Tests requests that are wrong below JSON: sizes, false sizes, slowness, aborts, ids and logs."""

import concurrent.futures
import contextlib
import json
import socket
import time
from contextlib import closing

import httpx
import orjson
import pytest

from tests.support.live import Live
from tests.support.waits import PATIENCE, eventually

pytestmark = pytest.mark.rotating

LIMIT = 2 * 1024 * 1024


def status(raw: bytes) -> int:
    return int(raw.split(b" ", 2)[1]) if raw.startswith(b"HTTP/1.1 ") else 0


def head(live: Live, method: str, path: str, *lines: str) -> bytes:
    wanted = (f"{method} {path} HTTP/1.1", "Host: x", f"Authorization: Bearer {live.ada.token}", *lines)
    return "".join(f"{line}\r\n" for line in wanted).encode() + b"\r\n"


@pytest.mark.parametrize("path", ["/messages", "/graphql", "/settings", "/hooks/twilio/sms"])
def test_a_body_that_says_it_is_too_big_is_refused_unread(live: Live, path: str):
    mark = live.mark()
    method = "PATCH" if path == "/settings" else "POST"
    raw = live.send(
        head(live, method, path, "Content-Type: application/json", f"Content-Length: {LIMIT + 1}")
    )
    assert status(raw) == 413
    assert b"too_large" in raw
    live.sound(mark)


@pytest.mark.parametrize("path", ["/messages", "/graphql", "/legacy/x"])
def test_a_chunked_body_is_cut_where_it_becomes_too_big(live: Live, path: str):
    mark = live.mark()
    sent = 0

    def chunks():
        nonlocal sent
        for _ in range(64):
            sent += 65536
            yield b"[" * 65536

    try:
        answer = live.client.post(
            path, content=chunks(), headers={**live.ada.headers, "content-type": "application/json"}
        )
        assert answer.status_code == 413
        assert answer.json().get("code", "too_large") == "too_large"
    except httpx.TransportError:
        pass  # we closed while it was still sending
    assert sent >= LIMIT
    live.sound(mark)


def test_exactly_the_limit_is_read(live: Live):
    body = b'{"value":"' + b"x" * (LIMIT - 12) + b'"}'
    assert len(body) == LIMIT
    answer = live.client.put(
        "/settings/big", content=body, headers=live.ada.headers | {"content-type": "application/json"}
    )
    assert answer.status_code == 400
    assert answer.json()["code"] == "validation_failed"


@pytest.mark.parametrize(
    ("lines", "body", "expected"),
    [
        (("Content-Length: 10",), b"{}", {0, 400}),  # less than it says, then it closes
        (("Content-Length: 2", "Content-Length: 3"), b"{}", {400}),
        (("Content-Length: -1",), b"{}", {400}),
        (("Content-Length: +2",), b"{}", {400}),
        (("Content-Length: 0x2",), b"{}", {400}),
        (("Content-Length: " + "9" * 40,), b"{}", {400, 413}),
        (("Transfer-Encoding: chunked", "Content-Length: 2"), b"0\r\n\r\n", {400}),  # smuggling (RFC 9112 §6.1)
        (("Transfer-Encoding: chunked",), b"zz\r\n{}\r\n0\r\n\r\n", {0, 400}),
        (("Transfer-Encoding: chunked",), b"FFFFFFFFFFFFFFFFF\r\n{}", {0, 400}),
        (("Transfer-Encoding: gzip",), b"{}", {400}),
        (("Transfer-Encoding: chunked\r\n : x",), b"0\r\n\r\n", {400}),
        (("X: a\0b",), b"", {400}),
        (("No colon",), b"", {400}),
    ],
)  # fmt: skip
def test_lying_about_the_body(live: Live, lines: tuple[str, ...], body: bytes, expected: set[int]):
    mark = live.mark()
    raw = live.send(
        head(live, "POST", "/messages", "Content-Type: application/json", *lines) + body,
        half_close=True,
    )
    assert status(raw) in expected, raw[:200]
    live.sound(mark)


@pytest.mark.parametrize(
    "raw",
    [
        b"GET /" + b"a" * 80_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 200_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: a\r\n" % i for i in range(20_000)) + b"\r\n",
    ],
    ids=["path", "header", "headers"],
)
def test_endless_heads_are_refused(live: Live, raw: bytes):
    mark = live.mark()
    answer = live.send(raw, until=2)
    assert status(answer) in {0, 400, 414, 431}, answer[:200]
    live.sound(mark)


@pytest.mark.parametrize("raw", [
    b"\x16\x03\x01\x02\x00\x01\x00", b"\0" * 1000, b"GET / HTTP/9.9\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET http://evil.example/messages HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET\r\n\r\n", b"\r\n" * 5000,
])  # fmt: skip
def test_what_is_no_http(live: Live, raw: bytes):
    mark = live.mark()
    answer = live.send(raw, until=0.5)
    assert status(answer) in {0, 200, 400, 401, 404, 505}, answer[:200]
    live.sound(mark)


def test_a_head_that_never_ends_is_cut_off(live: Live):
    mark = live.mark()
    with closing(socket.create_connection(("127.0.0.1", live.port), timeout=PATIENCE)) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ")
        sent = 0
        with contextlib.suppress(OSError):
            while sent < 8 * LIMIT:
                connection.sendall(b"a" * 16384)
                sent += 16384
        with contextlib.suppress(OSError):
            assert status(connection.recv(4096)) in {0, 431}
    assert sent < 4 * LIMIT  # what the sockets' buffers hold
    live.sound(mark)


@pytest.mark.alone
def test_many_slow_clients_don_t_keep_others_waiting(live: Live):
    """70: three hundred that drip a header, and one that asks."""
    mark = live.mark()
    slow = []
    try:
        for _ in range(300):
            connection = socket.create_connection(("127.0.0.1", live.port), timeout=PATIENCE)
            connection.sendall(b"POST /messages HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nX-")
            slow.append(connection)
        for _ in range(5):
            begun = time.perf_counter()
            assert httpx.get(f"http://127.0.0.1:{live.port}/health", timeout=PATIENCE).status_code == 200
            assert time.perf_counter() - begun < 5  # the slow ones may take ten
    finally:
        for connection in slow:
            connection.close()
    live.sound(mark)


@pytest.mark.parametrize(
    "path", ["/messages", "/graphql", "/auth/login", "/settings/x", "/hooks/twilio/sms", "/legacy/x"]
)
def test_a_client_that_leaves_while_sending_leaves_no_traceback(live: Live, path: str):
    mark = live.mark()
    method = "PUT" if path == "/settings/x" else "POST"
    for _ in range(3):
        with closing(socket.create_connection(("127.0.0.1", live.port), timeout=PATIENCE)) as connection:
            connection.sendall(
                head(live, method, path, "Content-Type: application/json", "Content-Length: 1000") + b'{"a":'
            )
            time.sleep(0.02)
    eventually(
        lambda: live.logged(mark).count(f'"path":"{path}","status"') >= 3, "each has its line in the log"
    )
    live.sound(mark)


def test_a_client_that_leaves_before_the_answer_leaves_no_traceback(live: Live):
    mark = live.mark()
    body = b'{"email":"ada@example.com","password":"not the right one"}'
    for _ in range(5):
        with closing(socket.create_connection(("127.0.0.1", live.port), timeout=PATIENCE)) as connection:
            connection.sendall(
                head(
                    live,
                    "POST",
                    "/auth/login",
                    "Content-Type: application/json",
                    f"Content-Length: {len(body)}",
                )
                + body
            )
    eventually(
        lambda: live.logged(mark).count('"path":"/auth/login","status"') == 5,
        "the five are verified or given up",
    )
    live.sound(mark)


def test_no_cross_origin_answers_unless_configured(live: Live):
    """57."""
    for origin in ("https://evil.example", "null", "http://127.0.0.1.evil.example"):
        for method in ("GET", "OPTIONS", "POST"):
            answer = live.client.request(
                method, "/graphql" if method == "POST" else "/health",
                headers={"origin": origin, "access-control-request-method": "POST"},
            )  # fmt: skip
            assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_request_id_is_taken_over_or_made(live: Live):
    mark = live.mark()
    named_answer = live.client.get("/health", headers={"x-request-id": "job-7:step.2_a"})
    assert named_answer.headers["x-request-id"] == "job-7:step.2_a"
    assert '"request_id":"job-7:step.2_a"' in live.logged(mark)
    for bad in ("", "a b", 'a"b', "a" * 129, "a\tb", "{}", "<x>", "a/b", "\xe9"):
        answer = live.client.get("/health", headers=[(b"x-request-id", bad.encode("latin-1"))])
        made = answer.headers["x-request-id"]
        assert made != bad
        assert made.isalnum()
        assert len(made) == 32
    assert live.client.get("/nowhere", headers={"x-request-id": "r1"}).headers.get_list("x-request-id") == [
        "r1"
    ]


def test_every_log_line_is_one_json_object_whatever_was_asked(live: Live):
    """65: nothing that a client sends begins a line of its own."""
    mark = live.mark()
    evil = '"}\n{"level":"error","event":"forged"}'
    quoted = "%22%7D%0A%7B%22level%22%3A%22error%22%2C%22event%22%3A%22forged%22%7D"
    live.client.get(f"/nowhere/{quoted}")
    live.client.get(f"/messages?q={quoted}", headers=live.ada.headers)
    live.client.post("/auth/login", json={"email": evil, "password": evil})
    live.client.post("/auth/login", json={"email": "ada@example.com", "password": evil})
    live.client.get("/health", headers=[(b"user-agent", b"a\x1b[31m\x85b"), (b"x-real-ip", b'1" forged')])
    live.client.post("/graphql", json={"query": "query " + evil})
    live.client.get("/health")
    lines = [line for line in live.logged(mark).split("\n") if line]
    assert len(lines) >= 7
    for line in lines:
        entry = json.loads(line)
        assert entry["event"] != "forged"
        assert entry["timestamp"]


def test_no_secret_reaches_the_log(live: Live):
    """66: tokens, passwords, bodies, recipients."""
    mark = live.mark()
    query = 'mutation{createApiToken(input:{name:"t"}){token}}'
    answer = live.client.post("/graphql", headers=live.ada.headers, json={"query": query})
    created = answer.json()["data"]["createApiToken"]["token"]
    login = live.client.post(
        "/auth/login", json={"email": "bob@example.com", "password": "correct horse battery"}
    ).json()
    secrets = [live.ada.token, created, login["accessToken"], login["refreshToken"], "correct horse battery",
               "very private text", "+14155550177", "wrong horse battery"]  # fmt: skip
    headers = {"authorization": f"Bearer {created}"}
    live.client.get("/auth/me", headers=headers)
    live.client.get(f"/auth/me?token={created}&access_token={live.ada.token}")
    live.client.get(f"/nowhere?key={created}")
    live.client.get(f"/nowhere/{created}")
    live.client.post("/auth/refresh", json={"refreshToken": login["refreshToken"]})
    live.client.post("/auth/refresh", json={"refreshToken": login["refreshToken"] + "x", "y": 1})
    live.client.post("/auth/login", json={"email": "ada@example.com", "password": "wrong horse battery"})
    live.client.post(
        "/messages",
        headers=headers,
        json={"to": "+14155550177", "channel": "sms", "body": "very private text"},
    )
    live.client.post(
        "/messages", headers=headers, json={"to": "+14155550177", "channel": "x", "body": "very private text"}
    )
    live.client.post("/graphql", headers=headers, json={"query": "{ very private text +14155550177 "})
    live.sound(mark)
    logged = live.logged(mark)
    assert logged.count('"event":"request"') >= 10  # or nothing was looked at
    for secret in secrets:
        assert secret not in logged


def test_the_host_header_leads_nowhere(live: Live):
    """67."""
    answer = live.client.get("/openapi.json", headers={"host": "evil.example"})
    assert "evil.example" not in answer.text
    answer = live.client.post(
        "/auth/login", json={}, headers={"host": "evil.example", "x-forwarded-host": "evil.example"}
    )
    assert "evil.example" not in answer.text
    assert "location" not in answer.headers


def test_every_answer_says_that_it_must_not_be_sniffed(live: Live):
    for path in ("/health", "/nowhere", "/auth/me", "/common/currencies", "/openapi.json"):
        headers = live.client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-type"] == "application/json"
        assert "server" not in headers


@pytest.mark.alone
def test_a_flood_of_hooks_is_refused_while_others_are_served(live: Live):
    """63: unsigned callbacks and bodies too big, in parallel with an ordinary call."""
    mark = live.mark()
    url = f"http://127.0.0.1:{live.port}"

    def hook(number: int) -> int:
        body = b"x" * (10 * LIMIT if number % 20 == 0 else 200)
        try:
            return httpx.post(f"{url}/hooks/twilio/sms", content=body, timeout=PATIENCE).status_code
        except httpx.TransportError:
            return 413  # cut off while it was sending

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        flood = [pool.submit(hook, number) for number in range(80)]
        for _ in range(5):
            begun = time.perf_counter()
            assert live.client.get("/auth/me", headers=live.ada.headers).status_code == 200
            assert time.perf_counter() - begun < 5
        assert {future.result() for future in flood} <= {401, 404, 413}
    live.sound(mark)


def test_many_at_once_get_an_answer_each(live: Live):
    """A burst far beyond the database pool: some may be told to come back, nobody is left hanging."""
    mark = live.mark()
    query = orjson.dumps({"query": "{me{id} accounts{nodes{owner{id}}} messages{nodes{id}}}"})
    headers = {**live.ada.headers, "content-type": "application/json"}
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(
            pool.map(lambda _: live.client.post("/graphql", content=query, headers=headers), range(120))
        )
    live.sound(mark, *answers)
    assert {answer.status_code for answer in answers} == {200}


@pytest.mark.parametrize("path", ["/graphql", "/messages", "/"])
@pytest.mark.parametrize("protocol", ["websocket", "h2c", "x"])
def test_an_upgrade_that_nobody_offers(live: Live, path: str, protocol: str):
    """58: a WebSocket, from another site, where there is none; and protocols that we don't speak."""
    mark = live.mark()
    raw = live.send(
        head(live, "GET", path, "Connection: Upgrade", f"Upgrade: {protocol}", "Origin: https://evil.example",
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"), until=0.5
    )  # fmt: skip
    assert status(raw) != 101
    assert status(raw) < 500
    live.sound(mark)
