"""Tests that messenger accounts are started and stopped through both doors: contract §4."""

import asyncio
from uuid import UUID

import pytest

from tests.messenger_accounts.test_accounts import mutate, of
from tests.support.messengers import BANNED, PHONE, PLAIN, UNUSED, added, call, ok, working, wrong

pytestmark = pytest.mark.settings(sandbox_moment=0.05, qr_attempts=1000, whatsapp_driver=["sandbox"])


async def test_starting_and_stopping(ada, host, services):
    id = await working(ada)
    info = await ok(ada, "getInfo", PLAIN)
    assert (info["activated"], info["state"]) == (True, True)
    assert repr(info["step"]["value"]) == "5"  # as the vendor has it: no 5.0
    assert info["connectedPhone"] == f"+{PLAIN}"
    assert info["checkedAt"] is not None
    assert (await ok(ada, "getMe", PLAIN))["me"]["phone"] == f"+{PLAIN}"
    me = await ada.data("query($id:ID!){messengerAccountMe(id:$id){phone}}", {"id": id})
    assert me == {"messengerAccountMe": {"phone": f"+{PLAIN}"}}
    await ok(ada, "setState", PLAIN, setState=True)  # again is no error
    assert (await ok(ada, "getInfo", PLAIN))["checkedAt"] > info["checkedAt"]
    await ok(ada, "setState", PLAIN, setState=False)
    await ok(ada, "setState", PLAIN, setState=False)
    await ok(ada, "forceStop", PLAIN)
    info = await ok(ada, "getInfo", PLAIN)
    assert (info["activated"], info["state"], info["accountState"]) == (True, False, "stopped")
    assert (await wrong(ada, "getMe", PLAIN))[0] == "wrong_state"
    # The session was kept, so no login is needed.
    assert (await mutate(ada, "startMessengerAccount", id))["state"] == "working"
    assert (await mutate(ada, "stopMessengerAccount", id))["state"] == "stopped"
    assert (await mutate(ada, "startMessengerAccount", id))["state"] == "working"
    await ok(ada, "clearSession", PLAIN)
    info = await ok(ada, "getInfo", PLAIN)
    assert (info["activated"], info["accountState"], info["connectedPhone"]) == (False, "stopped", None)
    code, _ = await wrong(ada, "setState", PLAIN, setState=True)
    assert code == "challenge_required"
    assert (await mutate(ada, "clearMessengerSession", id))["state"] == "stopped"


async def test_all_at_once_end_as_the_last_one_says(ada, host):
    await working(ada)
    for wanted in (True, False, True):
        await asyncio.gather(*(call(ada, "setState", PLAIN, setState=not wanted) for _ in range(3)))
        await ok(ada, "setState", PLAIN, setState=wanted)
        info = await ok(ada, "getInfo", PLAIN)
        assert info["accountState"] == ("working" if wanted else "stopped")


@pytest.mark.parametrize(
    ("login", "phone", "code", "message", "state", "value"),
    [
        (UNUSED, None, "qr_received", "QR received", "waitQr", 2.2),
        (PHONE, None, "auth_phone_not_set", "Auth phone not set", "waitPhone", 2.21),
        (UNUSED, PLAIN, "challenge_required", "Challenge required", "waitCode", 2.25),
        (BANNED, None, "account_blocked", "The sandbox has banned this account.", "blocked", None),
    ],
    ids=["qr", "phone", "code", "banned"],
)
async def test_a_start_tells_the_step(ada, host, login, phone, code, message, state, value):
    id = await added(ada, login)
    if phone:
        await ok(ada, "enablePhoneAuth", login, phone=phone)
    for _ in range(2):
        answer = await call(ada, "setState", login, setState=True)
        assert (answer["error"]["code"], answer["error"]["message"]) == (code, message)
        assert answer["error"]["details"]["state"] == state
        assert answer["error"]["details"]["step"]["value"] == value
    info = await ok(ada, "getInfo", login)
    assert (info["accountState"], info["step"]["value"]) == (state, value)
    assert info["state"] == (state != "blocked")
    again = await mutate(ada, "startMessengerAccount", id)  # typed, and no error
    assert (again["state"], again["step"]["value"]) == (state, value)


async def test_a_pairing_code_is_told(ada, host):
    await ok(ada, "addAccount", UNUSED, source="whatsapp")
    await ok(ada, "enablePhoneAuth", UNUSED, source="whatsapp", phone=UNUSED)
    answer = await call(ada, "setState", UNUSED, source="whatsapp", setState=True)
    assert (answer["error"]["code"], answer["error"]["message"]) == (
        "auth_code_received",
        "Auth code received",
    )


async def test_nobody_connects_it(ada, monkeypatch):
    """No worker runs: the wish is kept, the state is no lie, and the call ends in time."""
    monkeypatch.setattr("resolvers.messenger_accounts.account_states.START_SECONDS", 0.3)
    id = await added(ada)
    answer = await call(ada, "setState", PLAIN, setState=True)
    assert (answer["error"]["code"], answer["error"]["message"]) == (
        "account_starting",
        "Trying to start existing account",
    )
    info = await ok(ada, "getInfo", PLAIN)
    assert (info["state"], info["accountState"]) == (True, "starting")
    assert (await wrong(ada, "updateAccount", PLAIN, proxyString=""))[0] == "wrong_state"
    assert (await mutate(ada, "startMessengerAccount", id))["state"] == "starting"
    await ok(ada, "forceStop", PLAIN)
    assert (await ok(ada, "getInfo", PLAIN))["accountState"] == "stopped"
    await ok(ada, "clearSession", PLAIN)


async def test_a_dead_process_s_account_is_not_called_working(ada, services):
    id = UUID(await added(ada))
    await services.db.fetch(
        "UPDATE messenger_accounts SET state = 'working', wanted = true WHERE id = $1", id
    )
    assert (await ok(ada, "getInfo", PLAIN))["accountState"] == "starting"
    assert (await of(ada, str(id)))["state"] == "starting"
    assert (await ok(ada, "getInfoByToken"))["summary"]["waiting"] == 1
