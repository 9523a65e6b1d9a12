"""sendMessage through both doors, on live accounts of the sandbox."""

import asyncio
import importlib
from uuid import UUID

import pytest

from core.errors import Unavailable, UpstreamTimeout
from engine.jobs import JOBS
from engine.messengers import call_client, sending
from engine.messengers.attempts import NewMessage
from engine.messengers.drivers import REGISTERED
from tests.chats.conftest import ANNA, came, make_account, went
from tests.chats.live import ADA, BOB, connect
from tests.support.messengers import ok, wrong
from tests.support.waits import until

pytestmark = pytest.mark.settings(sandbox_moment=0.02, limit_messenger_messages="100000/60")

DELIVERED, FAILED, BOUNCED, FLAKY, TIMEOUT, SILENT = (
    f"+1500555{n}" for n in ("0001", "0011", "0021", "0031", "0051", "0071")
)


@pytest.fixture
async def ada_live(services, ada, host):
    return await connect(services, ada, ADA)


@pytest.fixture
async def bob_live(services, bob, host):
    return await connect(services, bob, BOB)


async def count(services, **where):
    return await services.db.fetchval("SELECT count(*) FROM messenger_messages WHERE outgoing")


async def test_two_accounts_write_to_each_other(services, ada, bob, ada_live, bob_live):
    sent = await ok(ada, "sendMessage", ADA, msg_to=BOB, msg_text="hello bob")
    (result,) = sent["results"]
    item, thread = result["result"]["item"], result["result"]["thread"]
    assert isinstance(result["result"]["timestamp"], int)

    async def came():
        return (await ok(bob, "getChatMessages", BOB, to=ADA))["messages"]

    (message,) = await until(came)
    assert message["text"] == "hello bob" and message["from"] == f"+{ADA}" and not message["outgoing"]
    assert message["to"] == f"+{BOB}"
    answer = await ok(
        bob, "sendMessage", BOB, msg={"to": f"+{ADA}", "text": "hello ada", "replyTo": message["item"]}
    )

    async def both():
        messages = (await ok(ada, "getChatMessages", ADA, thread=thread))["messages"]
        return messages if len(messages) == 2 and messages[0]["status"] != "server" else None

    first, second = await until(both)
    assert (first["item"], first["text"], first["outgoing"]) == (item, "hello bob", True)
    assert (second["text"], second["replyTo"]) == ("hello ada", item)
    assert first["time"] == int(second["time"]) or first["time"] < second["time"]
    one = await ok(ada, "getChatMessageByItem", ADA, item=item)
    assert one["message"] == first
    data = await ada.data(
        """query($id: ID!, $item: ID!, $to: String!) {
          chats(accountId: $id, where: {unread: {eq: true}}) {
            nodes { thread kind unread account { uuid } messages(first: 1) { nodes { text from account { uuid } } } }
            totalCount
          }
          messengerMessage(item: $item) { uuid text to status at replyTo chat { thread } }
          messengerMessages(accountId: $id, to: $to) { nodes { text chat { thread } } totalCount }
        }""",
        {"id": str(ada_live), "item": item, "to": BOB},
    )
    assert data["chats"]["totalCount"] == 1
    (chat,) = data["chats"]["nodes"]
    assert chat == {
        "thread": thread,
        "kind": "user",
        "unread": 1,
        "account": {"uuid": str(ada_live)},
        "messages": {"nodes": [{"text": "hello ada", "from": f"+{BOB}", "account": {"uuid": str(ada_live)}}]},
    }
    assert data["messengerMessage"]["uuid"] == item and data["messengerMessage"]["to"] == f"+{BOB}"
    assert data["messengerMessage"]["chat"] == {"thread": thread}
    assert data["messengerMessages"] == {
        "nodes": [{"text": text, "chat": {"thread": thread}} for text in ("hello ada", "hello bob")],
        "totalCount": 2,
    }
    assert answer["results"][0]["result"]["item"] != item


async def test_one_key_is_one_message_however_it_is_asked_for(services, ada, ada_live, bob_live):
    body = {"msg_to": BOB, "msg_text": "once", "idempotencyKey": "k1"}
    answers = await asyncio.gather(*(ok(ada, "sendMessage", ADA, **body) for _ in range(10)))
    assert len({answer["results"][0]["result"]["item"] for answer in answers}) == 1
    assert await count(services) == 1
    headed = await ada.rest(
        "POST",
        "/sendMessage",
        json={"source": "telegram", "login": ADA, "msg": {"to": f"+{BOB}", "text": "once"}},
        headers={"Idempotency-Key": "k1"},
    )
    assert headed.json()["results"] == answers[0]["results"]
    assert headed.headers["idempotent-replayed"] == "true"
    code, _ = await wrong(ada, "sendMessage", ADA, **{**body, "msg_text": "another"})
    assert code == "idempotency_key_reused"
    made = await ada.data(
        """mutation($id: ID!, $to: String!) {
          sendMessengerMessage(accountId: $id, input: {to: $to, text: "once", idempotencyKey: "k1"}) { uuid }
        }""",
        {"id": str(ada_live), "to": BOB},
    )
    assert made["sendMessengerMessage"]["uuid"] == answers[0]["results"][0]["result"]["item"]
    assert await count(services) == 1
    # Without a key each is a message of its own.
    await ok(ada, "sendMessage", ADA, msg_to=BOB, msg_text="once")
    assert await count(services) == 2


async def test_a_lost_answer_never_makes_a_second_message(services, ada, ada_live):
    body = {"msg_to": TIMEOUT, "msg_text": "lost", "idempotencyKey": "k"}
    answer = (
        await ada.rest("POST", "/sendMessage", json={"source": "telegram", "login": ADA, **body})
    ).json()
    assert answer["error"]["code"] == "uncertain"
    item = answer["error"]["details"]["item"]
    # Its echo, which the sandbox tells, or the second try under the same item: whichever comes first.
    again = await ok(ada, "sendMessage", ADA, **body)
    assert again["results"][0]["result"]["item"] == item
    assert await count(services) == 1
    row = await services.db.fetchrow("SELECT * FROM messenger_messages WHERE id = $1", UUID(item))
    assert row.provider_id and row.failure_code is None
    history = await call_client.ask(
        services, ada_live, "history", {"thread": row.thread, "limit": 50, "before": None}
    )
    assert len([message for message in history if message["text"] == "lost"]) == 1


async def test_what_nobody_knows_stays_pending(services, ada, ada_live):
    code, _ = await wrong(ada, "sendMessage", ADA, msg_to=SILENT, msg_text="?")
    assert code == "uncertain"
    row = await services.db.fetchrow("SELECT status, failure_code FROM messenger_messages")
    assert (row.status, row.failure_code) == ("pending", "uncertain")


async def test_what_was_surely_not_done_is_tried_again_under_its_item(services, ada, ada_live):
    body = {"msg_to": FLAKY, "msg_text": "x", "idempotencyKey": "k"}
    code, _ = await wrong(ada, "sendMessage", ADA, **body)
    assert code == "messenger_unavailable"
    row = await services.db.fetchrow("SELECT id, status, failure_code FROM messenger_messages")
    assert (row.status, row.failure_code) == ("errored", "messenger_unavailable")
    again = await ok(ada, "sendMessage", ADA, **body)
    assert again["results"][0]["result"]["item"] == str(row.id)
    # Nobody can ask again for what has no key: nothing is left of it.
    await wrong(ada, "sendMessage", ADA, msg_to=FLAKY, msg_text="y")
    assert await count(services) == 1


async def test_what_the_messenger_refuses_is_errored_for_good(services, ada, ada_live):
    body = {"msg_to": FAILED, "msg_text": "x", "idempotencyKey": "k"}
    assert (await wrong(ada, "sendMessage", ADA, **body)) == (await wrong(ada, "sendMessage", ADA, **body))
    row = await services.db.fetchrow("SELECT status, failure_code FROM messenger_messages")
    assert (row.status, row.failure_code) == ("errored", "invalid_recipient")
    await ok(ada, "sendMessage", ADA, msg_to=BOUNCED, msg_text="x", idempotencyKey="k2")

    async def bounced():
        return await services.db.fetchval(
            "SELECT failure_code FROM messenger_messages WHERE key = 'c:k2' AND status = 'errored'"
        )

    assert await until(bounced)


async def test_an_account_that_does_not_work_says_what_to_do(services, ada, host):
    await make_account(services, ada, "idle", "stopped")
    code, message = await wrong(ada, "sendMessage", "idle", msg_to=BOB, msg_text="x", idempotencyKey="k")
    assert code == "wrong_state" and "setState(true)" in message
    assert await count(services) == 0


async def test_content_of_the_type_text_is_text(services, ada, bob, ada_live, bob_live):
    for content, text in (
        ([{"type": "text", "text": "one"}], "one"),
        ([{"type": "text", "src": "two"}], "two"),
        (
            [
                {"type": "text", "text": "three"},
                {"type": "text", "text": ""},
                {"type": "text", "text": "four"},
            ],
            "three\nfour",
        ),
    ):
        sent = await ok(ada, "sendMessage", ADA, msg={"to": BOB, "content": content})
        item = sent["results"][0]["result"]["item"]
        shown = (await ok(ada, "getChatMessageByItem", ADA, item=item))["message"]
        assert (shown["text"], shown["content"]) == (text, [])
    sent = await ok(
        ada, "sendMessage", ADA, msg={"to": BOB, "text": "one", "content": [{"type": "text", "text": "one"}]}
    )
    item = sent["results"][0]["result"]["item"]
    assert (await ok(ada, "getChatMessageByItem", ADA, item=item))["message"]["text"] == "one"
    nothing = {"to": BOB, "content": [{"type": "text", "text": ""}]}
    assert (await wrong(ada, "sendMessage", ADA, msg=nothing))[0] == "empty_message"


BAD = {
    "no recipient": ({"msg_text": "x"}, "validation_failed"),
    "letters": ({"msg_to": "anna", "msg_text": "x"}, "invalid_recipient"),
    "too short": ({"msg_to": "+12", "msg_text": "x"}, "invalid_recipient"),
    "impossible": ({"msg_to": "+1415555010199", "msg_text": "x"}, "invalid_recipient"),
    "plus alone": ({"msg_to": "+", "msg_text": "x"}, "invalid_recipient"),
    "empty": ({"msg_to": BOB, "msg_text": "  "}, "empty_message"),
    "reply to nothing": ({"msg": {"to": BOB, "text": "x", "replyTo": str(UUID(int=5))}}, "reply_not_found"),
    "reply to no item": ({"msg": {"to": BOB, "text": "x", "replyTo": "5"}}, "validation_failed"),
    "unknown content": (
        {"msg": {"to": BOB, "content": [{"type": "poll", "src": "data:,x"}]}},
        "validation_failed",
    ),
    "long": ({"msg_to": BOB, "msg_text": "x" * 70_000}, "validation_failed"),
    "msg is a text": ({"msg": "hello"}, "validation_failed"),
    "NUL": ({"msg_to": BOB, "msg_text": "a\x00b"}, "validation_failed"),
}


@pytest.mark.parametrize("name", BAD)
async def test_bad_messages_leave_nothing(services, ada, account, name):
    body, expected = BAD[name]
    code, message = await wrong(ada, "sendMessage", "14155550100", **body)
    assert code == expected and message
    assert await count(services) == 0


async def test_anothers_account_and_items_are_not_there(services, ada, bob, account, apply):
    await apply(came("1"))
    item = str(await services.db.fetchval("SELECT id FROM messenger_messages"))
    login = "14155550100"
    for method, fields in (
        ("sendMessage", {"msg_to": BOB, "msg_text": "x"}),
        ("getChatMessages", {"to": BOB}),
        ("getChatMessageByItem", {"item": item}),
        ("getUserInfo", {"to": BOB}),
    ):
        assert (await wrong(bob, method, login, **fields))[0] == "account_not_found"
    await make_account(services, bob, login)
    assert (await wrong(bob, "getChatMessageByItem", login, item=item))[0] == "message_not_found"
    assert (await wrong(bob, "getChatMessages", login, to=BOB, before=item))[0] == "message_not_found"
    assert (await wrong(bob, "sendMessage", login, msg={"to": BOB, "text": "x", "replyTo": item}))[0] == (
        "reply_not_found"
    )
    assert (
        await bob.code("query($i: ID!) { messengerMessage(item: $i) { uuid } }", {"i": item})
        == "message_not_found"
    )
    assert (await ok(ada, "getChatMessageByItem", login, item=item))["message"]["item"] == item


@pytest.mark.settings(limit_messenger_messages="2/3600")  # none comes back while this runs
async def test_an_account_has_a_limit(services, ada, account, monkeypatch):
    async def ask(*_, **__):
        raise Unavailable("away", code="messenger_unavailable")

    monkeypatch.setattr(call_client, "ask", ask)
    errors = [await wrong(ada, "sendMessage", "14155550100", msg_to=BOB, msg_text="x") for _ in range(3)]
    assert [code for code, _ in errors] == ["messenger_unavailable", "messenger_unavailable", "rate_limited"]


async def test_where_a_driver_may_send_twice_nobody_asks_twice(services, ada, account, monkeypatch):
    """WhatsApp Cloud takes no item: what is uncertain stays so, whatever is asked under that key."""
    await services.db.fetch("UPDATE messenger_accounts SET driver = 'whatsapp-cloud'")
    calls = []

    async def ask(services, id, call, arguments=None, **_):
        calls.append(arguments["item"])
        raise UpstreamTimeout("?", code="uncertain")

    monkeypatch.setattr(call_client, "ask", ask)
    for _ in range(3):
        code, _ = await wrong(ada, "sendMessage", "14155550100", msg_to=BOB, msg_text="x", idempotencyKey="k")
        assert code == "uncertain"
    assert len(calls) == 1


async def test_what_died_between_the_row_and_the_answer(services, ada, account, outbox, apply, monkeypatch):
    """The row stays; a round finds it, looks into the chat, and says in the end that nobody knows."""

    async def ask(services, id, call, arguments=None, **_):
        if call == "send":
            raise asyncio.CancelledError
        raise Unavailable("away", code="messenger_unavailable")

    monkeypatch.setattr(call_client, "ask", ask)
    row = await services.db.fetchrow("SELECT *, true AS held FROM messenger_accounts")
    with pytest.raises(asyncio.CancelledError):
        await sending.send(services, row, NewMessage(ANNA, "x"), key="k")
    await sending.finish_unanswered(services)
    assert await services.db.fetchval("SELECT status FROM messenger_messages") == "pending"
    await services.db.fetch(
        "UPDATE messenger_messages SET created_at = now() - interval '1 hour', asked_at = now() - interval '1 hour'"
    )
    await sending.finish_unanswered(services)
    message = await services.db.fetchrow("SELECT id, status, failure_code FROM messenger_messages")
    assert (message.status, message.failure_code) == ("errored", "unknown")
    assert [event.body["content"][0]["type"] for event in outbox] == ["errored"]
    # The truth comes late, and counts.
    await apply(went("9", "x", item=message.id))
    assert await services.db.fetchval("SELECT status FROM messenger_messages") == "server"


async def test_messages_of_one_chat_stay_in_their_order(services, ada, ada_live, bob_live):
    items = [
        (await ok(ada, "sendMessage", ADA, msg_to=BOB, msg_text=str(n)))["results"][0]["result"]["item"]
        for n in range(5)
    ]
    messages = (await ok(ada, "getChatMessages", ADA, to=BOB))["messages"]
    assert [message["item"] for message in messages] == items


async def test_history_settles_what_was_uncertain(services, ada, ada_live):
    """The answer was lost, and the echo too, say: a round looks into the chat."""
    await wrong(ada, "sendMessage", ADA, msg_to=TIMEOUT, msg_text="lost")
    await until(lambda: services.db.fetchval("SELECT provider_id FROM messenger_messages"))
    await services.db.fetch(
        "UPDATE messenger_messages SET provider_id = NULL, status = 'pending', failure_code = 'uncertain',"
        " created_at = now() - interval '5 minutes', asked_at = now() - interval '5 minutes'"
    )
    await sending.finish_unanswered(services)
    row = await services.db.fetchrow("SELECT provider_id, status, failure_code FROM messenger_messages")
    assert row.provider_id and row.status != "pending" and row.failure_code is None


async def test_what_came_in_is_read_where_the_owner_wants_it(services, ada, bob, ada_live, bob_live):
    await ok(bob, "setConfig", BOB, name="default", config={"autoRead": True})
    sent = await ok(ada, "sendMessage", ADA, msg_to=BOB, msg_text="read me")
    item = sent["results"][0]["result"]["item"]
    job = "SELECT convert_from(payload, 'UTF8') FROM pgqueuer WHERE entrypoint = 'messengers.read'"
    chat = UUID(await until(lambda: services.db.fetchval(job)))
    await JOBS["messengers.read"].work(services, chat)

    async def seen():
        return (await ok(ada, "getChatMessageByItem", ADA, item=item))["message"]["status"] == "has_seen"

    await until(seen)
    assert await services.db.fetchval("SELECT unread FROM messenger_chats WHERE id = $1", chat) == 0


async def test_drivers_that_drop_twins_are_named(settings):
    """The table of `sending` says what the drivers say."""
    for name, registered in REGISTERED.items():
        try:
            made = importlib.import_module(registered.module)
        except ImportError:  # an optional extra, or not there yet
            continue
        (driver,) = [
            value
            for value in vars(made).values()
            if isinstance(value, type)
            and getattr(value, "name", None) == name
            and hasattr(value, "idempotent")
        ]
        assert driver.idempotent == (name in sending.IDEMPOTENT_DRIVERS), name
