"""A link's life: bound, lost, bound again, closed."""

import asyncio
import socket
from typing import cast

import pytest
from smpplib import command

from channels import connect
from channels.port import Receipt, Result
from channels.smpp import connection
from tests.channels.peer import Scenario
from tests.channels.peer_smpp import HEADER, Smsc
from tests.channels.smpp.rig import Rig, receipt, rigged
from tests.support.tcp import hang_up, serving
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.servers


@pytest.mark.parametrize(
    ("status", "result", "code"),
    [
        (0x0E, Result.misconfigured, "bad_credentials"),
        (0x0F, Result.misconfigured, "bad_credentials"),
        (0x0D, Result.misconfigured, "bad_credentials"),
        (0x53, Result.misconfigured, "bad_credentials"),
        (0x66, Result.misconfigured, "bad_credentials"),
        (0x05, Result.transient, "already_bound"),
        (0x08, Result.transient, "provider_error"),
        (0x58, Result.transient, "throttled"),
        (0x423, Result.transient, "provider_error"),
    ],
)
async def test_bind_refused(smsc: Smsc, status: int, result: Result, code: str) -> None:
    smsc.bind_status = status
    async with rigged(smsc) as rig:
        outcome = await rig.send()
        assert (outcome.result, outcome.code) == (result, code)
        assert f"{status:02X}" in outcome.reason
        smsc.bind_status = 0
        await rig.sent_until(Result.sent)


async def test_wrong_password_is_tried_seldom(smsc: Smsc) -> None:
    dsn = smsc.options("reconnect_max=600").replace("p4ss", "wr0ng")
    async with rigged(smsc, dsn=dsn) as rig:
        await asyncio.sleep(0.3)
        outcomes = [await rig.send() for _ in range(3)]
        assert {outcome.result for outcome in outcomes} == {Result.misconfigured}
        assert len(smsc.binds) == 1
        assert "wr0ng" not in repr(outcomes) + repr(rig.channel._login)


async def test_nobody_there(smsc: Smsc) -> None:
    await smsc.stop()
    async with rigged(smsc, f"reconnect_min=600&reconnect_max=900&timeout={2 * PATIENCE:g}") as rig:
        outcome = await asyncio.wait_for(rig.send(), PATIENCE)  # the next attempt is far: told at once
        assert (outcome.result, outcome.code) == (Result.transient, "unreachable")
        assert 300 - PATIENCE <= outcome.retry_after <= 600


@pytest.mark.parametrize("host", ["host.invalid", "h" * 64])
async def test_unknown_host(smsc: Smsc, host: str) -> None:
    async with rigged(smsc, dsn=f"smpp://a:b@{host}?timeout=1&reconnect_max=0.5") as rig:
        assert (await rig.send()).result is Result.transient


@pytest.mark.parametrize("tls", [0, 1])
async def test_accepts_and_says_nothing(smsc: Smsc, tls: int) -> None:
    """Neither a TLS handshake nor an answer to the bind."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        dsn = f"smpp://a:b@127.0.0.1:{server.getsockname()[1]}?timeout=0.2&reconnect_max=0.5&tls={tls}"
        async with rigged(smsc, dsn=dsn) as rig:
            outcome = await rig.send()
            assert (outcome.result, outcome.code) == (Result.transient, "bind_timeout")


async def test_connection_closed_before_the_bind_is_answered(smsc: Smsc) -> None:
    async with (
        serving(hang_up) as port,
        rigged(smsc, dsn=f"smpp://a:b@127.0.0.1:{port}?timeout=30&reconnect_max=0.5") as rig,
    ):
        assert (await rig.send()).code == "unreachable"


async def test_reconnects_when_the_smsc_comes_back(smsc: Smsc) -> None:
    async with rigged(smsc) as rig:
        assert (await rig.send()).result is Result.sent
        await smsc.stop()
        await rig.sent_until(Result.transient)
        await smsc.start()
        await rig.sent_until(Result.sent)
        assert await smsc.bound().deliver(receipt(), esm_class=4) == 0
        assert len(rig.events) == 1


async def test_back_off_grows_and_is_bounded(smsc: Smsc) -> None:
    smsc.bind_status = 0x08
    loop = asyncio.get_running_loop()
    begun = loop.time()
    async with rigged(smsc, "reconnect_min=0.02&reconnect_max=0.08"):
        await until(lambda: len(smsc.binds) >= 16)  # unbounded the pauses would be five minutes by now
        assert loop.time() - begun > 0.5  # and a quarter of a second if they did not grow


async def test_half_open_peer_is_noticed(smsc: Smsc) -> None:
    async with rigged(smsc, "enquire_link=0.1&timeout=2") as rig:
        await until(lambda: smsc.commands.count("enquire_link") >= 2)
        assert len(smsc.binds) == 1
        smsc.deaf = True
        await until(lambda: len(smsc.binds) >= 2)
        smsc.deaf = False
        await rig.sent_until(Result.sent)


async def test_answer_that_does_not_come_raises_doubt(smsc: Smsc) -> None:
    async with rigged(smsc, "timeout=1&enquire_link=600") as rig:
        smsc.deaf = True
        smsc.statuses.append(None)
        assert (await rig.send()).code == "timeout"
        await until(lambda: len(smsc.binds) >= 2)  # at once, not after ten minutes of silence
        await rig.sent_until(Result.sent)


async def test_smsc_asks_whether_we_are_there(rig: Rig) -> None:
    session = rig.smsc.bound()
    assert await session.request(command.EnquireLink("enquire_link", client=session.numbers)) == 0


async def test_smsc_unbinds_us(smsc: Smsc) -> None:
    async with rigged(smsc, "timeout=1") as rig:
        session = smsc.bound()
        assert await session.request(command.Unbind("unbind", client=session.numbers)) == 0
        await rig.sent_until(Result.sent)
        assert len(smsc.binds) == 2


async def test_command_that_we_do_not_know(rig: Rig) -> None:
    session = rig.smsc.bound()
    assert await session.request(command.QuerySM("query_sm", client=session.numbers, message_id="1")) == 0x03
    assert rig.smsc.commands[-1] == "generic_nack"


async def test_two_connections(smsc: Smsc) -> None:
    async with rigged(smsc, "bind=tx+rx") as rig:
        assert sorted(bind.command for bind in smsc.binds) == ["bind_receiver", "bind_transmitter"]
        assert (await rig.send()).result is Result.sent
        assert await smsc.bound("bind_receiver").deliver(receipt(), esm_class=4) == 0
        assert rig.events == [Receipt("m_0001", Result.delivered)]


async def test_transmitter_asks_for_no_receipts(smsc: Smsc) -> None:
    async with rigged(smsc, "bind=tx") as rig:
        assert (await rig.send()).result is Result.sent
    assert smsc.submitted[0].registered_delivery == 0


async def test_connection_lost_while_messages_wait(smsc: Smsc) -> None:
    async with rigged(smsc, "window=1") as rig:
        smsc.statuses.append(None)
        sends = [asyncio.create_task(rig.send()) for _ in range(2)]
        await until(lambda: smsc.submitted)
        smsc.bound().reset()
        first, second = await asyncio.gather(*sends)
        assert (first.result, first.code) == (Result.unknown, "connection_lost")
        assert (second.result, second.code) == (Result.transient, "connection_lost")
        assert len(smsc.submitted) == 1


async def test_close_waits_for_answers(smsc: Smsc) -> None:
    async with rigged(smsc) as rig:
        smsc.statuses.append(None)
        send = asyncio.create_task(rig.send())
        await until(lambda: smsc.submitted)
        session = smsc.bound()
        rig.gate.clear()
        deliver = asyncio.create_task(session.deliver(receipt(), esm_class=4))
        await asyncio.sleep(0.05)
        close = asyncio.create_task(rig.channel.close())
        await asyncio.sleep(0.05)
        rig.gate.set()
        assert await deliver == 0
        session.respond(smsc.submitted[0], message_id="late")
        assert (await send).provider_message_id == "late"
        await close
        assert smsc.commands[-1] == "unbind"
        assert (await rig.send()).code == "closed"


async def test_close_while_binding(smsc: Smsc) -> None:
    smsc.script(Scenario.hang_before)
    channel = connect("sms", smsc.options("timeout=600"))
    opening = asyncio.create_task(channel.open(Rig(smsc, channel).sink))  # type: ignore[arg-type]
    await until(lambda: smsc.binds)
    await asyncio.wait_for(channel.close(), PATIENCE)
    await opening


async def test_sink_that_never_returns_does_not_hold_up_close(smsc: Smsc) -> None:
    async with rigged(smsc, "timeout=1") as rig:
        rig.gate.clear()
        delivers = []
        for n in range(2):  # one in the sink, one behind it
            delivers.append(asyncio.create_task(smsc.bound().deliver(receipt(f"m{n}"), esm_class=4)))
            await asyncio.sleep(0.05)
        await asyncio.wait_for(rig.channel.close(), PATIENCE)
        for deliver in delivers:
            deliver.cancel()
        rig.gate.set()
        assert not rig.events


async def test_smsc_that_does_not_read_is_dropped(smsc: Smsc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_UNREAD", 1 << 14)
    async with rigged(smsc) as rig:
        session = smsc.bound()
        assert rig.channel._sessions is not None
        [binding] = rig.channel._sessions.all
        assert binding._link is not None
        ours, theirs = binding._link._connection._socket, session.writer
        assert ours is not None
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 12)
        theirs.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
        cast("asyncio.Transport", theirs.transport).pause_reading()
        async with asyncio.timeout(30):
            while len(smsc.binds) == 1:
                if not theirs.is_closing():
                    theirs.write(HEADER.pack(16, 0x15, 0, 1) * 256)
                await asyncio.sleep(0.001)
        await rig.sent_until(Result.sent)
