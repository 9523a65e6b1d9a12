"""Finds out what an id belongs to. Whether the caller may see the row is up to the operation that reads it."""

from collections.abc import Mapping
from functools import lru_cache
from uuid import UUID

from runtime.services import Services


async def kinds(services: Services, id: UUID, tables: Mapping[str, str]) -> list[str]:
    """Returns the types that a row with this id can be of, given the table of each type; none if there is no row.

    One statement.
    """
    names = {row["name"] for row in await services.db.fetch(_statement(tuple(tables.values())), id)}
    return [kind for kind, table in tables.items() if table in names]


@lru_cache(maxsize=1)
def _statement(tables: tuple[str, ...]) -> str:
    return "\nUNION ALL ".join(
        f"SELECT '{table}' AS name WHERE EXISTS (SELECT FROM {table} WHERE id = $1)"  # noqa: S608  our own table names
        for table in dict.fromkeys(tables)
    )
