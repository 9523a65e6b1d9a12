"""Workers die while they read and compare an invoice: the one that goes on ends with the same result."""

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from core.ids import uuid7
from core.settings import Settings
from engine.faultpoints import INVOICE_POINTS
from engine.provider_invoices import comparing
from runtime.services import open_services
from tests.faults.world import World, shared_world
from tests.support.deployment import KEYS
from tests.support.invoices import SIX_DAYS, add, begin, billed, fill, result_of, sent
from tests.support.servers import redis_url
from tests.support.waits import until

pytestmark = pytest.mark.rotating

MESSAGES = 5000  # three pages of lines
_STATUS = "SELECT status FROM provider_invoices WHERE id = $1"
_FREE = "UPDATE leases SET expires_at = now() WHERE name LIKE 'invoices.compare:%'"


@pytest.fixture
async def it(database: str, tmp_path: Path) -> AsyncIterator[World]:
    async with shared_world(tmp_path, database) as made:
        yield made


@pytest.mark.parametrize(
    ("first", "others"), [(INVOICE_POINTS[0], INVOICE_POINTS[1:]), (INVOICE_POINTS[1], INVOICE_POINTS[2:])]
)
async def test_the_result_is_that_of_a_worker_which_lives(
    first: str, others: tuple[str, ...], it: World, tmp_path: Path
) -> None:
    await it.provider(honours=True, seed=1, trouble=0)
    settings = Settings(_env_file=None, db_string=it.url, redis_url=redis_url(), data_dir=tmp_path, **KEYS)
    services, db, owner = open_services(settings), await asyncpg.connect(it.url), await it.owner()
    account = await db.fetchval("SELECT id FROM accounts WHERE owner_id = $1", owner)
    since = begin()
    await fill(db, owner, account or uuid7(), MESSAGES, since)
    text, planted = billed(await sent(db), 50)
    text += ",+4915100000000,yesterday,1,1\n"
    whole = await add(services, owner, text, since, since + SIX_DAYS)
    await comparing.compare(services, whole)
    expected = await result_of(db, whole)
    assert expected[0] == "ready", expected[:2]
    assert len(expected[5]) == len(planted) + 1
    killed = await add(services, owner, text, since, since + SIX_DAYS)
    for point in (first, first, *others):  # twice at the first: then a part of the lines is stored already
        await db.execute(_FREE)
        dying = await it.worker(FAULT_AT=point)
        code = await asyncio.wait_for(dying.wait(), 120)
        assert code == -signal.SIGKILL, (point, code)
    await db.execute(_FREE)
    await it.worker()

    async def ready() -> bool:
        return await db.fetchval(_STATUS, killed) != "processing"

    await until(ready)
    assert await result_of(db, killed) == expected
    await db.close()
    await services.close()
