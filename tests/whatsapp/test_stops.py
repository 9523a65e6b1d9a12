"""A stop in the middle of a burst of texts: all of them are stored, in order, and none has to be sent again."""

import asyncio
import os
import signal
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from engine.messengers import account_runner, account_writer
from messengers.whatsapp import lifecycle
from messengers.whatsapp.folder import CACHE
from messengers.whatsapp.journal import lasting_events
from messengers.whatsapp.process import Bounds
from tests.messenger_hosts.farm import Farm
from tests.support.hosts import becomes
from tests.support.waits import PATIENCE, until
from tests.whatsapp.conftest import gone
from tests.whatsapp.hosted import Hosted

COUNT = 800
TEXTS = [f"text {number}" for number in range(COUNT)]


@pytest.fixture(autouse=True)
def stops_take_their_time(rig, monkeypatch):
    """A machine that has other things to do stores less in the time that an account has for its stop."""
    monkeypatch.setattr(account_runner, "_CLOSE_BOUND", PATIENCE)
    monkeypatch.setattr(lifecycle, "_SAVE_AT_END", PATIENCE)
    rig.driver._bounds = Bounds(stop=PATIENCE)


@pytest.fixture
async def burst(ada, services, rig, tmp_path):
    """Starts a burst in an account that works. Half of the texts come at once, the others while the account stops."""
    hosted = Hosted(services, rig, tmp_path)

    async def write(peer):
        for text in TEXTS[: COUNT // 2]:
            await peer.write(text)
        await until(hosted.texts)

        async def others():
            for text in TEXTS[COUNT // 2 :]:
                await peer.write(text)
                await asyncio.sleep(0.001)

        return asyncio.create_task(others())

    async def begin():
        await hosted.log_in(ada.id)
        return await write(await rig.peer(SimpleNamespace(id=hosted.id)))

    hosted.write, hosted.burst = write, begin
    return hosted


@pytest.fixture
async def farm(services, tmp_path):
    """Worker processes. Their children use the stand-in."""
    made = Farm(services, tmp_path)
    yield made
    await made.close()


async def all_stored(hosted, rig, *, retries=False, expected=TEXTS):
    """Waits while texts come in. They are complete and in order, and without `retries` none was requested again."""
    texts = await hosted.texts()
    while len(texts) < len(expected):
        try:
            await until(lambda before=len(texts): _more_than(hosted, before))
        except TimeoutError:
            break
        texts = await hosted.texts()
    missing = [number for number, text in enumerate(expected) if text not in set(texts)]
    assert missing == []
    assert texts == expected
    assert retries or rig.messenger.retries == 0


async def _more_than(hosted, count):
    return len(await hosted.texts()) > count


async def test_an_account_that_is_stopped_and_started_has_every_text(burst, rig):
    async with burst.in_host():
        others = await burst.burst()
        await burst.off()
        await others
        assert len(await burst.texts()) < COUNT
        await burst.on()
        await all_stored(burst, rig)


async def test_a_worker_that_is_stopped_leaves_no_text_behind(burst, rig):
    async with burst.in_host():
        others = await burst.burst()
    await others
    assert len(await burst.texts()) < COUNT
    async with burst.in_host():
        await all_stored(burst, rig)


async def test_a_worker_process_that_is_stopped_leaves_no_text_behind(burst, rig, farm, tmp_path, ada):
    module = ["tests.whatsapp.worker", str(rig.messenger.port), str(tmp_path / "theirs")]
    (tmp_path / "theirs").mkdir()
    async with burst.in_host():
        await burst.log_in(ada.id)
    peer = await rig.peer(SimpleNamespace(id=burst.id))
    first = await farm.worker(module=module)
    # The row says that it works since before this worker.
    await until(lambda: rig.messenger.live(rig._device(SimpleNamespace(id=burst.id))))
    await becomes(burst.services, burst.id, "working")
    others = await burst.write(peer)
    first.process.send_signal(signal.SIGTERM)
    await first.process.ended()
    await others
    assert len(await burst.texts()) < COUNT
    await farm.worker(module=module)
    await all_stored(burst, rig)


@pytest.mark.parametrize("how", ["off and on", "another worker"])
async def test_a_stop_that_is_too_slow_for_its_events_asks_no_sender_again(burst, rig, monkeypatch, how):
    """The session is stored first, with what is not stored yet: a database that is slow costs no Signal session."""
    write = account_writer.AccountWriter.write_events
    slow = asyncio.Event()

    async def slowly(self, *arguments):
        if slow.is_set():
            await asyncio.sleep(1.0)
        await write(self, *arguments)

    monkeypatch.setattr(account_writer.AccountWriter, "write_events", slowly)
    rig.driver._bounds = Bounds(stop=3.0)
    async with burst.in_host():
        others = await burst.burst()
        slow.set()
        if how == "off and on":
            await burst.off()
            assert len(await burst.texts()) < COUNT
            slow.clear()
            await others
            await burst.on()
            await all_stored(burst, rig)
    if how == "another worker":
        slow.clear()
        await others
        assert len(await burst.texts()) < COUNT
        async with burst.in_host():
            await all_stored(burst, rig)


ACKNOWLEDGED = TEXTS[:300]  # more than the driver takes at once


@asynccontextmanager
async def nothing_is_stored(hosted, rig, base):
    """Locks the account's row, and ends when the child has journaled all texts: the library has acknowledged them."""
    peer = await rig.peer(SimpleNamespace(id=hosted.id))
    async with hosted.services.db.transaction() as db:
        await db.execute("SELECT FROM messenger_accounts WHERE id = $1 FOR UPDATE", hosted.id)
        for text in ACKNOWLEDGED:
            await peer.write(text)
        device = rig._device(SimpleNamespace(id=hosted.id))
        await until(lambda: not rig.messenger.undelivered[device])
        [cache] = base.glob(f"postern-whatsapp-*/{hosted.id}-*/{CACHE}")
        await until(lambda: len(lasting_events(cache)) == len(ACKNOWLEDGED), 0.2)
        yield


@pytest.mark.leaves_events
@pytest.mark.parametrize("end", ["kill the child", "lose the account", "stop for too short a time"])
async def test_what_the_library_acknowledged_is_left_to_the_next_connection(burst, rig, ada, tmp_path, end):
    if end == "stop for too short a time":
        rig.driver._bounds = Bounds(stop=0.0)
    async with burst.in_host():
        await burst.log_in(ada.id)
        async with nothing_is_stored(burst, rig, tmp_path):
            pid = burst.live.connection._child.process.pid
            if end == "kill the child":
                os.kill(pid, signal.SIGKILL)
            elif end == "lose the account":
                burst.live.abandon()
            else:
                burst.live.leave()
                await until(lambda: gone(pid))
        rig.driver._bounds = Bounds(stop=PATIENCE)
        await all_stored(burst, rig, retries=True, expected=ACKNOWLEDGED)


async def test_what_the_library_acknowledged_is_left_to_the_next_worker_on_the_machine(
    burst, rig, farm, tmp_path, ada
):
    base = tmp_path / "theirs"
    base.mkdir()
    module = ["tests.whatsapp.worker", str(rig.messenger.port), str(base)]
    async with burst.in_host():
        await burst.log_in(ada.id)
    first = await farm.worker(module=module)
    # The row says that it works since before this worker.
    await until(lambda: rig.messenger.live(rig._device(SimpleNamespace(id=burst.id))))
    await becomes(burst.services, burst.id, "working")
    async with nothing_is_stored(burst, rig, base):
        first.process.send_signal(signal.SIGKILL)
        await first.process.ended()
    await farm.worker(module=module)
    await all_stored(burst, rig, retries=True, expected=ACKNOWLEDGED)
    assert not list(base.glob("*/*/left.db"))
