"""Writing and being written to, on the wire."""

import re
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from telethon.tl import types

from messengers.port import Deletion, Outgoing, Refused, Sent, Unreachable
from messengers.telegram.parsing import CHANNELS, thread_of
from shapes.chats import ChatMessageStatus
from shapes.messenger_accounts import AccountState
from tests.support.waits import until

A = AccountState


def message(to: str, text: str = "hello", **more) -> Outgoing:
    return Outgoing(uuid4(), to, text, **more)


async def test_a_message_to_a_phone(telegram, enter, ada, bob):
    _, connection = await enter()
    sent = await connection.send(message("+14155550101"))
    assert isinstance(sent, Sent)
    assert sent.thread == str(bob.id)
    assert sent.status == ChatMessageStatus.server
    assert abs((datetime.now(UTC) - sent.at).total_seconds()) < 60
    (got,) = bob.box.values()
    assert (got.message, got.out) == ("hello", False)
    assert telegram.world.twins[ada.id, int(sent.provider_id)] == (bob.id, got.id)


@pytest.mark.parametrize("in_contacts", [True, False], ids=["resolved", "imported"])
async def test_a_lookup_leaves_nothing_in_the_address_book(telegram, enter, ada, bob, in_contacts):
    """Neither of somebody who has an account, nor of who hides it, nor of a number without one."""
    if not in_contacts:  # a server that can't resolve phones
        telegram.fail("ResolvePhone", 400, "INPUT_METHOD_INVALID", times=4)
    telegram.world.join("14155550102", "Cyd", hidden=True)
    _, connection = await enter()
    await connection.send(message("+14155550101"))
    await connection.send(message("+14155550101", "again"))
    for nobody in ("+14155550198", "+14155550102"):
        with pytest.raises(Refused):
            await connection.send(message(nobody))
    assert await connection.person("+14155550199") is None
    assert (ada.contacts, ada.saved) == ({}, {})
    assert telegram.count("ResolvePhone") == 4
    assert telegram.count("ImportContacts") == (0 if in_contacts else 4)
    assert (await connection.person("+14155550101")).first_name == "Bob"


async def test_a_lookup_whose_answer_is_lost_leaves_nothing_either(telegram, driver, enter, ada):
    _, connection = await enter()
    telegram.fail("ResolvePhone", 400, "INPUT_METHOD_INVALID")
    telegram.trouble("ImportContacts", silent=True)
    driver.request_timeout = 0.5
    with pytest.raises(Unreachable):
        await connection.send(message("+14155550198"))
    assert ada.saved == {}


async def test_a_contact_stays_one_and_keeps_his_name(telegram, enter, ada, bob):
    ada.contacts[bob.id] = "Bobby from work"
    _, connection = await enter()
    await connection.send(message("+14155550101"))
    assert ada.contacts == {bob.id: "Bobby from work"}
    assert telegram.count("ImportContacts") == 0


@pytest.mark.parametrize("to", ["@bobby", "@BOBBY", "bobby"])
async def test_a_message_to_a_username(enter, bob, to):
    _, connection = await enter()
    sent = await connection.send(message(to))
    assert sent.thread == str(bob.id)
    assert len(bob.box) == 1


async def test_a_message_to_a_thread_is_found_after_a_restart(telegram, enter, ada, bob):
    own, connection = await enter()
    sent = await connection.send(message("+14155550101"))
    await connection.close()
    before = len(own.sink.changes)
    again = await own.start()
    await own.sink.reach(A.working, after=before + 1)
    await again.send(message(sent.thread, "again"))
    assert [each.message for each in bob.box.values()] == ["hello", "again"]
    assert telegram.count("ResolvePhone") == 1


async def test_a_thread_far_down_is_found(telegram, enter, ada, bob):
    others = [telegram.world.join(f"1415555{number:04}", f"P{number}") for number in range(2000, 2120)]
    telegram.world.write(bob, ada, "long ago")
    for each in others:
        telegram.world.write(each, ada, "newer")
    _, connection = await enter()
    await connection.send(message(str(bob.id), "still there?"))
    assert [each.message for each in bob.box.values()] == ["long ago", "still there?"]


@pytest.mark.parametrize("to", ["+14155550198", "@nobody", "999999", "-100123", "no such thing!", "+1", ""])
async def test_nobody_there(enter, bob, to):
    _, connection = await enter()
    with pytest.raises(Refused) as refused:
        await connection.send(message(to))
    assert refused.value.code == "recipient_not_found"


async def test_who_hides_his_number_is_nobody(enter, bob):
    bob.hidden = True
    _, connection = await enter()
    with pytest.raises(Refused):
        await connection.send(message("+14155550101"))
    assert await connection.person("+14155550101") is None


async def test_a_reply(telegram, enter, ada, bob):
    own, connection = await enter()
    question = telegram.world.write(bob, ada, "what?")
    await until(lambda: own.sink.messages)
    incoming = own.sink.messages[0]
    sent = await connection.send(message(incoming.thread, "that", reply_to=incoming.provider_id))
    answer = list(bob.box.values())[-1]
    assert answer.reply_to.reply_to_msg_id == question.id
    telegram.world.write(bob, ada, "ah", reply_to=answer.id)
    await until(lambda: len(own.sink.messages) == 2)
    assert own.sink.messages[1].reply_to == sent.provider_id


@pytest.mark.parametrize("short", [False, True], ids=["long", "short"])
async def test_what_comes_in(telegram, enter, ada, bob, short):
    telegram.short = short
    own, _ = await enter()
    telegram.world.write(ada, bob, "before")  # from another device
    telegram.world.write(bob, ada, "hello, **you**")
    await until(lambda: len(own.sink.messages) == 2)
    before, got = own.sink.messages
    assert (before.outgoing, before.text, before.recipient) == (True, "before", "bobby")
    assert (got.text, got.outgoing, got.thread, got.chat_kind) == (
        "hello, **you**",
        False,
        str(bob.id),
        "user",
    )
    assert (got.recipient, got.item, got.past, got.status) == ("+14155550100", None, False, None)
    assert (got.sender, got.name, got.chat_name) == ("bobby", "Bob", "Bob")
    assert own.sink.cursor["pts"] == ada.pts


async def test_who_was_found_by_his_phone_is_shown_by_it(telegram, enter, ada, bob):
    own, connection = await enter()
    await connection.send(message("+14155550101"))
    telegram.world.write(bob, ada, "yes?")
    await until(lambda: own.sink.messages)
    assert own.sink.messages[0].sender == "+14155550101"
    assert own.sink.messages[0].name == "Bob"


async def test_own_messages_are_not_told_but_those_from_other_devices_are(telegram, enter, ada, bob):
    own, connection = await enter()
    await connection.send(message("+14155550101", "by us"))
    telegram.world.write(ada, bob, "by hand")
    await until(lambda: own.sink.messages)
    (incoming,) = own.sink.messages
    assert (incoming.text, incoming.outgoing, incoming.status) == ("by hand", True, ChatMessageStatus.server)


async def test_messages_are_told_in_their_order(telegram, enter, ada, bob):
    own, _ = await enter()
    for number in range(200):
        telegram.world.write(bob, ada, str(number))
    await until(lambda: len(own.sink.messages) >= 200)
    assert own.sink.texts == [str(number) for number in range(200)]


async def test_seen(telegram, enter, ada, bob):
    own, connection = await enter()
    await connection.send(message("+14155550101", "one"))
    sent = await connection.send(message("+14155550101", "two"))
    telegram.world.read(bob, ada)
    await until(lambda: own.sink.progress)
    (seen,) = own.sink.progress
    assert (seen.thread, seen.provider_id, seen.status, seen.up_to) == (
        str(bob.id), sent.provider_id, ChatMessageStatus.has_seen, True,
    )  # fmt: skip


async def test_reading_is_seen_by_the_other(telegram, enter, ada, bob):
    own, connection = await enter()
    incoming = telegram.world.write(bob, ada, "read me")
    await until(lambda: own.sink.messages)
    got = own.sink.messages[0]
    await connection.read(got.thread, got.provider_id)
    assert bob.read_out[ada.id] == incoming.id
    with pytest.raises(Refused):
        await connection.read(got.thread, "no number")


async def test_typing_and_recording_are_shown(enter, ada, bob):
    _, connection = await enter()
    for action in ("typing", "recording", "none"):
        await connection.act("+14155550101", action)
    assert [type(what) for who, what in bob.acts] == [
        types.SendMessageTypingAction, types.SendMessageRecordAudioAction, types.SendMessageCancelAction,
    ]  # fmt: skip


async def test_reactions_come_and_go(telegram, enter, ada, bob):
    own, connection = await enter()
    sent = await connection.send(message("+14155550101"))
    twin = telegram.world.twins[ada.id, int(sent.provider_id)][1]
    telegram.world.react(bob, twin, "👍")
    await until(lambda: len(own.sink.reactions) == 1)
    telegram.world.react(bob, twin, "🔥")
    await until(lambda: len(own.sink.reactions) == 2)
    telegram.world.react(bob, twin, None)
    await until(lambda: len(own.sink.reactions) == 3)
    assert [each.emoji for each in own.sink.reactions] == ["👍", "🔥", None]
    assert {(each.thread, each.provider_id, each.sender, each.outgoing) for each in own.sink.reactions} == {
        (str(bob.id), sent.provider_id, "+14155550101", False)
    }
    telegram.world.react(ada, int(sent.provider_id), "🎉")
    await until(lambda: len(own.sink.reactions) == 4)
    assert own.sink.reactions[3].outgoing


async def test_an_edited_message_is_told_again(telegram, enter, ada, bob):
    own, _ = await enter()
    made = telegram.world.write(bob, ada, "helo")
    await until(lambda: own.sink.messages)
    telegram.world.edit(bob, made.id, "hello")
    await until(lambda: len(own.sink.messages) == 2)
    first, second = own.sink.messages
    assert (first.provider_id, first.edited_at) == (second.provider_id, None)
    assert second.text == "hello"
    assert second.edited_at is not None


async def test_deletions_name_messages_and_not_their_thread(telegram, enter, ada, bob):
    own, _ = await enter()
    first, second = (telegram.world.write(bob, ada, text) for text in ("one", "two"))
    await until(lambda: len(own.sink.messages) == 2)
    ids = [each.provider_id for each in own.sink.messages]
    telegram.world.delete(bob, first.id, second.id)
    await until(lambda: len(own.sink.events) == 4)
    assert own.sink.events[2:] == [Deletion(each, apart=CHANNELS) for each in ids]


async def test_deletions_in_a_channel_name_it(telegram, enter, ada):
    _, connection = await enter()
    (gone,) = connection._reader.events(types.UpdateDeleteChannelMessages(1234567890, [7], 1, 1))
    assert gone == Deletion("7", "-1001234567890")
    assert re.search(CHANNELS, gone.thread)
    others = (types.PeerUser(700001), types.PeerChat(999_999_999_999))
    assert not any(re.search(CHANNELS, thread_of(each)) for each in others)


async def test_history_pages_and_knows_what_was_read(telegram, enter, ada, bob):
    for number in range(150):
        telegram.world.write(bob if number % 2 else ada, ada if number % 2 else bob, str(number))
    telegram.world.read(bob, ada)
    _, connection = await enter()
    newest = await connection.history(str(bob.id), 120)
    assert [each.text for each in newest] == [str(number) for number in range(149, 29, -1)]
    older = await connection.history(str(bob.id), 100, newest[-1].provider_id)
    assert [each.text for each in older] == [str(number) for number in range(29, -1, -1)]
    assert all(each.past for each in newest)
    assert {each.status for each in newest} == {None, ChatMessageStatus.has_seen}
    assert await connection.history("999999", 10) == []


async def test_people(telegram, enter, ada, bob):
    bob.photo = b"\xff\xd8\xff small picture"
    _, connection = await enter()
    person = await connection.person("+14155550101")
    assert (person.id, person.phone, person.username) == (str(bob.id), "+14155550101", "bobby")
    assert (person.first_name, person.last_name, person.exists) == ("Bob", None, True)
    assert person.avatar.startswith("data:image/jpeg;base64,")
    assert person.last_seen is not None
    assert (await connection.person("@bobby")).id == str(bob.id)
    assert (await connection.person(str(bob.id))).id == str(bob.id)
    assert await connection.person("@nobody") is None
    assert await connection.person("+14155550198") is None
    me = await connection.me()
    assert (me.id, me.phone, me.username, me.last_name) == (str(ada.id), "+14155550100", "ada", "Lovelace")
    assert ada.contacts == {}


async def test_a_message_to_oneself(telegram, enter, ada):
    _, connection = await enter()
    sent = await connection.send(message("+14155550100", "note"))
    assert sent.thread == str(ada.id)
    assert [each.message for each in ada.box.values()] == ["note"]


# trouble
