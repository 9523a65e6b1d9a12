"""Tests how the events of a live account are stored: once, in order, never backwards."""

from datetime import timedelta

import pytest

from core.ids import uuid7
from tests.chats.conftest import ANNA, T0, came, kinds, smile, step, went


async def test_a_message_is_kept_told_and_announced_once(services, account, apply, outbox):
    event = came("1", "hi", content=())
    (announced,) = await apply(event)
    assert await apply(event, event) == []
    row = await services.db.fetchrow("SELECT * FROM messenger_messages WHERE account_id = $1", account)
    assert (row.thread, row.provider_id, row.text, row.outgoing, row.status) == (
        "t1",
        "1",
        "hi",
        False,
        "delivered",
    )
    assert announced == {
        "kind": "message",
        "account": str(account),
        "item": str(row.id),
        "thread": "t1",
        "outgoing": False,
    }
    (outbox_event,) = outbox
    assert outbox_event.type == "message" and outbox_event.thread == "t1"
    assert outbox_event.body == {
        "hook_type": "message",
        "source": "telegram",
        "login": "14155550100",
        "item": str(row.id),
        "thread": "t1",
        "from": ANNA,
        "to": "+14155550100",
        "time": int(T0.timestamp()),
        "text": "hi",
        "outgoing": False,
        "replyTo": None,
        "content": [],
        "name": "Anna",
    }
    chat = await services.db.fetchrow("SELECT * FROM messenger_chats WHERE account_id = $1", account)
    assert (chat.name, chat.phone, chat.kind, chat.unread, chat.last_at, chat.last_item) == (
        "Anna",
        ANNA,
        "user",
        1,
        T0,
        row.id,
    )


async def test_statuses_move_forward_only(services, account, apply, outbox):
    await apply(went("1"), step("1", "delivered"))
    await apply(step("1", "server"), step("1", "errored", code="late"), step("1", "delivered"))
    await apply(step("1", "has_seen"))
    await apply(step("1", "delivered"), went("1", status="server"))
    assert await services.db.fetchval("SELECT status FROM messenger_messages") == "has_seen"
    assert kinds(outbox) == [
        ("message", "hello"),
        ("message_status", "delivered"),
        ("message_status", "has_seen"),
    ]
    await apply(went("2"), step("2", "errored", code="privacy", reason="No."))
    await apply(step("2", "has_seen"))
    row = await services.db.fetchrow("SELECT * FROM messenger_messages WHERE provider_id = '2'")
    assert (row.status, row.failure_code, row.failure_reason) == ("errored", "privacy", "No.")
    assert outbox[-1].body["content"] == [
        {"type": "errored", "src": None, "code": "privacy", "reason": "No."}
    ]


async def test_a_mark_is_about_everything_before_it_in_its_thread(services, account, apply, outbox):
    await apply(
        went("1", at=1), went("2", at=2), came("3", at=3), went("4", at=4), went("5", at=2, thread="t2")
    )
    del outbox[:]
    await apply(step("3", "has_seen", up_to=True), step("2", "has_seen", up_to=True))
    rows = await services.db.fetch(
        "SELECT provider_id, status FROM messenger_messages WHERE outgoing ORDER BY 1"
    )
    assert [(row.provider_id, row.status) for row in rows] == [
        ("1", "has_seen"),
        ("2", "has_seen"),
        ("4", "server"),
        ("5", "server"),
    ]
    assert len(outbox) == 2
    await apply(step("4", "has_seen", up_to=True))
    assert len(outbox) == 3


async def test_what_comes_before_its_message_is_applied_when_it_comes(services, account, apply, outbox):
    await apply(step("1", "delivered"), smile("1", "👍"))
    await apply(step("1", "delivered"))
    assert not outbox and await services.db.fetchval("SELECT count(*) FROM messenger_early") == 2
    await apply(went("0", at=-1), step("1", "has_seen", up_to=True))
    await apply(went("1"))
    assert kinds(outbox)[1:] == [
        ("message", "hello"),
        ("message_status", "delivered"),
        ("message_status", "has_seen"),
        ("message_status", "has_seen"),
        ("add_message_reaction", "👍"),
    ]
    assert await services.db.fetchval("SELECT count(*) FROM messenger_early") == 0


async def test_history_is_kept_and_nobody_is_told(services, account, apply, outbox):
    assert await apply(came("2", at=2, past=True), went("1", at=1, past=True)) == []
    assert not outbox
    rows = await services.db.fetch("SELECT provider_id FROM messenger_messages ORDER BY at, seq")
    assert [row.provider_id for row in rows] == ["1", "2"]
    chat = await services.db.fetchrow("SELECT * FROM messenger_chats")
    assert chat.unread == 0 and (chat.last_at - T0).seconds == 2


async def test_what_history_showed_first_is_told_when_it_comes(services, account, apply, outbox):
    """Somebody looked at the chat between the message's arrival at the messenger and here."""
    await apply(came("1", "hi", past=True), went("2", "from the phone", at=1, past=True))
    (row,) = await services.db.fetch("SELECT id FROM messenger_messages WHERE provider_id = '1'")
    (first, *_) = await apply(came("1", "hi"), went("2", "from the phone", at=1, status="has_seen"))
    assert (first["kind"], first["item"]) == ("message", str(row.id))
    assert kinds(outbox) == [("message", "hi"), ("message", "from the phone"), ("message_status", "has_seen")]
    assert outbox[0].body["item"] == str(row.id) and outbox[0].body["name"] == "Anna"
    assert await apply(came("1", "hi"), came("1", "hi", past=True)) == []
    assert len(outbox) == 3
    assert await services.db.fetchval("SELECT count(*) FROM messenger_messages") == 2
    await apply(came("3", "and?", at=2, past=True))
    assert await services.db.fetchval("SELECT unread FROM messenger_chats") == 0
    await apply(came("3", "and?", at=2))
    assert await services.db.fetchval("SELECT unread FROM messenger_chats") == 1


@pytest.mark.parametrize("shown", [False, True], ids=["unknown", "shown by history"])
async def test_what_is_old_is_no_news_when_it_is_changed(services, account, apply, outbox, shown):
    if shown:
        await apply(came("1", "of last year", past=True))
    assert await apply(came("1", "changed", edited_at=T0 + timedelta(seconds=5))) == []
    assert not outbox and await services.db.fetchval("SELECT unread FROM messenger_chats") == 0
    assert await services.db.fetchval("SELECT text FROM messenger_messages") == "changed"


@pytest.mark.parametrize("apart", [False, True], ids=["together", "apart"])
@pytest.mark.parametrize("first", ["message", "edit"])
async def test_what_is_new_and_changed_is_one_message(services, account, apply, outbox, first, apart):
    """Both happened while the account was away, and messengers report them in either order."""
    both = [came("1", "hi"), came("1", "hello", edited_at=T0 + timedelta(seconds=5))]
    both = both if first == "message" else both[::-1]
    for events in [[event] for event in both] if apart else [both]:
        await apply(*events)
    told = [("message", "hi"), ("message_edited", "hello")] if first == "message" else [("message", "hello")]
    assert [(event.type, event.body["text"]) for event in outbox] == told
    assert await services.db.fetchval("SELECT unread FROM messenger_chats") == 1
    assert await services.db.fetchval("SELECT text FROM messenger_messages") == "hello"


async def test_reactions_newest_of_each_sender(services, account, apply, outbox):
    await apply(came("1"))
    del outbox[:]
    await apply(smile("1", "👍", at=1), smile("1", "❤", at=2))
    await apply(smile("1", "👍", at=1), smile("1", "❤", at=2))
    await apply(smile("1", None, at=3), smile("1", None, at=4))
    assert kinds(outbox) == [
        ("add_message_reaction", "👍"),
        ("add_message_reaction", "❤"),
        ("add_message_reaction", ""),
    ]
    item = await services.db.fetchval("SELECT id FROM messenger_messages")
    assert all(event.body["replyTo"] == str(item) and event.body["item"] != str(item) for event in outbox)


async def test_an_echo_finds_our_row_by_its_item(services, account, apply, outbox):
    item = uuid7()
    await services.db.fetch(
        "INSERT INTO messenger_messages (id, account_id, outgoing, recipient, text, at)"
        " VALUES ($1, $2, true, $3, 'ours', now())",
        item,
        account,
        ANNA,
    )
    await apply(step("7", "delivered"))
    await apply(went("7", "ours", item=item))
    await apply(went("7", "ours", item=item), went("7", "ours"))
    row = await services.db.fetchrow("SELECT * FROM messenger_messages")
    assert (row.id, row.thread, row.provider_id, row.status) == (item, "t1", "7", "delivered")
    assert kinds(outbox) == [
        ("message", "ours"),
        ("message_status", "server"),
        ("message_status", "delivered"),
    ]


async def test_an_echo_without_its_item_gives_way_to_our_row(services, account, apply, outbox):
    item = uuid7()
    await services.db.fetch(
        "INSERT INTO messenger_messages (id, account_id, outgoing, recipient, text, at)"
        " VALUES ($1, $2, true, $3, 'ours', now())",
        item,
        account,
        ANNA,
    )
    await apply(went("7", "ours"), step("7", "has_seen"), smile("7", "👍"))
    await apply(went("7", "ours", item=item))
    row = await services.db.fetchrow("SELECT *, reactions::text AS said FROM messenger_messages")
    assert (row.id, row.provider_id, row.status) == (item, "7", "has_seen") and "👍" in row.said
    assert await services.db.fetchval("SELECT last_item FROM messenger_chats") == item
    assert [event.type for event in outbox].count("message") == 1


async def test_that_history_shows_what_we_sent_is_news(services, account, apply, outbox):
    item = uuid7()
    await services.db.fetch(
        "INSERT INTO messenger_messages (id, account_id, outgoing, recipient, text, at, failure_code)"
        " VALUES ($1, $2, true, $3, 'ours', now(), 'uncertain')",
        item,
        account,
        ANNA,
    )
    await apply(went("7", "ours", item=item, past=True, status="delivered"), came("6", past=True))
    row = await services.db.fetchrow(
        "SELECT status, failure_code FROM messenger_messages WHERE id = $1", item
    )
    assert (row.status, row.failure_code) == ("delivered", None)
    assert kinds(outbox) == [("message", "ours"), ("message_status", "delivered")]


async def test_quiet_accounts_tell_less_and_keep_all(services, account, apply, outbox):
    await services.db.fetch(
        "INSERT INTO messenger_configs (id, account_id, name, config) VALUES ($1, $2, 'default', $3)",
        uuid7(),
        account,
        {
            "quiet": {
                "ignoreGroups": True,
                "ignoreOutgoing": True,
                "ignoreStatuses": True,
                "ignoreReactions": True,
            },
            "autoRead": True,
        },
    )
    announced = await apply(
        came("1", "shown"),
        came("2", thread="g", chat_kind="group"),
        came("3", thread="c", chat_kind="channel"),
        went("4"),
        step("4", "has_seen"),
        smile("1", "👍"),
    )
    assert [event.body["item"] for event in outbox] == [announced[0]["item"], announced[2]["item"]]
    assert len(announced) == 6
    assert await services.db.fetchval("SELECT count(*) FROM messenger_messages") == 4
    # One look at each chat with something new, after the commit.
    assert (
        await services.db.fetchval("SELECT count(*) FROM pgqueuer WHERE entrypoint = 'messengers.read'") == 3
    )


async def test_an_edit_changes_the_text_and_is_one_event(services, account, apply, outbox):
    await apply(came("1", "helo"))
    del outbox[:]
    edited = came("1", "hello", edited_at=T0 + timedelta(minutes=2))
    (announced,) = await apply(edited)
    older = came("1", "hallo", edited_at=T0 + timedelta(minutes=1))
    preview = came("1", "hello", edited_at=T0 + timedelta(minutes=3))  # of a link: the text is the same
    assert await apply(edited, older, preview) == []
    row = await services.db.fetchrow("SELECT id, text, edited_at FROM messenger_messages")
    assert (row["text"], row["edited_at"]) == ("hello", T0 + timedelta(minutes=3))
    (event,) = outbox
    assert (event.type, event.thread, event.body["item"], event.body["text"], event.body["time"]) == (
        "message_edited", "t1", str(row["id"]), "hello", int((T0 + timedelta(minutes=2)).timestamp()),
    )  # fmt: skip
    assert (announced["kind"], announced["item"]) == ("edit", str(row["id"]))


@pytest.mark.parametrize("apart", [False, True], ids=["together", "apart"])
async def test_delivered_and_seen_are_two_events(services, account, apply, outbox, apart):
    await apply(went("1", "one"), went("2", "two"))
    del outbox[:]
    statuses = [step("1", "delivered"), step("1", "has_seen")]
    for events in (
        [[event] for event in statuses] if apart else [[*statuses, step("2", "has_seen", up_to=True)]]
    ):
        await apply(*events)
    assert kinds(outbox)[:2] == [("message_status", "delivered"), ("message_status", "has_seen")]
    assert len(outbox) == (2 if apart else 3)
    statuses = await services.db.fetch("SELECT status FROM messenger_messages ORDER BY seq")
    assert statuses[0].status == "has_seen"
    del outbox[:]
    await apply(step("1", "delivered"), step("1", "has_seen"))
    assert not outbox


async def test_a_quoted_id_that_nobody_can_keep_loses_no_message(services, account, apply, outbox):
    await apply(came("1", "one", reply_to="a\x00b"), came("2", "two", reply_to="\ud800"))
    rows = await services.db.fetch("SELECT text, reply_to FROM messenger_messages ORDER BY seq")
    assert [(row["text"], row["reply_to"]) for row in rows] == [("one", None), ("two", None)]
