"""The latest states of an account, which drivers are enabled, and who is found by a phone."""

import pytest

from engine.messengers import state_history
from shapes.messenger_accounts import MOST_STATE_CHANGES, AccountState
from tests.support.messengers import BANNED, PLAIN, added, ok, working, wrong

pytestmark = pytest.mark.settings(sandbox_moment=0.05, qr_attempts=1000)

_HISTORY = "{ messengerAccounts { nodes { uuid stateChanges { state reason reasonCode until createdAt } } } }"


async def _history(person, id):
    nodes = (await person.data(_HISTORY))["messengerAccounts"]["nodes"]
    return next(node["stateChanges"] for node in nodes if node["uuid"] == id)


async def test_what_an_account_went_through_newest_first(ada, bob, host):
    id = await working(ada)
    await ok(ada, "forceStop", PLAIN)
    changes = await _history(ada, id)
    states = [change["state"] for change in changes]
    assert states[0] == "stopped"
    assert states.index("working") < states.index("waitCode") < states.index("starting")
    times = [change["createdAt"] for change in changes]
    assert times == sorted(times, reverse=True)
    assert (await bob.data(_HISTORY))["messengerAccounts"]["nodes"] == []


async def test_it_says_why_it_was_down_after_a_new_start(ada, host):
    id = await added(ada, BANNED)
    for _ in range(2):
        await wrong(ada, "setState", BANNED, setState=True)
    changes = await _history(ada, id)
    assert [change["state"] for change in changes] == ["blocked", "starting"] * 2
    assert changes[0]["reasonCode"] == "banned"
    assert changes[0]["reason"] == "The sandbox has banned this account."


async def test_attempts_to_reconnect_are_one_change_and_the_oldest_make_room(ada, services):
    id = await added(ada, PLAIN)
    S = AccountState
    async with services.db.transaction() as db:

        async def goes(before, state, code=None):
            await state_history.record(db, id, before, state, code=code)

        await goes(S.working, S.reconnecting, "connection_lost")
        await goes(S.reconnecting, S.starting)
        await goes(S.starting, S.reconnecting, "connection_lost")
        await goes(S.reconnecting, S.reconnecting, "connection_lost")
    assert [change["state"] for change in await _history(ada, id)] == ["reconnecting"]
    async with services.db.transaction() as db:
        for _ in range(MOST_STATE_CHANGES):
            await goes(S.reconnecting, S.working)
            await goes(S.working, S.reconnecting, "connection_lost")
    changes = await _history(ada, id)
    assert len(changes) == MOST_STATE_CHANGES
    assert changes[0]["state"] == "reconnecting"


async def test_an_account_is_found_by_its_phone(ada, host):
    id = await working(ada, "the shop")
    query = '{{ messengerAccounts(where: {{ text: {{ contains: "{0}" }} }}) {{ nodes {{ uuid }} }} }}'
    data = await ada.data(query.format(PLAIN[3:]))
    assert [node["uuid"] for node in data["messengerAccounts"]["nodes"]] == [id]


@pytest.mark.settings(whatsapp_driver=["whatsapp-cloud", "sandbox"])
async def test_the_drivers_that_are_enabled(ada):
    enabled = (await ada.data("{ messengerDrivers { source driver } }"))["messengerDrivers"]
    assert enabled == [
        {"source": "telegram", "driver": "sandbox"},
        {"source": "whatsapp", "driver": "whatsapp_cloud"},
        {"source": "whatsapp", "driver": "sandbox"},
    ]
