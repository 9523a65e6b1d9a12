"""Events that nobody takes: given up after 76 hours, listed, sent again; and bounds on all of it."""

from datetime import timedelta
from uuid import UUID

import orjson
import pytest
from asyncpg import DivisionByZeroError

from engine.webhooks import upkeep
from runtime.services import Services
from tests.support.people import Person
from tests.support.waits import until
from tests.webhooks.receiver import Receiver
from tests.webhooks.world import World

LETTERS = """
query($account: ID, $webhook: ID, $first: Int, $after: String) {
  deadLetters(accountId: $account, webhookId: $webhook, first: $first, after: $after) {
    nodes { uuid eventId type body attempts lastError deadAt createdAt webhookId webhook { uuid } } totalCount
  }
}
"""
REPLAY = "mutation($id: ID!, $ids: [ID!]) { replayDeadLetters(webhookId: $id, ids: $ids) }"


async def dead_ones(world: World, receiver: Receiver, *texts: str) -> UUID:
    """A webhook with dead letters, and a receiver that works again."""
    hook = await world.hook(receiver.url)
    receiver.answer = 500
    await world.say(*texts)
    async with world.delivering():
        await world.failed(hook, 1)
    world.time.forward(hours=77)
    await world.look_after()
    assert await world.counts() == (0, len(texts), len(texts))
    receiver.answer = 200
    receiver.calls.clear()
    return hook


async def test_an_event_is_given_up_after_76_hours(world: World, receiver: Receiver) -> None:
    hook = await world.hook(receiver.url)
    receiver.answer = 500
    await world.say("old")
    async with world.delivering():
        await world.failed(hook, 1)
        world.time.forward(hours=75)
        await world.look_after()
        assert (await world.counts())[:2] == (1, 0)
    world.time.forward(hours=2)
    await world.look_after()
    assert (await world.counts())[:2] == (0, 1)
    await world.say("new")  # the endpoint is still tried, with what came since
    receiver.answer = 200
    world.time.forward(hours=24)
    async with world.delivering():
        await receiver.got(1)
    assert receiver.texts() == ["new"]


async def test_what_waited_because_we_were_down_is_not_given_up(world: World, receiver: Receiver) -> None:
    await world.hook(receiver.url)
    await world.say("one")
    world.time.forward(hours=100)
    await world.look_after()
    assert (await world.counts())[:2] == (1, 0)
    async with world.delivering():
        await receiver.got(1)


async def test_of_a_webhook_that_is_off_too(world: World, ada: Person, receiver: Receiver) -> None:
    hook = await world.hook(receiver.url)
    await world.say("one")
    off = "mutation($id: ID!) { updateWebhook(id: $id, input: {enabled: false}) { enabled disabledReason waiting } }"
    assert (await ada.data(off, {"id": str(hook)}))["updateWebhook"] == {
        "enabled": False,
        "disabledReason": "switched off",
        "waiting": 1,
    }
    await world.say("not kept for it")
    world.time.forward(hours=77)
    await world.look_after()
    assert await world.counts() == (0, 1, 1)
    assert await ada.code(REPLAY, {"id": str(hook)}) == "webhook_disabled"


async def test_they_are_listed_and_sent_again_in_their_order(
    world: World, ada: Person, receiver: Receiver
) -> None:
    hook = await dead_ones(world, receiver, "1", "2", "3")
    letters = (await ada.data(LETTERS, {"webhook": str(hook), "first": 2}))["deadLetters"]
    assert [letter["body"]["text"] for letter in letters["nodes"]] == ["3", "2"]
    assert letters["totalCount"] == 3
    assert letters["nodes"][0]["lastError"] == "its endpoint did not work for 76 hours"
    of_account = (await ada.data(LETTERS, {"account": str(world.account)}))["deadLetters"]
    (*_, first) = of_account["nodes"]
    assert first["lastError"] == "it answered 500"
    assert (first["attempts"], first["type"]) == (1, "message")
    assert (await ada.data(REPLAY, {"id": str(hook)}))["replayDeadLetters"] == 3
    async with world.delivering():
        await receiver.got(3)
        await world.empty()
    assert receiver.texts() == ["1", "2", "3"]
    assert receiver.taken[0].id == first["eventId"] == first["body"]["id"]


async def test_some_of_them_are_sent_again(world: World, ada: Person, receiver: Receiver) -> None:
    hook = await dead_ones(world, receiver, "1", "2", "3")
    letters = (await ada.data(LETTERS, {"webhook": str(hook)}))["deadLetters"]["nodes"]
    chosen = [letter["uuid"] for letter in letters if letter["body"]["text"] != "2"]
    assert (await ada.data(REPLAY, {"id": str(hook), "ids": chosen}))["replayDeadLetters"] == 2
    assert (await ada.data(REPLAY, {"id": str(hook), "ids": chosen}))["replayDeadLetters"] == 0
    async with world.delivering():
        await receiver.got(2)
    assert receiver.texts() == ["1", "3"]
    assert (await world.counts())[1] == 1


async def test_sent_again_they_have_their_76_hours_again(
    world: World, ada: Person, receiver: Receiver
) -> None:
    hook = await dead_ones(world, receiver, "1")
    receiver.answer = 500
    await ada.data(REPLAY, {"id": str(hook)})
    # The clock of the test is ahead of the database's, by which a replay is dated.
    world.time.ahead = timedelta()
    async with world.delivering():
        await receiver.tried(1)
        await world.failed(hook, 1)
    world.time.forward(hours=75)
    await world.look_after()
    assert (await world.counts())[:2] == (1, 0)
    world.time.forward(hours=2)
    await world.look_after()
    assert (await world.counts())[:2] == (0, 1)


async def test_they_are_forgotten_after_thirty_days(world: World, receiver: Receiver) -> None:
    await dead_ones(world, receiver, "1", "2")
    world.time.forward(days=29)
    await world.look_after()
    assert (await world.counts())[1] == 2
    world.time.forward(days=2)
    await world.look_after()
    assert (await world.counts())[1] == 0


async def test_a_queue_that_is_full_gives_up_its_oldest(world: World, receiver: Receiver) -> None:
    hook = await world.hook(receiver.url)
    quiet = await world.hook(f"{receiver.url}/2")
    receiver.answer = 500
    await world.say(*(f"{n}" for n in range(15)))
    await world.services.db.fetch("DELETE FROM webhook_deliveries WHERE webhook_id = $1", quiet)
    await world.look_after(most_waiting=10)
    assert (await world.counts())[:2] == (10, 5)
    row = await world.row(hook)
    assert row["last_error"] == upkeep.OVERFLOWED
    assert (await world.row(quiet))["last_error"] is None
    receiver.answer = 200
    async with world.delivering():
        await receiver.got(10)
    assert receiver.texts() == [f"{n}" for n in range(5, 15)]
    await world.look_after(most_dead=2)
    assert (await world.counts())[1] == 2


async def test_a_deleted_accounts_webhooks_go_when_their_events_are_gone(
    world: World, receiver: Receiver
) -> None:
    hook = await world.hook(receiver.url)
    await world.say("its last word")
    await world.services.db.fetch(
        "UPDATE messenger_accounts SET deleted_at = now() WHERE id = $1", world.account
    )
    async with world.delivering():
        await receiver.got(1)
    await world.look_after()
    assert await world.row(hook) is not None
    world.time.forward(hours=77)
    await world.look_after()
    assert await world.row(hook) is None


async def test_of_another_user_there_are_none(
    world: World, ada: Person, bob: Person, admin: Person, receiver: Receiver
) -> None:
    hook = await dead_ones(world, receiver, "1")
    for filters in ({"webhook": str(hook)}, {"account": str(world.account)}):
        assert await bob.code(LETTERS, filters) in {"webhook_not_found", "account_not_found"}
        assert (await admin.data(LETTERS, filters))["deadLetters"]["totalCount"] == 1
    assert await bob.code(REPLAY, {"id": str(hook)}) == "webhook_not_found"
    # Bob's own webhook sends nothing of ada's, though bob knows ada's letter's id.
    letter = (await ada.data(LETTERS, {"webhook": str(hook)}))["deadLetters"]["nodes"][0]["uuid"]
    his = await world.hook(receiver.url, account=await world.make_account("his", owner=bob))
    assert (await bob.data(REPLAY, {"id": str(his), "ids": [letter]}))["replayDeadLetters"] == 0
    assert (await world.counts())[1] == 1


@pytest.mark.parametrize(
    "filters",
    [{}, {"webhook": "x", "account": "y"}, {"webhook": "x", "first": 1000}],
    ids=["none", "both", "limit"],
)
async def test_what_can_not_be_listed(world: World, ada: Person, filters: dict[str, object]) -> None:
    hook = await world.hook("https://93.184.215.14/hook")
    real = {"webhook": str(hook), "account": str(world.account)}
    variables = {name: real.get(name, value) for name, value in filters.items()}
    assert await ada.code(LETTERS, variables) in {"bad_request", "validation_failed"}


async def test_a_replay_is_tried_though_the_endpoint_would_have_to_wait(
    world: World, ada: Person, receiver: Receiver
) -> None:
    hook = await dead_ones(world, receiver, "1")
    await world.services.db.fetch(
        "UPDATE webhooks SET failures = 9, next_at = now() + interval '10 days' WHERE id = $1", hook
    )
    await ada.data(REPLAY, {"id": str(hook)})
    async with world.delivering():
        await receiver.got(1)

        async def reset() -> bool:
            return bool((await world.row(hook))["failures"] == 0)

        await until(reset)


async def test_pruning_does_not_wait_for_events_behind_failed_ones(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    await dead_ones(world, receiver, "one")
    world.time.forward(hours=24 * 365)
    monkeypatch.setattr(upkeep, "_NOT_BEHIND", "SELECT 1 / 0")
    with pytest.raises(DivisionByZeroError):
        await world.look_after()
    assert await world.counts() == (0, 0, 0)


async def test_a_round_frees_a_bounded_number_of_events(
    world: World, services: Services, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "_NOT_BEHIND", upkeep._NOT_BEHIND.replace(f"LIMIT {upkeep.ROWS}", "LIMIT 2"))
    await world.hook(receiver.url)
    await world.say(*(f"{n}" for n in range(10)))
    await services.db.fetch("UPDATE webhook_deliveries SET behind_failed = true")
    left = []
    for _ in range(3):
        await world.look_after(most_freed=4)
        left.append(await services.db.fetchval("SELECT count(*) FROM webhook_deliveries WHERE behind_failed"))
    assert left == [6, 2, 0]


async def test_they_are_counted_listed_and_sent_again_by_rest(
    world: World, ada: Person, bob: Person, receiver: Receiver
) -> None:
    hook = await dead_ones(world, receiver, "1", "2", "3")
    path = f"/webhooks/{hook}"
    counts = await ada.rest("GET", f"{path}/deliveries/counts")
    assert counts.json() == {"waiting": 0, "dead": 3}
    first = (await ada.rest("GET", f"{path}/dead-letters?limit=2")).json()
    rest = (await ada.rest("GET", f"{path}/dead-letters", params={"after": first["next"]})).json()
    letters = [*first["items"], *rest["items"]]
    assert [orjson.loads(letter["body"])["text"] for letter in letters] == ["3", "2", "1"]
    assert rest["next"] is None
    one = f"/dead-letters/{letters[0]['id']}"
    assert (await ada.rest("GET", one)).json() == letters[0]
    delivery = f"/webhook-deliveries/{letters[0]['id']}"
    assert (await ada.rest("GET", delivery)).json()["state"] == "dead"
    for foreign in (one, delivery, f"{path}/dead-letters", f"{path}/deliveries/counts"):
        assert (await bob.rest("GET", foreign)).status_code == 404
    again = f"{path}/dead-letters/replay"
    assert (await bob.rest("POST", again)).status_code == 404
    assert (await ada.rest("POST", again, json={"ids": [letters[1]["id"]]})).json() == {"count": 1}
    assert (await ada.rest("POST", again)).json() == {"count": 2}
    async with world.delivering():
        await receiver.got(3)
    assert receiver.texts() == ["2", "1", "3"]
