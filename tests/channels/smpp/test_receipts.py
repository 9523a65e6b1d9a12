"""Delivery receipts."""

import asyncio
from typing import Any

import pytest
from cachetools import FIFOCache

from channels.port import Inbound, Receipt, Result
from channels.smpp import codec, link
from channels.smpp.codec import Command
from tests.channels.peer_smpp import Session, Smsc
from tests.channels.smpp.rig import Rig, message, receipt, rigged
from tests.support.waits import PATIENCE, until


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"text": receipt()}, Receipt("m_0001", Result.delivered)),
        ({"text": receipt().upper().replace(b"M_", b"m_")}, Receipt("m_0001", Result.delivered)),
        ({"text": receipt(stat="UNDELIV")}, ("undeliverable", "The SMSC reports UNDELIV, error 045.")),
        ({"text": receipt(stat="EXPIRED")}, ("expired", "The SMSC reports EXPIRED, error 045.")),
        ({"text": receipt(stat="DELETED")}, ("deleted", "The SMSC reports DELETED, error 045.")),
        ({"text": receipt(stat="REJECTD")}, ("rejected", "The SMSC reports REJECTD, error 045.")),
        ({"text": receipt(stat="DELIVERED")}, Receipt("m_0001", Result.delivered)),
        ({"text": receipt(stat="REJECTED")}, ("rejected", "The SMSC reports REJECTED, error 045.")),
        ({"text": receipt(stat="FAILED")}, ("undeliverable", "The SMSC reports FAILED, error 045.")),
        (
            {"text": receipt(stat="UNDELIVERABLE")},
            ("undeliverable", "The SMSC reports UNDELIVERABLE, error 045."),
        ),
        (
            {"text": receipt(stat="UNDELIVERED")},
            ("undeliverable", "The SMSC reports UNDELIVERED, error 045."),
        ),
        ({"text": receipt(stat="ACCEPTED")}, Receipt("m_0001", Result.sent)),
        ({"text": receipt().replace(b" ", b", ")}, Receipt("m_0001", Result.delivered)),
        (
            {"text": receipt(stat="EXPIRED").replace(b" ", b",")},
            ("expired", "The SMSC reports EXPIRED, error 045."),
        ),
        ({"text": b"id:, sub:001, stat:DELIVRD"}, None),
        ({"text": receipt(stat="ACCEPTD")}, Receipt("m_0001", Result.sent)),
        ({"text": receipt(stat="ENROUTE")}, Receipt("m_0001", Result.sent)),
        ({"text": receipt(stat="UNKNOWN")}, None),
        ({"text": receipt(stat="BUFFERD")}, None),
        ({"text": b"stat:EXPIRED id:m_0001"}, ("expired", "The SMSC reports EXPIRED.")),
        (
            {"text": receipt().decode().encode("utf-16-be"), "data_coding": 8},
            Receipt("m_0001", Result.delivered),
        ),
        ({"receipted_message_id": "m_0001", "message_state": 2}, Receipt("m_0001", Result.delivered)),
        (
            {"receipted_message_id": "m_0001", "message_state": 5},
            ("undeliverable", "The SMSC reports UNDELIV."),
        ),
        ({"receipted_message_id": "m_0001", "message_state": 9}, None),
        (
            {"receipted_message_id": "m_0001", "message_state": 2, "esm_class": 0},
            Receipt("m_0001", Result.delivered),
        ),
        (
            {"receipted_message_id": "m_0001", "text": receipt("7", "EXPIRED")},
            ("expired", "The SMSC reports EXPIRED, error 045."),
        ),
        ({"text": b"", "message_payload": receipt()}, Receipt("m_0001", Result.delivered)),
        ({"text": receipt(stat="ENROUTE"), "esm_class": 0x20}, Receipt("m_0001", Result.sent)),
        ({"text": receipt(stat="UNDELIV"), "esm_class": 0x20}, None),
        ({"text": b"thank you", "esm_class": 0x08}, None),
        ({"text": b"hello"}, None),
        ({"text": b""}, None),
        ({"text": b"id: sub:001 stat:DELIVRD"}, None),
        ({"text": b"id:m_0001 stat:"}, None),
        ({"text": b"id:" + b"9" * 65 + b" stat:DELIVRD"}, None),
        ({"text": b"\xff\xfe\x00id", "data_coding": 8}, None),
    ],
)
async def test_receipt(
    rig: Rig, fields: dict[str, Any], expected: Receipt | tuple[str, str] | None, capsys: Any
) -> None:
    assert await rig.smsc.bound().deliver(**{"esm_class": 4} | fields) == 0
    if isinstance(expected, tuple):
        expected = Receipt("m_0001", Result.refused, code=expected[0], reason=expected[1])
    assert rig.events == ([expected] if expected else [])
    assert "hello" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"esm_class": 4, "message_payload": receipt()}, [Receipt("m_0001", Result.delivered)]),
        (
            {"receipted_message_id": "m_0001", "message_state": 2, "source_addr": "1" * 20},
            [Receipt("m_0001", Result.delivered)],
        ),
        ({"message_payload": b"stop"}, [Inbound("+14155550100", "Acme", "stop")]),
    ],
)
async def test_data_sm_is_a_deliver_sm(rig: Rig, fields: dict[str, Any], expected: list[Any]) -> None:
    assert await rig.smsc.bound().data(**fields) == 0
    assert rig.events == expected


@pytest.mark.parametrize("body", [b"", b"\0", b"\0\1\1123\0", b"\0\1\1123\0\5\0Acme\0\0\0"])
async def test_a_data_sm_that_ends_too_early_is_rejected(rig: Rig, body: bytes) -> None:
    session = rig.smsc.bound()
    answer = session.answers[9] = asyncio.get_running_loop().create_future()
    session.writer.write(codec.pdu(Command.data_sm, 9, body=body))
    assert await asyncio.wait_for(answer, PATIENCE) == 0x66
    assert (await rig.send()).result is Result.sent


@pytest.mark.parametrize(
    ("form", "response", "in_text", "parameter", "id"),
    [
        ("hex2dec", "00FF", "255", None, "255"),
        ("hex2dec", "ff", "0255", None, "255"),
        ("hex2dec", "FF", "255", "FF", "255"),
        ("hex2dec", "not-a-number", "not-a-number", None, "not-a-number"),
        ("dec2hex", "0255", "FF", None, "255"),
        ("dec2hex", "255", None, "ff", "255"),
        ("asis", "00FF", "00FF", None, "00ff"),
        ("asis", "00FF", "00ff", None, "00ff"),
        ("asis", "4f-aB", "4F-Ab", "4f-ab", "4f-ab"),
        ("hex2dec", "M-FF", "m-ff", None, "m-ff"),
    ],
)
async def test_ids_in_two_forms(
    smsc: Smsc, form: str, response: str, in_text: str | None, parameter: str | None, id: str
) -> None:
    smsc.form = response
    async with rigged(smsc, f"dlr_id={form}") as rig:
        outcome = await rig.send()
        assert outcome.provider_message_id == response  # as it came
        assert (outcome.report_id or response) == id
        text = receipt(in_text) if in_text else b"stat:DELIVRD"
        assert await smsc.bound().deliver(text, esm_class=4, receipted_message_id=parameter) == 0
        assert rig.events == [Receipt(id, Result.delivered)]


async def test_receipt_is_answered_after_the_sink_took_it(rig: Rig) -> None:
    rig.gate.clear()
    answers = [asyncio.create_task(rig.smsc.bound().deliver(receipt(f"m{n}"), esm_class=4)) for n in range(5)]
    await asyncio.sleep(0.05)
    assert "deliver_sm_resp" not in rig.smsc.commands
    assert (await rig.send()).result is Result.sent  # nothing else waits for the sink
    rig.gate.set()
    assert await asyncio.gather(*answers) == [0] * 5
    assert [event.provider_message_id for event in rig.events if isinstance(event, Receipt)] == [
        f"m{n}" for n in range(5)
    ]


async def test_sink_that_fails_gets_it_again(rig: Rig) -> None:
    rig.failures = 1
    assert await rig.smsc.bound().deliver(receipt(), esm_class=4) == 0x64
    assert not rig.events
    assert await rig.smsc.bound().deliver(receipt(), esm_class=4) == 0
    assert len(rig.events) == 1


async def test_one_bad_event_does_not_hold_up_the_rest(rig: Rig) -> None:
    rig.gate.clear()
    deliver = rig.smsc.bound().deliver
    first = asyncio.create_task(deliver(receipt("m0"), esm_class=4))
    await asyncio.sleep(0.05)
    rest = [asyncio.create_task(deliver(receipt(f"m{n}"), esm_class=4)) for n in range(1, 4)]
    await asyncio.sleep(0.05)
    rig.failures = 3  # the first; then its successors as a batch; then the first of them
    rig.gate.set()
    assert await first == 0x64
    assert await asyncio.gather(*rest) == [0x64, 0, 0]


async def test_too_many_at_once_are_asked_to_come_again(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "MOST_UNTAKEN", 3)
    rig.gate.clear()
    deliver = rig.smsc.bound().deliver
    answers = [asyncio.create_task(deliver(receipt(f"m{n}"), esm_class=4)) for n in range(5)]
    await until(lambda: sum(task.done() for task in answers) == 2)
    rig.gate.set()
    assert sorted(await asyncio.gather(*answers)) == [0, 0, 0, 0x14, 0x14]


async def test_long_message_is_delivered_when_all_its_parts_are(rig: Rig) -> None:
    assert (await rig.send("a" * 400)).provider_message_id == "m_0001"
    deliver = rig.smsc.bound().deliver
    for id in ("m_0003", "m_0001", "m_0001"):
        assert await deliver(receipt(id), esm_class=4) == 0
    assert not rig.events
    rig.failures = 1
    assert await deliver(receipt("m_0002"), esm_class=4) == 0x64
    assert await deliver(receipt("m_0002"), esm_class=4) == 0
    assert await deliver(receipt("m_0002"), esm_class=4) == 0
    assert rig.events == [Receipt("m_0001", Result.delivered)]


async def test_long_message_is_refused_when_one_part_is(rig: Rig) -> None:
    await rig.send("a" * 400)
    deliver = rig.smsc.bound().deliver
    assert await deliver(receipt("m_0003", "ACCEPTD"), esm_class=4) == 0
    assert await deliver(receipt("m_0002", "EXPIRED"), esm_class=4) == 0
    assert await deliver(receipt("m_0001"), esm_class=4) == 0
    assert [
        (event.provider_message_id, event.result, event.code)
        for event in rig.events
        if isinstance(event, Receipt)
    ] == [
        ("m_0001", Result.sent, None),
        ("m_0001", Result.refused, "expired"),
    ]


async def test_same_id_for_every_part(rig: Rig) -> None:
    rig.smsc.form = "same"
    assert (await rig.send("a" * 400)).provider_message_id == "same"
    assert await rig.smsc.bound().deliver(receipt("same"), esm_class=4) == 0
    assert rig.events == [Receipt("same", Result.delivered)]


async def test_message_broken_off_is_never_delivered(rig: Rig) -> None:
    rig.smsc.statuses.extend([0, 0x08])
    assert (await rig.send("a" * 400)).result is Result.unknown
    assert await rig.smsc.bound().deliver(receipt(), esm_class=4) == 0
    assert not rig.events


async def test_receipt_that_overtakes_the_answer(rig: Rig) -> None:
    answers = []

    def deliver_first(session: Session, id: str) -> None:
        answers.append(asyncio.create_task(session.deliver(receipt(id), esm_class=4)))

    rig.smsc.before_answer = deliver_first
    outcome = await rig.send("a" * 400)
    assert outcome.result is Result.sent
    assert await asyncio.gather(*answers) == [0, 0, 0]
    assert rig.events == [Receipt("m_0001", Result.delivered)]


async def test_memory_of_parts_is_bounded(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rig.channel._parts, "_messages", FIFOCache(4))
    await rig.send("a" * 400)
    await rig.send("a" * 400)
    assert len(rig.channel._parts._messages) == 4
    assert await rig.smsc.bound().deliver(receipt("m_0001"), esm_class=4) == 0  # forgotten: told as it is
    assert rig.events == [Receipt("m_0001", Result.delivered)]


@pytest.mark.parametrize(
    ("options", "body", "has"),
    [
        ("", "hello", False),
        ("reference=1", "hello", True),
        ("reference=1", "x" * 200, False),  # its parts' receipts would all have it
        ("reference=1&long=payload", "x" * 200, True),
    ],
)
async def test_a_message_of_one_submit_sm_carries_the_end_of_its_id(
    smsc: Smsc, options: str, body: str, has: bool
) -> None:
    async with rigged(smsc, options) as rig:
        sent = message(body)
        await rig.channel.send([sent])
        references = {pdu.user_message_reference for pdu in smsc.submitted}
        assert references == ({sent.id.int & 0xFFFF} if has else {None})


@pytest.mark.parametrize(
    ("options", "fields", "reference"),
    [
        ("reference=1", {"user_message_reference": 0x0A1B}, ("+14155550100", "0a1b")),
        ("reference=1", {}, None),
        ("reference=1", {"user_message_reference": 1, "source_addr": "Acme", "source_addr_ton": 5}, None),
        ("", {"user_message_reference": 0x0A1B}, None),
    ],
)
async def test_a_receipt_names_the_message_by_the_reference(
    smsc: Smsc, options: str, fields: dict[str, Any], reference: tuple[str, str] | None
) -> None:
    async with rigged(smsc, options) as rig:
        assert await smsc.bound().deliver(receipt(), esm_class=4, **fields) == 0
        [event] = rig.events
        assert isinstance(event, Receipt)
        assert event.reference == reference
