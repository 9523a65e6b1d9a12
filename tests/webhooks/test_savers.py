"""A messenger account's webhook ends with the token or the membership that saved it, and shows what these may see."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.api_tokens.made import caller, exchanged, made
from tests.members.made import joined
from tests.support.people import Person
from tests.webhooks.receiver import Receiver
from tests.webhooks.world import World

ADD = "mutation($a:ID!,$i:NewWebhook!){addWebhook(accountId:$a,input:$i){webhook{uuid}}}"
SCOPES = ["messengers:read", "messengers:write"]


async def add(world: World, person: Person) -> UUID:
    hook = {"webhookUrl": "https://127.0.0.1/hook"}
    answer = await person.data(ADD, {"a": str(world.account), "i": hook})
    return UUID(answer["addWebhook"]["webhook"]["uuid"])


async def hears(world: World) -> bool:
    """Says something in the account. Returns whether a webhook gets it."""
    before = (await world.counts())[0]
    await world.say("hello")
    return (await world.counts())[0] > before


async def is_off(world: World, hook: UUID) -> Any:
    """Returns why the webhook is off after a round of upkeep; None: it is on."""
    await world.look_after()
    row = await world.row(hook)
    return None if row["enabled"] else row["disabled_reason"]


@pytest.mark.parametrize("keep", [False, True])
async def test_it_ends_with_the_membership_unless_it_is_kept(
    world: World, ada: Person, bob: Person, keep: bool
):
    member, id = await joined(ada, bob, "manager")
    hook = await add(world, member)
    assert await hears(world) and await is_off(world, hook) is None
    removed = await ada.rest("DELETE", f"/members/{id}", params={"keepWebhooks": str(keep).lower()})
    assert removed.status_code == 200, removed.text
    assert await hears(world) is keep
    assert ("member" in (await is_off(world, hook) or "")) is not keep


@pytest.mark.parametrize("way", ["left", "narrowed", "suspended"])
async def test_it_ends_or_pauses_with_its_maker(
    world: World, ada: Person, bob: Person, admin: Person, receiver: Receiver, way: str
):
    member, id = await joined(ada, bob, "manager")
    hook = {"webhookUrl": receiver.url}
    saved = (await member.data(ADD, {"a": str(world.account), "i": hook}))["addWebhook"]["webhook"]["uuid"]
    own = (await ada.data(ADD, {"a": str(world.account), "i": {"webhookUrl": receiver.url + "/own"}}))[
        "addWebhook"
    ]
    assert (await ada.rest("GET", f"/webhooks/{saved}")).json()["createdBy"] == str(bob.id)
    if way == "left":
        (mine,) = (await bob.rest("GET", "/memberships")).json()
        assert (await bob.rest("DELETE", f"/memberships/{mine['id']}")).is_success
    elif way == "narrowed":
        changed = (await ada.rest("PATCH", f"/members/{id}", json={"role": "support"})).json()
        assert [(each["kind"], each["credentialUuid"]) for each in changed["ended"]] == [
            ("messenger_webhook", saved)
        ]
    else:
        await admin.data("mutation($i:ID!){suspendUser(id:$i){uuid}}", {"i": str(bob.id)})
    await world.say("one")
    async with world.delivering():
        await receiver.got(1)
        await asyncio.sleep(0.5)
        assert [call.path for call in receiver.taken] == ["/hook/own"]
        if way == "suspended":  # what happened meanwhile has waited
            await admin.data("mutation($i:ID!){activateUser(id:$i){uuid}}", {"i": str(bob.id)})
            assert [call.path for call in await receiver.got(2)] == ["/hook/own", "/hook"]
    await world.look_after()
    assert (await world.row(UUID(saved)))["enabled"] is (way == "suspended")
    assert (await world.row(UUID(own["webhook"]["uuid"])))["enabled"]


async def test_members_see_what_their_permissions_show(world: World, ada: Person, bob: Person):
    member, _ = await joined(ada, bob, "manager", permissions=["messengers:write"])
    hook = await add(world, member)
    assert not await hears(world)
    assert "messengers:read" in await is_off(world, hook)
    await add(world, ada)  # the owner saves the same address
    assert await hears(world) and await is_off(world, hook) is None


@pytest.mark.parametrize("by_login", [False, True])
@pytest.mark.parametrize("change", ["expire", "narrow"])
async def test_it_ends_when_its_token_expires_or_is_narrowed(
    world: World, ada: Person, change: str, by_login: bool
):
    token, id = await made(ada, scopes=SCOPES)
    credential = (await exchanged(ada, token))["accessToken"] if by_login else token
    hook = await add(world, caller(ada, credential))
    assert await hears(world) and await is_off(world, hook) is None
    if change == "narrow":
        answer = await ada.rest("PATCH", f"/api-tokens/{id}", json={"scopes": ["messengers:write"]})
        assert answer.status_code == 200, answer.text
    else:
        await world.services.db.fetch(
            "UPDATE api_tokens SET expires_at = now() - $2::interval WHERE id = $1",
            UUID(id),
            timedelta(seconds=1),
        )
    assert not await hears(world)
    assert "token has ended" in await is_off(world, hook)


async def test_an_unlimited_token_that_is_revoked(world: World, ada: Person):
    token, id = await made(ada)
    hook = await add(world, caller(ada, (await exchanged(ada, token))["accessToken"]))
    assert await hears(world)
    assert (await ada.rest("DELETE", f"/api-tokens/{id}")).status_code in (200, 204)
    assert not await hears(world)
    assert "revoked" in await is_off(world, hook)
