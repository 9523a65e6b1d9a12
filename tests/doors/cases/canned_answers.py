"""The cases of canned answers, as tests/doors/case.py describes them."""

from tests.doors.case import UNKNOWN, Case, Rest
from tests.support.people import Person

_ID = {"id": "{canned_answer}"}

CASES: dict[str, Case] = {
    "canned_answers.page": Case(
        "own", Rest("GET", "/canned-answers"), "{cannedAnswers{nodes{uuid shortcut text}}}"
    ),
    "canned_answers.get": Case(
        "row",
        Rest("GET", "/canned-answers/{canned_answer}"),
        "query($id:ID!){cannedAnswer(id:$id){uuid text}}",
        _ID,
    ),
    "canned_answers.create": Case(
        "own",
        Rest("POST", "/canned-answers", {"shortcut": "rest", "text": "Hello"}, 201),
        'mutation{createCannedAnswer(input:{shortcut:"graphql",text:"Hello"}){uuid}}',
    ),
    "canned_answers.update": Case(
        "row",
        Rest("PATCH", "/canned-answers/{canned_answer}", {"text": "Hello again"}),
        'mutation($id:ID!){updateCannedAnswer(id:$id,input:{text:"Hello"}){uuid}}',
        _ID,
    ),
    "canned_answers.delete": Case(
        "row",
        Rest("DELETE", f"/canned-answers/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteCannedAnswer(id:$id)}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = await ada.rest("POST", "/canned-answers", json={"shortcut": "secret", "text": "ada's secret"})
    return {"canned_answer": made.json()["id"]}
