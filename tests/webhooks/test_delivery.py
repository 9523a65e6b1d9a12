"""Events on their way to receivers that behave."""

import asyncio
from typing import Any

import pytest
from standardwebhooks import Webhook

from engine.webhooks import claim_queries, deliverer
from engine.webhooks.outbox import OutboxEvent
from tests.support.waits import PATIENCE
from tests.webhooks.receiver import Receiver
from tests.webhooks.world import SECRET, World, threads


async def test_an_event_arrives_signed_in_the_vendors_shape(world: World, receiver: Receiver) -> None:
    await world.hook(receiver.url)
    body = {"source": "telegram", "login": "14155550100", "item": "i1", "thread": "t1", "text": "Grüß dich ✓"}
    await world.put(OutboxEvent("message", body, "t1"))
    async with world.delivering():
        (call,) = await receiver.got(1)
        await world.empty()
    assert Webhook(SECRET).verify(call.body, call.headers) == call.json
    assert call.json.items() >= {**body, "hook_type": "message", "type": "message", "id": call.id}.items()
    assert call.json["at"].endswith("Z")
    assert isinstance(call.json["time"], int)
    assert call.headers["user-agent"].startswith("Postern/")
    assert call.headers["content-type"] == "application/json"


async def test_order_is_kept_a_thread_while_threads_go_side_by_side(world: World, receiver: Receiver) -> None:
    receiver.delay = 0.002
    await world.hook(receiver.url)
    for n in range(30):
        for thread in "abcdef":
            await world.say(f"{n}", thread=thread)
    async with world.delivering():
        await receiver.got(180)
        await world.empty()
    assert threads(receiver) == {thread: [str(n) for n in range(30)] for thread in "abcdef"}
    assert 1 < receiver.busiest <= 8
    assert len({call.id for call in receiver.calls}) == 180


async def test_what_is_claimed_at_the_moment_of_the_end_is_given_back(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim is committed, and its answer on its way to us, when we are told to end."""
    hook = await world.hook(receiver.url)
    await world.say("one")
    sweep, claimed = claim_queries.sweep, asyncio.Event()

    async def slowly(*arguments: Any, **options: Any) -> Any:
        result = await sweep(*arguments, **options)
        if result.claims:
            claimed.set()
            await asyncio.sleep(0.1)
        return result

    monkeypatch.setattr(claim_queries, "sweep", slowly)
    monkeypatch.setattr(deliverer, "STOP", PATIENCE)  # that giving it back may take
    async with world.delivering():
        await claimed.wait()
    assert (await world.row(hook))["claimed_until"] is None
    async with world.delivering():  # so nobody waits until it would have expired
        await receiver.got(1)
