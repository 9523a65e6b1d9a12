"""Much at once: few statements, and nothing lost between those who write at the same time."""

import asyncio
from uuid import UUID

from core.ids import uuid7
from engine.messengers import event_writer, message_updates, send_results
from shapes.chats import ChatMessageStatus
from tests.chats.conftest import ANNA, came, smile, step, went


class Counting:
    """A connection that counts what it is asked."""

    def __init__(self, db):
        self.db, self.asked = db, 0

    def __getattr__(self, name):
        if name in ("fetch", "fetchrow", "fetchval", "execute"):
            self.asked += 1
        return getattr(self.db, name)


async def test_ten_thousand_events_cost_as_many_statements_as_ten(services, account, outbox):
    costs = []
    for start, many in ((0, 2), (100, 2500)):
        numbers = range(start, start + many)
        events = [
            *(came(f"in{n}", at=n, thread=f"t{n % 50}") for n in numbers),
            *(went(f"out{n}", at=n, thread=f"t{n % 50}") for n in numbers),
            *(step(f"out{n}", "has_seen", thread=f"t{n % 50}", up_to=n % 2 == 0) for n in numbers),
            *(smile(f"in{n}", "👍", thread=f"t{n % 50}") for n in numbers),
        ]
        async with services.db.reading() as db, db.transaction():
            counting = Counting(db)
            await event_writer.record(services, counting, account, events)
        costs.append(counting.asked)
    assert costs[0] == costs[1] < 20
    assert await services.db.fetchval("SELECT count(*) FROM messenger_messages") == 5004
    assert not await services.db.fetchval(
        "SELECT count(*) FROM messenger_messages WHERE outgoing AND status <> 'has_seen'"
    )
    assert len([event for event in outbox if event.type == "message"]) == 5004
    assert len([event for event in outbox if event.type == "message_status"]) == 2502
    assert len([event for event in outbox if event.type == "add_message_reaction"]) == 2502
    # In the order of the events, each thread's own.
    texts = [event.body["item"] for event in outbox if event.type == "message" and event.thread == "t1"]
    assert len(texts) == len(set(texts))


async def test_early_events_have_a_bound(services, account, apply, outbox, monkeypatch):
    monkeypatch.setattr("engine.messengers.message_updates.MAX_EARLY", 100)
    await apply(*(step(str(n), "delivered") for n in range(250)))
    await apply(*(step(str(n), "has_seen") for n in range(250)))
    assert await services.db.fetchval("SELECT count(*) FROM messenger_early") == 100
    # The newest are kept: one that overtakes its own message counts.
    await apply(step("mine", "delivered"))
    await apply(went("mine", "x"))
    assert await services.db.fetchval("SELECT status FROM messenger_messages") == "delivered"


async def test_the_answer_and_the_echo_at_the_same_time(services, ada, account, outbox, apply):
    """The process that sent, and the one that holds the account, both learn of the same message: it is one row."""
    for number in range(20):
        item, id = uuid7(), f"m{number}"
        await services.db.fetch(
            "INSERT INTO messenger_messages (id, account_id, outgoing, recipient, text, at, asked_at)"
            " VALUES ($1, $2, true, $3, 'x', now(), now())",
            item,
            account,
            ANNA,
        )
        answer = {"provider_id": id, "thread": "t1", "at": "2026-11-01T12:00:00Z", "status": "server"}
        await asyncio.gather(
            send_results.store_accepted(services, account, item, ANNA, answer),
            apply(went(id, "x", item=item if number % 2 else None), step(id, "delivered")),
            apply(step(id, "has_seen")),
        )
    rows = await services.db.fetch("SELECT provider_id, status, chat_id FROM messenger_messages")
    assert len(rows) == 20 == len({row.provider_id for row in rows})
    assert {row.status for row in rows} == {"has_seen"} and len({row.chat_id for row in rows}) == 1
    assert await services.db.fetchval("SELECT count(*) FROM messenger_early") == 0
    assert len([event for event in outbox if event.type == "message"]) == 20


async def test_one_event_told_by_two_at_once_is_one(services, account, apply, outbox):
    await asyncio.gather(*(apply(came("1"), came("2", at=1), smile("1", "👍")) for _ in range(8)))
    assert await services.db.fetchval("SELECT count(*) FROM messenger_messages") == 2
    assert await services.db.fetchval("SELECT unread FROM messenger_chats") == 2
    assert len(outbox) == 3


async def test_strange_events_harm_nobody(services, account, apply, outbox):
    strange = "a\x00b\ud800" + "x" * 200_000
    await apply(
        came("x" * 600),
        came("", text="no id"),
        came("1\x00"),
        came("2", strange, sender=strange, name=strange, reply_to="y" * 600),
        step("2", "delivered"),
        step("none", "errored", code=strange, reason=strange),
        smile("2", strange, sender=strange),
    )
    (row,) = await services.db.fetch("SELECT text, name, reply_to FROM messenger_messages")
    assert len(row.text) == message_updates.MAX_TEXT and "\x00" not in row.text and row.reply_to is None
    assert ChatMessageStatus.server and UUID(outbox[0].body["item"])
