"""The API is killed between a change and its entry, and in the middle of many: both are there, or neither is."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress

import asyncpg
import httpx
import pytest

from tests.support.live import Live, serving
from tests.support.waits import PATIENCE, WAITING, until

pytestmark = pytest.mark.rotating

GATE = 57
ANSWERS = "SELECT id::text FROM canned_answers"
ENTRIES = "SELECT object_id FROM audit_entries WHERE operation = 'canned_answers.create' AND result = 'done'"


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with serving() as made:
        yield made


@pytest.fixture
async def connection(live: Live) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(live.database, timeout=PATIENCE)
    yield connection
    await connection.close()


async def _add(live: Live, number: int) -> bool:
    """Adds an answer, and returns whether the API said so: it does not if it is killed meanwhile."""
    with suppress(httpx.TransportError):
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{live.port}", timeout=PATIENCE) as client:
            new = {"shortcut": f"answer{number}", "text": "Thank you!"}
            answer = await client.post("/canned-answers", headers=live.ada.headers, json=new)
            assert answer.status_code == 201, answer.text
            return True
    return False


async def _are_equal(connection: asyncpg.Connection) -> int:
    """Checks that each answer has its entry, and each entry its answer. Returns how many there are."""
    answers = sorted(row[0] for row in await connection.fetch(ANSWERS))
    assert answers == sorted(row[0] for row in await connection.fetch(ENTRIES))
    return len(answers)


async def test_a_kill_between_the_change_and_its_entry_leaves_neither(
    live: Live, connection: asyncpg.Connection
):
    await connection.execute(
        "CREATE FUNCTION waits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        f" PERFORM pg_advisory_xact_lock_shared({GATE}); RETURN NEW; END $$;"
        " CREATE TRIGGER waits BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION waits()"
    )
    await connection.execute(f"SELECT pg_advisory_lock({GATE})")
    adding = asyncio.create_task(_add(live, 0))
    await until(lambda: connection.fetchval(WAITING))
    await asyncio.to_thread(live.kill)
    assert not await adding
    await connection.execute(f"SELECT pg_advisory_unlock({GATE})")
    # The transaction ends when PostgreSQL finds that its client is gone.
    await until(lambda: connection.fetchval(f"SELECT pg_try_advisory_lock({GATE})"))
    await connection.execute(
        f"SELECT pg_advisory_unlock({GATE}); DROP TRIGGER waits ON audit_entries; DROP FUNCTION waits()"
    )
    assert await _are_equal(connection) == 0
    assert await _add(live, 0)
    assert await _are_equal(connection) == 1


async def test_kills_in_the_middle_of_many_changes(live: Live, connection: asyncpg.Connection):
    chance, said, number = random.Random(26), await _are_equal(connection), 1
    for _ in range(3):
        adding = [asyncio.create_task(_add(live, number + each)) for each in range(60)]
        number += len(adding)
        least = await connection.fetchval("SELECT count(*) FROM canned_answers") + chance.randrange(1, 30)
        await until(lambda least=least: _reaches(connection, least))
        await asyncio.to_thread(live.kill)
        outcomes = await asyncio.gather(*adding)
        said += sum(outcomes)
        assert not all(outcomes)
    await until(lambda: _nothing_runs(connection))
    assert await _are_equal(connection) >= said


async def _reaches(connection: asyncpg.Connection, least: int) -> bool:
    return bool(await connection.fetchval("SELECT count(*) >= $1 FROM canned_answers", least))


async def _nothing_runs(connection: asyncpg.Connection) -> bool:
    """Returns whether no transaction of a killed process is left."""
    return not await connection.fetchval(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND xact_start IS NOT NULL AND backend_type = 'client backend'"
    )
