"""Tests that every driver of a sink must pass: the driver brings a `Rig`, and its tests are a subclass."""

import asyncio
from abc import ABC, abstractmethod
from dataclasses import dataclass
from uuid import UUID, uuid4

import pytest

from sinks.port import Sink, SinkEvent, SinkFailed, SinkStopped


@dataclass
class Stored:
    """An event as the broker has it."""

    id: UUID
    subject: str
    body: bytes


class Rig(ABC):
    """A broker for the tests, and what it has stored."""

    @abstractmethod
    def sink(self) -> Sink:
        """Returns a new sink, whose stream nobody has made before the first one of the rig."""

    @abstractmethod
    async def stored(self) -> list[Stored]:
        """Returns what the broker has, in its order."""

    @abstractmethod
    async def stop(self) -> None:
        """Kills all servers of the broker."""

    @abstractmethod
    async def start(self) -> None:
        """Starts them again, with what they had stored."""


def events(count: int, objects: int = 10, size: int = 100) -> list[SinkEvent]:
    """Returns events of so many objects, in turns; each body begins with the number of the event."""
    owners = [UUID(int=number) for number in range(objects)]
    return [
        SinkEvent(
            uuid4(),
            f"postern.{n % 3}.message.sent",
            ("message", owners[n % objects]),
            b"%08d" % n + b"x" * size,
        )
        for n in range(count)
    ]


def in_order(batch: list[SinkEvent], stored: list[Stored]) -> None:
    """Asserts that the broker has each event once, and those of one object in their order."""
    keys = {event.id: event.key for event in batch}
    assert sorted(each.id for each in stored) == sorted(keys)
    for key in set(keys.values()):
        expected = [event.id for event in batch if event.key == key]
        assert [each.id for each in stored if keys[each.id] == key] == expected


class Conformance:
    """The suite. A driver's tests are a subclass with a fixture `rig`."""

    async def test_the_first_check_makes_the_stream_and_the_second_one_finds_it(self, rig: Rig):
        for made in (True, False):
            sink = rig.sink()
            status = await sink.check()
            await sink.close()
            assert (status.made, status.messages) == (made, 0)
            assert status.largest > 100_000

    async def test_everything_is_stored_once_and_in_the_order_of_its_object(self, rig: Rig):
        sink, batch = rig.sink(), events(2000)
        acknowledged = await sink.publish(batch)
        await sink.close()
        assert len(acknowledged) == len(batch)
        assert not any(each.duplicate for each in acknowledged)
        stored = await rig.stored()
        in_order(batch, stored)
        by_id = {event.id: event for event in batch}
        assert all(
            (by_id[each.id].subject, by_id[each.id].body) == (each.subject, each.body) for each in stored
        )

    async def test_events_of_one_object_alone_keep_their_order(self, rig: Rig):
        sink, batch = rig.sink(), events(200, objects=1)
        await sink.publish(batch)
        await sink.close()
        assert [each.id for each in await rig.stored()] == [event.id for event in batch]

    async def test_what_comes_again_is_dropped(self, rig: Rig):
        batch = events(50)
        for duplicate in (False, True):
            sink = rig.sink()
            acknowledged = await sink.publish(batch)
            await sink.close()
            assert {each.duplicate for each in acknowledged} == {duplicate}
        assert len(await rig.stored()) == 50

    async def test_a_large_batch_has_a_bound_of_memory(self, rig: Rig):
        sink, batch = rig.sink(), events(64, objects=64, size=500_000)
        await sink.publish(batch)
        await sink.close()
        in_order(batch, await rig.stored())

    async def test_an_empty_batch_is_published_at_once(self, rig: Rig):
        sink = rig.sink()
        assert list(await sink.publish([])) == []
        await sink.close()

    async def test_a_broker_that_dies_in_the_middle_loses_nothing(self, rig: Rig):
        sink, batch = rig.sink(), events(20_000, objects=300)
        await sink.check()
        publishing = asyncio.create_task(sink.publish(batch))
        await asyncio.sleep(0.1)
        await rig.stop()
        with pytest.raises(SinkFailed) as failed:
            await publishing
        assert failed.value.code == "broker_away"
        assert not failed.value.permanent
        assert 0 <= failed.value.acknowledged < len(batch)
        with pytest.raises(SinkFailed) as away:
            await sink.publish(batch[failed.value.acknowledged :])
        assert (away.value.code, away.value.acknowledged) == ("broker_away", 0)
        await rig.start()
        rest = batch[failed.value.acknowledged :]
        async with asyncio.timeout(40):
            while rest:
                try:
                    await sink.publish(rest)
                    break
                except SinkFailed as error:
                    rest = rest[error.acknowledged :]
                    await asyncio.sleep(0.2)
        await sink.close()
        in_order(batch, await rig.stored())

    async def test_a_sink_can_be_closed_twice_and_used_again(self, rig: Rig):
        sink = rig.sink()
        await sink.close()
        await sink.publish(events(3))
        await sink.close()
        await sink.close()
        await sink.publish(events(3))
        await sink.close()
        assert len(await rig.stored()) == 6

    async def test_nothing_leaves_when_the_caller_stops(self, rig: Rig):
        sink, batch = rig.sink(), events(2000, objects=20)
        looks = 0

        def goes_on() -> bool:
            nonlocal looks
            looks += 1
            return looks < 500

        with pytest.raises(SinkStopped) as stopped:
            await sink.publish(batch, goes_on)
        await sink.close()
        assert 0 < stopped.value.acknowledged < 500
        stored = await rig.stored()
        assert {each.id for each in stored} >= {event.id for event in batch[: stopped.value.acknowledged]}
        assert len(stored) < 500

    async def test_closing_ends_a_batch_that_is_under_way(self, rig: Rig):
        sink = rig.sink()
        await sink.check()
        publishing = asyncio.create_task(sink.publish(events(20_000, objects=3)))
        await asyncio.sleep(0.05)
        publishing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await publishing
        await sink.close()
