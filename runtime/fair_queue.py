"""A bounded queue before work that takes long, fair between users and between the networks that they come from.

    alone(user, network) ──► refused: the user, the network or all have too much waiting
            │
    one after the other for each user ──► slot(user): a few for all, in turns between the networks

A network that has more waiting than the newcomer's makes room for it when the queue is full: its newest one is refused.
A network that has as many waiting as it may makes room for a user whose work ended less often in the last minute than
that of another one: the newest of the other one's is refused. So neither one user nor sixteen users from one address,
who come again and again, keep a stranger out.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from cachetools import TTLCache

from runtime.fair_slots import FairSlots

_MINUTE = 60.0
_RECENT_USERS = 10_000

User = Hashable
"""The source whose pieces of work come one after the other: a user (None is the service itself), a form, a network."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The limits of a queue. Work that has begun counts as waiting until it ends."""

    slots: int
    slots_per_network: int
    waiting: int
    per_user: int
    per_network: int
    seconds: float
    """for which one may wait for one's turn, and again for a slot"""


@dataclass(slots=True, eq=False)
class _Ticket:
    user: User
    network: Hashable
    number: int
    waits: asyncio.Future[None] | None = None
    began: bool = False  # it has had a slot


class FairQueue:
    """One queue. `busy` makes the error for who has to come again."""

    def __init__(self, bounds: Bounds, busy: Callable[[], Exception]) -> None:
        self._bounds, self._busy, self._numbers = bounds, busy, count()
        self._users: dict[User, deque[_Ticket]] = {}  # the first ticket of each user has its turn
        self._of_network: Counter[Hashable] = Counter()  # tickets
        self._recent: TTLCache[User, int] = TTLCache(
            _RECENT_USERS, _MINUTE
        )  # how often work of a user has ended
        self._slots = FairSlots(bounds.slots, bounds.slots_per_network)  # by network

    def __len__(self) -> int:
        return self._of_network.total()

    @asynccontextmanager
    async def alone(self, user: User, network: str | None) -> AsyncIterator[None]:
        """Waits until no other work of this user is under way, and keeps others of the same user waiting.

        `network`: where the caller is; None if that does not matter. Raises `busy`.
        """
        ticket = _Ticket(user, network or (user,), next(self._numbers))
        self._admit(ticket)
        tickets = self._users.setdefault(user, deque())
        tickets.append(ticket)
        self._of_network[ticket.network] += 1
        try:
            if tickets[0] is not ticket:
                await self._wait(ticket, asyncio.get_running_loop().create_future())
            yield
        finally:
            first = tickets[0] is ticket
            tickets.remove(ticket)
            if ticket.began:
                self._recent[user] = self._recent.get(user, 0) + 1
            self._of_network[ticket.network] -= 1
            if not self._of_network[ticket.network]:
                del self._of_network[ticket.network]
            if not tickets:
                del self._users[user]
            elif first:
                _wake(tickets[0])

    @asynccontextmanager
    async def slot(self, user: User) -> AsyncIterator[None]:
        """Waits for one of the slots, for a user who is inside `alone`. Raises `busy`."""
        ticket = self._users[user][0]
        granted = self._slots.request(ticket.network)
        try:
            await self._wait(ticket, granted)
            ticket.began = True
            yield
        finally:
            self._slots.give_back(ticket.network, granted)

    def _admit(self, ticket: _Ticket) -> None:
        """Raises `busy` unless the ticket may wait."""
        of_network = self._of_network
        if len(self._users.get(ticket.user, ())) >= self._bounds.per_user:
            raise self._busy()
        if of_network[ticket.network] >= self._bounds.per_network:
            mine = self._recent.get(ticket.user, 0)
            waiting = [
                other for other in self._waiting_of(ticket.network) if self._recent.get(other.user, 0) > mine
            ]
            self._refuse(waiting, lambda other: (self._recent.get(other.user, 0), other.number))
        elif len(self) >= self._bounds.waiting:
            fullest, most = of_network.most_common(1)[0]
            has_more = most > of_network[ticket.network] + 1
            self._refuse(self._waiting_of(fullest) if has_more else [], lambda other: other.number)

    def _waiting_of(self, network: Hashable) -> list[_Ticket]:
        tickets = (other for own in self._users.values() for other in own)
        return [other for other in tickets if other.network == network and _waits(other)]

    def _refuse(self, waiting: list[_Ticket], order: Callable[[_Ticket], Any]) -> None:
        """Makes room by refusing the last of these tickets. Raises `busy` if there is none."""
        if not waiting:
            raise self._busy()
        last = max(waiting, key=order)
        assert last.waits is not None
        last.waits.set_exception(self._busy())

    async def _wait(self, ticket: _Ticket, until: "asyncio.Future[None]") -> None:
        ticket.waits = until
        try:
            async with asyncio.timeout(self._bounds.seconds):
                await until
        except TimeoutError:
            raise self._busy() from None
        finally:
            ticket.waits = None


def _waits(ticket: _Ticket) -> bool:
    return ticket.waits is not None and not ticket.waits.done()


def _wake(ticket: _Ticket) -> None:
    if ticket.waits is not None and not ticket.waits.done():
        ticket.waits.set_result(None)
