"""What SMPP has beyond the conformance suite: alphabets, parts, receipts, inbound messages, a link's life."""

import asyncio
import datetime as dt
import ipaddress
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest
import smpp34
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given, settings
from hypothesis import strategies as st
from smpplib import command

from channels import BadDsn, connect
from channels.port import BadHook, Event, HookRequest, Inbound, Outgoing, Receipt, Result
from channels.smpp import SmppChannel, inbound, link, receipts, wire
from channels.sms_text import MOST_PARTS, decode_gsm, encode, segments, split
from tests.channels.peer import Scenario
from tests.channels.peer_smpp import ALPHABET, HEADER, UDHI, Session, Smsc, peer

GSM = [char for char in ALPHABET if char not in "`\x1b"]


def message(body: str = "hello", to: str = Smsc.recipient) -> Outgoing:
    id = uuid4()
    return Outgoing(id=id, key=str(id), to=to, body=body)


class Rig:
    def __init__(self, smsc: Smsc, channel: SmppChannel) -> None:
        self.smsc = smsc
        self.channel = channel
        self.events: list[Event] = []
        self.failures = 0  # of the sink, to come
        self.gate = asyncio.Event()  # the sink takes nothing while it is clear
        self.gate.set()

    async def sink(self, channel: Any, events: Sequence[Event]) -> None:
        await self.gate.wait()
        if self.failures:
            self.failures -= 1
            raise RuntimeError("the database is down")
        self.events += events

    async def send(self, body: str = "hello", to: str = Smsc.recipient) -> Any:
        [outcome] = await self.channel.send([message(body, to)])
        return outcome

    async def sent_until(self, wanted: Result) -> Any:
        async with asyncio.timeout(4):
            while (outcome := await self.send()).result is not wanted:
                await asyncio.sleep(0.02)
        return outcome


@asynccontextmanager
async def rigged(smsc: Smsc, options: str = "", *, dsn: str | None = None) -> AsyncIterator[Rig]:
    channel = connect("sms", dsn or smsc.options(options))
    assert isinstance(channel, SmppChannel)
    rig = Rig(smsc, channel)
    await channel.open(rig.sink)
    try:
        yield rig
    finally:
        rig.gate.set()
        await asyncio.wait_for(channel.close(), 4)


@pytest.fixture
async def smsc() -> AsyncIterator[Smsc]:
    async with peer() as one:
        yield one


@pytest.fixture
async def rig(smsc: Smsc) -> AsyncIterator[Rig]:
    async with rigged(smsc) as one:
        yield one


async def until(true: Callable[[], object], seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.005)


# Text


def test_alphabet_is_the_one_that_others_know() -> None:
    for code, char in enumerate(ALPHABET):
        if char in GSM:
            octets = bytes([code]) if code < 0x80 else bytes([0x1B, code - 0x80])
            assert encode(char) == ("gsm", octets)
            assert decode_gsm(octets) == char
    assert encode("\f") == ("gsm", b"\x1b\x0a")
    assert encode("`")[0] == encode("ç")[0] == encode("\x1b")[0] == "ucs2"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 1),
        ("a" * 160, 1),
        ("a" * 161, 2),
        ("a" * 159 + "€", 2),
        ("€" * 80, 1),
        ("a" * 306, 2),
        ("a" * 152 + "€" + "a" * 152, 3),  # the pair would lie across the cut, so the first part has 152
        ("a" * 151 + "€" + "a" * 153, 2),
        ("я" * 70, 1),
        ("я" * 71, 2),
        ("я" * 134, 2),
        ("я" * 66 + "😀" + "я" * 66, 3),
        ("😀" * 35, 1),
        ("😀" * 36, 2),
        ("\ud800" * 70, 1),
    ],
)
def test_segments(text: str, count: int) -> None:
    assert segments(text) == count


@given(
    st.one_of(st.text(), st.text(st.sampled_from([*GSM, "€", "\f"])), st.text(st.sampled_from("aя€😀👩‍🚀"))),
    st.integers(1, 60),
)
def test_parts_fit_stand_alone_and_make_the_text(text: str, times: int) -> None:
    text *= times
    alphabet, parts = split(text)
    assert segments(text) == len(parts)
    room = (160, 153) if alphabet == "gsm" else (140, 134)
    assert all(len(part) <= room[len(parts) > 1] for part in parts)
    # Nothing wasted: what was not put in a part would not have fitted there.
    assert all(len(part) >= room[1] - 2 for part in parts[:-1])
    decoded = [decode_gsm(part) if alphabet == "gsm" else part.decode("utf-16-be") for part in parts]
    assert "".join(decoded) == text
    assert (alphabet == "gsm") == all(char in GSM or char == "\f" for char in text)


@given(st.binary())
def test_any_septets_decode(data: bytes) -> None:
    assert len(decode_gsm(data)) <= len(data)


def test_strange_septets() -> None:
    assert decode_gsm(b"\x1bA\x1b\x1b\xffz\x1b") == "A \ufffdz"


# Configuration


@pytest.mark.parametrize(
    ("sender", "address"),
    [
        ("Acme", (b"Acme", 5, 0)),
        ("Acme%20Ltd", (b"Acme Ltd", 5, 0)),
        ("12345", (b"12345", 3, 0)),
        ("+4915112345678", (b"4915112345678", 1, 1)),
        ("4915112345678", (b"4915112345678", 1, 1)),
        ("12345&source_ton=0&source_npi=1", (b"12345", 0, 1)),
        (None, (b"", 0, 0)),
    ],
)
async def test_kind_of_sender(smsc: Smsc, sender: str | None, address: tuple[bytes, int, int]) -> None:
    async with rigged(smsc, f"from={sender}" if sender else "") as rig:
        await rig.send()
    [pdu] = smsc.submitted
    assert (pdu.source_addr, pdu.source_addr_ton, pdu.source_addr_npi) == address
    assert (pdu.destination_addr, pdu.dest_addr_ton, pdu.dest_addr_npi) == (b"14155550100", 1, 1)


async def test_settings_reach_the_wire(smsc: Smsc) -> None:
    options = "system_type=VMA&validity=93784&receipts=0&dest_ton=2&dest_npi=8&window=3"
    async with rigged(smsc, options) as rig:
        assert rig.channel.batch == 3
        await rig.send()
    [bind] = smsc.binds
    assert (bind.system_type, bind.interface_version) == (b"VMA", 0x34)
    [pdu] = smsc.submitted
    assert pdu.validity_period == b"000001020304000R"
    assert (pdu.registered_delivery, pdu.dest_addr_ton, pdu.dest_addr_npi) == (0, 2, 8)
    assert smsc.commands[-1] == "unbind"


@pytest.mark.parametrize(
    "dsn",
    [
        "smpp://host",
        "smpp://a:b@",
        "smpp://a:b@host/path",
        "smpp://a:b@host?from=TwelveLetters",
        "smpp://a:b@host?from=Ж",
        "smpp://a:b@host?from=1234567890123456",
        "smpp://%C3%A9:b@host",
        "smpp://a:b%00@host",
        "smpp://a:b@host?bind=rx",
        "smpp://a:b@host?long=udp",
        "smpp://a:b@host?dlr_id=hex",
        "smpp://a:b@host?validity=1",
        "smpp://a:b@host?window=0",
        "smpp://a:b@host?tiemout=1",
    ],
)
def test_bad_dsn(dsn: str) -> None:
    with pytest.raises(BadDsn):
        connect("sms", dsn)


async def test_programming_errors_are_raised(rig: Rig) -> None:
    channel = connect("sms", rig.smsc.dsn)
    with pytest.raises(RuntimeError, match="open"):
        await channel.send([message()])
    with pytest.raises(BadHook):
        channel.hook(HookRequest("POST", "http://localhost/", {}, b""))


# Out

LONG = {
    "gsm": "a" * 152 + "€uro [" + "b" * 200,
    "ucs2": "Ω😀" * 60 + "ж" * 66 + "👩‍🚀",
    "two": "x" * 161,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
@pytest.mark.parametrize("long", ["udh", "sar", "payload"])
async def test_long_messages(smsc: Smsc, long: str, text: str) -> None:
    async with rigged(smsc, f"long={long}") as rig:
        outcomes = await rig.channel.send([message(text), message(text[::-1])])
    assert sorted(one.body for one in smsc.received) == sorted([text, text[::-1]])
    assert {one.result for one in outcomes} == {Result.sent}
    assert len({one.provider_message_id for one in outcomes}) == 2
    for one in smsc.received:
        assert one.extra["parts"] == (1 if long == "payload" else segments(one.body))
        assert one.extra["data_coding"] == (0 if encode(one.body)[0] == "gsm" else 8)
    assert all(pdu.registered_delivery == 1 for pdu in smsc.submitted)
    assert all(bool(pdu.esm_class & UDHI) == (long == "udh") for pdu in smsc.submitted)


async def test_id_of_a_long_message_is_its_first_parts(rig: Rig) -> None:
    outcome = await rig.send("a" * 400)
    assert outcome.provider_message_id == "m_0001"
    assert rig.smsc.received[0].extra["id"] == "m_0003"


async def test_no_id_at_all(rig: Rig) -> None:
    rig.smsc.form = ""
    assert (await rig.send()).provider_message_id is None
    assert (await rig.send("a" * 200)).provider_message_id is None


@pytest.mark.parametrize(("long", "length"), [("udh", 153 * MOST_PARTS + 1), ("payload", 0x10000)])
async def test_too_long(smsc: Smsc, long: str, length: int) -> None:
    async with rigged(smsc, f"long={long}") as rig:
        outcome = await rig.send("a" * length)
        assert (outcome.result, outcome.code) == (Result.refused, "message_too_long")
        if long == "payload":
            assert (await rig.send("a" * (length - 1))).result is Result.sent
    assert len(smsc.submitted) == (long == "payload")


@pytest.mark.parametrize("to", ["", "anna", "+", "12", "+1415555010012345", "+1415\u0661555", "1\0234"])
async def test_recipient_that_is_no_phone(rig: Rig, to: str) -> None:
    outcome = await rig.send(to=to)
    assert (outcome.result, outcome.code) == (Result.refused, "invalid_recipient")
    assert not rig.smsc.submitted


@pytest.mark.parametrize(
    ("status", "result", "code"),
    [
        (0x58, Result.throttled, "throttled"),
        (0x14, Result.throttled, "queue_full"),
        (0x0B, Result.refused, "invalid_recipient"),
        (0x50, Result.refused, "invalid_recipient"),
        (0x51, Result.refused, "invalid_recipient"),
        (0x01, Result.refused, "message_too_long"),
        (0x0A, Result.misconfigured, "invalid_sender"),
        (0x08, Result.transient, "provider_error"),
        (0xFF, Result.transient, "provider_error"),
        (0x401, Result.transient, "provider_error"),
        (0xFFFFFFFF, Result.transient, "provider_error"),
    ],
)
async def test_status(rig: Rig, status: int, result: Result, code: str) -> None:
    rig.smsc.statuses.append(status)
    outcome = await rig.send()
    assert (outcome.result, outcome.code) == (result, code)
    assert f"{status:02X}" in outcome.reason
    assert outcome.retry_after == (7.0 if result is Result.throttled else None)
    assert (await rig.send()).result is Result.sent


@pytest.mark.parametrize(
    ("statuses", "result", "code", "id"),
    [
        ([0x0B], Result.refused, "invalid_recipient", None),
        ([0x58], Result.throttled, "throttled", None),
        ([0, 0x0B], Result.refused, "invalid_recipient", "m_0001"),
        ([0, 0, 0x08], Result.unknown, "provider_error", "m_0001"),
        ([0, None], Result.unknown, "timeout", "m_0001"),
        ([0, 0x0A], Result.unknown, "invalid_sender", "m_0001"),
        ([0, 0x58, 0x58, 0x58, 0x58], Result.unknown, "throttled", "m_0001"),
        ([0, 0x58, 0x14, 0x58, 0], Result.sent, None, "m_0001"),
    ],
)
async def test_part_that_fails(
    smsc: Smsc, statuses: list[int], result: Result, code: str, id: str | None
) -> None:
    async with rigged(smsc, "timeout=0.2&retry_after=0.01") as rig:
        smsc.statuses.extend(statuses)
        outcome = await rig.send("a" * 400)
        assert (outcome.result, outcome.code, outcome.provider_message_id) == (result, code, id)
        assert not smsc.statuses
        assert (await rig.send()).result is Result.sent


async def test_window_is_respected(smsc: Smsc) -> None:
    async with rigged(smsc, "window=2") as rig:
        smsc.statuses.extend([None] * 4)
        outcomes = await asyncio.gather(*(rig.send(f"number {n}") for n in range(4)))
        assert len(smsc.submitted) == 2
        assert [one.code for one in outcomes] == ["timeout", "timeout", "window_full", "window_full"]
        assert [one.result for one in outcomes] == [Result.unknown] * 2 + [Result.transient] * 2
        smsc.statuses.clear()
        assert (await rig.send()).result is Result.sent


async def test_late_answer_is_no_ones(rig: Rig) -> None:
    rig.smsc.statuses.append(None)
    assert (await rig.send()).result is Result.unknown
    session = rig.smsc.bound()
    session.respond(rig.smsc.submitted[0], message_id="late")
    session.writer.write(HEADER.pack(16, 0x80000000, 0x03, 0))
    assert (await rig.send()).provider_message_id == "m_0002"


async def test_generic_nack_is_an_answer(rig: Rig) -> None:
    def nack(session: Session, id: str) -> None:
        session.writer.write(HEADER.pack(16, 0x80000000, 0x58, rig.smsc.submitted[-1].sequence))

    rig.smsc.before_answer = nack
    assert (await rig.send()).result is Result.throttled


async def test_answer_to_another_question_does_not_count(rig: Rig) -> None:
    def confuse(session: Session, id: str) -> None:
        session.writer.write(HEADER.pack(16, 0x80000015, 0, rig.smsc.submitted[-1].sequence))

    rig.smsc.before_answer = confuse
    assert (await rig.send()).provider_message_id == "m_0001"


# Receipts


def receipt(id: str = "m_0001", stat: str = "DELIVRD") -> bytes:
    dates = "submit date:2601011200 done date:2601011201"
    return f"id:{id} sub:001 dlvrd:001 {dates} stat:{stat} err:045 text:id:no stat:DEL".encode()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"text": receipt()}, Receipt("m_0001", Result.delivered)),
        ({"text": receipt().upper().replace(b"M_", b"m_")}, Receipt("m_0001", Result.delivered)),
        ({"text": receipt(stat="UNDELIV")}, ("undeliverable", "The SMSC reports UNDELIV, error 045.")),
        ({"text": receipt(stat="EXPIRED")}, ("expired", "The SMSC reports EXPIRED, error 045.")),
        ({"text": receipt(stat="DELETED")}, ("deleted", "The SMSC reports DELETED, error 045.")),
        ({"text": receipt(stat="REJECTD")}, ("rejected", "The SMSC reports REJECTD, error 045.")),
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
    rig: Rig, fields: dict[str, Any], told: Receipt | tuple[str, str] | None, capsys: Any
) -> None:
    assert await rig.smsc.bound().deliver(**{"esm_class": 4} | fields) == 0
    if isinstance(told, tuple):
        told = Receipt("m_0001", Result.refused, code=told[0], reason=told[1])
    assert rig.events == ([told] if told else [])
    assert "hello" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("form", "response", "in_text", "parameter", "id"),
    [
        ("hex2dec", "00FF", "255", None, "255"),
        ("hex2dec", "ff", "0255", None, "255"),
        ("hex2dec", "FF", "255", "FF", "255"),
        ("hex2dec", "not-a-number", "not-a-number", None, "not-a-number"),
        ("dec2hex", "0255", "FF", None, "255"),
        ("dec2hex", "255", None, "ff", "255"),
        ("asis", "00FF", "00FF", None, "00FF"),
    ],
)
async def test_ids_in_two_forms(
    smsc: Smsc, form: str, response: str, in_text: str | None, parameter: str | None, id: str
) -> None:
    smsc.form = response
    async with rigged(smsc, f"dlr_id={form}") as rig:
        assert (await rig.send()).provider_message_id == id
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
    assert [one.provider_message_id for one in rig.events if isinstance(one, Receipt)] == [
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
    await until(lambda: sum(one.done() for one in answers) == 2)
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
        (one.provider_message_id, one.result, one.code) for one in rig.events if isinstance(one, Receipt)
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
    monkeypatch.setattr(receipts, "MOST_PARTS_KEPT", 4)
    await rig.send("a" * 400)
    await rig.send("a" * 400)
    assert len(rig.channel._parts._wholes) == 4
    assert await rig.smsc.bound().deliver(receipt("m_0001"), esm_class=4) == 0  # forgotten: told as it is
    assert rig.events == [Receipt("m_0001", Result.delivered)]


# In


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
    [told] = rig.events
    assert isinstance(told, Inbound)
    assert (told.sender, told.to) == ("14155550100", "Acme")


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
                "text": one,
                "sar_msg_ref_num": reference,
                "sar_total_segments": total,
                "sar_segment_seqnum": n,
            }
            for n, one in enumerate(pieces, 1)
        ]
    header = {
        "udh8": bytes((5, 0, 3, reference)),
        "udh16": bytes((6, 8, 4, 1, reference)),
        "ports": bytes((11, 5, 4, 0, 9, 0, 9, 0, 3, reference)),
    }[form]
    return [
        common | {"text": header + bytes((total, n)) + one, "esm_class": UDHI}
        for n, one in enumerate(pieces, 1)
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
    assert [await deliver(**one) for one in fields] == [0] * (len(fields) - 1) + [0x64]
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
    assert [one.body for one in rig.events if isinstance(one, Inbound)] == ([] if body is None else [body])


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
        for one in parts_in(TEXT, "udh8", 1)[:1]:
            assert await smsc.bound().deliver(**one) == 0
        await until(lambda: rig.events)
        assert len(rig.events) == 1
        for one in parts_in(TEXT, "udh8", 2):
            assert await smsc.bound().deliver(**one) == 0
        await until(lambda: not rig.channel._reassembly._wholes)
        assert [one.body == TEXT for one in rig.events if isinstance(one, Inbound)] == [False, True]


@pytest.mark.parametrize("bound", ["MOST_WHOLES", "MOST_OCTETS"])
async def test_memory_of_parts_in_is_bounded(rig: Rig, monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    monkeypatch.setattr(inbound, bound, {"MOST_WHOLES": 3, "MOST_OCTETS": 330}[bound])
    deliver = rig.smsc.bound().deliver
    if bound == "MOST_WHOLES":  # what is finished counts too, and goes first
        for one in parts_in(TEXT, "udh8", 50):
            assert await deliver(**one) == 0
        rig.events.clear()
    for reference in range(8):
        assert await deliver(**parts_in(TEXT, "udh8", reference)[0]) == 0
    assert len(rig.events) == 5
    reassembly = rig.channel._reassembly
    assert reassembly._octets == sum(one.octets for one in reassembly._wholes.values()) == 303


# A link's life


@pytest.mark.parametrize(
    ("status", "result", "code"),
    [
        (0x0E, Result.misconfigured, "bad_credentials"),
        (0x0F, Result.misconfigured, "bad_credentials"),
        (0x0D, Result.misconfigured, "bad_credentials"),
        (0x53, Result.misconfigured, "bad_credentials"),
        (0x66, Result.misconfigured, "bad_credentials"),
        (0x05, Result.transient, "already_bound"),
        (0x08, Result.transient, "provider_error"),
        (0x58, Result.transient, "throttled"),
        (0x423, Result.transient, "provider_error"),
    ],
)
async def test_bind_refused(smsc: Smsc, status: int, result: Result, code: str) -> None:
    smsc.bind_status = status
    async with rigged(smsc) as rig:
        outcome = await rig.send()
        assert (outcome.result, outcome.code) == (result, code)
        assert f"{status:02X}" in outcome.reason
        smsc.bind_status = 0
        await rig.sent_until(Result.sent)


async def test_wrong_password_is_tried_seldom(smsc: Smsc) -> None:
    dsn = smsc.options("reconnect_max=5").replace("p4ss", "wr0ng")
    async with rigged(smsc, dsn=dsn) as rig:
        await asyncio.sleep(0.3)
        outcomes = [await rig.send() for _ in range(3)]
        assert {one.result for one in outcomes} == {Result.misconfigured}
        assert len(smsc.binds) == 1
        assert "wr0ng" not in repr(outcomes) + repr(rig.channel._login)


async def test_nobody_there(smsc: Smsc) -> None:
    await smsc.stop()
    async with rigged(smsc, "reconnect_min=4&reconnect_max=60&timeout=0.3") as rig:
        outcome = await asyncio.wait_for(rig.send(), 0.2)  # the next attempt is far: told at once
        assert (outcome.result, outcome.code) == (Result.transient, "unreachable")
        assert 1.9 <= outcome.retry_after <= 4


@pytest.mark.parametrize("host", ["host.invalid", "h" * 64])
async def test_unknown_host(smsc: Smsc, host: str) -> None:
    async with rigged(smsc, dsn=f"smpp://a:b@{host}?timeout=1&reconnect_max=0.5") as rig:
        assert (await rig.send()).result is Result.transient


@pytest.mark.parametrize("tls", [0, 1])
async def test_accepts_and_says_nothing(smsc: Smsc, tls: int) -> None:
    """Neither a TLS handshake nor an answer to the bind."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        dsn = f"smpp://a:b@127.0.0.1:{server.getsockname()[1]}?timeout=0.2&reconnect_max=0.5&tls={tls}"
        async with rigged(smsc, dsn=dsn) as rig:
            outcome = await rig.send()
            assert (outcome.result, outcome.code) == (Result.transient, "bind_timeout")


async def test_connection_closed_before_the_bind_is_answered(smsc: Smsc) -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with rigged(smsc, dsn=f"smpp://a:b@127.0.0.1:{port}?timeout=1&reconnect_max=0.5") as rig:
        assert (await rig.send()).code == "unreachable"
    server.close()


async def test_reconnects_when_the_smsc_comes_back(smsc: Smsc) -> None:
    async with rigged(smsc) as rig:
        assert (await rig.send()).result is Result.sent
        await smsc.stop()
        await rig.sent_until(Result.transient)
        await smsc.start()
        await rig.sent_until(Result.sent)
        assert await smsc.bound().deliver(receipt(), esm_class=4) == 0
        assert len(rig.events) == 1


async def test_back_off_grows_and_is_bounded(smsc: Smsc) -> None:
    smsc.bind_status = 0x08
    async with rigged(smsc, "reconnect_min=0.02&reconnect_max=0.08"):
        await asyncio.sleep(0.5)
    assert 6 <= len(smsc.binds) <= 16


async def test_half_open_peer_is_noticed(smsc: Smsc) -> None:
    async with rigged(smsc, "enquire_link=0.1&timeout=0.2") as rig:
        await until(lambda: smsc.commands.count("enquire_link") >= 2)
        assert len(smsc.binds) == 1
        smsc.deaf = True
        await until(lambda: len(smsc.binds) == 2)
        smsc.deaf = False
        await rig.sent_until(Result.sent)


async def test_answer_that_does_not_come_raises_doubt(smsc: Smsc) -> None:
    async with rigged(smsc, "timeout=0.2") as rig:
        smsc.deaf = True
        smsc.statuses.append(None)
        assert (await rig.send()).code == "timeout"
        await until(lambda: len(smsc.binds) == 2, 1)  # at once, not after 30 s of silence
        await rig.sent_until(Result.sent)


async def test_smsc_asks_whether_we_are_there(rig: Rig) -> None:
    session = rig.smsc.bound()
    assert await session.request(command.EnquireLink("enquire_link", client=session.numbers)) == 0


async def test_smsc_unbinds_us(smsc: Smsc) -> None:
    async with rigged(smsc, "timeout=0.2") as rig:
        session = smsc.bound()
        assert await session.request(command.Unbind("unbind", client=session.numbers)) == 0
        await rig.sent_until(Result.sent)
        assert len(smsc.binds) == 2


async def test_command_that_we_do_not_know(rig: Rig) -> None:
    session = rig.smsc.bound()
    assert await session.request(command.QuerySM("query_sm", client=session.numbers, message_id="1")) == 0x03
    assert rig.smsc.commands[-1] == "generic_nack"


async def test_two_connections(smsc: Smsc) -> None:
    async with rigged(smsc, "bind=tx+rx") as rig:
        assert sorted(one.command for one in smsc.binds) == ["bind_receiver", "bind_transmitter"]
        assert (await rig.send()).result is Result.sent
        assert await smsc.bound("bind_receiver").deliver(receipt(), esm_class=4) == 0
        assert rig.events == [Receipt("m_0001", Result.delivered)]


async def test_transmitter_asks_for_no_receipts(smsc: Smsc) -> None:
    async with rigged(smsc, "bind=tx") as rig:
        assert (await rig.send()).result is Result.sent
    assert smsc.submitted[0].registered_delivery == 0


async def test_connection_lost_while_messages_wait(smsc: Smsc) -> None:
    async with rigged(smsc, "window=1&timeout=2") as rig:
        smsc.statuses.append(None)
        sends = [asyncio.create_task(rig.send()) for _ in range(2)]
        await until(lambda: smsc.submitted)
        smsc.bound().reset()
        first, second = await asyncio.gather(*sends)
        assert (first.result, first.code) == (Result.unknown, "connection_lost")
        assert (second.result, second.code) == (Result.transient, "connection_lost")
        assert len(smsc.submitted) == 1


async def test_close_waits_for_answers(smsc: Smsc) -> None:
    async with rigged(smsc) as rig:
        smsc.statuses.append(None)
        send = asyncio.create_task(rig.send())
        await until(lambda: smsc.submitted)
        session = smsc.bound()
        rig.gate.clear()
        deliver = asyncio.create_task(session.deliver(receipt(), esm_class=4))
        await asyncio.sleep(0.05)
        close = asyncio.create_task(rig.channel.close())
        await asyncio.sleep(0.05)
        rig.gate.set()
        assert await deliver == 0
        session.respond(smsc.submitted[0], message_id="late")
        assert (await send).provider_message_id == "late"
        await close
        assert smsc.commands[-1] == "unbind"
        assert (await rig.send()).code == "closed"


async def test_close_while_binding(smsc: Smsc) -> None:
    smsc.script(Scenario.hang_before)
    channel = connect("sms", smsc.options("timeout=5"))
    opening = asyncio.create_task(channel.open(Rig(smsc, channel).sink))  # type: ignore[arg-type]
    await until(lambda: smsc.binds)
    await asyncio.wait_for(channel.close(), 1)
    await opening


async def test_sink_that_never_returns_does_not_hold_up_close(smsc: Smsc) -> None:
    async with rigged(smsc, "timeout=0.2") as rig:
        rig.gate.clear()
        delivers = []
        for n in range(2):  # one in the sink, one behind it
            delivers.append(asyncio.create_task(smsc.bound().deliver(receipt(f"m{n}"), esm_class=4)))
            await asyncio.sleep(0.05)
        await asyncio.wait_for(rig.channel.close(), 1)
        for deliver in delivers:
            deliver.cancel()
        rig.gate.set()
        assert not rig.events


async def test_smsc_that_does_not_read_is_dropped(smsc: Smsc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "MOST_UNREAD", 1 << 14)
    async with rigged(smsc) as rig:
        session = smsc.bound()
        [binding] = rig.channel._bindings
        assert binding._link is not None
        ours, theirs = binding._link._writer, session.writer
        ours.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 12)
        theirs.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
        cast("asyncio.Transport", theirs.transport).pause_reading()
        async with asyncio.timeout(30):
            while len(smsc.binds) == 1:
                if not theirs.is_closing():
                    theirs.write(HEADER.pack(16, 0x15, 0, 1) * 256)
                await asyncio.sleep(0.001)
        await rig.sent_until(Result.sent)


# Malformed


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
        struct.pack(">IIII", wire.MOST_OCTETS + 1, 5, 0, 1),
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
    async with rigged(smsc, "enquire_link=0.1&timeout=0.2") as rig:
        octets = deliver_sm()
        smsc.bound().writer.write(struct.pack(">I", len(octets) + 20_000) + octets[4:])
        await until(lambda: len(smsc.binds) == 2)
        await rig.sent_until(Result.sent)


@pytest.mark.parametrize("cut", [1, 20, 100])
async def test_body_that_ends_early_is_rejected(rig: Rig, cut: int, capsys: Any) -> None:
    session = rig.smsc.bound()
    octets = deliver_sm()[:-22][:-cut]  # the mandatory part, then less
    answer = session.answers[1] = asyncio.get_running_loop().create_future()
    session.writer.write(struct.pack(">I", len(octets)) + octets[4:])
    assert await asyncio.wait_for(answer, 2) == 0x66
    assert not rig.events
    assert "DELIVRD" not in capsys.readouterr().out
    assert (await rig.send()).result is Result.sent


async def test_no_single_wrong_octet_harms(smsc: Smsc) -> None:
    """Each octet of a receipt flipped in turn, the header's too: every one is answered or costs the link."""
    octets = deliver_sm()
    async with rigged(smsc, "enquire_link=0.1&timeout=0.2") as rig:
        for place in range(4, len(octets)):
            broken = bytearray(octets)
            broken[place] ^= 0xFF
            smsc.bound().writer.write(broken)
        await until(lambda: len(smsc.commands) > len(octets) // 2)
        await rig.sent_until(Result.sent)
        assert all(
            isinstance(one, Inbound) or len(one.provider_message_id) <= receipts.LONGEST_ID
            for one in rig.events
        )


@settings(max_examples=200)
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


# Others' work


async def test_talks_to_another_server() -> None:
    """smpp34's own SMSC: not our peer's reading of the specification, nor its framing."""
    server = smpp34.Server("127.0.0.1", port := free_port(), system_id="other")
    await server.start()
    esme: list[smpp34.Esme] = []
    taken: list[bytes] = []

    async def serve() -> None:
        while True:
            event = await server.next()
            if isinstance(event, smpp34.Esme):
                esme.append(event)
            elif isinstance(event, smpp34.SubmitSmEvent):
                taken.append(event.short_message)
                event.accept(f"id{len(taken)}")

    serving = asyncio.create_task(serve())
    try:
        async with rigged(Smsc(), dsn=f"smpp://a:b@127.0.0.1:{port}?timeout=2") as rig:
            outcomes = await rig.channel.send([message("Grüße"), message("я" * 100)])
            assert [one.result for one in outcomes] == [Result.sent] * 2
            assert sorted(map(len, taken)) == [5, 6 + 2 * 33, 140]
            answer = await esme[0].deliver_sm(
                "2", receipt(str(outcomes[0].provider_message_id)), source_addr="1", esm_class=4
            )
            assert answer.is_success
            assert len(rig.events) == 1
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        await server.stop()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def certificate(folder: Path) -> Path:
    """A self-signed one for 127.0.0.1, its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "smsc")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "smsc.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


async def test_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = certificate(tmp_path)
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(path)
    smsc = Smsc()
    await smsc.start(server_side)
    try:
        async with rigged(smsc, "tls=1&timeout=2") as rig:
            outcome = await rig.send()
            assert (outcome.result, outcome.code) == (Result.misconfigured, "tls_certificate")
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        async with rigged(smsc, "tls=1&timeout=2") as rig:
            assert (await rig.send()).result is Result.sent
    finally:
        await smsc.stop()
