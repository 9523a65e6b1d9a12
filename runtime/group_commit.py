"""Joins concurrent requests that need the same row: they are carried out together, in the order of their arrival.

    first request ──► carried out at once, alone
    requests that arrive meanwhile ──► wait ──► carried out together when the first has ended, and so on

So a row that everybody locks is locked once a group, and not once a request. No timer delays a request that is alone.
Each process joins its own requests; between processes the row's lock decides. Groups may themselves be requests of
another GroupCommit. See docs/decisions/0033.
"""

import asyncio
import contextvars
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.tasks import end
from runtime.retry import passing

Request = TypeVar("Request")
Result = TypeVar("Result")
Key = TypeVar("Key", bound=Hashable)

TOGETHER = 100  # requests in a group
WAITING = 400  # requests that wait with the same key
BYTES = 4 * 2**20  # of a group of more than one request
SECONDS = 1.0  # that a request waits before it is carried out
LAST_SECONDS = 5.0  # that groups have to end when the process ends


class NotStarted(Exception):
    """The request was not carried out: too many wait with its key, or it has waited too long."""


@dataclass(eq=False, slots=True)
class _Entry(Generic[Request, Result]):
    request: Request
    size: int
    future: "asyncio.Future[Result]"
    until: float  # loop.time() at which it has waited too long

    def fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class _Queue(deque[_Entry[Request, Result]]):
    """The requests of a key that wait, in the order of their arrival, and one timer for the first of them."""

    timer: asyncio.TimerHandle | None = None

    def expire(self) -> None:
        """Takes out requests that have waited too long. One that is being carried out goes on."""
        loop = asyncio.get_running_loop()
        while self and self[0].until <= loop.time():
            self.popleft().fail(NotStarted())
        self.timer = loop.call_at(self[0].until, self.expire) if self else None

    def wait(self, entry: _Entry[Request, Result]) -> None:
        """Adds a request that waits."""
        self.append(entry)
        if self.timer is None:
            self.timer = asyncio.get_running_loop().call_at(entry.until, self.expire)

    def close(self) -> None:
        """Ends the timer, and the requests that wait."""
        if self.timer is not None:
            self.timer.cancel()
        for entry in self:
            entry.fail(NotStarted())


class GroupCommit(Generic[Request, Result]):
    """The requests of a process that are to be joined, by key."""

    def __init__(
        self,
        carry_out: Callable[[Sequence[Request]], Awaitable[Sequence[Result]]],
        *,
        together: int = TOGETHER,
        waiting: int = WAITING,
        size: int = BYTES,
        seconds: float = SECONDS,
    ) -> None:
        """`carry_out` returns one result a request, in their order, and changes nothing if it raises an error.

        Bounds: `together` requests in a group and `size` bytes, unless one request is larger; `waiting` requests of a
        key, each of them for `seconds`.
        """
        self._carry_out = carry_out
        self._together, self._waiting, self._size, self._seconds = together, waiting, size, seconds
        self._queues: dict[Hashable, _Queue[Request, Result]] = {}  # of the keys with a group at work
        self._tasks: set[asyncio.Task[None]] = set()

    async def join(self, key: Hashable, request: Request, size: int = 0) -> Result:
        """Carries out a request, together with others of its key. Returns its result after that.

        `size` is about how many bytes the request has. A caller who is cancelled before the request is carried out
        takes it back, unless it has become part of a group that waits in another one; later it is carried out all
        the same.

        Raises NotStarted, and the error of `carry_out` for this request. An error that lies in one request does not
        reach the others: the group is halved until the request is alone.
        """
        loop = asyncio.get_running_loop()
        entry = _Entry[Request, Result](request, size, loop.create_future(), loop.time() + self._seconds)
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = _Queue([entry])
            # A context of its own: what the group does is not only the first request's.
            task = loop.create_task(self._work(key, queue), context=contextvars.Context())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif len(queue) >= self._waiting:
            raise NotStarted
        else:
            queue.wait(entry)
        try:
            return await entry.future
        except asyncio.CancelledError:
            with suppress(ValueError):
                queue.remove(entry)
            if entry.future.done() and not entry.future.cancelled():
                entry.future.exception()  # no other task retrieves it, and asyncio would log it
            raise

    async def _work(self, key: Hashable, queue: _Queue[Request, Result]) -> None:
        """Carries out the requests of a key until none waits."""
        try:
            while queue:
                await self._together_or_halved(self._next_group(queue))
        finally:
            del self._queues[key]
            queue.close()  # requests wait still if the process ends

    def _next_group(self, queue: _Queue[Request, Result]) -> list[_Entry[Request, Result]]:
        group = [queue.popleft()]
        size = group[0].size
        while queue and len(group) < self._together and size + queue[0].size <= self._size:
            group.append(queue.popleft())
            size += group[-1].size
        return group

    async def _together_or_halved(self, group: list[_Entry[Request, Result]]) -> None:
        """Carries out a group. If that fails, the halves of the group: the first one first, as they arrived."""
        try:
            results = await self._carry_out([entry.request for entry in group])
        except Exception as error:
            # What passes (the row is locked, the database is away) does not lie in one of the requests.
            if len(group) > 1 and not passing(error):
                half = len(group) // 2
                await self._together_or_halved(group[:half])
                await self._together_or_halved(group[half:])
                return
            for entry in group:
                entry.fail(error)
        except BaseException:  # the process ends, and whether the group was committed is not known
            for entry in group:
                entry.fail(TimeoutError())
            raise
        else:
            for entry, result in zip(group, results, strict=True):
                if not entry.future.done():
                    entry.future.set_result(result)

    async def close(self, seconds: float = LAST_SECONDS) -> None:
        """Waits so long for the groups at work, and ends them then."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
            await end(self._tasks)


class SharedReads(GroupCommit[Key, Result]):
    """Reads that concurrent requests of one key share. Each begins after its requests have arrived, so that none is
    told what was true before.
    """

    def __init__(
        self,
        read: Callable[[Key], Awaitable[Result]],
        *,
        waiting: int = WAITING,
        seconds: float = SECONDS,
    ) -> None:
        super().__init__(self._read_once, together=waiting, waiting=waiting, seconds=seconds)
        self._read = read

    async def of(self, key: Key) -> Result:
        """Returns what is read for a key. Raises NotStarted, and the errors of `read`."""
        return await self.join(key, key)

    async def _read_once(self, keys: Sequence[Key]) -> Sequence[Result]:
        return [await self._read(keys[0])] * len(keys)
