"""Sessions step through schedules: a smoke of each scenario, or with SCHEDULES=all every schedule that counts."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import pytest

from tests.stepper import direct, projects
from tests.stepper.direct import Messages
from tests.stepper.schedules import Choose, all_schedules, random_schedules
from tests.stepper.sessions import Actor, Stepper
from tests.support.gateway import Gateway, gateway
from tests.support.people import Person
from tests.support.projects import Projects

__all__ = ["gateway"]
SMOKE = 12  # schedules of a scenario, and as many random ones
CHOSEN = os.environ.get("SCHEDULES", str(SMOKE))
MOST = None if CHOSEN == "all" else int(CHOSEN)
RANDOM = range(100 if MOST is None else MOST)


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
        stepper = Stepper([Actor(name, direct.ACTORS[name](messages)) for name in names], monitor)
        try:
            await stepper.run(sessions[: len(names)], choose)
            await messages.check(monitor)
        except AssertionError as error:
            raise AssertionError("\n".join([str(error), *stepper.moves])) from error

    count = await all_schedules(run, MOST)
    drawn = await random_schedules(run, RANDOM)
    await last[0].check_counts(monitor)
    print(f"\n{' '.join(names)}: {count} schedules with at most two preemptions, {drawn} random ones")


@pytest.mark.parametrize("idempotent", [False, True], ids=["forgets-keys", "honors-keys"])
@pytest.mark.parametrize(
    "names",
    [
        ("worker", "other", "reaper"),
        ("worker", "reaper", "stop"),
        ("worker", "retry"),
        ("worker", "report", "reaper"),
    ],
    ids="-".join,
)
async def test_projects(
    gateway: Gateway, ada: Person, connections: list[Any], names: Sequence[str], idempotent: bool
) -> None:
    *sessions, monitor = connections
    made = Projects(gateway.services)
    template = await made.make(ada, ["anna@example.com", "ben@example.com"])
    await made.step()

    async def run(choose: Choose) -> None:
        project = projects.Project(template, idempotent=idempotent)
        await project.copy(monitor)
        actors = [Actor(name, partial(projects.ACTORS[name], project)) for name in names]
        stepper = Stepper(actors, monitor)
        try:
            await stepper.run(sessions[: len(names)], choose)
            await project.check(monitor)
        except AssertionError as error:
            raise AssertionError("\n".join([str(error), *stepper.moves])) from error

    count = await all_schedules(run, MOST)
    drawn = await random_schedules(run, RANDOM)
    await made.sound(template)
    print(f"\nproject {' '.join(names)}: {count} schedules with at most two preemptions, {drawn} random ones")
