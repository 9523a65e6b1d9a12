"""The sandbox: its magic recipients, its receipts, its box."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import cast
from uuid import uuid4

import pytest

import channels.sandbox
from channels import Kind, connect
from channels.port import Event, HookRequest, Outgoing, Receipt, Result
from channels.sandbox import SandboxChannel, box, effect_of
from tests.support.waits import until

pytestmark = pytest.mark.servers


def message(to: str = "anna@example.com") -> Outgoing:
    id = uuid4()
    return Outgoing(id=id, key=f"key-{id}", to=to, body="Hello")


class Inbox:
    def __init__(self) -> None:
        self.events: list[Receipt] = []
        self.batches = 0
        self.fail = 0

    async def __call__(self, channel: object, events: Sequence[Event]) -> None:
        self.batches += 1
        if self.fail:
            self.fail -= 1
            raise ConnectionError("the database is down")
        self.events += cast("Sequence[Receipt]", events)

    async def wait(self, count: int) -> list[Receipt]:
        await until(lambda: len(self.events) >= count)
        return self.events


@asynccontextmanager
async def opened(kind: Kind = "email", options: str = "") -> AsyncIterator[tuple[SandboxChannel, Inbox]]:
    channel = cast("SandboxChannel", connect(kind, f"sandbox://test-{uuid4().hex}?timeout=0.05&{options}"))
    inbox = Inbox()
    await channel.open(inbox)
    yield channel, inbox
    await channel.close()


ADDRESSES: list[tuple[Kind, str]] = [
    ("email", "{}@sandbox.postern.test"),
    ("email", "{}+42@sandbox.postern.test"),
    ("push", "sandbox-{}"),
    ("push", "sandbox-{}-42"),
]
WORDS = ["delivered", "failed", "bounced", "flaky", "throttled", "timeout", "slow", "silent", "sent"]


@pytest.mark.parametrize("word", WORDS)
def test_addresses(word: str) -> None:
    for kind, form in ADDRESSES:
        assert effect_of(kind, form.format(word)) == word
    for ones in range(10):
        assert effect_of("sms", f"+150055500{WORDS.index(word)}{ones}") == word


@pytest.mark.parametrize(
    ("kind", "to"),
    [
        ("email", "failed@example.com"),
        ("email", "anna@sandbox.postern.test"),
        ("sms", "+15005550090"),
        ("sms", "+1500555001"),
        ("sms", "+150055500123"),
        ("sms", "+14155550110"),
        ("push", "failed"),
        ("push", "sandbox-"),
        ("sms", "failed@sandbox.postern.test"),
    ],
)
def test_ordinary_recipients(kind: str, to: str) -> None:
    assert effect_of(kind, to) is None


async def test_delivered() -> None:
    async with opened("sms") as (channel, inbox):
        [outcome] = await channel.send([message("+15005550000")])
        assert outcome.result is Result.sent
        assert inbox.events == []  # the receipt comes after the answer
        [receipt] = await inbox.wait(1)
        assert (receipt.provider_message_id, receipt.result) == (
            outcome.provider_message_id,
            Result.delivered,
        )
        assert receipt.at is None  # just now, by the clock of the process that writes it down


async def test_ordinary_recipients_are_delivered_and_other_magic_ones_have_no_receipt() -> None:
    async with opened(options="deliver=1") as (channel, inbox):
        silent = [
            message(f"{word}@sandbox.postern.test") for word in ("sent", "timeout", "throttled", "slow")
        ]
        for one in (*silent, *silent):
            await channel.send([one])
        [outcome] = await channel.send([message()])
        [receipt] = await inbox.wait(1)
        assert receipt.provider_message_id == outcome.provider_message_id
        assert inbox.events == [receipt]


async def test_failed() -> None:
    async with opened() as (channel, _inbox):
        [outcome] = await channel.send([message("failed@sandbox.postern.test")])
        assert (outcome.result, outcome.code) == (Result.refused, "invalid_recipient")
        assert not channel.outbox


async def test_bounced() -> None:
    async with opened(options="deliver=1") as (channel, inbox):
        [outcome] = await channel.send([message("bounced@sandbox.postern.test")])
        assert outcome.result is Result.sent
        [receipt] = await inbox.wait(1)
        assert (receipt.result, receipt.code) == (Result.refused, "invalid_recipient")


async def test_flaky_once_a_message() -> None:
    async with opened("push") as (channel, inbox):
        one = message("sandbox-flaky")
        results = [(await channel.send([one]))[0].result for _ in range(2)]
        assert results == [Result.transient, Result.sent]
        assert (await channel.send([message("sandbox-flaky")]))[0].result is Result.transient
        [receipt] = await inbox.wait(1)
        assert receipt.result is Result.delivered


async def test_throttled_once_a_message() -> None:
    async with opened() as (channel, _inbox):
        one = message("throttled@sandbox.postern.test")
        first, second = [(await channel.send([one]))[0] for _ in range(2)]
        assert (first.result, first.retry_after) == (Result.throttled, 1.0)
        assert second.result is Result.sent


async def test_timeout_after_taking_effect() -> None:
    async with opened() as (channel, _inbox):
        one = message("timeout@sandbox.postern.test")
        started = time.monotonic()
        [first] = await channel.send([one])
        assert (first.result, first.provider_message_id) == (Result.unknown, None)
        assert time.monotonic() - started >= 0.05
        [second] = await channel.send([one])
        assert second.result is Result.sent
        [accepted] = channel.outbox
        assert (accepted.message, accepted.hand_overs) == (one, 2)


@pytest.mark.alone
async def test_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channels.sandbox, "SLOW_SECONDS", 0.2)
    async with opened() as (channel, _inbox):
        started = time.monotonic()
        outcomes = await channel.send([message(), *(message("slow@sandbox.postern.test") for _ in range(20))])
        assert {outcome.result for outcome in outcomes} == {Result.sent}
        assert 0.2 <= time.monotonic() - started < 3  # one after the other would take 4 s


async def test_silent_is_never_taken() -> None:
    async with opened() as (channel, _inbox):
        one = message("silent@sandbox.postern.test")
        for _ in range(2):
            assert (await channel.send([one]))[0].result is Result.unknown
        assert not channel.outbox


async def test_second_hand_over_is_dropped() -> None:
    async with opened(options="deliver=1") as (channel, _inbox):
        one = message()
        [first] = await channel.send([one])
        [second] = await channel.send([one])
        assert first == second
        [accepted] = channel.outbox
        assert accepted.hand_overs == 2


async def test_keeps_the_newest() -> None:
    async with opened(options="keep=3") as (channel, _inbox):
        messages = [message() for _ in range(10)]
        await channel.send(messages)
        assert [accepted.message for accepted in channel.outbox] == messages[-3:]
        await channel.send(messages[-3:])
        assert [accepted.hand_overs for accepted in channel.outbox] == [2, 2, 2]


async def test_channels_of_one_name_share_a_box() -> None:
    name = uuid4().hex
    one = message()
    for _ in range(2):
        channel = connect("email", f"sandbox://{name}")
        await channel.open(Inbox())
        await channel.send([one])
        await channel.close()
    assert [accepted.hand_overs for accepted in box(name).outbox] == [2]
    assert not box(name, keep=5).outbox


@pytest.mark.alone
async def test_latency() -> None:
    async with opened(options="latency_ms=200") as (channel, _inbox):
        started = time.monotonic()
        await channel.send([message() for _ in range(20)])
        assert 0.2 <= time.monotonic() - started < 3  # one after the other would take 4 s


async def test_receipts_come_in_batches_and_do_not_wait_for_each_other() -> None:
    async with opened(options="deliver=1") as (channel, inbox):
        for _ in range(4):
            await channel.send([message() for _ in range(500)])
        assert len(await inbox.wait(2000)) == 2000
        assert len({receipt.provider_message_id for receipt in inbox.events}) == 2000
        assert inbox.batches <= 12


async def test_a_sink_that_fails_gets_the_receipts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channels.sandbox, "RETRY_SECONDS", 0.01)
    async with opened(options="deliver=1") as (channel, inbox):
        inbox.fail = 2
        await channel.send([message() for _ in range(3)])
        assert len(await inbox.wait(3)) == 3
        assert inbox.batches == 3


async def test_close_with_receipts_outstanding() -> None:
    async with opened(options="deliver=1") as (channel, inbox):
        before = asyncio.all_tasks()
        await channel.send([message()])
        await channel.close()
        await channel.close()
        await asyncio.sleep(0.1)
        assert inbox.events == []
        assert len(asyncio.all_tasks()) < len(before)
        with pytest.raises(RuntimeError, match="open"):
            await channel.send([message()])
        assert channel.hook(HookRequest("GET", "https://example.com", {}, b"")) == []


async def test_it_costs_next_to_nothing() -> None:
    """50,000 messages: some 0.15 s of one core; the bound only catches a change of order."""
    async with opened("sms") as (channel, _inbox):
        batches = [[message("+14155550100") for _ in range(500)] for _ in range(100)]
        started = time.process_time()
        for batch in batches:
            await channel.send(batch)
        assert time.process_time() - started < 3
        assert len(channel.outbox) == 10_000
