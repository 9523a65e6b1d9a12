"""The guarded client against real servers: where it connects, and when it lets go."""

import asyncio
import socket
import ssl

import aiohappyeyeballs
import pytest
from yarl import URL

from core.outbound import EVERYWHERE, CallFailed, Client, Guard, UrlRefused, connector
from tests.channels.http_stub import HttpStub, Reply, Wire, stub_socket
from tests.support.tcp import serving
from tests.support.tls import self_signed, server_side
from tests.support.waits import PATIENCE

LOCAL = ["127.0.0.0/8", "::1"]


def stub_resolver(*answers):
    """Gives one answer a lookup, the last one from then on; counts the lookups."""
    hosts = []

    async def resolver(host, port):
        hosts.append(host)
        return [answers[min(len(hosts), len(answers)) - 1]]

    resolver.asked = hosts
    return resolver


async def test_an_allowed_address_is_reached_with_the_right_host_header():
    resolver = stub_resolver("127.0.0.1")
    async with (
        HttpStub(lambda seen: Reply(200, b"ok")) as stub,
        Client(Guard(LOCAL, resolver=resolver)) as client,
    ):
        for _ in range(2):
            response = await client.send("POST", f"http://hooks.example:{stub.port}/a?b=1", body=b"x")
            assert (response.status, response.body) == (200, b"ok")
            assert not response.truncated
    assert stub.seen[0].headers["host"] == f"hooks.example:{stub.port}"
    assert stub.seen[0].target == "/a?b=1"
    assert resolver.asked == ["hooks.example"], "one lookup a connection, and the connection is kept"


async def test_ipv6_loopback():
    async with HttpStub(lambda seen: Reply(204), host="::1") as stub, Client(Guard(LOCAL)) as client:
        assert (await client.send("GET", f"http://[::1]:{stub.port}/")).status == 204


async def test_rebinding_reaches_nothing():
    """Public when the URL was saved, 127.0.0.1 when it is called: the classic."""
    resolver = stub_resolver("93.184.215.14", "127.0.0.1")
    async with HttpStub(lambda seen: Reply()) as stub:
        guard = Guard(resolver=resolver)
        await guard.probe(f"http://rebind.example:{stub.port}/")
        async with Client(guard) as client:
            for _ in range(3):
                with pytest.raises(UrlRefused):
                    await client.send("GET", f"http://rebind.example:{stub.port}/")
        assert (stub.connections, stub.seen) == (0, [])
    assert len(resolver.asked) == 4


async def test_one_lookup_serves_check_and_connection(monkeypatch):
    """A second lookup behind the check would be the hole: the socket must get the judged address."""
    reached = []

    async def start_connection(addr_infos, **options):
        reached.extend(info[4][0] for info in addr_infos)
        raise OSError("no route")

    monkeypatch.setattr(aiohappyeyeballs, "start_connection", start_connection)
    resolver = stub_resolver("93.184.215.14", "127.0.0.1")
    async with Client(Guard(resolver=resolver)) as client:
        with pytest.raises(CallFailed, match="no route"):
            await client.send("GET", "http://rebind.example/")
    assert reached == ["93.184.215.14"]
    assert len(resolver.asked) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"])
async def test_a_literal_address_is_judged_where_the_socket_is_made(host):
    """aiohttp asks no resolver for it. A `URL` has passed for checked, so nothing else would stop this one."""
    async with HttpStub(lambda seen: Reply(), host=host.strip("[]").replace("::ffff:", "")) as stub:
        async with Client(Guard()) as client:
            with pytest.raises(UrlRefused, match=r"not public|IPv6"):
                await client.send("POST", URL(f"http://{host}:{stub.port}/"), body=b"x")
        assert stub.connections == 0


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["127.0.0.1", "::1", "127.0.0.2"]])
async def test_an_address_that_was_changed_after_the_lookup_is_judged(monkeypatch, addresses):
    """The socket's own judgement holds whatever the resolver said, with one address and with a race of several."""

    async def resolve(self, host, port=0, family=0):
        return [
            {"hostname": host, "host": address, "port": port, "family": 0, "proto": 0, "flags": 0}
            for address in addresses
        ]

    monkeypatch.setattr(connector._Resolver, "resolve", resolve)
    async with HttpStub(lambda seen: Reply()) as stub:
        async with Client(Guard()) as client:
            with pytest.raises(UrlRefused, match="loopback"):
                await client.send("GET", f"http://changed.example:{stub.port}/")
        assert stub.connections == 0


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
        async with Client(Guard(resolver=stub_resolver("127.0.0.1"))) as client:
            with pytest.raises(UrlRefused):
                await client.send("POST", url.format(port=stub.port), body=b"x")
        assert stub.connections == 0


async def test_redirects_are_not_followed_and_each_hop_would_be_judged():
    target = "http://169.254.169.254/latest/"
    async with HttpStub(lambda seen: Reply(302, b"", {"location": target})) as stub:
        async with Client(Guard(LOCAL)) as client:
            for method, body in (("GET", None), ("POST", b"x")):
                response = await client.send(method, stub.url, body=body)
                assert (response.status, response.headers["location"]) == (302, target)
            with pytest.raises(UrlRefused):
                await client.send("GET", response.headers["location"])
        assert len(stub.seen) == 2


async def test_no_cookie_is_kept_and_no_proxy_taken_from_the_environment(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with HttpStub(lambda seen: Reply(200, b"", {"set-cookie": "a=1; Path=/"})) as stub:
        async with Client(Guard(LOCAL)) as client:
            await client.send("GET", stub.url)
            await client.send("GET", stub.url)
        assert all("cookie" not in seen.headers for seen in stub.seen)


async def test_a_name_that_does_not_resolve_is_a_network_failure(monkeypatch):
    # How long the machine's resolver takes is no claim.
    monkeypatch.setattr(connector, "CONNECT_SECONDS", PATIENCE)
    async with Client(Guard(), seconds=PATIENCE) as client:
        with pytest.raises(CallFailed, match="does not resolve"):
            await client.send("GET", "http://does-not-exist.invalid/")

    async def slow(host, port):
        await asyncio.sleep(30)

    async with Client(Guard(resolver=slow), seconds=0.1) as client:
        with pytest.raises(CallFailed, match="no connection in time"):
            await client.send("GET", "http://example.com/")


async def test_dead_addresses_do_not_hide_a_live_one():
    async def resolver(host, port):
        return ["127.0.0.2", "127.0.0.1"]

    async with HttpStub(lambda seen: Reply()) as stub, Client(Guard(LOCAL, resolver=resolver)) as client:
        assert (await client.send("GET", f"http://two.example:{stub.port}/")).status == 200


# What is never done twice


@pytest.mark.parametrize(("method", "body"), [("GET", None), ("PUT", b"x"), ("DELETE", None), ("POST", b"x")])
async def test_nothing_is_repeated(method, body):
    """aiohttp would repeat what is idempotent when a kept connection breaks: the server would see it twice."""
    async with HttpStub(lambda seen: Reply()) as stub, Client(EVERYWHERE) as client:
        assert (await client.send(method, URL(stub.url), body=body)).status == 200
        stub.answer = lambda seen: Wire.close
        with pytest.raises(CallFailed) as failed:
            await client.send(method, URL(stub.url), body=body)
        assert (failed.value.code, failed.value.may_have_left) == ("connection_lost", True)
        assert (len(stub.seen), stub.connections) == (2, 1)


async def test_a_connection_that_the_server_has_ended_is_not_taken():
    """The loop has had no moment to see the end: a request on it would be lost."""
    async with HttpStub(lambda seen: Reply()) as stub, Client(EVERYWHERE) as client:
        for _ in range(5):
            assert (await client.send("POST", URL(stub.url), body=b"x")).status == 200
            for writer in stub._live:
                with stub_socket(writer) as live:
                    live.shutdown(socket.SHUT_RDWR)
        assert (len(stub.seen), stub.connections) == (5, 5)


async def test_connections_are_bounded_and_kept():
    async def slow(seen):
        await asyncio.sleep(0.02)
        return Reply()

    async with HttpStub(slow) as stub, Client(EVERYWHERE, connections=3) as client:
        for _ in range(3):
            await asyncio.gather(*(client.send("POST", URL(stub.url), body=b"x") for _ in range(10)))
        assert (len(stub.seen), stub.connections) == (30, 3)


async def test_a_body_that_is_too_long_breaks_no_other_request():
    """It has come whole, so its connection may be another request's by now."""
    async with (
        HttpStub(lambda seen: Reply(200, b"x" * 1000)) as stub,
        Client(EVERYWHERE, most=10, connections=1) as client,
    ):
        sends = (client.send("POST", URL(stub.url), body=b"x") for _ in range(20))
        responses = await asyncio.gather(*sends)
        assert {(response.status, response.body) for response in responses} == {(200, b"x" * 10)}
        assert stub.connections == 1


# Through a proxy


async def test_the_guard_judges_a_proxy_and_not_what_is_behind_it():
    async def proxy(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(head), head))
        await writer.drain()

    async with serving(proxy) as port:
        where = f"http://user:secret@127.0.0.1:{port}"
        async with Client(Guard(), proxy=where) as client:
            with pytest.raises(UrlRefused):
                await client.send("GET", URL("http://service.example/x"))
        async with Client(Guard(LOCAL), proxy=where) as client:
            response = await client.send("GET", URL("http://service.example/x"))
    assert response.body.startswith(b"GET http://service.example/x HTTP/1.1")
    assert b"Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=" in response.body


async def test_a_proxy_that_wants_another_password_is_told():
    async def proxy(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")
        await writer.drain()

    async with serving(proxy) as port, Client(Guard(LOCAL), proxy=f"http://127.0.0.1:{port}") as client:
        with pytest.raises(CallFailed, match="the proxy answered 407") as failed:
            await client.send("POST", URL("https://service.example/x"), body=b"x")
    assert (failed.value.code, failed.value.may_have_left) == ("proxy_failed", False)


@pytest.fixture
def tls_for(tmp_path):
    """The server's context, and a client's that trusts it."""

    def build(name):
        path = self_signed(tmp_path, name)
        return server_side(path), ssl.create_default_context(cafile=path)

    return build


async def test_tls_is_checked_for_the_name_though_the_address_is_connected(tls_for):
    server, trust = tls_for("hooks.example")
    hosts = []
    server.sni_callback = lambda ssl_object, name, context: hosts.append(name)
    async with HttpStub(lambda seen: Reply(200, b"ok"), tls=server) as stub:
        guard = Guard(LOCAL, resolver=stub_resolver("127.0.0.1"), tls=trust)
        async with Client(guard) as client:
            assert (await client.send("GET", f"https://hooks.example:{stub.port}/")).body == b"ok"
            with pytest.raises(CallFailed, match="CERTIFICATE_VERIFY_FAILED"):
                await client.send("GET", f"https://other.example:{stub.port}/")
    assert hosts == ["hooks.example", "other.example"]


async def test_a_silent_tls_server_is_a_connect_timeout():
    async def silent(reader, writer):
        await reader.read()

    async with serving(silent) as port, Client(Guard(LOCAL), seconds=0.2) as client:
        with pytest.raises(CallFailed, match="no connection in time"):
            await client.send("GET", f"https://127.0.0.1:{port}/")
