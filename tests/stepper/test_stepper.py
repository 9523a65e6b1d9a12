"""Sessions step through schedules: a smoke of each scenario, or with SCHEDULES=all every schedule that counts."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import pytest

from tests.stepper import direct, projects
from tests.stepper.direct import Messages
from tests.stepper.schedules import PREEMPTIONS, Choose, all_schedules, random_schedules
from tests.stepper.sessions import Actor, Stepper
from tests.support.gateway import Gateway, gateway
from tests.support.people import Person
from tests.support.projects import Projects

__all__ = ["gateway"]
SMOKE = 6  # schedules of a scenario, and as many random ones
CHOSEN = os.environ.get("SCHEDULES", str(SMOKE))
MOST = None if CHOSEN == "all" else int(CHOSEN)


async def stepped(
    names: Sequence[str], run: Callable[[Choose], Awaitable[None]], preemptions: int = PREEMPTIONS
) -> str:
    """Runs the schedules of a scenario. Returns how many. Those of four sessions of a project with two preemptions are
    too many: all with one are run, and more random ones.
    """
    twins = (0, 1) if names[:2] == ("worker", "other") else None
    count = await all_schedules(run, MOST, preemptions, twins)
    drawn = await random_schedules(
        run, range((100 if preemptions == PREEMPTIONS else 1000) if MOST is None else MOST)
    )
    return f"{' '.join(names)}: {count} schedules with at most {preemptions} preemptions, {drawn} random ones"


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
        (("worker", "other", "reaper", "cancel"), False),
        (("worker", "other", "reaper", "report"), False),
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

    done = await stepped(names, run)
    await last[0].check_counts(monitor)
    print(f"\n{done}")


@pytest.mark.parametrize("idempotent", [False, True], ids=["forgets-keys", "honors-keys"])
@pytest.mark.parametrize(
    ("names", "preemptions"),
    [
        (("worker", "other", "reaper"), 2),
        (("worker", "other", "reaper", "stop"), 1),
        (("worker", "other", "reaper", "report"), 1),
        (("worker", "reaper", "stop"), 2),
        (("worker", "retry"), 2),
        (("worker", "report", "reaper"), 2),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else f"preempted-{value}",
)
async def test_projects(
    gateway: Gateway,
    ada: Person,
    connections: list[Any],
    names: Sequence[str],
    preemptions: int,
    idempotent: bool,
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

    done = await stepped(names, run, preemptions)
    await made.sound(template)
    print(f"\nproject {done}")
