"""Settings, addresses, proxies; and that nothing but the configured server is dialled."""

import asyncio
import logging
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from pydantic import SecretStr
from telethon import TelegramClient
from telethon.crypto import rsa
from telethon.network import ConnectionTcpAbridged
from telethon.sessions import StringSession

from messengers.telegram import driver as make
from messengers.telegram.addresses import BadTelegram, Dc
from messengers.telegram.driver import DEFAULT_DC
from shapes.messenger_accounts import AccountState
from tests.support.waits import until
from tests.telegram.proxies import PASSWORD, USER, proxying
from tests.telegram.server.handshake import key
from tests.telegram.server.logins import API_HASH

A = AccountState


def settings(**changes) -> SimpleNamespace:
    session = {
        "telegram_api_id": 1,
        "telegram_api_hash": SecretStr(API_HASH),
        "telegram_dc": None,
        "telegram_dc_key": None,
    }
    return SimpleNamespace(**{**session, **changes})


async def test_the_settings_of_a_test_server_are_enough(telegram, live, ada, tmp_path):
    path = tmp_path / "dc.pem"
    path.write_text(key().pem)
    rsa._server_keys.pop(key().fingerprint, None)
    own = live()
    own.driver = make(settings(telegram_dc=telegram.dc(), telegram_dc_key=path))
    assert (own.driver.name, own.driver.idempotent) == ("telegram", True)
    connection = await own.start()
    await own.sink.reach(A.waitCode)
    await connection.code("12345")
    await own.sink.reach(A.working)
    await connection.close()
    await own.driver.close()


async def test_a_server_whose_key_is_not_trusted_is_not_spoken_to(telegram, driver, live, ada):
    rsa._server_keys.pop(key().fingerprint, None)
    own = live()
    await own.start()
    change = await own.sink.reach(A.reconnecting)
    assert change.code == "connection_lost"
    assert telegram.handshakes == 0


def test_settings_that_are_missing_are_named():
    with pytest.raises(BadTelegram, match="POSTERN_TELEGRAM_API_ID"):
        make(settings(telegram_api_id=None))
    with pytest.raises(BadTelegram, match="POSTERN_TELEGRAM_API_HASH"):
        make(settings(telegram_api_hash=None))


@pytest.mark.parametrize(
    "content", [None, "", "no key", "-----BEGIN RSA PUBLIC KEY-----\nAAAA\n-----END RSA PUBLIC KEY-----"]
)
def test_a_key_that_is_none_is_named(tmp_path, content):
    path = tmp_path / "dc.pem"
    if content is not None:
        path.write_text(content)
    with pytest.raises(BadTelegram, match=r"POSTERN_TELEGRAM_DC_KEY: dc\.pem"):
        make(settings(telegram_dc_key=path))


@pytest.mark.parametrize(
    ("text", "dc"),
    [("2@127.0.0.1:443", Dc(2, "127.0.0.1", 443)), ("3@[::1]:80", Dc(3, "::1", 80))],
    ids=["IPv4", "IPv6"],
)
def test_addresses(text, dc):
    assert Dc.parse(text) == dc


@pytest.mark.parametrize(
    "text", ["", "2", "2@", "2@host:443", "x@127.0.0.1:443", "2@127.0.0.1", "2@127.0.0.1:0", "0@127.0.0.1:1"]
)
def test_addresses_that_are_none(text):
    with pytest.raises(BadTelegram, match="POSTERN_TELEGRAM_DC"):
        Dc.parse(text)


def test_sessions_of_the_configured_data_center_go_to_the_configured_address(driver):
    old = StringSession()
    old.set_dc(2, "149.154.167.51", 443)
    old.auth_key = rsa_key = SimpleNamespace(key=b"k" * 256)
    session = driver.session(old.save())
    assert (session.server_address, session.port, session.auth_key.key) == (
        driver.dc.host,
        driver.dc.port,
        rsa_key.key,
    )
    assert driver.session("garbage").server_address == driver.dc.host
    assert driver.session(None).server_address == driver.dc.host


def test_without_a_test_server_telegram_itself_is_dialled():
    session = make(settings()).session(None)
    assert (session.dc_id, session.server_address, session.port) == DEFAULT_DC


async def test_nothing_but_the_configured_server_is_dialled(telegram, live, ada, bob, monkeypatch):
    """This holds through a login in another data center, a message, a lost connection and a restart."""
    dialled: set[tuple[str, int]] = set()
    real = asyncio.open_connection

    async def watched(host=None, port=None, **more):
        dialled.add((host, port))
        return await real(host, port, **more)

    monkeypatch.setattr(asyncio, "open_connection", watched)
    telegram.fail("SendCode", 303, "PHONE_MIGRATE_4")
    own = live()
    connection = await own.start()
    await own.sink.reach(A.waitCode)
    await connection.code("12345")
    await own.sink.reach(A.working)
    await connection.me()
    telegram.drop(ada)
    await until(lambda: A.reconnecting in own.sink.states)
    await own.sink.reach(A.working)
    await connection.close()
    await own.start()
    await until(lambda: own.sink.state == A.working)
    assert dialled == {("127.0.0.1", telegram.ports[2]), ("127.0.0.1", telegram.ports[4])}


# proxies


@pytest.mark.parametrize(
    "url", ["ftp://u:secret@host:1", "socks5://", "https://u:secret@127.0.0.1:1", "secret"]
)
async def test_a_proxy_that_is_none_ends_the_attempt(telegram, live, ada, url):
    own = live(proxy=url)
    await own.start()
    change = await own.sink.reach(A.failed)
    assert change.code == "proxy_invalid"
    assert "secret" not in change.reason
    assert telegram.dialled == 0


@pytest.mark.parametrize("kind", ["socks5", "http"])
async def test_an_account_goes_through_its_proxy(telegram, live, ada, bob, kind):
    async with proxying(kind) as through:
        own = live(proxy=f"{kind}://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{through.port}")
        connection = await own.start()
        await own.sink.reach(A.waitCode)
        await connection.code("12345")
        await own.sink.reach(A.working)
        assert through.reached == [("127.0.0.1", telegram.ports[2])]
        assert telegram.dialled == 1
        await connection.close()


@pytest.mark.parametrize("kind", ["socks5", "http"])
async def test_a_proxy_that_refuses_is_named_and_never_gone_around(telegram, live, ada, kind, caplog):
    caplog.set_level(logging.DEBUG)
    async with proxying(kind) as through:
        own = live(proxy=f"{kind}://{USER}:wrong-secret@127.0.0.1:{through.port}")
        await own.start()
        change = await own.sink.reach(A.reconnecting)
        assert change.code == "proxy_failed"
        assert "wrong-secret" not in change.reason + caplog.text
        await until(lambda: through.refused >= 2)
        assert telegram.dialled == 0


async def test_a_proxy_that_is_away(telegram, live, ada):
    own = live(proxy="socks5://127.0.0.1:1")
    await own.start()
    change = await own.sink.reach(A.reconnecting)
    assert change.code == "proxy_failed"
    assert telegram.dialled == 0


# the server that the tests stand on


async def test_the_server_speaks_the_abridged_transport_too(telegram, ada):
    session = StringSession()
    session.set_dc(2, "127.0.0.1", telegram.ports[2])
    client = TelegramClient(session, 1, API_HASH, connection=ConnectionTcpAbridged)
    await client.connect()
    sent = await client.send_code_request(ada.phone)
    user = await client.sign_in(ada.phone, "12345", phone_code_hash=sent.phone_code_hash)
    assert user.id == ada.id
    await client.disconnect()


async def test_a_phone_that_is_logged_in_accepts_a_qr(telegram, live, enter, ada):
    """auth.acceptLoginToken, as the app does it."""
    from telethon.tl import functions

    from tests.telegram.server.logins import token

    _, phone = await enter()
    own = live(None)
    await own.start()
    shown = await own.sink.reach(A.waitQr)
    await phone._client(functions.auth.AcceptLoginTokenRequest(token(shown.value)))
    await own.sink.reach(A.working)
    assert len(telegram.of(ada)) == 2
