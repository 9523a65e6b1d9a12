"""Workers die at every point of an erasure; the next one goes on, and nothing is left or sent."""

import asyncio
import signal
from typing import Any

import pytest

from engine.faultpoints import ERASURE_POINTS
from runtime.services import Services
from tests.imports.conftest import Lists, lists
from tests.persons.test_erasing import PHONE, dump, fill, send
from tests.support.people import People
from tests.support.waits import until
from tests.webhooks.conftest import Spawn

pytestmark = pytest.mark.rotating

__all__ = ["lists"]


@pytest.mark.parametrize("point", ERASURE_POINTS)
async def test_a_worker_that_dies_leaves_the_rest_to_another(
    point: str, services: Services, people: People, lists: Lists, spawn: Spawn
):
    person = await people.make(credit="100")
    await fill(services, person, lists)
    charged = "SELECT -sum(amount) FROM ledger_entries WHERE kind <> 'credit'"
    begun = (await person.rest("POST", "/persons/erase", json={"channel": "sms", "address": PHONE})).json()
    dying = spawn(2, FAULT_AT=point)
    assert await asyncio.wait_for(dying.ended(), 120) == -signal.SIGKILL
    refused = await send(person, PHONE, "sms", expected=400)
    assert refused["code"] == "recipient_blocked"
    spawn(60)
    shown: dict[str, Any] = {}

    async def done() -> bool:
        shown.update((await person.rest("GET", f"/persons/erasures/{begun['id']}")).json())
        return bool(shown["state"] == "done")

    await until(done)
    assert await dump(services) == {}
    paid = await services.db.fetchval(
        "SELECT COALESCE(sum(price), 0) FROM messages WHERE state NOT IN ('canceled', 'failed')"
    )
    assert await services.db.fetchval(charged) == paid
