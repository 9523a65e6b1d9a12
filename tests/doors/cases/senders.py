"""The cases of senders, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

_ID = {"id": "{sender}"}

CASES: dict[str, Case] = {
    "senders.page": Case(
        "own", Rest("GET", "/senders"), "{senders{nodes{uuid channel kind value countries state reason}}}"
    ),
    "senders.get": Case(
        "row", Rest("GET", "/senders/{sender}"), "query($id:ID!){sender(id:$id){uuid value state}}", _ID
    ),
    "senders.choice": Case(
        "own",
        Rest("GET", "/senders/choice?to=%2B14155550100"),
        '{senderChoice(to:"+14155550100"){sender kind country why}}',
    ),
    "senders.request": Case(
        "own",
        Rest("POST", "/senders", {"kind": "alpha", "value": "Rest"}, 201),
        'mutation{requestSender(input:{kind:alpha,value:"GraphQL"}){uuid state}}',
    ),
    "senders.update": Case(
        "row",
        Rest("PATCH", "/senders/{sender}", {"countries": ["DE"]}),
        'mutation($id:ID!){updateSender(id:$id,input:{countries:["AT"]}){uuid countries}}',
        _ID,
    ),
    "senders.decide": Case(
        "admin",
        Rest("POST", "/senders/{sender}/decide", {"decision": "approved"}),
        'mutation($id:ID!){decideSender(id:$id,input:{decision:refused,reason:"no"}){uuid state reason}}',
        _ID,
    ),
    "senders.delete": Case(
        "row",
        Rest("DELETE", "/senders/{deleted_by_rest}", status=204),
        "mutation($id:ID!){deleteSender(id:$id)}",
        {"id": "{deleted_by_graphql}"},
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    names = {"sender": "Secret", "deleted_by_rest": "First", "deleted_by_graphql": "Second"}
    made = {}
    for name, value in names.items():
        answer = await ada.rest("POST", "/senders", json={"kind": "alpha", "value": value})
        made[name] = answer.json()["id"]
    return made
