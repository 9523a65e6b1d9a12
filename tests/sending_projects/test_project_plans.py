"""Lists of projects read an index, whatever their order: by the plan, not by the clock."""

from typing import Any

import pytest

from runtime.services import Services
from tests.support.people import Person

MANY = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, account_uuids)
SELECT overlay(gen_random_uuid()::text PLACING '01a00000-0000-7' FROM 1 FOR 15)::uuid, $1, $2, 'p' || n % 500, 'sms',
  ARRAY[gen_random_uuid()]
FROM generate_series(1, 3000) AS n
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
    db: Any = services.db
    statements: list[tuple[str, Any]] = []
    real = db._read

    async def read(how: str, sql: str, arguments: tuple[Any, ...]) -> Any:
        statements.append((sql, arguments))
        return await real(how, sql, arguments)

    db._read = read
    await crowd.data(field % (f"(orderBy:{{field:{order}}})" if order else ""))
    db._read = real
    sql, arguments = next(statement for statement in statements if "FROM sending_projects" in statement[0])
    async with services.db.reading() as connection:
        rows = await connection.fetch("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + sql, *arguments)
    plan = "\n".join(row[0] for row in rows)
    assert index in plan and "Seq Scan on sending_projects" not in plan, plan
