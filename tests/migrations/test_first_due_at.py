"""Batches of before the migration 0002 wait since their messages were queued."""

import asyncpg
import pytest
from alembic import command
from sqlalchemy import Connection

from core.database_options import DatabaseOptions
from core.ids import uuid7
from db import migrate
from db.session import Database
from tests.migrations.made import empty

pytestmark = pytest.mark.servers

__all__ = ["empty"]

BATCHES = 450  # more than two bites


def to_baseline(connection: Connection) -> None:
    command.upgrade(migrate.config(connection), migrate.BASELINE)


async def test_existing_batches_are_filled(empty: str) -> None:
    db = Database(empty, DatabaseOptions())
    async with db.engine.connect() as connection:
        await connection.run_sync(to_baseline)
        await connection.commit()
    raw = await asyncpg.connect(empty)
    try:
        await raw.execute("ALTER TABLE sending_units DROP CONSTRAINT fk_sending_units_project_id")
        ids = [uuid7() for _ in range(BATCHES)]
        await raw.execute(
            "INSERT INTO sending_units (id, project_id, due_at)"
            " SELECT id, gen_random_uuid(), now() + interval '1 hour' FROM unnest($1::uuid[]) AS u (id)",
            ids,
        )
        await raw.execute(
            'INSERT INTO message_records (id, project_id, owner_id, unit_id, channel, "to", status, queued_at)'
            " SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), id, 'email', 'a@example.com',"
            " CASE n WHEN 1 THEN 'sent' ELSE 'queued' END, now() - n * interval '1 day'"
            " FROM unnest($1::uuid[]) AS u (id), generate_series(1, 3) AS n",
            ids[1:],
        )
        await migrate.upgrade(db.engine)
        days = await raw.fetch(
            "SELECT extract(day FROM now() - first_due_at)::int AS days, count(*) AS batches FROM sending_units"
            " GROUP BY 1 ORDER BY 1"
        )
        assert [tuple(row) for row in days] == [(0, 1), (3, BATCHES - 1)]
        assert await raw.fetchval("SELECT to_regclass('ix_messages_due_since') IS NULL")
        assert "INCLUDE (created_at, send_at)" in await raw.fetchval(
            "SELECT pg_get_indexdef('ix_messages_due'::regclass)"
        )
    finally:
        await raw.close()
        await db.close()
