"""The events of one endpoint that are in memory: by thread, each thread in order."""

import heapq
from collections import Counter, deque
from collections.abc import Collection, Sequence
from typing import Protocol

from engine.webhooks import delivery_queries
from engine.webhooks.delivery_queries import Item

FULL = 100  # events of one thread in memory, when other threads wait too
GROUPS = 4  # requests into which the events of a refused one are divided, at least, when they are tried again


class Room(Protocol):
    """Has the memory that all endpoints of a process share."""

    room: int  # bytes of events that may still be loaded


class EventBuffer:
    """Events that were read and are not yet deleted. Their bodies take room of all endpoints until they are
    accepted.
    """

    def __init__(self, host: Room, thread_bytes: int) -> None:
        """`thread_bytes`: of the bodies of a thread, from which on no more of it are read."""
        self.waiting = 0  # events that no endpoint has accepted
        self.bytes = 0  # of their bodies
        self.sequences: set[int] = set()  # `seq` of all events here
        self.retried: set[str] = set()  # threads with an event here that failed before
        self._host, self._thread_bytes = host, thread_bytes
        self._threads: dict[str, deque[Item]] = {}
        # Threads with no call in flight, by `seq` of their first event: whether that has failed before, or not.
        self._new: list[tuple[int, str]] = []
        self._failed: list[tuple[int, str]] = []

    @property
    def ready(self) -> int:
        """Returns how many threads have an event that may be sent now."""
        return len(self._new) + len(self._failed)

    def full_threads(self) -> list[str]:
        """Returns the threads of which no more are to be read for now."""
        return [thread for thread, events in self._threads.items() if self._is_full(events)]

    def _is_full(self, events: Collection[Item]) -> bool:
        return len(events) >= FULL or sum(len(event.body) for event in events) >= self._thread_bytes

    def add(self, event: Item) -> None:
        """Puts an event at the end of its thread."""
        self.sequences.add(event.seq)
        self.waiting += 1
        self.bytes += len(event.body)
        self._host.room -= len(event.body)
        if event.attempts:
            self.retried.add(event.thread)
        if (events := self._threads.get(event.thread)) is None:
            self._threads[event.thread] = deque((event,))
            self._push(event)
        else:
            events.append(event)

    def _push(self, first: Item) -> None:
        """Makes a thread ready, whose first event this is."""
        heapq.heappush(self._failed if first.attempts else self._new, (first.seq, first.thread))

    def next_request(self, most: int, *, retry: bool = True) -> list[Item]:
        """Returns the events of the next request, at most `most`: from their threads nothing else is ready until
        `remove`.

        `retry`: they may have failed before; they have if nothing else is ready. An event that failed twice goes alone,
        because the others would fail with it; those that failed together once are sent in smaller groups.
        """
        heap = self._failed if self._failed and (retry or not self._new) else self._new
        chosen: list[Item] = []
        size = 0
        while heap:
            seq, thread = heapq.heappop(heap)
            for event in self._threads[thread]:
                limit = _group(event, most)
                full = len(chosen) >= limit or size + len(event.body) > delivery_queries.BYTES
                if chosen and (full or _differ(event, chosen[0])):
                    break
                chosen.append(event)
                size += len(event.body)
            if chosen[-1].thread != thread:  # there is no room for it
                heapq.heappush(heap, (seq, thread))
                break
            if len(chosen) >= _group(chosen[0], most):
                break
        return chosen

    def accept(self, events: Sequence[Item]) -> None:
        """Gives back the room of events that the endpoint has accepted."""
        size = sum(len(event.body) for event in events)
        self.waiting -= len(events)
        self.bytes -= size
        self._host.room += size

    def remove(self, events: Sequence[Item]) -> None:
        """Removes accepted events, which are the first of their threads. The threads are ready again."""
        for thread, count in Counter(event.thread for event in events).items():
            rest = self._threads[thread]
            for _ in range(count):
                rest.popleft()
            if rest:
                self._push(rest[0])
            else:
                del self._threads[thread]

    def drop_threads(self, events: Sequence[Item]) -> None:
        """Removes the threads of events that failed, with everything behind these."""
        for thread in {event.thread for event in events}:
            dropped = self._threads.pop(thread)
            self.accept(dropped)
            self.forget(dropped)

    def forget(self, events: Collection[Item]) -> None:
        """Forgets events that were deleted: until then they must not be read again."""
        self.sequences.difference_update(event.seq for event in events)
        self.retried.difference_update(event.thread for event in events if event.attempts)

    def give_back(self) -> None:
        """Gives back the room of all events, at the end."""
        self._host.room += self.bytes
        self.bytes = 0


def _group(event: Item, most: int) -> int:
    """Returns how many events a request with this one may have."""
    if not event.attempts:
        return most
    return max(most // GROUPS, 1) if event.attempts == 1 else 1


def _differ(event: Item, first: Item) -> bool:
    """Returns whether these two must not be in one request."""
    return bool(event.attempts) != bool(first.attempts) or event.replayed != first.replayed
