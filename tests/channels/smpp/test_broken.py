"""Connections that break at the worst moment: what the SMSC answered is applied, and what never left is not `unknown`.

Workers run on uvloop and the other tests on asyncio's loop, which see a broken connection in different ways.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import uvloop

from channels import connect
from channels.port import Outcome, Result
from channels.smpp import SmppChannel
from channels.smpp.codec import Command, Frame
from channels.smpp.link import Link
from tests.channels.smpp.raw import RawSession, RawSmsc
from tests.channels.smpp.rig import message
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.servers

LOOPS = pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
NewLoop = Callable[[], asyncio.AbstractEventLoop]
Case = Callable[[SmppChannel, RawSmsc, RawSession], Awaitable[None]]


def run(new_loop: NewLoop, case: Case, *, options: str = "", received: int | None = None) -> None:
    """Runs a case on a new loop, with a channel that is bound."""

    async def bound() -> None:
        with RawSmsc(received) as smsc:
            channel = connect("sms", smsc.dsn(options))
            assert isinstance(channel, SmppChannel)
            opening = asyncio.create_task(channel.open(_no_events))
            try:
                session = await smsc.bound()
                await opening
                async with asyncio.timeout(PATIENCE):
                    await case(channel, smsc, session)
            finally:
                smsc.__exit__()
                await asyncio.wait_for(channel.close(), PATIENCE)

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(bound())


async def _no_events(channel: Any, events: Any) -> None:
    raise AssertionError(events)


async def link_of(channel: SmppChannel) -> Link:
    assert channel._sessions is not None
    return await channel._sessions.senders[0].link()


def sending(channel: SmppChannel, *bodies: str) -> list[asyncio.Task[list[Outcome]]]:
    return [asyncio.create_task(channel.send([message(body)])) for body in bodies]


async def outcomes(sends: list[asyncio.Task[list[Outcome]]]) -> list[Outcome]:
    return [outcome for [outcome] in await asyncio.gather(*sends)]


@LOOPS
def test_an_answer_that_comes_together_with_the_reset_counts(new_loop: NewLoop) -> None:
    async def case(channel: SmppChannel, smsc: RawSmsc, session: RawSession) -> None:
        sends = sending(channel, "answered", "refused", "left alone")
        requests = [await session.read() for _ in sends]
        session.answer(requests[0], "m_7")
        session.answer(requests[1], command_status=0x0B)
        session.reset()
        answered, refused, alone = await outcomes(sends)
        assert (answered.result, answered.provider_message_id) == (Result.sent, "m_7")
        assert (refused.result, refused.code) == (Result.refused, "invalid_recipient")
        assert (alone.result, alone.code) == (Result.unknown, "connection_lost")

    run(new_loop, case)


@LOOPS
def test_a_generic_nack_and_an_unbind_before_the_reset_count(new_loop: NewLoop) -> None:
    async def case(channel: SmppChannel, smsc: RawSmsc, session: RawSession) -> None:
        sends = sending(channel, "not understood", "left alone")
        requests = [await session.read() for _ in sends]
        nack = requests[0]._replace(command=Command.generic_nack)
        session.answer(nack, command_status=0x58)
        session.answer(
            nack._replace(command=Command.unbind, sequence=1)
        )  # as a response, which nothing awaits
        session.reset()
        nacked, alone = await outcomes(sends)
        assert (nacked.result, nacked.code) == (Result.throttled, "throttled")
        assert alone.result is Result.unknown

    run(new_loop, case)


@LOOPS
def test_a_write_that_fails_costs_no_answer_and_is_not_unknown(new_loop: NewLoop) -> None:
    """The write meets the reset before the answers in front of it are read."""

    async def case(channel: SmppChannel, smsc: RawSmsc, session: RawSession) -> None:
        link = await link_of(channel)
        sends = sending(channel, "answered", "left alone")
        requests = [await session.read() for _ in sends]
        sends += sending(channel, "too late")
        await asyncio.sleep(0)  # it has asked; its octets leave after this turn of the loop
        session.answer(requests[0])
        session.reset()
        link._connection.flush()
        answered, alone, late = await outcomes(sends)
        assert answered.result is Result.sent
        assert (alone.result, alone.code) == (Result.unknown, "connection_lost")
        assert (late.result, late.code) == (Result.transient, "connection_lost")

    run(new_loop, case)


@LOOPS
def test_a_request_that_was_not_written_yet_is_not_unknown(new_loop: NewLoop) -> None:
    async def case(channel: SmppChannel, smsc: RawSmsc, session: RawSession) -> None:
        link = await link_of(channel)
        sends = sending(channel, "left alone")
        await session.read()
        sends += sending(channel, "not written")
        await asyncio.sleep(0)
        link._end("the test says so")
        alone, late = await outcomes(sends)
        assert (alone.result, alone.code) == (Result.unknown, "connection_lost")
        assert (late.result, late.code) == (Result.transient, "connection_lost")
        assert await session.read_all() == []

    run(new_loop, case)


@LOOPS
def test_what_the_kernel_did_not_take_was_not_sent(new_loop: NewLoop) -> None:
    """An SMSC that reads nothing: when the link ends, each message is `unknown` or has not arrived there."""

    async def case(channel: SmppChannel, smsc: RawSmsc, session: RawSession) -> None:
        link = await link_of(channel)
        assert link._connection._socket is not None
        link._connection._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 12)
        sends = sending(channel, *(f"{number:03} ".ljust(2_000, "x") for number in range(60)))
        await until(lambda: link._connection.written > 60 * 2_000)
        await asyncio.sleep(0.05)  # the loop writes what the kernel takes
        link._end("the test says so")
        results = [outcome.result for outcome in await outcomes(sends)]
        frames = await session.read_all()
        arrived = {re.findall(rb"(\d{3}) x", frame.octets)[0] for frame in frames}
        unknown = {b"%03d" % number for number, result in enumerate(results) if result is Result.unknown}
        assert set(results) == {Result.unknown, Result.transient}
        assert arrived <= unknown

    run(new_loop, case, options="&window=60&long=payload", received=1 << 12)


@LOOPS
def test_a_response_of_ours_leaves_before_the_end(new_loop: NewLoop) -> None:
    async def case(channel: SmppChannel, smsc: RawSmsc, session: RawSession) -> None:
        link = await link_of(channel)
        [send] = sending(channel, "not written")
        await asyncio.sleep(0)
        link._respond(Frame(Command.deliver_sm, 0, 77, b""), body=b"\0")
        link._end("the test says so")
        [outcome] = await send
        assert outcome.result is Result.transient
        assert [(frame.command, frame.sequence) for frame in await session.read_all()] == [(0x80000005, 77)]

    run(new_loop, case)
