"""A stop in the middle of a burst of texts: all of them are stored, in order, and none has to be sent again."""

import asyncio
import signal
from contextlib import suppress
from types import SimpleNamespace

import pytest

from tests.messenger_hosts.farm import Farm
from tests.support.hosts import becomes
from tests.support.waits import until
from tests.whatsapp.hosted import Hosted

COUNT = 800
TEXTS = [f"text {number}" for number in range(COUNT)]


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


async def all_stored(hosted, rig):
    with suppress(TimeoutError):  # the counts say more
        await until(lambda: _as_many(hosted))
    texts = await hosted.texts()
    assert (len(texts), rig.messenger.retries) == (COUNT, 0)
    assert texts == TEXTS


async def _as_many(hosted):
    return len(await hosted.texts()) >= COUNT


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


@pytest.mark.parametrize("number", [signal.SIGTERM])
async def test_a_worker_process_that_ends_leaves_no_text_behind(burst, rig, farm, tmp_path, ada, number):
    module = ["tests.whatsapp.worker", str(rig.messenger.port), str(tmp_path / "theirs")]
    (tmp_path / "theirs").mkdir()
    async with burst.in_host():
        await burst.log_in(ada.id)
    peer = await rig.peer(SimpleNamespace(id=burst.id))
    first = await farm.worker(module=module)
    await becomes(burst.services, burst.id, "working")
    others = await burst.write(peer)
    first.process.send_signal(number)
    await first.process.ended()
    await others
    assert len(await burst.texts()) < COUNT
    await farm.worker(module=module)
    await all_stored(burst, rig)
