"""People withdraw while a large project is sent, all of it through the public doors.

`COUNT=100000` makes so many subscribers; a usual run makes three hundred. A third of them withdraws meanwhile: half of
these on their page of preferences, the others by a request of the owner's program.
"""

import asyncio
import os
import random
from datetime import datetime
from typing import Any

import httpx
import pytest

from core.rate_limits import Limit
from resolvers import preferences as preference_pages
from runtime.services import Services
from tests.consent.made import subscribe, topic, withdraw
from tests.consent.test_audience import project, start
from tests.consent.test_histories_and_kills import MAIL, it
from tests.consent.test_signups import preferences
from tests.faults.world import World
from tests.support.people import People

__all__ = ["it"]

COUNT = int(os.environ.get("COUNT", "300"))
_REQUEST = 1000  # contacts of one request
_MESSAGES = """
SELECT m.status, m.handed_at, m.failure_code, r.contact_id::text AS contact_id
FROM message_records AS m JOIN recipients AS r ON r.id = m.recipient_id
"""


@pytest.mark.settings(public_url="https://postern.example.com")
async def test_withdrawals_during_a_run(
    it: World, services: Services, client: httpx.AsyncClient, people: People, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(preference_pages, "PAGES", Limit("signup-pages", 1_000_000, 1.0))
    it.environment["POSTERN_PUBLIC_URL"] = "https://postern.example.com"
    await it.provider(honours=True, seed=1, trouble=0, channel=MAIL)
    ada = await people.make(credit="10000")
    news, contacts = await topic(ada), list[str]()
    for first in range(0, COUNT, _REQUEST):
        numbers = range(first, min(first + _REQUEST, COUNT))
        body: Any = [{"addresses": [{"channel": "email", "address": f"c{n}@example.com"}]} for n in numbers]
        some = (await ada.rest("POST", "/contacts/bulk", json={"contacts": body})).json()["uuids"]
        await subscribe(ada, some, [news], evidence="signed forms")
        contacts += some
    # So slow that all have withdrawn before the last message is sent.
    it.project = id = await project(ada, [news], speed={"perMinute": min(600_000, max(600, COUNT * 4))})
    await start(ada, id)
    answered: dict[str, datetime] = {}
    leaving = random.Random(1).sample(contacts, COUNT // 3)

    async def leave(uuids: list[str]) -> None:
        for number, uuid in enumerate(uuids):
            if number % 2:
                data = {"shown": [f"{news}:email"]}
                assert (await client.post(await preferences(services, uuid), data=data)).status_code == 200
            else:
                await withdraw(ada, [uuid], [news], channel="email")
            answered[uuid] = await services.db.fetchval("SELECT clock_timestamp()")

    worker = await it.worker()
    while not await services.db.fetchval("SELECT EXISTS (SELECT FROM message_records WHERE status = 'sent')"):
        await asyncio.sleep(0.05)
    await asyncio.gather(*(leave(leaving[each::4]) for each in range(4)))
    await it.quiet(3600)
    await it.stop(worker)
    rows = await services.db.fetch(_MESSAGES)
    by_contact = {row["contact_id"]: row for row in rows}
    assert len(rows) == len(by_contact) == COUNT
    assert {row["failure_code"] or row["status"] for row in rows} == {"sent", "not_subscribed"}
    assert not [uuid for uuid, at in answered.items() if (by_contact[uuid]["handed_at"] or at) > at]
    assert {by_contact[uuid]["status"] for uuid in contacts if uuid not in answered} == {"sent"}
    assert len(it.effects()) == sum(row["status"] == "sent" for row in rows)
