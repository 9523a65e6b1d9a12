"""The cases of presence, as tests/doors/case.py describes them."""

from tests.doors.case import Case, Rest
from tests.support.people import Person

_CALL = {"source": "telegram", "login": "present", "to": "14155550101"}


def _case(method: str, graphql: str) -> Case:
    """The account is stopped: its owner is told what to do first."""
    return Case(
        "row",
        Rest("POST", f"/{method}", _CALL, 409),
        f"mutation($id:ID!){{{graphql}}}",
        {"id": "{present_account}"},
        owner="wrong_state",
    )


_INPUT = '(accountId:$id,input:{to:"14155550101"})'
CASES: dict[str, Case] = {
    "presence.typing": _case("sendTyping", f"sendMessengerTyping{_INPUT}"),
    "presence.recording": _case("sendRecording", f"sendMessengerRecording{_INPUT}"),
    "presence.reset": _case("resetTyping", 'resetMessengerTyping(accountId:$id,to:"14155550101")'),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    added = await ada.rest("POST", "/addAccount", json={"source": "telegram", "login": "present"})
    assert added.status_code == 200, added.text
    return {"present_account": added.json()["account"]["accountUuid"]}
