"""The cases of notes about chats, as tests/doors/case.py describes them."""

from tests.doors.case import RELATION, UNKNOWN, Case, Rest

CASES: dict[str, Case] = {
    "chat_notes.page": Case(
        "row",
        Rest("GET", f"/messenger-chats/{UNKNOWN}/notes", status=404),
        None,
        why=RELATION,
        owner="not_found",
    ),
    "chat_notes.of_chats": Case(
        "own", None, "{messengerChats{nodes{uuid notes{nodes{uuid text}}}}}", why=RELATION
    ),
    "chat_notes.get": Case(
        "row",
        Rest("GET", f"/chat-notes/{UNKNOWN}", status=404),
        "query($id:ID!){chatNote(id:$id){uuid text}}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
    "chat_notes.create": Case(
        "row",
        Rest("POST", f"/messenger-chats/{UNKNOWN}/notes", {"text": "Calls back."}, 404),
        'mutation($id:ID!){createChatNote(chatId:$id,input:{text:"Calls back."}){uuid}}',
        {"id": UNKNOWN},
        owner="not_found",
    ),
    "chat_notes.delete": Case(
        "row",
        Rest("DELETE", f"/chat-notes/{UNKNOWN}", status=404),
        "mutation($id:ID!){deleteChatNote(id:$id)}",
        {"id": UNKNOWN},
        owner="not_found",
    ),
}
