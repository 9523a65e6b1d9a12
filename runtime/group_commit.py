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

    def fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)


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
        self._queues: dict[Hashable, deque[_Entry[Request, Result]]] = {}  # of the keys with a group at work
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
        entry = _Entry[Request, Result](request, size, loop.create_future())
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = deque([entry])
            # A context of its own: what the group does is not only the first request's.
            task = loop.create_task(self._work(key, queue), context=contextvars.Context())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif len(queue) >= self._waiting:
            raise NotStarted
        else:
            queue.append(entry)
        timer = loop.call_later(self._seconds, _expire, queue, entry)
        try:
            return await entry.future
        except asyncio.CancelledError:
            _remove(queue, entry)
            if entry.future.done() and not entry.future.cancelled():
                entry.future.exception()  # no other task retrieves it, and asyncio would log it
            raise
        finally:
            timer.cancel()

    async def _work(self, key: Hashable, queue: deque[_Entry[Request, Result]]) -> None:
        """Carries out the requests of a key until none waits."""
        try:
            while queue:
                await self._together_or_halved(self._next_group(queue))
        finally:
            del self._queues[key]
            for entry in queue:  # the process ends
                entry.fail(NotStarted())

    def _next_group(self, queue: deque[_Entry[Request, Result]]) -> list[_Entry[Request, Result]]:
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


def _expire(queue: deque[_Entry[Request, Result]], entry: _Entry[Request, Result]) -> None:
    """Takes out a request that has waited too long. One that is being carried out goes on."""
    if _remove(queue, entry):
        entry.fail(NotStarted())


def _remove(queue: deque[_Entry[Request, Result]], entry: _Entry[Request, Result]) -> bool:
    with suppress(ValueError):
        queue.remove(entry)
        return True
    return False
