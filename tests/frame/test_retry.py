"""Tests which errors of the database are passing, and how often work is repeated after one."""

import asyncio

import asyncpg
import pytest

from core.errors import Conflict, NotFound, Unavailable
from runtime.retry import despite_conflicts, passing, until_done, until_stored


class Work:
    """Fails with each of these errors in turn, then answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.calls = [*errors], 0

    async def __call__(self, *_: object) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (ConnectionRefusedError(), True),
        (asyncpg.DeadlockDetectedError("failed"), True),
        (asyncpg.TooManyConnectionsError("failed"), True),
        (asyncpg.LockNotAvailableError("failed"), True),
        (Unavailable("The database is away."), True),
        (Conflict("The project is running."), False),
        (NotFound("There is none."), False),
        (asyncpg.UniqueViolationError("failed"), False),
        (ValueError("a bug"), False),
    ],
)
def test_an_error_that_passes(error: Exception, passes: bool):
    assert passing(error) is passes


async def test_work_is_repeated_until_it_is_done():
    work = Work(ConnectionRefusedError(), asyncpg.DeadlockDetectedError("failed"))
    assert (await until_done(work, longest_pause=0.01), work.calls) == ("done", 3)


async def test_a_bug_is_raised_at_once():
    work = Work(ValueError("a bug"))
    with pytest.raises(ValueError, match="a bug"):
        await until_done(work)
    assert work.calls == 1


async def test_after_its_time_the_last_error_is_raised():
    work = Work(*[ConnectionRefusedError(number, "refused") for number in range(1000)])
    with pytest.raises(ConnectionRefusedError):
        await until_done(work, seconds=0.05, longest_pause=0.01)
    assert 1 < work.calls < 1000


async def test_a_cancelled_wait_ends():
    task = asyncio.create_task(until_done(Work(*[ConnectionRefusedError()] * 1000)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_each_try_has_a_connection_of_its_own(services):
    work = Work(ConnectionResetError())
    assert (await until_stored(services.db, work), work.calls) == ("done", 2)


@pytest.mark.parametrize(("conflicts", "calls"), [(0, 1), (2, 3)])
async def test_a_transaction_that_lost_runs_again(conflicts: int, calls: int):
    work = Work(*[asyncpg.SerializationError("failed") for _ in range(conflicts)])
    assert (await despite_conflicts(lambda: work()), work.calls) == ("done", calls)  # noqa: PLW0108  a lambda too


async def test_a_transaction_that_always_loses_is_given_up():
    work = Work(*[asyncpg.DeadlockDetectedError("failed") for _ in range(9)])
    with pytest.raises(asyncpg.DeadlockDetectedError):
        await despite_conflicts(work)
    assert work.calls == 3
