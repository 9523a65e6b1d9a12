"""Getting in: code, QR, cloud password, and all that Telegram says instead."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from messengers.port import CodeInvalid, PasswordInvalid, Throttled, WrongStep
from shapes.messenger_accounts import AccountState
from tests.support.waits import until
from tests.telegram.server.logins import token

A = AccountState


async def test_a_code_lets_in(telegram, live, ada):
    own = live()
    connection = await own.start()
    change = await own.sink.reach(A.waitCode)
    assert "in the Telegram app" in change.reason
    await connection.code("12345")
    done = await own.sink.reach(A.working)
    assert own.sink.states == [A.starting, A.waitCode, A.working]
    assert (done.me.id, done.me.phone, done.me.first_name) == (str(ada.id), "+14155550100", "Ada")
    assert own.sink.kept.startswith("1")
    assert own.sink.cursor["pts"] == ada.pts
    assert await connection.probe()


async def test_a_wrong_code_can_be_followed_by_the_right_one(live, ada):
    own = live()
    connection = await own.start()
    await own.sink.reach(A.waitCode)
    with pytest.raises(CodeInvalid) as wrong:
        await connection.code("54321")
    assert wrong.value.code == "code_invalid"
    assert own.sink.state == A.waitCode
    await connection.code("12345")
    await own.sink.reach(A.working)


async def test_an_expired_code_is_followed_by_a_new_one(telegram, live, ada):
    own = live()
    connection = await own.start()
    await own.sink.reach(A.waitCode)
    before = len(own.sink.changes)
    telegram.world.codes[ada.phone].expired = True
    with pytest.raises(CodeInvalid) as wrong:
        await connection.code("12345")
    assert wrong.value.code == "code_expired"
    await own.sink.reach(A.waitCode, after=before)
    assert telegram.count("SendCode") == 2
    await connection.code("12345")
    await own.sink.reach(A.working)


async def test_the_cloud_password_after_a_code(telegram, live):
    telegram.world.join("14155550109", "Eve", password="correct horse")
    own = live("14155550109")
    connection = await own.start()
    await own.sink.reach(A.waitCode)
    await connection.code("12345")
    await own.sink.reach(A.waitPassword)
    with pytest.raises(PasswordInvalid) as wrong:
        await connection.password("wrong")
    assert wrong.value.code == "password_invalid"
    with pytest.raises(WrongStep):
        await connection.code("12345")
    await connection.password("correct horse")
    await own.sink.reach(A.working)
    assert own.sink.states == [A.starting, A.waitCode, A.waitPassword, A.working]


async def test_a_qr_that_is_scanned_lets_in(telegram, live, ada):
    own = live(None)
    began = datetime.now(UTC)
    await own.start()
    shown = await own.sink.reach(A.waitQr)
    now = datetime.now(UTC)
    assert shown.value.startswith("tg://login?token=")
    # The clocks are compared by a message: as long as that took they may seem to differ.
    assert timedelta() < shown.expires_at - now <= timedelta(seconds=31) + (now - began)
    telegram.world.scan(token(shown.value), ada)
    done = await own.sink.reach(A.working)
    assert done.me.id == str(ada.id)
    assert own.sink.states == [A.starting, A.waitQr, A.working]


async def test_a_qr_that_nobody_scans_is_shown_anew(telegram, live, ada):
    telegram.qr_seconds = 2
    own = live(None)
    await own.start()
    await until(lambda: len({each.value for each in own.sink.changes if each.value}) >= 3)
    telegram.world.scan(token(own.sink.changes[-1].value), ada)
    await own.sink.reach(A.working)


async def test_a_qr_scanned_while_the_news_was_lost_is_noticed_at_the_next(telegram, live, ada):
    telegram.qr_seconds = 2
    own = live(None)
    await own.start()
    shown = await own.sink.reach(A.waitQr)
    telegram.world.tell_key = lambda *_: None
    telegram.world.scan(token(shown.value), ada)
    await own.sink.reach(A.working)


async def test_a_qr_and_then_the_cloud_password(telegram, live):
    eve = telegram.world.join("14155550109", "Eve", password="correct horse")
    own = live(None)
    connection = await own.start()
    shown = await own.sink.reach(A.waitQr)
    telegram.world.scan(token(shown.value), eve)
    await own.sink.reach(A.waitPassword)
    await connection.password("correct horse")
    await own.sink.reach(A.working)


async def test_a_qr_of_an_account_in_another_data_center(telegram, live, ada):
    own = live(None)
    await own.start()
    shown = await own.sink.reach(A.waitQr)
    auth = next(each for each in telegram.world.auths.values() if each.token == token(shown.value))
    auth.migrate = 4
    telegram.world.scan(token(shown.value), ada)
    await own.sink.reach(A.working)
    assert {link.dc for link in telegram.of(ada)} == {4}


async def test_a_phone_of_another_data_center(telegram, live, ada):
    telegram.fail("SendCode", 303, "PHONE_MIGRATE_4")
    own = live()
    connection = await own.start()
    await own.sink.reach(A.waitCode)
    await connection.code("12345")
    await own.sink.reach(A.working)
    assert {link.dc for link in telegram.of(ada)} == {4}
    await connection.close()
    await own.start()
    await own.sink.reach(A.working)
    assert {link.dc for link in telegram.of(ada)} == {4}


async def test_a_code_stays_good_when_the_connection_is_lost(telegram, live, ada):
    own = live()
    connection = await own.start()
    await own.sink.reach(A.waitCode)
    before = len(own.sink.changes)
    for link in list(telegram.links):
        link.close()
    await own.sink.reach(A.waitCode, after=before + 1)
    assert A.reconnecting in own.sink.states
    await connection.code("12345")
    await own.sink.reach(A.working)
    assert telegram.count("SendCode") == 1
    assert telegram.handshakes == 1


@pytest.mark.parametrize(
    ("code", "text", "state", "expected"),
    [
        (400, "PHONE_NUMBER_BANNED", A.blocked, "banned"),
        (400, "PHONE_NUMBER_INVALID", A.failed, "phone_invalid"),
        (400, "PHONE_NUMBER_FLOOD", A.failed, "phone_flood"),
        (400, "API_ID_INVALID", A.failed, "bad_credentials"),
        (406, "UPDATE_APP_TO_LOGIN", A.failed, "update_app_to_login"),
        (400, "SOMETHING_NEW", A.failed, "something_new"),
    ],
)
async def test_refused_logins_end_with_a_reason(telegram, live, ada, code, text, state, expected):
    telegram.fail("SendCode", code, text)
    own = live()
    connection = await own.start()
    change = await own.sink.reach(state)
    assert change.code == expected
    assert change.reason
    await until(lambda: not telegram.links)
    with pytest.raises(WrongStep):
        await connection.code("12345")


async def test_a_phone_without_an_account(telegram, live):
    own = live("14155550199")
    connection = await own.start()
    await own.sink.reach(A.waitCode)
    with pytest.raises(CodeInvalid) as refused:
        await connection.code("12345")
    assert refused.value.code == "phone_unoccupied"
    assert "There is no Telegram account with this phone number" in refused.value.reason
    change = await own.sink.reach(A.failed)
    assert change.code == "phone_unoccupied"


async def test_a_flood_wait_is_told_and_not_slept_through(telegram, live, ada):
    telegram.fail("SendCode", 420, "FLOOD_WAIT_3600")
    own = live()
    await own.start()
    change = await own.sink.reach(A.failed)
    assert change.code == "flood_wait"
    assert 3500 < (change.until - datetime.now(UTC)).total_seconds() <= 3600


async def test_a_flood_wait_after_a_code_names_the_time(telegram, live, ada):
    telegram.fail("SignIn", 420, "FLOOD_WAIT_60")
    own = live()
    connection = await own.start()
    await own.sink.reach(A.waitCode)
    with pytest.raises(Throttled) as wait:
        await connection.code("12345")
    assert 50 < (wait.value.until - datetime.now(UTC)).total_seconds() <= 60
    with pytest.raises(Throttled):
        await connection.code("12345")
    assert telegram.count("SignIn") == 1  # who was told to wait does not knock again
    assert own.sink.state == A.waitCode


async def test_calls_at_the_wrong_step(live, ada):
    own = live()
    connection = await own.start()
    await own.sink.reach(A.waitCode)
    with pytest.raises(WrongStep):
        await connection.password("x")
    with pytest.raises(WrongStep):
        await connection.me()
    assert not await connection.probe()
    await connection.close()
    with pytest.raises(WrongStep):
        await connection.code("12345")


async def test_two_codes_at_once_are_tried_one_after_the_other(live, ada):
    own = live()
    connection = await own.start()
    await own.sink.reach(A.waitCode)
    first, second = await asyncio.gather(
        connection.code("12345"), connection.code("12345"), return_exceptions=True
    )
    assert first is None
    assert isinstance(second, WrongStep)
    await own.sink.reach(A.working)
