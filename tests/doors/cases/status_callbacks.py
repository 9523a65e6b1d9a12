"""The cases of status callbacks, as tests/doors/case.py describes them."""

from tests.doors.case import SMS, Case, Rest
from tests.support.people import Person

CASES: dict[str, Case] = {
    "status_callbacks.page": Case(
        "own", Rest("GET", "/status-callbacks/hosts"), "{statusCallbackHosts{nodes{uuid url}}}"
    ),
    "status_callbacks.rotate_secret": Case(
        "own", Rest("POST", "/status-callbacks/secret", {}), "mutation{rotateCallbackSecret}"
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    body = {**SMS, "statusCallback": "https://ada.example.com/callback"}
    answer = await ada.rest("POST", "/messages", json=body)
    return {"callback_message": answer.json()["id"]}
