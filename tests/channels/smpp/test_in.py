"""Messages in, whole and in parts."""

from typing import Any

import pytest

from channels.port import Inbound
from channels.smpp import inbound
from tests.channels.peer_smpp import UDHI, Smsc
from tests.channels.smpp.rig import Rig, receipt, rigged
from tests.support.waits import until


@pytest.mark.parametrize(
    ("data", "data_coding", "body"),
    [
        (b"caf\x05 \x1b\x65 @".replace(b"@", b"\x00"), 0, "café € @"),
        (b"plain", 1, "plain"),
        ("café".encode("latin-1"), 3, "café"),
        ("Привет".encode("iso8859_5"), 6, "Привет"),
        ("日本 😀".encode("utf-16-be"), 8, "日本 😀"),
        ("日本".encode("utf-16-be"), 0x18, "日本"),
        (b"flash", 0x10, "flash"),
        (b"class 1", 0xF1, "class 1"),
        (b"waiting", 0xD0, "waiting"),
        ("ж".encode("utf-16-be"), 0xE0, "ж"),
        (b"\xd8\x3d\x00", 8, "\ufffd"),
        (b"a\x00b", 3, "ab"),
        (b"", 0, ""),
        (b"\x01\x02", 4, None),
        (b"\x01\x02", 0xF5, None),
        (b"\x01\x02", 0x90, None),
    ],
)
async def test_message_in(rig: Rig, data: bytes, data_coding: int, body: str | None) -> None:
    assert await rig.smsc.bound().deliver(data, data_coding=data_coding) == 0
    assert rig.events == ([] if body is None else [Inbound("+14155550100", "Acme", body)])


async def test_a_person_cannot_write_a_receipt(rig: Rig) -> None:
    assert (
        await rig.smsc.bound().deliver(receipt().replace(b"_", b"-"), source_addr_ton=0, dest_addr_ton=3) == 0
    )
    [event] = rig.events
    assert isinstance(event, Inbound)
    assert (event.sender, event.to) == ("14155550100", "Acme")


def parts_in(text: str, form: str, reference: int = 7) -> list[dict[str, Any]]:
    """deliver_sm fields of a long message, cut where it hurts: inside characters."""
    data = text.encode("utf-16-be")
    pieces = [data[start : start + 101] for start in range(0, len(data), 101)]
    total = len(pieces)
    common: dict[str, Any] = {"data_coding": 8}
    if form == "sar":
        return [
            common
            | {
                "text": piece,
                "sar_msg_ref_num": reference,
                "sar_total_segments": total,
                "sar_segment_seqnum": n,
            }
            for n, piece in enumerate(pieces, 1)
        ]
    header = {
        "udh8": bytes((5, 0, 3, reference)),
        "udh16": bytes((6, 8, 4, 1, reference)),
        "ports": bytes((11, 5, 4, 0, 9, 0, 9, 0, 3, reference)),
    }[form]
    return [
        common | {"text": header + bytes((total, n)) + piece, "esm_class": UDHI}
        for n, piece in enumerate(pieces, 1)
    ]


TEXT = "Grüße 😀 " * 40


@pytest.mark.parametrize("form", ["udh8", "udh16", "ports", "sar"])
async def test_long_message_in(rig: Rig, form: str) -> None:
    deliver = rig.smsc.bound().deliver
    first, *others = parts_in(TEXT, form)
    for fields in [*reversed(others), others[0], first]:
        assert not rig.events
        assert await deliver(**fields) == 0
    assert rig.events == [Inbound("+14155550100", "Acme", TEXT)]
    assert await deliver(**first) == 0  # our answer was lost: told again, known
    assert len(rig.events) == 1
    for fields in parts_in(TEXT[::-1], form):  # the counter came round
        assert await deliver(**fields) == 0
    assert rig.events[1:] == [Inbound("+14155550100", "Acme", TEXT[::-1])]


async def test_last_part_comes_again_when_the_sink_fails(rig: Rig) -> None:
    rig.failures = 1
    deliver = rig.smsc.bound().deliver
    fields = parts_in(TEXT, "udh8")
    assert [await deliver(**part) for part in fields] == [0] * (len(fields) - 1) + [0x64]
    assert await deliver(**fields[-1]) == 0
    assert rig.events == [Inbound("+14155550100", "Acme", TEXT)]


@pytest.mark.parametrize(
    ("text", "body"),
    [
        (b"\x05\x00\x03\x07\x02\x03hello", "hello"),  # part 3 of 2
        (b"\x05\x00\x03\x07\x00\x00hello", "hello"),
        (b"\x05\x00\x09\x07\x02\x01hello", "hello"),  # an element longer than its header
        (b"\x01\x00hello", "hello"),
        (b"\x00hello", "hello"),
        (b"\x40hello", None),  # a header longer than the message
        (b"", None),
    ],
)
async def test_strange_headers(rig: Rig, text: bytes, body: str | None) -> None:
    assert await rig.smsc.bound().deliver(text, esm_class=UDHI) == 0
    assert [event.body for event in rig.events if isinstance(event, Inbound)] == (
        [] if body is None else [body]
    )


async def test_incomplete_message_is_handed_over_at_close(smsc: Smsc) -> None:
    fields = parts_in(TEXT, "udh8")
    data = TEXT.encode("utf-16-be")
    async with rigged(smsc) as rig:
        for n in (1, 2, 5):
            assert await smsc.bound().deliver(**fields[n - 1]) == 0
        assert await smsc.bound().deliver(b"\x05\x00\x03\x09\x02\x01\xff", esm_class=UDHI, data_coding=4) == 0
    wanted = data[:202].decode("utf-16-be") + "…" + data[404:505].decode("utf-16-be", "replace") + "…"
    assert rig.events == [Inbound("+14155550100", "Acme", wanted)]


async def test_incomplete_message_is_handed_over_in_time(smsc: Smsc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("channels.smpp.channel.SWEEP_SECONDS", 0.02)
    monkeypatch.setattr(inbound, "LONGEST_WAIT", 0.1)
    monkeypatch.setattr(inbound, "DUPLICATES_FOR", 0.1)
    async with rigged(smsc) as rig:
        rig.failures = 2  # it is kept until the sink takes it
        for fields in parts_in(TEXT, "udh8", 1)[:1]:
            assert await smsc.bound().deliver(**fields) == 0
        await until(lambda: rig.events)
        assert len(rig.events) == 1
        monkeypatch.setattr(inbound, "LONGEST_WAIT", 3600.0)  # all parts of the next one come in time
        for fields in parts_in(TEXT, "udh8", 2):
            assert await smsc.bound().deliver(**fields) == 0
        await until(lambda: not rig.channel._reassembly._messages)
        assert [event.body == TEXT for event in rig.events if isinstance(event, Inbound)] == [False, True]


@pytest.mark.parametrize("bound", ["MOST_MESSAGES", "MOST_OCTETS"])
async def test_memory_of_parts_in_is_bounded(rig: Rig, monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    monkeypatch.setattr(inbound, bound, {"MOST_MESSAGES": 3, "MOST_OCTETS": 330}[bound])
    deliver = rig.smsc.bound().deliver
    if bound == "MOST_MESSAGES":  # what is finished counts too, and goes first
        for fields in parts_in(TEXT, "udh8", 50):
            assert await deliver(**fields) == 0
        rig.events.clear()
    for reference in range(8):
        assert await deliver(**parts_in(TEXT, "udh8", reference)[0]) == 0
    assert len(rig.events) == 5
    reassembly = rig.channel._reassembly
    assert reassembly._octets == sum(partial.octets for partial in reassembly._messages.values()) == 303
