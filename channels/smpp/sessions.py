"""The sessions of one account: which of them takes a message, and which are down."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from channels.port import Result
from channels.smpp import status
from channels.smpp.binding import Binding
from channels.smpp.codec import Command, Frame
from channels.smpp.link import Deliver, Link, Login, NotSent, later

Build = Callable[[int], bytes]


class Sessions:
    """Keeps the sessions of an account bound. Those that send have a part of the window each, so that a connection that
    breaks takes no more than its part along.
    """

    def __init__(self, login: Login, roles: Sequence[Command], connections: int, deliver: Deliver) -> None:
        """`roles`: of the sessions, of which the first sends. There are `connections` of it, and one of each other."""
        parts = [
            login.window // connections + (index < login.window % connections) for index in range(connections)
        ]
        self.senders = [Binding(replace(login, window=part), roles[0], deliver) for part in parts]
        self._timeout = login.timeout
        self._waiting: deque[asyncio.Future[None]] = deque()  # messages that wait for room in any session
        self._others = [Binding(login, role, deliver) for role in roles[1:]]

    @property
    def all(self) -> list[Binding]:
        """Returns the sessions that send, and then the others."""
        return [*self.senders, *self._others]

    async def submit(self, build: Build) -> Frame:
        """Sends a submit_sm by the session that has the most room, and returns its answer. Raises NotSent, Unanswered.

        What was surely not sent goes to another session at once, if one is bound.
        """
        for _ in self.senders[1:]:
            try:
                return await self._submit(build)
            except NotSent as failure:
                if failure.outcome.code != "connection_lost" or self._roomiest() is None:
                    raise
        return await self._submit(build)

    async def _submit(self, build: Build) -> Frame:
        link = await self._link()
        try:
            answer = await link.submit(build)
            if answer.status == status.WRONG_BIND_STATE:  # the SMSC has lost our bind and accepted nothing
                link = await self._link()
                answer = await link.submit(build)
            return answer
        finally:
            self._freed()

    def _roomiest(self) -> Link | None:
        bound = [link for binding in self.senders if (link := binding.bound) is not None]
        return max(bound, key=lambda link: link.room, default=None)

    async def _link(self) -> Link:
        """Returns the bound link with the most room; waits for one within the timeout. Raises NotSent."""
        if len(self.senders) == 1:
            return await self.senders[0].link()
        if (link := self._roomiest()) is not None and link.room > 0:
            return link
        failure = later("window_full", "The SMSC has not answered the previous messages yet.")
        with suppress(TimeoutError):
            async with asyncio.timeout(self._timeout):
                while (link := self._roomiest()) is not None:
                    if link.room > 0:
                        return link
                    self._waiting.append(freed := asyncio.get_running_loop().create_future())
                    try:
                        await freed
                    except asyncio.CancelledError:  # its turn may have come just now
                        self._freed()
                        raise
        if link is not None:
            raise NotSent(failure)
        self._freed()  # those behind it need not wait for room either
        return await self._first_bound()

    def _freed(self) -> None:
        """Lets the first message that waits for room look again."""
        while self._waiting:
            if not (first := self._waiting.popleft()).done():  # else its time was up
                first.set_result(None)
                return

    async def _first_bound(self) -> Link:
        """Returns the link of the session that is bound first. Raises NotSent."""
        attempts = [asyncio.create_task(binding.link()) for binding in self.senders]
        try:
            for attempt in asyncio.as_completed(attempts):
                with suppress(NotSent):
                    return await attempt
        finally:
            for task in attempts:
                task.cancel()
            await asyncio.gather(*attempts, return_exceptions=True)
        failures = [error for task in attempts if isinstance(error := task.exception(), NotSent)]
        # A session beyond the SMSC's bound is refused like one with a wrong password; the others will be bound again.
        failures.sort(key=lambda failure: failure.outcome.result is Result.misconfigured)
        raise failures[0]

    async def first_binds(self) -> None:
        """Waits until each session has been tried once. Raises NotSent if one is not bound."""
        links: list[Awaitable[Link]] = [binding.link() for binding in self.all]
        for result in await asyncio.gather(*links, return_exceptions=True):
            if isinstance(result, BaseException):
                raise result

    def down(self) -> list[str]:
        """Returns a sentence for each session that is not bound."""
        return [
            f"Session {number} of {len(self.all)} ({binding.role}) is down: {trouble}"
            for number, binding in enumerate(self.all, 1)
            if (trouble := binding.trouble) is not None
        ]

    async def close(self) -> None:
        await asyncio.gather(*(binding.close() for binding in self.all))
