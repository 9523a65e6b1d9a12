"""The cases of chats, as tests/doors/case.py describes them."""

from tests.doors.case import CONNECTION, RELATION, UNKNOWN, Case, Rest
from tests.support.people import Person

_CALL = {"source": "telegram", "login": "chatty"}
_TO = "14155550101"

NEEDS_ALL = True  # some of its cases meet rows of other features that they do not name

CASES: dict[str, Case] = {
    "chats.of_contacts": Case("own", None, "{contacts{nodes{uuid chats{nodes{uuid phone}}}}}", why=RELATION),
    "chats.send": Case(
        "row",
        Rest("POST", "/sendMessage", {**_CALL, "msg_to": _TO, "msg_text": "hi"}, 409),
        'mutation($id:ID!){sendMessengerMessage(accountId:$id,input:{to:"14155550101",text:"hi"}){uuid}}',
        {"id": "{chatty_account}"},
        owner="wrong_state",
    ),
    "chats.page": Case(
        "row",
        Rest("GET", "/messenger-accounts/{chatty_account}/chats"),
        "query($id:ID!){chats(accountId:$id){nodes{uuid thread} totalCount}}",
        {"id": "{chatty_account}"},
    ),
    "chats.of_accounts": Case(
        "own", None, "{messengerAccounts{nodes{chats{nodes{uuid name}}}}}", why=RELATION
    ),
    "chats.of_chats": Case(
        "own",
        None,
        "{messengerAccounts{nodes{chats(first:5){nodes{messages(first:5){nodes{uuid text}}}}}}}",
        why=RELATION,
    ),
    "chats.by_ids": Case(
        "own",
        None,
        "{messengerAccounts{nodes{chats(first:5){nodes{messages(first:5){nodes{chat{uuid name}}}}}}}}",
        why=RELATION,
    ),
    "chats.get": Case(
        "row",
        Rest("GET", f"/messenger-chats/{UNKNOWN}", status=404),
        "query($id:ID!){messengerChat(id:$id){uuid}}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
    "chats.messages": Case(
        "row", Rest("POST", "/getChatMessages", {**_CALL, "to": _TO}), None, why=CONNECTION
    ),
    "chats.written": Case(
        "row",
        Rest("GET", "/messenger-accounts/{chatty_account}/messages?to=14155550101"),
        'query($id:ID!){messengerMessages(accountId:$id,to:"14155550101"){nodes{uuid text}}}',
        {"id": "{chatty_account}"},
    ),
    "chats.message": Case(
        "row",
        Rest("POST", "/getChatMessageByItem", {**_CALL, "item": UNKNOWN}, 404),
        "query($id:ID!,$item:ID!){messengerMessage(accountId:$id,item:$item){uuid}}",
        {"id": "{chatty_account}", "item": UNKNOWN},
        owner="message_not_found",
    ),
    "chats.user": Case(
        "row",
        Rest("POST", "/getUserInfo", {**_CALL, "to": _TO}, 409),
        'query($id:ID!){messengerUser(accountId:$id,to:"14155550101"){exists}}',
        {"id": "{chatty_account}"},
        owner="wrong_state",
    ),
    "chats.media": Case(
        "public",
        Rest("GET", f"/messenger-media/{UNKNOWN}/0?expires=1&signature=x", status=403),
        None,
        why="bytes for a browser, under their own signature: GraphQL shows the link",
        owner="bad_link",
    ),
}


async def rows(ada: Person) -> dict[str, str]:
    """Ada's rows, by the names that the cases use."""
    added = await ada.rest("POST", "/addAccount", json=_CALL)
    assert added.status_code == 200, added.text
    return {"chatty_account": added.json()["account"]["accountUuid"]}
