"""The cases of contacts, as tests/doors/case.py describes them."""

from tests.doors.case import UNKNOWN, Case, Rest
from tests.support.people import Person

_ID = {"id": "{contact}"}

CASES: dict[str, Case] = {
    "contacts.page": Case(
        "own", Rest("GET", "/contacts"), "{contacts{nodes{uuid name owner{email} addresses{address}}}}"
    ),
    "contacts.get": Case(
        "row", Rest("GET", "/contacts/{contact}"), "query($id:ID!){contact(id:$id){uuid name fields}}", _ID
    ),
    "contacts.upsert": Case(
        "own",
        Rest("POST", "/contacts", {"externalId": "rest"}),
        'mutation{upsertContact(input:{externalId:"graphql"}){uuid}}',
    ),
    "contacts.upsert_many": Case(
        "own",
        Rest("POST", "/contacts/bulk", {"contacts": [{"externalId": "rest"}]}),
        'mutation{upsertContacts(input:{contacts:[{externalId:"graphql"}]}){created uuids invalid{code}}}',
    ),
    "contacts.update": Case(
        "row",
        Rest("PATCH", "/contacts/{contact}", {"name": "Changed"}),
        'mutation($id:ID!){updateContact(id:$id,input:{name:"Again"}){uuid}}',
        _ID,
    ),
    "contacts.merge": Case(
        "row",
        Rest("POST", "/contacts/{contact}/merge", {"otherUuid": UNKNOWN}, 404),
        f'mutation($id:ID!){{mergeContacts(id:$id,input:{{otherUuid:"{UNKNOWN}"}}){{uuid}}}}',
        _ID,
        owner="contact_not_found",
    ),
    "contacts.delete": Case(
        "row",
        Rest("DELETE", f"/contacts/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteContact(id:$id)}",
        {"id": UNKNOWN},
        owner="contact_not_found",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    contact = await ada.rest("POST", "/contacts", json={"externalId": "secret", "name": "ada's secret"})
    return {"contact": contact.json()["id"]}
