"""Other credentials for an account that has some: at any time, and used at once."""

from uuid import UUID

import orjson
import pytest

from tests.support.messengers import added, ok, wrong
from tests.support.waits import until
from tests.whatsapp_cloud import meta as server

SHOP = {"source": "whatsapp"}
TO = "+16505551234"
PATCH = """mutation($id: ID!, $input: MessengerAccountPatch!) {
  updateMessengerAccount(id: $id, input: $input) { state name }
}"""


@pytest.fixture
async def meta():
    async with server.meta() as made:
        yield made


@pytest.fixture
def settings(make_settings, meta):
    return make_settings(whatsapp_driver=["whatsapp-cloud", "sandbox"], whatsapp_cloud_url=meta.url)


async def shop(ada, number):
    return await added(ada, "shop", **SHOP, driver="whatsapp-cloud", credentials=number.credentials)


async def opened(services, id):
    row = await services.db.fetchrow("SELECT * FROM messenger_accounts WHERE id = $1", UUID(id))
    return orjson.loads(
        services.vault.open(row.credentials_encrypted, f"messenger_accounts.credentials:{id}")
    )


async def info(ada):
    return await ok(ada, "getInfo", "shop", **SHOP, skipDetails=True)


async def test_a_live_account_goes_on_with_them(host, ada, services, meta):
    number = meta.number(name="Lucky Shrub")
    id = await shop(ada, number)
    await ok(ada, "setState", "shop", **SHOP, setState=True)
    number.token = "EAAG-the-new-one"  # Meta takes no other from now on
    answer = await ok(ada, "updateAccount", "shop", **SHOP, credentials=number.credentials)
    assert number.token not in str(answer)
    assert await opened(services, id) == number.credentials

    async def works():
        return (await info(ada))["accountState"] == "working"

    await until(works)
    await ok(ada, "sendMessage", "shop", **SHOP, msg_to=TO, msg_text="hi")
    assert number.taken[-1]["text"]["body"] == "hi"
    assert (await info(ada))["state"] is True
    # By the other door, and beside another field.
    number.token = "EAAG-the-newest"
    done = await ada.data(PATCH, {"id": id, "input": {"credentials": number.credentials, "name": "Shop"}})
    assert done["updateMessengerAccount"]["name"] == "Shop"
    await until(works)
    await ok(ada, "sendMessage", "shop", **SHOP, msg_to=TO, msg_text="once more")


async def test_an_account_that_failed_is_started_with_them(host, ada, meta):
    number = meta.number(name="Lucky Shrub")
    await shop(ada, number)
    right, number.token = number.token, "EAAG-the-new-one"
    code, message = await wrong(ada, "setState", "shop", **SHOP, setState=True)
    assert code == "account_failed"
    assert right not in message
    await ok(ada, "updateAccount", "shop", **SHOP, credentials=number.credentials)
    shown = await info(ada)
    assert (shown["accountState"], shown["state"]) == ("failed", False)  # its owner starts it
    await ok(ada, "setState", "shop", **SHOP, setState=True)


@pytest.mark.parametrize("state", ["stopped", "failed", "blocked"])
async def test_an_account_at_rest_stays_so(ada, services, meta, state):
    id = await shop(ada, meta.number(name="one"))
    await services.db.fetch("UPDATE messenger_accounts SET state = $1", state)
    other = meta.number(name="other").credentials
    await ok(ada, "updateAccount", "shop", **SHOP, credentials=other)
    assert await opened(services, id) == other
    row = await services.db.fetchrow("SELECT state, wanted, clearing FROM messenger_accounts")
    assert (row.state, row.wanted, row.clearing) == (state, False, False)
    # What is left out or null stays.
    await ok(ada, "updateAccount", "shop", **SHOP, name="x", credentials=None)
    assert await opened(services, id) == other


async def test_whom_they_are_not_for(ada, bob, services, meta):
    number = meta.number(name="one")
    id = await shop(ada, number)
    patch = {"credentials": {**number.credentials, "accessToken": "bob-s-own"}}
    assert (await wrong(bob, "updateAccount", "shop", **SHOP, **patch))[0] == "account_not_found"
    assert await bob.code(PATCH, {"id": id, "input": patch}) == "account_not_found"
    assert await opened(services, id) == number.credentials
    await added(ada, "plain")
    assert await wrong(ada, "updateAccount", "plain", **patch) == (
        "bad_credentials_for_driver",
        "The driver sandbox takes no credentials. Leave out `credentials`.",
    )
    code, message = await wrong(
        ada, "updateAccount", "shop", **SHOP, credentials={"accessToken": "very-secret"}
    )
    assert code == "validation_failed"
    assert "very-secret" not in message
