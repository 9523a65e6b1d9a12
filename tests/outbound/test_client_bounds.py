"""Tests the bounds of the guarded client against real servers: time, size and headers."""

import asyncio
import gzip
import time
import tracemalloc
import zlib

import pytest

from core.outbound import CallFailed, Client, Guard
from tests.channels.http_stub import HttpStub, Reply, Wire
from tests.outbound.test_client import LOCAL
from tests.support.tcp import serving
from tests.support.waits import PATIENCE

pytestmark = pytest.mark.servers


async def hold(reader, writer, piece, seconds, head=b"HTTP/1.1 200 OK\r\n\r\n"):
    await reader.readuntil(b"\r\n\r\n")
    writer.write(head)
    while True:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(seconds)


@pytest.mark.alone
@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nx: ", b"HTTP/1.1 200 "])
async def test_a_drip_is_cut_at_the_total_deadline(head):
    """One byte at a time never runs into a time-out per read, be it in the body, a header or the status."""
    async with (
        serving(lambda r, w: hold(r, w, b"1", 0.02, head)) as port,
        Client(Guard(LOCAL), seconds=0.3) as client,
    ):
        began = time.monotonic()
        calling = asyncio.wait_for(client.send("GET", f"http://127.0.0.1:{port}/"), PATIENCE)
        if head.endswith(b"\r\n\r\n"):
            response = await calling  # the status is known, so it counts
            assert (response.status, response.truncated) == (200, True)
        else:
            with pytest.raises(CallFailed, match=r"no answer within 0\.3 s") as failed:
                await calling
            assert failed.value.code == "timeout"
        assert 0.25 < time.monotonic() - began < 10  # it drips for ever


async def test_endless_informational_answers_are_cut():
    head = b"HTTP/1.1 100 Continue\r\n\r\n"
    async with (
        serving(lambda r, w: hold(r, w, head, 0.01, head)) as port,
        Client(Guard(LOCAL), seconds=0.3) as client,
    ):
        with pytest.raises(CallFailed, match="no answer within"):
            await client.send("GET", f"http://127.0.0.1:{port}/")


@pytest.mark.alone  # the connection must come within the time-out
async def test_a_server_that_hangs():
    async with HttpStub(lambda seen: Wire.hang) as stub:
        async with Client(Guard(LOCAL), seconds=0.5) as client:
            with pytest.raises(CallFailed, match="no answer within"):
                await client.send("GET", stub.url)
        stub.die()
        async with Client(Guard(LOCAL), seconds=0.2) as client:
            with pytest.raises(CallFailed, match="no connection in time"):
                await client.send("GET", stub.url)


async def endless(reader, writer):
    await hold(reader, writer, b"x" * 65536, 0)


async def test_a_huge_body_is_neither_read_nor_kept():
    async with serving(endless) as port, Client(Guard(LOCAL), most=1000) as client:
        response = await client.send("GET", f"http://127.0.0.1:{port}/")
        assert (response.status, response.body) == (200, b"x" * 1000)
        assert response.truncated


@pytest.mark.parametrize(("length", "cut"), [(999, False), (1000, False), (1001, True)])
@pytest.mark.parametrize("coding", ["identity", "gzip", "deflate"])
async def test_the_bound_is_exact_and_counts_decompressed_bytes(length, cut, coding):
    pack = {"identity": bytes, "gzip": gzip.compress, "deflate": zlib.compress}[coding]
    headers = {} if coding == "identity" else {"content-encoding": coding}
    async with (
        HttpStub(lambda seen: Reply(200, pack(b"y" * length), headers)) as stub,
        Client(Guard(LOCAL), most=1000) as client,
    ):
        response = await client.send("GET", stub.url)
        assert response.body == b"y" * min(length, 1000)
        assert response.truncated is cut


async def test_a_gzip_bomb_costs_nothing():
    inner = gzip.compress(b"\0" * 200_000_000, 1)  # 1 MB on the wire; its first piece alone holds 10 MB
    async with (
        HttpStub(lambda seen: Reply(200, inner, {"content-encoding": "gzip"})) as stub,
        Client(Guard(LOCAL)) as client,
    ):
        await client.send("GET", stub.url)  # what is made once is made now
        tracemalloc.start()
        try:
            response = await client.send("GET", stub.url)
            assert (len(response.body), response.truncated) == (65536, True)
            # The stub writes its one megabyte to the socket; the rest of the peak is ours.
            assert tracemalloc.get_traced_memory()[1] < 6_000_000
        finally:
            tracemalloc.stop()


async def test_a_body_that_is_not_what_its_header_says_keeps_its_status():
    async with HttpStub(lambda seen: Reply(200, b"plain", {"content-encoding": "gzip"})) as stub:
        async with Client(Guard(LOCAL)) as client:
            response = await client.send("GET", stub.url)
            assert (response.status, response.body, response.truncated) == (200, b"", True)
        stub.answer = lambda seen: Reply(200, b"brotli?", {"content-encoding": "br"})
        async with Client(Guard(LOCAL)) as client:
            assert (await client.send("GET", stub.url)).body == b"brotli?"


async def test_headers_are_bounded():
    async def flood(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(100_000):
            writer.write(b"x-%d: 1\r\n" % number)
            await writer.drain()

    async with serving(flood) as port, Client(Guard(LOCAL)) as client:
        with pytest.raises(CallFailed, match="not HTTP"):
            await client.send("GET", f"http://127.0.0.1:{port}/")


async def test_streaming_can_stop_early():
    async with (
        serving(endless) as port,
        Client(Guard(LOCAL), most=10_000_000) as client,
        client.stream("GET", f"http://127.0.0.1:{port}/") as response,
    ):
        assert response.status == 200
        async for piece in response.pieces():
            assert piece
            break


async def test_a_stream_is_bounded_in_size():
    async with (
        serving(endless) as port,
        Client(Guard(LOCAL), most=1_000_000) as client,
        client.stream("GET", f"http://127.0.0.1:{port}/") as response,
    ):
        assert sum([len(piece) async for piece in response.pieces()]) == 1_000_000
        assert response.truncated


@pytest.mark.alone  # the head must come within the time-out
@pytest.mark.parametrize("breaks", [True, False])
async def test_a_stream_that_breaks_off_or_drips_is_told(breaks):
    async def server(reader, writer):
        if breaks:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf")
            await writer.drain()
        else:
            await hold(reader, writer, b"1", 0.02)

    async with serving(server) as port, Client(Guard(LOCAL), seconds=1.0) as client:
        with pytest.raises(CallFailed, match="broke" if breaks else "did not end"):
            async with client.stream("GET", f"http://127.0.0.1:{port}/") as response:
                async for _ in response.pieces():
                    pass
