"""After a failure an event waits with its thread, or a whole endpoint that is down: for how long, and what ends it."""

import json
from datetime import timedelta

import asyncpg
import pytest

from engine.webhooks import backoff
from runtime.services import Services
from tests.support.people import Person
from tests.support.waits import until
from tests.webhooks.receiver import Call, Receiver, plain
from tests.webhooks.world import World, hurrying, message, threads

TEST = "mutation($id: ID!) { testWebhook(id: $id) { delivered } }"
REPLAY = "mutation($id: ID!) { replayDeadLetters(webhookId: $id) }"
FAIL_EVERY_SECOND = """
UPDATE webhook_deliveries SET attempts = 1, failures = 1, next_at = now(), failed_at = now() WHERE seq % 2 = 0
"""
ENABLE = "mutation($id: ID!) { updateWebhook(id: $id, input: {enabled: true}) { failures nextAt } }"
TRY_NOW = "mutation($id: ID!) { tryWebhookNow(id: $id) { failures nextAt } }"
ATTEMPTS = """query($id: ID!) { webhookDeliveries(webhookId: $id, first: 1) {
  nodes { uuid failedAttempts { at status error seconds } } } }"""


async def test_a_refused_event_delays_its_own_thread_alone(world: World, receiver: Receiver) -> None:
    """Nobody puts the clock forward: before, all the others waited five seconds at least."""
    hook = await world.hook(receiver.url)
    receiver.answer = lambda call: 422 if call.json["text"] == "poison" else 200
    await world.say("poison", "behind it", thread="bad")
    for n in range(300):
        await world.say(f"{n}", thread=f"good{n}")
    async with world.delivering():
        await receiver.got(300)
        assert len([call for call in receiver.calls if call.json["text"] == "poison"]) == 1
        await world.say("later", thread="good1")
        await receiver.got(301)
        assert (await world.row(hook))["next_at"] is None
        receiver.answer = 200
        world.time.forward(seconds=7)
        await world.empty()
    assert threads(receiver)["bad"] == ["poison", "behind it"]


async def test_an_event_s_own_pauses_are_those_of_the_contract(world: World, receiver: Receiver) -> None:
    """Other events are accepted all the time, so the endpoint never waits."""
    hook = await world.hook(receiver.url)
    receiver.answer = lambda call: 500 if call.json["text"] == "poison" else 200
    await world.say("poison", thread="bad")
    async with world.delivering() as deliverer:
        for failures, pause in enumerate((5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400, 86400), 1):

            async def waiting(failures: int = failures) -> timedelta | None:
                row = await world.services.db.fetchrow(
                    "SELECT next_at, failures FROM webhook_deliveries WHERE state = 'waiting'"
                )
                return row["next_at"] - world.time() if row["failures"] == failures else None

            left = (await until(waiting)).total_seconds()
            assert pause * 0.8 - 30 <= left <= pause * 1.2  # since the answer some seconds may have passed
            await world.say(f"{failures}", thread="good")
            deliverer.wake(world.account)
            await receiver.got(failures)
            world.time.ahead += timedelta(seconds=left)
    assert (await world.row(hook))["next_at"] is None


async def test_eight_failures_in_a_row_and_the_endpoint_waits(world: World, receiver: Receiver) -> None:
    """Then one probe at a time: after 5 s, 15 s, every minute for an hour, and after that with the long pauses."""
    hook = await world.hook(receiver.url)
    receiver.answer = 503
    for n in range(40):
        await world.say(f"{n}", "behind", thread=f"t{n}")
    probes = [5.0, 15.0, *[60.0] * 60, 300.0, 1800.0, 7200.0]
    async with world.delivering():
        row = await world.failed(hook, backoff.DOWN_AFTER)
        assert row["failures"] == backoff.DOWN_AFTER
        calls = len(receiver.calls)
        assert backoff.DOWN_AFTER <= calls < 2 * backoff.DOWN_AFTER  # others were under way
        for number, pause in enumerate(probes[:6]):
            row = await world.failed(hook, backoff.DOWN_AFTER + number)
            left = (row["next_at"] - world.time()).total_seconds()
            assert pause * 0.8 - 4 <= left <= pause * 1.2
            assert len(receiver.calls) == calls + number
            world.time.ahead += row["next_at"] - world.time()
    assert [backoff.down_delay(backoff.DOWN_AFTER + n, 1.0).total_seconds() for n in range(65)] == probes
    assert len({call.json["thread"] for call in receiver.calls}) == len(receiver.calls)


async def test_the_first_success_lets_everything_go_in_order(world: World, receiver: Receiver) -> None:
    """A receiver that is down for ten minutes has everything a minute and a half after it is back."""
    hook = await world.hook(receiver.url)
    await receiver.stop()
    for n in range(30):
        await world.say(*(f"{place}" for place in range(3)), thread=f"t{n}")
    async with world.delivering():
        await world.failed(hook, backoff.DOWN_AFTER)
        down_until = world.time() + timedelta(minutes=10)
        while world.time() < down_until:
            row = await world.row(hook)
            if row["next_at"] is not None and row["claim_id"] is None:
                world.time.ahead += max(row["next_at"] - world.time(), timedelta())
            await world.failed(hook, row["failures"] + 1)
        await receiver.start()
        world.time.forward(seconds=75)
        await receiver.got(90)
        await world.empty()
    assert threads(receiver) == {f"t{n}": ["0", "1", "2"] for n in range(30)}
    row = await world.row(hook)
    assert (row["failures"], row["next_at"], row["last_error"]) == (0, None, None)


@pytest.mark.parametrize(
    "act", [TEST, REPLAY, ENABLE, TRY_NOW], ids=["tested", "replayed", "enabled", "tried-now"]
)
async def test_a_wait_ends_when_somebody_says_that_it_works(
    world: World, ada: Person, receiver: Receiver, act: str
) -> None:
    hook = await world.hook(receiver.url)
    receiver.answer = 500
    for n in range(30):
        await world.say("first", "second", thread=f"t{n}")
    async with world.delivering():
        await world.failed(hook, backoff.DOWN_AFTER)
        for number in range(1, 5):  # the next probe is a minute away
            world.time.forward(seconds=75)
            await world.failed(hook, backoff.DOWN_AFTER + number)
        receiver.answer = 200
        await ada.data(act, {"id": str(hook)})
        await receiver.got(60)
        await world.empty()
    assert {tuple(texts) for thread, texts in threads_of_messages(receiver).items()} == {("first", "second")}


async def test_each_failed_attempt_of_a_delivery_is_shown(
    world: World, ada: Person, receiver: Receiver
) -> None:
    hook = await world.hook(receiver.url)
    answers = [500, 422, *[503] * 20]
    receiver.answer = lambda call: answers[len(receiver.calls) - 1]
    await world.say("refused")
    for_attempts = "SELECT attempts FROM webhook_deliveries WHERE webhook_id = $1"

    async with world.delivering():
        for number in range(1, len(answers) + 1):

            async def attempted(number: int = number) -> bool:
                return bool(await world.services.db.fetchval(for_attempts, hook) == number)

            await until(attempted)
            if number < len(answers):
                await ada.rest("POST", f"/webhooks/{hook}/try-now")
        (row,) = (await ada.data(ATTEMPTS, {"id": str(hook)}))["webhookDeliveries"]["nodes"]
        attempts = row["failedAttempts"]
        assert [attempt["status"] for attempt in attempts] == answers[2:]
        assert all(attempt["error"] and attempt["seconds"] > 0 for attempt in attempts)
        assert sorted(attempt["at"] for attempt in attempts) == [attempt["at"] for attempt in attempts]
        shown = (await ada.rest("GET", f"/webhook-deliveries/{row['uuid']}")).json()
        assert [attempt["status"] for attempt in shown["failedAttempts"]] == answers[2:]


async def test_a_disabled_webhook_is_not_tried(world: World, ada: Person, receiver: Receiver) -> None:
    hook = await world.hook(receiver.url)
    await ada.rest("PATCH", f"/webhooks/{hook}", json={"enabled": False})
    answer = await ada.rest("POST", f"/webhooks/{hook}/try-now")
    assert (answer.status_code, answer.json()["code"]) == (409, "webhook_disabled")


def threads_of_messages(receiver: Receiver) -> dict[str, list[str]]:
    """Returns the accepted texts by thread, without tests of the webhook."""
    texts: dict[str, list[str]] = {}
    for call in receiver.taken:
        if call.json["hook_type"] == "message":
            texts.setdefault(call.json["thread"], []).append(call.json["text"])
    return texts


async def test_a_failed_test_ends_no_wait(world: World, ada: Person, receiver: Receiver) -> None:
    hook = await world.hook(receiver.url)
    receiver.answer = 500
    for n in range(30):
        await world.say("text", thread=f"t{n}")
    async with world.delivering():
        before = await world.failed(hook, backoff.DOWN_AFTER)
        assert await ada.data(TEST, {"id": str(hook)}) == {"testWebhook": {"delivered": False}}
    assert (await world.row(hook))["failures"] >= before["failures"]


async def test_one_call_in_a_hundred_fails_and_nothing_comes_out_of_order(
    world: World, receiver: Receiver
) -> None:
    failed: list[Call] = []

    def answer(call: Call) -> int:
        if len(receiver.calls) % 100 == 50:
            failed.append(call)
            return 500
        return 200

    receiver.answer = answer
    hook = await world.hook(receiver.url)
    await world.put(*(message(f"{n}", f"t{thread}") for n in range(20) for thread in range(50)))
    async with world.delivering():
        await until(lambda: len(receiver.calls) >= 900)  # no clock was put forward
        assert len(failed) >= 8
        assert (await world.row(hook))["failures"] < backoff.DOWN_AFTER
        world.time.forward(seconds=7)
        async with hurrying(world):
            await world.empty()
    assert threads(receiver) == {f"t{thread}": [f"{n}" for n in range(20)] for thread in range(50)}


async def test_many_events_that_nobody_wants_are_no_failure_of_the_endpoint(
    world: World, receiver: Receiver
) -> None:
    """All of them fail again when their time has come, between events that are accepted."""
    hook = await world.hook(receiver.url)
    receiver.answer = lambda call: 422 if call.json["text"] == "poison" else 200
    receiver.delay = 0.002
    for n in range(60):
        await world.say("poison", thread=f"bad{n}")
        await world.say(*(f"{place}" for place in range(4)), thread=f"good{n}")
    async with world.delivering():
        await receiver.got(240)
        for n in range(60):
            await world.say(*(f"{place}" for place in range(4, 12)), thread=f"good{n}")
        world.time.forward(seconds=7)
        await receiver.got(720)
        assert (await world.row(hook))["next_at"] is None
    assert all(texts == [f"{n}" for n in range(12)] for texts in threads(receiver).values())


async def test_retry_after_makes_the_endpoint_wait(world: World, receiver: Receiver) -> None:
    hook = await world.hook(receiver.url)
    receiver.answer = plain(429, "retry-after: 120")
    await world.say("one", thread="a")
    async with world.delivering():
        row = await world.failed(hook, 1)
        assert 90 <= (row["next_at"] - world.time()).total_seconds() <= 120
        receiver.answer = 200
        await world.say("two", thread="b")
        world.time.forward(seconds=130)
        await world.empty()


async def test_what_is_behind_an_event_that_was_given_up_is_not_overtaken(
    world: World, services: Services, receiver: Receiver
) -> None:
    """Until upkeep has come, a new event of the thread must not be sent before the older ones."""
    hook = await world.hook(receiver.url)
    await world.say("poison", "second", "third", thread="bad")
    await services.db.fetch(
        "UPDATE webhook_deliveries SET state = CASE seq WHEN first THEN 'dead' ELSE state END, "
        "behind_failed = seq <> first"
        " FROM (SELECT min(seq) AS first FROM webhook_deliveries WHERE webhook_id = $1) AS f WHERE webhook_id = $1",
        hook,
    )
    await world.say("fourth", thread="bad")
    await world.say("other", thread="good")
    async with world.delivering() as deliverer:
        await receiver.got(1)
        await world.say("more", thread="good")
        await receiver.got(2)
        await world.look_after()
        deliverer.wake(world.account)
        await receiver.got(5)
    assert threads(receiver) == {"good": ["other", "more"], "bad": ["second", "third", "fourth"]}


async def test_a_thread_goes_on_though_its_failed_event_was_given_up(
    world: World, services: Services, receiver: Receiver
) -> None:
    """The events behind it must not wait for one that is never tried again."""
    await world.hook(receiver.url)
    receiver.answer = lambda call: 422 if call.json["text"] == "poison" else 200
    await world.say("poison", "second", "third", thread="bad")
    async with world.delivering() as deliverer:
        await world.say("other", thread="good")
        await receiver.got(1)

        async def behind() -> bool:
            return bool(
                await services.db.fetchval("SELECT count(*) = 2 FROM webhook_deliveries WHERE behind_failed")
            )

        await until(behind)
        await services.db.fetch(
            "UPDATE webhook_deliveries SET created_at = created_at - interval '77 hours' WHERE attempts > 0"
        )
        await world.look_after()
        deliverer.wake(world.account)  # else it looks within a minute
        await receiver.got(3)
    assert threads(receiver)["bad"] == ["second", "third"]


async def test_a_look_reads_little_when_the_planner_last_saw_an_empty_table(
    world: World, database: str, receiver: Receiver
) -> None:
    """Every index of the webhook's deliveries looks equally good then; it read all that waited once for each event."""
    hook = await world.hook(receiver.url)
    connection = await asyncpg.connect(database)
    try:
        await world.say("the only one")
        await connection.execute("VACUUM ANALYZE webhook_deliveries")
        for n in range(600):
            await world.say(f"{n}", thread=f"{n}")
        await connection.execute(FAIL_EVERY_SECOND)
        plan = await connection.fetchval(
            "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM webhook_ready($1, '{}', '{}', 200)", hook
        )
    finally:
        await connection.close()
    top = json.loads(plan)[0]["Plan"]
    assert top["Actual Rows"] == 200
    assert top["Shared Hit Blocks"] + top["Shared Read Blocks"] < 200 * 15
