"""getChatMessages and getUserInfo: our own history, filled by the messenger."""

from datetime import UTC, datetime, timedelta

import pytest

from core.ids import uuid7
from db.lists import PageArgs
from engine.messengers import call_client
from resolvers.chats import chat_lists, chat_shapes
from tests.chats.conftest import ANNA, came, make_account, went
from tests.chats.live import ADA, BOB, connect
from tests.support.messengers import ok, wrong

LOGIN = "14155550100"


async def test_pages_are_stable_while_messages_come(services, ada, account, apply, outbox):
    await apply(*(came(str(n), str(n), at=n // 3) for n in range(50)))  # three in a second
    seen, before = [], None
    while True:
        page = (
            await ok(
                ada, "getChatMessages", LOGIN, to=ANNA, limit=7, **({"before": before} if before else {})
            )
        )["messages"]
        if not page:
            break
        seen = [message["text"] for message in page] + seen
        before = page[0]["item"]
        await apply(came(f"new {before}", "new", at=1000 + len(seen)))
    assert seen == [str(n) for n in range(50)]
    newest = (await ok(ada, "getChatMessages", LOGIN, uniq="t1", limit=2))["messages"]
    assert [message["text"] for message in newest] == ["new", "new"] and newest[0]["time"] < newest[1]["time"]


@pytest.mark.parametrize(
    "to", ["14155550101", "+14155550101", "+1 (415) 555-0101", "0014155550101", "14155550101@c.us", "t1"]
)
async def test_a_chat_by_all_its_names(ada, account, apply, outbox, to):
    await apply(came("1"))
    assert len((await ok(ada, "getChatMessages", LOGIN, to=to))["messages"]) == 1


async def test_by_a_user_name(ada, account, apply, outbox):
    await apply(came("1", sender="Anna_K"), came("2", thread="c", chat_kind="channel", sender="anna_k"))
    (message,) = (await ok(ada, "getChatMessages", LOGIN, to="@anna_k"))["messages"]
    assert message["from"] == "Anna_K"


async def test_bad_questions(ada, account):
    for fields in (
        {},
        {"to": BOB, "limit": 0},
        {"to": BOB, "limit": 101},
        {"to": BOB, "before": "5"},
        {"to": "x" * 300},
    ):
        assert (await wrong(ada, "getChatMessages", LOGIN, **fields))[0] == "validation_failed"
    assert (await wrong(ada, "getChatMessageByItem", LOGIN))[0] == "validation_failed"
    assert (await wrong(ada, "getChatMessageByItem", LOGIN, item="5"))[0] == "validation_failed"
    assert (await wrong(ada, "getUserInfo", LOGIN, to="anna"))[0] == "invalid_recipient"
    assert (await ok(ada, "getChatMessages", LOGIN, to=BOB))["messages"] == []
    assert (await ok(ada, "getChatMessages", LOGIN, thread="nowhere"))["messages"] == []
    query = (
        f'query($id: ID!) {{ messengerMessages(accountId: $id, to: "{BOB}", first: 101) {{ totalCount }} }}'
    )
    assert await ada.code(query, {"id": str(account)}) == "validation_failed"


@pytest.mark.settings(sandbox_moment=0.02)
async def test_what_we_have_not_comes_from_the_messenger(services, ada, bob, host):
    """Written before we kept anything: the messenger has it still."""
    await connect(services, ada, ADA)
    await connect(services, bob, BOB)
    items = [
        (await ok(ada, "sendMessage", ADA, msg_to=BOB, msg_text=str(n)))["results"][0]["result"]["item"]
        for n in range(5)
    ]
    await services.db.fetch("DELETE FROM messenger_messages WHERE id = ANY($1::uuid[])", items[:3])
    messages = (await ok(ada, "getChatMessages", ADA, to=BOB))["messages"]
    assert [message["text"] for message in messages] == ["0", "1", "2", "3", "4"]
    assert [message["item"] for message in messages[3:]] == items[3:]
    await services.db.fetch("DELETE FROM messenger_chats")
    await services.db.fetch("DELETE FROM messenger_messages")
    again = (await ok(ada, "getChatMessages", ADA, to=BOB, limit=2))["messages"]
    assert [message["text"] for message in again] == ["3", "4"]
    older = (await ok(ada, "getChatMessages", ADA, to=BOB, limit=10, before=again[0]["item"]))["messages"]
    assert [message["text"] for message in older] == ["0", "1", "2"]
    # The messenger has nothing older: it is not asked again.
    assert await services.db.fetchval("SELECT whole FROM messenger_chats WHERE thread = $1", BOB)


async def test_a_messenger_that_is_away_costs_nothing_that_we_have(ada, account, apply, outbox, monkeypatch):
    from core.errors import Unavailable

    async def away(*_, **__):
        raise Unavailable("away", code="messenger_unavailable")

    await apply(came("1"), went("2", at=1))
    monkeypatch.setattr(call_client, "ask", away)
    assert len((await ok(ada, "getChatMessages", LOGIN, to=ANNA))["messages"]) == 2


@pytest.mark.settings(sandbox_moment=0.02)
async def test_who_somebody_is(services, ada, host):
    id = await connect(services, ada, ADA)
    user = (await ok(ada, "getUserInfo", ADA, to=BOB))["user"]
    assert user["exists"] and user["phone"] == f"+{BOB}" and user["name"]
    nobody = (await ok(ada, "getUserInfo", ADA, to="+15005550011"))["user"]
    assert nobody == {
        "id": None,
        "phone": "+15005550011",
        "username": None,
        "name": None,
        "avatar": None,
        "exists": False,
        "lastSeen": None,
    }
    data = await ada.data(
        "query($id: ID!, $to: String!) { messengerUser(accountId: $id, to: $to) { messengerId phone exists } }",
        {"id": str(id), "to": BOB},
    )
    assert data["messengerUser"] == {"messengerId": user["id"], "phone": f"+{BOB}", "exists": True}


@pytest.mark.settings(limit_messenger_lookups="2/3600")  # none comes back while this runs
async def test_the_messenger_is_not_asked_without_end(services, ada, account, apply, outbox, monkeypatch):
    calls = []

    async def ask(services, id, call, arguments=None, **_):
        calls.append(call)
        return None if call == "person" else []

    monkeypatch.setattr(call_client, "ask", ask)
    await apply(came("1"))
    for _ in range(2):
        assert not (await ok(ada, "getUserInfo", LOGIN, to=BOB))["user"]["exists"]
    assert (await wrong(ada, "getUserInfo", LOGIN, to=BOB))[0] == "rate_limited"
    # History is what we have then.
    assert len((await ok(ada, "getChatMessages", LOGIN, to=ANNA))["messages"]) == 1
    assert (await ok(ada, "getChatMessages", LOGIN, to=BOB))["messages"] == []
    assert calls == ["person", "person"]
    # Each account has its own; and what needs no asking costs nothing.
    other = await make_account(services, ada, "other")
    await apply(*(came(str(n), at=n) for n in range(5)), account=other)
    for _ in range(5):
        assert len((await ok(ada, "getChatMessages", "other", to=ANNA, limit=3))["messages"]) == 3
    await ok(ada, "getChatMessages", "other", to=ANNA)
    assert calls[2:] == ["history"]


async def test_the_last_written_chats_are_read_from_their_index(services, ada, account, apply, outbox):
    await apply(*(came(str(n), thread=f"t{n}", at=n % 7) for n in range(30)))
    await services.db.fetch(
        "INSERT INTO messenger_chats (id, account_id, thread) VALUES ($1, $2, 'empty')", uuid7(), account
    )
    rows, values = chat_lists.CHATS.page_query(
        PageArgs(first=20, order="last_at"), {}, (chat_lists.IN_ACCOUNT,), None
    )
    async with services.db.reading() as db, db.transaction():
        await db.execute("SET LOCAL enable_seqscan = off")
        await db.execute("SET LOCAL enable_bitmapscan = off")
        arguments = rows.arguments({**values, "account_id": account})
        plan = "\n".join(row[0] for row in await db.fetch(f"EXPLAIN {rows.sql}", *arguments))
    assert "Index Scan Backward using ix_messenger_chats_recent" in plan and "Sort" not in plan, plan
    query = "query($id: ID!) { chats(accountId: $id, first: 100) { nodes { thread lastAt } totalCount } }"
    chats = (await ada.data(query, {"id": str(account)}))["chats"]
    times = [node["lastAt"] for node in chats["nodes"]]
    assert times == sorted(times, reverse=True) and len(times) == 30 == chats["totalCount"]


async def test_what_is_sealed_is_not_read_for_a_relation(services, ada, account, apply, outbox, monkeypatch):
    await apply(came("1"))
    statements, real = [], services.db.fetch

    async def fetch(sql, *arguments):
        statements.append(sql)
        return await real(sql, *arguments)

    monkeypatch.setattr(services.db, "fetch", fetch)
    query = (
        "query($id: ID!) { chats(accountId: $id) { nodes { account { login state next proxy me { messengerId "
        "} } } } }"
    )
    (chat,) = (await ada.data(query, {"id": str(account)}))["chats"]["nodes"]
    assert chat["account"]["login"] == LOGIN and chat["account"]["state"] == "working"
    (read,) = [sql for sql in statements if "messenger_accounts.login" in sql]
    assert "_encrypted" not in read and "cursor" not in read


async def test_a_page_of_chats_costs_few_statements(services, ada, account, apply, outbox, monkeypatch):
    await apply(*(came(f"{n}-{k}", thread=f"t{n}", at=k) for n in range(40) for k in range(3)))
    statements, real = [], services.db.fetch

    async def fetch(sql, *arguments):
        statements.append(sql)
        return await real(sql, *arguments)

    monkeypatch.setattr(services.db, "fetch", fetch)
    query = (
        "query($id: ID!, $n: Int!) { chats(accountId: $id, first: $n) { nodes { uuid messages(first: 2) { "
        "nodes { text chat { uuid } } } } } }"
    )
    costs = []
    for count in (2, 40):
        del statements[:]
        data = await ada.data(query, {"id": str(account), "n": count})
        assert [len(chat["messages"]["nodes"]) for chat in data["chats"]["nodes"]] == [2] * count
        costs.append(len(statements))
    assert costs[0] == costs[1]


def test_of_many_reactions_the_newest_are_shown():
    at = datetime(2026, 11, 20, tzinfo=UTC)
    reactions = {
        str(number): {
            "emoji": "x" if number % 2 else None,
            "at": (at - timedelta(minutes=number)).isoformat(),
        }
        for number in range(240)
    }
    shown = chat_shapes._as_reactions(reactions)
    assert [reaction.sender for reaction in shown] == [str(number) for number in range(1, 101, 2)]
    few = {
        str(number): {"emoji": "x", "at": (at + timedelta(minutes=number)).isoformat()}
        for number in range(50)
    }
    assert [reaction.sender for reaction in chat_shapes._as_reactions(few)] == [*few]
