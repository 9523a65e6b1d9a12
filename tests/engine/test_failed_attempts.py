"""A message keeps the attempts after which it was queued again, and its owner sees them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from channels.port import Result
from engine.direct import claims, outcomes
from engine.direct.outcomes import DirectState
from runtime import breakers
from shapes.messages import DeliveryState
from tests.support.fake_channels import failing, use
from tests.support.gateway import Gateway

_ATTEMPTS = "query ($id: ID!) { message(id: $id) { attempts failureCode failedAttempts { at code reason provider } } }"


async def codes_of(gateway: Gateway, id: UUID) -> list[tuple[str, str]]:
    return [(each["code"], each["provider"]) for each in (await gateway.row(id))["failed_attempts"] or ()]


async def dispatched(gateway: Gateway, drain: Any, times: int) -> None:
    for _ in range(times):
        await gateway.hasten()
        assert await drain("sms") == 1


@asynccontextmanager
async def taken(gateway: Gateway) -> AsyncIterator[tuple[Any, UUID]]:
    """Takes the one message that is due, under a claim; in one transaction with what follows."""
    claim = uuid4()
    async with gateway.db.transaction() as db:
        assert await claims.claim_due(db, claim, "w", "sms", limit=1, lease=timedelta(seconds=60))
        yield db, claim


async def test_a_message_tells_why_each_attempt_failed(
    gateway: Gateway, ada: Any, bob: Any, drain: Any
) -> None:
    use(gateway.services, failing("down", "busy", None), kind="sms")
    id = await gateway.send(ada)
    await dispatched(gateway, drain, 3)
    message = (await ada.data(_ATTEMPTS, {"id": str(id)}))["message"]
    times = [attempt.pop("at") for attempt in message["failedAttempts"]]
    assert message == {
        "attempts": 2,
        "failureCode": None,
        "failedAttempts": [
            {"code": "down", "reason": "It is down.", "provider": "fake"},
            {"code": "busy", "reason": "It is busy.", "provider": "fake"},
        ],
    }
    assert times == sorted(times) and len(set(times)) == 2
    foreign = await bob.graphql(_ATTEMPTS, {"id": str(id)})
    assert foreign["data"]["message"] is None


async def test_the_same_code_twice_is_two_attempts_and_the_last_one_is_the_message_s_own(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    use(gateway.services, failing(*["down"] * 5), kind="sms")
    id = await gateway.send(ada)
    await dispatched(gateway, drain, 5)
    message = (await ada.data(_ATTEMPTS, {"id": str(id)}))["message"]
    assert [attempt["code"] for attempt in message["failedAttempts"]] == ["down"] * 4
    assert (message["attempts"], message["failureCode"]) == (5, "down")


async def test_a_route_that_fails_before_another_one_takes_the_message_is_an_attempt(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    use(gateway.services, failing("down"), failing(None), kind="sms")
    id = await gateway.send(ada)
    await dispatched(gateway, drain, 1)
    assert await gateway.state(id) == "sent"
    assert await codes_of(gateway, id) == [("down", "fake")]
    use(gateway.services, failing("down"), failing("busy"), kind="sms")
    other = await gateway.send(ada)
    await dispatched(gateway, drain, 1)
    assert await gateway.state(other) == "queued"
    assert await codes_of(gateway, other) == [("down", "fake"), ("busy", "fake-2")]


async def test_a_message_that_waits_for_its_route_has_no_attempt_more(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    use(gateway.services, failing("down"), kind="sms")
    id = await gateway.send(ada)
    await dispatched(gateway, drain, 1)
    await gateway.hasten()
    async with taken(gateway) as (db, claim):  # as DirectClaim.defer and DirectClaim.store do
        waits = DirectState(id, DeliveryState.queued, 1, code=breakers.CODE, reason=breakers.REASON)
        await outcomes.record(db, claim, [waits])
    row = await gateway.row(id)
    assert (row["state"], row["failure_code"]) == ("queued", "route_open")
    assert await codes_of(gateway, id) == [("down", "fake")]


async def test_an_unknown_outcome_that_is_asked_about_again_is_no_failed_attempt(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    fake = failing("timeout", None, result=Result.unknown, idempotent=True)
    use(gateway.services, fake, kind="sms")
    id = await gateway.send(ada)
    for _ in range(2):
        await gateway.hasten()
        await drain("sms")
    assert await gateway.state(id) == "sent"
    assert len(fake.took) == 2
    assert await codes_of(gateway, id) == []


async def test_what_is_withdrawn_before_it_was_dispatched_has_no_attempt(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    use(gateway.services, failing("down"), kind="sms")
    id = await gateway.send(ada)
    await dispatched(gateway, drain, 1)
    for _ in range(3):  # as a worker does that is stopped
        await gateway.hasten()
        async with taken(gateway) as (db, claim):
            assert await claims.record_intents(db, claim, "fake", [id], [1])
            await claims.withdraw_intents(db, claim, [id], [1])
            await claims.release(db, claim)
    row = await gateway.row(id)
    assert (row["state"], row["failure_code"]) == ("queued", "down")
    assert await codes_of(gateway, id) == [("down", "fake")]


async def test_only_the_last_20_are_kept(gateway: Gateway, ada: Any, drain: Any) -> None:
    names = [f"busy_{number}" for number in range(1, 26)]
    use(gateway.services, failing(*names, result=Result.throttled), kind="sms")
    id = await gateway.send(ada)
    await dispatched(gateway, drain, 25)
    attempts = (await ada.data(_ATTEMPTS, {"id": str(id)}))["message"]["failedAttempts"]
    assert [attempt["code"] for attempt in attempts] == names[5:]
