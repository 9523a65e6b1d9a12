"""A project whose messages were charged and given back again and again is one line of a grouped ledger, and no movement
is lost.
"""

from typing import Any

from tests.support.people import Person
from tests.support.records import Records

PAIRS = 970
_PAIRS = """
INSERT INTO ledger_entries (id, account_id, kind, amount, reference, project_id)
SELECT postern_uuid7(), $1, k.kind, k.amount, gen_random_uuid(), $2
FROM generate_series(1, $3) AS n CROSS JOIN LATERAL (VALUES ('charge', -0.5), ('refund', 0.5)) AS k (kind, amount)
"""
LEDGER = """query($id: ID!, $where: LedgerWhere) { account(id: $id) { ledger(first: 100, where: $where) { totalCount
  nodes { kind amount projectId projectCost { cost charged refunded entries } } } } }"""


async def test_charges_that_were_given_back_are_one_line(ada: Person, services: Any) -> None:
    project = await Records(services).project(ada)
    await services.db.fetch(_PAIRS, ada.account_id, project, PAIRS)
    path = f"/accounts/{ada.account_id}/ledger"
    whole = (await ada.data(LEDGER, {"id": str(ada.account_id)}))["account"]["ledger"]
    assert (whole["totalCount"], len(whole["nodes"])) == (2 * PAIRS + 1, 100)
    grouped = (await ada.rest("GET", f"{path}?grouped=true")).json()
    assert [(item["kind"], item["projectId"]) for item in grouped["items"]] == [
        ("refund", str(project)), ("credit", None),
    ]  # fmt: skip
    for kind in ("charge", "refund"):
        of_kind = (await ada.rest("GET", f"{path}?grouped=true&kind={kind}")).json()
        assert [item["projectId"] for item in of_kind["items"]] == [str(project)], kind
    for kinds, expected in (
        ({"notIn": ["credit"]}, "refund"),
        ({"notIn": ["refund", "charge"]}, "credit"),
        ({"in": ["credit"]}, "credit"),
    ):
        where: Any = {"grouped": {"eq": True}, "kind": kinds}
        some = (await ada.data(LEDGER, {"id": str(ada.account_id), "where": where}))["account"]["ledger"]
        assert [node["kind"] for node in some["nodes"]] == [expected], kinds
    where = {"grouped": {"eq": True}}
    ledger = (await ada.data(LEDGER, {"id": str(ada.account_id), "where": where}))["account"]["ledger"]
    line = ledger["nodes"][0]
    cost = {"cost": 0, "charged": PAIRS / 2, "refunded": PAIRS / 2, "entries": 2 * PAIRS}
    assert (ledger["totalCount"], line["projectCost"]) == (2, cost)
    cost = (await ada.rest("GET", f"/sending-project/{project}/cost")).json()
    assert (cost["charged"], cost["refunded"], cost["cost"]) == (PAIRS / 2, PAIRS / 2, 0)


async def test_a_grouped_ledger_of_a_past_day_has_the_projects_of_that_day(
    ada: Person, services: Any
) -> None:
    project = await Records(services).project(ada)
    await services.db.fetch(_PAIRS, ada.account_id, project, 2)
    until = await services.db.fetchval("SELECT clock_timestamp()")
    await services.db.fetch("SELECT pg_sleep(0.01)")
    await services.db.fetch(_PAIRS, ada.account_id, project, 2)
    where = {"grouped": {"eq": True}, "createdAt": {"lt": until.isoformat()}}
    ledger = (await ada.data(LEDGER, {"id": str(ada.account_id), "where": where}))["account"]["ledger"]
    assert [node["projectId"] for node in ledger["nodes"]] == [str(project), None]
