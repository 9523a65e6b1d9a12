"""Start, stop, retry, delete: every move that is allowed, and every one that isn't."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.projects.states import MOVES, Event, after
from shapes.sending_projects import ProjectStatus
from tests.sending_projects.conftest import Projects
from tests.support.people import People, Person

SHOWN = [status.value for status in ProjectStatus if status is not ProjectStatus.deleted]
ALLOWED = {(start.value, event.value): end.value for start, event, end in MOVES}
VERBS = ("start", "stop", "retry", "delete")


async def call(person: Person, verb: str, project: str, **options: Any) -> Any:
    if verb == "delete":
        return await person.rest("DELETE", f"/sending-project/{project}")
    return await person.rest("POST", f"/sending-project/{verb}/{project}", **options)


async def call_graph(person: Person, verb: str, project: str) -> Any:
    shown = "" if verb == "delete" else "{status}"
    return await person.graphql(
        f"mutation($id:ID!){{done:{verb}SendingProject(id:$id){shown}}}", {"id": project}
    )


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("status", SHOWN)
async def test_a_caller_s_move(ada: Person, projects: Projects, status: str, verb: str):
    project = await projects.make(ada, recipients=1)
    await projects.messages(project, "failed")
    await projects.put(project, status)
    end = ALLOWED.get((status, verb))
    answer = await call(ada, verb, project)
    row = await projects.row(project)
    if end is None:
        assert answer.status_code == 409
        body = answer.json()
        assert body["code"] == "bad_transition"
        wanted = {"start": "running", "stop": "stopped", "retry": "running", "delete": "deleted"}[verb]
        assert status in body["message"]
        assert wanted in body["message"]
        assert row["status"] == status
        assert await projects.jobs(project) == 0
        refused = await call_graph(ada, verb, project)
        assert refused["errors"][0]["extensions"]["code"] == "bad_transition"
        assert refused["errors"][0]["message"] == body["message"]
    else:
        assert answer.status_code == (204 if verb == "delete" else 200), answer.text
        assert row["status"] == end
        assert verb == "delete" or answer.json()["status"] == end


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("status", SHOWN)
async def test_the_other_door_moves_alike(ada: Person, projects: Projects, status: str, verb: str):
    end = ALLOWED.get((status, verb))
    if end is None:
        return
    project = await projects.make(ada, recipients=1)
    await projects.messages(project, "failed")
    await projects.put(project, status)
    assert "errors" not in await call_graph(ada, verb, project)
    assert (await projects.row(project))["status"] == end


@pytest.mark.parametrize("event", Event)
@pytest.mark.parametrize("status", ProjectStatus)
def test_the_table(status: ProjectStatus, event: Event):
    from core.errors import Conflict

    end = ALLOWED.get((status.value, event.value))
    if end is not None:
        assert after(status, event) == end
        return
    with pytest.raises(Conflict) as refused:
        after(status, event)
    assert refused.value.code == "bad_transition"
    assert {refused.value.details["from"], refused.value.details["to"]} <= set(ProjectStatus)
    assert refused.value.details["from"] in refused.value.message
    assert refused.value.details["to"] in refused.value.message


# start


async def test_start_writes_what_the_engine_needs(ada: Person, projects: Projects):
    project = await projects.make(ada, recipients=2)
    body = (await call(ada, "start", project)).json()
    assert body["status"] == "running"
    assert body["startedAt"]
    row = await projects.row(project)
    assert (row["preparation"], row["prepared_to"], row["content"]) == ("freeze", 0, 1)
    assert await projects.jobs(project) == 1
    content = await projects.db.fetchrow("SELECT * FROM project_contents WHERE project_id = $1", row["id"])
    assert content["content"] == {
        "subject": None, "html": None, "text": "Hi {{ name }}", "variants": [], "template": None,
        "attachment_uuids": [], "on_missing_variable": "empty", "category": "promotional",
    }  # fmt: skip


async def test_a_content_is_kept_once_until_it_changes(ada: Person, projects: Projects):
    project = await projects.make(ada, recipients=1)
    first = (await call(ada, "start", project)).json()["startedAt"]
    await call(ada, "stop", project)
    await projects.execute(
        "UPDATE sending_projects SET prepared_to = 5 WHERE id = $1", (await projects.row(project))["id"]
    )
    assert (await call(ada, "start", project)).json()["startedAt"] == first
    row = await projects.row(project)
    assert (row["content"], row["prepared_to"]) == (1, 5)  # it goes on where it was
    await call(ada, "stop", project)
    await ada.rest("PATCH", f"/sending-project/{project}", json={"text": "Other"})
    await call(ada, "start", project)
    assert (await projects.row(project))["content"] == 2


async def test_two_starts_at_once_are_one(ada: Person, projects: Projects):
    project = await projects.make(ada, recipients=1)
    answers = await asyncio.gather(*(call(ada, "start", project) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    assert await projects.jobs(project) == 1


async def test_a_start_with_a_key_is_replayed(ada: Person, projects: Projects):
    project = await projects.make(ada, recipients=1)
    first = await call(ada, "start", project, headers={"Idempotency-Key": "k"})
    again = await call(ada, "start", project, headers={"Idempotency-Key": "k"})
    assert again.status_code == 200
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert await projects.jobs(project) == 1


async def test_start_later(ada: Person, projects: Projects):
    at = (datetime.now(UTC) + timedelta(hours=2)).isoformat()
    project = await projects.make(ada, recipients=1, startAt=at)
    assert (await call(ada, "start", project)).json()["status"] == "scheduled"
    assert await projects.jobs(project) == 0
    assert (await ada.rest("GET", "/sending-project/count/concurrent")).json() == {"count": 1}
    # Once more: now.
    assert (await call(ada, "start", project)).json()["status"] == "running"


async def test_the_clock_begins_a_scheduled_one(ada: Person, projects: Projects):
    from engine.projects import project_moves

    project = await projects.make(ada, recipients=1, status="scheduled")
    row = await projects.row(project)
    async with projects.db.reading() as db, db.transaction():
        assert await project_moves.begin(db, row["id"])
        assert not await project_moves.begin(db, row["id"])
    row = await projects.row(project)
    assert (row["status"], row["content"], row["preparation"]) == ("running", 1, "freeze")


@pytest.mark.parametrize(
    ("fields", "code", "status"),
    [
        ({"text": None}, "no_text", 400),
        ({"text": None, "channel": "email", "subject": None}, "no_text", 400),
        ({}, "no_recipients", 400),
    ],
)
async def test_a_start_needs(ada: Person, projects: Projects, fields: dict[str, Any], code: str, status: int):
    project = await projects.make(ada, recipients=0 if code == "no_recipients" else 1, **fields)
    answer = await call(ada, "start", project)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert (await projects.row(project))["status"] == "draft"


async def test_a_template_or_html_is_enough(ada: Person, projects: Projects):
    template = {"name": "hello", "language": "en_US", "params": ["{{ name }}"]}
    for fields in (
        {"channel": "whatsapp", "text": None, "template": template},
        {"channel": "email", "text": None, "subject": "s", "html": "<p>{{ name }}</p>"},
        {"text": None, "variants": [{"text": "a"}, {"text": "b", "weight": 3}]},
    ):
        project = await projects.make(ada, recipients=1, **fields)
        assert (await call(ada, "start", project)).status_code == 200


async def test_the_tariff_is_asked(ada: Person, admin: Person, projects: Projects):
    project = await projects.make(ada, recipients=1)
    await projects.execute("UPDATE tariffs SET channels = '{email}'")
    answer = await call(ada, "start", project)
    assert (answer.status_code, answer.json()["code"]) == (403, "channel_not_in_tariff")
    await projects.execute("UPDATE tariffs SET channels = '{sms}', prices = '{\"EUR\": {\"sms\": 1}}'")
    answer = await call(ada, "start", project)
    assert (answer.status_code, answer.json()["code"]) == (400, "no_price")


async def test_no_more_than_the_tariff_s_projects_run_at_once(ada: Person, projects: Projects):
    await projects.execute("UPDATE tariffs SET max_concurrent_projects = 2")
    made = [await projects.make(ada, recipients=1) for _ in range(5)]
    answers = await asyncio.gather(*(call(ada, "start", project) for project in made))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 409, 409, 409]
    assert {answer.json().get("code") for answer in answers} == {None, "too_many_projects"}
    assert (await ada.rest("GET", "/sending-project/count/concurrent")).json() == {"count": 2}


async def test_an_account_that_was_given_away_pays_no_more(
    ada: Person, bob: Person, admin: Person, projects: Projects
):
    project = await projects.make(ada, recipients=1)
    await admin.rest("PATCH", f"/accounts/{ada.account_id}", json={"ownerId": str(bob.id)})
    answer = await call(ada, "start", project)
    assert (answer.status_code, answer.json()["code"]) == (404, "account_not_found")


# retry


@pytest.mark.parametrize(
    ("messages", "unknown", "code"),
    [
        (["sent", "queued"], False, "nothing_to_retry"),
        (["unknown"], False, "nothing_to_retry"),
        (["unknown"], True, None),
        (["failed", "unknown"], False, None),
    ],
)
async def test_retry(ada: Person, projects: Projects, messages: list[str], unknown: bool, code: str | None):
    project = await projects.make(ada, recipients=1)
    await projects.messages(project, *messages)
    await projects.put(project, "finished")
    answer = await call(ada, "retry", project, json={"unknown": unknown})
    assert answer.json().get("code") == code
    row = await projects.row(project)
    if code:
        assert row["status"] == "finished"
    else:
        assert (row["status"], row["preparation"], row["retried_to"]) == ("running", "retry", 0)
        assert row["retry_unknown"] is unknown
        assert row["finished_at"] is None
        assert await projects.jobs(project) == 1


async def test_retrying_a_stopped_one_keeps_where_freezing_was(ada: Person, projects: Projects):
    project = await projects.make(ada, recipients=3, status="stopped")
    await projects.messages(project, "failed")
    await projects.execute(
        "UPDATE sending_projects SET prepared_to = 1 WHERE id = $1", (await projects.row(project))["id"]
    )
    assert (await call(ada, "retry", project)).status_code == 200
    assert (await projects.row(project))["prepared_to"] == 1


# stop, delete


async def test_stop_ends_a_preparation(ada: Person, projects: Projects):
    project = await projects.make(ada, recipients=1)
    await call(ada, "start", project)
    assert (await call(ada, "stop", project)).json()["status"] == "stopped"
    row = await projects.row(project)
    assert (row["preparation"], row["status_reason"], row["resume_at"]) == (None, None, None)


async def test_stop_several(ada: Person, bob: Person, projects: Projects):
    running = [await projects.make(ada, status="running") for _ in range(2)]
    draft = await projects.make(ada)
    hers = await projects.make(bob, status="running")
    uuids = [running[1], draft, hers, running[0], running[0]]
    body = (await ada.rest("POST", "/sending-project/stop/multiple", json={"uuids": uuids})).json()
    assert body["stopped"] == [running[1], running[0]]
    assert [(failure["uuid"], failure["code"]) for failure in body["failed"]] == [
        (draft, "bad_transition"),
        (hers, "sending_project_not_found"),
    ]
    assert (await projects.row(hers))["status"] == "running"
    for wrong in ([], [draft] * 101, ["x"]):
        answer = await ada.rest("POST", "/sending-project/stop/multiple", json={"uuids": wrong})
        assert answer.status_code == 400
    query = "mutation($ids:[UUID!]!){stopSendingProjects(input:{uuids:$ids}){stopped failed{uuid code}}}"
    again = await ada.data(query, {"ids": running})
    assert again["stopSendingProjects"] == {
        "stopped": [],
        "failed": [{"uuid": project, "code": "bad_transition"} for project in running],
    }


async def test_a_deleted_one_is_gone_everywhere(ada: Person, admin: Person, projects: Projects):
    project = await projects.make(ada, recipients=1)
    assert (await call(ada, "delete", project)).status_code == 204
    row = await projects.row(project)
    assert (row["status"], row["preparation"]) == ("deleted", "cancel")
    assert await projects.jobs(project) == 1
    for person in (ada, admin):
        for method, path in (
            ("GET", f"/sending-project/{project}"),
            ("PATCH", f"/sending-project/{project}"),
            ("DELETE", f"/sending-project/{project}"),
            ("POST", f"/sending-project/start/{project}"),
            ("POST", f"/sending-project/stop/{project}"),
            ("POST", f"/sending-project/retry/{project}"),
        ):
            answer = await person.rest(method, path, **({"json": {}} if method == "PATCH" else {}))
            assert (answer.status_code, answer.json()["code"]) == (404, "sending_project_not_found")
        assert (await person.rest("GET", "/sending-project/list")).json()["items"] == []
        assert (await person.rest("GET", "/sending-project/search?status=deleted")).json()["items"] == []
        assert (await person.rest("GET", "/sending-project/count")).json() == {"count": 0}


# the owner


async def test_a_suspended_owner_s_projects_pause(people: People, admin: Person, projects: Projects):
    owner = await people.make()
    states = {status: await projects.make(owner, status=status) for status in SHOWN}
    await admin.data("mutation($id:ID!){suspendUser(id:$id){status}}", {"id": str(owner.id)})
    for status, project in states.items():
        row = await projects.row(project)
        assert row["status"] == ("paused" if status == "running" else status)
        if status == "running":
            assert row["status_reason"] == "owner_suspended"
            assert row["resume_at"] is not None
    answer = await call(admin, "start", states["draft"])
    assert answer.json()["code"] == "owner_not_active"


async def test_a_deleted_owner_s_projects_stop(people: People, admin: Person, projects: Projects):
    owner = await people.make()
    states = {status: await projects.make(owner, status=status) for status in SHOWN}
    assert (await owner.rest("DELETE", f"/users/{owner.id}")).status_code == 204
    for status, project in states.items():
        living = status in ("scheduled", "running", "paused")
        assert (await projects.row(project))["status"] == ("stopped" if living else status)


async def test_a_start_and_a_suspension_at_once(people: People, admin: Person, projects: Projects):
    """In the end nothing of a suspended user runs, whichever request comes first."""
    owner = await people.make()
    made = [await projects.make(owner, recipients=1) for _ in range(6)]
    await asyncio.gather(
        *(call(owner, "start", project) for project in made[:3]),
        admin.data("mutation($id:ID!){suspendUser(id:$id){status}}", {"id": str(owner.id)}),
        *(call(owner, "start", project) for project in made[3:]),
    )
    assert {(await projects.row(project))["status"] for project in made} <= {"draft", "paused"}
