"""Nobody waits for somebody else's text: one that takes long, that another process renders, or that gets no processor
time.
"""

import asyncio
import time
from uuid import UUID

from channels.port import Result
from core.errors import RateLimited
from engine.projects import batch_run, cycle, preparation
from engine.texts import project_texts
from runtime.render_pool import TooComplex, pool
from tests.sending_projects.engine.stuck import addresses, assert_finished, rounds, run_cycle
from tests.sending_projects.engine.test_fair import make, prepared
from tests.support.fake_channels import Fake, use
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.render_pool import stop_processes
from tests.support.waits import PATIENCE, until

LOOP = "{% for a in (1..99) %}{% for b in (1..99) %}{{ a | append: b | upcase }}{% endfor %}{% endfor %}"
RENDERING = preparation._RENDERING  # as the service has it; conftest.py takes the hurry out


class Clock:
    """Real time, and what a test adds to it."""

    def __init__(self) -> None:
        self.more = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.more


async def test_a_slow_text_leaves_others_their_turn(projects: Projects, ada: Person, monkeypatch):
    """Every rendering takes three hundredths of a second, by the cycle's clock."""
    own, render = Clock(), project_texts.Compiled.render
    ticks, at = 0, []

    def slow(*arguments):
        own.more += 0.03
        at.append(ticks)
        return render(*arguments)

    async def tick():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(preparation, "time", own)
    monkeypatch.setattr(preparation, "_RENDERING", RENDERING)
    monkeypatch.setattr(project_texts.Compiled, "render", slow)
    before_sending: list[int] = []

    def first(message):
        before_sending.append(len(at))
        return Result.sent

    use(projects.services, Fake(first, batch=100))
    text = "{% for i in (1..20) %}{% if i == 7 %}{{ i | plus: 1 }}{% endif %}{% endfor %} {{ name }}"
    project = await projects.make(ada, addresses(200), text=text)
    ticking = asyncio.create_task(tick())
    await projects.work()
    ticking.cancel()
    assert len(set(at)) == len(at) == 200  # nothing is rendered twice, and others ran between any two
    assert before_sending[0] <= 20  # what is ready does not wait for the rest
    assert await projects.states(project) == {"sent": 200}
    await assert_finished(projects, project)


async def test_a_text_that_a_process_renders_leaves_the_channel_its_slots(
    projects: Projects, ada: Person, monkeypatch
):
    """The slow project's cycles wait for the process, and would fill the worker's slots with waiting."""
    use(projects.services, fake := Fake())
    monkeypatch.setattr(batch_run, "CYCLE_SECONDS", 0.1)
    monkeypatch.setattr(preparation, "_RENDERING", 0.1)
    slow = await make(projects, ada, 4, text=LOOP + "{{ name }}")
    rendering, gate = asyncio.Event(), asyncio.Event()
    run = projects.services.render_pool.run

    async def held(owner, name, arguments, **more):
        if name == "render":
            rendering.set()
            await gate.wait()
        return await run(owner, name, arguments, **more)

    monkeypatch.setattr(projects.services.render_pool, "run", held)
    first = asyncio.create_task(run_cycle(projects, slow))
    await asyncio.wait_for(rendering.wait(), PATIENCE)
    for _ in range(3):
        await asyncio.wait_for(run_cycle(projects, slow), PATIENCE)  # it is at work already
    quick = await make(projects, ada, 3)
    await asyncio.wait_for(run_cycle(projects, quick), PATIENCE)
    assert await projects.states(quick) == {"sent": 3}
    assert len(fake.took) == 3
    gate.set()
    await first


async def test_a_text_that_is_too_slow_leaves_its_slot_to_another(
    projects: Projects, ada: Person, monkeypatch
):
    """None of its messages is ever ready, and still it does not go on through all of them while another waits."""
    use(projects.services, Fake())
    monkeypatch.setattr(batch_run, "CYCLE_SECONDS", 0.1)
    monkeypatch.setattr(preparation, "_RENDERING", 0.1)
    first, second = [await prepared(projects, ada, count, text=LOOP + "{{ name }}") for count in (400, 3)]

    async def run(owner, name, arguments, **more):
        if name == "render":
            await asyncio.sleep(0.05)
        raise TooComplex

    monkeypatch.setattr(projects.services.render_pool, "run", run)
    runner = cycle.runner_of(projects.services)
    runner.start(first)
    await until(lambda: skipped(projects, first))
    await asyncio.wait_for(runner.run(second), PATIENCE)
    assert await projects.states(second) == {"skipped": 3}
    assert (await projects.states(first))["queued"] > 300
    projects.services.stopping.set()
    await asyncio.gather(*runner.tasks)


async def skipped(projects: Projects, project: UUID) -> int:
    return (await projects.states(project))["skipped"]


async def test_a_text_that_could_not_be_measured_is_measured_later(
    projects: Projects, ada: Person, monkeypatch
):
    use(projects.services, Fake())
    monkeypatch.setattr(batch_run, "CYCLE_SECONDS", 0.1)
    project = await make(projects, ada, 2, text="{% if name %}{{ name }}{% endif %} hello")
    run = projects.services.render_pool.run

    async def busy(*arguments, **more):
        raise RateLimited("busy", code="programs_busy")

    monkeypatch.setattr(projects.services.render_pool, "run", busy)
    await run_cycle(projects, project)
    assert await projects.states(project) == {"queued": 2}
    monkeypatch.setattr(projects.services.render_pool, "run", run)
    await run_cycle(projects, project)
    assert cycle.runner_of(projects.services).content_cache.measured(project, 1)
    assert await projects.states(project) == {"sent": 2}


async def test_a_text_that_gets_no_processor_time_is_rendered_later(
    projects: Projects, ada: Person, monkeypatch
):
    """The processes that render texts are stopped, like processes that others leave no processor time."""
    monkeypatch.setattr(pool, "_STRETCH", 0.2)
    render_pool = projects.services.render_pool
    stopped = await stop_processes(render_pool)
    project = await projects.make(ada, addresses(1), text="{% if name %}{{ name }}{% endif %} hello")
    await rounds(projects)
    assert not {*stopped} & {*render_pool.pids()}
    assert await projects.states(project) == {"sent": 1}
    await assert_finished(projects, project)
