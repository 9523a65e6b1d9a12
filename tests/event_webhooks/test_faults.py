"""Workers die, the database ends their sessions, Redis loses all it has, and receivers refuse requests or are down:
each event arrives, in its subject's order.
"""

import asyncio
import random
import signal
from collections import defaultdict
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from core.settings import Settings
from tests.event_webhooks.world import World
from tests.support.waits import until
from tests.webhooks.arrivals import differences, events_of, first_arrivals
from tests.webhooks.conftest import Spawn
from tests.webhooks.receiver import Call, Receiver

pytestmark = pytest.mark.rotating

_LEASE = 2.0
_PHONES = [f"+1415555{number:04}" for number in range(40)]
_ROUNDS = 6
_ADD = """
INSERT INTO blocked_phones (id, owner_id, phone) SELECT gen_random_uuid(), $1, phone
  FROM unnest($2::text[]) AS p (phone)
"""
_REMOVE = "DELETE FROM blocked_phones WHERE owner_id = $1 AND phone = ANY($2)"
_END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()"


def _events(receiver: Receiver, path: str) -> list[Any]:
    """Returns the events that came to an endpoint, each of them once, in the order in which they came first."""
    return first_arrivals(call.json for call in receiver.taken if call.path == path)


def _refusing(receiver: Receiver) -> Callable[[Call], int]:
    """Refuses one request in twenty, but no event twice: the second pause is five minutes."""
    refused: set[str] = set()

    def answer(call: Call) -> int:
        ids = {event.get("uuid") or event["id"] for event in events_of(call.json)}
        if len(receiver.calls) % 20 == 10 and not refused & ids:
            refused.update(ids)
            return 503
        return 200

    return answer


@pytest.mark.parametrize("fault", ["killed", "database", "redis", "down"])
async def test_nothing_is_missing_and_the_order_is_kept(
    world: World, receiver: Receiver, spawn: Spawn, settings: Settings, fault: str
):
    await world.hook(receiver, "/plain")
    await world.hook(receiver, "/batch", batch=20)
    await world.hook(receiver, "/document", query="subscription { events { uuid type subjectId } }")
    receiver.delay = 0.002
    if fault != "down":  # an event that was refused, too, would wait for five minutes
        receiver.answer = _refusing(receiver)
    workers = [spawn(_LEASE), spawn(_LEASE)]
    assert settings.db_string is not None
    name = urlsplit(settings.db_string.get_secret_value()).path.strip("/")
    for number in range(_ROUNDS):
        await world.services.db.fetch(_ADD, world.ada.id, _PHONES)
        await asyncio.sleep(0.2 + random.random() * 0.6)
        match fault:
            case "killed":
                worker = workers.pop(0)
                worker.send_signal(signal.SIGKILL)
                await worker.ended()
                workers.append(spawn(_LEASE))
            case "database":
                await world.services.db.fetch(_END, name)
            case "redis":
                await world.services.store.client.flushdb()
            case "down" if number == _ROUNDS // 2:
                await receiver.stop()
                await asyncio.sleep(0.5)
                await receiver.start()
        await world.services.db.fetch(_REMOVE, world.ada.id, _PHONES)
    count = 2 * _ROUNDS * len(_PHONES)
    paths = ("/plain", "/batch", "/document")
    for share in (0.8, 1):  # a refused event takes five seconds
        await until(
            lambda share=share: all(len(_events(receiver, f"/hook{path}")) >= share * count for path in paths)
        )
    for path in paths:
        by_subject = defaultdict(list)
        for event in _events(receiver, f"/hook{path}"):
            by_subject[event["subjectId"]].append(event["type"])
        assert list(by_subject.values()) == [["block.added", "block.removed"]] * (count // 2), path


FEED = [("1", "a"), ("2", "b"), ("3", "a"), ("4", "b")]


@pytest.mark.parametrize(
    ("came", "wrong"),
    [
        (FEED, []),
        ([FEED[1], FEED[0], FEED[3], FEED[2]], []),  # the order of two objects is nobody's promise
        (FEED[:3], ["the webhook lacks 1 of 4 events"]),
        ([*FEED, ("5", "c")], ["the webhook has 1 events that the feed does not have"]),
        ([FEED[2], *FEED[:2], FEED[3]], ["the webhook has the events of 1 objects in another order"]),
        ([FEED[2], FEED[3]], ["the webhook lacks 2 of 4 events"]),
    ],
)
def test_what_is_missing_or_in_another_order_is_found_out(came: list[Any], wrong: list[str]):
    assert differences(FEED, came) == wrong
