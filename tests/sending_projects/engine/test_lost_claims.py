"""A worker that lost its claim, and then learns that messages were not dispatched, queues these again."""

from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from engine.projects import batches, project_moves
from engine.projects.items import RecordState
from tests.sending_projects.engine.stuck import accounted, assert_finished, move
from tests.sending_projects.engine.test_claims import PRICE, Hand, balance, started
from tests.support.people import Person
from tests.support.projects import Projects

pytestmark = pytest.mark.rotating


async def withdraw(hand: Hand, ids: list[UUID], later: dict[UUID, timedelta] | None = None) -> None:
    """Stores that these were not dispatched; the batch is the first of `later`, if there is one."""
    assert hand.unit
    batch = next(iter(later), None) if later else None
    states = [RecordState(id, "queued", 0, 0, Decimal(0), batch) for id in ids]
    row = await hand.projects.row(hand.project)
    async with hand.projects.db.reading() as db, db.transaction():
        await batches.record(
            db, hand.unit, hand.claim, row, states, later or {}, lambda written: PRICE * len(written)
        )


async def lost(
    projects: Projects, ada: Person, *, count: int = 5, intents: int = 3
) -> tuple[UUID, Hand, list[UUID]]:
    """Returns a project, a worker that lost its claim, and the messages that are `unknown` for that."""
    project = await started(projects, ada, count)
    hand = await Hand(projects, project).take()
    assert await hand.hold(ada.account_id)
    ids = [*await hand.mark(intents)]
    await hand.die()
    assert await projects.states(project) == {"unknown": intents, "queued": count - intents}
    return project, hand, ids


async def of_ids(projects: Projects, project: UUID, ids: list[UUID]) -> list[Any]:
    return [row for row in await projects.records(project) if row["id"] in ids]


@pytest.mark.parametrize("later", [None, {uuid7(): timedelta(seconds=30)}], ids=["now", "later"])
async def test_what_was_not_dispatched_is_queued_again(
    later: dict[UUID, timedelta] | None, projects: Projects, ada: Person
):
    project, hand, ids = await lost(projects, ada)
    await withdraw(hand, ids, later)
    await withdraw(hand, ids, later)  # the answer to the first commit was lost
    for row in await of_ids(projects, project, ids):
        assert (row["status"], row["failure_code"], row["handed_at"]) == ("queued", None, None)
    await accounted(projects, project)
    await projects.hurry()
    await projects.work()
    assert await projects.states(project) == {"sent": 5}
    assert await balance(projects) == 100 - 5 * PRICE
    await assert_finished(projects, project)


async def test_a_project_that_finished_meanwhile_goes_on(projects: Projects, ada: Person):
    project, hand, ids = await lost(projects, ada)
    await projects.work()
    assert (await projects.row(project))["status"] == "finished"
    await withdraw(hand, ids)
    row = await projects.row(project)
    assert (row["status"], row["finished_at"]) == ("running", None)
    await projects.work()
    assert await projects.states(project) == {"sent": 5}
    assert await balance(projects) == 100 - 5 * PRICE
    await assert_finished(projects, project)
    await withdraw(hand, ids)  # nothing of it is this worker's any more
    await assert_finished(projects, project)


async def test_what_a_stopped_project_did_not_send_waits_for_its_start(projects: Projects, ada: Person):
    project, hand, ids = await lost(projects, ada)
    await move(projects, project, project_moves.stop)
    await withdraw(hand, ids)
    assert await projects.states(project) == {"queued": 5}
    assert await balance(projects) == 100
    await projects.work()
    assert await projects.states(project) == {"queued": 5}
    await move(projects, project, project_moves.begin)
    await projects.work()
    assert await projects.states(project) == {"sent": 5}
    await assert_finished(projects, project)


OVER = {
    "deleted": "UPDATE sending_projects SET status = 'deleted' WHERE id = $1",
    "finished yesterday": "UPDATE sending_projects SET finished_at = now() - interval '25 hours' WHERE id = $1",
    "suspended": (
        "UPDATE users SET status = 'suspended' WHERE id = (SELECT owner_id FROM sending_projects"
        " WHERE id = $1)"
    ),
}


@pytest.mark.parametrize("over", OVER)
async def test_what_nobody_will_send_has_failed_and_is_refunded(over: str, projects: Projects, ada: Person):
    project, hand, ids = await lost(projects, ada)
    await projects.work()
    before = (await projects.row(project))["status"]
    assert before == "finished"
    await projects.db.fetchval(OVER[over], project)
    await withdraw(hand, ids)
    for row in await of_ids(projects, project, ids):
        assert (row["status"], row["failure_code"]) == ("failed", "not_dispatched")
    assert await balance(projects) == 100 - 2 * PRICE
    await accounted(projects, project)
