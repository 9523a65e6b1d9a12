"""Closing chats and opening them again, their labels, and the notes about them, through both doors."""

from typing import Any
from uuid import UUID

import pytest

from db.lists import PageArgs
from resolvers.chats.chat_lists import CHATS, by_state, recent
from resolvers.messenger_relations import seen_accounts
from tests.chats.conftest import came, went
from tests.inbox.test_inbox import CHANGED, inbox, listens, threads
from tests.support.people import Person
from tests.support.sockets import live

CLOSE = "mutation($id: ID!, $upTo: ID) { closeMessengerChat(id: $id, upTo: $upTo) { uuid closedAt } }"
REOPEN = "mutation($id: ID!) { reopenMessengerChat(id: $id) { uuid closedAt } }"
LABELS = "mutation($id: ID!, $labels: [ID!]!) { setMessengerChatLabels(id: $id, labels: $labels) { labels { name } } }"
NOTES = (
    "query($id: ID!) { messengerChat(id: $id) { notes { nodes { uuid text authorId author { email } } } } }"
)
NOTE = (
    "mutation($id: ID!, $text: String!) { createChatNote(chatId: $id, input: {text: $text}) { uuid text } }"
)


async def only_chat(person: Person, **where: Any) -> Any:
    (chat,) = (await inbox(person, where=where))["nodes"]
    return chat


async def test_a_closed_chat_leaves_the_list_until_a_message_comes_in(ada, bob, account, apply):
    await apply(came("1"), came("2", thread="t2", at=1))
    chat = (await inbox(ada))["nodes"][1]
    assert await bob.code(CLOSE, {"id": chat["uuid"]}) == "not_found"
    closed = (await ada.data(CLOSE, {"id": chat["uuid"]}))["closeMessengerChat"]
    assert closed["closedAt"] is not None
    assert (await ada.data(CLOSE, {"id": chat["uuid"]}))["closeMessengerChat"] == closed
    assert threads(await inbox(ada, where={"state": {"eq": "open"}})) == ["t2"]
    assert threads(await inbox(ada, where={"state": {"notIn": ["open"]}})) == ["t1"]
    assert threads(await inbox(ada, where={"state": {"in": ["open", "closed"]}})) == ["t2", "t1"]
    assert threads(await inbox(ada, account=str(account), where={"state": {"in": []}})) == []
    rest = (await ada.rest("GET", "/messenger-chats?state=closed")).json()["items"]
    assert [one["thread"] for one in rest] == ["t1"] and rest[0]["closedAt"] == closed["closedAt"]
    await apply(went("3", at=2))  # what the account writes leaves it closed
    assert threads(await inbox(ada, where={"state": {"eq": "closed"}})) == ["t1"]
    await apply(came("old", at=-9, past=True))  # and so does history
    assert threads(await inbox(ada, where={"state": {"eq": "closed"}})) == ["t1"]
    await apply(came("4", at=3))
    assert threads(await inbox(ada, where={"state": {"eq": "open"}})) == ["t1", "t2"]
    path = f"/messenger-chats/{chat['uuid']}"
    assert (await ada.rest("POST", f"{path}/close")).json()["closedAt"] is not None
    assert (await ada.rest("POST", f"{path}/reopen")).json()["closedAt"] is None
    assert (await ada.data(REOPEN, {"id": chat["uuid"]}))["reopenMessengerChat"]["closedAt"] is None


async def test_a_chat_with_a_message_that_nobody_saw_stays_open(services, ada, account, apply):
    await apply(came("1"), came("2", at=1))
    items = {
        row["provider_id"]: str(row["id"])
        for row in await services.db.fetch("SELECT provider_id, id FROM messenger_messages")
    }
    chat = await only_chat(ada)

    async def close(up_to: str) -> Any:
        return (await ada.data(CLOSE, {"id": chat["uuid"], "upTo": up_to}))["closeMessengerChat"]["closedAt"]

    assert await close(items["1"]) is None
    assert await ada.code(CLOSE, {"id": chat["uuid"], "upTo": str(UUID(int=1))}) == "message_not_found"
    await apply(went("3", at=2))  # an own message may come after it
    assert await close(items["2"]) is not None


async def test_open_chats_are_found_by_their_own_index(services, ada, account, apply):
    await apply(*(came(f"{n}", thread=f"t{n}", at=n) for n in range(5)))
    for state in ("open", "closed"):
        where = by_state({("state", "eq"): state})
        query, values = CHATS.page_query(
            recent(PageArgs(first=3)), where, (), CHATS.model.account_id, seen_accounts(False)
        )
        async with services.db.reading() as db, db.transaction():
            await db.execute("SET LOCAL enable_seqscan = off")
            await db.execute("SET LOCAL enable_bitmapscan = off")
            await db.execute("SET LOCAL enable_sort = off")
            rows = await db.fetch(f"EXPLAIN {query.sql}", *query.arguments({**values, "owner_id": ada.id}))
        plan = "\n".join(row[0] for row in rows)
        assert f"ix_messenger_chats_{state}" in plan, plan


async def test_labels_are_an_owners_own_list(ada: Person, bob: Person, admin: Person):
    made = await ada.rest("POST", "/chat-labels", json={"name": " Complaint ", "color": "red"})
    assert made.status_code == 201, made.text
    label = made.json()
    assert (label["name"], label["color"]) == ("Complaint", "red")
    again = await ada.rest("POST", "/chat-labels", json={"name": "COMPLAINT"})
    assert (again.status_code, again.json()["code"]) == (409, "label_exists")
    order = (await ada.data('mutation{createChatLabel(input:{name:"a question"}){uuid name color}}'))[
        "createChatLabel"
    ]
    assert order["color"] == "gray"
    listed = (await ada.data("{chatLabels{name}}"))["chatLabels"]
    assert [one["name"] for one in listed] == ["a question", "Complaint"]
    for other in (bob, admin):
        assert (await other.rest("GET", "/chat-labels")).json() == []
        for method, body in (("PATCH", {"name": "mine"}), ("DELETE", None), ("GET", None)):
            answer = await other.rest(method, f"/chat-labels/{label['id']}", json=body)
            assert answer.status_code == 404, answer.text
    renamed = await ada.rest(
        "PATCH", f"/chat-labels/{label['id']}", json={"name": "complaint", "color": "pink"}
    )
    assert (renamed.json()["name"], renamed.json()["color"]) == ("complaint", "pink")
    taken = await ada.rest("PATCH", f"/chat-labels/{order['uuid']}", json={"name": "Complaint"})
    assert taken.json()["code"] == "label_exists"
    for body in ({}, {"name": ""}, {"name": "x" * 51}, {"name": "a\nb"}, {"name": "x", "color": "beige"}):
        assert (await ada.rest("POST", "/chat-labels", json=body)).status_code == 400, body
    assert (await ada.rest("DELETE", f"/chat-labels/{label['id']}")).status_code == 204
    assert [one["name"] for one in (await ada.rest("GET", "/chat-labels")).json()] == ["a question"]


async def test_there_are_at_most_a_hundred_labels(services, ada: Person):
    await services.db.fetch(
        "INSERT INTO messenger_labels (id, owner_id, name) SELECT gen_random_uuid(), $1, 'label ' || n"
        " FROM generate_series(1, 99) AS n",
        ada.id,
    )
    assert (await ada.rest("POST", "/chat-labels", json={"name": "the last"})).status_code == 201
    refused = await ada.rest("POST", "/chat-labels", json={"name": "one more"})
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_labels")
    assert len((await ada.data("{chatLabels{name}}"))["chatLabels"]) == 100


async def test_chats_have_labels_and_are_found_by_them(services, ada, bob, admin, account, apply):
    await apply(came("1", thread="a"), came("2", thread="b", at=1), came("3", thread="c", at=2))
    chats = {chat["thread"]: chat["uuid"] for chat in (await inbox(ada))["nodes"]}
    red, blue = [
        (await ada.rest("POST", "/chat-labels", json={"name": name})).json()["id"] for name in ("red", "blue")
    ]
    foreign = (await bob.rest("POST", "/chat-labels", json={"name": "bob's"})).json()["id"]
    labelled = await ada.data(LABELS, {"id": chats["a"], "labels": [red, blue, red]})
    assert labelled["setMessengerChatLabels"] == {"labels": [{"name": "blue"}, {"name": "red"}]}
    put = await ada.rest("PUT", f"/messenger-chats/{chats['b']}/labels", json={"labels": [blue]})
    assert put.json()["thread"] == "b"
    assert await bob.code(LABELS, {"id": chats["a"], "labels": []}) == "not_found"
    for labels in ([foreign], [str(UUID(int=1))]):
        assert await ada.code(LABELS, {"id": chats["a"], "labels": labels}) == "validation_failed"
    assert threads(await inbox(ada, where={"label": {"eq": red}})) == ["a"]
    assert threads(await inbox(ada, where={"label": {"in": [red, blue]}})) == ["b", "a"]
    rest = (await ada.rest("GET", f"/messenger-chats?label={blue}&state=open")).json()["items"]
    assert [chat["thread"] for chat in rest] == ["b", "a"]
    of_chat = (await ada.rest("GET", f"/messenger-chats/{chats['a']}/labels")).json()
    assert [label["name"] for label in of_chat] == ["blue", "red"]
    # An administrator gives a chat labels of its owner.
    await admin.data(LABELS, {"id": chats["a"], "labels": [blue]})
    assert threads(await inbox(ada, where={"label": {"eq": red}})) == []
    await ada.rest("DELETE", f"/chat-labels/{blue}")
    assert (await ada.rest("GET", f"/messenger-chats/{chats['a']}/labels")).json() == []
    many = [str(UUID(int=n)) for n in range(21)]
    refused = await ada.rest("PUT", f"/messenger-chats/{chats['a']}/labels", json={"labels": many})
    assert refused.status_code == 400


async def test_notes_are_read_by_those_who_see_the_chat(services, ada, bob, admin, account, apply, outbox):
    await apply(came("1"))
    outbox.clear()
    chat = (await only_chat(ada))["uuid"]
    first = (await ada.data(NOTE, {"id": chat, "text": " Calls back. "}))["createChatNote"]
    assert first["text"] == "Calls back."
    made = await admin.rest("POST", f"/messenger-chats/{chat}/notes", json={"text": "By the administrator"})
    assert made.status_code == 201, made.text
    key = {"Idempotency-Key": "once"}
    twice = [
        (await ada.rest("POST", f"/messenger-chats/{chat}/notes", json={"text": "Once"}, headers=key)).json()
        for _ in range(2)
    ]
    assert twice[0] == twice[1]
    notes = (await ada.data(NOTES, {"id": chat}))["messengerChat"]["notes"]["nodes"]
    assert [note["text"] for note in notes] == ["Once", "By the administrator", "Calls back."]
    assert [note["authorId"] for note in notes] == [str(ada.id), str(admin.id), str(ada.id)]
    listed = (await ada.rest("GET", f"/messenger-chats/{chat}/notes?limit=2")).json()
    assert [note["text"] for note in listed["items"]] == ["Once", "By the administrator"] and listed["next"]
    for method, path, body in (
        ("GET", f"/messenger-chats/{chat}/notes", None),
        ("POST", f"/messenger-chats/{chat}/notes", {"text": "x"}),
        ("GET", f"/chat-notes/{first['uuid']}", None),
        ("DELETE", f"/chat-notes/{first['uuid']}", None),
    ):
        assert (await bob.rest(method, path, json=body)).status_code == 404, path
    for text in ("", "  ", "x" * 4001):
        assert (
            await ada.rest("POST", f"/messenger-chats/{chat}/notes", json={"text": text})
        ).status_code == 400
    assert (await ada.rest("DELETE", f"/chat-notes/{first['uuid']}")).status_code == 204
    assert (await ada.rest("GET", f"/chat-notes/{first['uuid']}")).status_code == 404
    # Nothing of it was sent, or told to the webhooks of the messenger.
    assert await services.db.fetchval("SELECT count(*) FROM messenger_messages") == 1 and outbox == []


async def test_a_chat_has_at_most_a_thousand_notes(services, ada, account, apply):
    await apply(came("1"))
    chat = (await only_chat(ada))["uuid"]
    await services.db.fetch(
        "INSERT INTO messenger_notes (id, account_id, chat_id, author_id, text)"
        " SELECT gen_random_uuid(), $1, $2, $3, 'note' FROM generate_series(1, 1000)",
        account,
        UUID(chat),
        ada.id,
    )
    assert await ada.code(NOTE, {"id": chat, "text": "one more"}) == "too_many_notes"


@pytest.mark.parametrize("act", ["close", "label"])
async def test_others_hear_of_it(services, app, ada, account, apply, act):
    await apply(came("1"))
    chat = (await only_chat(ada))["uuid"]
    subscription = CHANGED.replace("chat { unread", "chat { closedAt labels { name } unread")
    async with live(app, f"Bearer {ada.token}") as socket:
        await socket.subscribe(subscription)
        await listens(services, f"messengers:{ada.id}")
        if act == "close":
            await ada.data(CLOSE, {"id": chat})
        else:
            label = (await ada.rest("POST", "/chat-labels", json={"name": "red"})).json()["id"]
            await ada.data(LABELS, {"id": chat, "labels": [label]})
        message = (await socket.next())["data"]["messengerMessageChanged"]
        if act == "close":
            assert message["chat"]["closedAt"] is not None
        else:
            assert message["chat"]["labels"] == [{"name": "red"}]


async def test_the_feed_tells_of_closed_chats(services, ada, account, apply):
    await ada.rest("PUT", "/events/feed")
    await apply(came("1"))
    chat = (await only_chat(ada))["uuid"]
    await ada.data(CLOSE, {"id": chat})
    await ada.data(CLOSE, {"id": chat})
    await apply(came("2", at=1))
    page = (await ada.rest("GET", "/events", params={"types": "chat.closed,chat.reopened"})).json()
    told = [(event["type"], event["subject"], event["subjectId"]) for event in page["events"]]
    assert told == [("chat.closed", "messengerChat", chat), ("chat.reopened", "messengerChat", chat)]
    assert page["events"][0]["data"]["closedAt"] and page["events"][1]["data"]["closedAt"] is None
    assert page["events"][0]["data"]["accountUuid"] == str(account)
