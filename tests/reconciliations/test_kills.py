"""Workers die at every point of a reconciliation; the next one goes on, and the document has the same bytes."""

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from engine.faultpoints import RECONCILIATION_POINTS
from engine.jobs.fair_queue import KINDS, JobName
from tests.faults.world import World, shared_world
from tests.reconciliations.conftest import all_words, finished
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.rounds import run_round

_CHUNKS = "SELECT number, root, hashes, salts, body FROM reconciliation_chunks ORDER BY number"
_BACK = """
UPDATE reconciliations SET made_at = NULL, number = NULL, state = NULL, document = NULL, hash = NULL, signature = NULL,
  seed = $1, settles_at = NULL
"""


@pytest.fixture
async def it(database: str, tmp_path: Path) -> AsyncIterator[World]:
    async with shared_world(tmp_path, database) as made:
        yield made


@pytest.mark.rotating
@pytest.mark.parametrize("point", RECONCILIATION_POINTS)
async def test_a_worker_that_dies_at(point: str, it: World):
    await it.provider(honours=True, seed=1, trouble=0)
    await it.start(40)
    dying = await it.worker(FAULT_AT=point)
    assert await asyncio.wait_for(dying.wait(), 120) == -signal.SIGKILL
    db = await asyncpg.connect(it.url)
    before = await db.fetchrow("SELECT id, begun_at, made_at FROM reconciliations")
    assert before["begun_at"] is not None
    assert before["made_at"] is None
    assert await db.fetchval("SELECT count(*) FROM reconciliation_chunks") == 0
    await it.worker()
    await it.quiet()
    verdict = await it.verdict()
    assert not verdict.problems
    after = await db.fetchrow("SELECT id, begun_at, made_at, seed, number FROM reconciliations")
    await db.close()
    assert (after["id"], after["begun_at"]) == (before["id"], before["begun_at"])
    assert (after["seed"], after["number"]) == (None, 1)


async def test_the_same_records_make_the_same_bytes(projects: Projects, ada: Person, monkeypatch: Any):
    """As a worker finds them that goes on after one that was killed: with its seed and its time."""
    seed = bytes(range(32))
    monkeypatch.setattr("secrets.token_bytes", lambda _: seed)
    await finished(projects, ada, all_words(20))
    first = await _stored(projects)
    async with projects.db.reading() as db:
        await db.execute("DELETE FROM reconciliation_chunks")
        await db.execute(_BACK, seed)
    await run_round(projects.services, "wake_make")
    await projects.work()
    assert await _stored(projects) == first


async def test_a_worker_that_lost_its_lease_stores_nothing(projects: Projects, ada: Person, monkeypatch: Any):
    await finished(projects, ada, all_words(1))
    async with projects.db.reading() as db:
        await db.execute("DELETE FROM reconciliation_chunks")
        await db.execute(_BACK, bytes(32))
    row = await projects.db.fetchval("SELECT id FROM reconciliations")

    class Lost:
        valid = False
        pause: Any = None

    await KINDS[JobName.reconcile].work(projects.services, UUID(str(row)), Lost())  # type: ignore[arg-type]
    assert await projects.db.fetchval("SELECT count(*) FROM reconciliation_chunks") == 0
    assert await projects.db.fetchval("SELECT made_at FROM reconciliations") is None


async def _stored(projects: Projects) -> Any:
    row = await projects.db.fetchrow("SELECT document, signature, hash, root FROM reconciliations")
    return [tuple(row.values()), [tuple(each.values()) for each in await projects.db.fetch(_CHUNKS)]]
