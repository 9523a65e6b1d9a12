"""The messages that wait for a route: direct ones first, then projects in turn."""

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID


@dataclass(slots=True, eq=False)
class Waiting:
    """Messages of one delivery that wait for a route."""

    delivery: Any
    messages: deque[Any]
    begun: bool = False  # some of them were taken


@dataclass(slots=True)
class ReadyQueue:
    """The queue of one route."""

    _groups: OrderedDict[UUID | None, deque[Waiting]] = field(default_factory=OrderedDict)
    _count: int = 0

    def __len__(self) -> int:
        return self._count

    def add(self, delivery: Any, messages: Sequence[Any]) -> None:
        """Puts messages at the end of their group's queue."""
        self._groups.setdefault(delivery.group, deque()).append(Waiting(delivery, deque(messages)))
        self._count += len(messages)

    def pop(self, most: int, unsplit: int, admits: Callable[[Any], bool]) -> tuple[Any, list[Any]] | None:
        """Removes and returns up to `most` messages of one delivery: a direct one, or one of the next project.

        A delivery of which nothing was taken yet is not split if it has no more than `unsplit` messages: then it waits
        until all of it fits. Messages that `admits` refuses stay where they are. Returns None if nothing is taken.
        """
        for group in [None, *[group for group in self._groups if group is not None]]:
            for waiting in self._groups.get(group, ()):
                if not waiting.begun and most < len(waiting.messages) <= unsplit:
                    return None  # it is next, as soon as there is room for it
                taken = _pop(waiting.messages, most, admits)
                if taken:
                    waiting.begun = True
                    self._count -= len(taken)
                    self._advance(group, waiting)
                    return waiting.delivery, taken
        return None

    def _advance(self, group: UUID | None, waiting: Waiting) -> None:
        queue = self._groups[group]
        if not waiting.messages:
            queue.remove(waiting)
        if not queue:
            del self._groups[group]
        elif group is not None:
            self._groups.move_to_end(group)

    def deliveries(self) -> list[Any]:
        """Returns the deliveries that have messages here."""
        return [waiting.delivery for queue in self._groups.values() for waiting in queue]

    def remove(self, delivery: Any, leaves: Callable[[Any], bool] = lambda _: False) -> list[Any]:
        """Takes out all messages of a delivery, but for those that `leaves` leaves here."""
        removed: list[Any] = []
        group = delivery.group
        for waiting in [waiting for waiting in self._groups.get(group, ()) if waiting.delivery is delivery]:
            staying = deque[Any]()
            for message in waiting.messages:
                (staying if leaves(message) else removed).append(message)
            waiting.messages = staying
            if not staying:
                self._groups[group].remove(waiting)
        if group in self._groups and not self._groups[group]:
            del self._groups[group]
        self._count -= len(removed)
        return removed


def _pop(messages: deque[Any], most: int, admits: Callable[[Any], bool]) -> list[Any]:
    """Takes up to `most` messages that `admits` lets through, from the front. The others keep their order."""
    taken: list[Any] = []
    passed: list[Any] = []
    while messages and len(taken) < most:
        message = messages.popleft()
        (taken if admits(message) else passed).append(message)
    messages.extendleft(reversed(passed))
    return taken
