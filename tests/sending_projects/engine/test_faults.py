"""Workers die at every point of a unit's way; engines that are broken on purpose are found out.

The whole fire, with twenty thousand messages and every fault at once, is `make faults`.
"""

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.faultpoints import PROJECT_POINTS, RECIPIENT_POINTS
from engine.imports import BITE
from tests.faults.channels import HTTP, SMPP, SMTP, Channel
from tests.faults.world import BREAKER, LEASE, World, cut_off_later, shared_world
from tests.support.waits import freeze

pytestmark = pytest.mark.rotating

COUNT = 60


@pytest.fixture
async def it(database: str, tmp_path: Path) -> AsyncIterator[World]:
    async with shared_world(tmp_path, database) as made:
        yield made


async def die(it: World, point: str, mutant: str | None = None) -> None:
    dying = await it.worker(mutant, FAULT_AT=point)
    assert await asyncio.wait_for(dying.wait(), 120) == -signal.SIGKILL
    it.concerned()


@pytest.mark.parametrize("point", PROJECT_POINTS)
async def test_a_worker_that_dies_at(point: str, it: World):
    await it.provider(honours=True, seed=1, trouble=0)
    await it.start(COUNT)
    await die(it, point)
    await it.worker()
    await it.quiet()
    verdict = await it.verdict()
    assert not verdict.problems
    assert verdict.states == {"sent": COUNT}


async def test_a_provider_without_keys_is_never_asked_twice(it: World):
    await it.provider(honours=False, seed=1, trouble=0)
    await it.start(COUNT)
    await die(it, "unit.sent")
    await it.worker(POSTERN_LEASE_SECONDS="60")  # it stands still perhaps, and loses nothing by that
    await it.quiet()
    verdict = await it.verdict()
    assert not verdict.problems
    assert 0 < verdict.states["unknown"] <= it.unknown_at_most


@pytest.mark.parametrize(
    ("mutant", "point", "found_out_by"),
    [("no_key", "unit.sent", "sent twice"), ("sent_before_the_call", "unit.marked", "phantom")],
)
async def test_an_engine_that_is_broken_is_found_out(mutant: str, point: str, found_out_by: str, it: World):
    await it.provider(honours=True, seed=1, trouble=0)
    await it.start(COUNT)
    await die(it, point, mutant)
    await it.worker(mutant)
    await it.quiet()
    verdict = await it.verdict()
    assert any(problem.startswith(found_out_by) for problem in verdict.problems), verdict


@pytest.mark.parametrize("mutant", [None, "no_fencing"])
async def test_who_wakes_up_after_his_lease(mutant: str | None, it: World):
    await it.provider(honours=False, seed=1, trouble=0)
    await it.start(1000)
    frozen = await it.worker(mutant)
    await it.taken(50)
    it.concerned()
    freeze(frozen.pid)
    await it.worker(mutant, POSTERN_LEASE_SECONDS="60")
    # A minute, if it froze in a transaction: so long PostgreSQL keeps its locks. It wakes up long before the others are
    # sent: in a finished project it could do no harm.
    await it.taken(300)
    frozen.send_signal(signal.SIGCONT)
    await it.quiet()
    await asyncio.sleep(LEASE)  # for the harm that it may do
    verdict = await it.verdict()
    if mutant is None:
        assert not verdict.problems
    else:
        assert verdict.twice_known, verdict


async def test_who_was_frozen_until_the_project_was_finished_leaves_nothing_unsent(it: World):
    await it.provider(honours=False, seed=1, trouble=0)
    await it.start(400)
    frozen = await it.worker()
    await it.taken(50)
    it.concerned()
    freeze(frozen.pid)
    await it.worker(POSTERN_LEASE_SECONDS="60")
    await it.quiet()
    frozen.send_signal(signal.SIGCONT)
    await asyncio.sleep(LEASE)
    await it.quiet()
    assert not (await it.verdict()).problems


async def test_who_was_cut_off_from_the_database_leaves_nothing_unsent(it: World):
    await it.provider(honours=False, seed=1, trouble=0)
    await it.start(1000)
    async with cut_off_later(it) as (network, settings):
        await it.worker(**settings)
        await it.taken(50)
        it.concerned()
        network.silence(new=True)
        await it.worker(POSTERN_LEASE_SECONDS="60")
        await asyncio.sleep(2.5 * LEASE)
        network.restore()
        await it.quiet()
        await asyncio.sleep(LEASE)
        await it.quiet()
        verdict = await it.verdict()
    assert not verdict.problems


async def test_a_provider_that_hangs_costs_what_was_in_flight_and_few_more(it: World):
    """It takes connections and never answers for some time-outs long: two workers, twenty connections each."""
    await it.provider(honours=False, seed=1, trouble=0)
    await it.start(1500)
    workers = [await it.worker() for _ in range(2)]
    await it.taken(100)
    it.concerned(len(workers), BREAKER)
    freeze(it.server.pid)
    await asyncio.sleep(20)  # six of its time-outs
    it.server.send_signal(signal.SIGCONT)
    await it.quiet()
    verdict = await it.verdict()
    assert not verdict.problems
    assert verdict.states["sent"] + verdict.states["unknown"] == 1500
    print(f"unknown {verdict.states['unknown']}")


@pytest.mark.parametrize("channel", [HTTP, SMTP, SMPP], ids=lambda channel: channel.name)
async def test_a_kill_leaves_no_more_unknown_than_was_on_its_way(channel: Channel, it: World):
    """Real servers that drop no duplicates: what was in the provider's hands is unknown, the rest is sent once."""
    await it.provider(honours=False, seed=1, trouble=0, channel=channel)
    await it.start(400)
    victim = await it.worker()
    await it.taken(100)
    it.concerned()
    victim.kill()
    await victim.wait()
    await it.worker(POSTERN_LEASE_SECONDS="60")
    await it.quiet()
    verdict = await it.verdict()
    print(verdict)
    assert not verdict.problems
    assert verdict.twice == 0


@pytest.mark.parametrize("point", RECIPIENT_POINTS)
async def test_a_worker_that_dies_while_it_adds_an_import(point: str, it: World):
    """Nothing is added twice, nothing is left out, and nothing is sent before all are in."""
    count = BITE + 1000
    await it.provider(honours=True, seed=1, trouble=0)
    await it.start(0)
    await it.adding(count)
    await die(it, point)
    assert not it.effects()
    await it.worker()
    await it.quiet()
    verdict = await it.verdict()
    assert not verdict.problems
    assert verdict.states == {"sent": count}
