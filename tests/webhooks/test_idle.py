"""While there is no webhook, no deliverer looks for events."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from core.tasks import end
from engine.webhooks import deliverer
from tests.support.rounds import run_round
from tests.support.waits import until
from tests.webhooks.receiver import Receiver
from tests.webhooks.world import World


@pytest.fixture
async def round_of_worker(world: World) -> AsyncIterator[None]:
    """The round that runs the deliverer, as in a worker."""
    task = asyncio.create_task(deliverer.deliver(world.services))
    yield
    await end((task,))


async def test_the_first_webhook_starts_it(world: World, receiver: Receiver, round_of_worker: None) -> None:
    await run_round(world.services, "start_deliverer")
    await asyncio.sleep(0.1)
    assert deliverer._running(world.services).deliverer is None
    await world.hook(receiver.url)
    await world.say("hello")
    await asyncio.sleep(0.1)
    assert not receiver.calls
    await run_round(world.services, "start_deliverer")
    await until(lambda: receiver.calls)


async def test_an_event_starts_it_at_once(world: World, receiver: Receiver, round_of_worker: None) -> None:
    """Its job comes before the next look for webhooks."""
    await world.hook(receiver.url)
    await world.say("hello")
    await deliverer.woken(world.services, world.account)
    await until(lambda: receiver.calls)
