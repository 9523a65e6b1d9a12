"""One owner with many connections holds few of the database's, so others are answered as if it were not there."""

import asyncio
from collections import Counter
from typing import Any

import httpx
import pytest

from runtime.owner_slots import OwnerSlots
from runtime.services import Services
from tests.support.people import Person
from tests.support.waits import until

CONNECTIONS = 32
SECONDS = 1.0
EACH = 4  # of the ten connections of a pool
_LOCKS = (
    "SELECT FROM users WHERE id = '{owner}' FOR UPDATE",  # whatever inserts a row of this user waits for it
    "SELECT FROM messages WHERE id = '{message}' FOR UPDATE",  # and a report about this message for that
)
_WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
SMS = {"to": "+14155550100", "channel": "sms", "body": "hi"}
CHANGES: dict[str, tuple[str, Any]] = {
    "write": ("/hook-secrets/keys", None),
    "sql": ("/contacts", {"externalId": "x", "name": "Ada"}),
    "outside": ("/delivery-hook/{owner}", {"event": "delivered", "messageId": "{message}"}),
}


async def _change(person: Person, mode: str, message: str) -> httpx.Response:
    path, body = CHANGES[mode]
    sent = {name: value.format(message=message) for name, value in body.items()} if body else None
    return await person.rest("POST", path.format(owner=person.id), **({"json": sent} if sent else {}))


@pytest.mark.parametrize("mode", CHANGES)
async def test_others_are_answered_while_one_owner_keeps_all_its_connections_waiting(
    ada: Person, bob: Person, services: Services, mode: str
) -> None:
    services.single(OwnerSlots, lambda: OwnerSlots(services.db.options, SECONDS))
    message = (await ada.rest("POST", "/messages", json=SMS)).json()["id"]
    async with services.db.engine.connect() as held:
        for lock in _LOCKS:
            await held.exec_driver_sql(lock.format(owner=ada.id, message=message))
        tasks = [asyncio.ensure_future(_change(ada, mode, message)) for _ in range(CONNECTIONS)]

        async def waiting() -> bool:
            return await services.db.fetchval(_WAITING) == EACH

        await until(waiting)
        others = [await _change(bob, mode, message) for mode in CHANGES] + [
            await bob.rest("GET", "/messages")
        ]
        assert {answer.status_code // 100 for answer in others} == {2}, [answer.text for answer in others]
        assert not any(task.done() and task.result().status_code < 300 for task in tasks)
        refused, _ = await asyncio.wait(tasks, timeout=2 * SECONDS)
        assert len(refused) == CONNECTIONS - EACH
        for answer in (task.result() for task in refused):
            assert (answer.status_code, answer.json()["code"]) == (429, "too_many_changes")
            assert answer.headers["retry-after"] == "1"
        await held.rollback()
    answers = Counter([answer.status_code // 100 for answer in await asyncio.gather(*tasks)])
    assert answers == {2: EACH, 4: CONNECTIONS - EACH}
    assert (await _change(ada, mode, message)).status_code < 300


async def test_messages_need_no_slot(ada: Person, services: Services) -> None:
    """Many of an account are one statement (docs/decisions/0033): more at once makes them cheaper."""
    answers = await asyncio.gather(*(ada.rest("POST", "/messages", json=SMS) for _ in range(CONNECTIONS)))
    assert {answer.status_code for answer in answers} == {202}
