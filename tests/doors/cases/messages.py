"""The cases of messages, as tests/doors/case.py describes them."""

from datetime import UTC, datetime, timedelta

from tests.doors.case import CONNECTION, RELATION, SMS, Case, Rest
from tests.support.people import Person

NEEDS_ALL = True  # some of its cases meet rows of other features that they do not name

_LATER = (datetime.now(UTC) + timedelta(days=7)).isoformat()

CASES: dict[str, Case] = {
    "messages.of_contacts": Case("own", None, "{contacts{nodes{uuid messages{nodes{uuid to}}}}}", why=RELATION),
    "messages.list": Case(
        "own", Rest("GET", "/messages"), None, why=CONNECTION
    ),
    "messages.page": Case(
        "own", None, "{messages{nodes{uuid body account{uuid owner{email}}}}}", why=CONNECTION
    ),
    "messages.by_ids": Case("own", None, "{events{events{message{uuid body}}}}", why=RELATION),
    "messages.of_accounts": Case("own", None, "{accounts{nodes{messages{nodes{uuid body}}}}}", why=RELATION),
    "messages.of_users": Case("own", None, "{me{messages{nodes{uuid body owner{email}}}}}", why=RELATION),
    "messages.explained": Case("row", Rest("GET", "/messages/{message}"), None, why=CONNECTION),
    "messages.waiting_for": Case("own", None, "{messages{nodes{uuid waitingFor{code reason until}}}}", why=RELATION),
    "messages.steps": Case("own", None, "{messages{nodes{uuid steps{step deliveryState}}}}", why=RELATION),
    "messages.get": Case(
        "row", None,
        "query($id:ID!){message(id:$id){uuid body account{uuid}}}", {"id": "{message}"}, why=RELATION,
    ),
    "messages.status": Case(
        "row", Rest("GET", "/messages/{message}/status"),
        "query($id:ID!){messageStatus(id:$id){status}}", {"id": "{message}"},
    ),
    "messages.send": Case(
        "row",
        Rest("POST", "/messages", {**SMS, "accountId": "{account}"}, 202),
        'mutation($id:UUID!){sendMessage(input:{to:"+14155550100",channel:sms,body:"hi",accountId:$id}){uuid}}',
        {"id": "{account}"},
    ),
    "messages.cancel": Case(
        "row", Rest("DELETE", "/messages/{message}"),
        "mutation($id:ID!){cancelMessage(id:$id){uuid deliveryState}}", {"id": "{message}"},
    ),
    "messages.reschedule": Case(
        "row", Rest("PATCH", "/messages/{scheduled_message}", {"sendAt": _LATER}),
        "mutation($id:ID!,$at:DateTime!){rescheduleMessage(id:$id,sendAt:$at){uuid sendAt}}",
        {"id": "{scheduled_message}", "at": _LATER},
    ),
}  # fmt: skip


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    sent = await ada.rest("POST", "/messages", json={**SMS, "sendAt": _LATER})
    return {"scheduled_message": sent.json()["id"]}
