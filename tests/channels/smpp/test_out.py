"""Messages out: what the DSN says reaches the wire, and what an answer means."""

import asyncio
from dataclasses import replace

import pytest

from channels import BadDsn, connect
from channels.port import BadHook, HookRequest, Result
from channels.sms_text import MOST_PARTS, encode, segments
from tests.channels.peer_smpp import HEADER, UDHI, Session, Smsc
from tests.channels.smpp.rig import Rig, message, rigged
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.servers


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


async def test_settings_reach_the_connection(smsc: Smsc) -> None:
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
    assert sorted(message.body for message in smsc.received) == sorted([text, text[::-1]])
    assert {outcome.result for outcome in outcomes} == {Result.sent}
    assert len({outcome.provider_message_id for outcome in outcomes}) == 2
    for received in smsc.received:
        assert received.extra["parts"] == (1 if long == "payload" else segments(received.body))
        assert received.extra["data_coding"] == (0 if encode(received.body)[0] == "gsm" else 8)
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
    smsc: Smsc, statuses: list[int | None], result: Result, code: str, id: str | None
) -> None:
    patience = 1 if None in statuses else PATIENCE
    async with rigged(smsc, f"timeout={patience:g}&retry_after=0.01") as rig:
        smsc.statuses.extend(statuses)
        outcome = await rig.send("a" * 400)
        assert (outcome.result, outcome.code, outcome.provider_message_id) == (result, code, id)
        assert not smsc.statuses
        assert (await rig.send()).result is Result.sent


async def test_window_is_respected(smsc: Smsc) -> None:
    async with rigged(smsc, "window=2&timeout=3") as rig:
        smsc.statuses.extend([None] * 4)
        first = [asyncio.create_task(rig.send(f"number {n}")) for n in range(2)]
        await until(lambda: len(smsc.submitted) == 2)
        assert rig.channel._sessions is not None
        [binding] = rig.channel._sessions.all
        link = binding._link
        assert link is not None
        # Else the first two would make room at the very moment when the others give up.
        usual, link._login = link._login, replace(link._login, timeout=0.2)
        others = await asyncio.gather(*(rig.send(f"number {n}") for n in range(2, 4)))
        link._login = usual
        outcomes = [*await asyncio.gather(*first), *others]
        assert len(smsc.submitted) == 2
        assert [outcome.code for outcome in outcomes] == ["timeout", "timeout", "window_full", "window_full"]
        assert [outcome.result for outcome in outcomes] == [Result.unknown] * 2 + [Result.transient] * 2
        smsc.statuses.clear()
        assert (await rig.send()).result is Result.sent


async def test_late_answer_is_no_ones(smsc: Smsc) -> None:
    async with rigged(smsc, "timeout=1.5") as rig:
        smsc.statuses.append(None)
        assert (await rig.send()).result is Result.unknown
        session = smsc.bound()
        session.respond(smsc.submitted[0], message_id="late")
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
