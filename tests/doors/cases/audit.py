"""The cases of audit, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "audit.page": Case(
        "own", Rest("GET", "/audit"), "{auditEntries{nodes{uuid operation actorKind objectId changes}}}"
    ),
    "audit.get": Case(
        "row",
        Rest("GET", "/audit/{audit_entry}"),
        "query($id:ID!){auditEntry(id:$id){uuid operation}}",
        {"id": "{audit_entry}"},
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    await ada.rest("POST", "/accounts", json={"name": "ada's secret"})
    entries = (await ada.rest("GET", "/audit")).json()["items"]
    return {"audit_entry": entries[0]["id"]}
