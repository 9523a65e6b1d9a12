"""Change events are published once, after the block, bounded, and not lost when the process ends."""

import asyncio
from uuid import UUID

import pytest

from core import change_events
from core.change_events import ChangeEvents
from core.ids import uuid7
from core.pubsub import GAP, listening
from core.store import Store
from tests.support.waits import PATIENCE


@pytest.fixture
async def outbox(services):
    made = ChangeEvents(services.store)
    yield made
    await made.close()


async def heard(listener):
    async with asyncio.timeout(PATIENCE):
        return await anext(listener)


async def test_it_is_told_when_the_block_ends(services, outbox):
    owner, first, second = uuid7(), uuid7(), uuid7()
    async with listening(services.store, change_events.projects_of(owner)) as listener:
        with outbox.emitting():
            change_events.project(owner, first)
            await asyncio.sleep(0)
            assert outbox._publishing is None  # nothing is said of what is not committed
            change_events.project(owner, second)
            change_events.project(owner, first)
        assert await heard(listener) == {"projects": [str(first), str(second)]}


async def test_what_is_noted_outside_is_nobody_s_and_an_inner_block_is_its_own(services, outbox):
    owner, outer, inner = uuid7(), uuid7(), uuid7()
    change_events.project(owner, uuid7())
    async with listening(services.store, change_events.projects_of(owner)) as listener:
        with outbox.emitting():
            change_events.project(owner, outer)
            with outbox.emitting():
                change_events.project(owner, inner)
            assert await heard(listener) == {"projects": [str(inner)]}
        assert await heard(listener) == {"projects": [str(outer)]}


async def test_a_block_that_fails_tells_all_the_same(services, outbox):
    """One of two transactions may have committed; a listener reads what there is."""
    owner = uuid7()
    async with listening(services.store, change_events.projects_of(owner)) as listener:
        with pytest.raises(ZeroDivisionError), outbox.emitting():
            change_events.project(owner, owner)
            raise ZeroDivisionError
        assert await heard(listener) == {"projects": [str(owner)]}


async def test_a_burst_is_said_at_once_and_its_last_state_in_the_end(services, outbox, monkeypatch):
    owner, id = uuid7(), uuid7()
    events = []
    real = change_events.publish

    async def publish(store, topic, what):
        events.append(what)
        await real(store, topic, what)

    monkeypatch.setattr(change_events, "publish", publish)
    async with listening(services.store, change_events.messages_of(owner)) as listener:
        for number in range(1000):
            with outbox.emitting():
                change_events.message(owner, id, f"state {number}")
        assert await heard(listener) == {"messages": {str(id): "state 999"}}
        with outbox.emitting():
            change_events.message(owner, id, "the last")
        assert await heard(listener) == {"messages": {str(id): "the last"}}
    assert len(events) == 2


async def test_too_many_at_once_are_a_gap(services, outbox):
    owner = uuid7()
    async with listening(services.store, change_events.messages_of(owner)) as listener:
        with outbox.emitting():
            for number in range(change_events.MOST + 1):
                change_events.message(owner, UUID(int=number), "sent")
        assert await heard(listener) == GAP
        with outbox.emitting():
            change_events.message(owner, owner, "sent")
        assert await heard(listener) == {"messages": {str(owner): "sent"}}


async def test_any_of_his_counts_more_than_one_of_them(services, outbox):
    owner = uuid7()
    async with listening(services.store, change_events.projects_of(owner)) as listener:
        with outbox.emitting():
            change_events.project(owner, uuid7())
            change_events.all_projects(owner)
            change_events.project(owner, uuid7())
        assert await heard(listener) == GAP
        with outbox.emitting():  # both wait for the next announcement
            change_events.all_projects(owner)
            change_events.emit()
            change_events.project(owner, uuid7())
        assert await heard(listener) == GAP


async def test_a_long_job_may_tell_in_between(services, outbox):
    owner, first = uuid7(), uuid7()
    async with listening(services.store, change_events.projects_of(owner)) as listener:
        with outbox.emitting():
            change_events.project(owner, first)
            change_events.emit()
            assert await heard(listener) == {"projects": [str(first)]}


async def test_what_is_left_is_said_at_the_end(services):
    owner, first, second = uuid7(), uuid7(), uuid7()
    outbox = ChangeEvents(services.store)
    async with listening(services.store, change_events.projects_of(owner)) as listener:
        with outbox.emitting():
            change_events.project(owner, first)
        assert await heard(listener) == {"projects": [str(first)]}
        with outbox.emitting():
            change_events.project(owner, second)
        await outbox.close()
        assert await heard(listener) == {"projects": [str(second)]}
    assert outbox._publishing is None


async def test_nobody_waits_for_a_redis_that_is_away():
    store = Store("redis://127.0.0.1:1/0")
    outbox = ChangeEvents(store)
    for _ in range(100):
        with outbox.emitting():
            change_events.project(uuid7(), uuid7())
    await outbox.close()
    await store.close()
