"""The cases of people, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

_ID = {"id": "{erasure}"}

CASES: dict[str, Case] = {
    "persons.page": Case(
        "own", Rest("GET", "/persons/erasures"), "{erasures{nodes{uuid state counts notErased{kind reason}}}}"
    ),
    "persons.get": Case(
        "row",
        Rest("GET", "/persons/erasures/{erasure}"),
        "query($id:ID!){erasure(id:$id){uuid state deleted{kind subjectId name} owner{email}}}",
        _ID,
    ),
    "persons.erase": Case(
        "own",
        Rest("POST", "/persons/erase", {"channel": "email", "address": "rest@example.com"}, 202),
        'mutation{erasePerson(input:{channel:email,address:"graphql@example.com"}){uuid state}}',
    ),
    "persons.export": Case(
        "own",
        Rest("POST", "/persons/export", {"channel": "email", "address": "rest@example.com"}, 201),
        'mutation{exportPerson(input:{channel:email,address:"graphql@example.com"}){uuid status}}',
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    begun = await ada.rest(
        "POST", "/persons/erase", json={"channel": "email", "address": "secret@example.com"}
    )
    return {"erasure": begun.json()["id"]}
