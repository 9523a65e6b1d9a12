"""The plan of a project agrees with what is then sent and charged."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

import engine.projects  # noqa: F401  registers the jobs
from engine.worker import take_events
from resolvers import project_plans
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
        await take_events(services, channel, events)

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
    found: dict[str, Any] = plan["sendingProjectPlan"]
    return found


@pytest.mark.parametrize("text", ["Hi {{ city }}", "{% assign hi = 'Hi' %}{{ hi }} {{ city }}"])
async def test_it_agrees_with_what_is_sent_and_charged(projects: Projects, ada: Person, text: str):
    assert (await ada.rest("POST", "/block/+15005550003", json={})).status_code == 200
    project = await draft(ada, text=text, onMissingVariable="skip")
    before = await projects.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    plan = await planned(ada, project)
    assert (plan["recipients"], plan["toSend"], plan["exact"], plan["examined"]) == (4, 2, True, 3)
    assert sorted((one["code"], one["count"]) for one in plan["skipped"]) == [
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
    monkeypatch.setattr(project_plans, "EXAMINED", 100)
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
