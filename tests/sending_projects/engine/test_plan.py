"""The plan of a project agrees with what is then sent and charged."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

import engine.projects  # noqa: F401  registers the jobs
from engine.worker import receive_events
from resolvers.project_plans import planning
from runtime.render_pool import pool
from runtime.services import Services
from tests.support.people import Person
from tests.support.projects import Projects

PLAN = """
query($id:ID!,$changes:PlannedChanges){sendingProjectPlan(id:$id,changes:$changes){
  recipients toSend exact examined skipped{code count} missing{name count}
  cost{currency price amount atMost parts} perMinute limitedBy perDay leftToday beginsAt endsAt}}
"""
PEOPLE: list[dict[str, Any]] = [
    {"phone": "+15005550000", "variables": {"city": "Riga"}},
    {"phone": "+15005550001", "variables": {"city": "R" * 200}},
    {"phone": "+15005550002"},
    {"phone": "+15005550003", "variables": {"city": "Oslo"}},
]


@pytest.fixture
async def projects(services: Services) -> AsyncIterator[Projects]:
    async def sink(channel, events):
        await receive_events(services, channel, events)

    await services.routes.open(sink)
    yield Projects(services)
    await services.routes.close()


async def draft(ada: Person, people: list[dict[str, Any]] | None = None, **fields: Any) -> str:
    new = {"name": "n", "channel": "sms", "text": "Hi {{ city }}", **fields}
    made = await ada.rest("POST", "/sending-project", json=new)
    assert made.status_code == 201, made.text
    uuid: str = made.json()["uuid"]
    added = await ada.rest("POST", f"/recipient/{uuid}", json={"recipients": people or PEOPLE})
    assert added.status_code == 200, added.text
    return uuid


async def planned(ada: Person, project: str, **changes: Any) -> dict[str, Any]:
    plan = await ada.data(PLAN, {"id": project, "changes": changes})
    project_plan: dict[str, Any] = plan["sendingProjectPlan"]
    return project_plan


@pytest.mark.parametrize("text", ["Hi {{ city }}", "{% assign hi = 'Hi' %}{{ hi }} {{ city }}"])
async def test_it_agrees_with_what_is_sent_and_charged(projects: Projects, ada: Person, text: str):
    assert (await ada.rest("POST", "/block/+15005550003", json={})).status_code == 200
    project = await draft(ada, text=text, onMissingVariable="skip")
    before = await projects.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    plan = await planned(ada, project)
    assert (plan["recipients"], plan["toSend"], plan["exact"], plan["examined"]) == (4, 2, True, 3)
    assert sorted((entry["code"], entry["count"]) for entry in plan["skipped"]) == [
        ("blocked", 1),
        ("missing_variable", 1),
    ]
    assert plan["missing"] == [{"name": "city", "count": 1}]
    started = await ada.rest("POST", f"/sending-project/start/{project}")
    assert started.status_code == 200, started.text
    await projects.work()
    states = await projects.states(UUID(project))
    assert states["skipped"] == 2
    after = await projects.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    assert Decimal(str(plan["cost"]["amount"])) == before - after > 0
    assert plan["cost"]["atMost"] == plan["cost"]["amount"]
    assert plan["cost"]["parts"] > 1


async def test_texts_without_content_and_bad_zones_are_foreseen(ada: Person):
    window = {"timezone": "UTC", "from": "00:00", "to": "24:00", "recipientTimezone": True}
    people = [*PEOPLE[:1], {"phone": "+15005550009", "variables": {"city": " "}}]
    project = await draft(ada, people, text="{{ city }}", window=window)
    plan = await planned(ada, project)
    assert plan["skipped"] == [{"code": "empty_text", "count": 1}]
    assert plan["toSend"] == 1


async def test_a_long_list_is_examined_in_parts_of_it(
    services: Services, ada: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(planning, "EXAMINED", 100)
    people = [
        {"phone": f"+1500555{number:04}", "variables": {"city": "Riga"} if number < 500 else {}}
        for number in range(1000)
    ]
    project = await draft(ada, people, onMissingVariable="skip")
    plan = await planned(ada, project)
    assert (plan["recipients"], plan["exact"], plan["examined"]) == (1000, False, 100)
    assert plan["skipped"] == [{"code": "missing_variable", "count": 500}]
    assert plan["toSend"] == 500
    price = Decimal(str(plan["cost"]["price"]))
    assert Decimal(str(plan["cost"]["amount"])) == price * 500
    assert Decimal(str(plan["cost"]["atMost"])) == price * 950


async def test_the_end_follows_from_speed_and_window(ada: Person):
    project = await draft(ada, speed={"perMinute": 2})
    plan = await planned(ada, project)
    begins, ends = (datetime.fromisoformat(plan[name]) for name in ("beginsAt", "endsAt"))
    assert ends - begins == timedelta(minutes=2)
    assert (plan["perMinute"], plan["limitedBy"]) == (2, "speed")
    slower = await planned(ada, project, speed={"perMinute": 1})
    begins, ends = (datetime.fromisoformat(slower[name]) for name in ("beginsAt", "endsAt"))
    assert ends - begins == timedelta(minutes=4)
    free = await planned(ada, project, speed=None)
    assert (free["perMinute"], free["limitedBy"], free["endsAt"]) == (None, "route", None)
    hour = (datetime.now(UTC) + timedelta(hours=3)).hour
    window = {"timezone": "UTC", "from": f"{hour:02}:00", "to": f"{(hour + 2) % 24:02}:00"}
    later = await planned(ada, project, window=window)
    assert datetime.fromisoformat(later["beginsAt"]).hour == hour
    unchanged = await ada.data(
        "query($id:ID!){sendingProject(id:$id){window{from} speed{perMinute}}}", {"id": project}
    )
    assert unchanged["sendingProject"] == {"window": None, "speed": {"perMinute": 2}}


async def test_what_was_sent_is_no_longer_planned(projects: Projects, ada: Person):
    project = await draft(ada)
    assert (await ada.rest("POST", f"/sending-project/start/{project}")).status_code == 200
    await projects.work()
    plan = await planned(ada, project)
    assert (plan["recipients"], plan["toSend"], plan["beginsAt"]) == (0, 0, None)
    assert Decimal(str(plan["cost"]["amount"])) == 0


async def test_no_more_variables_are_read_than_the_bound(
    services: Services, ada: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(planning, "VARIABLE_BYTES", 100_000)
    monkeypatch.setattr(planning, "_READ", 7)
    # Stored compressed, they take less than the bound.
    people = [{"phone": f"+1500555{number:04}", "variables": {"city": "R" * 9_000}} for number in range(20)]
    project = await draft(ada, people)
    read: list[Any] = []
    fetch = services.db.fetch

    async def listening(sql: str, *arguments: Any) -> Any:
        rows = await fetch(sql, *arguments)
        if sql == planning._READ_SAMPLE:
            read.extend(rows)
        return rows

    monkeypatch.setattr(services.db, "fetch", listening)
    plan = await planned(ada, project)
    assert (plan["examined"], plan["exact"], plan["toSend"]) == (11, False, 20)
    assert len(read) == 11
    assert sum(len(str(row["variables"])) for row in read) < 100_000


async def test_a_changed_window_follows_the_clocks_of_recipients(ada: Person):
    project = await draft(ada, [{"phone": "+493012345678", "variables": {"city": "Berlin"}}])
    assert (await planned(ada, project))["skipped"] == []
    here = datetime.now(ZoneInfo("Europe/Berlin")) + timedelta(hours=3)
    window = {"timezone": "UTC", "from": f"{here.hour:02}:00", "to": f"{(here.hour + 1) % 24:02}:00"}
    plan = await planned(ada, project, window={**window, "recipientTimezone": True})
    assert datetime.fromisoformat(plan["beginsAt"]).astimezone(ZoneInfo("Europe/Berlin")).hour == here.hour
    assert plan["skipped"] == []


async def test_a_user_has_one_plan_at_a_time(
    services: Services, ada: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pool, "QUEUE_SECONDS", 60)  # a busy machine
    services.render_pool = pool.RenderPool()
    project, others = await draft(ada), await draft(bob)
    running: Counter[UUID] = Counter()
    most: Counter[UUID] = Counter()
    plan_of, alone = planning._plan, pool.RenderPool.alone
    both, every = asyncio.Event(), asyncio.Event()
    calls = 0

    def asking(render_pool: pool.RenderPool, owner: UUID, network: str | None) -> Any:
        nonlocal calls
        calls += owner == ada.id
        if calls == 8:
            every.set()
        return alone(render_pool, owner, network)

    async def counting(op: Any, *arguments: Any) -> Any:
        owner = op.viewer.id
        running[owner] += 1
        most[owner] = max(most[owner], running[owner])
        if len(most) == 2:
            both.set()
        try:
            # The other user's plan begins meanwhile, and so do all requests of this one.
            await asyncio.wait_for(asyncio.gather(both.wait(), every.wait()), 30)
            return await plan_of(op, *arguments)
        finally:
            running[owner] -= 1

    monkeypatch.setattr(planning, "_plan", counting)
    monkeypatch.setattr(pool.RenderPool, "alone", asking)
    aliases = "".join(f"p{number}:sendingProjectPlan(id:$id){{toSend}}" for number in range(8))
    answers = await asyncio.gather(
        ada.graphql(f"query($id:ID!){{{aliases}}}", {"id": project}), planned(bob, others)
    )
    errors = answers[0]["errors"]
    assert {error["extensions"]["code"] for error in errors} == {"programs_busy"}
    assert len(errors) == 8 - pool.WAITING_PER_USER
    assert {*most.values()} == {1}
    assert answers[1]["toSend"] == 4
    assert not len(services.render_pool._queue)
