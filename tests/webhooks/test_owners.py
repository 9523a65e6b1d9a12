"""Nothing goes out while the owner isn't active."""

import pytest

from tests.support.people import Person
from tests.support.waits import until
from tests.webhooks.receiver import Receiver, receiving
from tests.webhooks.world import World


async def become(admin: Person, user: Person, status: str) -> None:
    answer = await admin.rest("PATCH", f"/users/{user.id}", json={"status": status})
    assert answer.status_code == 200, answer.text


async def delete(admin: Person, user: Person) -> None:
    assert (await admin.rest("DELETE", f"/users/{user.id}")).status_code in (200, 204)


async def test_a_suspended_owner_s_events_wait_until_he_is_active_again(
    world: World, receiver: Receiver, bob: Person, admin: Person
) -> None:
    hook = await world.hook(receiver.url)
    bobs = await world.make_account("bobs", bob)
    await world.say("before")
    await become(admin, world.owner, "suspended")
    await world.say("meanwhile")
    async with receiving() as other, world.delivering() as deliverer:
        await world.hook(other.url, account=bobs)
        await world.say("swept", account=bobs)
        await other.got(1)
        deliverer.wake(world.account)
        await world.say("woken", account=bobs)
        await other.got(2)
        assert (await world.row(hook))["visited_at"] is None
        await become(admin, world.owner, "active")
        await world.empty()
    assert receiver.texts() == ["before", "meanwhile"]


@pytest.mark.settings(lease_seconds=9)  # renewed every three: a standstill in between loses nothing
async def test_a_suspension_ends_a_visit(world: World, receiver: Receiver, admin: Person) -> None:
    receiver.delay = 0.1
    await world.hook(receiver.url)
    texts = [f"{n}" for n in range(400)]
    await world.say(*texts)
    async with world.delivering() as deliverer:
        await receiver.got(2)
        await become(admin, world.owner, "suspended")
        await until(lambda: not deliverer._deliveries)
        before = len(receiver.calls)
        assert (await world.counts())[0] == len(texts) - before
        receiver.delay = 0.0
        await world.services.db.fetch("UPDATE webhooks SET claimed_until = now()")  # it has run out
        await become(admin, world.owner, "active")
        await world.empty()
    assert receiver.texts() == texts


async def test_a_suspended_owner_s_events_age(world: World, receiver: Receiver, admin: Person) -> None:
    hook = await world.hook(receiver.url)
    await world.say("old")
    world.time.forward(hours=77)
    await world.look_after()
    assert await world.counts() == (1, 0, 1)  # never tried, and on its way
    await become(admin, world.owner, "suspended")
    await world.look_after()
    assert await world.counts() == (0, 1, 1)
    error = await world.services.db.fetchval(
        "SELECT last_error FROM webhook_deliveries WHERE webhook_id = $1", hook
    )
    assert error == "its owner is not active"


async def test_of_a_deleted_owner_nothing_is_put_and_nothing_goes_out(
    world: World, receiver: Receiver, bob: Person, admin: Person
) -> None:
    hook = await world.hook(receiver.url)
    bobs = await world.make_account("bobs", bob)
    await world.say("before")
    await delete(admin, world.owner)
    await world.say("after")
    assert await world.counts() == (1, 0, 1)
    async with receiving() as other, world.delivering():
        await world.hook(other.url, account=bobs)
        await world.say("bob's", account=bobs)
        await other.got(1)
        assert (await world.row(hook))["visited_at"] is None
    assert receiver.calls == []
