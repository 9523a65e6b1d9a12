"""Sessions of WhatsApp accounts under the real host and its real sink: what a stop keeps, and what a crash must not."""

from types import SimpleNamespace

import pytest

from tests.support.hosts import becomes, clear
from tests.support.messengers import ok
from tests.support.waits import until
from tests.whatsapp.hosted import Hosted


@pytest.fixture
def hosted(services, rig, tmp_path):
    return Hosted(services, rig, tmp_path)


async def test_an_account_that_is_stopped_goes_on_with_the_counters_that_it_had(ada, hosted, rig):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        peer = await rig.peer(SimpleNamespace(id=hosted.id))
        await hosted.send(peer, 5)
        await hosted.off()
        assert await hosted.steps() == 5
        await hosted.on()
        await hosted.send(peer, 1)
        assert hosted.live_steps == 6


async def test_a_worker_that_is_stopped_leaves_the_counters_to_the_next(ada, hosted, rig):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        peer = await rig.peer(SimpleNamespace(id=hosted.id))
        await hosted.send(peer, 5)
    assert await hosted.steps() == 5
    async with hosted.in_host():
        await until(lambda: hosted.id in hosted.host.runners and hosted.works)
        await hosted.send(peer, 1)
        assert hosted.live_steps == 6


async def test_after_a_crash_no_counter_is_used_twice(ada, hosted, rig):
    """A killed process has stored less than it had sent, so the next one makes new Signal sessions."""
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        peer = await rig.peer(SimpleNamespace(id=hosted.id))
        await hosted.send(peer, 5)
        await hosted.off()
        await hosted.on()
        await until(lambda: hosted.works)
        stored = await hosted.stored()
        assert await hosted.steps(stored.replace("wa1:", "wa2:", 1)) == 5
        await hosted.send(peer, 3)
        await hosted.off()
        # As if it had been killed after the three: what it kept when it began to work is all that is there.
        sealed = hosted.services.vault.seal(stored, f"messenger_accounts.session:{hosted.id}")
        await hosted.services.db.fetch(
            "UPDATE messenger_accounts SET session_encrypted = $2 WHERE id = $1", hosted.id, sealed
        )
        assert await hosted.steps() is None
        await hosted.on()
        await hosted.send(peer, 1)
        assert hosted.live_steps == 1


async def test_a_session_that_is_cleared_does_not_come_back(ada, hosted, rig):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        peer = await rig.peer(SimpleNamespace(id=hosted.id))
        await hosted.send(peer, 2)
        await clear(hosted.services, hosted.id)
        await until(lambda: hosted.id not in hosted.host.runners)
        assert await hosted.stored() is None


@pytest.mark.leaves_events
async def test_a_worker_that_lost_its_account_writes_no_session(ada, hosted, rig):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        peer = await rig.peer(SimpleNamespace(id=hosted.id))
        await hosted.send(peer, 2)
        before = await hosted.stored()
        hosted.live.abandon()
        await until(lambda: hosted.id not in hosted.host.runners)
        assert await hosted.stored() == before


async def test_a_takeover_that_is_configured_while_connected_holds(ada, hosted, rig):
    async with hosted.in_host():
        await hosted.log_in(ada.id)
        await ok(ada, "setConfig", "ada", source="whatsapp", config={"takeover": True})
        before = hosted.live.connection
        [wire] = rig.messenger.live(rig._device(SimpleNamespace(id=hosted.id)))
        rig.messenger.event(wire, "StreamReplaced", {}, end=True)
        await until(lambda: hosted.live.connection not in (None, before))
        await becomes(hosted.services, hosted.id, "working")
