"""Receivers that mean harm: slow, huge, elsewhere than they said."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

import pytest
import structlog

from core.ids import uuid7
from core.outbound import Guard
from engine.webhooks import call, deliverer
from tests.support.tcp import serving
from tests.support.waits import until
from tests.webhooks.receiver import Call, Receiver, receiving
from tests.webhooks.world import SECRET, World

_MANY = """
INSERT INTO webhooks (id, account_id, url, secret_encrypted, failures, next_at, owner_id)
SELECT $1, $2, $3, $4, $5, $6, owner_id FROM messenger_accounts WHERE id = $2
"""
_HUGE = 2**30


async def forever(pieces: bytes, writer: asyncio.StreamWriter, pause: float) -> None:
    with suppress(ConnectionError):
        while True:
            writer.write(pieces)
            await writer.drain()
            await asyncio.sleep(pause)


async def test_an_answer_that_drips_is_judged_by_its_status(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, "SECONDS", 2.0)  # the status must come in that time too
    await world.hook(receiver.url)

    async def drip(_: Call, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n")
        await forever(b"x", writer, 0.02)

    receiver.answer = drip
    await world.say("one", "two")
    async with world.delivering():
        await world.empty()
    assert [called.json["text"] for called in receiver.calls] == ["one", "two"]


async def test_a_status_line_that_drips_is_given_up(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, "SECONDS", 0.5)
    hook = await world.hook(receiver.url)

    async def drip(_: Call, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n")
        await forever(b"x-header: y\r\n", writer, 0.02)

    receiver.answer = drip
    await world.say("one")
    async with world.delivering():
        row = await world.failed(hook, 1)
    assert row["last_error"].startswith("no answer in time")
    assert row["last_status"] is None


async def test_of_a_huge_answer_little_is_read(world: World, receiver: Receiver) -> None:
    await world.hook(receiver.url)
    sent = 0

    async def flood(_: Call, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(f"HTTP/1.1 200 OK\r\ncontent-length: {_HUGE}\r\n\r\n".encode())
        while sent < _HUGE:
            writer.write(b"x" * 65536)
            await writer.drain()
            sent += 65536

    receiver.answer = flood
    await world.say("one")
    async with world.delivering():
        await world.empty()
        await until(lambda: receiver.busy == 0)  # its connection broke
    assert sent < _HUGE / 16  # what the kernels of both sides buffer is not ours to bound


@pytest.mark.parametrize(
    "reply",
    [
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 999999 X\r\n\r\n",
        b"",
        b"HTTP/1.1 200 OK\r\n" + b"x: " + b"y" * 200_000,
    ],
    ids=["nonsense", "status", "nothing", "headers"],
)
async def test_what_is_no_http_is_a_failure(world: World, receiver: Receiver, reply: bytes) -> None:
    hook = await world.hook(receiver.url)

    async def answer(_: Call, writer: asyncio.StreamWriter) -> None:
        writer.write(reply)
        writer.close()

    receiver.answer = answer
    await world.say("one")
    async with world.delivering():
        row = await world.failed(hook, 1)
    assert row["last_status"] is None
    assert row["last_error"].startswith("no answer")


async def test_a_name_that_moves_inside_is_not_called(world: World, receiver: Receiver) -> None:
    """It was public when it was saved. What counts is where it leads when it is called."""
    places = ["127.0.0.1"]

    async def resolver(host: str, port: int) -> Sequence[str]:
        return places

    world.services.guard = Guard(["127.0.0.1/32"], resolver=resolver)
    async with receiving() as inside:
        await inside.stop()
        hook = await world.hook(f"http://moves.example:{receiver.port}/hook")
        places[:] = ["127.0.0.2"]
        await world.say("one")
        async with serving(inside.serve, "127.0.0.2", receiver.port), world.delivering():
            row = await world.failed(hook, 1)
            assert row["last_error"] == (
                "not called: the URL leads to an address that is not public (loopback)"
            )
            places[:] = ["127.0.0.1"]
            world.time.forward(seconds=6)
            await receiver.got(1)
            await world.empty()
        assert inside.connections == 0


async def _dead(world: World, url: str, count: int, failures: int = 0) -> None:
    """Makes so many endpoints, ten an account, each with an event that waits."""
    for number in range(0, count, 10):
        account = await world.make_account(f"dead{number}")
        for path in range(number, min(number + 10, count)):
            id = uuid7()
            sealed = world.services.vault.seal(SECRET, f"messenger_webhooks.secret:{id}")
            due = world.time() - timedelta(seconds=1) if failures else None
            await world.services.db.fetch(_MANY, id, account, f"{url}/{path}", sealed, failures, due)
        await world.say("never", account=account)


async def _hang(_: Call, writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def test_two_hundred_that_hang_delay_one_that_works_by_nothing(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, "SECONDS", 600.0)  # so that all of them hang for the whole test
    async with receiving() as dead:
        dead.answer = _hang
        await _dead(world, dead.url, 200)
        await world.hook(receiver.url)
        async with world.delivering():
            await until(lambda: dead.busy == 200)
            await world.say("at once")
            await receiver.got(1)
            assert dead.busy == 200


async def test_those_that_failed_before_have_places_of_their_own(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, "SECONDS", 600.0)
    monkeypatch.setattr(deliverer, "SLOTS", 1)
    monkeypatch.setattr(deliverer, "FAILING", 4)  # one owner gets three
    async with receiving() as dead:
        dead.answer = _hang
        await _dead(world, dead.url, 10, failures=2)
        await world.hook(receiver.url)
        async with world.delivering():
            await until(lambda: dead.busy == 3)
            await world.say("at once")
            await receiver.got(1)
            assert dead.busy == 3


async def test_a_slow_receiver_of_many_threads_leaves_the_others_their_calls(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each endpoint keeps its one call when no call can be spared."""
    monkeypatch.setattr(deliverer, "SPARE", 0)
    receiver.delay = 0.001
    await world.hook(receiver.url)
    for n in range(20):
        await world.say("hello", thread=f"{n}")
    async with world.delivering():
        await receiver.got(20)
        await world.empty()
    assert receiver.busiest == 1


async def test_no_secret_and_no_body_gets_into_the_log_or_an_error(world: World) -> None:
    """Nor the path of the address, which often is a secret."""
    hook = await world.hook("http://127.0.0.1:18999/very-secret-path?key=very-secret-key")
    await world.say("very secret words")
    with structlog.testing.capture_logs() as logs:
        async with world.delivering():
            row = await world.failed(hook, 1)
    assert "a webhook failed" in {entry["event"] for entry in logs}
    text = f"{logs} {row['last_error']}"
    assert "very" not in text
    assert SECRET.removeprefix("whsec_") not in text
    assert SECRET.encode() not in row["secret_encrypted"]
