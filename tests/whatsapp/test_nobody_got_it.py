"""A message that no device can read is no success, and a bug of the driver is a failed call with a traceback."""

from uuid import uuid4

import pytest

from messengers.port import Broken, Outgoing, Refused, Uncertain
from messengers.whatsapp import connection as connections
from messengers.whatsapp import lifecycle
from shapes.messenger_accounts import AccountState
from tests.whatsapp.exchange import Peer

pytestmark = pytest.mark.servers

S = AccountState


def text(to):
    return Outgoing(uuid4(), to, "hello")


async def test_a_message_that_no_device_can_read_is_refused(rig, new_account):
    live = await new_account()
    peers = [Peer(rig.messenger, rig.phones[live.account.id]) for _ in range(3)]
    gone, keyless, well = peers
    rig.messenger.linked[gone.number] = []
    rig.messenger.keyless.add(keyless.number)
    for peer in (gone, keyless):
        with pytest.raises(Refused) as refused:
            await live.connection.send(text(peer.to))
        assert refused.value.code == "no_device"
    assert rig.messenger.tried == [keyless.number]  # to who has no device nothing is sent
    rig.messenger.linked[well.number] = [0, 12]
    await live.connection.send(text(well.to))
    assert rig.messenger.tried == [keyless.number, well.number]


async def test_one_device_that_can_read_it_is_enough(rig, new_account):
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id], hidden=True)
    await live.connection.send(text(peer.to))
    assert rig.messenger.tried == [peer.number]


@pytest.mark.parametrize(("call", "kind"), [("send", "send"), ("person", "person"), ("probe", "probe")])
async def test_a_bug_of_the_driver_is_a_failed_call_with_a_traceback(
    rig, new_account, monkeypatch, call, kind
):
    logged = []
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id])
    monkeypatch.setattr(connections.log, "error", lambda event, **more: logged.append((event, more)))
    rig.messenger.bugs.add({"send": "devices", "person": "users", "probe": "blocklist"}[kind])
    with pytest.raises(Broken) as broken:
        if call == "send":
            await live.connection.send(text(peer.to))
        elif call == "person":
            await live.connection.person(peer.to)
        else:
            await live.connection.probe()
    assert broken.value.code == "driver_failed"
    [(event, more)] = logged
    assert (event, more["call"]) == ("the WhatsApp driver failed", call)
    assert "Traceback" in more["trace"] and "TypeError" in more["trace"] and "client.py" in more["trace"]
    assert peer.number not in more["trace"]
    rig.messenger.bugs.clear()
    await live.connection.send(text(peer.to))


async def test_a_bug_after_the_message_had_an_id_leaves_its_result_open(rig, new_account):
    live = await new_account()
    peer = Peer(rig.messenger, rig.phones[live.account.id])
    rig.messenger.bugs.add("send")
    with pytest.raises(Uncertain):
        await live.connection.send(text(peer.to))


async def test_a_bug_while_connecting_ends_the_account_with_a_traceback(rig, new_account, monkeypatch):
    logged = []
    monkeypatch.setattr(lifecycle.log, "error", lambda event, **more: logged.append((event, more)))
    command = (*rig.driver._command, "cannot connect")
    live = await new_account(start=False, command=command)
    await live.connection.start()
    await live.came_to(S.failed, "driver_broken")
    assert S.reconnecting not in live.told.states
    [(_, more)] = logged
    assert "TypeError" in more["trace"]
