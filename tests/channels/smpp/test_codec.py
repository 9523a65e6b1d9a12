"""PDUs are found in whatever pieces the octets come, and those of one turn of the loop leave together."""

import asyncio
import itertools
import time
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from channels.port import Result
from channels.smpp import codec
from channels.smpp.codec import BadFrame, Command, Frame
from tests.channels.peer_smpp import Smsc
from tests.channels.smpp.rig import Rig, message, rigged
from tests.support.waits import until


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=8), st.lists(st.integers(0, 400), max_size=10))
def test_pdus_are_the_same_in_any_pieces(bodies: list[bytes], cuts: list[int]) -> None:
    pdus = [codec.pdu(Command.submit_sm, number, body=body) for number, body in enumerate(bodies)]
    stream = b"".join(pdus)
    borders = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    decoded: list[Frame] = []
    rest = b""
    for start, end in itertools.pairwise(borders):
        frames, rest = codec.frames(rest + stream[start:end])
        decoded += frames
    assert [frame.octets for frame in decoded] == pdus
    assert [frame.sequence for frame in decoded] == list(range(len(bodies)))
    assert rest == b""


@pytest.mark.parametrize("length", [0, 15, codec.MOST_OCTETS + 1, 0xFFFFFFFF])
def test_pdus_before_a_bad_length_are_not_lost(length: int) -> None:
    good = codec.pdu(Command.enquire_link, 7)
    with pytest.raises(BadFrame) as raised:
        codec.frames(good + length.to_bytes(4, "big") + bytes(12))
    assert [frame.sequence for frame in raised.value.before] == [7]


async def test_ten_calls_fill_the_window_with_one_write(rig: Rig) -> None:
    own: Any = rig.channel._sessions.senders[0]._link._connection  # type: ignore[union-attr]
    connection, written = own._socket, []

    def send(octets: bytes) -> int:
        written.append(octets)
        return int(connection.send(octets))

    own._socket = SimpleNamespace(send=send, setsockopt=connection.setsockopt)
    outcomes = await asyncio.gather(*(rig.send(f"number {number}") for number in range(10)))
    assert {outcome.result for outcome in outcomes} == {Result.sent}
    assert len(rig.smsc.submitted) == 10
    assert len(codec.frames(written[0])[0]) == 10
    own._socket = connection


@pytest.mark.alone
async def _sixty_batches(smsc: Smsc) -> float:
    """Returns the seconds of sixty batches of ten."""
    async with rigged(smsc, "window=10") as rig:
        begun = time.monotonic()
        for _ in range(60):
            outcomes = await rig.channel.send([message() for _ in range(10)])
            assert {outcome.result for outcome in outcomes} == {Result.sent}
        return time.monotonic() - begun


async def test_answers_of_a_server_with_nagle_are_acknowledged_at_once(smsc: Smsc) -> None:
    """Otherwise the kernel acknowledges the first answer of each batch after 40 ms, and nine wait for that: 2.4 s more
    than without the algorithm. A busy machine may lose a second, too, so one round of three without it is enough.
    """
    more = []
    for _ in range(3):
        smsc.nagle = False
        without = await _sixty_batches(smsc)
        smsc.nagle = True
        more.append(await _sixty_batches(smsc) - without)
        if more[-1] < 1.2:
            return
    raise AssertionError(more)


async def test_each_request_has_its_own_deadline(smsc: Smsc) -> None:
    """One timer serves all: it must not take the deadline of the oldest for that of the others."""
    async with rigged(smsc, "timeout=1&enquire_link=600") as rig:
        smsc.statuses.extend([None, 0, None])
        first = asyncio.create_task(rig.send("first"))
        await until(lambda: smsc.submitted)
        await asyncio.sleep(0.5)
        assert (await rig.send("answered")).result is Result.sent
        second = asyncio.create_task(rig.send("second"))
        await until(first.done)
        assert first.result().code == "timeout"
        assert not second.done()
        outcome = await second
        assert (outcome.result, outcome.code) in {
            (Result.unknown, "timeout"),
            (Result.unknown, "connection_lost"),
        }
