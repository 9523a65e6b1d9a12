"""The chats of all accounts in one list, marking them as read, and what changes in them."""

import asyncio
from uuid import UUID

import pytest

from core.pubsub import GAP, messenger, messengers, publish
from db.lists import PageArgs
from engine.messengers import call_client, event_writer, read_receipts
from resolvers.chats.chat_lists import CHATS as CHATS_LIST
from resolvers.messenger_relations import seen_accounts
from tests.chats.conftest import came, make_account, went
from tests.chats.live import ADA, BOB, connect
from tests.support.messengers import ok
from tests.support.sockets import live
from tests.support.waits import WAITING, until

CHATS = """
query(
  $first: Int, $after: String, $last: Int, $before: String, $account: ID, $where: MessengerChatWhere, $order: ListOrder
) {
  messengerChats(
    first: $first, after: $after, last: $last, before: $before, accountId: $account, where: $where, orderBy: $order
  ) {
    nodes { uuid thread unread account { uuid } messages(first: 1) { nodes { text } } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    totalCount
  }
}
"""
READ = "mutation($id: ID!, $upTo: ID) { readMessengerChat(id: $id, upTo: $upTo) { uuid unread } }"
CHANGED = """
subscription($account: ID) { messengerMessageChanged(accountId: $account) { uuid text status chat { unread account {
  uuid } } } }
"""


@pytest.fixture
async def other(services, ada) -> UUID:
    """A second account of ada's."""
    return await make_account(services, ada, "14155550200")


async def inbox(person, **variables):
    return (await person.data(CHATS, variables))["messengerChats"]


def threads(page):
    return [chat["thread"] for chat in page["nodes"]]


async def test_the_chats_of_all_accounts_are_one_list(ada, bob, account, other, apply):
    await apply(*(came(f"a{n}", thread=f"a{n}", at=2 * n) for n in range(5)))
    await apply(*(came(f"b{n}", thread=f"b{n}", at=2 * n + 1) for n in range(3)), account=other)
    newest_first = ["a4", "a3", "b2", "a2", "b1", "a1", "b0", "a0"]
    whole = await inbox(ada)
    assert threads(whole) == newest_first and whole["totalCount"] == 8
    assert not whole["pageInfo"]["hasNextPage"]
    listed, after = [], None
    while True:
        page = await inbox(ada, first=3, after=after)
        listed += threads(page)
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
        assert len(page["nodes"]) == 3
    assert listed == newest_first
    end = await inbox(ada, last=3)
    assert threads(end) == newest_first[-3:] and end["pageInfo"]["hasPreviousPage"]
    before = await inbox(ada, last=3, before=end["pageInfo"]["startCursor"])
    assert threads(before) == newest_first[2:5]
    assert threads(await inbox(ada, account=str(other))) == ["b2", "b1", "b0"]
    assert whole["nodes"][0]["messages"]["nodes"] == [{"text": "hi"}]
    assert threads(await inbox(bob)) == [] and (await inbox(bob))["totalCount"] == 0


async def test_a_page_may_be_smaller_than_the_number_of_accounts(services, ada, bob, admin, apply):
    expected = []
    for n in range(9):
        id = await make_account(services, bob if n == 5 else ada, f"many{n}")
        for m in range(n % 3):  # some accounts have no chat
            at = (5 * n + 7 * m) % 17
            await apply(came("1", thread=f"{n}-{m}", at=at), account=id)
            expected.append((at, f"{n}-{m}", n == 5))
    expected.sort(reverse=True)

    async def walk(person, forwards, order):
        listed, cursor, end = [], None, "endCursor" if forwards else "startCursor"
        while True:
            size = {"first": 2, "after": cursor} if forwards else {"last": 2, "before": cursor}
            page = await inbox(person, order=order, **size)
            listed = [*listed, *threads(page)] if forwards else [*threads(page), *listed]
            assert page["totalCount"] == (len(expected) if person is admin else 7)
            cursor = page["pageInfo"][end]
            if not page["pageInfo"]["hasNextPage" if forwards else "hasPreviousPage"]:
                return listed

    for person in (ada, admin):
        newest_first = [thread for _, thread, bobs in expected if person is admin or not bobs]
        for forwards in (True, False):
            assert await walk(person, forwards, None) == newest_first
            assert await walk(person, forwards, {"direction": "asc"}) == newest_first[::-1]


async def test_of_many_accounts_only_the_indexes_are_read(services, ada, account, other, apply):
    await apply(*(came(f"a{n}", thread=f"a{n}", at=n) for n in range(30)))
    query, values = CHATS_LIST.page_query(
        PageArgs(first=3, order="last_at"), {}, (), CHATS_LIST.model.account_id, seen_accounts(False)
    )
    async with services.db.reading() as db, db.transaction():
        await db.execute("SET LOCAL enable_seqscan = off")
        await db.execute("SET LOCAL enable_bitmapscan = off")
        arguments = query.arguments({**values, "owner_id": ada.id})
        rows = await db.fetch(f"EXPLAIN {query.sql}", *arguments)
    plan = "\n".join(row[0] for row in rows)
    assert plan.count("ix_messenger_chats_recent") == 2, plan


async def test_a_chat_is_marked_as_read(ada, bob, account, apply):
    await apply(came("1"), came("2", at=1))
    (chat,) = (await inbox(ada, where={"unread": {"eq": True}}))["nodes"]
    assert chat["unread"] == 2
    refused = await bob.graphql(READ, {"id": chat["uuid"]})
    assert refused["errors"][0]["extensions"]["code"] == "not_found"
    read = await ada.data(READ, {"id": chat["uuid"]})
    assert read["readMessengerChat"] == {"uuid": chat["uuid"], "unread": 0}
    assert threads(await inbox(ada, where={"unread": {"eq": True}})) == []
    assert await ada.data(READ, {"id": chat["uuid"]}) == read


async def test_only_what_was_seen_is_marked_as_read(services, ada, account, apply):
    """Messages after `upTo` stay unread. Own messages and history after it do not count."""
    await apply(came("1"), came("2", at=1), came("3", at=2), came("other", thread="t2"))
    await apply(came("4", at=3), came("5", at=4))
    await apply(came("history", at=5, past=True))
    items = {
        row["provider_id"]: str(row["id"])
        for row in await services.db.fetch("SELECT provider_id, id FROM messenger_messages")
    }
    chat = next(chat for chat in (await inbox(ada))["nodes"] if chat["thread"] == "t1")
    assert chat["unread"] == 5

    async def left(up_to):
        read = await ada.data(READ, {"id": chat["uuid"], "upTo": items[up_to]})
        return read["readMessengerChat"]["unread"]

    assert await left("2") == 3
    assert await left("1") == 3  # what was read stays read
    assert await left("4") == 1
    for unknown in (items["other"], str(UUID(int=1))):
        refused = await ada.graphql(READ, {"id": chat["uuid"], "upTo": unknown})
        assert refused["errors"][0]["extensions"]["code"] == "message_not_found"
    assert await left("5") == 0


async def test_a_message_that_comes_in_meanwhile_stays_unread(services, ada, account, apply, monkeypatch):
    """It comes in while the messenger is told what was read, and is not acknowledged."""
    await apply(came("1"), came("2", at=1))
    (chat,) = (await inbox(ada))["nodes"]
    acknowledged = []

    async def ask(services, account_id, method, arguments, **more):
        acknowledged.append((method, arguments["provider_id"]))
        await apply(came("3", at=2))

    monkeypatch.setattr(call_client, "ask", ask)
    read = await ada.data(READ, {"id": chat["uuid"]})
    assert read["readMessengerChat"]["unread"] == 1
    # It came in before the request, and the page of the caller does not show it yet.
    first = await services.db.fetchval("SELECT id FROM messenger_messages WHERE provider_id = '2'")
    await apply(came("4", at=4))
    read = await ada.data(READ, {"id": chat["uuid"], "upTo": str(first)})
    assert read["readMessengerChat"]["unread"] == 2
    assert acknowledged == [("read", "2"), ("read", "2")]


async def test_a_message_that_is_being_stored_stays_unread(services, ada, account, apply):
    """The chat is marked while the transaction that stores the message is still open."""
    await apply(came("1"))
    (chat,) = (await inbox(ada))["nodes"]
    first = await services.db.fetchval("SELECT id FROM messenger_messages")
    async with services.db.transaction() as db:
        await event_writer.record(services, db, account, [came("2", at=1)])
        marking = asyncio.create_task(read_receipts.set_read(services, UUID(chat["uuid"]), first))

        await until(lambda: services.db.fetchval(WAITING))
    await marking
    assert (await inbox(ada))["nodes"][0]["unread"] == 1


@pytest.mark.settings(sandbox_moment=0.02)
async def test_the_other_side_sees_that_its_message_was_read(services, ada, bob, host):
    await connect(services, ada, ADA)
    await connect(services, bob, BOB)
    sent = await ok(ada, "sendMessage", ADA, msg_to=BOB, msg_text="hello bob")
    item = sent["results"][0]["result"]["item"]

    async def came_in():
        return (await inbox(bob))["nodes"]

    (chat,) = await until(came_in)
    await bob.data(READ, {"id": chat["uuid"]})

    async def seen():
        message = (await ok(ada, "getChatMessageByItem", ADA, item=item))["message"]
        return message["status"] == "has_seen"

    await until(seen)


@pytest.mark.settings(sandbox_moment=0.02)
async def test_changes_are_told_as_they_happen(services, app, ada, bob, host):
    mine = await connect(services, ada, ADA)
    await connect(services, bob, BOB)
    async with (
        live(app, f"Bearer {ada.token}") as socket,
        live(app, f"Bearer {ada.token}") as one,
        live(app, f"Bearer {bob.token}") as foreign,
    ):
        await foreign.subscribe(CHANGED, {"account": str(mine)})
        assert (await foreign.next())["errors"][0]["extensions"]["code"] == "account_not_found"
        await socket.subscribe(CHANGED)
        await one.subscribe(CHANGED, {"account": str(mine)})
        await ok(bob, "sendMessage", BOB, msg_to=ADA, msg_text="hello ada")
        for listener in (socket, one):
            message = (await listener.next())["data"]["messengerMessageChanged"]
            assert message["text"] == "hello ada"
            assert message["chat"] == {"unread": 1, "account": {"uuid": str(mine)}}
        (chat,) = (await inbox(ada))["nodes"]
        await ada.data(READ, {"id": chat["uuid"]})
        message = (await socket.next())["data"]["messengerMessageChanged"]
        assert message["text"] == "hello ada" and message["chat"]["unread"] == 0
        sent = await ok(ada, "sendMessage", ADA, msg_to=BOB, msg_text="hello bob")
        statuses = []
        while not statuses or statuses[-1] != "delivered":
            message = (await socket.next())["data"]["messengerMessageChanged"]
            assert message["uuid"] == sent["results"][0]["result"]["item"]
            statuses.append(message["status"])


async def listens(services, topic):
    async def check():
        ((_, count),) = await services.store.client.pubsub_numsub(f"announced:{topic}")
        return count == 1

    await until(check)


@pytest.mark.parametrize("of_account", [False, True])
async def test_after_a_gap_the_newest_messages_are_told(services, app, ada, account, apply, of_account):
    """The newest messages include those of a transaction that began before the gap and committed in it."""
    await apply(came("old", "from before", at=9))
    await services.db.fetch("UPDATE messenger_chats SET updated_at = now() - interval '1 hour'")
    topic = messenger(account) if of_account else messengers(ada.id)
    async with live(app, f"Bearer {ada.token}") as socket:
        await socket.subscribe(CHANGED, {"account": str(account)} if of_account else {})
        await listens(services, topic)
        await apply(*(went(f"{n}", f"missed {n}", thread=f"m{n}", at=n) for n in range(25)))  # not announced
        await services.db.fetch(
            "UPDATE messenger_chats SET updated_at = now() - interval '20 seconds' WHERE thread = 'm0'"
        )
        await publish(services.store, topic, GAP)
        texts = [(await socket.next())["data"]["messengerMessageChanged"]["text"] for _ in range(25)]
        assert sorted(texts) == sorted(f"missed {n}" for n in range(25))


async def test_a_deleted_account_ends_its_subscription(services, app, ada, account, apply):
    await apply(came("1"))
    async with live(app, f"Bearer {ada.token}") as socket:
        await socket.subscribe(CHANGED, {"account": str(account)})
        await listens(services, messenger(account))
        await ada.data("mutation($id: ID!) { deleteMessengerAccount(id: $id) }", {"id": str(account)})
        assert (await socket.receive())["type"] == "complete"
