"""A message that is scheduled gets another time, until a worker sends it."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.api_tokens.made import caller, made
from tests.support.people import Person

SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
MOVE = (
    "mutation($id:ID!,$at:DateTime!){rescheduleMessage(id:$id,sendAt:$at){uuid deliveryState sendAt price}}"
)
Drain = Callable[[str], Awaitable[int]]


def later(**span: float) -> str:
    return (datetime.now(UTC) + timedelta(**span)).isoformat()


async def scheduled(person: Person, **fields: Any) -> dict[str, Any]:
    answer = await person.rest("POST", "/messages", json={**SMS, "sendAt": later(hours=1), **fields})
    assert answer.status_code == 202, answer.text
    message: dict[str, Any] = answer.json()
    return message


async def test_both_doors_set_another_time(ada: Person) -> None:
    message, by_rest, by_graphql = await scheduled(ada), later(days=2), later(days=3)
    moved = (await ada.rest("PATCH", f"/messages/{message['id']}", json={"sendAt": by_rest})).json()
    changed = {name for name in message if moved[name] != message[name]}
    assert changed == {"sendAt", "updatedAt", "waitingFor"}
    assert moved["waitingFor"]["until"] == moved["sendAt"]
    assert datetime.fromisoformat(moved["sendAt"]) == datetime.fromisoformat(by_rest)
    shown = await ada.data(MOVE, {"id": message["id"], "at": by_graphql})
    assert shown["rescheduleMessage"]["deliveryState"] == "scheduled"
    assert datetime.fromisoformat(shown["rescheduleMessage"]["sendAt"]) == datetime.fromisoformat(by_graphql)


async def test_a_time_that_has_come_sends_it_now(ada: Person, drain: Drain) -> None:
    message = await scheduled(ada)
    assert await drain("sms") == 0
    now = {"sendAt": datetime.now(UTC).isoformat()}
    assert (await ada.rest("PATCH", f"/messages/{message['id']}", json=now)).status_code == 200
    assert await drain("sms") == 1
    late = await ada.rest("PATCH", f"/messages/{message['id']}", json={"sendAt": later(hours=1)})
    assert (late.status_code, late.json()["code"]) == (409, "not_scheduled")


@pytest.mark.parametrize(
    ("fields", "code"),
    [({"sendAt": later(days=91)}, "bad_send_at"), ({"sendAt": later(hours=-2)}, "bad_send_at"),
     ({"sendAt": None}, "validation_failed"), ({}, "validation_failed"),
     ({"sendAt": later(hours=1), "to": "+14155550101"}, "validation_failed")],
)  # fmt: skip
async def test_what_is_no_new_time_changes_nothing(ada: Person, fields: dict[str, Any], code: str) -> None:
    message = await scheduled(ada)
    refused = await ada.rest("PATCH", f"/messages/{message['id']}", json=fields)
    assert (refused.status_code, refused.json()["code"]) == (400, code)
    assert (await ada.rest("GET", f"/messages/{message['id']}")).json()["sendAt"] == message["sendAt"]


async def test_a_token_moves_what_it_may_charge(ada: Person, bob: Person) -> None:
    message, body = await scheduled(ada), {"sendAt": later(days=1)}
    assert (await bob.rest("PATCH", f"/messages/{message['id']}", json=body)).status_code == 404
    blind = caller(ada, (await made(ada, scopes=["messages:send"]))[0])
    assert (await blind.rest("PATCH", f"/messages/{message['id']}", json=body)).status_code == 403


async def test_two_callers_and_a_worker_leave_one_outcome(ada: Person, drain: Drain) -> None:
    ids = [(await scheduled(ada, sendAt=later(seconds=0.4)))["id"] for _ in range(10)]
    await asyncio.sleep(0.3)
    body = {"sendAt": later(days=1)}
    moves = [ada.rest("PATCH", f"/messages/{id}", json=body) for id in ids]
    *answers, sent = await asyncio.gather(*moves, _drained(drain))
    moved = sum(answer.status_code == 200 for answer in answers)
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert moved + sent + await drain("sms") == len(ids)


async def _drained(drain: Drain) -> int:
    await asyncio.sleep(0.1)
    return await drain("sms")


async def test_a_list_says_until_when_a_message_waits_whatever_else_it_asks_for(ada: Person) -> None:
    message = await scheduled(ada)
    (row,) = (await ada.data("{messages{nodes{waitingFor{code until}}}}"))["messages"]["nodes"]
    assert row["waitingFor"]["code"] == "scheduled"
    assert datetime.fromisoformat(row["waitingFor"]["until"]) == datetime.fromisoformat(message["sendAt"])
