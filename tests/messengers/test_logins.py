"""Tests how an account logs in, stays connected and logs out, as every driver does it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from messengers.port import Abortable, CodeInvalid, MessengerError, Outgoing, PasswordInvalid, WrongStep
from shapes.messenger_accounts import AccountState
from tests.messengers.conftest import MakeLive
from tests.messengers.recorder import Live, easiest, needs
from tests.messengers.rig import Can, How, Rig
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.rotating

S = AccountState

STEPS = {
    How.qr: [S.waitQr],
    How.code: [S.waitCode],
    How.pairing: [S.showCode],
    How.qr_password: [S.waitQr, S.waitPassword],
    How.code_password: [S.waitCode, S.waitPassword],
    How.session: [],
}
PERSON = {S.waitQr, S.waitPhone, S.waitCode, S.waitPassword, S.showCode}
OVER = (S.loggedOut, S.failed)


def has(rig: Rig, how: How) -> None:
    if how not in rig.hows:
        pytest.skip(f"no login by {how} here")


async def over(account: Live) -> AccountState:
    """The state in which it rests."""
    await until(lambda: account.told.state in (S.failed, S.loggedOut, S.blocked))
    return account.told.state


async def nobody(rig: Rig, account: Live) -> None:
    """No connection of the account is left."""

    async def none() -> bool:
        return await rig.connections(account.account) == 0

    await until(none)


# logging in


@pytest.mark.parametrize("how", list(How), ids=str)
async def test_a_login_tells_its_steps_then_the_session_then_that_it_works(
    rig: Rig, live: MakeLive, how: How
):
    has(rig, how)
    one = await live(how)
    states = one.told.states
    assert [state for state in states if state in PERSON] == STEPS[how]
    assert states[-1] is S.working
    assert one.told.changes[-1].me is not None
    if Can.session in rig.can:
        assert isinstance(one.told.sessions[-1], str)
    assert await rig.connections(one.account) == 1


@pytest.mark.parametrize("how", [How.qr, How.pairing], ids=str)
async def test_what_is_shown_says_when_it_expires(rig: Rig, live: MakeLive, how: How):
    has(rig, how)
    one = await live(how, start=False)
    await one.start()
    change = await one.at(S.waitQr if how is How.qr else S.showCode)
    assert change.value
    assert change.expires_at is not None
    assert change.expires_at.tzinfo is not None


@pytest.mark.parametrize("how", [How.qr, How.pairing], ids=str)
async def test_what_nobody_uses_is_shown_again_with_a_new_value(rig: Rig, live: MakeLive, how: How):
    has(rig, how)
    needs(rig, Can.unused)
    one = await live(how, start=False)
    await one.start()
    state = S.waitQr if how is How.qr else S.showCode
    await until(lambda: len({change.value for change in one.told.changes if change.state is state}) >= 3)
    await one.admit(state)
    await one.at(S.working)


async def test_a_wrong_code_keeps_the_step(rig: Rig, live: MakeLive):
    has(rig, How.code)
    one = await live(How.code, start=False)
    await one.start()
    await one.at(S.waitCode)
    with pytest.raises(CodeInvalid) as caught:
        await one.connection.code("98765")
    assert not isinstance(caught.value, PasswordInvalid)
    assert caught.value.code == "code_invalid"
    assert "98765" not in str(caught.value)
    assert one.told.state is S.waitCode
    await one.connection.code(rig.right_code)
    await one.at(S.working)


@pytest.mark.parametrize("how", [How.qr_password, How.code_password], ids=str)
async def test_a_wrong_password_keeps_the_step(rig: Rig, live: MakeLive, how: How):
    has(rig, how)
    one = await live(how, start=False)
    await one.start()
    if how is How.qr_password:
        await one.admit(S.waitQr)
    else:
        await one.at(S.waitCode)
        await one.connection.code(rig.right_code)
    await one.at(S.waitPassword)
    with pytest.raises(PasswordInvalid) as caught:
        await one.connection.password("not-this-one")
    assert caught.value.code == "password_invalid"
    assert "not-this-one" not in str(caught.value)
    assert one.told.state is S.waitPassword
    await one.connection.password(rig.right_password)
    await one.at(S.working)


@pytest.mark.parametrize("what", ["", " ", "\0", "1" * 10_000, "👩‍👩‍👧‍👦" * 100, "'; --"], ids=range(6))
async def test_a_strange_code_or_password_is_a_wrong_one(rig: Rig, live: MakeLive, what: str):
    has(rig, How.code_password)
    one = await live(How.code_password, start=False)
    await one.start()
    await one.at(S.waitCode)
    with pytest.raises(CodeInvalid):
        await one.connection.code(what)
    await one.connection.code(rig.right_code)
    await one.at(S.waitPassword)
    with pytest.raises(PasswordInvalid):
        await one.connection.password(what)
    await one.connection.password(rig.right_password)
    await one.at(S.working)


async def test_a_call_at_the_wrong_step_says_so_and_changes_nothing(rig: Rig, live: MakeLive):
    one = await live(start=False)
    with pytest.raises(MessengerError):
        await one.connection.send(Outgoing(uuid4(), "+14155550100", "before the start"))
    await one.log_in(easiest(rig))
    for call in (one.connection.code, one.connection.password):
        with pytest.raises(WrongStep):
            await call("12345")
    assert one.told.state is S.working


@pytest.mark.parametrize("how", [How.qr, How.pairing, How.code], ids=str)
async def test_nothing_can_be_done_before_the_login_is_over(rig: Rig, live: MakeLive, how: How):
    has(rig, how)
    one = await live(how, start=False)
    await one.start()
    await one.at(STEPS[how][0])
    connection = one.connection
    for call in (
        connection.send(Outgoing(uuid4(), "+14155550100", "too early")),
        connection.password(rig.right_password),
        connection.me(),
        connection.person("+14155550100"),
        connection.act("+14155550100", "typing"),
    ):
        with pytest.raises(WrongStep):
            await call
    assert not await connection.probe()
    assert one.told.state is STEPS[how][0]


# sessions


async def test_a_session_is_enough_to_connect_again(rig: Rig, live: MakeLive):
    needs(rig, Can.session)
    one = await live()
    await one.close()
    again = await live(again=one)
    await again.at(S.working)
    assert not PERSON & set(again.told.states)
    peer = await rig.peer(again.account)
    await again.connection.send(Outgoing(uuid4(), peer.to, "again"))
    await until(peer.got)


@pytest.mark.parametrize("session", ["", "nonsense", "MQ==", "1" * 100_000, "\0"], ids=range(5))
async def test_a_session_that_is_none_is_no_crash(rig: Rig, live: MakeLive, session: str):
    needs(rig, Can.session)
    one = await live(start=False)
    one.account = replace(one.account, session=session)
    one.connection = rig.driver.connect(one.account, one.told)
    await one.start()
    await until(lambda: one.told.state in (*OVER, *PERSON))
    assert S.working not in one.told.states


async def test_a_forgotten_session_is_worth_nothing(rig: Rig, live: MakeLive):
    needs(rig, Can.session, Can.revoke)
    one = await live()
    session = one.told.sessions[-1]
    async with asyncio.timeout(PATIENCE):
        await one.connection.forget()
    one.told.ended = True
    await nobody(rig, one)
    one.told.sessions.append(session)
    again = await live(again=one)
    assert await over(again) in OVER
    assert S.working not in again.told.states


async def test_forgetting_twice_or_after_close_is_harmless(rig: Rig, live: MakeLive):
    one = await live()
    await one.connection.close()
    await one.connection.forget()
    await one.connection.forget()
    await nobody(rig, one)


@pytest.mark.parametrize("meanwhile", ["working", "away"])
async def test_a_session_that_was_ended_elsewhere_is_logged_out(rig: Rig, live: MakeLive, meanwhile: str):
    needs(rig, Can.session, Can.revoke)
    one = await live()
    if meanwhile == "away":
        await one.close()
        await rig.revoke(one.account)
        one = await live(again=one)
    else:
        await rig.revoke(one.account)
    change = await one.at(S.loggedOut)
    assert change.reason
    assert one.told.sessions[-1] is None
    await nobody(rig, one)
    with pytest.raises(MessengerError):
        await one.connection.send(Outgoing(uuid4(), "+14155550100", "too late"))
    assert not await one.connection.probe()


async def test_after_that_the_account_can_log_in_anew(rig: Rig, live: MakeLive):
    needs(rig, Can.session, Can.revoke)
    one = await live()
    await rig.revoke(one.account)
    await one.at(S.loggedOut)
    await one.close()
    again = await one.again()
    assert again.account.session is None
    await again.log_in(easiest(rig))
    await again.close()


async def test_a_ban_is_told_as_such(rig: Rig, live: MakeLive):
    needs(rig, Can.ban)
    one = await live()
    await rig.ban(one.account)
    change = await one.at(S.blocked)
    assert change.reason
    await nobody(rig, one)


# the network


async def test_a_lost_connection_is_made_again_without_a_login(rig: Rig, live: MakeLive):
    needs(rig, Can.drop)
    one = await live()
    peer = await rig.peer(one.account)
    before = len(one.told.changes)
    await rig.drop(one.account)
    await until(lambda: S.working in [change.state for change in one.told.changes[before:]])
    states = [change.state for change in one.told.changes[before:]]
    assert states[0] is S.reconnecting
    assert not PERSON & set(states)
    await one.connection.send(Outgoing(uuid4(), peer.to, "still there"))
    await until(peer.got)
    assert await rig.connections(one.account) == 1


async def test_dropped_again_and_again_it_comes_back(rig: Rig, live: MakeLive):
    needs(rig, Can.drop)
    one = await live()
    for times in range(2, 5):
        await rig.drop(one.account)
        await until(lambda times=times: [c.state for c in one.told.changes].count(S.working) >= times)
    assert await one.connection.probe()


async def test_a_probe_asks_the_messenger(rig: Rig, live: MakeLive):
    one = await live()
    assert await one.connection.probe() is True


# the end


@pytest.mark.parametrize("when", ["before", "at once", "in the login", "working"])
async def test_close_ends_everything_and_may_be_called_twice(rig: Rig, live: MakeLive, when: str):
    one = await live(start=when == "working")
    if when in ("at once", "in the login"):
        await one.start()
    if when == "in the login":
        await until(lambda: set(one.told.states) & (PERSON | {S.working}))
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(one.connection.close(), one.connection.close())
        one.told.ended = True
        await one.connection.close()
    await nobody(rig, one)
    with pytest.raises(MessengerError):
        await one.connection.send(Outgoing(uuid4(), "+14155550100", "too late"))


async def test_nothing_is_told_after_close(rig: Rig, live: MakeLive):
    one = await live()
    peer = await rig.peer(one.account)
    await one.close()
    await peer.write("is anybody there?")
    other = await live()
    await (await rig.peer(other.account)).write("here")
    await until(other.told.came)  # what was written later has arrived
    assert not one.told.wrong


@pytest.mark.parametrize("when", ["start", "a message"])
async def test_an_account_that_is_lost_is_let_go_at_once(rig: Rig, live: MakeLive, when: str):
    one = await live(start=when != "start")
    if when == "start":
        one.told.lost = True
        await one.start()
    else:
        peer = await rig.peer(one.account)
        one.told.lost = True
        await peer.write("for whoever has it now")
    await until(lambda: one.told.told_after_lost)
    await nobody(rig, one)
    before = one.told.told_after_lost
    with pytest.raises(MessengerError):
        await one.connection.send(Outgoing(uuid4(), "+14155550100", "no"))
    await one.connection.close()
    assert one.told.told_after_lost == before


# secrets


async def test_no_secret_is_shown(rig: Rig, live: MakeLive, capfd: pytest.CaptureFixture[str]):
    one = await live()
    session = one.told.sessions[-1] if one.told.sessions else None
    await one.close()
    again = await live(again=one)
    await again.at(S.working)
    shown = (
        repr(again.account) + repr(again.told.changes) + repr(again.connection) + "".join(capfd.readouterr())
    )
    for secret in (*rig.secrets, session):
        assert not secret or secret not in shown


async def test_times_have_a_zone(rig: Rig, live: MakeLive):
    one = await live()
    peer = await rig.peer(one.account)
    sent = await one.connection.send(Outgoing(uuid4(), peer.to, "when?"))
    await peer.write("now")
    [message] = await until(one.told.came)
    for at in (sent.at, message.at):
        assert at.tzinfo is not None
        assert abs((datetime.now(UTC) - at).total_seconds()) < 24 * 3600


async def test_a_connection_that_is_cut_in_one_breath_says_nothing_more(rig: Rig, live: MakeLive):
    one = await live(easiest(rig))
    if not isinstance(one.connection, Abortable):
        pytest.skip("its messenger is told of every single request whose it is")
    one.told.ended = True  # from now on the recorder takes nothing
    one.connection.abort()
    await nobody(rig, one)
    await one.connection.close()
