"""Staying connected: what was missed, what was cut, what was ended, and what must never be shown."""

import asyncio
import logging
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from telethon.tl import functions, types

from messengers.port import Outgoing, WrongStep
from shapes.chats import ChatMessageStatus
from shapes.messenger_accounts import AccountState
from tests.support.waits import until
from tests.telegram.server.logins import API_HASH

A = AccountState


async def again(own, state=A.working):
    """A new connection of the same account, as after a restart."""
    before = len(own.sink.changes)
    made = await own.start()
    await own.sink.reach(state, after=before + 1)
    return made


# what was missed


async def test_a_restart_needs_no_login_and_tells_what_was_missed_once(telegram, enter, ada, bob):
    own, connection = await enter()
    telegram.world.write(bob, ada, "first")
    await until(lambda: own.sink.messages)
    await connection.close()
    for number in range(30):
        telegram.world.write(bob, ada, f"away {number}")
    telegram.world.write(ada, bob, "by hand")
    await again(own)
    assert own.sink.texts == ["first", *(f"away {number}" for number in range(30)), "by hand"]
    assert own.sink.messages[-1].outgoing
    assert telegram.count("SendCode") == 1
    assert telegram.handshakes == 1
    telegram.world.write(bob, ada, "last")
    await until(lambda: own.sink.texts[-1] == "last")
    assert len(own.sink.texts) == len(set(own.sink.texts))
    assert own.sink.states[-3:] == [A.starting, A.syncing, A.working]


async def test_what_was_missed_comes_in_slices(telegram, enter, ada, bob):
    telegram.slice = 7
    own, connection = await enter()
    await connection.close()
    for number in range(50):
        telegram.world.write(bob, ada, str(number))
    await again(own)
    assert own.sink.texts == [str(number) for number in range(50)]


async def test_a_gap_that_telegram_does_not_tell_is_filled_from_the_history(telegram, enter, ada, bob):
    eve = telegram.world.join("14155550109", "Eve")
    own, connection = await enter()
    telegram.world.write(bob, ada, "known")
    await until(lambda: own.sink.messages)
    await connection.close()
    telegram.too_long = 10
    for number in range(130):
        telegram.world.write(eve if number % 5 == 0 else bob, ada, str(number))
    await again(own)
    assert own.sink.texts == ["known", *(str(number) for number in range(130))]
    assert telegram.count("GetHistory") > 1
    telegram.world.write(bob, ada, "after")
    await until(lambda: own.sink.texts[-1] == "after")


async def test_a_difference_that_fails_is_filled_from_the_history_too(telegram, enter, ada, bob):
    own, connection = await enter()
    telegram.world.write(bob, ada, "known")
    await until(lambda: own.sink.messages)
    await connection.close()
    telegram.world.write(bob, ada, "away")
    telegram.fail("GetDifference", 400, "PERSISTENT_TIMESTAMP_INVALID")
    await again(own)
    telegram.world.write(bob, ada, "after")
    await until(lambda: "after" in own.sink.texts)
    assert list(dict.fromkeys(own.sink.texts)) == ["known", "away", "after"]


async def test_what_was_read_meanwhile_is_told(telegram, enter, ada, bob):
    own, connection = await enter()
    sent = await connection.send(Outgoing(uuid4(), "+14155550101", "read me"))
    await connection.close()
    telegram.world.read(bob, ada)
    ada.log[:] = [each for each in ada.log if not isinstance(each[1], types.UpdateReadHistoryOutbox)]
    await again(own)
    (seen,) = own.sink.progress
    assert (seen.provider_id, seen.status, seen.up_to) == (sent.provider_id, ChatMessageStatus.has_seen, True)


async def test_pushes_that_were_lost_are_asked_for(telegram, enter, ada, bob):
    own, _ = await enter()
    telegram.pushing = False
    telegram.world.write(bob, ada, "not pushed")
    telegram.pushing = True
    telegram.world.write(bob, ada, "pushed")
    await until(lambda: len(own.sink.messages) == 2)
    assert own.sink.texts == ["not pushed", "pushed"]


async def test_what_could_not_be_written_down_is_told_again(telegram, enter, ada, bob):
    own, _ = await enter()
    before = dict(own.sink.cursor)
    own.sink.broken = 2
    telegram.world.write(bob, ada, "hello")
    await until(lambda: own.sink.texts)
    assert own.sink.texts == ["hello"]
    assert own.sink.cursor["pts"] > before["pts"]
    await own.sink.reach(A.working)


async def test_after_a_new_login_the_same_person_is_told_what_came_between(telegram, enter, ada, bob):
    own, _ = await enter()
    telegram.world.write(bob, ada, "before")
    await until(lambda: own.sink.messages)
    telegram.revoke(ada)
    await own.sink.reach(A.loggedOut)
    telegram.world.write(bob, ada, "between")
    connection = await again(own, A.waitCode)
    await connection.code("12345")
    await own.sink.reach(A.working)
    assert own.sink.texts == ["before", "between"]


async def test_our_own_message_whose_answer_was_lost_is_told_with_its_item(telegram, driver, enter, ada, bob):
    own, connection = await enter()
    await connection.person("+14155550101")
    out = Outgoing(uuid4(), "+14155550101", "ours")
    telegram.trouble("SendMessage", hang=True)
    telegram.world.write(bob, ada, "x")
    await until(lambda: own.sink.messages)
    task = asyncio.create_task(connection.send(out))
    await until(lambda: telegram.count("SendMessage") == 1)
    request = next(each for each in telegram.asked if isinstance(each, functions.messages.SendMessageRequest))
    telegram.pushing = False
    telegram.world.write(ada, bob, "ours", random_id=request.random_id)
    telegram.pushing = True
    telegram.drop(ada)
    sent = await task
    await own.sink.reach(A.working)
    messages = [each for each in own.sink.messages if each.text == "ours"]
    assert {(each.item, each.provider_id) for each in messages} == {(out.item, sent.provider_id)}
    assert len([each for each in bob.box.values() if each.message == "ours"]) == 1


# the network


async def test_a_cut_connection_is_told_and_mended(telegram, enter, ada, bob):
    own, _ = await enter()
    before = len(own.sink.changes)
    telegram.drop(ada)
    await own.sink.reach(A.working, after=before + 1)
    assert own.sink.states[before:] == [A.reconnecting, A.syncing, A.working]
    assert own.sink.changes[before].code == "connection_lost"
    assert own.sink.changes[before].reason
    telegram.world.write(bob, ada, "still here?")
    await until(lambda: own.sink.texts == ["still here?"])


async def test_a_server_that_is_away_is_tried_with_growing_pauses(telegram, driver, enter, ada):
    own, _ = await enter()
    telegram.refusing = True
    before = telegram.dialled
    telegram.drop(ada)
    await own.sink.reach(A.reconnecting)
    await until(lambda: telegram.dialled >= before + 6)
    assert A.working not in own.sink.states[own.sink.states.index(A.working) + 1 :]
    telegram.refusing = False
    await own.sink.reach(A.working)


async def test_a_server_that_says_nothing_is_left(telegram, driver, live, ada):
    driver.request_timeout = 0.2
    telegram.mute = True
    own = live()
    await own.start()
    await own.sink.reach(A.reconnecting)
    telegram.mute = False
    driver.request_timeout = 20.0
    await own.sink.reach(A.waitCode)


async def test_a_flood_wait_at_the_start_is_told_and_waited_for(telegram, enter, ada):
    own, connection = await enter()
    await connection.close()
    telegram.fail("GetUsers", 420, "FLOOD_WAIT_1")
    made = await own.start()
    await own.sink.reach(A.working, after=len(own.sink.changes) + 1)
    wait = next(each for each in own.sink.changes if each.code == "flood_wait")
    assert wait.state == A.reconnecting
    assert wait.until > datetime(2020, 1, 1, tzinfo=UTC)
    assert await made.probe()


async def test_a_probe_tells_the_truth(telegram, driver, enter, ada):
    _, connection = await enter()
    assert await connection.probe()
    driver.request_timeout = 0.2
    telegram.trouble("GetState", hang=True)
    assert not await connection.probe()
    driver.request_timeout = 20.0
    await connection.close()
    assert not await connection.probe()


async def test_one_connection_at_a_time(telegram, enter, ada):
    own, connection = await enter()
    for _ in range(3):
        telegram.drop(ada)
        await until(lambda: own.sink.state != A.working)
        await own.sink.reach(A.working)
        assert len(telegram.of(ada)) == 1
    await connection.close()
    await until(lambda: not telegram.links)


async def test_the_server_sees_two_connections_of_one_session(telegram, enter, ada):
    """This must never happen; tests elsewhere rely on the server showing it."""
    own, _ = await enter()
    await again(own)
    assert len(telegram.of(ada)) == 2
    assert len({link.key_id for link in telegram.of(ada)}) == 1


# the end of a session


@pytest.mark.parametrize("meanwhile", ["live", "away"])
async def test_a_revoked_session_is_logged_out(telegram, enter, ada, meanwhile):
    own, connection = await enter()
    if meanwhile == "away":
        await connection.close()
        telegram.revoke(ada)
        await own.start()
    else:
        telegram.revoke(ada)
    change = await own.sink.reach(A.loggedOut)
    assert (change.code, own.sink.kept) == ("session_revoked", None)
    await until(lambda: not telegram.links)
    with pytest.raises(WrongStep):
        await own.made[-1].send(Outgoing(uuid4(), "+14155550101", "too late"))


@pytest.mark.parametrize(
    ("code", "text", "state", "expected"),
    [
        (401, "SESSION_REVOKED", A.loggedOut, "session_revoked"),
        (401, "SESSION_EXPIRED", A.loggedOut, "session_revoked"),
        (401, "AUTH_KEY_UNREGISTERED", A.loggedOut, "session_revoked"),
        (401, "AUTH_KEY_INVALID", A.loggedOut, "session_unknown"),
        (406, "AUTH_KEY_DUPLICATED", A.loggedOut, "session_duplicated"),
        (401, "USER_DEACTIVATED_BAN", A.blocked, "banned"),
        (401, "USER_DEACTIVATED", A.blocked, "account_deleted"),
    ],
)
@pytest.mark.parametrize("when", ["at the start", "in a call"])
async def test_what_telegram_says_at_the_end(telegram, enter, ada, code, text, state, expected, when):
    own, connection = await enter()
    if when == "at the start":
        await connection.close()
        telegram.fail("GetUsers", code, text)
        await own.start()
    else:
        telegram.fail("SendMessage", code, text)
        with pytest.raises(WrongStep):
            await connection.send(Outgoing(uuid4(), "+14155550100", "hello"))
    change = await own.sink.reach(state)
    assert change.code == expected
    assert change.reason
    assert (own.sink.kept is None) == (state == A.loggedOut)
    await until(lambda: not telegram.links)


async def test_a_banned_account_is_blocked(telegram, enter, ada):
    own, _ = await enter()
    telegram.ban(ada)
    change = await own.sink.reach(A.blocked)
    assert change.code == "banned"


async def test_a_key_that_the_server_forgot_is_not_believed_at_once(telegram, enter, ada):
    own, _ = await enter()
    telegram.forget_keys(ada)
    change = await own.sink.reach(A.loggedOut)
    assert change.code == "session_unknown"
    assert own.sink.states.count(A.reconnecting) >= 2


async def test_logging_out(telegram, enter, ada):
    own, connection = await enter()
    await connection.forget()
    assert own.sink.kept is None
    assert not list(telegram.world.keys_of(ada))
    await until(lambda: not telegram.links)


async def test_logging_out_without_having_started(telegram, driver, enter, ada):
    own, connection = await enter()
    await connection.close()
    stopped = driver.connect(replace(own.account, session=own.sink.kept), own.sink)
    await stopped.forget()
    assert not list(telegram.world.keys_of(ada))
    await until(lambda: not telegram.links)


async def test_logging_out_where_nobody_answers(telegram, driver, enter, ada):
    own, connection = await enter()
    await connection.close()
    telegram.refusing = True
    stopped = driver.connect(replace(own.account, session=own.sink.kept), own.sink)
    await stopped.forget()
    await stopped.forget()
    assert own.sink.kept is None


async def test_an_account_that_is_lost_says_nothing_more(telegram, enter, ada, bob):
    own, connection = await enter()
    before = len(own.sink.changes)
    own.sink.lost = True
    telegram.world.write(bob, ada, "for whoever has it now")
    await until(lambda: not telegram.links)
    assert len(own.sink.changes) == before
    own.sink.lost = False
    await again(own)
    assert own.sink.texts == ["for whoever has it now"]
    await connection.close()


async def test_a_session_of_nonsense_begins_a_login(telegram, live, ada):
    own = live(session="1nonsense")
    await own.start()
    await own.sink.reach(A.waitCode)


# secrets


async def test_no_secret_is_logged_or_shown(telegram, live, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    eve = telegram.world.join("14155550109", "Eve", password="correct horse battery")
    own = live("14155550109", proxy=None)
    connection = await own.start()
    await own.sink.reach(A.waitCode)
    await connection.code("12345")
    await own.sink.reach(A.waitPassword)
    await connection.password("correct horse battery")
    await own.sink.reach(A.working)
    await connection.send(Outgoing(uuid4(), "+14155550109", "a private word"))
    telegram.drop(eve)
    await until(lambda: A.reconnecting in own.sink.states)
    await own.sink.reach(A.working)
    telegram.fail("SendMessage", 400, "SOMETHING_ODD")
    with pytest.raises(Exception, match="something_odd") as raised:
        await connection.send(Outgoing(uuid4(), "+14155550109", "a private word more"))
    await connection.close()
    key = next(iter(telegram.world.keys.values())).key.hex()
    shown = "".join(
        (
            caplog.text,
            *capfd.readouterr(),
            repr(own.account),
            repr(own.sink.changes),
            repr(raised.value),
            str(connection),
        )
    )
    for secret in ('12345"', "correct horse", API_HASH, own.sink.sessions[0], key, "private word"):
        assert secret not in shown


async def test_after_it_has_worked_the_pauses_begin_anew(telegram, enter, ada):
    """However short it worked: a second outage is not paid with the pauses of the first."""
    own, connection = await enter()
    pauses: list[int] = []
    real = connection._pause
    connection._pause = lambda fails: pauses.append(fails) or real(fails)  # type: ignore[method-assign]
    telegram.refusing = True
    telegram.drop(ada)
    await until(lambda: len(pauses) >= 3)
    telegram.refusing = False
    await own.sink.reach(A.working)
    before = len(pauses)
    telegram.drop(ada)
    await until(lambda: len(pauses) > before)
    await own.sink.reach(A.working)
    assert pauses[:3] == [0, 1, 2]
    assert pauses[before:] == [0]
