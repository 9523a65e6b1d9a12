"""Callbacks take turns: a flood of them keeps neither other requests nor other networks waiting."""

import asyncio

import httpx
import pytest

from core.errors import RateLimited
from engine.hooks import turns as hook_turns
from engine.hooks.turns import HookTurns


async def test_networks_take_turns() -> None:
    turns, order = HookTurns(), list[str]()

    async def callback(network: str) -> None:
        await turns.wait(network)
        order.append(network)

    async with asyncio.TaskGroup() as group:
        for network in ("a",) * 20 + ("b",) * 2 + ("c",):
            group.create_task(callback(network))
    assert order[:6].count("a") <= 3, order
    assert {*order[:6]} == {"a", "b", "c"}, order


async def test_a_pass_of_the_event_loop_has_one_callback() -> None:
    turns, passes = HookTurns(), 0
    ended_in: list[int] = []

    async def callback() -> None:
        await turns.wait("a")
        ended_in.append(passes)

    async with asyncio.TaskGroup() as group:
        for _ in range(20):
            group.create_task(callback())
        while len(ended_in) < 20:
            await asyncio.sleep(0)
            passes += 1
    assert len({*ended_in}) == 20, ended_in


async def test_those_that_wait_are_bounded_for_a_network_and_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook_turns, "PER_NETWORK", 3)
    monkeypatch.setattr(hook_turns, "WAITING", 5)
    turns = HookTurns()
    answers = await asyncio.gather(*(turns.wait(each) for each in "aaaabbcc"), return_exceptions=True)
    # The fourth of a is one too many. Then all places are taken, and those of a that wait make room for c.
    assert [isinstance(answer, RateLimited) for answer in answers] == [
        False, True, True, True, False, False, False, False,
    ]  # fmt: skip
    for network in "abc":
        await turns.wait(network)


async def test_a_canceled_callback_gives_its_turn_back() -> None:
    turns = HookTurns()
    tasks = [asyncio.create_task(turns.wait("a")) for _ in range(5)]
    await asyncio.sleep(0)
    for task in tasks[:4]:
        task.cancel()
    await asyncio.wait_for(tasks[4], 5)
    await asyncio.wait_for(turns.wait("b"), 5)


async def test_who_calls_too_often_at_once_is_told_to_call_again(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook_turns, "PER_NETWORK", 2)
    answers = await asyncio.gather(*(client.post("/hooks/sandbox/sms", content=b"{") for _ in range(20)))
    refused = [answer for answer in answers if answer.status_code == 429]
    assert 0 < len(refused) < 20, [answer.status_code for answer in answers]
    assert all(answer.headers["retry-after"] == "1" for answer in refused)
    assert (await client.post("/hooks/sandbox/sms", content=b"{")).status_code != 429
