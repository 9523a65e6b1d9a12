"""The cost of a project, and the ledger with one line for each project."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects import postgresql

from core.ids import uuid7
from db import models
from resolvers import accounts, project_costs
from runtime.services import Services
from tests.support.people import Person

PROJECT = {"name": "p", "channel": "sms", "text": "Hi"}
GROUPED = (
    "query($id:ID!,$first:Int,$after:String,$where:LedgerWhere){account(id:$id){ledger(first:$first,after:$after,"
    "where:$where){nodes{uuid kind amount projectId projectCost{cost charged refunded entries currency}}"
    " totalCount pageInfo{hasNextPage endCursor}}}}"
)
NOTHING = {"charged": 0, "refunded": 0, "cost": 0, "entries": 0}


async def make(person: Person, **fields: Any) -> str:
    answer = await person.rest("POST", "/sending-project", json={**PROJECT, **fields})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["uuid"])


async def book(services: Services, person: Person, project: str | None, *amounts: str) -> list[UUID]:
    """Writes entries of a project, as the engine does for its batches. The balance moves with them."""
    ids = [uuid7() for _ in amounts]
    async with services.db.reading() as db:
        for id, amount in zip(ids, amounts, strict=True):
            await db.execute(
                "INSERT INTO ledger_entries (id, account_id, kind, amount, reference, project_id)"
                " VALUES ($1, $2, CASE WHEN $3::numeric < 0 THEN 'charge' ELSE 'refund' END, $3, $4, $5)",
                id, person.account_id, Decimal(amount), uuid7(), project and UUID(project),
            )  # fmt: skip
            await db.execute(
                "UPDATE accounts SET balance = balance + $2 WHERE id = $1", person.account_id, Decimal(amount)
            )
    return ids


async def test_a_project_costs_its_charges_without_its_refunds(
    ada: Person, bob: Person, admin: Person, services: Services
):
    project, other = await make(ada), await make(ada)
    path = f"/sending-project/{project}/cost"
    mine = {"projectId": project, "accountId": str(ada.account_id), "currency": "USD"}
    assert (await ada.rest("GET", path)).json() == {**mine, **NOTHING}
    await book(services, ada, project, "-5", "-2.5", "1.25")
    await book(services, ada, other, "-1")
    cost = {"charged": 7.5, "refunded": 1.25, "cost": 6.25, "entries": 3}
    for person in (ada, admin):
        assert (await person.rest("GET", path)).json() == {**mine, **cost}
    assert (await bob.rest("GET", path)).status_code == 404
    query = "query($id:ID!){sendingProject(id:$id){cost{cost charged refunded entries}} projectCost(id:$id){cost}}"
    data = await ada.data(query, {"id": project})
    assert data == {"sendingProject": {"cost": cost}, "projectCost": {"cost": 6.25}}
    await ada.rest("DELETE", f"/sending-project/{project}")
    assert (await ada.rest("GET", path)).json() == {**mine, **cost}
    listed = await ada.data("{sendingProjects{nodes{cost{cost}}}}", {})
    assert listed["sendingProjects"]["nodes"] == [{"cost": {"cost": 1}}]
    async with services.db.reading() as db:  # whoever owns the account now knows what it paid
        await db.execute("UPDATE accounts SET owner_id = $2 WHERE id = $1", ada.account_id, bob.id)
    assert (await ada.rest("GET", path)).status_code == 404
    assert (await bob.rest("GET", path)).json()["cost"] == 6.25


async def test_a_ledger_has_one_line_for_each_project(ada: Person, services: Services):
    one, two = await make(ada), await make(ada)
    first = await book(services, ada, one, "-5", "-5")
    single = await book(services, ada, None, "-0.01")
    second = await book(services, ada, two, "-1")
    late = await book(services, ada, one, "2")
    variables = {"id": str(ada.account_id), "first": 50, "where": {"grouped": {"eq": True}}}
    ledger = (await ada.data(GROUPED, variables))["account"]["ledger"]
    assert [node["uuid"] for node in ledger["nodes"]][:3] == [str(late[0]), str(second[0]), str(single[0])]
    assert [node["projectId"] for node in ledger["nodes"]] == [one, two, None, None]
    costs = [node["projectCost"] for node in ledger["nodes"]]
    assert costs[0] == {"cost": 8, "charged": 10, "refunded": 2, "entries": 3, "currency": "USD"}
    assert (costs[1]["cost"], costs[2], costs[3]) == (1, None, None)
    assert ledger["totalCount"] == 4
    pages, after = [], None
    for _ in range(4):  # page by page it is the same list
        page = (await ada.data(GROUPED, {**variables, "first": 1, "after": after}))["account"]["ledger"]
        pages += page["nodes"]
        after = page["pageInfo"]["endCursor"]
    assert pages == ledger["nodes"]
    assert page["pageInfo"]["hasNextPage"] is False
    inside = {**variables, "where": {"projectId": {"eq": one}}}
    entries = (await ada.data(GROUPED, inside))["account"]["ledger"]["nodes"]
    assert [entry["uuid"] for entry in entries] == [str(id) for id in (late[0], first[1], first[0])]
    everything = {**variables, "where": {"grouped": {"eq": False}}}
    assert (await ada.data(GROUPED, everything))["account"]["ledger"]["totalCount"] == 6
    path = f"/accounts/{ada.account_id}/ledger"
    rest = (await ada.rest("GET", path, params={"grouped": "true", "limit": 50})).json()["items"]
    assert [item["id"] for item in rest] == [node["uuid"] for node in ledger["nodes"]]
    rest = (await ada.rest("GET", path, params={"projectId": one})).json()["items"]
    assert [item["amount"] for item in rest] == [2, -5, -5]


async def test_lines_of_projects_are_found_in_the_index(ada: Person, services: Services):
    project = await make(ada)
    async with services.db.reading() as db:
        await db.execute(
            "INSERT INTO ledger_entries (id, account_id, kind, amount, reference, project_id)"
            " SELECT gen_random_uuid(), $1, 'charge', -0.01, gen_random_uuid(), $2 FROM generate_series(1, 20000)",
            ada.account_id, UUID(project),
        )  # fmt: skip
        await db.execute("ANALYZE ledger_entries")
        entry = models.LedgerEntry
        lines = select(entry.id).where(entry.account_id == ada.account_id, entry.id == accounts._NEWEST)
        compiled = lines.compile(dialect=postgresql.dialect(), compile_kwargs={"literal_binds": True})
        for sql, arguments in ((str(compiled), ()), (project_costs._COSTS, ([uuid7()], True, ada.id))):
            plan = "\n".join(row[0] for row in await db.fetch(f"EXPLAIN {sql}", *arguments))
            assert "ix_ledger_entries_project" in plan, plan
