"""A QR that was scanned and never becomes a login: the account says that WhatsApp probably wants a passkey."""

import pytest

from messengers.whatsapp.process import Bounds
from shapes.messenger_accounts import AccountState
from tests.messengers.rig import How
from tests.support.waits import until

pytestmark = pytest.mark.servers

S = AccountState


async def showing(rig, live, state=S.waitQr):
    await live.connection.start()
    await live.came_to(state)
    [wire] = [wire for wire in rig.messenger.wires if wire.device is None]
    return wire


def suspected(live):
    return [change for change in live.told.changes if change.code == "passkey_suspected"]


@pytest.mark.parametrize(
    "how", ["err-scanned-without-multidevice", "passkey-request"], ids=["after a while", "at once"]
)
async def test_a_scan_without_a_login_is_suspicious(rig, new_account, how):
    live = await new_account(start=False, bounds=Bounds(login=0.3 if how.startswith("err") else 300.0))
    wire = await showing(rig, live)
    assert not suspected(live)
    shown = live.told.changes[-1].value
    wire.say({"push": "login", "how": how})
    [change] = await until(lambda: suspected(live))
    assert (change.state, change.value) == (S.waitQr, shown), "the QR can still be used"
    assert "passkey" in change.reason
    # The next QR says so, too, and a login ends the suspicion.
    await rig.admit(live.account, shown)
    await live.came_to(S.working)
    assert live.told.changes[-1].code is None


async def test_a_login_in_time_is_not_suspicious(rig, new_account):
    live = await new_account(start=False, bounds=Bounds(login=300.0))
    wire = await showing(rig, live)
    wire.say({"push": "login", "how": "err-scanned-without-multidevice"})
    await rig.admit(live.account, live.told.changes[-1].value)
    await live.came_to(S.working)
    assert live.connection._logins.timer is None
    assert not suspected(live)


async def test_a_pairing_that_never_becomes_a_login_is_suspicious(rig, new_account):
    live = await new_account(start=False, bounds=Bounds(login=0.3))
    wire = await showing(rig, live)
    wire.say({"push": "paired", "jid": f"{rig.phones[live.account.id]}@s.whatsapp.net", "name": "Ada"})
    await live.came_to(S.syncing, "passkey_suspected")


async def test_a_code_that_was_entered_counts_as_a_scan(rig, new_account):
    live = await new_account(How.pairing, start=False, bounds=Bounds(login=0.3))
    wire = await showing(rig, live, S.showCode)
    wire.say({"push": "login", "how": "passkey-request"})
    await live.came_to(S.showCode, "passkey_suspected")
