"""Receivers that are down, that flap, that answer nonsense: no event is lost, and no thread loses its order."""

import random
from datetime import timedelta

import pytest

from engine.webhooks import backoff
from tests.support.waits import until
from tests.webhooks.receiver import Call, Receiver, plain
from tests.webhooks.world import World, hurrying, threads


async def test_an_hour_down_loses_nothing_and_keeps_the_order(world: World, receiver: Receiver) -> None:
    hook = await world.hook(receiver.url)
    await receiver.stop()
    for n in range(20):
        await world.say(f"a{n}", thread="a")
        await world.say(f"b{n}", thread="b")
    async with world.delivering():
        first = await world.failed(hook, 2)
        assert first["last_error"].startswith("no connection")
        for seconds in (6, 360, 2200):  # each thread's own pauses
            failures = (await world.row(hook))["failures"]
            world.time.forward(seconds=seconds)
            await world.failed(hook, failures + 2)
        row = await world.failed(hook, 8)
        assert row["next_at"] - world.time() <= timedelta(seconds=6)
        await world.say("late", thread="a")
        await receiver.start()
        assert (await world.counts())[0] == 41
        world.time.forward(seconds=6)
        await receiver.got(41)
        await world.empty()
    assert threads(receiver) == {
        "a": [*(f"a{n}" for n in range(20)), "late"],
        "b": [f"b{n}" for n in range(20)],
    }
    row = await world.row(hook)
    assert (row["failures"], row["next_at"], row["last_error"], row["last_status"]) == (0, None, None, 200)


async def test_a_success_resets_the_clock(world: World, receiver: Receiver) -> None:
    hook = await world.hook(receiver.url)
    answers = iter([500, 500, 200, 500])
    receiver.answer = lambda _: next(answers, 200)
    await world.say("1", "2", "3")
    async with world.delivering():
        await world.failed(hook, 1)
        world.time.forward(seconds=6)
        await world.failed(hook, 2)
        world.time.forward(minutes=6)
        await receiver.got(1)

        async def again() -> bool:
            return bool((await world.row(hook))["failures"] == 1)

        await until(again)
        world.time.forward(seconds=6)
        await receiver.got(3)
        await world.empty()
    assert receiver.texts() == ["1", "2", "3"]


async def test_order_holds_while_one_call_in_four_fails(world: World, receiver: Receiver) -> None:
    chance = random.Random(7)
    receiver.answer = lambda _: chance.choice((200, 200, 200, 503))
    receiver.delay = 0.001
    await world.hook(receiver.url)
    for n in range(15):
        for thread in "abcd":
            await world.say(f"{n}", thread=thread)
    async with world.delivering(), hurrying(world):
        await world.empty()
    assert threads(receiver) == {thread: [str(n) for n in range(15)] for thread in "abcd"}


async def test_gone_disables_and_says_so(world: World, receiver: Receiver) -> None:
    hook = await world.hook(receiver.url)
    receiver.answer = 410
    await world.say("one")
    async with world.delivering():
        await receiver.tried(1)

        async def disabled() -> bool:
            return not (await world.row(hook))["enabled"]

        await until(disabled)
        world.time.forward(hours=30)
        await world.say("nobody is told")
    row = await world.row(hook)
    assert row["disabled_reason"] == "it answered 410 Gone"
    assert row["last_status"] == 410
    assert len(receiver.calls) == 1
    assert await world.counts() == (1, 0, 1)


@pytest.mark.parametrize(
    ("retry_after", "least", "most"),
    [
        ("120", 120, 120),
        ("1", 0, 1),
        ("999999999999999999999", 86400, 86400),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86400, 86400),
        ("Sat, 21 Nov 2026 10:02:00 GMT\r\ndate: Sat, 21 Nov 2026 10:00:00 GMT", 120, 120),
        ("soon", None, None),
        ("-5", None, None),
    ],
    ids=["seconds", "sooner", "huge", "far-date", "by-its-own-date", "nonsense", "negative"],
)
async def test_retry_after_is_honoured_within_bounds(
    world: World, receiver: Receiver, retry_after: str, least: float | None, most: float | None
) -> None:
    """A header that names no time makes the event wait, and not its endpoint."""
    hook = await world.hook(receiver.url)
    receiver.answer = plain(429, f"retry-after: {retry_after}")
    await world.say("one")
    async with world.delivering():
        row = await world.failed(hook, 1)
    if least is None or most is None:
        assert row["next_at"] is None
    else:
        assert least - 30 <= (row["next_at"] - world.time()).total_seconds() <= most


async def test_a_redirect_is_a_failure_and_is_not_followed(world: World, receiver: Receiver) -> None:
    hook = await world.hook(receiver.url)
    inside: list[Call] = []

    def answer(call: Call) -> bytes | int:
        if inside:
            return 200
        inside.append(call)
        return plain(307, f"location: {receiver.url}/inside")

    receiver.answer = answer
    await world.say("one")
    async with world.delivering():
        row = await world.failed(hook, 1)
    assert row["last_error"] == "it answered 307 (redirects are not followed)"
    assert len(receiver.calls) == 1


@pytest.mark.parametrize("factor", [0.8, 1.2])
def test_all_pauses_together_end_before_an_event_is_given_up(factor: float) -> None:
    assert sum((backoff.delay(n, 1.0) for n in range(1, 10)), timedelta()) < backoff.OLDEST
    assert backoff.delay(100, factor) == backoff.PAUSES[-1] * factor
