"""Tests which events are written to the outbox, and which are not."""

from collections.abc import Awaitable, Callable
from typing import Any

import orjson
import pytest

from engine.jobs import JOBS, JobName
from engine.webhooks import outbox
from engine.webhooks.outbox import OutboxEvent
from tests.support.people import Person
from tests.webhooks.world import World, message

_URL = "https://93.184.215.14/hook"
_DELIVERIES = """
SELECT d.body, d.type, w.url, d.thread FROM webhook_deliveries AS d
JOIN webhooks AS w ON w.id = d.webhook_id ORDER BY d.seq
"""


async def test_nothing_is_written_where_nobody_listens(world: World) -> None:
    await world.say("one")
    assert await world.counts() == (0, 0, 0)
    assert await world.services.db.fetchval("SELECT count(*) FROM pgqueuer") == 0


async def test_each_enabled_webhook_gets_the_types_that_it_asked_for(world: World) -> None:
    other = await world.make_account("other")
    await world.hook(f"{_URL}/all")
    await world.hook(f"{_URL}/states", "state")
    await world.hook(f"{_URL}/foreign", account=other)
    off = await world.hook(f"{_URL}/off")
    await world.services.db.fetch("UPDATE webhooks SET enabled = false WHERE id = $1", off)
    await world.put(
        message("one"), OutboxEvent("state", {"accountState": "working"}), OutboxEvent("message_status", {})
    )
    rows = await world.services.db.fetch(_DELIVERIES)
    assert [(row.url.rpartition("/")[2], row.type, row.thread) for row in rows] == [
        ("all", "message", "t1"),
        ("all", "state", ""),
        ("states", "state", ""),
        ("all", "message_status", ""),
    ]
    assert (await world.counts())[2] == 3


async def test_a_deletion_is_told_to_those_alone_that_name_it(world: World) -> None:
    await world.hook(f"{_URL}/all")
    await world.hook(f"{_URL}/named", "message", "message_deleted")
    await world.hook(f"{_URL}/states", "state")
    await world.put(message("one"), OutboxEvent("message_deleted", {}, "t1"))
    rows = await world.services.db.fetch(_DELIVERIES)
    assert [(row.url.rpartition("/")[2], row.type, row.thread) for row in rows] == [
        ("all", "message", "t1"),
        ("named", "message", "t1"),
        ("named", "message_deleted", "t1"),
    ]


async def test_a_transaction_that_fails_tells_nobody(world: World) -> None:
    await world.hook(_URL)
    with pytest.raises(ZeroDivisionError):
        async with world.services.db.reading() as db, db.transaction():
            await outbox.put(db, world.account, [message("one")])
            raise ZeroDivisionError
    assert await world.counts() == (0, 0, 0)
    assert await world.services.db.fetchval("SELECT count(*) FROM pgqueuer") == 0


async def test_any_number_of_events_costs_the_same_few_statements(world: World) -> None:
    await world.hook(f"{_URL}/1")
    await world.hook(f"{_URL}/2")
    statements: list[str] = []

    class Counting:
        def __init__(self, db: Any) -> None:
            self.db = db

        def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
            statements.append(name)
            method: Callable[..., Awaitable[Any]] = getattr(self.db, name)
            return method

    async with world.services.db.reading() as db, db.transaction():
        counting: Any = Counting(db)
        await outbox.put(counting, world.account, [message(f"{n}") for n in range(500)])
    assert len(statements) == 3
    assert await world.counts() == (1000, 0, 500)
    texts = [orjson.loads(row.body)["text"] for row in await world.services.db.fetch(_DELIVERIES)]
    assert texts == [f"{n}" for n in range(500) for _ in range(2)]
    assert await world.services.db.fetchval("SELECT count(*) FROM pgqueuer") == 1
    assert JobName.deliver_webhooks in JOBS


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            {"content": [{"type": "image", "src": "data:" + "x" * 60_000}] * 6}, "content", id="data"
        ),
        pytest.param({"text": "é" * 300_000}, "text", id="text"),
        pytest.param(
            {"content": [{"type": "file", "src": "https://x/" + "y" * 2000}] * 500}, "text", id="links"
        ),
    ],
)
async def test_what_is_too_large_is_told_without_its_content(
    world: World, body: dict[str, Any], expected: str
) -> None:
    await world.hook(_URL)
    await world.put(OutboxEvent("message", {"item": "i1", "text": "hello", **body}, "t1"))
    (row,) = await world.services.db.fetch(_DELIVERIES)
    assert len(row.body.encode()) <= outbox.LARGEST
    stored = orjson.loads(row.body)
    assert stored["trimmed"] == expected
    assert stored["item"] == "i1"
    assert stored["text"]


async def test_another_users_account_is_not_told(world: World, bob: Person) -> None:
    his = await world.make_account("his", owner=bob)
    await world.hook(_URL, account=his)
    await world.say("ada's")
    assert await world.counts() == (0, 0, 0)
