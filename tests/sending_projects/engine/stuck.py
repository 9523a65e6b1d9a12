"""Helpers for projects whose batches are interrupted: cycles, expired claims and what must be true at the end."""

from collections.abc import Callable
from decimal import Decimal
from uuid import UUID

from engine.jobs import JOBS
from engine.projects import scheduler
from engine.projects.cycle import runner_of
from engine.sending.streams import streams_of
from tests.support.fake_channels import Fake
from tests.support.projects import Projects
from tests.support.waits import WAITING

PRICE = Decimal("0.001")


def addresses(count: int) -> list[str]:
    return [f"u{n}@example.com" for n in range(count)]


async def run_cycle(projects: Projects, project: UUID) -> None:
    await JOBS["projects.visit"].work(projects.services, project)


async def expire(projects: Projects) -> None:
    """Expires every lease of a batch long ago, and takes the batches over."""
    await projects.db.fetchval("UPDATE sending_units SET expires_at = now() - interval '1 hour'")
    await scheduler.recover_batches(projects.services)


async def rounds(projects: Projects) -> None:
    """Makes what is put off due and works it, three times, until nothing is left to come."""
    for _ in range(3):
        await projects.db.fetchval(
            "UPDATE sending_units SET due_at = now() - interval '10 seconds' WHERE claim_id IS NULL"
        )
        await scheduler.wake_projects(projects.services)
        await scheduler.recover_batches(projects.services)
        await projects.hurry()
        await projects.work()


async def are(projects: Projects, project: UUID, states: dict[str, int]) -> bool:
    return await projects.states(project) == states


def has_nothing_in_flight(projects: Projects, fake: Fake) -> bool:
    """Returns whether the stream of a route has nothing in flight, and no intent without a stored outcome."""
    stream = streams_of(projects.services).of(fake)
    return (stream._in_flight.count, stream._open) == (0, 0)


def forget(projects: Projects) -> None:
    """Clears the cooldowns, as if the time for which the provider wanted nothing were over."""
    runner_of(projects.services).limits._cooldowns.clear()


async def move(projects: Projects, project: UUID, *moves: Callable) -> None:
    for move in moves:
        async with projects.db.reading() as db, db.transaction():
            assert await move(db, project)


async def accounted(projects: Projects, project: UUID) -> None:
    """The account was charged what the messages cost and what units hold, and nothing else."""
    net, owed = await projects.db.fetchrow(
        "SELECT (SELECT COALESCE(sum(-amount), 0) FROM ledger_entries WHERE kind IN ('charge', 'refund')),"
        " (SELECT COALESCE(sum(price), 0) FROM message_records) + (SELECT COALESCE(sum(held), 0) FROM sending_units)"
    )
    assert net == owed
    await projects.sound(project)


async def assert_finished(projects: Projects, project: UUID) -> None:
    assert (await projects.row(project))["status"] == "finished"
    assert not await projects.db.fetch("SELECT FROM sending_units")
    await accounted(projects, project)


async def waiting(projects: Projects, count: int) -> bool:
    """Returns whether at least `count` sessions wait for a lock."""
    return await projects.db.fetchval(WAITING) >= count
