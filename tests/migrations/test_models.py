"""A migrated database has the tables that the models declare."""

import re
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import create_async_engine

from db.models import Base

# Tables of PgQueuer's and of the migrations, and the partitions that are made by the date.
NO_MODEL = re.compile(r"pgqueuer\w*|schema_functions|audit_entries_(default|\d{4}_\d\d)")
RANDOM = ("event_feeds", "epoch")  # defaults are compared by their values


@pytest.mark.filterwarnings(
    "ignore:Did not recognize type 'message_event'"
)  # SQLAlchemy has no composite types
async def test_the_models_are_the_tables(database: str):
    """Alembic finds nothing that a migration would have to change: no table, column, type, default or index."""
    engine = create_async_engine(database.replace("postgresql://", "postgresql+asyncpg://"))

    def ours(name: str | None, kind: str, _: Any) -> bool:
        return kind != "table" or not NO_MODEL.fullmatch(str(name))

    def compare(connection: Connection) -> list[Any]:
        options = {"compare_type": True, "compare_server_default": True, "include_name": ours}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), Base.metadata))

    async with engine.connect() as connection:
        differences = await connection.run_sync(compare)
    await engine.dispose()
    assert [each for each in differences if each[0][:4:2] != ("modify_default", RANDOM[0])] == []
