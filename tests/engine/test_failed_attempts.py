"""What is kept of attempts that failed, when their message is queued again, and what of it its owner sees."""

from typing import Any
from uuid import UUID

from channels.port import Outcome, Outgoing, Result
from tests.support.fake_channels import Fake, use
from tests.support.gateway import Gateway

_ATTEMPTS = "query ($id: ID!) { message(id: $id) { attempts failureCode failedAttempts { at code reason provider } } }"


def failing(*codes: str | None) -> Fake:
    """Returns a route whose answers have these codes, one after the other; None takes the message."""
    left = list(codes)

    def answer(message: Outgoing) -> Outcome:
        code = left.pop(0)
        if code is None:
            return Outcome(Result.sent, str(message.id))
        return Outcome(Result.transient, None, code=code, reason=f"It is {code}.")

    return Fake(answer)


async def dispatched(gateway: Gateway, drain: Any, times: int) -> None:
    for _ in range(times):
        await gateway.hasten()
        assert await drain("sms") == 1


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


async def test_what_was_withdrawn_before_it_was_dispatched_has_no_attempt(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    use(gateway.services, failing("down"), kind="sms")
    id = await gateway.send(ada)
    await dispatched(gateway, drain, 1)
    for _ in range(3):  # as a worker that is stopped does
        await gateway.set("state = 'sending', handed_at = now()", id)
        await gateway.set("state = 'queued', handed_at = NULL", id)
    assert len((await gateway.row(id))["failed_attempts"]) == 1


async def test_only_the_last_20_are_kept(gateway: Gateway, ada: Any) -> None:
    id: UUID = await gateway.send(ada)
    for number in range(1, 26):
        await gateway.set("state = 'sending', handed_at = now()", id)
        await gateway.set(f"state = 'queued', attempts = {number}, failure_code = 'code_{number}'", id)
    kept = (await ada.data(_ATTEMPTS, {"id": str(id)}))["message"]["failedAttempts"]
    assert [attempt["code"] for attempt in kept] == [f"code_{number}" for number in range(6, 26)]
