"""A change of a table which every request reads keeps nobody waiting while it waits itself."""

import asyncio
from typing import Any

import asyncpg
import pytest

from postern import process
from tests.migrations.made import Steps, empty, steps

__all__ = ["empty", "steps"]

READS = 10
CHANGE = """briefly(op.get_bind(), lambda: op.execute("ALTER TABLE people ADD COLUMN age int"))"""
TRIGGER = """
CREATE OR REPLACE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;

-- Triggers
CREATE OR REPLACE TRIGGER noted AFTER INSERT ON people FOR EACH ROW EXECUTE FUNCTION noted();
"""


@pytest.mark.parametrize("kind", ["migration", "function"])
async def test_others_go_on_while_it_waits(empty: str, make_settings: Any, steps: Steps, kind: str) -> None:
    settings = make_settings(db_string=empty)
    steps('op.execute("CREATE TABLE people (id int)")')
    await process.prepare(settings)
    if kind == "migration":
        steps("from db.scripts import briefly", CHANGE)
    else:
        steps.function("noted", TRIGGER)
    holder, other = await asyncpg.connect(empty), await asyncpg.connect(empty)
    try:
        transaction = holder.transaction()
        await transaction.start()
        await holder.execute("INSERT INTO people VALUES (1)")  # its lock stays, as that of a long transaction
        await other.execute("SET lock_timeout = '5s'")
        migrating = asyncio.create_task(process.prepare(settings))
        waited = False
        for number in range(READS):
            await asyncio.sleep(0.05)
            waited |= await other.fetchval("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            await other.execute("INSERT INTO people VALUES ($1)", number)  # raises if it waits for long
        assert waited  # the migration did
        assert not migrating.done()
        await transaction.commit()
        await migrating
        assert await other.fetchval("SELECT count(*) FROM people") == READS + 1
    finally:
        await holder.close()
        await other.close()
