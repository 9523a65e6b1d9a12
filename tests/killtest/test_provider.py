"""The provider by each protocol: what it answers, what it records, and how it breaks."""

import asyncio
import smtplib
import struct
from collections.abc import AsyncIterator, Callable
from uuid import uuid4

import aiohttp
import pytest

from channels import connect
from channels.port import Outgoing, Result
from killtest.people import Person
from killtest.provider import PROVIDERS, Decision, Recorder, smpp
from killtest.provider.server import Provider
from killtest.provider.smpp import destination
from tests.support.waits import until

PERSON, REFUSED = Person(1, refused=False), Person(2, refused=True)
SUBMIT = 0x00000004


@pytest.fixture
async def start() -> AsyncIterator[Callable]:
    started: list[Provider] = []

    async def of(protocol: str, decision: Decision) -> Provider:
        shares = {} if decision is Decision.accept else {decision: 1.0}
        recorder = Recorder.of([PERSON, REFUSED], 1, shares=shares, latency=(0, 0), hang_seconds=0.05)
        provider = PROVIDERS[protocol](recorder)
        await provider.start()
        started.append(provider)
        return provider

    yield of
    for provider in started:
        await provider.stop()


def mail(port: int, person: Person) -> str:
    """Submits a mail, and returns the first digit of the answer, or `broken`."""
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=10) as client:
            client.sendmail("sender@example.net", [person.mail], "Subject: Hello\r\n\r\nHello\r\n")
    except smtplib.SMTPDataError as problem:
        return str(problem.smtp_code)[0]
    except OSError:
        return "broken"
    return "2"


async def post(port: int, person: Person) -> str:
    try:
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"http://127.0.0.1:{port}/", json={"to": person.phone}) as response,
        ):
            await response.read()
            return str(response.status)[0]
    except aiohttp.ClientError:
        return "broken"


def submit_sm(person: Person) -> bytes:
    body = b"\0\1\1Acme\0\1\1" + person.phone.removeprefix("+").encode() + b"\0" + b"\0" * 9 + b"\5Hello"
    return struct.pack(">IIII", 16 + len(body), SUBMIT, 0, 7) + body


async def submit(port: int, person: Person) -> str:
    """Submits an SMS, and returns the kind of the answer as an HTTP status would begin, or `broken`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(submit_sm(person))
    try:
        head = await reader.readexactly(16)
    except (asyncio.IncompleteReadError, ConnectionError):
        return "broken"
    finally:
        writer.close()
    _, command, status, sequence = struct.unpack(">IIII", head)
    assert (command, sequence) == (SUBMIT | 0x80000000, 7)
    return {0: "2", 0x58: "5", 0x0B: "4"}[status]


async def send(provider: Provider, person: Person) -> str:
    if provider.protocol == "smtp":
        return await asyncio.to_thread(mail, provider.port, person)
    return await (post if provider.protocol == "http" else submit)(provider.port, person)


@pytest.mark.parametrize("protocol", PROVIDERS)
@pytest.mark.parametrize("decision", [kind for kind in Decision if kind is not Decision.refuse])
async def test_each_decision_by_each_protocol(start: Callable, protocol: str, decision: Decision):
    provider = await start(protocol, decision)
    answer = await send(provider, PERSON)
    expected = {Decision.accept: "2", Decision.die: "2", Decision.busy: "4" if protocol == "smtp" else "5"}
    if protocol == "smtp":
        expected[Decision.half] = (
            "2"  # smtplib takes `250 2.0.0 Ok` without the end of the line for an answer
        )
    assert answer == expected.get(decision, "broken")
    (attempt,) = provider.recorder.attempts
    assert (attempt.person, attempt.number, attempt.decision) == (1, 1, decision)
    assert attempt.accepted is (decision not in {Decision.busy, Decision.drop})
    assert attempt.answered is (decision in {Decision.accept, Decision.die})


@pytest.mark.parametrize("protocol", PROVIDERS)
async def test_a_person_may_be_refused_for_good(start: Callable, protocol: str):
    provider = await start(protocol, Decision.die)
    assert await send(provider, REFUSED) == ("5" if protocol == "smtp" else "4")
    assert not provider.recorder.deliveries()


async def test_a_black_hole_accepts_nothing(start: Callable):
    provider = await start("smpp", Decision.accept)
    provider.recorder.close()
    sending = asyncio.create_task(send(provider, PERSON))
    await until(lambda: provider.connections)
    provider.reset()
    assert await sending == "broken"
    provider.recorder.reopen()
    assert not provider.recorder.attempts
    assert await send(provider, PERSON) == "2"


@pytest.mark.parametrize("protocol", PROVIDERS)
async def test_a_message_whose_sender_dies_is_accepted_and_not_answered(start: Callable, protocol: str):
    provider = await start(protocol, Decision.accept)
    provider.recorder.close()  # so that the sender is gone before the provider decides
    _, writer = await asyncio.open_connection("127.0.0.1", provider.port)
    text = {
        "smtp": b"MAIL FROM:<>\r\nRCPT TO:<person00001@example.com>\r\nDATA\r\nHello\r\n.\r\n",
        "smpp": submit_sm(PERSON),
        "http": b'POST / HTTP/1.1\r\ncontent-length: 23\r\n\r\n{"to": "+491512300001"}',
    }[protocol]
    writer.write(text)
    await writer.drain()
    writer.write_eof()
    await until(lambda: provider.connections)
    provider.recorder.reopen()
    attempt = await until(lambda: next(iter(provider.recorder.attempts), None))
    await until(lambda: not provider.connections)
    assert (attempt.accepted, attempt.answered) == (True, False)
    writer.close()


@pytest.mark.parametrize("decision", [Decision.accept, Decision.reset, Decision.drop])
async def test_an_smsc_reports_what_it_accepted_by_the_reference(
    start: Callable, decision: Decision, monkeypatch
):
    """Also if the answer was lost: then on the next connection."""
    monkeypatch.setattr(smpp, "_RECEIPT_SECONDS", (0.05, 0.1))
    provider = await start("smpp", decision)
    events = []

    async def hear(channel, receipts):
        events.extend(receipts)

    route = connect(
        "sms",
        f"smpp://a:b@127.0.0.1:{provider.port}?from=Acme&reference=1&reconnect_min=0.05&reconnect_max=0.1",
    )
    await route.open(hear)
    message = Outgoing(uuid4(), "key", PERSON.phone, "Hello")
    [outcome] = await route.send([message])
    if decision is Decision.drop:
        assert outcome.result is Result.unknown
        assert not provider._receipts
    else:
        await until(lambda: events)
        receipt = events[0]
        assert (receipt.result, receipt.reference) == (Result.delivered, (PERSON.phone, message.id.hex[-4:]))
        assert outcome.provider_message_id in (receipt.provider_message_id, None)
        await until(lambda: not provider._receipts)  # it is not sent for ever
    await route.close()


async def test_a_provider_that_was_down_has_the_same_port(start: Callable):
    provider = await start("http", Decision.accept)
    port = provider.port
    await provider.stop()
    assert await send(provider, PERSON) == "broken"
    await provider.start()
    assert provider.port == port
    assert await send(provider, PERSON) == "2"


def test_the_same_seed_decides_the_same():
    first, again, other = Recorder(1), Recorder(1), Recorder(2)

    def decisions(recorder: Recorder) -> list[Decision]:
        return [recorder.decide(person, 1) for person in range(1000)]

    assert decisions(first) == decisions(again) != decisions(other)
    assert set(decisions(first)) == set(Decision) - {Decision.refuse}


def test_the_recipient_of_an_sms_is_read():
    assert destination(submit_sm(PERSON)[16:]) == PERSON.phone.removeprefix("+")
