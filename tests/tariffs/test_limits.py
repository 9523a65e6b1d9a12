"""Tests the limits of a tariff as the sending engine takes from them, with many callers at once."""

import asyncio

import asyncpg
import pytest

from core.errors import Conflict, NotFound
from core.ids import uuid7
from db import models
from db.session import driver_connection
from engine import tariffs


@pytest.fixture
async def pool(database: str):
    """Enough connections that callers do meet."""
    made = await asyncpg.create_pool(database, min_size=0, max_size=20)
    yield made
    await made.close()


async def _limit(services, **columns):
    async with services.db.session.begin() as session:
        tariff = await session.get(models.Tariff, "default")
        for name, value in columns.items():
            setattr(tariff, name, value)


async def _project(services, person, status="draft"):
    async with services.db.session.begin() as session:
        project = models.SendingProject(
            owner_id=person.id, account_id=person.account_id, name="p", channel="sms", status=status
        )
        session.add(project)
    return project.id


async def _used(services, person):
    return await services.db.fetchval("SELECT messages FROM tariff_usage WHERE user_id = $1", person.id)


async def test_fifty_callers_get_what_is_there_and_not_one_more(pool, services, ada, bob):
    async def take(user, wanted):
        async with pool.acquire() as connection, connection.transaction():
            granted = await tariffs.reserve(connection, user.id, wanted, 1005)
            await asyncio.sleep(0)  # others come in between
            return granted

    granted = await asyncio.gather(*(take(ada, 50) for _ in range(50)), *(take(bob, 7) for _ in range(10)))
    assert sum(granted[:50]) == 1005
    assert sorted(set(granted[:50])) == [0, 5, 50]
    assert granted[50:] == [7] * 10
    assert await _used(services, ada) == 1005
    assert await take(ada, 1) == 0


async def test_what_is_rolled_back_was_never_taken(pool, services, ada):
    async with pool.acquire() as connection:
        transaction = connection.transaction()
        await transaction.start()
        assert await tariffs.reserve(connection, ada.id, 10, 10) == 10
        await transaction.rollback()
        assert await tariffs.reserve(connection, ada.id, 8, 10) == 8
        assert await tariffs.reserve(connection, ada.id, 8, 10) == 2
        await tariffs.give_back(connection, ada.id, 4)
        assert await tariffs.reserve(connection, ada.id, 8, 10) == 4
        await tariffs.give_back(connection, ada.id, 1000)
        assert await _used(services, ada) == 0
        await tariffs.give_back(connection, ada.id, 0)


@pytest.mark.parametrize(("wanted", "per_day"), [(0, 10), (-1, 10), (5, 0)])
async def test_nothing_is_granted(pool, services, ada, wanted, per_day):
    async with pool.acquire() as connection:
        assert await tariffs.reserve(connection, ada.id, wanted, per_day) == 0
    assert not await _used(services, ada)


async def test_a_tariff_that_shrinks_grants_nothing_and_takes_nothing_away(pool, services, ada):
    async with pool.acquire() as connection:
        assert await tariffs.reserve(connection, ada.id, 10, 100) == 10
        assert await tariffs.reserve(connection, ada.id, 10, 5) == 0
    assert await _used(services, ada) == 10


async def test_yesterday_counts_for_nothing(pool, services, ada):
    await services.db.fetch(
        "INSERT INTO tariff_usage (user_id, day, messages) SELECT $1, (now() AT TIME ZONE 'UTC')::date - 1, 10",
        ada.id,
    )
    async with pool.acquire() as connection:
        assert await tariffs.reserve(connection, ada.id, 10, 10) == 10


async def test_projects_started_at_once_never_exceed_the_tariff(services, ada, bob):
    await _limit(services, max_concurrent_projects=3)
    projects = [await _project(services, ada) for _ in range(12)]
    await _project(services, bob, "running")

    async def start(id):
        async with services.db.session.begin() as session:
            await tariffs.room_for_project(await driver_connection(session), ada.id)
            (await session.get(models.SendingProject, id)).status = "running"

    done = await asyncio.gather(*(start(id) for id in projects), return_exceptions=True)
    refused = [error for error in done if error is not None]
    assert len(refused) == 9
    assert {type(error) for error in refused} == {Conflict}
    assert refused[0].code == "too_many_projects"
    assert refused[0].details == {"limit": 3, "projects": 3}
    assert (await ada.rest("GET", "/user/tariff")).json()["used"]["concurrentProjects"] == 3


@pytest.mark.parametrize("status", ["scheduled", "running", "paused"])
async def test_a_project_that_runs_already_finds_room(services, ada, status):
    await _limit(services, max_concurrent_projects=1)
    mine = await _project(services, ada, status)
    for other in ("draft", "stopped", "finished", "deleted"):
        await _project(services, ada, other)
    async with services.db.session.begin() as session:
        connection = await driver_connection(session)
        await tariffs.room_for_project(connection, ada.id, mine)
        with pytest.raises(Conflict):
            await tariffs.room_for_project(connection, ada.id)
        with pytest.raises(NotFound):
            await tariffs.room_for_project(connection, uuid7())


_ADD = """
INSERT INTO recipients (id, project_id, address)
SELECT gen_random_uuid(), $1, $2 || n FROM generate_series(1, $3) AS n
"""


async def test_recipients_added_at_once_never_exceed_the_tariff(services, pool, ada, bob):
    await _limit(services, max_recipients_per_project=100)
    mine, theirs = await _project(services, ada), await _project(services, bob)

    async def add(project, name, count):
        async with pool.acquire() as connection, connection.transaction():
            await tariffs.check_recipients(connection, project, count)
            await connection.execute(_ADD, project, name, count)

    # They interleave, so the numbers of one project's recipients lie far apart.
    done = await asyncio.gather(
        *(add(project, f"{turn}-", 9) for turn in range(15) for project in (mine, theirs)),
        return_exceptions=True,
    )
    refused = [error for error in done if error is not None]
    assert {(type(error), error.code) for error in refused} == {(Conflict, "too_many_recipients")}
    assert len(refused) == 8
    for project in (mine, theirs):
        count = "SELECT count(*) FROM recipients WHERE project_id = $1"
        assert await services.db.fetchval(count, project) == 99
        await add(project, "last", 1)
        with pytest.raises(Conflict):
            await add(project, "more", 1)
    with pytest.raises(NotFound):
        await add(uuid7(), "x", 1)
