"""Listeners that come and leave all at once, and are cut off while they leave."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from core import pubsub
from core.pubsub import listening, publish
from core.store import Store
from tests.support import servers
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.servers


@pytest.fixture
async def store():
    made = Store(servers.redis_url())
    yield made
    await pubsub.close(made)
    await made.close()


async def subscribed(store, *topics):
    counts = await store.client.pubsub_numsub(*(f"announced:{topic}" for topic in topics))
    return sum(count for _, count in counts)


async def nobody_listens(store, topic):
    """A moment after the connection was closed: Redis has to notice."""

    async def nobody():
        return await subscribed(store, topic) == 0

    await until(nobody)


async def test_those_who_come_while_it_connects_are_heard_too(store):
    """The first one opens the connection; the others must not be left out of it."""
    topics = [f"together {n}" for n in range(100)]

    async def one(topic, ready, go):
        async with listening(store, topic) as heard:
            ready.set()
            await go.wait()
            async with asyncio.timeout(PATIENCE):
                return await anext(heard)

    go, readies = asyncio.Event(), [asyncio.Event() for _ in topics]
    tasks = [asyncio.create_task(one(topic, ready, go)) for topic, ready in zip(topics, readies, strict=True)]
    for ready in readies:
        await ready.wait()
    assert await subscribed(store, *topics) == 100
    go.set()
    for number, topic in enumerate(topics):
        await publish(store, topic, {"n": number})
    assert [message["n"] for message in await asyncio.gather(*tasks)] == [*range(100)]


async def test_who_is_cut_off_while_he_leaves_has_left(store, monkeypatch):
    """A second cancellation comes when the first one takes long: the connection must not stay behind for ever."""
    real, leaving, go = pubsub._Hub.remove, asyncio.Event(), asyncio.Event()

    async def slowly(*arguments):
        leaving.set()
        await go.wait()
        await real(*arguments)

    async def listen():
        async with listening(store, "left"):
            await asyncio.Event().wait()

    task = asyncio.create_task(listen())
    await until(lambda: subscribed(store, "left"))
    monkeypatch.setattr(pubsub._Hub, "remove", slowly)
    task.cancel()
    await leaving.wait()
    task.cancel()
    await asyncio.wait({task})
    go.set()

    await nobody_listens(store, "left")
    await until(lambda: store not in pubsub._HUBS and not pubsub._LEAVING)


async def test_all_leave_at_once(store):
    """Each listener tells Redis so, and the last one closes the connection that the others still write to."""
    for _ in range(5):
        topics = [f"at once {n}" for n in range(200)]
        stacks = [AsyncExitStack() for _ in topics]
        for stack, topic in zip(stacks, topics, strict=True):
            await stack.enter_async_context(listening(store, topic))
        await asyncio.gather(*(stack.aclose() for stack in stacks))
        assert store not in pubsub._HUBS


async def test_a_process_that_ends_hears_no_more(store):
    async with listening(store, "end") as heard:
        await publish(store, "end", {"n": 1})
        assert await anext(heard) == {"n": 1}
        await pubsub.close(store)
        assert store not in pubsub._HUBS
        await nobody_listens(store, "end")
    await pubsub.close(store)
