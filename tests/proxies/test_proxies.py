"""The operator's pool and what users give, against real proxies on loopback."""

import asyncio
import os
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from structlog.testing import capture_logs

from core.errors import BadRequest, Unavailable
from core.ids import uuid7
from core.outbound import Guard
from core.settings import Settings
from engine.messengers import proxies
from engine.messengers.proxies import Refusal
from messengers.port import Unreachable
from messengers.proxy import Proxy, parse
from messengers.whatsapp_cloud import graph
from runtime.services import Services
from tests.proxies.servers import Server, connect, socks5
from tests.support.people import Person
from tests.support.tls import self_signed, server_side
from tests.support.waits import until
from tests.whatsapp_cloud.meta import Meta

LOCAL = Guard(["127.0.0.0/8"])
TARGET = ("messenger.example", 443)
GONE = "socks5://127.0.0.1:9"  # nobody listens: a port that no service here may have

_ADD = """
INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver, proxy_encrypted, proxy_shown)
VALUES ($1, $2, $3, $4, $4, $5, $6, $7) RETURNING *
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "proxies.txt"


@pytest.fixture
def settings(make_settings: Any, file: Path) -> Settings:
    made: Settings = make_settings(proxies_file=file, outbound_allow=["127.0.0.0/8"])
    return made


Make = Callable[..., Awaitable[Any]]


@pytest.fixture
def account(services: Services, ada: Person) -> Make:
    """Makes an account behind a proxy; its row."""

    async def make(
        proxy: Proxy | None = None, source: str = "telegram", driver: str = "sandbox", deleted: bool = False
    ) -> Any:
        id = uuid7()
        sealed = proxies.seal(services, id, proxy) if proxy else None
        row = await services.db.fetchrow(
            _ADD, id, ada.id, source, str(id), driver, sealed, str(proxy) if proxy else None
        )
        if deleted:
            await services.db.fetchval("UPDATE messenger_accounts SET deleted_at = now() WHERE id = $1", id)
        return row

    return make


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as made:
        yield made


def at(server: Server, scheme: str = "socks5", host: str = "127.0.0.1") -> Proxy:
    return parse(f"{scheme}://{host}:{server.port}")


# one proxy


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
async def test_socks(scheme: str) -> None:
    async with socks5(user="us@er", password="p:1 %") as server:
        right = Proxy(scheme, "127.0.0.1", server.port, "us@er", "p:1 %")  # type: ignore[arg-type]
        assert (await proxies.probe(LOCAL, right, TARGET)).ok
        assert (server.asked, server.logins) == ([TARGET], [("us@er", "p:1 %")])
        for wrong in (
            Proxy("socks5", "127.0.0.1", server.port, "us@er", "other"),
            Proxy("socks5", "127.0.0.1", server.port),
        ):
            health = await proxies.probe(LOCAL, wrong, TARGET)
            assert (health.ok, health.code) == (False, "proxy_auth")
        server.way = "refuses"
        assert (await proxies.probe(LOCAL, right, TARGET)).code == "proxy_blocked"


async def test_http_connect() -> None:
    async with connect(user="u", password="p:w") as server:
        right = Proxy("http", "127.0.0.1", server.port, "u", "p:w")
        assert (await proxies.probe(LOCAL, right, TARGET)).ok
        assert (server.asked, server.logins) == ([TARGET], [("u", "p:w")])
        assert (await proxies.probe(LOCAL, at(server, "http"), TARGET)).code == "proxy_auth"
        server.way = "refuses"
        assert (await proxies.probe(LOCAL, right, TARGET)).code == "proxy_blocked"
        server.way = "drips"  # a status line that never ends is not read for ever
        assert (await proxies.probe(LOCAL, right, TARGET)).code == "proxy_unreachable"


async def test_an_https_proxy_is_checked_by_its_name(tmp_path: Path) -> None:
    certificate = self_signed(tmp_path, "gate.example")
    tls = server_side(certificate)

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    guard = Guard(["127.0.0.0/8"], resolver=resolve, tls=ssl.create_default_context(cafile=certificate))
    async with connect(tls) as server:
        assert (await proxies.probe(guard, at(server, "https", "gate.example"), TARGET)).ok
        health = await proxies.probe(guard, at(server, "https", "other.example"), TARGET)
        assert (health.ok, health.code) == (False, "proxy_unreachable")


@pytest.mark.parametrize("kind", ["socks5", "http"])
@pytest.mark.parametrize("way", ["hangs", "rubbish"])
async def test_what_is_no_proxy(kind: str, way: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxies, "TRY_SECONDS", 0.3 if way == "hangs" else 20.0)
    async with socks5(way=way) if kind == "socks5" else connect(way=way) as server:
        health = await proxies.probe(LOCAL, at(server, kind), TARGET)
        assert (health.ok, health.code) == (False, "proxy_unreachable")
        await until(lambda: server.connections == 1)


async def test_nobody_there() -> None:
    assert (await proxies.probe(LOCAL, parse(GONE), TARGET)).code in {"proxy_unreachable", "proxy_refused"}


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "localhost", "0x7f.1", "2130706433",
        "[::ffff:10.0.0.1]"]
)  # fmt: skip
async def test_no_way_inside(host: str) -> None:
    """Nothing connects: an own machine is not told from others by what comes back."""
    async with socks5() as server:
        health = await proxies.probe(Guard(), parse(f"socks5://{host}:{server.port}"), TARGET)
        assert (health.ok, health.code) == (False, "proxy_refused")
        assert server.connections == 0


# what users give


async def test_what_is_given_is_judged_and_kept_sealed(services: Services, account: Make) -> None:
    proxy = await proxies.accept(services, " socks5://user:secret@127.0.0.1:1080 ")
    row = await account(proxy)
    assert row.proxy_shown == "socks5://u***@127.0.0.1:1080"
    assert b"secret" not in row.proxy_encrypted
    assert proxies.opened(services, row) == proxy
    assert await proxies.for_driver(services, row) == "socks5://user:secret@127.0.0.1:1080"
    other = await account()
    assert (proxies.opened(services, other), await proxies.for_driver(services, other)) == (None, None)
    for text in ("nonsense", "socks5://user:secret@10.0.0.1:1080", "socks5://user:secret@localhost.:22"):
        with pytest.raises(BadRequest) as error:
            await proxies.accept(services, text)
        assert error.value.code == "bad_proxy"
        assert "secret" not in error.value.message


async def test_a_name_is_handed_on_as_the_address_that_was_judged(
    services: Services, account: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = ["127.0.0.7"]

    async def resolve(host: str, port: int) -> list[str]:
        return addresses

    monkeypatch.setattr(services, "guard", Guard(["127.0.0.0/8"], resolver=resolve))
    row = await account(parse("socks5://u:p@gate.example:1080"))
    assert await proxies.for_driver(services, row) == "socks5://u:p@127.0.0.7:1080"
    addresses[:] = ["10.0.0.1"]  # the name leads inside now
    with pytest.raises(Refusal) as error:
        await proxies.for_driver(services, row)
    assert (error.value.code, error.value.temporary) == ("proxy_refused", False)


@pytest.mark.parametrize("driver", ["telegram", "whatsapp"])
async def test_a_driver_that_would_look_a_name_up_itself_gets_no_https_proxy(
    services: Services,
    account: Make,
    file: Path,
    stack: AsyncExitStack,
    monkeypatch: pytest.MonkeyPatch,
    driver: str,
) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    monkeypatch.setattr(services, "guard", Guard(["127.0.0.0/8"], resolver=resolve))
    proxy = parse("https://u:secret@gate.example:8443")
    row = await account(proxy, driver=driver)
    with pytest.raises(Refusal) as error:
        await proxies.for_driver(services, row)
    assert (error.value.code, error.value.temporary) == ("proxy_refused", False)
    assert "socks5://" in error.value.reason and "secret" not in error.value.reason
    # Nor from the pool.
    works = await stack.enter_async_context(socks5())
    file.write_text(f"https://gate.example:8443\n{at(works).url}\n")
    assert await proxies.choose_other(services, row) == at(works)
    # Meta's has it judged again when it dials.
    cloud = await account(proxy, source="whatsapp", driver="whatsapp-cloud")
    assert await proxies.for_driver(services, cloud) == proxy.url


async def test_an_https_proxy_is_dialled_where_it_was_judged(
    tmp_path: Path, stack: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proxy's name leads elsewhere a moment later: nothing is dialled there."""
    certificate = self_signed(tmp_path, "*.some.example")
    tls = server_side(certificate)
    trust = ssl.create_default_context(cafile=certificate)
    addresses = ["127.0.0.1"]

    async def resolve(host: str, port: int) -> list[str]:
        return addresses

    guard = Guard(["127.0.0.1/32"], resolver=resolve, tls=trust)
    monkeypatch.setattr(graph.outbound, "shared", lambda: guard)
    meta = await stack.enter_async_context(Meta(tls))
    number = meta.number()
    gate = await stack.enter_async_context(
        connect(
            tls,
            user="u",
            password="p:w",
            leads=lambda host, port: ("127.0.0.1", meta.stub.port),
        )
    )
    made = graph.Graph("https://graph.some.example/v23.0")

    async def ask(name: str = "gate.some.example") -> Any:
        proxy = Proxy("https", name, gate.port, "u", "p:w").url
        client = made.join(proxy)
        try:
            return await made.call(
                client,
                graph.Token(number.token),
                "GET",
                number.id,
                params={"fields": "display_phone_number,verified_name"},
            )
        finally:
            await made.leave(proxy)

    assert (await ask())["id"] == number.id
    assert (gate.asked, gate.logins) == ([("graph.some.example", 443)], [("u", "p:w")])
    with pytest.raises(Unreachable):  # another name's certificate
        await ask("other.example")
    connections = gate.connections
    addresses[:] = ["127.0.0.2"]  # where the same server would take it
    with pytest.raises(Unreachable) as error:
        await ask()
    assert error.value.code == "proxy_failed"
    assert gate.connections == connections
    await made.close()


# the pool


async def test_another(services: Services, account: Make, file: Path, stack: AsyncExitStack) -> None:
    one, two, three = [await stack.enter_async_context(socks5()) for _ in range(3)]
    dead = await stack.enter_async_context(socks5(way="refuses"))
    file.write_text("\n".join(at(server).url for server in (one, two, three, dead)))
    for server in (one, one, two):
        await account(at(server))
    await account(at(three), deleted=True)  # counts no more
    row = await account()
    assert await proxies.choose_other(services, row) == at(three)  # nobody has it
    used = await account(at(three))
    assert await proxies.choose_other(services, used) == at(two)  # not its own; of the others the less used
    assert {target for server in (one, two, three, dead) for target in server.asked} == {
        ("149.154.167.50", 443)
    }


async def test_proxies_that_look_alike_are_told_apart(
    services: Services, account: Make, file: Path, stack: AsyncExitStack
) -> None:
    """Providers sell one gate under many users: session-1, session-2, …"""
    gate = await stack.enter_async_context(connect(way="works"))
    many = [Proxy("http", "127.0.0.1", gate.port, f"session-{n}", "p") for n in range(4)]
    file.write_text("\n".join(proxy.url for proxy in many))
    assert len({str(proxy) for proxy in many}) == 1
    rows = []
    for _ in many:
        row = await account(source="whatsapp")
        chosen = await proxies.choose_other(services, row)
        rows.append(await account(chosen))
    assert sorted(str(proxies.opened(services, row).user) for row in rows) == [
        f"session-{n}" for n in range(4)
    ]  # type: ignore[union-attr]
    assert gate.asked == [("web.whatsapp.com", 443)] * 4


async def test_the_target_of_the_cloud_api(
    services: Services, account: Make, file: Path, stack: AsyncExitStack
) -> None:
    gate = await stack.enter_async_context(connect())
    file.write_text(at(gate, "http").url)
    await proxies.choose_other(services, await account(source="whatsapp", driver="whatsapp-cloud"))
    assert gate.asked == [("graph.facebook.com", 443)]


async def test_what_failed_is_asked_last_and_what_works_is_not_asked_again(
    services: Services, account: Make, file: Path, stack: AsyncExitStack
) -> None:
    good, other = [await stack.enter_async_context(socks5()) for _ in range(2)]
    bad = [await stack.enter_async_context(socks5(way="refuses")) for _ in range(6)]
    file.write_text("\n".join(at(server).url for server in (*bad, good, other)))
    await account(at(good))
    await account(at(other))
    row = await account()
    assert await proxies.choose_other(services, row) in (at(good), at(other))
    before = {id(server): server.connections for server in (*bad, good, other)}
    for _ in range(3):
        assert await proxies.choose_other(services, row) in (at(good), at(other))
    assert {id(server): server.connections for server in bad} == {id(s): before[id(s)] for s in bad}
    assert good.connections + other.connections <= 2


async def test_no_pool(services: Services, account: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    row = await account()
    with pytest.raises(Unavailable) as error:  # the file is not there
        await proxies.choose_other(services, row)
    assert error.value.code == "proxies_not_configured"


async def test_none_that_works(services: Services, account: Make, file: Path, stack: AsyncExitStack) -> None:
    bad = await stack.enter_async_context(socks5(way="refuses"))
    only = await stack.enter_async_context(socks5())
    file.write_text(f"{at(bad).url}\n{at(only).url}\nsocks5://10.0.0.1:1080\n")
    with pytest.raises(Unavailable) as error:
        await proxies.choose_other(services, await account(at(only)))
    assert error.value.code == "no_healthy_proxy"


async def test_the_file_is_read_again_when_it_changed(
    services: Services, account: Make, file: Path, stack: AsyncExitStack
) -> None:
    one, two = [await stack.enter_async_context(socks5()) for _ in range(2)]
    row = await account()
    file.write_text(f"# ours\n\n  {at(one).url}   # the first\n{at(one).url}\n")
    assert await proxies.choose_other(services, row) == at(one)
    with capture_logs() as logs:
        file.write_text(f"{at(two).url}\nsocks5://user:secret@nowhere\nhttp://u:s#1@127.0.0.1:{two.port}\n")
        os.utime(file, ns=(1, 1))  # even with an old time
        assert str(await proxies.choose_other(services, row)).endswith(f"127.0.0.1:{two.port}")
    skipped = next(line for line in logs if "skipped" in line)
    assert skipped["lines"] == [
        "line 2: the proxy's host or port can't be read; write host:port after the password's @"
    ]
    assert "secret" not in str(logs)
    pool = proxies._pool(services)
    assert [str(proxy) for proxy in await pool.read()] == [
        f"socks5://127.0.0.1:{two.port}", f"http://u***@127.0.0.1:{two.port}",
    ]  # fmt: skip
    # A file that can't be read any more leaves what was there, and is named once.
    file.write_bytes(b"\xff\xfe\x00")
    with capture_logs() as logs:
        for _ in range(3):
            assert len(await pool.read()) == 2
    assert len(logs) == 1
    assert str(file) in str(logs)
    file.unlink()
    assert len(await pool.read()) == 2


async def test_many_at_once_read_one_file_once(services: Services, file: Path) -> None:
    file.write_text("\n".join(f"socks5://user{n}:p@8.8.8.8:1080" for n in range(12_000)))
    pool = proxies._pool(services)
    with capture_logs() as logs:
        chunks = await asyncio.gather(*(pool.read() for _ in range(20)))
    assert {len(chunk) for chunk in chunks} == {10_000}
    assert [line["event"] for line in logs] == ["the proxies' file is too long", "proxies read"]


def test_the_row_is_what_the_port_says() -> None:
    """`another` and `opened` need no more of an account than these."""
    assert set(proxies.Account.__annotations__) == {"id", "source", "driver", "proxy_encrypted"}
    assert proxies.Account.__annotations__["id"] is UUID
