"""No list walks over its owner's rows: whatever is asked for lies at the far end of very many ordinary rows.

The ordinary rows have the values that nobody asks for, and the first ones the others, or no row has them. So a
statement that looks for them along the list's order would read all rows. What is counted is what PostgreSQL has read,
with the real parameters, in both of the ways in which it may plan a prepared statement. `ROWS=1000000` makes a million
messages and a tenth of that in the other tables; with `EVERY_TABLE=1`, a million in each, which takes some minutes;
with `LARGE=recipients`, a million in that table and ten thousand in the others.
`TIMES=a.json` writes the median milliseconds of each case, so that those of a million can be held against those of a
thousand.
"""

import os
import statistics
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import orjson
import pytest

from core.ids import uuid7
from db import query as queries
from runtime.services import Services
from shapes.where import Where
from tests.connections.by_hand import MADE_BY_HAND
from tests.connections.conftest import ACCOUNT, FILE, IMPORT, WEBHOOK
from tests.connections.large import CASES, EXCEPTIONS, FEED, SEEDS
from tests.message_records.rows import project
from tests.support.people import Person

MANY = int(os.environ.get("ROWS", "100000"))
EVERY_TABLE = "EVERY_TABLE" in os.environ
LARGE = os.environ.get("LARGE")
PATIENCE = max(600, MANY // 5_000)  # seconds of one statement
MOST = 3_000
"""Rows and entries of indexes that a page may read. A page has twenty; whoever walks reads all of them."""


@contextmanager
def counted(services: Services) -> Iterator[list[tuple[str, Any, bool]]]:
    """The statements that are run meanwhile, their parameters, and whether they are planned each time."""
    db: Any = services.db
    read, planned, statements = db._read, queries.fetch_planned, list[tuple[str, Any, bool]]()

    async def reads(how: str, sql: str, arguments: tuple[Any, ...]) -> Any:
        statements.append((sql, arguments, False))
        return await read(how, sql, arguments)

    async def plans(db: Any, sql: str, arguments: Any) -> Any:
        statements.append((sql, arguments, True))
        return await planned(db, sql, arguments)

    db._read, queries.fetch_planned = reads, plans
    try:
        yield statements
    finally:
        db._read, queries.fetch_planned = read, planned


def _rows(table: str, divisor: int) -> int:
    """Returns how many rows the table gets."""
    if LARGE:
        return MANY if table == LARGE else 10_000
    return MANY // (1 if EVERY_TABLE else divisor)


_FOREIGN_KEYS = "SELECT conname FROM pg_constraint WHERE conrelid = $1::text::regclass AND contype = 'f'"
# In the order in which they were made: of two that cost the same, the planner takes the older one.
_INDEXES = """
SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index AS i
WHERE i.indrelid = $1::text::regclass AND NOT EXISTS (SELECT FROM pg_constraint AS c WHERE c.conindid = i.indexrelid)
ORDER BY i.indexrelid
"""


async def _seed(db: asyncpg.Connection, table: str, sql: str, *values: Any) -> None:
    """Makes the rows of a table by one statement, without triggers and foreign keys, which would take most of the
    time.
    """
    await db.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    for row in await db.fetch(_FOREIGN_KEYS, table):
        await db.execute(f"ALTER TABLE {table} DROP CONSTRAINT {row['conname']}")
    # An index is built sooner than a million entries are inserted into it.
    indexes = await db.fetch(_INDEXES, table)
    for row in indexes:
        await db.execute(f"DROP INDEX {row['name']}")
    await db.execute(sql, *values, timeout=PATIENCE)
    for row in indexes:  # of a partitioned table, those of its partitions, too
        await db.execute(row["definition"].replace(" ON ONLY ", " ON "), timeout=PATIENCE)
    await db.execute(f"VACUUM ANALYZE {table}", timeout=PATIENCE)


@pytest.fixture
async def world(ada: Person, services: Services) -> AsyncIterator[dict[str, str]]:
    """Ada's rows, and rows of five hundred others; the ids that cases name."""
    second = (await ada.rest("POST", "/accounts", json={"name": "second"})).json()["id"]
    ids = {name: uuid7() for name in ("messenger", "chat", "webhook", "file", "import", "nobody")}
    ids |= {"project": await project(services, ada), "owner": ada.id, "account": ada.account_id}
    ids |= {"second": UUID(second)}
    db = await asyncpg.connect(services.db.url)
    await db.execute(ACCOUNT, ids["messenger"], ada.id, "m")
    await db.execute(WEBHOOK, ids["webhook"], ids["messenger"], "https://example.com", ada.id)
    await db.execute(FILE, ids["file"], ada.id, "f", "f")
    await db.execute(IMPORT, ids["import"], ada.id, ids["file"], "f")
    for table, (sql, divisor, parents) in SEEDS.items():
        await _seed(db, table, sql, _rows(table, divisor), *(ids[parent] for parent in parents))
    ids["chat"] = await db.fetchval("SELECT id FROM messenger_chats ORDER BY last_at LIMIT 1")
    for table in SEEDS:
        order = "seq" if table in ("message_records", "recipients", "webhook_deliveries") else "id"
        if table not in ("import_rows", "events"):
            ids[f"of_{table}"] = await db.fetchval(f"SELECT id FROM {table} ORDER BY {order} LIMIT 1")
    await db.close()
    yield {name: str(id) for name, id in ids.items()}


MODES = ("force_custom_plan", "force_generic_plan")
_READ = """
SELECT sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int8
FROM pg_class WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace
"""


async def rows_read(db: asyncpg.Connection, sql: str, arguments: Any, mode: str) -> int:
    """Returns how many entries of indexes and rows of tables the statement reads."""
    async with db.transaction():
        await db.execute(f"SET LOCAL plan_cache_mode = {mode}")
        before = await db.fetchval(_READ)
        await db.fetch(sql, *arguments, timeout=60)
        return int(await db.fetchval(_READ) - before)


async def _median(ada: Person, query: str, variables: dict[str, Any]) -> float:
    """Returns the median milliseconds of the request, of fifteen."""
    taken = []
    for _ in range(15):
        begun = time.perf_counter()
        await ada.data(query, variables)
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)


def _filled(value: Any, world: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _filled(item, world) for name, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, world) for item in value]
    return value.format(**world) if isinstance(value, str) and value.startswith("{") else value


@pytest.mark.slow
async def test_no_filter_walks_over_the_rows(
    ada: Person, world: dict[str, str], services: Services, subtests: Any
) -> None:
    times: dict[str, float] = {}
    async with services.db.reading() as db:
        for name, (field, kind, cases) in CASES.items():
            asked = (
                field.replace("{", "{{")
                .replace("}", "}}")
                .replace("<", "{")
                .replace(">", "}")
                .format(**world)
            )
            for where in cases:
                for fields in ("nodes{__typename}", "totalCount"):
                    if EXCEPTIONS.get(name, {}).keys() & where.keys():
                        continue
                    with subtests.test(name, where=where, fields=fields):
                        query = f"query($w:{kind}){{{asked.replace('…', fields)}}}"
                        with counted(services) as statements:
                            data = await ada.data(query, {"w": _filled(where, world)})
                        if "TIMES" in os.environ and fields != "totalCount":
                            filled = {"w": _filled(where, world)}
                            times[f"{name} {orjson.dumps(where).decode()}"] = await _median(
                                ada, query, filled
                            )
                        while "found" not in data:
                            (data,) = data.values()
                        # Counting reads what it counts, each row once or twice.
                        most = MOST + 3 * data["found"].get("totalCount", 0)
                        for sql, values, planned in statements:
                            for mode in MODES[:1] if planned else MODES:
                                read = await rows_read(db, sql, values, mode)
                                assert read <= most, (mode, sql)
    if "TIMES" in os.environ:
        times |= {f"feed {name}": await _median(ada, query, {}) for name, query in FEED.items()}
        Path(os.environ["TIMES"]).write_bytes(orjson.dumps(times))


def test_every_filter_has_a_case_or_a_reason() -> None:
    shapes = {shape.__name__: shape for shape in Where.__subclasses__()}
    named = {kind for _, kind, _ in CASES.values()} | MADE_BY_HAND.keys()
    graphql = {"ChatWhere": "MessengerChatWhere", "ChatMessageWhere": "MessengerMessageWhere"}
    for name, shape in shapes.items():
        if shape.__module__.startswith("shapes.") and name not in MADE_BY_HAND:
            kind = graphql.get(name, name)
            assert kind in named, f"{name}: seed a list of it, or say in MADE_BY_HAND why it stays short"
            lists = [item for item in CASES if CASES[item][1] == kind]
            tried = {column for item in lists for case in CASES[item][2] for column in case}
            reasons = {column for item in lists for column in EXCEPTIONS.get(item, {})}
            fields = {field.alias or field_name for field_name, field in shape.model_fields.items()}
            assert fields - tried - reasons == set(), name
