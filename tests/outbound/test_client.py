"""The guarded client against real servers: where it connects, and when it lets go."""

import asyncio
import gzip
import ssl
import time
import tracemalloc
import zlib

import httpx
import pytest

from core import outbound
from core.outbound import Guard, UrlRefused, was_truncated
from tests.channels.http_stub import HttpStub, Reply, Wire, raw_server
from tests.support.tls import self_signed, server_side
from tests.support.waits import PATIENCE

LOCAL = ["127.0.0.0/8", "::1"]


def stub_resolver(*answers):
    """Gives one answer a lookup, the last one from then on; counts the lookups."""
    asked = []

    async def resolver(host, port):
        asked.append(host)
        return [answers[min(len(asked), len(answers)) - 1]]

    resolver.asked = asked
    return resolver


async def test_an_allowed_address_is_reached_with_the_right_host_header():
    resolver = stub_resolver("127.0.0.1")
    async with (
        HttpStub(lambda seen: Reply(200, b"ok")) as stub,
        Guard(LOCAL, resolver=resolver).client() as client,
    ):
        for _ in range(2):
            response = await client.post(f"http://hooks.example:{stub.port}/a?b=1", content=b"x")
            assert (response.status_code, response.text) == (200, "ok")
            assert not was_truncated(response)
    assert stub.seen[0].headers["host"] == f"hooks.example:{stub.port}"
    assert stub.seen[0].target == "/a?b=1"
    assert resolver.asked == ["hooks.example"], "one lookup a connection, and the connection is kept"


async def test_ipv6_loopback():
    async with HttpStub(lambda seen: Reply(204), host="::1") as stub, Guard(LOCAL).client() as client:
        assert (await client.get(f"http://[::1]:{stub.port}/")).status_code == 204


async def test_rebinding_reaches_nothing():
    """Public when the URL was saved, 127.0.0.1 when it is called: the classic."""
    resolver = stub_resolver("93.184.215.14", "127.0.0.1")
    async with HttpStub(lambda seen: Reply()) as stub:
        guard = Guard(resolver=resolver)
        await guard.probe(f"http://rebind.example:{stub.port}/")
        async with guard.client() as client:
            for _ in range(3):
                with pytest.raises(UrlRefused):
                    await client.get(f"http://rebind.example:{stub.port}/")
        assert (stub.connections, stub.seen) == (0, [])
    assert len(resolver.asked) == 4


async def test_one_lookup_serves_check_and_connection(monkeypatch):
    """A second lookup behind the check would be the hole: the socket must get the judged address."""
    reached = []

    class Sockets:
        async def connect_tcp(self, host, port, timeout):
            reached.append(host)
            raise outbound.httpcore.ConnectError("no route")

    monkeypatch.setattr(outbound.httpcore, "AnyIOBackend", Sockets)
    resolver = stub_resolver("93.184.215.14", "127.0.0.1")
    async with Guard(resolver=resolver).client() as client:
        with pytest.raises(httpx.ConnectError):
            await client.get("http://rebind.example/")
    assert reached == ["93.184.215.14"]
    assert len(resolver.asked) == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}/",
        "http://2130706433:{port}/",
        "http://0x7f.1:{port}/",
        "http://127.1:{port}/",
        "http://0177.0.0.1:{port}/",
        "http://0:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://[::127.0.0.1]:{port}/",
        "http://[64:ff9b::7f00:1]:{port}/",
        "http://[2002:7f00:1::]:{port}/",
        "http://user@127.0.0.1:{port}/",
        "http://resolves-inside.example:{port}/",
    ],
)
async def test_no_spelling_of_loopback_gets_through(url):
    async with HttpStub(lambda seen: Reply()) as stub:
        async with Guard(resolver=stub_resolver("127.0.0.1")).client() as client:
            with pytest.raises((UrlRefused, httpx.InvalidURL)):  # the latter from httpx, before it asks us
                await client.post(url.format(port=stub.port), content=b"x")
        assert stub.connections == 0


async def test_redirects_are_not_followed_and_each_hop_would_be_judged():
    target = "http://169.254.169.254/latest/"
    async with HttpStub(lambda seen: Reply(302, b"", {"location": target})) as stub:
        async with Guard(LOCAL).client() as client:
            response = await client.get(stub.url)
            assert (response.status_code, response.headers["location"]) == (302, target)
            with pytest.raises(UrlRefused):
                await client.get(stub.url, follow_redirects=True)
        assert len(stub.seen) == 2


async def test_no_cookie_is_kept_and_no_proxy_taken_from_the_environment(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with HttpStub(lambda seen: Reply(200, b"", {"set-cookie": "a=1; Path=/"})) as stub:
        async with Guard(LOCAL).client() as client:
            await client.get(stub.url)
            await client.get(stub.url)
            assert not list(client.cookies.jar)
        assert all("cookie" not in seen.headers for seen in stub.seen)


async def hold(reader, writer, piece, seconds, head=b"HTTP/1.1 200 OK\r\n\r\n"):
    await reader.readuntil(b"\r\n\r\n")
    writer.write(head)
    while True:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(seconds)


@pytest.mark.alone
@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nx: ", b""])
async def test_a_drip_is_cut_at_the_total_deadline(head):
    """One byte at a time never runs into a time-out per read, be it in the body, a header or the status."""
    async with (
        raw_server(lambda r, w: hold(r, w, b"1", 0.02, head)) as port,
        Guard(LOCAL).client(timeout=0.3) as client,
    ):
        began = time.monotonic()
        with pytest.raises(httpx.TimeoutException):
            await asyncio.wait_for(client.get(f"http://127.0.0.1:{port}/"), PATIENCE)
        assert 0.25 < time.monotonic() - began < 10  # it drips for ever


async def test_endless_informational_answers_are_cut():
    head = b"HTTP/1.1 100 Continue\r\n\r\n"
    async with (
        raw_server(lambda r, w: hold(r, w, head, 0.01, head)) as port,
        Guard(LOCAL).client(timeout=0.3) as client,
    ):
        with pytest.raises(httpx.TimeoutException):
            await client.get(f"http://127.0.0.1:{port}/")


@pytest.mark.alone  # the connection must come within the time-out
async def test_a_server_that_hangs():
    async with HttpStub(lambda seen: Wire.hang) as stub:
        async with Guard(LOCAL).client(timeout=0.5) as client:
            with pytest.raises(httpx.ReadTimeout):
                await client.get(stub.url)
        stub.die()
        async with Guard(LOCAL).client(timeout=0.2) as client:
            with pytest.raises(httpx.ConnectTimeout):
                await client.get(stub.url)


async def test_a_name_that_does_not_resolve_is_a_network_failure(monkeypatch):
    monkeypatch.setattr(
        outbound, "CONNECT_SECONDS", PATIENCE
    )  # how long the machine's resolver takes is no claim
    async with Guard().client(timeout=PATIENCE) as client:
        with pytest.raises(httpx.ConnectError):
            await client.get("http://does-not-exist.invalid/")

    async def slow(host, port):
        await asyncio.sleep(30)

    async with Guard(resolver=slow).client(timeout=0.1) as client:
        with pytest.raises(httpx.ConnectTimeout):
            await client.get("http://example.com/")


async def test_dead_addresses_do_not_hide_a_live_one():
    async def resolver(host, port):
        return ["127.0.0.2", "127.0.0.1"]

    async with HttpStub(lambda seen: Reply()) as stub, Guard(LOCAL, resolver=resolver).client() as client:
        assert (await client.get(f"http://two.example:{stub.port}/")).status_code == 200


async def endless(reader, writer):
    await hold(reader, writer, b"x" * 65536, 0)


async def test_a_huge_body_is_neither_read_nor_kept():
    async with raw_server(endless) as port, Guard(LOCAL).client(max_bytes=1000) as client:
        response = await client.get(f"http://127.0.0.1:{port}/")
        assert (response.status_code, response.content) == (200, b"x" * 1000)
        assert was_truncated(response)


@pytest.mark.parametrize(("length", "cut"), [(999, False), (1000, False), (1001, True)])
@pytest.mark.parametrize("coding", ["identity", "gzip", "deflate"])
async def test_the_bound_is_exact_and_counts_decompressed_bytes(length, cut, coding):
    pack = {"identity": bytes, "gzip": gzip.compress, "deflate": zlib.compress}[coding]
    headers = {} if coding == "identity" else {"content-encoding": coding}
    async with (
        HttpStub(lambda seen: Reply(200, pack(b"y" * length), headers)) as stub,
        Guard(LOCAL).client(max_bytes=1000) as client,
    ):
        response = await client.get(stub.url)
        assert response.content == b"y" * min(length, 1000)
        assert was_truncated(response) is cut
        assert "content-encoding" not in response.headers


async def test_a_gzip_bomb_costs_nothing():
    inner = gzip.compress(b"\0" * 200_000_000, 1)  # 1 MB on the wire; its first piece alone holds 10 MB
    async with (
        HttpStub(lambda seen: Reply(200, inner, {"content-encoding": "gzip"})) as stub,
        Guard(LOCAL).client() as client,
    ):
        await client.get(stub.url)  # what is made once is made now
        tracemalloc.start()
        try:
            response = await client.get(stub.url)
            assert (len(response.content), was_truncated(response)) == (65536, True)
            # The stub writes its one megabyte to the socket; the rest of the peak is ours.
            assert tracemalloc.get_traced_memory()[1] < 6_000_000
        finally:
            tracemalloc.stop()


async def test_a_body_that_is_not_what_its_header_says_keeps_its_status():
    async with HttpStub(lambda seen: Reply(200, b"plain", {"content-encoding": "gzip"})) as stub:
        async with Guard(LOCAL).client() as client:
            response = await client.get(stub.url)
            assert (response.status_code, response.content, was_truncated(response)) == (200, b"", True)
        stub.answer = lambda seen: Reply(200, b"brotli?", {"content-encoding": "br"})
        async with Guard(LOCAL).client() as client:
            assert (await client.get(stub.url)).content == b"brotli?"


async def test_headers_are_bounded():
    async def flood(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(100_000):
            writer.write(b"x-%d: 1\r\n" % number)
            await writer.drain()

    async with raw_server(flood) as port, Guard(LOCAL).client() as client:
        with pytest.raises(httpx.RemoteProtocolError):
            await client.get(f"http://127.0.0.1:{port}/")


async def test_streaming_can_stop_early():
    async with (
        raw_server(endless) as port,
        Guard(LOCAL).client(max_bytes=10_000_000) as client,
        client.stream("GET", f"http://127.0.0.1:{port}/") as response,
    ):
        async for piece in response.aiter_bytes():
            assert piece
            break


@pytest.fixture
def tls_for(tmp_path):
    """The server's context, and a client's that trusts it."""

    def build(name):
        path = self_signed(tmp_path, name)
        return server_side(path), ssl.create_default_context(cafile=path)

    return build


async def test_tls_is_checked_for_the_name_though_the_address_is_connected(tls_for):
    server, trust = tls_for("hooks.example")
    asked = []
    server.sni_callback = lambda ssl_object, name, context: asked.append(name)
    async with HttpStub(lambda seen: Reply(200, b"ok"), tls=server) as stub:
        guard = Guard(LOCAL, resolver=stub_resolver("127.0.0.1"), tls=trust)
        async with guard.client() as client:
            assert (await client.get(f"https://hooks.example:{stub.port}/")).text == "ok"
            with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
                await client.get(f"https://other.example:{stub.port}/")
    assert asked == ["hooks.example", "other.example"]


async def test_a_silent_tls_server_is_a_connect_timeout():
    async def silent(reader, writer):
        await reader.read()

    async with raw_server(silent) as port, Guard(LOCAL).client(timeout=0.2) as client:
        with pytest.raises(httpx.TimeoutException):
            await client.get(f"https://127.0.0.1:{port}/")
