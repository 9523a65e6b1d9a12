"""Messages that Telegram refuses or does not answer, and messages sent again: each arrives once, or its sender learns
why not.
"""

import asyncio
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from engine.messengers.call_client import app_error
from engine.messengers.rpc_transport import pack_error, unpack_error
from engine.messengers.states import NEXT
from messengers.port import Refused, Throttled, Uncertain, Unreachable, WrongStep
from messengers.telegram.sending import random_id
from tests.telegram.test_messages import A, message


@pytest.mark.parametrize(
    ("code", "text", "error", "expected"),
    [
        (403, "USER_PRIVACY_RESTRICTED", Refused, "privacy"),
        (400, "USER_IS_BLOCKED", Refused, "user_is_blocked"),
        (400, "INPUT_USER_DEACTIVATED", Refused, "input_user_deactivated"),
        (403, "CHAT_WRITE_FORBIDDEN", Refused, "chat_write_forbidden"),
        (420, "FLOOD_WAIT_30", Throttled, "throttled"),
        (420, "SLOWMODE_WAIT_30", Throttled, "throttled"),
        (400, "PEER_FLOOD", Throttled, "throttled"),
        (500, "INTERDC_2_CALL_ERROR", Unreachable, "messenger_unavailable"),
        (-503, "Timeout", Unreachable, "messenger_unavailable"),
    ],
)
async def test_refusals(telegram, enter, bob, code, text, error, expected):
    _, connection = await enter()
    telegram.fail("SendMessage", code, text)
    with pytest.raises(error) as raised:
        await connection.send(message("+14155550101"))
    assert raised.value.code == expected
    assert telegram.count("SendMessage") == 1
    assert not bob.box
    if error is Throttled:
        assert raised.value.until > datetime.now(UTC)


@pytest.mark.parametrize(
    ("code", "text", "state", "reason"),
    [
        (401, "SESSION_REVOKED", A.loggedOut, "The session was ended from another device; log in again."),
        (401, "USER_DEACTIVATED_BAN", A.blocked, "Telegram has banned the account."),
    ],
)
async def test_a_session_that_ends_during_a_send_is_named_as_it_is(
    telegram, enter, bob, code, text, state, reason
):
    """The state may not be written down yet: what the caller is told must not say that the account works."""
    own, connection = await enter()
    telegram.fail("SendMessage", code, text, times=2)
    with pytest.raises(WrongStep) as refused:
        await connection.send(message("+14155550101"))
    assert (refused.value.reason, refused.value.state) == (reason, state)
    met = app_error(unpack_error(pack_error(refused.value)), "working")
    assert met.details["state"] == state.value
    assert met.message == f"{reason} The account is {state.value}. {NEXT[state]}"
    await own.sink.reach(state)


async def test_who_waits_for_a_connection_learns_that_there_will_be_none(telegram, enter, ada, bob):
    own, connection = await enter()
    telegram.refusing = True
    telegram.drop(ada)
    await own.sink.reach(A.reconnecting)
    sending = asyncio.create_task(connection._within(20.0))
    telegram.revoke(ada)
    telegram.refusing = False
    with pytest.raises(WrongStep) as refused:
        await asyncio.wait_for(sending, 10.0)
    assert refused.value.state == A.loggedOut


async def test_after_a_flood_wait_nothing_is_asked_until_it_is_over(telegram, enter, bob):
    own, connection = await enter()
    telegram.fail("SendMessage", 420, "FLOOD_WAIT_600")
    for _ in range(3):
        with pytest.raises(Throttled):
            await connection.send(message("+14155550101"))
    assert telegram.count("SendMessage") == 1
    assert own.sink.state == A.working


async def test_one_item_reaches_nobody_twice(telegram, enter, bob):
    own, connection = await enter()
    out = message("+14155550101", "once")
    first = await connection.send(out)
    assert await connection.send(out) == first
    await connection.close()
    before = len(own.sink.changes)
    again = await own.start()  # which remembers nothing
    await own.sink.reach(A.working, after=before + 1)
    second = await again.send(out)
    assert (second.provider_id, second.thread) == (first.provider_id, first.thread)
    assert telegram.count("SendMessage") == 2  # Telegram itself refused the second
    assert [each.message for each in bob.box.values()] == ["once"]


async def test_the_same_words_in_two_messages_are_two_messages(enter, bob):
    _, connection = await enter()
    first = await connection.send(message("+14155550101", "same"))
    second = await connection.send(message("+14155550101", "same"))
    assert first.provider_id != second.provider_id
    assert len(bob.box) == 2


async def test_no_answer_is_uncertain_and_a_repetition_makes_it_sure(telegram, driver, enter, bob):
    _, connection = await enter()
    await connection.person("+14155550101")
    telegram.trouble("SendMessage", silent=True)
    out = message("+14155550101", "did you get it?")
    driver.request_timeout = 0.5  # for this alone: whatever is answered may take long
    with pytest.raises(Uncertain):
        await connection.send(out)
    driver.request_timeout = 20.0
    sent = await connection.send(out)
    assert telegram.world.twins[int(bob.id), 1] == (700001, int(sent.provider_id))
    assert len(bob.box) == 1


async def test_a_connection_lost_while_sending_is_mended_and_the_message_sent_once(telegram, enter, bob):
    own, connection = await enter()
    await connection.person("+14155550101")
    telegram.trouble("SendMessage", cut=True)
    sent = await connection.send(message("+14155550101", "through"))
    assert [each.message for each in bob.box.values()] == ["through"]
    assert telegram.count("SendMessage") == 2
    assert int(sent.provider_id) > 0
    await own.sink.reach(A.working)


async def test_what_was_refused_by_the_network_was_not_sent(telegram, enter, bob):
    own, connection = await enter()
    telegram.refusing = True
    for link in list(telegram.links):
        link.close()
    await own.sink.reach(A.reconnecting)
    with pytest.raises(Unreachable):
        await connection.send(message("+14155550101"))
    assert not bob.box


async def test_a_stopped_account_sends_nothing(enter, bob):
    _, connection = await enter()
    await connection.close()
    with pytest.raises(WrongStep):
        await connection.send(message("+14155550101"))


async def test_too_much(enter, bob):
    _, connection = await enter()
    with pytest.raises(Refused) as refused:
        await connection.send(message("+14155550101", "x" * 5000))
    assert refused.value.code == "text_too_long"
    with pytest.raises(Refused):
        await connection.send(message("+14155550101", reply_to="12345678"))
    with pytest.raises(Refused):
        await connection.send(message("+14155550101", reply_to="none"))


async def test_many_at_once(telegram, enter, bob):
    _, connection = await enter()
    outs = [message("+14155550101", str(number)) for number in range(50)]
    sent = await asyncio.gather(*(connection.send(each) for each in outs))
    assert len({each.provider_id for each in sent}) == 50
    assert sorted(each.message for each in bob.box.values()) == sorted(each.text for each in outs)


def test_random_ids_differ_and_stay():
    item = uuid4()
    assert random_id(item) == random_id(item)
    assert len({random_id(item, index) for index in range(100)}) == 100
    assert all(-(2**63) <= random_id(uuid4()) < 2**63 for _ in range(100))
