"""Places are shared, and memory is bounded: who has many receivers, or slow ones, keeps nobody else waiting for
good.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from engine.webhooks import call, delivery_queries, outbox
from engine.webhooks import deliverer as module
from engine.webhooks import delivery_loop as visits
from engine.webhooks.deliverer import Deliverer
from tests.support.people import Person
from tests.support.waits import until
from tests.webhooks.receiver import Call, Receiver, plain, receiving
from tests.webhooks.world import World, message

MANY = 400
LARGE = 250_000  # characters of a text


def hanging(until_set: asyncio.Event) -> Callable[..., Awaitable[None]]:
    async def reply(_: Call, writer: asyncio.StreamWriter) -> None:
        await until_set.wait()
        writer.write(plain(200))

    return reply


async def test_one_owner_s_hanging_receivers_leave_a_place_to_the_next(
    world: World, receiver: Receiver, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None of the endpoints has failed, as after an `updateWebhook`; and no turn is ever over."""
    monkeypatch.setattr(call, "SECONDS", 600.0)
    monkeypatch.setattr(module, "SLOT_SECONDS", 600.0)
    monkeypatch.setattr(module, "SLOTS", 8)
    bobs = await world.make_account("bobs", bob)
    async with receiving() as slow:
        slow.answer = hanging(asyncio.Event())
        for path in range(10):
            await world.hook(f"{slow.url}/{path}")
        await world.hook(receiver.url, account=bobs)
        await world.say("never")
        async with world.delivering() as deliverer:
            await until(lambda: slow.busy == 6)
            await world.say("swept", account=bobs)
            await receiver.got(1)
            await world.say("lingering", account=bobs)
            await receiver.got(2)
            deliverer.wake(world.account)  # a wake gets no more than a sweep
            await world.say("woken", account=bobs)
            deliverer.wake(bobs)
            await receiver.got(3)
            assert slow.busy == 6


@pytest.mark.parametrize("failures", [0, 2], ids=["working", "failed-before"])
async def test_a_visit_without_end_gives_its_place_up_when_others_wait(
    world: World, receiver: Receiver, bob: Person, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    monkeypatch.setattr(module, "SLOT_SECONDS", 0.2)
    monkeypatch.setattr(module, "SLOTS", 1)
    monkeypatch.setattr(module, "FAILING", 1)
    bobs = await world.make_account("bobs", bob)
    async with receiving() as slow:
        slow.delay = 0.1  # it takes them all, in forty seconds
        hooks = [await world.hook(slow.url), await world.hook(receiver.url, account=bobs)]
        due = world.time() - timedelta(seconds=1) if failures else None
        await world.services.db.fetch(
            "UPDATE webhooks SET failures = $2, next_at = $3 WHERE id = ANY($1::uuid[])",
            hooks, failures, due,
        )  # fmt: skip
        await world.say(*(f"{n}" for n in range(MANY)))
        async with world.delivering():
            await slow.got(1)
            await world.say("bob's", account=bobs)
            await receiver.got(1)
            before = len(slow.taken)
            assert before < MANY
            await slow.got(before + 1)  # its turn comes again
        assert slow.texts() == [f"{n}" for n in range(len(slow.taken))]


async def test_who_was_visited_longest_ago_is_next(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """One owner, one place, three endpoints that always have more: each comes to its turn."""
    monkeypatch.setattr(module, "SLOT_SECONDS", 0.1)
    monkeypatch.setattr(module, "SLOTS", 1)
    async with receiving() as first, receiving() as second, receiving() as third:
        all_three = (first, second, third)
        for receiver in all_three:
            receiver.delay = 0.1
            await world.hook(receiver.url)
        await world.say(*(f"{n}" for n in range(MANY)))
        async with world.delivering():
            await until(lambda: all(receiver.taken for receiver in all_three))
        assert max(len(receiver.taken) for receiver in all_three) < MANY


async def test_nobody_gives_up_a_place_when_nobody_waits(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SLOT_SECONDS", 0.0)
    monkeypatch.setattr(visits, "LINGER", 600.0)  # nor when all is told, before we have looked
    receiver.delay = 0.01
    hook = await world.hook(receiver.url)
    await world.say(*(f"{n}" for n in range(30)))
    async with world.delivering():
        await receiver.got(1)
        claim = (await world.row(hook))["claim_id"]
        await receiver.got(30)
        assert (await world.row(hook))["claim_id"] == claim


def in_memory(deliverer: Deliverer) -> list[int]:
    """Bytes of each visit's events."""
    return [
        sum(len(item.body) for line in visit._buffer._threads.values() for item in line)
        for visit in deliverer._deliveries.values()
    ]


async def look_again(deliverer: Deliverer) -> None:
    """Wakes the deliveries as often as events would while a receiver is slow."""
    for _ in range(30):
        for visit in deliverer._deliveries.values():
            visit.wake()
        await asyncio.sleep(0.01)


async def test_an_endpoint_has_a_mebibyte_of_events_in_memory(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, "SECONDS", 600.0)
    go_on = asyncio.Event()
    receiver.answer = hanging(go_on)
    await world.hook(receiver.url)
    for n in range(3):
        await world.put(*(message(f"{n}{place}" + "x" * LARGE, f"t{n}") for place in range(4)))
    async with world.delivering() as deliverer:
        await receiver.tried(1)
        await look_again(deliverer)
        (size,) = in_memory(deliverer)
        assert LARGE < size <= delivery_queries.BYTES  # all of it is three times as much
        assert deliverer.room == module.MEMORY - size
        go_on.set()
        await world.empty()  # a visit ends a moment after its last row
        await until(lambda: deliverer.room == module.MEMORY)
    for n in range(3):
        texts = [called.json["text"] for called in receiver.calls if called.json["thread"] == f"t{n}"]
        assert [text[:2] for text in texts] == [f"{n}{place}" for place in range(4)]


async def test_what_a_failure_leaves_in_memory_is_given_back(world: World, receiver: Receiver) -> None:
    hook = await world.hook(receiver.url)
    receiver.answer = 500
    await world.say("one", "two", "three")
    async with world.delivering() as deliverer:
        await world.failed(hook, 1)
        await until(lambda: deliverer.room == module.MEMORY)


async def test_all_endpoints_together_have_a_bound_too(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above it each has one event and goes on."""
    monkeypatch.setattr(call, "SECONDS", 600.0)
    monkeypatch.setattr(module, "MEMORY", 2 * outbox.LARGEST)
    go_on = asyncio.Event()
    receiver.answer = hanging(go_on)
    for path in range(4):
        await world.hook(f"{receiver.url}/{path}")
    await world.put(*(message("x" * LARGE, f"t{place}") for place in range(4)))
    async with world.delivering() as deliverer:
        await until(lambda: receiver.busy == 4)
        await look_again(deliverer)
        assert sum(in_memory(deliverer)) <= module.MEMORY + 4 * outbox.LARGEST
        await until(lambda: sorted(size // LARGE for size in in_memory(deliverer))[:2] == [1, 1])
        go_on.set()
        await world.empty()  # a visit ends a moment after its last row
        await until(lambda: deliverer.room == module.MEMORY)
    assert len(receiver.calls) == 16
