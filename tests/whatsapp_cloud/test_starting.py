"""Tests how an account of the driver starts, and through what; Meta's API is on loopback."""

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from core.outbound import Guard
from messengers.port import (
    Uncertain,
    WrongStep,
)
from messengers.whatsapp_cloud import CloudConnection, CloudDriver, graph
from shapes.messenger_accounts import AccountState
from tests.channels.http_stub import Reply, Wire
from tests.proxies.servers import connect, socks5
from tests.support.tls import self_signed, server_side
from tests.support.waits import until
from tests.whatsapp_cloud.lives import PICTURE, Told, of, text, working
from tests.whatsapp_cloud.meta import Meta, Number, error

# starting


async def test_the_number_is_asked_for(live: CloudConnection, recorder: Told, number: Number) -> None:
    assert recorder.states == [AccountState.working]
    me = recorder.changes[0].me
    assert me is not None
    assert (me.id, me.phone, me.first_name) == (number.id, f"+{number.phone}", "Lucky Shrub")
    assert await live.me() == me
    assert await live.probe()
    assert await live.history("x", 10) == []


@pytest.mark.parametrize(
    ("refused", "state", "code"),
    [
        ((401, 190), AccountState.failed, "credentials_refused"),
        ((401, 0), AccountState.failed, "credentials_refused"),
        ((403, 10), AccountState.failed, "permission_missing"),
        ((403, 200), AccountState.failed, "permission_missing"),
        ((403, 131005), AccountState.failed, "permission_missing"),
        ((400, 33), AccountState.failed, "number_not_found"),
        ((400, 133010), AccountState.failed, "number_not_registered"),
        ((403, 131031), AccountState.blocked, "banned"),
        ((403, 368), AccountState.blocked, "banned"),
        ((400, 100), AccountState.failed, "rejected"),
    ],
    ids=range(10),
)
async def test_what_ends_an_account(
    driver: CloudDriver,
    number: Number,
    recorder: Told,
    refused: tuple[int, int],
    state: AccountState,
    code: str,
) -> None:
    number.refused = refused
    made = driver.connect(of(number), recorder)
    await made.start()
    await until(lambda: recorder.changes)
    change = recorder.changes[0]
    assert (change.state, change.code) == (state, code)
    assert change.reason
    assert number.token not in change.reason
    await made.close()
    assert len(recorder.changes) == 1


async def test_a_number_of_somebody_else(driver: CloudDriver, meta: Meta, recorder: Told) -> None:
    mine, other = meta.number(), meta.number()
    made = driver.connect(of(mine, credentials={**mine.credentials, "phoneNumberId": other.id}), recorder)
    await made.start()
    await until(lambda: recorder.changes)
    assert (recorder.states, recorder.changes[0].code) == ([AccountState.failed], "number_not_found")
    await made.close()


@pytest.mark.parametrize("credentials", [{}, {"phoneNumberId": "../me"}], ids=range(2))
async def test_no_credentials(driver: CloudDriver, number: Number, recorder: Told, credentials: Any) -> None:
    made = driver.connect(
        of(number, credentials={**(credentials and number.credentials), **credentials}), recorder
    )
    await made.start()
    assert (recorder.states, recorder.changes[0].code) == ([AccountState.failed], "credentials_missing")
    with pytest.raises(WrongStep):
        await made.send(text())
    await made.close()


async def test_meta_is_away_and_comes_back(
    driver: CloudDriver, meta: Meta, number: Number, recorder: Told
) -> None:
    answers = iter(
        [Wire.reset, error(500, 2), error(503, 131016), Reply(502, b"<html>"), Reply(200, b"nonsense")]
    )
    right = meta.answer
    meta.stub.answer = lambda seen: next(answers, None) or right(seen)
    made = await working(driver, number, recorder)
    assert set(recorder.states[:-1]) == {AccountState.reconnecting}
    assert len(recorder.states) == 6
    await made.close()


async def test_too_many_calls_while_starting(
    driver: CloudDriver, meta: Meta, number: Number, recorder: Told
) -> None:
    meta.stub.answer = lambda seen: error(400, 80007, retry_after="3600")
    made = driver.connect(of(number), recorder)
    await made.start()
    await until(lambda: recorder.changes)
    assert recorder.changes[0].state is AccountState.reconnecting
    assert recorder.changes[0].until is not None
    assert recorder.changes[0].until > datetime.now(UTC) + timedelta(minutes=50)
    await made.close()


async def test_an_account_that_is_lost(driver: CloudDriver, number: Number, recorder: Told) -> None:
    recorder.lost = True
    made = driver.connect(of(number), recorder)
    await made.start()
    await until(lambda: made._client is None)
    with pytest.raises(WrongStep):
        await made.send(text())
    assert not number.taken


# through a proxy


@pytest.mark.parametrize("serving", [socks5, connect], ids=["socks5", "http"])
async def test_an_account_behind_a_proxy(
    recorder: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serving: Any
) -> None:
    """The proxy is asked for Meta's name; TLS is Meta's, from end to end."""
    certificate = self_signed(tmp_path, "graph.example")
    tls = server_side(certificate)
    trust = Guard(["127.0.0.1"], tls=ssl.create_default_context(cafile=certificate))
    monkeypatch.setattr(graph.outbound, "shared", lambda: trust)
    driver = CloudDriver("https://graph.example/v23.0", pauses=(0.05,))
    async with (
        Meta(tls) as meta,
        serving(
            user="u", password="secret", leads=lambda host, port: ("127.0.0.1", meta.stub.port)
        ) as server,
    ):
        number = meta.number()
        scheme = "socks5" if serving is socks5 else "http"
        live = await working(driver, number, recorder, proxy=f"{scheme}://u:secret@127.0.0.1:{server.port}")
        await live.send(text())
        await live.send(text("x", media=[PICTURE]))
        meta.after["16505551234"] = Wire.reset
        with pytest.raises(Uncertain):  # a tunnel was made and used: what left is not forgotten
            await live.send(text())
        del meta.after["16505551234"]
        assert set(server.asked) == {("graph.example", 443)}
        assert server.logins[0] == ("u", "secret")
        assert server.connections == 1  # kept alive until it broke
        await live.close()
        assert set(driver.graph._pools) == set()  # a proxy's pool goes with its last account
        recorder.changes.clear()
        other = driver.connect(of(number, proxy=f"{scheme}://u:wrong@127.0.0.1:{server.port}"), recorder)
        await other.start()
        await until(lambda: recorder.changes)
        assert (recorder.states[0], recorder.changes[0].code) == (AccountState.reconnecting, "proxy_failed")
        assert "secret" not in str(recorder.changes)
        await other.close()
        assert len(number.taken) == 3
    await driver.close()


async def test_accounts_share_one_pool(driver: CloudDriver, meta: Meta) -> None:
    lives = [await working(driver, meta.number(), Told()) for _ in range(5)]
    assert len(driver.graph._pools) == 1
    for connection in lives:
        await asyncio.gather(connection.close(), connection.close())
    assert driver.graph._pools[None][1] == 0
    again = await working(driver, meta.number(), Told())
    assert (await again.send(text())).provider_id
    await again.close()
