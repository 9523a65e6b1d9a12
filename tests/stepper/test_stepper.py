"""Sessions step through schedules: a smoke of each scenario, or with SCHEDULES=all every schedule that counts."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.stepper.direct import ACTORS, Messages
from tests.stepper.schedules import Choose, all_schedules, random_schedules
from tests.stepper.sessions import Actor, Stepper
from tests.support.gateway import Gateway, gateway
from tests.support.people import Person

__all__ = ["gateway"]
ALL = os.environ.get("SCHEDULES") == "all"
SMOKE = 12  # schedules of a scenario, and as many random ones
RANDOM = 300


@pytest.fixture
async def connections(gateway: Gateway) -> AsyncIterator[list[Any]]:
    """Sessions of the database; the last one looks at the others."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(gateway.db.reading()) for _ in range(6)]


@pytest.mark.parametrize("idempotent", [False, True], ids=["forgets-keys", "honors-keys"])
@pytest.mark.parametrize(
    ("names", "late"),
    [
        (("worker", "other", "reaper"), False),
        (("worker", "reaper", "cancel"), False),
        (("worker", "report", "refund"), False),
        (("worker", "report", "reaper"), False),
        (("worker", "expire", "cancel"), True),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "late" if value else "fresh",
)
async def test_direct_messages(
    gateway: Gateway, ada: Person, connections: list[Any], names: Sequence[str], late: bool, idempotent: bool
) -> None:
    *sessions, monitor = connections
    last: list[Messages] = []

    async def run(choose: Choose) -> None:
        messages = Messages(gateway, ada, idempotent=idempotent, late=late)
        last[:] = [messages]
        await messages.queue(monitor)
        stepper = Stepper([Actor(name, ACTORS[name](messages)) for name in names], monitor)
        try:
            await stepper.run(sessions[: len(names)], choose)
            await messages.check(monitor, names)
        except AssertionError as error:
            raise AssertionError("\n".join([str(error), *stepper.moves])) from error

    count = await all_schedules(run, None if ALL else SMOKE)
    drawn = await random_schedules(run, range(RANDOM if ALL else SMOKE))
    await last[0].check_counts(monitor)
    print(f"\n{' '.join(names)}: {count} schedules with at most two preemptions, {drawn} random ones")
