"""Calls to a host that dies or stands still before it has answered."""

import asyncio
import os
import signal

import pytest

from core.errors import (
    Unavailable,
    UpstreamTimeout,
)
from core.ids import uuid7
from engine.messengers import call_client
from tests.messenger_hosts.farm import Farm
from tests.support.waits import PATIENCE, freeze

pytestmark = pytest.mark.rotating


@pytest.mark.alone
async def test_the_holder_dies_with_a_call_in_its_hands(farm: Farm, ada):
    logging_in = await farm.worker()
    (id,) = await farm.accounts(ada.id, 1)
    await farm.all_work([id], logging_in)
    logging_in.stop()
    assert await logging_in.process.ended() == 0
    worker = await farm.worker(POSTERN_SANDBOX_MOMENT="60")
    await farm.all_work([id], worker)
    silent = {
        "item": str(uuid7()),
        "to": "+15005550071",
        "text": "hi",
    }  # taken, and not answered for two minutes
    async with farm.services.store.client.monitor() as monitor:
        sending = asyncio.create_task(call_client.ask(farm.services, id, "send", silent, seconds=100))
        async for command in monitor.listen():
            if command["command"].startswith("GETDEL messengers:call:"):  # the worker has it
                break
    os.kill(worker.pid, signal.SIGKILL)
    await worker.process.ended()
    await farm.expire(worker)
    with pytest.raises(UpstreamTimeout) as uncertain:
        await asyncio.wait_for(sending, PATIENCE)
    assert uncertain.value.code == "uncertain"


@pytest.mark.alone
async def test_a_call_that_a_frozen_holder_has_not_taken_is_never_done(farm: Farm, ada):
    worker = await farm.worker()
    (id,) = await farm.accounts(ada.id, 1)
    await farm.all_work([id], worker)
    freeze(worker.pid)
    arguments = {"item": str(uuid7()), "to": "+15005550001", "text": "hi"}
    with pytest.raises(Unavailable) as away:
        await call_client.ask(farm.services, id, "send", arguments, seconds=1)
    assert away.value.code == "messenger_unavailable"
    os.kill(worker.pid, signal.SIGCONT)
    answer = await call_client.ask(
        farm.services, id, "send", {**arguments, "item": str(uuid7()), "text": "again"}
    )
    assert answer["provider_id"]
    assert len(await farm.services.store.client.keys("messengers:answer:*")) == 1
