"""A project that runs by a plan stays within the limits of its plan, and its approval holds for what it was given."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from engine.projects import scheduler
from engine.projects.repeatable import fire_next
from runtime.services import Services
from tests.approvals.made import ask, decide, plan, project, start
from tests.approvals.test_approvals import team
from tests.consent import made as consent
from tests.sending_projects.engine.conftest import projects
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.reconciled import files_of
from tests.support.waits import until

__all__ = ["projects", "team"]

ROW = "SELECT status, status_reason, plan_id FROM sending_projects WHERE id = $1"


async def row(services: Services, uuid: str) -> Any:
    return await services.db.fetchrow(ROW, uuid)


async def settle(projects: Projects, uuid: str) -> Any:
    """Works until no job is left, and returns the project."""
    await projects.work()
    return await row(projects.services, uuid)


async def test_no_more_is_charged_than_the_plan_allows(rich: Person, projects: Projects, services: Services):
    uuid = await project(rich, 5)
    made = await plan(rich, uuid)
    price = made["atMost"] / 5
    await services.db.fetch("UPDATE project_plans SET at_most = $2 WHERE id = $1", UUID(made["uuid"]), 0)
    assert (await start(rich, uuid, made["hash"])).status_code == 200
    paused = await settle(projects, uuid)
    assert (paused["status"], paused["status_reason"]) == ("paused", "over_approved")
    spent = await services.db.fetchval("SELECT sum(amount) FROM ledger_entries WHERE project_id = $1", uuid)
    assert not spent
    await scheduler.resume_paused(services)
    assert (await row(services, uuid))["status"] == "paused"
    assert (await rich.rest("POST", f"/sending-project/stop/{uuid}")).status_code == 200
    await rich.rest("PATCH", f"/sending-project/{uuid}", json={"text": "Hello"})
    again = await plan(rich, uuid)
    assert again["atMost"] == pytest.approx(5 * price)
    assert (await start(rich, uuid, again["hash"])).status_code == 200
    assert (await settle(projects, uuid))["status"] == "finished"


@pytest.fixture
async def rich(people: Any) -> Person:
    made: Person = await people.make(credit="100")
    return made


async def readers(person: Person, number: int) -> str:
    """Returns a topic with so many subscribers."""
    topic = await consent.topic(person)
    contacts = [
        await consent.contact(person, f"reader{index}@example.com", externalId=f"reader{index}")
        for index in range(number)
    ]
    await consent.subscribe(person, contacts, [topic])
    return topic


async def test_an_audience_beyond_its_bound_gets_nothing(
    rich: Person, projects: Projects, services: Services
):
    topic = await readers(rich, 2)
    uuid = await project(rich, 0, channel="email", subject="S", text="News", audience={"topicUuids": [topic]})
    made = await plan(rich, uuid)
    assert made["atMostRecipients"] == 12
    await services.db.fetch(
        "UPDATE project_plans SET at_most_recipients = 1 WHERE id = $1", UUID(made["uuid"])
    )
    assert (await start(rich, uuid, made["hash"])).status_code == 200
    paused = await settle(projects, uuid)
    assert (paused["status"], paused["status_reason"]) == ("paused", "over_approved")
    sent = await services.db.fetchval(
        "SELECT count(*) FROM message_records WHERE project_id = $1 AND sent_at IS NOT NULL", uuid
    )
    assert sent == 0
    await rich.rest("POST", f"/sending-project/stop/{uuid}")
    assert (await start(rich, uuid, made["hash"])).json()["code"] == "approval_required"
    again = await plan(rich, uuid)
    assert (await start(rich, uuid, again["hash"])).status_code == 200
    assert (await settle(projects, uuid))["status"] == "finished"


async def test_a_contact_that_was_changed_after_the_plan_is_skipped(
    rich: Person, projects: Projects, services: Services
):
    topic = await readers(rich, 3)
    fields = {"channel": "email", "subject": "S", "audience": {"topicUuids": [topic]}}
    named = await project(rich, 0, text="Dear {{ name }}", **fields)
    plain = await project(rich, 0, text="Dear reader", **fields)
    hashes = {uuid: (await plan(rich, uuid))["hash"] for uuid in (named, plain)}
    await rich.rest("POST", "/contacts", json={"externalId": "reader1", "name": "Mallory"})
    for uuid, plan_hash in hashes.items():
        assert (await start(rich, uuid, plan_hash)).status_code == 200
        assert (await settle(projects, uuid))["status"] == "finished"
    skipped = await services.db.fetch(
        "SELECT project_id::text AS project, failure_code AS code FROM message_records WHERE status = 'skipped'"
    )
    assert [(each["project"], each["code"]) for each in skipped] == [(named, "changed_after_plan")]


async def test_a_scheduled_project_whose_approval_has_expired_is_stopped(
    ada: Person, team: dict[str, Person], services: Services
):
    uuid = await project(team["editor"])
    later = "UPDATE sending_projects SET start_at = now() + $2::interval WHERE id = $1 RETURNING start_at"
    await services.db.fetchval(later, uuid, timedelta(hours=1))
    made = await plan(team["editor"], uuid)
    approval = await ask(team["editor"], uuid, made["hash"])
    await decide(team["approver"], approval, made["hash"])
    assert (await start(team["sender"], uuid)).json()["status"] == "scheduled"
    await services.db.fetch(
        "UPDATE project_approvals SET expires_at = now() - interval '1 second' WHERE project_id = $1", uuid
    )
    await services.db.fetchval(later, uuid, timedelta(seconds=-1))
    await scheduler.start_scheduled(services)
    stopped = await row(services, uuid)
    assert (stopped["status"], stopped["status_reason"]) == ("stopped", "approval_expired")


async def test_a_scheduled_project_starts_by_its_plan(
    ada: Person, team: dict[str, Person], services: Services
):
    uuid = await project(team["editor"])
    moved = "UPDATE sending_projects SET start_at = $2 WHERE id = $1 RETURNING start_at"
    at = services.db.now() + timedelta(seconds=2)
    await services.db.fetchval(moved, uuid, at)
    made = await plan(team["editor"], uuid)
    assert made["document"]["content"]["startAt"] is not None
    approval = await ask(team["editor"], uuid, made["hash"])
    await decide(team["approver"], approval, made["hash"])
    assert (await start(team["sender"], uuid)).json()["status"] == "scheduled"

    async def started() -> bool:
        await scheduler.start_scheduled(services)
        return (await row(services, uuid))["status"] == "running"

    await until(started)


async def test_runs_of_the_same_content_need_one_approval(
    ada: Person, team: dict[str, Person], projects: Projects, services: Services
):
    source = await project(ada, 2)
    template = {"channel": "sms", "text": "Hi {{ name }}"}
    body = {
        "name": "Weekly", "template": template, "source": {"sendingProjectUuid": source},
        "schedule": {"cron": "0 5 * * *", "timezone": "UTC"},
    }  # fmt: skip
    answer = await ada.rest("POST", "/repeatable-sending-project", json=body)
    assert answer.status_code == 201, answer.text
    repeatable = answer.json()["uuid"]
    runs = [await run(projects, services, repeatable, number) for number in range(1)]
    assert (await row(services, runs[0]))["status"] == "draft"
    made = await plan(ada, runs[0])
    approval = await ask(team["editor"], runs[0], made["hash"])
    assert (await decide(ada, approval, made["hash"])).json()["code"] == "own_change"  # the template is hers
    answer = await decide(team["approver"], approval, made["hash"])
    assert answer.status_code == 200, answer.text
    assert (await start(team["sender"], runs[0])).status_code == 200
    second = await run(projects, services, repeatable, 2)
    assert (await row(services, second))["status"] != "draft"
    files = await files_of(services.db, UUID(second))
    assert files is not None
    # They were added after the plan of the first run, and are in the audience that was approved.
    assert files.contents["counts"]["late"] == 0
    assert files.contents["plan"]["hash"] == made["hash"]
    await ada.rest(
        "PATCH", f"/repeatable-sending-project/{repeatable}", json={"template": {**template, "text": "No"}}
    )
    third = await run(projects, services, repeatable, 3)
    assert (await row(services, third))["status"] == "draft"
    other = str(uuid7())
    asked = "query($w:ApprovalWhere){approvals(where:$w){nodes{uuid}}}"
    for where, found in (
        ({"eq": repeatable}, [{"uuid": approval["uuid"]}]),
        ({"in": [other, repeatable]}, [{"uuid": approval["uuid"]}]),
        ({"eq": other}, []),
    ):
        assert (await ada.data(asked, {"w": {"repeatableUuid": where}}))["approvals"]["nodes"] == found
    listed = (await ada.rest("GET", f"/approvals?repeatableUuid={repeatable}")).json()
    assert [each["uuid"] for each in listed["items"]] == [approval["uuid"]]


async def run(projects: Projects, services: Services, repeatable: str, number: int) -> str:
    """Fires the schedule, and returns the uuid of the run."""
    await services.db.fetch(
        "UPDATE repeatable_projects SET status = 'active', next_run_at = now() - $2 * interval '1 millisecond'"
        " WHERE id = $1",
        repeatable,
        number,
    )
    async with services.db.transaction() as db:
        assert await fire_next(db, services.render_pool)
    await projects.work()
    uuid = await services.db.fetchval(
        "SELECT id FROM sending_projects WHERE repeatable_uuid = $1 ORDER BY id DESC LIMIT 1", repeatable
    )
    return str(uuid)
