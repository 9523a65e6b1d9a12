"""Nobody waits for somebody else: slow texts, slow paces, channels that hang, and what a project's visits cost."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from channels.port import Result
from engine.projects import batch_run, batches, claim, cycle, scheduler
from engine.rates.send_rate import Rate
from tests.sending_projects.engine.stuck import accounted, addresses, assert_finished, rounds, run_cycle
from tests.sending_projects.engine.test_claims import started
from tests.sending_projects.engine.test_pauses import ALL_DAYS, sender
from tests.support.fake_channels import Fake, use
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.waits import PATIENCE, until


@pytest.fixture
def pace(projects: Projects, monkeypatch) -> SimpleNamespace:
    """The pace of this process alone, whose time stands still: `pace.now` is its second."""
    own = SimpleNamespace(now=1000.0)

    async def away(call, otherwise):
        return otherwise

    monkeypatch.setattr(projects.services.store, "attempt", away)
    monkeypatch.setattr("core.rate_limits.time", SimpleNamespace(monotonic=lambda: own.now))
    return own


@pytest.fixture
def looked_at(monkeypatch) -> SimpleNamespace:
    """Counts the claims of batches and the messages that are loaded."""
    seen = SimpleNamespace(claims=0, rows=0)
    take, messages = batches.claim, batches.messages

    async def counted_claim(*arguments):
        seen.claims += 1
        return await take(*arguments)

    async def counted_messages(*arguments):
        rows = await messages(*arguments)
        seen.rows += len(rows)
        return rows

    monkeypatch.setattr(batches, "claim", counted_claim)
    monkeypatch.setattr(batches, "messages", counted_messages)
    return seen


async def make(projects: Projects, ada: Person, count: int, **fields: Any) -> UUID:
    """A prepared project of many recipients, with its visits in the line."""
    project = await projects.make(ada, ["u0@example.com"], **fields)
    await projects.db.fetchval(
        "INSERT INTO recipients (id, project_id, address, variables)"
        " SELECT gen_random_uuid(), $1, 'u' || n || '@example.com', '{}' FROM generate_series(1, $2::int) AS n",
        project,
        count - 1,
    )
    while (await projects.row(project))["preparation"]:
        await projects.step()
    return project


async def prepared(projects: Projects, ada: Person, count: int, **fields: Any) -> UUID:
    """The same without its visits, which would send it."""
    project = await make(projects, ada, count, **fields)
    await projects.db.fetchval("DELETE FROM pgqueuer")
    return project


async def in_line(projects: Projects, *, due: bool = False) -> int:
    """Visits that wait, whenever they are due, or now."""
    return await projects.db.fetchval(
        "SELECT count(*) FROM pgqueuer WHERE entrypoint = 'projects.visit' AND status = 'queued'"
        " AND (execute_after <= now() OR NOT $1)",
        due,
    )


# paces


async def test_a_paced_project_costs_what_it_sends(
    projects: Projects, ada: Person, pace: SimpleNamespace, looked_at: SimpleNamespace
):
    use(projects.services, fake := Fake(batch=100))
    project = await make(projects, ada, 2000, speed={"perMinute": 600})
    for turn in range(1, 21):
        await projects.hurry()
        await projects.work()
        assert len(fake.took) == turn * 12
        assert await in_line(projects) == 1
        pace.now += 1.2
    assert looked_at.rows == len(fake.took)
    assert looked_at.claims <= 21
    await accounted(projects, project)


async def test_the_clock_leaves_a_project_alone_that_waits_for_its_pace(
    projects: Projects, ada: Person, pace: SimpleNamespace
):
    """A visit lies in the line for when it may go on: no need of four more every few seconds."""
    use(projects.services, Fake())
    await make(projects, ada, 2000, speed={"perMinute": 2})  # so it may go on half a minute later
    await projects.work()
    await projects.db.fetchval("UPDATE sending_units SET due_at = now() - interval '10 seconds'")
    assert await in_line(projects) == 1
    await scheduler.wake_projects(projects.services)
    assert await in_line(projects) == 1


async def left(projects: Projects, rate: Rate) -> int:
    """Returns what a bucket would still grant now."""
    granted, _ = await cycle.runner_of(projects.services).send_rate.take([rate], 1000)
    return granted


async def test_what_a_sender_may_not_send_is_not_taken_from_the_project(
    projects: Projects, ada: Person, pace: SimpleNamespace
):
    use(projects.services, fake := Fake(), kind="telegram")
    senders = [await sender(projects, ada) for _ in range(2)]
    project = await projects.make(
        ada, [f"+1415555{n:04}" for n in range(30)], channel="telegram", account_uuids=senders,
        speed={"perMinute": 600, "perAccountPerMinute": 60},
    )  # fmt: skip
    await projects.work()
    assert len(fake.took) == 2
    assert {message.metadata["sender"] for message in fake.took} == {str(sender) for sender in senders}
    assert await left(projects, Rate(f"project:{project}", 600)) == 10


async def test_what_there_is_not_to_send_is_not_taken_from_a_sender(
    projects: Projects, ada: Person, pace: SimpleNamespace
):
    use(projects.services, fake := Fake(), kind="telegram")
    one = await sender(projects, ada)
    project = await projects.make(
        ada, ["+14155550100", "+14155550101"], channel="telegram", account_uuids=[one],
        speed={"perMinute": 600, "perAccountPerMinute": 600},
    )  # fmt: skip
    await projects.work()
    assert len(fake.took) == 2
    assert await left(projects, Rate(f"project:{project}", 600)) == 10
    assert await left(projects, Rate(f"sender:{one}", 600)) == 10


async def test_with_jitter_a_visit_sends_one(
    projects: Projects, ada: Person, pace: SimpleNamespace, looked_at: SimpleNamespace
):
    use(projects.services, fake := Fake(batch=100))
    await make(projects, ada, 600, speed={"jitterSeconds": 120})  # a quarter of a minute at least
    for turn in range(1, 6):
        await projects.hurry()
        await projects.work()
        assert len(fake.took) == turn
        assert await in_line(projects) == 1
        assert await in_line(projects, due=True) == 0
        pace.now += 60
    assert looked_at.rows == 5


@pytest.mark.parametrize(
    "speed",
    [
        pytest.param({"jitterSeconds": 10}),
        pytest.param({"perMinute": 600}),
        {},
    ],
)
async def test_what_waits_for_its_window_waits_together(
    projects: Projects, ada: Person, pace: SimpleNamespace, speed: dict[str, int], looked_at: SimpleNamespace
):
    use(projects.services, Fake())
    later = datetime.now(UTC) + timedelta(hours=3)
    window = {
        "timezone": "UTC", "days": ALL_DAYS, "from": f"{later:%H}:00",
        "to": f"{(later + timedelta(hours=2)):%H}:00", "recipientTimezone": False,
    }  # fmt: skip
    project = await make(projects, ada, 60, speed=speed, window=window)
    await projects.work()
    assert await projects.states(project) == {"queued": 60}
    assert await projects.db.fetchval("SELECT count(*) FROM sending_units") <= 2


async def test_many_failures_wait_in_few_units(projects: Projects, ada: Person, monkeypatch):
    """Jitter spreads them over 24 seconds, which is six units at most; one for every ten would be thirty."""
    now = time.time()  # of all of them, however long the visit takes
    monkeypatch.setattr(claim, "time", SimpleNamespace(time=lambda: now, monotonic=time.monotonic))
    use(projects.services, Fake(lambda message: Result.transient))
    project = await started(projects, ada, 300)
    await run_cycle(projects, project)
    assert await projects.states(project) == {"queued": 300}
    assert await projects.db.fetchval("SELECT count(*) FROM sending_units") <= 8
    use(projects.services, Fake())
    await rounds(projects)
    assert await projects.states(project) == {"sent": 300}
    charges = await projects.db.fetchval("SELECT count(*) FROM ledger_entries WHERE kind = 'charge'")
    assert charges <= 9
    await assert_finished(projects, project)


# workers and slots


async def test_every_worker_helps_a_project(projects: Projects, ada: Person):
    """Two workers' runners: the one that was not woken finds the project by itself."""
    use(projects.services, fake := Fake(hangs=True, batch=2))
    project = await make(projects, ada, 1500)
    first, second = (cycle.CycleRunner(projects.services, name) for name in ("first", "second"))
    first.start(project)
    busy = "SELECT count(DISTINCT worker) FROM sending_units WHERE claim_id IS NOT NULL"
    await until(lambda: projects.db.fetchval(busy + " HAVING count(DISTINCT worker) = 1"))
    await projects.db.fetchval("UPDATE sending_units SET due_at = now() - interval '10 seconds'")
    await projects.db.fetchval("DELETE FROM pgqueuer")
    projects.services._singles[cycle.CycleRunner] = second, None
    await scheduler.help_projects(projects.services)
    await until(lambda: projects.db.fetchval(busy + " HAVING count(DISTINCT worker) = 2"))
    assert list(second._active) == [project]
    await scheduler.help_projects(projects.services)  # it is at work here already
    assert len(second.tasks) == 1
    fake.gate.set()
    await asyncio.gather(*first.tasks, *second.tasks)
    assert await projects.states(project) == {"sent": 1500}
    await assert_finished(projects, project)


async def test_a_project_that_waits_for_its_time_is_left_alone(
    projects: Projects, ada: Person, pace: SimpleNamespace, looked_at: SimpleNamespace
):
    use(projects.services, Fake())
    await make(projects, ada, 2000, speed={"perMinute": 2})
    await projects.work()
    claims = looked_at.claims
    await projects.db.fetchval("UPDATE sending_units SET due_at = now() - interval '10 seconds'")
    await scheduler.help_projects(projects.services)
    assert not cycle.runner_of(projects.services).tasks
    assert looked_at.claims == claims


@pytest.mark.settings(worker_projects=4)
async def test_a_channel_that_hangs_keeps_a_slot_for_the_others(projects: Projects, ada: Person):
    use(projects.services, hanging := Fake(hangs=True))
    use(projects.services, other := Fake(), kind="sms")
    mails = [await projects.make(ada, addresses(20)) for _ in range(4)]
    while any([(await projects.row(project))["preparation"] for project in mails]):
        await projects.step()
    await projects.db.fetchval("DELETE FROM pgqueuer")
    runner = cycle.runner_of(projects.services)
    for project in mails:
        runner.start(project)
    busy = "SELECT count(*) FROM sending_units WHERE claim_id IS NOT NULL"

    async def all_at_work() -> bool:
        return len(hanging.took) == 10 and await projects.db.fetchval(busy) == 3

    await until(all_at_work)  # the fourth waits for a slot of its channel
    texting = await projects.make(ada, ["+14155550100"], channel="sms", text="Hi", subject=None)
    await projects.work()
    assert await projects.states(texting) == {"sent": 1}
    assert len(other.took) == 1
    projects.services.stopping.set()
    hanging.gate.set()
    await asyncio.gather(*runner.tasks)
    assert len(hanging.took) == 10  # nothing is handed over after a worker was told to stop
    assert sum([(await projects.states(project))["sent"] for project in mails]) == 10
    assert await projects.db.fetchval(busy) == 0
    for project in mails:
        await accounted(projects, project)


async def test_a_worker_that_stops_begins_nothing(
    projects: Projects, ada: Person, looked_at: SimpleNamespace
):
    use(projects.services, fake := Fake())
    project = await started(projects, ada, 3)
    projects.services.stopping.set()
    await run_cycle(projects, project)
    assert not fake.took
    assert not looked_at.claims
    assert await projects.states(project) == {"queued": 3}


@pytest.mark.settings(worker_projects=1)
async def test_a_project_leaves_its_slot_to_one_that_waits(projects: Projects, ada: Person, monkeypatch):
    """Else a project that always has something due would keep its slot for ever."""
    use(projects.services, fake := Fake(batch=1))
    monkeypatch.setattr(batch_run, "CYCLE_SECONDS", 0.1)
    first, second = await prepared(projects, ada, 600), await prepared(projects, ada, 5)
    runner = cycle.runner_of(projects.services)
    runner.start(first)
    await until(lambda: len(fake.took) > 0)
    await asyncio.wait_for(runner.run(second), PATIENCE)
    assert await projects.states(second) == {"sent": 5}
    assert (await projects.states(first))["queued"] > 0
    await asyncio.gather(*runner.tasks)
    assert await projects.states(first) == {"sent": 600}
