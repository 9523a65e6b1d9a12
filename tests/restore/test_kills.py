"""`postern resume`, and the round that writes the journal, are killed at each point; the next attempt goes on."""

import asyncio
import signal
from collections import Counter
from typing import Any

import pytest

from engine import blocks
from engine.faultpoints import JOURNAL_POINTS, RESTORE_POINTS
from engine.restore import fence, journal
from engine.restore.fence import fence_of
from engine.restore.segments import segments
from runtime.services import Services
from shapes.blocks import BlockReason
from tests.restore.test_resume import restore
from tests.support.gateway import Gateway
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.waits import PATIENCE, until
from tests.webhooks.conftest import Spawn

pytestmark = pytest.mark.rotating


async def ended(child: Any) -> int:
    return int(await asyncio.wait_for(child.ended(), PATIENCE))


@pytest.mark.parametrize("point", RESTORE_POINTS)
async def test_a_resume_that_dies_is_run_again(
    point: str, beating: Services, gateway: Gateway, projects: Projects, ada: Person, spawn: Spawn
) -> None:
    waits = await gateway.send(ada)
    project = await projects.make(ada, [f"p{n}@example.com" for n in range(30)], category="promotional")
    await projects.step()
    await restore(beating)
    worker = spawn(2)  # it waits all the time
    assert await ended(spawn(command="resume", FAULT_AT=point)) == -signal.SIGKILL
    await asyncio.sleep(1)
    assert not await fence_of(beating).look()
    assert await gateway.state(waits) == "unknown"
    await beating.db.fetch("DELETE FROM leases WHERE name = 'restore.resume'")
    assert await ended(spawn(command="resume")) == 0
    status = await fence.status(beating.db)
    assert status is not None
    assert status.is_open
    accepted = await gateway.queue(ada, 1)

    async def sent() -> bool:
        return await gateway.state(accepted[0]) == "sent"

    await until(sent)  # by the worker that has waited
    assert worker.poll() is None
    assert await gateway.state(waits) == "unknown"
    assert await projects.states(project) == Counter(unknown=30)
    assert (await projects.row(project))["status_reason"] == "restored"
    await projects.sound(project)


@pytest.mark.parametrize("point", JOURNAL_POINTS)
async def test_a_worker_that_dies_with_a_segment_leaves_no_gap(
    point: str, beating: Services, ada: Person, spawn: Spawn
) -> None:
    async with beating.db.reading() as db:
        await blocks.block(db, ada.id, "+14155550100", BlockReason.optOut)
    assert await ended(spawn(2, FAULT_AT=point)) == -signal.SIGKILL
    assert await beating.db.fetchval("SELECT count(*) FROM journal_entries") == 1
    await beating.db.fetch("DELETE FROM leases WHERE name = 'restore.journal'")
    await journal.write(beating)
    status = await fence.status(beating.db)
    assert status is not None
    written = [number async for number, _ in segments(beating, status.id, 0)]
    assert written == [1, 2]  # the one that was stored, and its entry again
    assert await beating.db.fetchval("SELECT journal_position FROM installation") == 2
    assert await beating.db.fetchval("SELECT count(*) FROM blocked_phones") == 1
