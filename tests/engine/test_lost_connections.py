"""Connections that are lost with messages in flight: a breaker counts the connection, not its messages."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from channels.port import Channel, Outcome, Outgoing, Result
from engine.sending.ask import ask
from runtime.breakers import THRESHOLD
from tests.channels.peer import Scenario
from tests.channels.peer_smpp import Smsc, peer
from tests.channels.smpp.rig import Rig, message, rigged
from tests.support.waits import until

pytestmark = pytest.mark.rotating

NAME = "sms-1"


class Item:
    def __init__(self, body: str = "hello") -> None:
        self.outgoing: Outgoing | None = message(body)
        self.outcome: Outcome | None = None
        self.route: Channel | None = None
        self.probe = None
        self.uncertain = False


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    """A channel behind an SMSC that takes messages and answers none of them."""
    async with peer() as smsc, rigged(smsc, "from=Acme&window=20") as rig:
        smsc.scenario = Scenario.hang_after
        yield rig


async def cut(
    services: Any, rig: Rig, in_flight: int, taken: int | None = None, body: str = "hello"
) -> list[Item]:
    """The SMSC resets the connection when it has taken so many PDUs; by default one of each message."""
    smsc: Smsc = rig.smsc
    before = len(smsc.submitted)
    items = [Item(body) for _ in range(in_flight)]
    asking = [
        asyncio.create_task(ask(rig.channel, [item], [NAME], services.breakers, point="sent"))
        for item in items
    ]
    await until(lambda: len(smsc.submitted) == before + (taken or in_flight))
    smsc.bound().reset()
    await asyncio.gather(*asking)
    assert {item.outcome.result for item in items if item.outcome} == {Result.unknown}
    return items


@pytest.mark.parametrize("in_flight", [THRESHOLD, 10])
async def test_one_cut_counts_once_whatever_was_in_flight(services, rig, in_flight):
    await cut(services, rig, in_flight)
    assert services.breakers.closed(NAME)


@pytest.mark.parametrize("in_flight", [1, THRESHOLD])
async def test_cuts_one_after_the_other_open_it(services, rig, in_flight):
    for _ in range(THRESHOLD - 1):
        await cut(services, rig, in_flight)
    assert services.breakers.closed(NAME)
    await cut(services, rig, in_flight)
    assert not services.breakers.closed(NAME)


async def test_an_answer_between_outcomes_of_one_cut_does_not_make_it_count_again(services, rig):
    lost = [item.outcome for item in await cut(services, rig, 10)]
    await services.breakers.record_outcomes([(NAME, Item(), Outcome(Result.sent))])
    await services.breakers.record_outcomes((NAME, Item(), outcome) for outcome in lost)
    assert services.breakers.closed(NAME)


async def test_parts_that_still_waited_for_the_lost_connection_do_not_count_either(services):
    async with peer() as smsc, rigged(smsc, "from=Acme&window=1") as rig:
        smsc.statuses.extend(
            [0] * THRESHOLD + [None]
        )  # the first part of each is taken, then nothing is answered
        await cut(services, rig, THRESHOLD, taken=THRESHOLD + 1, body="x" * 200)
    assert services.breakers.closed(NAME)
