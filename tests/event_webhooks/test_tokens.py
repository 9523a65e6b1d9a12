"""A webhook that was made with an API token ends with it, and its document may what the token may."""

from typing import Any

import orjson
import pytest

from tests.event_webhooks.world import World
from tests.support.people import Person
from tests.webhooks.receiver import Receiver

SCOPES = ["events:read", "events:write"]


async def _made(ada: Person, **limits: Any) -> tuple[Person, str]:
    """Returns ada with a token, and the token's id."""
    answer = await ada.rest("POST", "/api-tokens", json={"name": "t", "scopes": SCOPES, **limits})
    made = answer.json()
    return Person(ada.id, ada.email, ada.account_id, made["token"], ada.client), made["apiToken"]["id"]


@pytest.mark.parametrize("exchanged", [False, True])
async def test_a_webhook_ends_with_its_token_unless_it_is_kept(
    world: World, receiver: Receiver, exchanged: bool
):
    ada = world.ada
    for keep in (False, True):
        caller, token = await _made(ada)
        if exchanged:
            login = await ada.client.post("/auth", json={"token": caller.token})
            caller.token = login.json()["accessToken"]
        hook = await world.hook(receiver, f"/{keep}", who=caller)
        answer = await ada.rest("DELETE", f"/api-tokens/{token}", params={"keepWebhooks": keep})
        assert answer.status_code == 200, answer.text
        shown = await world.get(hook)
        assert shown["enabled"] is keep
        assert (shown["disabledReason"] is None) is keep
    mine = await world.hook(receiver, "/mine")
    assert (await world.get(mine))["enabled"]
    # The owner saves it again: then it is the owner's.
    hook = (await world.services.db.fetchrow("SELECT id FROM webhooks WHERE NOT enabled"))["id"]
    answer = await ada.rest(
        "PATCH", f"/webhooks/{hook}", json={"url": f"{receiver.url}/again", "enabled": True}
    )
    assert answer.status_code == 200, answer.text
    await world.block("+14155550100")
    async with world.delivering():
        await world.becomes(str(hook), enabled=True, last_status=200)


async def test_a_webhook_stands_when_its_token_may_read_no_events(world: World, receiver: Receiver):
    caller, token = await _made(world.ada)
    hook = await world.hook(receiver, who=caller)
    await world.ada.rest("PATCH", f"/api-tokens/{token}", json={"scopes": ["messages:read"]})
    await world.block("+14155550100")
    async with world.delivering():
        row = await world.becomes(hook, enabled=False)
    assert "token" in row["disabled_reason"]
    assert not receiver.calls


async def test_a_document_has_the_permissions_of_its_token(world: World, receiver: Receiver):
    caller, _ = await _made(world.ada)
    query = "subscription { events { type account { ledger(first: 1) { totalCount } } } }"
    await world.hook(receiver, who=caller, query=query, types=["project.started"])
    await world.services.db.fetch(
        "INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status)"
        " VALUES (gen_random_uuid(), $1, $2, 'p', 'sms', 'running')",
        world.ada.id, world.ada.account_id,
    )  # fmt: skip
    async with world.delivering():
        (call,) = await receiver.got(1)
    assert call.json["data"]["events"]["account"] is None
    assert "permission" in orjson.dumps(call.json["errors"]).decode()
