"""The cases of the search in chats, as tests/doors/case.py describes them. The account is that of the chats."""

from tests.doors.case import Case, Rest

CASES: dict[str, Case] = {
    "chat_search.page": Case(
        "row",
        Rest("GET", "/messenger-messages?text=hello&accountUuid={chatty_account}"),
        'query($id:ID!){messengerMessageSearch(text:"hello",accountId:$id){nodes{uuid text} totalCount}}',
        {"id": "{chatty_account}"},
    ),
}
