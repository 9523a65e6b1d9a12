"""The gate in front of an application, first by hand-made scopes, then by real sockets."""

import asyncio
import contextlib
import json
import socket
from datetime import datetime

import pytest
import uvicorn
import websockets
from structlog.testing import capture_logs

from core.http.allowlist import AllowlistFile, AllowlistMiddleware, AllowlistMode, AllowlistUnusable
from core.http.allowlist import gate as module
from tests.support.waits import PATIENCE

OFF, ENFORCE = AllowlistMode.Off, AllowlistMode.Enforce
GOOD, BAD = "192.0.2.1", "203.0.113.9"


@pytest.fixture
def listed(tmp_path):
    listed = tmp_path / "ip-allowlist.conf"
    listed.write_text(f"{GOOD}\n10.0.0.0/8\n2001:db8::/32\n")
    return listed


class Application:
    """Stands behind the gate: answers 200, accepts every WebSocket and remembers what reached it."""

    def __init__(self):
        self.reached = []

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            self.reached.append("lifespan")
            return
        self.reached.append(scope["path"])
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.send", "text": "welcome"})
            await send({"type": "websocket.close", "code": 1000})
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


class Knock:
    """One scope through a gate; records what was sent back, read and logged."""

    def __init__(self, path, mode, **more):
        self.file = AllowlistFile(path, mode, **more)
        self.application = Application()
        self.gate = AllowlistMiddleware(self.application, self.file)
        self.sent = []
        self.received = 0

    async def __call__(self, *claims, path="/users", raw_path=None, type="http", **more):
        self.sent, self.received, self.application.reached = [], 0, []
        scope = {
            "type": type,
            "path": path,
            "raw_path": path.encode() if raw_path is None else raw_path,
            "headers": [(b"host", b"x"), *((b"x-real-ip", claim.encode("latin-1")) for claim in claims)],
            "client": (GOOD, 1),
            "extensions": {},
        } | more
        with capture_logs() as logs:
            await self.gate(scope, self.receive, self.send)
        self.lines = [entry["event"] for entry in logs]
        assert all(entry["log_level"] == "warning" and set(entry) == {"event", "log_level"} for entry in logs)
        return bool(self.application.reached)

    async def receive(self):
        self.received += 1
        return {"type": "websocket.connect"}

    async def send(self, message):
        self.sent.append(message)


@pytest.fixture
def enforcing(listed):
    return Knock(listed, ENFORCE)


@pytest.fixture
def observing(listed):
    return Knock(listed, OFF)


@pytest.mark.parametrize("ip", [GOOD, "10.9.8.7", "::ffff:10.1.1.1", "2001:DB8::1"])
async def test_the_listed_pass_silently(enforcing, ip):
    for _ in range(2):
        assert await enforcing(ip)
        assert enforcing.lines == []
    assert await enforcing(ip, type="websocket")


@pytest.mark.parametrize(
    ("claims", "shown"),
    [
        ([], "-"),
        ([""], "-"),
        ([BAD], BAD),
        (["2001:db9::1"], "2001:db9::1"),
        ([GOOD, GOOD], f"{GOOD},{GOOD}"),
        ([GOOD, BAD], f"{GOOD},{BAD}"),
        ([f"{BAD}, {GOOD}"], f"{BAD},%20{GOOD}"),
        ([f"{GOOD}, {BAD}"], f"{GOOD},%20{BAD}"),
        (["unknown"], "unknown"),
        ([f"{GOOD}:80"], f"{GOOD}:80"),
        (["[2001:db8::1]"], "[2001:db8::1]"),
        ([f"{GOOD}\t"], f"{GOOD}%09"),
        (["010.0.0.1"], "010.0.0.1"),
        (["fe80::1%eth0"], "fe80::1%eth0"),
        ([f"{BAD}\nip-allowlist"], f"{BAD}%0Aip-allowlist"),
        ([f"{BAD} path=/\x1b[2J"], f"{BAD}%20path=/%1B[2J"),
        (["\x00\x7f\xff"], "%00%7F%C3%BF"),
        (["9" * 5000], "9" * 100 + "..."),
        ([GOOD] * 900, ",".join([GOOD] * 4)),
    ],
)
async def test_all_others_are_blocked_or_observed(enforcing, observing, claims, shown):
    assert not await enforcing(*claims)
    assert enforcing.lines == [f"ip-allowlist block ip={shown} path=/users"]
    assert await observing(*claims)
    assert observing.lines == [f"ip-allowlist would-block ip={shown} path=/users"]


async def test_only_x_real_ip_counts(enforcing):
    for name in (b"x-forwarded-for", b"x-real-ip ", b"x_real_ip", b"forwarded", b"cf-connecting-ip"):
        assert not await enforcing(headers=[(name, GOOD.encode())], client=(GOOD, 1))
        assert enforcing.lines == ["ip-allowlist block ip=- path=/users"]


@pytest.mark.parametrize(
    ("path", "raw", "shown"),
    [
        ("/opt-in/abcdefgh-the-rest-of-a-token", None, "/opt-in/abcdefgh..."),
        ("/undo/abcdefgh-the-rest", b"/undo/abcdefgh%2Dthe%2Drest", "/undo/abcdefgh..."),
        ("/block/unblock/+14155550100", b"/block/unblock/%2B14155550100", "/block/unblock/***"),
        ("/contacts/ada@example.com", b"/contacts/ada%40example.com", "/contacts/***"),
        ("/users/a b", b"/users/a%20b", "/users/a%20b"),
        ("/opt-in/abcdefgh\nip=1 x", b"/opt-in/abcdefgh%0Aip=1%20x", "/opt-in/abcdefgh..."),
        ("/x@y/ ip=1", b"/x%40y/%20ip=1", "/***/%20ip=1"),
    ],
)
async def test_no_credential_and_no_recipient_stands_in_the_line(observing, path, raw, shown):
    await observing(BAD, path=path, raw_path=raw)
    assert observing.lines == [f"ip-allowlist would-block ip={BAD} path={shown}"]


async def test_without_a_file_that_is_named_there_is_no_list(tmp_path):
    """A newcomer's log had a line for each request."""
    path = tmp_path / "default.conf"
    knock = Knock(path, OFF, is_default=True)
    assert await knock(BAD)
    assert knock.lines == []
    path.write_text(GOOD)
    assert knock.file.reload()
    assert await knock(BAD)
    assert knock.lines == [f"ip-allowlist would-block ip={BAD} path=/users"]
    path.unlink()
    knock.file.reload()
    assert await knock(BAD)
    assert len(knock.lines) == 1, "the last good list stays"
    assert await Knock(path, OFF)(BAD), "a named file that is missing is an empty list"
    with pytest.raises(AllowlistUnusable):
        Knock(path, ENFORCE, is_default=True)


@pytest.mark.parametrize("path", ["/", "/health", "/health/v2"])
async def test_unchecked_paths(enforcing, path):
    for claims in ([], [BAD], [GOOD]):
        assert await enforcing(*claims, path=path)
        assert enforcing.lines == []
    scope = {"type": "http", "path": path, "headers": []}
    await enforcing.gate(scope, enforcing.receive, enforcing.send)  # raw_path is optional in ASGI
    assert enforcing.application.reached[-1] == path


@pytest.mark.parametrize(
    ("path", "raw_path"),
    [
        ("/health", b"/%68ealth"),
        ("/health", b"/health?x"),
        ("/health", b"/api/../health"),
        ("/", b"/%2e"),
        ("/", b""),
        ("/health/v2", b"/health%2Fv2"),
        *(
            (path, path.encode())
            for path in ("", "//", "/.", "/health/", "//health", "/Health", "/health/v2/")
        ),
        *(
            (path, path.encode())
            for path in ("/health/v3", "/health/../users", "/health;x", "/health\n", "/api/health")
        ),
        ("/health/../users", b"/health/%2e%2e/users"),
        ("/users", b"/health"),
    ],
)
async def test_nothing_else_is_unchecked(enforcing, path, raw_path):
    assert not await enforcing(path=path, raw_path=raw_path)
    assert not await enforcing(path=path, raw_path=raw_path, root_path="/health")


@pytest.mark.parametrize(
    ("path", "raw_path", "shown"),
    [
        ("/a b", b"/a%20b", "/a%20b"),
        ("/a\nb ip=10.0.0.1", b"/a%0Ab%20ip=10.0.0.1", "/a%0Ab%20ip=10.0.0.1"),
        ("/a\r\nb", b"/a\r\nb", "/a%0D%0Ab"),
        ("/caf\xe9", "/caf\xe9".encode("latin-1"), "/caf%C3%A9"),
        ("/%s%d{x}", b"/%s%d{x}", "/%s%d{x}"),
        ("/" + "x" * 9999, b"/" + b"x" * 9999, "/" + "x" * 499 + "..."),
    ],
)
async def test_the_path_is_logged_as_one_bounded_word(enforcing, path, raw_path, shown):
    await enforcing(BAD, path=path, raw_path=raw_path)
    assert enforcing.lines == [f"ip-allowlist block ip={BAD} path={shown}"]


async def test_a_path_without_its_raw_form_is_escaped(enforcing):
    with capture_logs() as logs:
        scope = {"type": "http", "path": "/\ud800 \u2028x", "headers": []}
        await enforcing.gate(scope, enforcing.receive, enforcing.send)
    assert logs[0]["event"] == "ip-allowlist block ip=- path=/%3F%20%E2%80%A8x"


async def test_the_refusal_is_the_error_envelope_and_reads_no_body(enforcing):
    assert not await enforcing(BAD, path='/users"\n\ud800', raw_path=b"/users")
    start, body = enforcing.sent
    headers = dict(start["headers"])
    assert (start["type"], start["status"]) == ("http.response.start", 403)
    assert headers[b"content-type"] == b"application/json"
    assert headers[b"content-length"] == str(len(body["body"])).encode()
    envelope = json.loads(body["body"])
    assert datetime.fromisoformat(envelope.pop("timestamp")).utcoffset() is not None
    assert envelope == {
        "statusCode": 403,
        "message": "This address is not on the service's IP allowlist; ask its operator to add it.",
        "error": "Forbidden",
        "path": '/users"\n\ud800',
        "code": "ip_not_allowed",
    }
    assert enforcing.received == 0


async def test_websockets_are_refused_before_the_accept(enforcing):
    assert not await enforcing(BAD, type="websocket", path="/graphql")
    assert enforcing.sent == [{"type": "websocket.close", "code": 1008, "reason": ""}]
    assert not await enforcing(type="websocket", path="/graphql", extensions={"websocket.http.response": {}})
    assert [message["type"] for message in enforcing.sent] == [
        "websocket.http.response.start",
        "websocket.http.response.body",
    ]
    assert enforcing.sent[0]["status"] == 403
    assert not await enforcing(type="websocket", path="/graphql", extensions=None)
    assert enforcing.sent[0]["type"] == "websocket.close"


async def test_lifespan_passes(enforcing):
    await enforcing.gate({"type": "lifespan"}, enforcing.receive, enforcing.send)
    assert enforcing.application.reached == ["lifespan"]


async def test_a_new_list_is_obeyed_at_once(enforcing, listed):
    assert await enforcing(GOOD)
    assert not await enforcing(BAD)
    listed.write_text(f"{BAD}\n")
    assert enforcing.file.reload_if_changed()
    assert await enforcing(BAD)
    assert not await enforcing(GOOD)


async def test_decisions_are_remembered_but_not_without_end(enforcing, monkeypatch):
    monkeypatch.setattr(module, "_DECISIONS", 8)
    for n in range(100):
        assert await enforcing(f"10.0.0.{n}")
        assert len(enforcing.gate._decisions) <= 8
    await enforcing("x" * 100_000)
    assert all(len(claim) < 50 for claim in enforcing.gate._decisions)


# --- by real sockets


@contextlib.asynccontextmanager
async def serving(app, **options):
    config = uvicorn.Config(app, log_config=None, lifespan="off", ws="websockets-sansio", **options)
    server = uvicorn.Server(config)
    listening = socket.create_server(("127.0.0.1", 0))
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.005)
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        await asyncio.wait_for(task, PATIENCE)


async def ask(port, head):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head)
    try:
        return (await asyncio.wait_for(reader.readline(), PATIENCE)).decode()
    finally:
        writer.close()


@pytest.mark.parametrize("http", ["h11", "httptools"])
async def test_over_http(listed, http):
    application = Application()
    async with serving(AllowlistMiddleware(application, AllowlistFile(listed, ENFORCE)), http=http) as port:
        good = f"x-real-ip: {GOOD}\r\n"
        for target, headers, status in [
            ("/users", good, 200),
            ("/users", f"X-Real-IP:   {GOOD}\r\n", 200),
            ("/users", "", 403),
            ("/users", good + good, 403),
            ("/users", f"x-real-ip: {BAD}\r\n", 403),
            ("/users", f"x-forwarded-for: {GOOD}\r\n", 403),
            ("/", "", 200),
            ("/health", "", 200),
            ("/health?verbose=1", "", 200),
            ("/health/v2", "", 200),
            ("/health/", "", 403),
            ("//health", "", 403),
            ("/%68ealth", "", 403),
            ("/health/%2e%2e/users", "", 403),
            ("/health/../users", "", 403),
            ("/health%00", "", 403),
            ("/health%2f", "", 403),
        ]:
            line = await ask(port, f"GET {target} HTTP/1.1\r\nhost: x\r\n{headers}\r\n".encode())
            assert line.startswith(f"HTTP/1.1 {status} "), (target, headers, line)
        # refused without waiting for a body that never comes
        line = await ask(port, b"POST /users HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n")
        assert line.startswith("HTTP/1.1 403 ")
    assert set(application.reached) == {"/users", "/", "/health", "/health/v2"}


async def test_over_websockets(listed):
    application = Application()
    async with serving(AllowlistMiddleware(application, AllowlistFile(listed, ENFORCE))) as port:
        url = f"ws://127.0.0.1:{port}/graphql"
        async with websockets.connect(url, additional_headers={"x-real-ip": GOOD}, proxy=None) as allowed:
            assert await allowed.recv() == "welcome"
        for headers in ({}, {"x-real-ip": BAD}):
            with pytest.raises(websockets.InvalidStatus) as refused:
                await websockets.connect(url, additional_headers=headers, proxy=None)
            assert refused.value.response.status_code == 403
            assert json.loads(refused.value.response.body)["code"] == "ip_not_allowed"
    assert application.reached == ["/graphql"]
