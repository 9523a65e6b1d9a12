"""The bounds of `core.http.limits`, made short: an application of three lines on a loopback port."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

import pytest
import uvicorn

from core.http.limits import BoundedHttp
from postern.process import Server
from tests.support.ports import free_port
from tests.support.waits import PATIENCE

pytestmark = [pytest.mark.servers, pytest.mark.alone]


class Short(BoundedHttp):
    head_bytes = 2000
    # Longer than the pauses below by a second, in which a machine may stand still.
    head_seconds = 1.2
    idle_seconds = 1.2
    body_seconds = 3.0
    body_rate = 100_000


async def echo(scope, receive, send):
    """Answers how much it was sent, and with which of the headers that a hop before us would have set."""
    assert scope["type"] == "http"
    size, more = 0, scope["path"] != "/unread"
    if scope["path"] == "/lazy":
        await asyncio.sleep(2.0)
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message["body"]), message["more_body"]
    body = str(size).encode() + b"".join(value for name, value in scope["headers"] if name == b"x-real-ip")
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
async def port() -> AsyncIterator[int]:
    number = free_port()
    config = uvicorn.Config(
        echo, port=number, http=Short, log_config=None, lifespan="off", timeout_keep_alive=1, ws="none"
    )
    server = Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield number
    server.should_exit = True
    await serving


async def talk(port: int, *pieces: bytes, pause: float = 0.0) -> tuple[bytes, float]:
    """Returns what comes back until the server closes, and the seconds that it took."""
    begun = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    received = b""
    try:
        with contextlib.suppress(OSError):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(pause)
            async with asyncio.timeout(PATIENCE):
                received = await reader.read()
    finally:
        writer.close()
    return received, time.perf_counter() - begun


async def test_a_connection_that_says_nothing_is_closed(port: int):
    answer, seconds = await talk(port)
    assert answer == b""
    assert 0.5 < seconds < 10  # without a bound it would stand for ever


async def test_a_head_that_drips_is_answered_408(port: int):
    answer, seconds = await talk(port, b"GET / HTTP/1.1\r\nHost: x\r\n", *[b"X: y\r\n"] * 2, pause=0.05)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert seconds < 10


@pytest.mark.parametrize(
    "raw", [b"X: " + b"a" * 4000, b"X: " + b"a" * 4000 + b"\r\n\r\n", b"X: y\r\n" * 400 + b"\r\n"]
)
async def test_a_head_that_is_too_long_is_refused(port: int, raw: bytes):
    answer, _ = await talk(port, b"GET / HTTP/1.1\r\nHost: x\r\n", raw)
    assert answer.startswith((b"HTTP/1.1 431 ", b"HTTP/1.1 400 "))


async def test_a_body_that_stands_still_is_dropped(port: int):
    answer, seconds = await talk(port, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab")
    assert answer == b""
    assert 0.5 < seconds < 10  # without a bound it would stand for ever


async def test_a_body_that_comes_slowly_but_comes_is_read(port: int):
    answer, _ = await talk(
        port, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n", *[b"a"] * 8, pause=0.2
    )
    assert answer.endswith(b"\r\n\r\n8")


async def test_a_body_that_drips_is_dropped(port: int):
    """Each piece comes in time; all of them would take 12 s."""
    answer, seconds = await talk(
        port, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60\r\n\r\n", *[b"a"] * 60, pause=0.2
    )
    assert b"200" not in answer
    assert seconds < 9, seconds


async def test_a_large_body_may_take_its_time(port: int):
    """500,000 bytes in 5 s, at the rate that is asked for; a small body has 3 s."""
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n"
    answer, _ = await talk(port, head, *[b"a" * 25_000] * 20, pause=0.25)
    assert answer.endswith(b"\r\n\r\n500000")


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: y\r\nhOST: b\r\n\r\n", b"400"),
        (b"GET http://a/ HTTP/1.1\r\n\r\n", b"400"),
        (b"GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"200"),
        (b"GET / HTTP/1.0\r\n\r\n", b"200"),
    ],
)
async def test_a_request_has_one_host(port: int, head: bytes, status: bytes):
    answer, _ = await talk(port, head)
    assert answer.split(b" ", 2)[1] == status, answer


async def test_an_application_that_reads_late_is_not_the_client_s_fault(port: int):
    """Reading is paused while more lies in the buffer than uvicorn wants, for longer than the bound."""
    body = b"a" * 400_000
    answer, _ = await talk(port, b"POST /lazy HTTP/1.1\r\nHost: x\r\nContent-Length: 400000\r\n\r\n", body)
    assert answer.endswith(b"\r\n\r\n400000")


async def test_one_request_after_another_on_one_connection(port: int):
    request = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab"
    answer, _ = await talk(port, request, request, request, pause=0.2)
    assert answer.count(b"HTTP/1.1 200 ") == 3
    answer, _ = await talk(port, request + request + request)
    assert answer.count(b"HTTP/1.1 200 ") == 3
    answer, _ = await talk(port, request, b"GET / HTTP/1.1\r\nHost: x\r\nX: ", pause=0.1)
    assert answer.count(b"HTTP/1.1 200 ") == 1
    assert b"HTTP/1.1 408 " in answer


@pytest.mark.parametrize(
    "pieces",
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\r\n"),
        (b"POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n", b"abc"),
        (b"POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n", b"ab"),
    ],
    ids=["a line that is none", "a body that ends", "a body that does not"],
)
async def test_whatever_comes_after_an_answer_the_connection_ends(port: int, pieces: tuple[bytes, ...]):
    """uvicorn's own timer ends with the next byte, and is set again with the next answer alone."""
    answer, seconds = await talk(port, *pieces, pause=0.2)
    assert answer.count(b"HTTP/1.1 200 ") == 1
    assert seconds < 10  # without a bound it would stand for ever


async def test_a_request_after_such_a_line_is_answered(port: int):
    request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    answer, _ = await talk(port, request, b"\r\n", request, pause=0.2)
    assert answer.count(b"HTTP/1.1 200 ") == 2


_CHUNKED = b"POST %s HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


async def test_trailers_are_no_headers(port: int):
    head, rest = _CHUNKED % b"/", b"2\r\nab\r\n0\r\nX-Real-Ip: 192.0.2.1\r\n\r\n"
    for pieces in ((head + rest,), (head, rest)):
        answer, _ = await talk(port, *pieces, pause=0.1)
        assert answer.endswith(b"\r\n\r\n2")


@pytest.mark.parametrize("path", [b"/", b"/unread"])
@pytest.mark.parametrize(
    "raw",
    [b"0\r\n" + b"X: y\r\n" * 5000, b"0\r\nX: " + b"a" * 30_000, b"1;x=" + b"a" * 30_000],
    ids=["many trailers", "a long one", "a chunk that says much of itself"],
)
async def test_what_is_neither_head_nor_body_is_bounded(port: int, path: bytes, raw: bytes):
    pieces = [raw[start : start + 500] for start in range(0, len(raw), 500)]
    _, seconds = await talk(port, _CHUNKED % path, *pieces, pause=0.1)
    assert seconds < 4  # all of it takes more than 6; the bound is reached with the fifth piece


async def test_a_head_that_we_do_not_read_is_not_slow(port: int):
    """Two requests at once, the first of which takes its time, and the half of a third."""
    answer, _ = await talk(
        port,
        b"GET /lazy HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HT",
        b"TP/1.1\r\nHost: x\r\n\r\n",
        pause=0.1,
    )
    assert answer.count(b"HTTP/1.1 200 ") == 3
