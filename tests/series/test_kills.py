"""Workers die at every point of the way of a series, while people enter, leave, come again and answer.

`EXAMPLES=1000` takes twice so many people, each of whom takes five steps in or out, and `LIVES=8` other lives than
`LIVES=7`; a usual run takes a few.
"""

import asyncio
import json
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.faultpoints import PROJECT_POINTS, SERIES_POINTS
from runtime.services import Services
from tests.consent.made import contact, subscribe, topic, withdraw
from tests.faults.channels import Channel
from tests.faults.world import World, shared_world
from tests.series.made import template
from tests.support.people import People, Person
from tests.support.waits import until

pytestmark = pytest.mark.rotating

PEOPLE = int(os.environ.get("EXAMPLES", "40"))
ACTS = 5  # of each person
AT_ONCE = 4
STEPS = 3
STEADY = 4  # each fourth person enters once and stays
# An intent has the time at which its transaction began, and asks for the subscription a moment later.
TRANSACTION = timedelta(seconds=5)
MAIL = Channel(
    "http", "email", "http", 20,
    "post://127.0.0.1:{port}/send?scheme=http&timeout=3&connections=20&idempotent={honours}",
)  # fmt: skip
_NOW = "SELECT clock_timestamp()"
_LEFT = """
SELECT (SELECT count(*) FROM series_entries WHERE state = 'waiting')
  + (SELECT count(*) FROM message_records WHERE status IN ('queued', 'sending'))
"""
_MESSAGES = """
SELECT m.id::text AS id, m.status, m.handed_at, m.failure_code, r.contact_id::text AS contact,
  array_position(s.project_ids, m.project_id) AS step
FROM message_records AS m JOIN recipients AS r ON r.id = m.recipient_id
JOIN sending_projects AS p ON p.id = m.project_id JOIN series AS s ON s.id = p.series_id
WHERE m.direction = 'outbound' ORDER BY m.handed_at
"""
_ENTRIES = """
SELECT contact_id::text AS contact, state, stop_reason, step, entered_at, ended_at FROM series_entries
"""
# A withdrawal stops the entry in its own transaction, whose time both rows have.
_STOPPED_LATER = """
SELECT e.contact_id, e.entered_at, e.ended_at FROM series_entries AS e
WHERE e.stop_reason = 'withdrawn' AND NOT EXISTS (
  SELECT FROM consent_entries AS c
  WHERE c.contact_id = e.contact_id AND c.action = 'withdrawn' AND c.created_at = e.ended_at)
"""
_MONEY = """
SELECT (SELECT sum(balance) FROM accounts) = (SELECT sum(amount) FROM ledger_entries)
  AND (SELECT -sum(amount) FROM ledger_entries WHERE kind <> 'credit') = (SELECT sum(price) FROM message_records)
"""
_REPLY = """
INSERT INTO message_records (id, project_id, owner_id, direction, channel, "to", status, queued_at)
SELECT gen_random_uuid(), project_ids[1], owner_id, 'inbound', 'email', $1, 'delivered', clock_timestamp()
FROM series
"""

# What becomes of a person, by the person's first end: the state, the reasons, and whether all steps must have been
# sent. The end may come when the last step is over, so that the person has finished before.
OUTCOMES = {
    None: ({("finished", None)}, True),
    "withdrawn": ({("stopped", "withdrawn"), ("finished", None)}, False),
    "replied": ({("stopped", "replied"), ("stopped", "withdrawn"), ("finished", None)}, False),
}


@dataclass
class Life:
    """Holds the acts of a person, with the times of the database's clock."""

    address: str
    active: bool = False
    was_there: bool = False  # was subscribed before the start, and enters when a worker reads that
    entered: bool = False  # has come after the start
    ends: list[tuple[str, datetime, datetime]] = field(
        default_factory=list
    )  # acts that end it, asked and answered
    spans: list[tuple[datetime, datetime | None]] = field(default_factory=list)  # without a subscription


@pytest.fixture
async def it(database: str, tmp_path: Path) -> AsyncIterator[World]:
    async with shared_world(tmp_path, database) as made:
        yield made


class Crowd:
    """People who enter and leave the topic of a series."""

    def __init__(self, services: Services, person: Person, chance: random.Random) -> None:
        self.services, self.person, self.chance = services, person, chance
        self.lives: dict[str, Life] = {}
        self.topic = ""

    async def make(self, count: int) -> None:
        self.topic = await topic(self.person)
        for number in range(STEPS):
            await template(self.person, f"step{number}")
        steps = [
            {"channel": "email", "templateKey": f"step{n}", "delay": self.chance.choice([0, 1])}
            for n in range(STEPS)
        ]
        body = {"name": "Welcome", "topicId": self.topic, "steps": steps, "existing": "enter"}
        series = (await self.person.rest("POST", "/series", json=body)).json()["id"]
        for number in range(count):
            address = f"p{number}@example.com"
            id = await contact(self.person, address, name=f"P{number}")
            self.lives[id] = Life(address)
        for id in [*self.lives][: count // 5]:
            await self.enter(id)
            self.lives[id].was_there, self.lives[id].entered = True, False
        plan = (await self.person.rest("POST", f"/series/{series}/plan")).json()["hash"]
        answer = await self.person.rest("POST", f"/series/{series}/start", json={"planHash": plan})
        assert answer.status_code == 200, answer.text

    async def now(self) -> datetime:
        return await self.services.db.fetchval(_NOW)

    async def enter(self, id: str) -> None:
        life = self.lives[id]
        await subscribe(self.person, [id], [self.topic], evidence="form")
        if life.spans and life.spans[-1][1] is None:
            life.spans[-1] = (life.spans[-1][0], await self.now() - TRANSACTION)
        life.active, life.entered = True, life.entered or not life.active

    async def leave(self, id: str) -> None:
        life, begun = self.lives[id], await self.now()
        await withdraw(self.person, [id], [self.topic])
        if life.active:
            life.ends.append(("withdrawn", begun, at := await self.now()))
            life.spans.append((at, None))
        life.active = False

    async def answer(self, id: str) -> None:
        life, begun = self.lives[id], await self.now()
        async with self.services.db.reading() as db:
            await db.execute(_REPLY, life.address)
        life.ends.append(("replied", begun, await self.now()))

    async def act(self, ids: list[str], count: int) -> None:
        """Takes so many acts of each person, in any order. Who is steady enters and stays."""
        order = ids * count
        self.chance.shuffle(order)
        numbers = {id: number for number, id in enumerate(self.lives)}
        for id in order:
            if numbers[id] % STEADY == 0:
                await self.enter(id)
                continue
            act = self.chance.choices([self.enter, self.leave, self.answer], [5, 4, 1])[0]
            await act(id)

    async def live(self, count: int) -> None:
        ids = [*self.lives]
        await asyncio.gather(*(self.act(ids[each::AT_ONCE], count) for each in range(AT_ONCE)))


async def until_over(services: Services) -> None:
    """Waits until nobody waits for a step, and no message for its sending."""

    async def over() -> bool:
        return not await services.db.fetchval(_LEFT)

    for _ in range(8):  # there is more to do than for one act
        with suppress(TimeoutError):
            await until(over, pause=0.2)
            return
    assert await over()


async def check(it: World, crowd: Crowd) -> Counter[str]:
    """Compares what was sent with what people have done, by the table."""
    db = crowd.services.db
    rows = await db.fetch(_MESSAGES)
    entries = {row["contact"]: row for row in await db.fetch(_ENTRIES)}
    by_step = Counter((row["contact"], row["step"]) for row in rows)
    assert {*by_step.values()} == {1}, "a step has two messages"
    ids = {row["id"]: row["status"] for row in rows}
    effects = Counter(effect[1] for effect in it.effects())
    assert {*effects.values()} <= {1}, "a message was sent twice"
    sent = {id for id, status in ids.items() if status == "sent"}
    assert sent <= {*effects} <= sent | {id for id, status in ids.items() if status == "unknown"}
    assert await db.fetchval(_MONEY)
    assert not await db.fetch(_STOPPED_LATER), "an entry was stopped by no withdrawal"
    stayed = {id for id, life in crowd.lives.items() if life.was_there and not life.ends}
    must = stayed | {id for id, life in crowd.lives.items() if life.entered}
    assert must <= {*entries} <= must | {id for id, life in crowd.lives.items() if life.was_there}, (
        "a person was lost"
    )
    for id, life in crowd.lives.items():
        handed = [row for row in rows if row["contact"] == id and row["handed_at"] is not None]
        steps = [row["step"] for row in handed]
        assert steps == sorted(steps), "a step came before an earlier one"
        for since, to in life.spans:
            late = [
                row for row in handed if since < row["handed_at"] and (to is None or row["handed_at"] < to)
            ]
            assert not late, "a step was sent after a withdrawal"
        if id not in entries:
            continue
        entry = entries[id]
        if any(begun <= entry["entered_at"] <= ended for _, begun, ended in life.ends):
            continue  # either may have been first
        end = next((each for each in life.ends if each[1] > entry["entered_at"]), None)
        if end is not None:
            assert all(row["handed_at"] < end[2] + TRANSACTION for row in handed), "sent after the end"
        states, all_steps = OUTCOMES[None if end is None else end[0]]
        what = [*(f"{how} {begun} {ended}" for how, begun, ended in life.ends), f"{dict(entry)}"]
        assert (entry["state"], entry["stop_reason"]) in states, "\n".join(what)
        assert not all_steps or steps == [*range(1, STEPS + 1)], f"steps are lost: {life}"
    return Counter(entry["state"] for entry in entries.values()) + Counter(sent=len(sent))


async def crowd_of(it: World, services: Services, people: People, count: int, seed: Any) -> Crowd:
    await it.provider(honours=True, seed=1, trouble=0, channel=MAIL)
    it.environment["POSTERN_PUBLIC_URL"] = "https://postern.example.com"
    crowd = Crowd(services, await people.make(credit="1000"), random.Random(seed))
    await crowd.make(count)
    return crowd


settings = pytest.mark.settings(public_url="https://postern.example.com")


@settings
@pytest.mark.parametrize("point", [*SERIES_POINTS, *PROJECT_POINTS])
async def test_a_worker_that_dies_gives_no_step_twice(
    point: str, it: World, services: Services, people: People
):
    crowd = await crowd_of(it, services, people, PEOPLE, point)
    dying = await it.worker("small_pages", FAULT_AT=point)
    living = asyncio.create_task(crowd.live(2))
    assert await asyncio.wait_for(dying.wait(), 120) == -signal.SIGKILL
    await living
    await it.worker("small_pages")
    await until_over(services)
    await check(it, crowd)


@settings
async def test_many_lives_while_workers_die(it: World, services: Services, people: People):
    crowd = await crowd_of(it, services, people, PEOPLE * 2, os.environ.get("LIVES", "7"))
    living = asyncio.create_task(crowd.live(ACTS))
    deaths = Counter[str]()
    while not living.done() or deaths.total() < 6:
        point = crowd.chance.choice([*SERIES_POINTS, *PROJECT_POINTS, ""])
        worker = await it.worker("small_pages", FAULT_AT=point)
        try:
            await asyncio.wait_for(worker.wait(), crowd.chance.uniform(0.5, 5))
        except TimeoutError:
            worker.kill()
            point = "a moment"
        assert await worker.wait() == -signal.SIGKILL
        deaths[point] += 1
    await living
    await it.worker("small_pages")
    await until_over(services)
    print(json.dumps({"people": len(crowd.lives), **deaths, **await check(it, crowd)}), flush=True)
