"""Tests what every channel must do, against a real counterpart of each: every `peer_*.py` that exports `peer`.

A peer may say more than its protocol class asks for: `bad_recipient` (an address that it refuses while it
accepts others), `retry_after` (seconds that `throttle` says, when not 7), `secrets` (strings of the DSN, beside
its password, that nobody may see).
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Self
from uuid import uuid4

import pytest

from channels import DRIVERS, Channel, Dsn, connect
from channels.port import Event, Outcome, Outgoing, Result
from tests.channels.peer import Peer, Scenario, patient
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.rotating

HERE = Path(__file__).parent
STEMS = sorted(path.stem for path in HERE.glob("peer_*.py") if "\nasync def peer(" in path.read_text())
HANGS = {Scenario.hang_before, Scenario.hang_after}
NOT_TAKEN = {Result.transient, Result.throttled, Result.misconfigured}

BODIES = {
    "plain": "Hello, this is a message.",
    "emoji": "Grüße 👋🏽 from 🇺🇦, 한국어 and 日本語",
    "right to left": "שלום עולם, مرحبا بالعالم (42)",
    "lines and dots": "first\n.\n..second\n\n.third",
}


class Rig:
    """A channel, its peer, and everything that came out of it."""

    def __init__(self, peer: Peer, channel: Channel) -> None:
        self.peer = peer
        self.channel = channel
        self.outcomes: list[Outcome] = []
        self.events: list[Event] = []

    async def sink(self, channel: Channel, events: Sequence[Event]) -> None:
        assert channel is self.channel
        self.events.extend(events)

    def message(self, body: str, to: str | None = None) -> Outgoing:
        id = uuid4()
        return Outgoing(id=id, key=f"key-{id}", to=to or self.peer.recipient, body=body)

    async def send(self, *messages: Outgoing) -> list[Outcome]:
        outcomes = await asyncio.wait_for(self.channel.send(messages), PATIENCE)
        assert len(outcomes) == len(messages)
        self.outcomes += outcomes
        return outcomes

    async def send_one(self, body: str) -> Outcome:
        [outcome] = await self.send(self.message(body))
        return outcome

    async def received(self, body: str) -> int:
        """Returns how many times the peer has received `body`, once it has had time to note it."""
        deadline = time.monotonic() + PATIENCE
        while (
            not (count := sum(message.body == body for message in self.peer.received))
            and time.monotonic() < deadline
        ):
            await asyncio.sleep(0.01)
        return count

    def under(self, scenario: Scenario) -> None:
        if scenario not in self.peer.supports:
            pytest.skip(f"{self.peer.driver} cannot show {scenario}")
        self.peer.script(scenario)

    async def works_again(self) -> None:
        """The same channel object, not reopened, sends as soon as its peer is well."""
        self.peer.script(Scenario.accept)
        body = f"works again {uuid4()}"
        deadline = time.monotonic() + PATIENCE
        while (outcome := await self.send_one(body)).result in NOT_TAKEN and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        assert outcome.result in (Result.sent, Result.delivered), outcome
        assert await self.received(body) == 1


class Log(logging.Handler):
    """Collects what a deployment that logs everything would write. caplog does not hear silenced loggers."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.root = logging.getLogger()
        self.level_before = self.root.level

    def __enter__(self) -> Self:
        self.root.addHandler(self)
        self.root.setLevel(logging.DEBUG)
        return self

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name}: {record.getMessage()} {record.args!r} {record.exc_info!r}")

    def __exit__(self, *error: object) -> None:
        self.root.removeHandler(self)
        self.root.setLevel(self.level_before)


@pytest.fixture(params=STEMS)
async def rig(request: pytest.FixtureRequest, capfd: pytest.CaptureFixture[str]) -> AsyncIterator[Rig]:
    async with import_module(f"tests.channels.{request.param}").peer() as peer:
        kind = min(DRIVERS[Dsn.parse(peer.dsn).scheme].kinds)
        hangs = HANGS & {*request.node.callspec.params.values()}
        channel = connect(kind, peer.dsn if hangs else patient(peer.dsn))
        rig = Rig(peer, channel)
        with Log() as log:
            await channel.open(rig.sink)
            try:
                yield rig
            finally:
                await asyncio.wait_for(channel.close(), PATIENCE)
        # What the peer itself logs is the other side's business.
        logged = [line for line in log.lines if not line.startswith(("mail.", "tests."))]
        printed = capfd.readouterr()
        seen = [repr(channel), repr(rig.outcomes), repr(rig.events), *logged, printed.out, printed.err]
        for secret in (Dsn.parse(peer.dsn).password, *getattr(peer, "secrets", ())):
            assert not secret or not [text for text in seen if secret in text]


@pytest.mark.parametrize("name", BODIES)
async def test_accepted_message_arrives_once_and_whole(rig: Rig, name: str) -> None:
    message = rig.message(BODIES[name])
    [outcome] = await rig.send(message)
    assert outcome.result in (Result.sent, Result.delivered), outcome
    assert outcome.retry_after is None
    assert await rig.received(message.body) == 1, [received.body for received in rig.peer.received]
    [received] = rig.peer.received
    assert received.to == message.to
    if received.key is not None:
        assert str(message.id) in received.key
        assert outcome.provider_message_id or rig.peer.driver == "webpush"


async def test_the_target_is_the_peer(rig: Rig) -> None:
    target = rig.channel.target()
    assert (target is None) == (rig.channel.name in {"apprise", "sandbox", "webpush"})
    if target is not None:
        assert str(target.port) in rig.peer.dsn
        assert target.tls is None or "tls" in rig.peer.dsn or "smtps" in rig.peer.dsn


async def test_a_long_line_arrives_whole_or_is_refused(rig: Rig) -> None:
    body = "x" * 5_000
    outcome = await rig.send_one(body)
    if len(rig.peer.longest) >= len(body):
        assert outcome.result in (Result.sent, Result.delivered), outcome
        assert await rig.received(body) == 1
    else:
        assert outcome.result is Result.refused, outcome
        await rig.works_again()


async def test_longest_body(rig: Rig) -> None:
    outcome = await rig.send_one(rig.peer.longest)
    assert outcome.result in (Result.sent, Result.delivered), outcome
    assert await rig.received(rig.peer.longest) == 1


async def test_a_whole_batch_answers_in_order(rig: Rig) -> None:
    messages = [rig.message(f"number {number}") for number in range(rig.channel.batch)]
    outcomes = await rig.send(*messages)
    assert {outcome.result for outcome in outcomes} <= {Result.sent, Result.delivered}, outcomes
    ids = [outcome.provider_message_id for outcome in outcomes if outcome.provider_message_id]
    assert len(set(ids)) == len(ids)
    assert await rig.received(messages[-1].body) == 1
    assert sorted(received.body for received in rig.peer.received) == sorted(
        message.body for message in messages
    )


async def test_empty_batch(rig: Rig) -> None:
    assert await rig.send() == []


async def test_good_and_bad_recipients_in_one_batch(rig: Rig) -> None:
    bad = getattr(rig.peer, "bad_recipient", None)
    if bad is None:
        pytest.skip(f"{rig.peer.driver} cannot refuse one recipient and accept another")
    to = [None, bad, None, bad, bad, None]
    outcomes = []
    for start in range(0, len(to), rig.channel.batch):
        part = to[start : start + rig.channel.batch]
        outcomes += await rig.send(
            *(rig.message(f"mixed {start + n}", address) for n, address in enumerate(part))
        )
    wanted = [{Result.refused} if bad else {Result.sent, Result.delivered} for bad in to]
    assert all(outcome.result in want for outcome, want in zip(outcomes, wanted, strict=True)), outcomes
    await rig.received("mixed 5")
    assert sorted(received.body for received in rig.peer.received) == ["mixed 0", "mixed 2", "mixed 5"]
    await rig.works_again()


@pytest.mark.parametrize(
    ("scenario", "result"),
    [
        (Scenario.refuse, Result.refused),
        (Scenario.transient, Result.transient),
        (Scenario.throttle, Result.throttled),
        (Scenario.hang_before, Result.transient),
        (Scenario.hang_after, Result.unknown),
        (Scenario.reset_after, Result.unknown),
        (Scenario.bad_credentials, Result.misconfigured),
    ],
)
@pytest.mark.parametrize("warm", [False, True], ids=["first", "warm"])
async def test_fault(rig: Rig, scenario: Scenario, result: Result, warm: bool) -> None:
    if (
        warm and scenario in rig.peer.supports
    ):  # the connection was used before: pools and sessions behave otherwise
        assert (await rig.send_one("warm up")).result in (Result.sent, Result.delivered)
    rig.under(scenario)
    started = time.monotonic()
    outcome = await rig.send_one("in trouble")
    assert time.monotonic() - started < 15  # their time-outs are 4 s at most, and who hangs hangs for longer
    assert outcome.result is result, outcome
    assert outcome.code and outcome.reason
    if scenario is Scenario.throttle and outcome.retry_after is not None:
        wanted = getattr(rig.peer, "retry_after", 7.0)
        assert wanted - 1 <= outcome.retry_after <= wanted + 1
    if result is not Result.unknown:
        assert not [received for received in rig.peer.received if received.body == "in trouble"]
    await rig.works_again()


@pytest.mark.parametrize("scenario", [Scenario.hang_after])
async def test_fault_of_a_whole_batch(rig: Rig, scenario: Scenario) -> None:
    rig.under(scenario)
    outcomes = await rig.send(*(rig.message(f"lost {n}") for n in range(min(rig.channel.batch, 8))))
    assert {outcome.result for outcome in outcomes} == {Result.unknown}, outcomes
    await rig.works_again()


async def test_close_twice_leaves_nothing_behind(rig: Rig) -> None:
    """A second channel on the same peer, so that its tasks can be told from the fixture's."""
    before = asyncio.all_tasks()
    kind = min(DRIVERS[Dsn.parse(rig.peer.dsn).scheme].kinds)
    channel = connect(kind, patient(rig.peer.dsn))
    await channel.close()  # never opened
    await channel.open(rig.sink)
    [outcome] = await channel.send([rig.message("and then close")])
    assert outcome.result in (Result.sent, Result.delivered), outcome
    await channel.close()
    await channel.close()
    await until(lambda: not asyncio.all_tasks() - before)
