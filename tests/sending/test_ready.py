"""Tests which delivery is next on a route: direct messages go first, then projects in turn."""

from types import SimpleNamespace
from typing import Any
from uuid import UUID

from engine.sending.ready import ReadyQueue


def delivery(group: int | None) -> Any:
    return SimpleNamespace(group=None if group is None else UUID(int=group))


def everyone(_: Any) -> bool:
    return True


def takes(queue: ReadyQueue, most: int = 2, whole: int = 0) -> list[list[Any]]:
    taken = []
    while (delivery := queue.pop(most, whole, everyone)) is not None:
        taken.append(delivery[1])
    return taken


def test_direct_messages_go_first_and_projects_take_turns() -> None:
    queue = ReadyQueue()
    queue.add(delivery(1), ["a1", "a2", "a3", "a4"])
    queue.add(delivery(2), ["b1", "b2", "b3"])
    queue.add(delivery(None), ["d1", "d2", "d3"])
    assert takes(queue) == [["d1", "d2"], ["d3"], ["a1", "a2"], ["b1", "b2"], ["a3", "a4"], ["b3"]]
    assert len(queue) == 0


def test_batches_of_one_project_keep_their_order() -> None:
    queue = ReadyQueue()
    for first in (1, 3, 5):
        queue.add(delivery(7), [first, first + 1])
    assert takes(queue) == [[1, 2], [3, 4], [5, 6]]


def test_what_does_not_fit_whole_waits_for_room_and_not_longer() -> None:
    queue = ReadyQueue()
    queue.add(delivery(1), list(range(500)))
    assert queue.pop(250, 750, everyone) is None
    assert len(queue) == 500
    taken = queue.pop(500, 750, everyone)
    assert taken is not None
    assert len(taken[1]) == 500
    queue.add(delivery(1), list(range(1000)))  # it will never fit
    assert len(takes(queue, 250, 750)) == 4


def test_what_is_not_admitted_stays_in_its_order() -> None:
    queue = ReadyQueue()
    queue.add(delivery(1), [1, 2, 3, 4, 5])
    taken = queue.pop(10, 0, lambda message: message % 2 == 0)
    assert taken is not None
    assert taken[1] == [2, 4]
    assert queue.pop(10, 0, lambda message: message % 2 == 0) is None
    assert takes(queue, 10) == [[1, 3, 5]]


def test_a_delivery_is_taken_back() -> None:
    queue = ReadyQueue()
    mine, other = delivery(1), delivery(1)
    queue.add(mine, [1, 2])
    queue.add(other, [3])
    queue.add(mine, [4])
    assert queue.remove(mine) == [1, 2, 4]
    assert queue.remove(mine) == []
    assert takes(queue) == [[3]]
    assert len(queue) == 0


def test_a_part_of_a_delivery_is_taken_back_and_the_others_keep_their_order() -> None:
    queue = ReadyQueue()
    mine, other = delivery(1), delivery(1)
    queue.add(mine, [1, 2, 3, 4])
    queue.add(other, [6])
    queue.add(mine, [8, 10])
    assert queue.remove(mine, leaves=lambda message: message % 2 == 1) == [2, 4, 8, 10]
    assert len(queue) == 3
    assert takes(queue, 10) == [[1, 3], [6]]
