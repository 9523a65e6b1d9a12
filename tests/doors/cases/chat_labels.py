"""The cases of labels of chats, as tests/doors/case.py describes them."""

from tests.doors.case import RELATION, UNKNOWN, Case, Rest
from tests.support.people import Person

_ID = {"id": "{chat_label}"}

CASES: dict[str, Case] = {
    "chat_labels.list": Case("own", Rest("GET", "/chat-labels"), "{chatLabels{uuid name color}}"),
    "chat_labels.get": Case(
        "row",
        Rest("GET", "/chat-labels/{chat_label}"),
        "query($id:ID!){chatLabel(id:$id){uuid name}}",
        _ID,
    ),
    "chat_labels.of_chats": Case(
        "own", None, "{messengerChats{nodes{uuid labels{uuid name}}}}", why=RELATION
    ),
    "chat_labels.of_chat": Case(
        "row",
        Rest("GET", f"/messenger-chats/{UNKNOWN}/labels", status=404),
        None,
        why=RELATION,
        owner="not_found",
    ),
    "chat_labels.create": Case(
        "own",
        Rest("POST", "/chat-labels", {"name": "By REST", "color": "red"}, 201),
        'mutation{createChatLabel(input:{name:"By GraphQL"}){uuid}}',
    ),
    "chat_labels.update": Case(
        "row",
        Rest("PATCH", "/chat-labels/{chat_label}", {"color": "blue"}),
        "mutation($id:ID!){updateChatLabel(id:$id,input:{color:green}){uuid}}",
        _ID,
    ),
    "chat_labels.delete": Case(
        "row",
        Rest("DELETE", f"/chat-labels/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteChatLabel(id:$id)}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
    "chat_labels.put": Case(
        "row",
        Rest("PUT", f"/messenger-chats/{UNKNOWN}/labels", {"labels": []}, 404),
        "mutation($id:ID!){setMessengerChatLabels(id:$id,labels:[]){uuid}}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    made = await ada.rest("POST", "/chat-labels", json={"name": "ada's secret"})
    return {"chat_label": made.json()["id"]}
