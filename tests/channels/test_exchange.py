"""Tests which broken exchanges are `transient` and which are `unknown`, with servers that break off at every point.

The last of these tests runs the others on uvloop, as a worker does: it passes bytes to the kernel at other moments.
"""

import asyncio
import socket
import ssl

import pytest
import uvloop
from yarl import URL

from channels.exchange import MAX_BYTES, Answer, by_status, environment_proxy, exchange, words
from channels.port import Result
from core.outbound import EVERYWHERE, Client, Guard
from tests.channels.http_stub import HttpStub, Reply, Wire, reset
from tests.support.tcp import serving
from tests.support.tls import self_signed, server_side
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.servers

BIG = b"x" * 8_000_000  # more than the sockets' buffers hold
SOON = 1.0
"""This is the timeout where no answer comes in time. The connection and the request before it take milliseconds."""


async def ask(url, content=b"{}", seconds=PATIENCE, guard=EVERYWHERE, **options):
    async with Client(guard, **options) as client:
        return await exchange(client, URL(url), body=content, seconds=seconds)


async def head_of(reader):
    return await reader.readuntil(b"\r\n\r\n")


async def whole(reader):
    await head_of(reader)
    await reader.readexactly(2)


async def test_an_answer():
    async with HttpStub(lambda seen: Reply.of(418, {"code": 1}, retry_after="3")) as stub:
        answer = await ask(stub.url)
    assert isinstance(answer, Answer)
    assert (answer.status, answer.json, answer.retry_after) == (418, {"code": 1}, 3)
    assert Answer(200, {}, b"no json").json == {}
    assert Answer(200, {}, b"[1]").json == {}


# Nothing left


async def test_nobody_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        outcome = await ask(f"http://127.0.0.1:{free.getsockname()[1]}/")
    assert (outcome.result, outcome.code) == (Result.transient, "connect_failed")


async def test_the_name_does_not_resolve():
    outcome = await ask("http://does-not-exist.invalid/")
    assert (outcome.result, outcome.code) == (Result.transient, "connect_failed")


async def test_the_connection_is_never_taken():
    async with HttpStub(lambda seen: Reply()) as stub:
        stub.die()
        outcome = await ask(stub.url, seconds=SOON)
    assert (outcome.result, outcome.code) == (Result.transient, "connect_timeout")


async def test_the_tls_handshake_is_never_answered():
    async def silent(reader, writer):
        await reader.read()

    async with serving(silent) as port:
        outcome = await ask(f"https://127.0.0.1:{port}/", seconds=SOON)
    assert (outcome.result, outcome.code) == (Result.transient, "connect_timeout")


async def test_the_server_speaks_no_tls():
    async def plain(reader, writer):
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        await reader.read()

    async with serving(plain) as port:
        guard = Guard(["127.0.0.1"], tls=ssl.create_default_context())
        outcome = await ask(f"https://127.0.0.1:{port}/", guard=guard)
    assert (outcome.result, outcome.code) == (Result.transient, "connect_failed")


@pytest.mark.alone  # while the first still hangs
async def test_no_connection_of_the_pool_is_free():
    async with HttpStub(lambda seen: Wire.hang) as stub:
        async with Client(EVERYWHERE, connections=1) as client:
            first = asyncio.create_task(exchange(client, URL(stub.url), body=b"{}", seconds=2 * SOON))
            await until(lambda: stub.seen)
            second = await exchange(client, URL(stub.url), body=b"{}", seconds=0.1)
            assert (second.result, second.code) == (Result.transient, "busy")
            assert (await first).result is Result.unknown
        assert len(stub.seen) == 1


async def test_reset_before_the_body_was_handed_over():
    async def after_head(reader, writer):
        await head_of(reader)
        reset(writer)

    async with serving(after_head) as port:
        outcome = await ask(f"http://127.0.0.1:{port}/", BIG)
    assert (outcome.result, outcome.code) == (Result.transient, "connect_failed")


@pytest.mark.parametrize("refuse", [True, False])
async def test_a_proxy_that_lets_nothing_through(refuse):
    """The client writes the whole CONNECT, but that is not our request."""

    async def proxy(reader, writer):
        assert (await head_of(reader)).startswith(b"CONNECT api.example:443 ")
        if refuse:
            writer.write(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n")
        await reader.read()

    async with serving(proxy) as port:
        seconds = PATIENCE if refuse else SOON
        outcome = await ask("https://api.example/", seconds=seconds, proxy=f"http://127.0.0.1:{port}")
    assert outcome.result is Result.transient


# It may have left


async def never(reader, writer):
    await whole(reader)
    await reader.read()


async def closes(reader, writer):
    await whole(reader)


async def resets(reader, writer):
    await whole(reader)
    reset(writer)


async def babbles(reader, writer):
    await whole(reader)
    writer.write(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")
    await writer.drain()
    await reader.read()


async def half_an_answer(reader, writer):
    await whole(reader)
    writer.write(b"HTTP/1.1 201 Created\r\nconte")
    await writer.drain()


async def drips(reader, writer):
    await whole(reader)
    for byte in b"HTTP/1.1 201 Created\r\nx: " + b"y" * 10_000:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.01)


async def continues_for_ever(reader, writer):
    await whole(reader)
    while True:
        writer.write(b"HTTP/1.1 102 Processing\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.01)


CUT_OFF = [
    (never, "timeout"),
    (closes, "connection_lost"),
    (resets, "connection_lost"),
    (babbles, "bad_answer"),
    (half_an_answer, "connection_lost"),
    (drips, "timeout"),
    (continues_for_ever, "timeout"),
]


@pytest.mark.parametrize(("server", "code"), CUT_OFF)
async def test_the_request_left_and_no_answer_came(server, code):
    seconds = SOON if code == "timeout" else PATIENCE
    async with serving(server) as port:
        outcome = await ask(f"http://127.0.0.1:{port}/", seconds=seconds)
    assert outcome.result is Result.unknown
    assert outcome.code in {code, "bad_answer" if server is half_an_answer else code}


@pytest.mark.parametrize("secure", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("content", [b"{}", BIG], ids=["small", "big"])
async def test_reset_when_the_last_byte_was_read(content, secure, tmp_path):
    """The server has everything: whatever was still going on here, this is never `transient`."""

    async def server(reader, writer):
        await head_of(reader)
        await reader.readexactly(len(content))
        reset(writer)

    certificate = self_signed(tmp_path, "here.example")
    guard = Guard(["127.0.0.1"], resolver=here, tls=ssl.create_default_context(cafile=certificate))
    async with serving(server, ssl=server_side(certificate) if secure else None) as port:
        url = f"http{'s' if secure else ''}://here.example:{port}/"
        outcome = await ask(url, content, guard=guard)
    assert (outcome.result, outcome.code) == (Result.unknown, "connection_lost")


async def here(host, port):
    return ["127.0.0.1"]


async def test_time_runs_out_while_the_body_is_written():
    """The kernel may yet send what is in its buffer, so nothing is certain."""

    async def deaf(reader, writer):
        await head_of(reader)
        writer.transport.pause_reading()
        await asyncio.sleep(2 * PATIENCE)

    async with serving(deaf) as port:
        outcome = await ask(f"http://127.0.0.1:{port}/", BIG, SOON)
    assert (outcome.result, outcome.code) == (Result.unknown, "timeout")


@pytest.mark.alone  # time-outs are in it
def test_the_line_holds_on_uvloop_too(tmp_path):
    async def all_of_them() -> None:
        await test_nobody_listens()
        await test_the_connection_is_never_taken()
        await test_the_tls_handshake_is_never_answered()
        await test_the_server_speaks_no_tls()
        await test_no_connection_of_the_pool_is_free()
        await test_reset_before_the_body_was_handed_over()
        for refuse in (True, False):
            await test_a_proxy_that_lets_nothing_through(refuse)
        for server, code in CUT_OFF:
            await test_the_request_left_and_no_answer_came(server, code)
        for content in (b"{}", BIG):
            for secure in (False, True):
                await test_reset_when_the_last_byte_was_read(content, secure, tmp_path)
        await test_time_runs_out_while_the_body_is_written()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(all_of_them())


# The status is known, whatever becomes of the body


@pytest.mark.alone
@pytest.mark.parametrize("ending", [never, resets])
async def test_a_body_that_breaks_off(ending):
    async def server(reader, writer):
        await whole(reader)
        writer.write(b"HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\nhalf")
        await writer.drain()
        if ending is resets:
            await asyncio.sleep(0.2)  # a reset takes with it what has not been read
            reset(writer)
        else:
            await reader.read()

    async with serving(server) as port:
        answer = await ask(f"http://127.0.0.1:{port}/", seconds=SOON if ending is never else PATIENCE)
    assert isinstance(answer, Answer)
    assert (answer.status, answer.body) == (201, b"half")


async def test_a_drip_in_the_body_ends_at_the_deadline():
    async def server(reader, writer):
        await whole(reader)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"z")
            await writer.drain()
            await asyncio.sleep(0.01)

    async with serving(server) as port:
        answer = await ask(f"http://127.0.0.1:{port}/", seconds=SOON)
    assert isinstance(answer, Answer)
    assert answer.status == 200


async def test_a_huge_body_is_bounded():
    async with HttpStub(lambda seen: Reply(200, BIG)) as stub:
        answer = await ask(stub.url)
    assert isinstance(answer, Answer)
    assert len(answer.body) == MAX_BYTES


@pytest.mark.parametrize(
    ("status", "result", "code"),
    [
        (200, Result.unknown, "bad_answer"),
        (302, Result.misconfigured, "wrong_address"),
        (400, Result.refused, "rejected"),
        (401, Result.misconfigured, "bad_credentials"),
        (403, Result.misconfigured, "bad_credentials"),
        (404, Result.misconfigured, "wrong_address"),
        (408, Result.transient, "unavailable"),
        (413, Result.refused, "too_long"),
        (422, Result.refused, "rejected"),
        (429, Result.throttled, "throttled"),
        (500, Result.unknown, "server_error"),
        (502, Result.unknown, "server_error"),
        (503, Result.transient, "unavailable"),
        (504, Result.unknown, "server_error"),
    ],
)
def test_statuses(status, result, code):
    outcome = by_status(Answer(status, {"retry-after": "9"}, b""), "why")
    assert (outcome.result, outcome.code, outcome.reason) == (result, code, "why")
    assert outcome.retry_after == (9 if status in (408, 429, 503) else None)


@pytest.mark.parametrize(
    ("variables", "url", "proxy"),
    [
        ({}, "https://a.example/", None),
        ({"HTTPS_PROXY": "http://proxy:3128"}, "https://a.example/", "http://proxy:3128"),
        ({"HTTPS_PROXY": "http://proxy:3128"}, "http://a.example/", None),
        ({"http_proxy": "proxy:3128"}, "http://a.example/", "http://proxy:3128"),
        ({"ALL_PROXY": "https://proxy"}, "https://a.example/", "https://proxy"),
        (
            {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "b.example,.a.example"},
            "https://x.a.example/",
            None,
        ),
        (
            {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "b.example"},
            "https://a.example/",
            "http://proxy:3128",
        ),
    ],
)
def test_the_proxy_of_the_environment(monkeypatch, variables, url, proxy):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert environment_proxy(URL(url)) == proxy


def test_a_socks_proxy_of_the_environment_is_refused(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "socks5://proxy:1080")
    with pytest.raises(ValueError, match="http:// or https://"):
        environment_proxy(URL("https://a.example/"))


def test_words_are_short_and_hold_no_number_or_token():
    assert words("The 'To' number +14155550100 is\n not valid") == "The 'To' number … is not valid"
    assert words("token " + "aB3_" * 12) == "token …"
    assert words(None) == ""
    assert len(words("word " * 100)) == 200
