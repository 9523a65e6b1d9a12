"""Sinks that nothing can be published to: each is refused with a code, and says what to do."""

import asyncio
import ssl
from pathlib import Path
from typing import Any
from uuid import UUID

import nkeys
import pytest

import sinks
from core.outbound import Guard
from sinks import addresses, nats_connection, subjects
from sinks.addresses import BadAddress
from sinks.port import Sink, SinkAddress, SinkFailed
from sinks.subjects import BadSubject
from tests.sinks.conformance import events
from tests.support.nats import Brokers, running
from tests.support.tcp import hang_up, serving
from tests.support.tls import self_signed

pytestmark = [pytest.mark.servers, pytest.mark.timeout(60)]

LOOPBACK = Guard(["127.0.0.0/8"])
NKEY_SEED = nkeys.from_seed(bytearray(nkeys.encode_seed(b"7" * 32, nkeys.PREFIX_BYTE_USER)))


def sink(url: str, guard: Guard = LOOPBACK, **more: Any) -> Sink:
    values = {"stream": "POSTERN", "subject": "postern.{owner}.{type}", "replicas": 1, **more}
    return sinks.connect(SinkAddress(kind="nats", url=url, **values), guard)


async def refused(url: str, guard: Guard = LOOPBACK, **more: Any) -> SinkFailed:
    """Returns the error of a check."""
    with pytest.raises(SinkFailed) as failed:
        checked = sink(url, guard, **more)
        try:
            await checked.check()
        finally:
            await checked.close()
    assert str(failed.value).endswith(".")
    assert "secret" not in str(failed.value)
    return failed.value


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "begins with nats://"),
        ("http://h", "begins with nats://"),
        ("nats://", "has no host"),
        ("nats://:4222", "has no host"),
        ("nats://user:secret@:4222", "has no host"),
        ("nats://h:99999", "can't be read"),
        ("nats://h:x", "can't be read"),
        ("nats://h:0", "Port 0"),
        ("nats://h:6379", "Port 6379"),
        ("nats://h/path", "ends with the port"),
        ("nats://h?x=1", "ends with the port"),
        ("nats://a b", "no spaces"),
        ("nats://h,tls://i", "one scheme"),
        ("nats://a:secret@h,nats://b:secret@i", "one user"),
        ("nats://..", "not a valid name"),
        (",".join(["nats://h"] * 17), "at most 16"),
    ],
)
async def test_an_address_that_can_not_be_read(url: str, said: str):
    failure = await refused(url)
    assert failure.code == "sink_url_invalid"
    assert said in str(failure)


def test_addresses_of_several_servers():
    address = addresses.parse(
        "tls://us%40er:pa%2Css@a.example.com, b.example.com:4223,tls://[2001:db8::1]:4224"
    )
    assert (address.user, address.password, address.token) == ("us@er", "pa,ss", None)
    assert address.visible == "tls://a.example.com:4222,tls://b.example.com:4223,tls://[2001:db8::1]:4224"
    assert addresses.parse("nats://t0ken@h").token == "t0ken"
    assert "t0ken" not in repr(addresses.parse("nats://t0ken@h"))
    assert addresses.announced("not an address", "h") is None
    with pytest.raises(BadAddress):
        addresses.parse("nats://h\x00")


@pytest.mark.parametrize(
    "template",
    ["", "a..b", ".a", "a.", "a b", "a.*", "a.>", "{x}", "a.{owner", "$JS.x", "_INBOX.x", "a" * 256],
)
def test_a_subject_that_is_not_valid(template: str):
    with pytest.raises(BadSubject):
        subjects.check(template)


@pytest.mark.parametrize(
    ("template", "pattern"),
    [
        ("postern.{owner}.{type}", "postern.*.>"),
        ("{type}.{subject}", "*.*.*"),
        ("e.{owner}-{subject}.x", "e.*.x"),
        ("plain", "plain"),
    ],
)
def test_a_stream_takes_the_subjects_of_all_events(template: str, pattern: str):
    subjects.check(template)
    assert subjects.pattern(template) == pattern
    subject = subjects.render(template, UUID(int=1), "message.sent", "messageRecord")
    assert subjects.takes(pattern, subject)
    assert not subjects.takes(f"x.{pattern}", subject)
    assert not subjects.takes("other.>", subject)


async def test_a_broker_that_is_not_there():
    async with serving(hang_up) as port:
        pass
    assert (await refused(f"nats://127.0.0.1:{port}")).code == "broker_away"
    async with serving(hang_up) as port:
        failure = await refused(f"nats://127.0.0.1:{port}")
    assert (failure.code, failure.permanent) == ("broker_away", False)
    assert "does not resolve" in str(await refused("nats://nobody.invalid"))


async def test_addresses_are_judged_by_the_guard(broker: Brokers):
    failure = await refused(broker.url, Guard())
    assert (failure.code, failure.permanent) == ("sink_url_refused", True)
    assert "POSTERN_OUTBOUND_ALLOW" in str(failure)

    async def leads_inside(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    assert (await refused("nats://nats.example.com", Guard(resolver=leads_inside))).code == "sink_url_refused"


async def test_announced_servers_are_judged_too():
    """The first server announces others, and dies: none that the guard refuses is called."""
    called: list[str] = []

    async def inside(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        called.append("inside")

    async with serving(inside) as secret_port:
        announce = f'"127.0.0.1:{secret_port}"'

        async def first(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            called.append("first")
            info = '{"max_payload":1048576,"headers":true,"connect_urls":[' + announce + "]}"
            writer.write(f"INFO {info}\r\n".encode())
            await reader.readuntil(b"PING\r\n")
            writer.write(b"PONG\r\n")
            await reader.readuntil(b"SUB")

        async with serving(first, host="127.0.0.2") as port:
            checked = sink(f"nats://127.0.0.2:{port}", Guard(["127.0.0.2"]))
            for _ in range(3):
                with pytest.raises(SinkFailed):
                    await checked.check()
            await checked.close()
    assert set(called) == {"first"}


async def test_a_broker_that_announces_thousands_of_servers_delays_nobody():
    """Each announcement is compared with the others, so few are remembered."""
    remembered: list[int] = []

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for part in range(4):
            servers = ",".join(
                f'"10.{part}.{number // 250}.{number % 250}:1"' for number in range(2500 if part else 25)
            )
            info = '{"max_payload":1048576,"headers":true,"connect_urls":[' + servers + "]}"
            writer.write(f"INFO {info}\r\n".encode())
            if not part:
                await reader.readuntil(b"PING\r\n")
                writer.write(b"PONG\r\n")
        await reader.read()

    async with serving(flood, host="127.0.0.2") as port:
        address = addresses.parse(f"nats://127.0.0.2:{port}")
        connection = await nats_connection.connect(address, None, Guard(["127.0.0.2"]))
        await asyncio.sleep(0.3)
        remembered.append(len(connection.client._server_pool))
        await connection.close()
    assert remembered[0] <= nats_connection.MOST_ANNOUNCED


async def test_the_login(tmp_path: Path):
    more = 'authorization { users = [ {user: "us:er", password: "secret@1"} ] }'
    login = {"user": "us:er", "password": "secret@1"}
    async with running(tmp_path, more=more, **login) as broker:
        where = f"127.0.0.1:{broker.nodes[0].port}"
        for wrong in ("", "us%3Aer:secret@", "secret@"):
            failure = await refused(f"nats://{wrong}{where}")
            assert (failure.code, failure.permanent) == ("broker_refused", True), wrong
        good = sink(f"nats://us%3Aer:secret%401@{where}")
        await good.publish(events(3))
        await good.close()


async def test_a_token_and_an_nkey(tmp_path: Path):
    (tmp_path / "token").mkdir()
    async with running(tmp_path / "token", more='authorization { token: "t0ken" }', token="t0ken") as broker:
        where = f"127.0.0.1:{broker.nodes[0].port}"
        good = sink(f"nats://t0ken@{where}")
        assert (await good.check()).made
        await good.close()
        assert (await refused(f"nats://secret@{where}")).code == "broker_refused"
    seed, public = NKEY_SEED.seed.decode(), NKEY_SEED.public_key.decode()
    (tmp_path / "nkey").mkdir()
    more = "authorization { users = [ { nkey: " + public + " } ] }"
    async with running(tmp_path / "nkey", more=more, nkeys_seed_str=seed) as broker:
        good = sink(broker.url, credentials=f"{seed}\n")
        assert (await good.check()).made
        await good.close()
        assert (await refused(broker.url)).code == "broker_refused"
        assert "can't be read" in str(await refused(broker.url, credentials="secret"))
        half = "-----BEGIN NATS USER JWT-----\nsecret\n"
        assert (await refused(broker.url, credentials=half)).code == "broker_refused"


async def test_tls(tmp_path: Path):
    pem = self_signed(tmp_path)
    more = f'tls {{ cert_file: "{pem}", key_file: "{pem}" }}'
    trusting = ssl.create_default_context(cafile=str(pem))
    async with running(tmp_path, more=more, tls=trusting) as broker:
        where = f"127.0.0.1:{broker.nodes[0].port}"
        good = sink(f"tls://{where}", Guard(["127.0.0.0/8"], tls=trusting))
        await good.publish(events(3))
        await good.close()
        failure = await refused(f"tls://{where}")
        assert (failure.code, failure.permanent) == ("broker_refused", True)
        assert "certificate" in str(failure)


async def test_nothing_leaves_without_the_tls_that_was_asked_for():
    heard: list[bytes] = []

    async def without_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"max_payload":1048576,"headers":true,"auth_required":true}\r\n')
        heard.append(await reader.read(1000))

    async with serving(without_tls) as port:
        failure = await refused(f"tls://user:secret@127.0.0.1:{port}")
    assert failure.code == "broker_refused"
    assert b"".join(heard) == b""


async def test_streams(broker: Brokers):
    failure = await refused(broker.url, make_stream=False)
    assert (failure.code, failure.permanent) == ("stream_missing", True)
    assert (await refused(broker.url, replicas=3)).code == "stream_refused"
    made = sink(broker.url)
    await made.check()
    await made.close()
    assert (await refused(broker.url, subject="other.{type}")).code == "sink_subject_not_in_stream"
    assert (await refused(broker.url, stream="SECOND")).code == "stream_refused"  # its subjects overlap
    assert (await refused(broker.url, subject="a.{x}")).code == "bad_sink_subject"


async def test_a_login_that_may_not_publish_says_so(tmp_path: Path):
    allowed = 'publish: ["$JS.API.>"], subscribe: ["_INBOX.>"]'
    more = 'authorization { users = [ {user: "u", password: "p", permissions: {' + allowed + "}} ] }"
    async with running(tmp_path, more=more, user="u", password="p") as broker:
        limited = sink(f"nats://u:p@127.0.0.1:{broker.nodes[0].port}")
        with pytest.raises(SinkFailed) as failed:
            await limited.publish(events(1))
        await limited.close()
    assert (failed.value.code, failed.value.acknowledged) == ("broker_away", 0)
    assert "permissions violation" in str(failed.value).lower()
