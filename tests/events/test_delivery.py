"""POST /delivery-hook: what engines write, and what becomes of it."""

import asyncio
from secrets import token_urlsafe
from typing import Any
from uuid import uuid4

import orjson
import pytest

from core.ids import uuid7
from engine import upkeep
from engine.reports import report_writer, statements
from tests.events.hooks import counts, post, secret, signed
from tests.support.records import PHONE, Records

DELIVERED = {"event": "delivery", "providerMessageId": "SM1", "status": "delivered"}
ITEM = {
    "source": "whatsapp",
    "login": "7999",
    "token": "t",
    "item": "SM1",
    "thread": "x",
    "time": 1_790_000_000,
}


def vendor(kind: str) -> dict[str, Any]:
    return {**ITEM, "hook_type": "message_status", "content": [{"type": kind}]}


# Every way in which engines say the same thing; the message is known as SM1, its id stands for {id}.
SAYINGS: list[tuple[Any, str]] = [
    (DELIVERED, "delivered"),
    ({"status": "delivered", "messageId": "{id}"}, "delivered"),
    ({"status": "DELIVRD", "message_id": "SM1", "later": {"field": [1]}}, "delivered"),
    (
        {"type": "message.delivered", "timestamp": "2099-11-20T12:00:00", "data": {"messageId": "{id}"}},
        "delivered",
    ),
    ({"event": "delivery", "providerMessageId": "SM1"}, "delivered"),
    ({"event": "status", "item": "SM1", "status": "has_seen", "time": 1_790_000_000_000}, "read"),
    ({"id": "{id}", "status": "failed", "error": {"code": "Mailbox-Full", "message": "no room"}}, "failed"),
    ({"kind": "status", "uuid": "{id}", "state": "pending"}, "sent"),
    ({"event": "status", "providerMessageId": "SM1", "status": "delivered", "at": "yesterday"}, "delivered"),
    ({"event": "status", "providerMessageId": "SM1", "status": "delivered", "at": -5}, "delivered"),
    (vendor("server"), "sent"),
    (vendor("delivered"), "delivered"),
    (vendor("has_seen"), "read"),
    (vendor("errored"), "failed"),
    (vendor("pending"), "sent"),
    ({**ITEM, "hook_type": "message", "from": "1", "text": "an echo", "outgoing": True}, "sent"),
]


async def test_every_way_to_say_it(records: Records, ada: Any) -> None:
    for statuses, ends in SAYINGS:
        id = await records.make(ada, number="SM1")
        body = orjson.loads(orjson.dumps(statuses).replace(b"{id}", str(id).encode()))
        if isinstance(body.get("at", body.get("time")), int):
            await records.set("handed_at = '2026-01-01'", id)
        answer = await post(ada, body)
        assert (answer.status_code, answer.json()) == (202, {"accepted": 1, "duplicates": 0, "unknown": 0}), (
            statuses
        )
        assert await records.status(id) == ends, statuses
        await records.set("provider_message_id = NULL", id)
        await records.db.fetch("TRUNCATE hook_events")


async def test_what_can_t_be_understood_does_not_stop_the_others(records: Records, ada: Any) -> None:
    id = await records.make(ada, number="SM1")
    nonsense: list[Any] = [
        None, 1, "delivered", [], {}, {"status": "delivered"},
        {"event": "delivery", "status": "levitated", "item": "SM1"},
        {"hook_type": "add_message_reaction", "item": "SM1"},
        {"hook_type": "message_status", "item": "SM1", "content": 1},
        {"event": "reply", "from": PHONE}, {"event": "reply", "text": "who am I?"},
        {"event": {"a": 1}, "status": ["delivered"], "item": {"b": 2}},
    ]  # fmt: skip
    assert await counts(ada, *nonsense, DELIVERED) == (1, 0, len(nonsense))
    assert await records.status(id) == "delivered"
    assert (await post(ada, [DELIVERED])).json()["accepted"] == 1


async def test_a_batch_moves_many_and_one_to_its_furthest(records: Records, ada: Any, bob: Any) -> None:
    ids = [await records.make(ada, number=f"N{number}") for number in range(5)]
    foreign = await records.make(bob, number="N9")
    events = [
        {"event": "status", "providerMessageId": f"N{number}", "status": status}
        for status in ("read", "sent", "delivered")
        for number in (*range(5), 9)
    ]
    assert await counts(ada, *events) == (15, 0, 3)
    assert [await records.status(id) for id in ids] == ["read"] * 5
    assert await records.status(foreign) == "sent"
    row = await records.row(ids[0])
    assert row["sent_at"] <= row["delivered_at"] <= row["read_at"]


async def test_an_event_is_taken_once_in_72_hours(records: Records, ada: Any, bob: Any) -> None:
    id = await records.make(ada, number="SM1")
    event = {"id": "e1", **DELIVERED}
    assert await counts(ada, event, event) == (1, 1, 0)
    assert await counts(ada, event) == (0, 1, 0)
    assert await counts(bob, event) == (0, 0, 1)  # another user's e1
    # An engine that gives the message's id as the event's: what it says next is news.
    assert await counts(ada, {**event, "status": "read"}) == (1, 0, 0)
    assert await records.status(id) == "read"
    await records.db.fetch("UPDATE hook_events SET received_at = now() - interval '73 hours'")
    assert await counts(ada, event) == (1, 0, 0)
    await upkeep.prune(records.db, None)
    assert await records.count("hook_events") == 1


async def test_twenty_copies_at_once_are_one(records: Records, ada: Any) -> None:
    await records.make(ada, number="SM1")
    reply = {"id": "r1", "event": "reply", "from": PHONE, "text": "yes"}
    answers = await asyncio.gather(*(counts(ada, {"id": "e1", **DELIVERED}, reply) for _ in range(20)))
    assert sorted(answers) == [(0, 2, 0)] * 19 + [(2, 0, 0)]
    assert len(await records.replies()) == 1


async def test_a_signed_request_that_is_repeated(records: Records, ada: Any) -> None:
    """The request's id tells apart the events that have none of their own."""
    await records.make(ada, number="SM1")
    mine = await secret(ada)
    body = orjson.dumps({"events": [DELIVERED, {"event": "reply", "from": PHONE, "text": "yes"}]})
    headers = signed(mine, body)
    assert (await post(ada, body, headers)).json() == {"accepted": 2, "duplicates": 0, "unknown": 0}
    assert (await post(ada, body, headers)).json() == {"accepted": 0, "duplicates": 2, "unknown": 0}
    assert (await post(ada, body, signed(mine, body))).json()["accepted"] == 2


async def test_an_event_that_comes_before_our_commit_is_kept(records: Records, ada: Any) -> None:
    id = await records.make(ada, "sending")
    assert await counts(ada, {"id": "e1", **DELIVERED}) == (0, 0, 1)
    assert await counts(ada, {"id": "e1", **DELIVERED}) == (0, 1, 0)
    await records.set("status = 'sent', sent_at = now(), provider_message_id = 'SM1'", id)
    async with records.db.reading() as db:
        assert (await report_writer.apply_early(db, statements.PROJECTS, [id])).changed == 1
    assert await records.status(id) == "delivered"


async def test_a_failure_is_shown_and_not_refunded(records: Records, ada: Any) -> None:
    id = await records.make(ada, number="SM1", price="1.5")
    event = {**DELIVERED, "status": "failed", "code": "Number Unknown!", "reason": "x" * 2000}
    assert await asyncio.gather(*(counts(ada, event) for _ in range(8))) == [(1, 0, 0)] * 8
    row = await records.row(id)
    assert (row["status"], row["failure_code"], len(row["failure_reason"])) == (
        "failed",
        "number_unknown",
        500,
    )
    assert (row["reported_by"], row["price"]) == ("hook", 1.5)
    assert (await ada.rest("GET", f"/accounts/{ada.account_id}/balance")).json()["balance"] == 98.5


@pytest.mark.parametrize(
    "body", [b"", b"{", b"1", b'"x"', b"null", b"[" * 5000, b'{"a":"\\ud800"}', b"\xff", b"NaN"]
)
async def test_no_json_is_400_for_whom_we_know(body: bytes, ada: Any) -> None:
    answer = await post(ada, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_hook"), answer.text
    assert (await post(ada, body, {})).status_code == 401


async def test_bounds(ada: Any) -> None:
    most = {"events": [{"status": "sent", "item": str(number)} for number in range(1000)]}
    assert (await post(ada, most)).json()["unknown"] == 1000
    most["events"].append({"status": "sent", "item": "x"})
    assert (await post(ada, most)).status_code == 413
    padded = orjson.dumps({"pad": "x" * (1024 * 1024)})
    assert (await post(ada, padded, {})).status_code == 413
    assert (await post(ada, padded[: 1024 * 1024 - 20] + b'"}')).status_code == 202
    assert (await post(ada, {}, None, "/delivery-hook/nobody")).status_code == 400


async def test_nul_long_and_strange_values(records: Records, ada: Any) -> None:
    await records.make(ada, number="SM1")
    strange: list[Any] = [
        {"id": "e\x00" + "x" * 5000, "event": "status", "providerMessageId": "a\x00b", "status": "sent"},
        {"id": "😀\n", "event": "reply", "from": PHONE, "text": "no\x00ul", "providerMessageId": "p\x00"},
        {"event": "reply", "from": "\x00", "text": "x"},
        {"event": "reply", "from": token_urlsafe(9000), "text": "stop"},
        {"event": "reply", "from": token_urlsafe(300), "text": "stop"},
        {"event": "status", "messageId": token_urlsafe(380), "status": "sent"},
        {
            "event": "status",
            "providerMessageId": token_urlsafe(9000),
            "status": "failed",
            "reason": "\x00",
            "code": "\x00",
        },
    ]
    answer = await post(ada, {"events": strange})
    assert answer.status_code == 202, answer.text
    assert [row["body"] for row in await records.replies()] == ["noul"]


async def test_the_graphql_door_does_the_same(records: Records, ada: Any, bob: Any) -> None:
    id = await records.make(ada, number="SM1")
    query = "mutation($e:[JSON!]!){deliverEvents(input:{events:$e}){accepted duplicates unknown}}"
    event = {"id": "e1", **DELIVERED}
    foreign = await bob.data(query, {"e": [event]})
    assert foreign["deliverEvents"] == {"accepted": 0, "duplicates": 0, "unknown": 1}
    mine = await ada.data(query, {"e": [event, event, {}]})
    assert mine["deliverEvents"] == {"accepted": 1, "duplicates": 1, "unknown": 1}
    assert await records.status(id) == "delivered"
    assert await ada.code(query, {"e": [event] * 1001}) == "validation_failed"


async def test_unknown_users_and_ids(ada: Any) -> None:
    assert (await post(ada, {}, None, f"/delivery-hook/{uuid4()}")).status_code == 401
    assert (await post(ada, {"events": []})).json() == {"accepted": 0, "duplicates": 0, "unknown": 0}
    assert await counts(ada, {"status": "sent", "messageId": str(uuid7())}) == (0, 0, 1)
