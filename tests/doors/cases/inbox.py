"""The cases of the inbox, as tests/doors/case.py describes them. The account is that of the chats."""

from tests.doors.case import UNKNOWN, Case, Rest

CASES: dict[str, Case] = {
    "inbox.page": Case(
        "row",
        Rest("GET", "/messenger-chats?accountUuid={chatty_account}"),
        "query($id:ID!){messengerChats(accountId:$id){nodes{uuid thread} totalCount}}",
        {"id": "{chatty_account}"},
    ),
    "inbox.read": Case(
        "row",
        Rest("POST", f"/messenger-chats/{UNKNOWN}/read", status=404),
        "mutation($id:ID!){readMessengerChat(id:$id){uuid unread}}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
    "inbox.close": Case(
        "row",
        Rest("POST", f"/messenger-chats/{UNKNOWN}/close", status=404),
        "mutation($id:ID!){closeMessengerChat(id:$id){uuid closedAt}}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
    "inbox.reopen": Case(
        "row",
        Rest("POST", f"/messenger-chats/{UNKNOWN}/reopen", status=404),
        "mutation($id:ID!){reopenMessengerChat(id:$id){uuid closedAt}}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
    "inbox.changes": Case(
        "row",
        None,
        "subscription($id:ID!){messengerMessageChanged(accountId:$id){uuid text}}",
        {"id": UNKNOWN},
        why="REST asks again and again, or is called back",
        owner="account_not_found",  # of an account of one's own nothing is told until something happens
    ),
}
