"""The cases of verifications, as tests/doors/case.py describes them."""

from tests.doors.case import UNKNOWN, Case, Rest
from tests.support.people import Person

_START = "mutation{startVerification(input:{to:%s,channel:sms}){uuid status}}"
_PAGE = "a page for people, behind a signed link"
_ID = {"id": "{verification}"}

CASES: dict[str, Case] = {
    "verifications.page": Case(
        "own", Rest("GET", "/verifications"), "{verifications{nodes{uuid channel to purpose status tries}}}"
    ),
    "verifications.get": Case(
        "row",
        Rest("GET", "/verifications/{verification}"),
        "query($id:ID!){verification(id:$id){uuid to status owner{uuid}}}",
        _ID,
    ),
    "verifications.start": Case(
        "own",
        Rest("POST", "/verifications", {"to": "+14155550121", "channel": "sms"}, 202),
        _START % '"+14155550122"',
    ),
    "verifications.check": Case(
        "row",
        Rest("POST", "/verifications/{verification}/check", {"code": "1"}),
        'mutation($id:ID!){checkVerification(id:$id,input:{code:"1"}){status left}}',
        _ID,
    ),
    "verifications.resend": Case(
        "row",
        Rest("POST", "/verifications/{resent_by_rest}/resend", status=429),
        "mutation($id:ID!){resendVerification(id:$id){uuid sends}}",
        {"id": "{resent_by_graphql}"},
        owner="resend_too_early",
    ),
    "verifications.cancel": Case(
        "row",
        Rest("POST", "/verifications/{canceled_by_rest}/cancel"),
        "mutation($id:ID!){cancelVerification(id:$id){uuid status}}",
        {"id": "{canceled_by_graphql}"},
    ),
    "verifications.protection": Case(
        "own", Rest("GET", "/verifications/protection"), "{verificationProtection{enabled allowedPrefixes}}"
    ),
    "verifications.set_protection": Case(
        "own",
        Rest("PUT", "/verifications/protection", {"enabled": True, "allowedPrefixes": ["+4915"]}),
        "mutation{setVerificationProtection(input:{enabled:false}){enabled allowedPrefixes}}",
    ),
    "verifications.suspected": Case(
        "own", Rest("GET", "/verifications/suspected"), "{suspectedGroups{nodes{uuid kind value saved}}}"
    ),
    "verifications.suspected_group": Case(
        "row",
        Rest("GET", f"/verifications/suspected/{UNKNOWN}", status=404),
        "query($id:ID!){suspectedGroup(id:$id){uuid kind value}}",
        {"id": UNKNOWN},
        owner="suspected_group_not_found",
    ),
    "verifications.report": Case(
        "own",
        Rest("GET", "/verifications/report"),
        "{verificationReport{enabled countries{country started} saved{currency amount messages}}}",
    ),
    "verification_pages.show": Case("public", Rest("GET", "/verify/x", status=404), None, why=_PAGE),
    "verification_pages.enter": Case("public", Rest("POST", "/verify/x", status=404), None, why=_PAGE),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = {}
    names = (
        "verification", "resent_by_rest", "resent_by_graphql", "canceled_by_rest", "canceled_by_graphql",
    )  # fmt: skip
    for number, name in enumerate(names):
        body = {"to": f"+1415555010{number}", "channel": "sms"}
        made[name] = (await ada.rest("POST", "/verifications", json=body)).json()["id"]
    return made
