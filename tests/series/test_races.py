"""People come and leave while a worker reads them, or begins their step: nobody is lost, and a withdrawal stops."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest

from engine.consent import changes
from engine.consent.changes import DesiredState, Proof
from engine.series import entering, stepping
from shapes.consents import ConsentSource
from shapes.topic_subscriptions import SubscriptionState
from tests.series.made import DAY, Made
from tests.series.test_steps import ANNA, segment
from tests.support.waits import WAITING, until

pytestmark = pytest.mark.servers


async def begun(made: Made, *, by_segment: bool) -> str:
    """Starts a series for which Anna waits to be read, and returns her contact."""
    fields = {"segmentId": await segment(made.person)} if by_segment else {}
    await made.begin(start=False, existing="enter", **fields)
    anna = await made.enter(locale="de")
    await made.start()
    return anna


async def read(made: Made, db: Any) -> None:
    await entering._enter_page(db, UUID(made.id), 100)


async def step(made: Made, db: Any) -> None:
    await stepping._step_page(made.projects.services, db, UUID(made.id))


async def withdraw(made: Made, db: Any, contact: str) -> None:
    wish = DesiredState(UUID(contact), UUID(made.topic), "email", SubscriptionState.withdrawn)
    await changes.apply(db, made.person.id, [wish], Proof(ConsentSource.api))


@asynccontextmanager
async def overlapping(made: Made, first: Any, second: Any) -> AsyncIterator[None]:
    """The second one begins when the first one has written all, and is not committed; it has to wait for that."""
    async with made.db.transaction() as db:
        await first(db)
        other = asyncio.create_task(second())
        await until(lambda: made.db.fetchval(WAITING))
    await other
    yield


@pytest.mark.parametrize("by_segment", [False, True])
async def test_a_withdrawal_while_a_page_is_read_stops_the_entry(made: Made, by_segment: bool):
    anna = await begun(made, by_segment=by_segment)
    async with overlapping(made, lambda db: read(made, db), lambda: made.withdraw(anna)):
        assert await made.entries() == [("stopped", 0, "withdrawn")]
    await made.subscribe(anna)
    await made.later(2 * DAY)
    assert (await made.sent(), await made.entries()) == ([], [("stopped", 0, "withdrawn")])


@pytest.mark.parametrize("by_segment", [False, True])
async def test_who_leaves_before_being_read_enters_when_coming_again(made: Made, by_segment: bool):
    anna = await begun(made, by_segment=by_segment)

    async def reads() -> None:
        async with made.db.transaction() as db:
            await read(made, db)

    async with overlapping(made, lambda db: withdraw(made, db, anna), reads):
        assert await made.entries() == []
    await made.subscribe(anna)
    if by_segment:
        await made.execute("UPDATE series SET read_due_at = now()")
    await made.work()
    assert (await made.sent(), await made.entries()) == ([(1, ANNA)], [("waiting", 1, None)])


async def test_a_withdrawal_waits_for_a_page_of_steps(made: Made):
    await made.begin()
    anna = await made.enter()

    async with overlapping(made, lambda db: step(made, db), lambda: made.withdraw(anna)):
        assert await made.entries() == [("stopped", 1, "withdrawn")]
    await made.later(2 * DAY)
    assert (await made.sent(), await made.skipped()) == ([], {"not_subscribed": 1})


async def test_a_page_of_steps_leaves_who_is_leaving(made: Made):
    await made.begin()
    anna = await made.enter()
    async with made.db.transaction() as db:
        await withdraw(made, db, anna)
        async with made.db.transaction() as other:
            await step(made, other)  # waits for nobody
        assert await made.entries() == [("waiting", 0, None)]
    await made.work()
    assert (await made.sent(), await made.entries()) == ([], [("stopped", 0, "withdrawn")])


async def test_a_page_that_is_read_again_locks_nobody_who_has_entered(made: Made):
    anna = await begun(made, by_segment=True)
    await made.work()
    await made.execute("UPDATE series SET read_due_at = now()")
    async with made.db.transaction() as db:
        await read(made, db)
        await made.withdraw(anna)  # does not wait
    assert await made.entries() == [("stopped", 1, "withdrawn")]
