"""An error that one message of a batch causes in a driver affects no other message."""

import asyncio
from uuid import uuid4

import pytest

from channels.batch import BROKE, each
from channels.port import Outcome, Outgoing, Result

SENT = Outcome(Result.sent, provider_message_id="1")


def outgoing(to: str) -> Outgoing:
    return Outgoing(id=uuid4(), key=to, to=to, body="b")


async def test_an_error_of_one_message_is_no_error_of_its_neighbours() -> None:
    async def send(message: Outgoing) -> Outcome:
        if message.to == "bad":
            raise OverflowError("a date of twenty digits")
        return SENT

    assert await each(send, [outgoing("a"), outgoing("bad"), outgoing("b")]) == [SENT, BROKE, SENT]
    assert await each(send, [outgoing("bad")]) == [BROKE]
    assert await each(send, [outgoing("a")]) == [SENT]
    assert BROKE.result is Result.unknown


async def test_what_is_no_error_of_the_driver_is_not_swallowed() -> None:
    async def send(message: Outgoing) -> Outcome:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await each(send, [outgoing("a")])
    with pytest.raises(asyncio.CancelledError):
        await each(send, [outgoing("a"), outgoing("b")])
