"""The cases of test sending, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

_SEND = Rest("POST", "/test-sending", {"channel": "telegram", "to": "@ada_lovelace", "text": "hi"})
_MUTATION = (
    'mutation{sendTestMessage(input:{channel:telegram,to:"@ada_lovelace",text:"hi"}){messageId status}}'
)

CASES: dict[str, Case] = {
    "trial.send": Case("own", _SEND, _MUTATION),
    "trial.outcome": Case(
        "row", Rest("GET", "/test-sending/{trial}"), None, why="GraphQL shows the message itself"
    ),
    "trial.get": Case(
        "row",
        Rest("GET", "/test-sending/{trial}/message"),
        "query($id:ID!){trialMessage(id:$id){uuid body}}",
        {"id": "{trial}"},
    ),
    "trial.page": Case("own", Rest("GET", "/test-sending"), "{trialMessages{nodes{uuid body}}}"),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    answer = await ada.rest("POST", "/test-sending", json={**_SEND.body, "text": "ada's secret"})
    return {"trial": answer.json()["messageId"]}
