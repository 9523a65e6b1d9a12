"""Lists of projects read an index, whatever their order: by the plan, not by the clock."""

from typing import Any

import pytest

from runtime.services import Services
from tests.engine.test_stale_statistics import rows_read
from tests.support.people import Person

MANY = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, account_uuids)
SELECT overlay(gen_random_uuid()::text PLACING '01a00000-0000-7' FROM 1 FOR 15)::uuid, $1, $2, 'p' || n % 500, 'sms',
  ARRAY[gen_random_uuid()]
FROM generate_series(1, 3000) AS n
"""

# Fifty others have two accounts each, as Ada has.
OTHERS = """
WITH others AS (
  INSERT INTO users (id, email, roles) SELECT gen_random_uuid(), n || '@example.com', '{user}'
  FROM generate_series(1, 50) AS n RETURNING id
)
INSERT INTO accounts (id, owner_id, name, currency)
SELECT gen_random_uuid(), others.id, 'one of two', 'USD' FROM others, generate_series(1, 2)
"""
OF_EACH_ACCOUNT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel)
SELECT overlay(gen_random_uuid()::text PLACING '01a00000-0000-7' FROM 1 FOR 15)::uuid, owner_id, id, 'p', 'sms'
FROM generate_series(1, 200), accounts
"""


@pytest.fixture
async def crowd(ada: Person, bob: Person, services: Services) -> Person:
    """Users with two accounts: with one, the index of the owner would serve a list of the account as well."""
    others = [
        (await who.rest("POST", "/accounts", json={"name": "Other"})).json()["id"] for who in (ada, bob)
    ]
    async with services.db.reading() as db:
        for who, other in zip((ada, bob), others, strict=True):
            await db.execute(MANY, who.id, who.account_id)
            await db.execute(MANY, who.id, other)
        await db.execute("ANALYZE sending_projects")
    return ada


async def statement(ada: Person, services: Services, query: str) -> tuple[str, Any]:
    """Returns the statement by which a query of GraphQL reads projects, with its arguments."""
    db: Any = services.db
    statements: list[tuple[str, Any]] = []
    real = db._read

    async def read(how: str, sql: str, arguments: tuple[Any, ...]) -> Any:
        statements.append((sql, arguments))
        return await real(how, sql, arguments)

    db._read = read
    try:
        await ada.data(query)
    finally:
        db._read = real
    return next(each for each in statements if "FROM sending_projects" in each[0])


@pytest.mark.parametrize(
    ("field", "index"),
    [
        ("{sendingProjects%s{nodes{uuid}}}", "ix_sending_projects_owner_id_id"),
        ("{accounts{nodes{sendingProjects%s{nodes{uuid}}}}}", "ix_sending_projects_account_id_id"),
        ("{me{sendingProjects%s{nodes{uuid}}}}", "ix_sending_projects_owner_id_id"),
        ("{sendingProjects%s{nodes{uuid}}}", "ix_sending_projects_owner_id_name_id"),
        ("{me{sendingProjects%s{nodes{uuid}}}}", "ix_sending_projects_owner_id_name_id"),
        ("{sendingProjects%s{nodes{uuid}}}", "ix_sending_projects_owner_id_updated_at_id"),
        ("{sourceAccounts{nodes{sendingProjects%s{nodes{uuid}}}}}", "ix_sending_projects_account_uuids"),
    ],
    ids=["new", "account", "user", "name", "user-name", "updated", "sender"],
)
async def test_a_list_reads_its_index(crowd: Person, services: Services, field: str, index: str) -> None:
    order = {"name": "name", "updated_at": "updatedAt"}.get(
        index.partition("owner_id_")[2].removesuffix("_id")
    )
    await crowd.rest("POST", "/account/create", json={"source": "telegram", "login": "l", "token": "t" * 40})
    query = field % (f"(orderBy:{{field:{order}}})" if order else "")
    sql, arguments = await statement(crowd, services, query)
    async with services.db.reading() as connection:
        rows = await connection.fetch("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + sql, *arguments)
    plan = "\n".join(row[0] for row in rows)
    assert index in plan and "Seq Scan on sending_projects" not in plan, plan


async def test_a_list_of_an_account_reads_a_page_among_many_owners(ada: Person, services: Services) -> None:
    """All of the account's projects and all of the owner's were looked up, for a page of either."""
    await ada.rest("POST", "/accounts", json={"name": "Other"})
    async with services.db.reading() as db:
        await db.execute(OTHERS)
        await db.execute(OF_EACH_ACCOUNT)
        await db.execute("ANALYZE sending_projects")
    sql, arguments = await statement(ada, services, "{accounts{nodes{sendingProjects{nodes{uuid}}}}}")
    async with services.db.reading() as db:
        plan = await db.fetchval("EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) " + sql, *arguments)
    assert rows_read(plan[0]["Plan"]) < 2 * 200
