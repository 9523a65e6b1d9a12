"""The cases of things, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "things.list": Case("own", Rest("GET", "/things"), None, why=CONNECTION),
    "things.page": Case("own", None, "{things{nodes{uuid name}}}", why=CONNECTION),
    "things.get": Case(
        "row", Rest("GET", "/things/{thing}"), "query($id:ID!){thing(id:$id){uuid name}}", {"id": "{thing}"}
    ),
    "things.create": Case(
        "own",
        Rest("POST", "/things", {"name": "First"}, 201),
        'mutation{createThing(input:{name:"First"}){uuid}}',
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    return {"thing": (await ada.rest("POST", "/things", json={"name": "ada's secret"})).json()["uuid"]}
