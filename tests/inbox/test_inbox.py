"""The chats of all accounts in one list, marking them as read, and what changes in them."""

from uuid import UUID

import pytest

from core.pubsub import GAP, publish
from tests.chats.conftest import came, make_account, went
from tests.chats.live import ADA, BOB, connect
from tests.support.messengers import ok
from tests.support.sockets import live
from tests.support.waits import until

CHATS = """
query($first: Int, $after: String, $last: Int, $before: String, $account: ID, $where: MessengerChatWhere) {
  messengerChats(first: $first, after: $after, last: $last, before: $before, accountId: $account, where: $where) {
    nodes { uuid thread unread account { uuid } messages(first: 1) { nodes { text } } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    totalCount
  }
}
"""
READ = "mutation($id: ID!) { readMessengerChat(id: $id) { uuid unread } }"
CHANGED = """
subscription($account: ID) { messengerMessageChanged(accountId: $account) { uuid text status chat { unread account { uuid } } } }
"""


@pytest.fixture
async def other(services, ada) -> UUID:
    """A second account of ada's."""
    return await make_account(services, ada, "14155550200")


async def inbox(person, **variables):
    return (await person.data(CHATS, variables))["messengerChats"]


def threads(page):
    return [chat["thread"] for chat in page["nodes"]]


async def test_the_chats_of_all_accounts_are_one_list(ada, bob, account, other, tell):
    await tell(*(came(f"a{n}", thread=f"a{n}", at=2 * n) for n in range(5)))
    await tell(*(came(f"b{n}", thread=f"b{n}", at=2 * n + 1) for n in range(3)), account=other)
    newest_first = ["a4", "a3", "b2", "a2", "b1", "a1", "b0", "a0"]
    whole = await inbox(ada)
    assert threads(whole) == newest_first and whole["totalCount"] == 8
    assert not whole["pageInfo"]["hasNextPage"]
    found, after = [], None
    while True:
        page = await inbox(ada, first=3, after=after)
        found += threads(page)
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
        assert len(page["nodes"]) == 3
    assert found == newest_first
    end = await inbox(ada, last=3)
    assert threads(end) == newest_first[-3:] and end["pageInfo"]["hasPreviousPage"]
    before = await inbox(ada, last=3, before=end["pageInfo"]["startCursor"])
    assert threads(before) == newest_first[2:5]
    assert threads(await inbox(ada, account=str(other))) == ["b2", "b1", "b0"]
    assert whole["nodes"][0]["messages"]["nodes"] == [{"text": "hi"}]
    assert threads(await inbox(bob)) == [] and (await inbox(bob))["totalCount"] == 0


async def test_a_chat_is_marked_as_read(ada, bob, account, tell):
    await tell(came("1"), came("2", at=1))
    (chat,) = (await inbox(ada, where={"unread": {"eq": True}}))["nodes"]
    assert chat["unread"] == 2
    refused = await bob.graphql(READ, {"id": chat["uuid"]})
    assert refused["errors"][0]["extensions"]["code"] == "not_found"
    read = await ada.data(READ, {"id": chat["uuid"]})
    assert read["readMessengerChat"] == {"uuid": chat["uuid"], "unread": 0}
    assert threads(await inbox(ada, where={"unread": {"eq": True}})) == []
    assert await ada.data(READ, {"id": chat["uuid"]}) == read


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


async def test_after_a_gap_the_newest_messages_are_told(services, app, ada, account, tell):
    await tell(came("old", "from before"))
    async with live(app, f"Bearer {ada.token}") as socket:
        await socket.subscribe(CHANGED)

        async def listens():
            ((_, count),) = await services.store.client.pubsub_numsub(f"announced:messengers:{ada.id}")
            return count == 1

        await until(listens)
        await tell(went("1", "missed", thread="t2"))  # nobody announces it
        await publish(services.store, f"messengers:{ada.id}", GAP)
        assert (await socket.next())["data"]["messengerMessageChanged"]["text"] == "missed"
