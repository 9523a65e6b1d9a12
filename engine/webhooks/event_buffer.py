"""The events of one endpoint that are in memory: by thread, each thread in order."""

import heapq
from collections import Counter, deque
from collections.abc import Collection, Sequence
from typing import Protocol

from engine.webhooks import delivery_queries
from engine.webhooks.delivery_queries import Item

FULL = 100  # events of one thread in memory, when other threads wait too


class Room(Protocol):
    """Has the memory that all endpoints of a process share."""

    room: int  # bytes of events that may still be loaded


class EventBuffer:
    """Events that were read and are not yet deleted. Their bodies take room of all endpoints until they are accepted."""

    def __init__(self, host: Room, thread_bytes: int) -> None:
        """`thread_bytes`: of the bodies of a thread, from which on no more of it are read."""
        self.waiting = 0  # events that no endpoint has accepted
        self.bytes = 0  # of their bodies
        self.sequences: set[int] = set()  # `seq` of all events here
        self._host, self._thread_bytes = host, thread_bytes
        self._threads: dict[str, deque[Item]] = {}
        # Threads with no call in flight, by `seq` of their first event.
        self._ready: list[tuple[int, str]] = []

    @property
    def ready(self) -> int:
        """Returns how many threads have an event that may be sent now."""
        return len(self._ready)

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
        if (events := self._threads.get(event.thread)) is None:
            self._threads[event.thread] = deque((event,))
            heapq.heappush(self._ready, (event.seq, event.thread))
        else:
            events.append(event)

    def next_request(self, most: int) -> list[Item]:
        """Returns the events of the next request, at most `most`: from their threads nothing else is ready until `remove`.

        An event that failed goes alone: the others would fail with it.
        """
        chosen: list[Item] = []
        size = 0
        while self._ready:
            seq, thread = heapq.heappop(self._ready)
            for event in self._threads[thread]:
                full = len(chosen) == most or size + len(event.body) > delivery_queries.BYTES
                if chosen and (
                    full or event.attempts or chosen[0].attempts or event.replayed != chosen[0].replayed
                ):
                    break
                chosen.append(event)
                size += len(event.body)
            if chosen[-1].thread != thread:  # there is no room for it
                heapq.heappush(self._ready, (seq, thread))
                break
            if len(chosen) == most:
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
                heapq.heappush(self._ready, (rest[0].seq, thread))
            else:
                del self._threads[thread]

    def forget(self, events: Sequence[Item]) -> None:
        """Forgets events that were deleted: until then they must not be read again."""
        self.sequences.difference_update(event.seq for event in events)

    def give_back(self) -> None:
        """Gives back the room of all events, at the end."""
        self._host.room += self.bytes
        self.bytes = 0
