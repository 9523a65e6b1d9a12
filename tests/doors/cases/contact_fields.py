"""The cases of the fields of contacts, as tests/doors/case.py describes them."""

from tests.doors.case import UNKNOWN, Case, Rest
from tests.support.people import Person

_FIELD = {"id": "{contact_field}"}

CASES: dict[str, Case] = {
    "contact_fields.page": Case(
        "own", Rest("GET", "/contact-fields"), "{contactFields{nodes{uuid key type owner{email}}}}"
    ),
    "contact_fields.get": Case(
        "row",
        Rest("GET", "/contact-fields/{contact_field}"),
        "query($id:ID!){contactField(id:$id){uuid key}}",
        _FIELD,
    ),
    "contact_fields.create": Case(
        "own",
        Rest("POST", "/contact-fields", {"key": "city", "type": "text"}, 201),
        'mutation{createContactField(input:{key:"points",type:number}){uuid}}',
    ),
    "contact_fields.update": Case(
        "row",
        Rest("PATCH", "/contact-fields/{contact_field}", {"label": "Changed"}),
        'mutation($id:ID!){updateContactField(id:$id,input:{label:"Again"}){uuid}}',
        _FIELD,
    ),
    "contact_fields.delete": Case(
        "row",
        Rest("DELETE", f"/contact-fields/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteContactField(id:$id)}",
        {"id": UNKNOWN},
        owner="field_not_found",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    field = await ada.rest("POST", "/contact-fields", json={"key": "secret", "type": "text"})
    return {"contact_field": field.json()["id"]}
