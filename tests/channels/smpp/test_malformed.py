"""Frames that are wrong."""

import asyncio
import struct
from typing import Any

import pytest
import smpp34
from hypothesis import given, settings
from hypothesis import strategies as st
from smpplib import command

from channels.port import Inbound, Result
from channels.smpp import codec, inbound, receipts
from tests.channels.peer_smpp import UDHI, Session, Smsc
from tests.channels.smpp.rig import Rig, receipt, rigged
from tests.support.waits import PATIENCE, until


def deliver_sm() -> bytes:
    pdu = command.DeliverSM(
        "deliver_sm",
        client=Session(Smsc(), None, None).numbers,  # type: ignore[arg-type]
        source_addr="14155550100",
        destination_addr="Acme",
        short_message=receipt(),
        esm_class=4,
        receipted_message_id="m_0001",
        message_state=2,
    )
    octets: bytes = pdu.generate()
    return octets


@pytest.mark.parametrize(
    "octets",
    [
        struct.pack(">IIII", 0, 5, 0, 1),
        struct.pack(">IIII", 15, 5, 0, 1),
        struct.pack(">IIII", 0xFFFFFFF0, 5, 0, 1),
        struct.pack(">IIII", codec.MOST_OCTETS + 1, 5, 0, 1),
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\x00" * 64,
        b"\xff" * 64,
    ],
)
async def test_lost_frame_costs_the_connection_only(rig: Rig, octets: bytes) -> None:
    rig.smsc.bound().writer.write(octets)
    await until(lambda: len(rig.smsc.binds) == 2)
    await rig.sent_until(Result.sent)


async def test_length_that_is_too_long_is_noticed_in_time(smsc: Smsc) -> None:
    """A PDU that claims more than it has swallows what follows; the unanswered enquire_link tells."""
    async with rigged(smsc, "enquire_link=0.1&timeout=1") as rig:
        octets = deliver_sm()
        smsc.bound().writer.write(struct.pack(">I", len(octets) + 20_000) + octets[4:])
        await until(lambda: len(smsc.binds) >= 2)
        await rig.sent_until(Result.sent)


@pytest.mark.parametrize("cut", [1, 20, 100])
async def test_body_that_ends_early_is_rejected(rig: Rig, cut: int, capsys: Any) -> None:
    session = rig.smsc.bound()
    octets = deliver_sm()[:-22][:-cut]  # the mandatory part, then less
    answer = session.answers[1] = asyncio.get_running_loop().create_future()
    session.writer.write(struct.pack(">I", len(octets)) + octets[4:])
    assert await asyncio.wait_for(answer, PATIENCE) == 0x66
    assert not rig.events
    assert "DELIVRD" not in capsys.readouterr().out
    assert (await rig.send()).result is Result.sent


async def test_no_single_wrong_octet_harms(smsc: Smsc) -> None:
    """Each octet of a receipt flipped in turn, the header's too: every one is answered or costs the link."""
    octets = deliver_sm()
    async with rigged(smsc, "enquire_link=0.1&timeout=1") as rig:
        for place in range(4, len(octets)):
            broken = bytearray(octets)
            broken[place] ^= 0xFF
            smsc.bound().writer.write(broken)
        await until(lambda: len(smsc.commands) > len(octets) // 2)
        await rig.sent_until(Result.sent)
        assert all(
            isinstance(event, Inbound) or len(event.provider_message_id) <= receipts.LONGEST_ID
            for event in rig.events
        )


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=80), st.sampled_from([0, 4, 0x20, UDHI, UDHI | 4]), st.integers(0, 255))
def test_any_deliver_sm_can_be_read(text: bytes, esm_class: int, data_coding: int) -> None:
    pdu = smpp34.DeliverSm("1", "2", text, esm_class=esm_class, data_coding=data_coding)
    try:
        if receipts.is_receipt(pdu):
            receipts.read(pdu, "hex2dec")
        else:
            inbound.Reassembly().add(pdu)
    except (receipts.Malformed, inbound.BadText):
        pass
