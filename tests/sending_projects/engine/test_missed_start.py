"""A scheduled project that can't be started in time is stopped, and its owner decides."""

from typing import Any

import pytest

from engine.projects import scheduler
from tests.support.people import Person
from tests.support.projects import Projects

_OVERDUE = """
UPDATE sending_projects SET start_at = now() - $1 * interval '1 second' WHERE id = $2::text::uuid
"""


async def scheduled(projects: Projects, ada: Person, **fields: Any) -> str:
    """Returns a project that is scheduled for tomorrow."""
    tomorrow = (await projects.db.fetchval("SELECT now() + interval '1 day'")).isoformat()
    new = {"name": "Sale", "channel": "sms", "text": "Hello", "startAt": tomorrow, **fields}
    made = await ada.rest("POST", "/sending-project", json=new)
    assert made.status_code == 201, made.text
    uuid: str = made.json()["uuid"]
    added = await ada.rest("POST", f"/recipient/{uuid}", json={"recipients": [{"phone": "+14155550100"}]})
    assert added.status_code in (200, 201), added.text
    assert (await ada.rest("POST", f"/sending-project/start/{uuid}")).json()["status"] == "scheduled"
    return uuid


async def late(projects: Projects, uuid: str, seconds: int) -> None:
    """Makes `startAt` so long ago, and lets a worker look."""
    await projects.db.fetchval(_OVERDUE, seconds, uuid)
    await scheduler.start_scheduled(projects.services)


async def of(ada: Person, uuid: str) -> tuple[str, str | None]:
    row = (await ada.rest("GET", f"/sending-project/{uuid}")).json()
    return row["status"], row["statusReason"]


@pytest.mark.parametrize(
    ("within", "seconds", "missed"),
    [
        (None, 86_000, False),
        (None, 87_000, True),
        (60, 30, False),
        (60, 90, True),
        (2_592_000, 2_500_000, False),
    ],
)
async def test_what_is_too_late_is_stopped(
    within: int | None, seconds: int, missed: bool, projects: Projects, ada: Person
):
    fields = {} if within is None else {"startWithinSeconds": within}
    uuid = await scheduled(projects, ada, **fields)
    await late(projects, uuid, seconds)
    assert await of(ada, uuid) == (("stopped", "missed_start") if missed else ("running", None))


async def test_it_can_be_changed_and_started(projects: Projects, ada: Person):
    uuid = await scheduled(projects, ada)
    await late(projects, uuid, 200_000)
    data = await ada.data(f'{{sendingProject(id:"{uuid}"){{status statusReason startWithinSeconds}}}}')
    assert data["sendingProject"] == {
        "status": "stopped",
        "statusReason": "missed_start",
        "startWithinSeconds": 86_400,
    }
    tomorrow = (await projects.db.fetchval("SELECT now() + interval '1 day'")).isoformat()
    changed = await ada.rest("PATCH", f"/sending-project/{uuid}", json={"startAt": tomorrow})
    assert changed.status_code == 200
    assert (await ada.rest("POST", f"/sending-project/start/{uuid}")).json()["status"] == "scheduled"
    assert await of(ada, uuid) == ("scheduled", None)
    await late(projects, uuid, 200_000)
    assert (await ada.rest("POST", f"/sending-project/start/{uuid}")).json()["status"] == "running"
    assert await of(ada, uuid) == ("running", None)


async def test_the_time_can_be_changed_while_it_is_scheduled(projects: Projects, ada: Person):
    uuid = await scheduled(projects, ada)
    for value in (59, 2_592_001, "x", True):
        answer = await ada.rest("PATCH", f"/sending-project/{uuid}", json={"startWithinSeconds": value})
        assert answer.status_code == 400, value
    answer = await ada.rest("PATCH", f"/sending-project/{uuid}", json={"startWithinSeconds": 2_592_000})
    assert answer.json()["startWithinSeconds"] == 2_592_000
    await late(projects, uuid, 200_000)
    assert await of(ada, uuid) == ("running", None)
    other = await scheduled(projects, ada, startWithinSeconds=600)
    answer = await ada.rest("PATCH", f"/sending-project/{other}", json={"startWithinSeconds": None})
    assert answer.json()["startWithinSeconds"] == 86_400
