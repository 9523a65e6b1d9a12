"""A retry takes skipped messages by their codes, and looks again at what made them be skipped."""

from typing import Any
from uuid import UUID

import pytest

from channels.sandbox import box
from resolvers.sending_projects import project_steps
from tests.support.people import Person
from tests.support.projects import Projects

PEOPLE: list[str | dict[str, Any]] = [
    {"address": "fine@example.com", "variables": {"city": "Riga"}},
    {"address": "lacks@example.com"},
    {"address": "blocked@example.com", "variables": {"city": "Oslo"}},
    {"address": "no address"},
]


async def skipped(projects: Projects, ada: Person) -> UUID:
    """A finished project that sent one message and skipped three, each for another reason."""
    assert (await ada.rest("POST", "/block/blocked@example.com", json={})).status_code == 200
    project = await projects.make(ada, PEOPLE, text="Hi {{ city }}", on_missing_variable="skip")
    await projects.work()
    assert await codes(projects, project) == {
        "fine": "sent", "lacks": "missing_variable", "blocked": "blocked", "no address": "invalid_recipient",
    }  # fmt: skip
    return project


async def codes(projects: Projects, project: UUID) -> dict[str, str]:
    records = await projects.records(project)
    return {row["to"].partition("@")[0]: row["failure_code"] or row["status"] for row in records}


async def retry(who: Person, project: UUID, **options: Any) -> Any:
    return await who.rest("POST", f"/sending-project/retry/{project}", json=options)


async def test_those_whose_cause_is_gone_are_sent(projects: Projects, ada: Person):
    project = await skipped(projects, ada)
    box().outbox.clear()
    await projects.db.fetchval(
        "UPDATE recipients SET variables = '{\"city\": \"Bern\"}' WHERE variables = '{}'"
    )
    assert (await ada.rest("POST", "/block/unblock/blocked@example.com")).status_code == 204
    assert (await retry(ada, project, skipped=["missing_variable"])).status_code == 200
    await projects.work()
    assert await codes(projects, project) == {
        "fine": "sent", "lacks": "sent", "blocked": "blocked", "no address": "invalid_recipient",
    }  # fmt: skip
    assert [accepted.message.body for accepted in box().outbox] == ["Hi Bern"]
    await projects.sound(project)


async def test_those_whose_cause_stays_are_skipped_again_and_cost_nothing(projects: Projects, ada: Person):
    project = await skipped(projects, ada)
    before = await projects.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    done = await ada.data(
        'mutation($id:ID!){retrySendingProject(id:$id,input:{skipped:["missing_variable","blocked"]}){status}}',
        {"id": str(project)},
    )
    assert done["retrySendingProject"]["status"] == "running"
    await projects.work()
    assert (await codes(projects, project))["lacks"] == "missing_variable"
    assert (await codes(projects, project))["blocked"] == "blocked"
    assert await projects.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id) == before
    assert (await projects.row(project))["status"] == "finished"
    reasons = (await ada.rest("GET", "/statistics/delivery-status-counts")).json()["failureReasons"]
    assert reasons == {"missing_variable": 1, "blocked": 1, "invalid_recipient": 1}
    await projects.sound(project)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 409, "nothing_to_retry"),
        ({"skipped": ["empty_text"]}, 409, "nothing_to_retry"),
        ({"skipped": ["invalid_recipient"]}, 400, "validation_failed"),
        ({"skipped": ["no code"]}, 400, "validation_failed"),
    ],
)
async def test_what_is_refused(projects: Projects, ada: Person, body: Any, status: int, code: str):
    answer = await retry(ada, await skipped(projects, ada), **body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    if status == 409:
        assert "skipped" in answer.json()["message"]


async def test_whom_a_bounce_or_a_complaint_has_blocked_is_left_out(projects: Projects, ada: Person):
    people = [f"{name}@example.com" for name in ("Hard", "spam", "manual", "fine", "unknown", "sent")]
    project = await projects.make(ada, [*people])
    await projects.work()
    box().outbox.clear()
    async with projects.db.reading() as db:
        await db.execute(
            "UPDATE message_records SET status = CASE WHEN \"to\" LIKE 'unknown%' THEN 'unknown' ELSE 'failed' END,"
            " failure_code = 'timeout', attempts = 1 WHERE project_id = $1 AND \"to\" NOT LIKE 'sent%'", project,
        )  # fmt: skip
    for name, reason in (
        ("hard", "hardBounce"),
        ("unknown", "hardBounce"),
        ("spam", "complaint"),
        ("manual", None),
    ):
        body = {"reason": reason} if reason else {}
        assert (await ada.rest("POST", f"/block/{name}@example.com", json=body)).status_code == 200
    assert (await retry(ada, project, unknown=True)).json()["retrySuppressed"] == 0
    await projects.work()
    assert [accepted.message.to for accepted in box().outbox] == ["fine@example.com"]
    records = {row["to"].partition("@")[0]: row["status"] for row in await projects.records(project)}
    assert records == {
        "Hard": "failed", "spam": "failed", "manual": "skipped", "fine": "sent", "unknown": "unknown", "sent": "sent",
    }  # fmt: skip
    shown = (await ada.rest("GET", f"/sending-project/{project}")).json()
    assert (shown["status"], shown["retrySuppressed"]) == ("finished", 3)
    graph = await ada.data("query($id:ID!){sendingProject(id:$id){retrySuppressed}}", {"id": str(project)})
    assert graph["sendingProject"]["retrySuppressed"] == 3
    await ada.rest("POST", "/block/unblock/hard@example.com")
    await retry(ada, project)  # counts anew
    await projects.work()
    shown = (await ada.rest("GET", f"/sending-project/{project}")).json()
    assert (shown["counts"]["sent"], shown["retrySuppressed"]) == (3, 1)


async def mixed(projects: Projects, ada: Person) -> UUID:
    """A finished project whose messages failed for two reasons; with one of these codes one was skipped, too."""
    people = ["fine@example.com", "no address"]
    project = await projects.make(ada, [*people, "timeout@example.com", "refused@example.com"])
    await projects.work()
    failed = (
        "UPDATE message_records SET status = 'failed', failure_code = $2, attempts = 1, delivered_at = NULL"
        ' WHERE project_id = $1 AND "to" = $3'
    )
    async with projects.db.reading() as db:
        await db.execute(failed, project, "timeout", "timeout@example.com")
        await db.execute(failed, project, "invalid_recipient", "refused@example.com")
    return project


REASONS = "query($id:ID!){sendingProject(id:$id){failureReasons{code count skipped}}}"


async def test_reasons_tell_the_failed_from_the_skipped(projects: Projects, ada: Person):
    project = await mixed(projects, ada)
    reasons = (await ada.data(REASONS, {"id": str(project)}))["sendingProject"]["failureReasons"]
    assert reasons == [
        {"code": "invalid_recipient", "count": 2, "skipped": 1},
        {"code": "timeout", "count": 1, "skipped": 0},
    ]


async def test_where_all_are_skipped_the_counters_tell_it(projects: Projects, ada: Person):
    project = await skipped(projects, ada)
    reasons = (await ada.data(REASONS, {"id": str(project)}))["sendingProject"]["failureReasons"]
    assert [(reason["count"], reason["skipped"]) for reason in reasons] == [(1, 1)] * 3


async def test_only_those_that_failed_with_these_codes_are_sent(projects: Projects, ada: Person):
    project = await mixed(projects, ada)
    box().outbox.clear()
    done = await ada.data(
        'mutation($id:ID!){retrySendingProject(id:$id,input:{failed:["timeout"]}){status}}',
        {"id": str(project)},
    )
    assert done["retrySendingProject"]["status"] == "running"
    await projects.work()
    assert [accepted.message.to for accepted in box().outbox] == ["timeout@example.com"]
    assert await codes(projects, project) == {
        "fine": "sent", "timeout": "sent", "refused": "invalid_recipient", "no address": "invalid_recipient",
    }  # fmt: skip
    assert (await projects.row(project))["status"] == "finished"
    # The one that was sent again keeps why it had failed.
    answer = await ada.data(
        "query($id:String!){messageRecords(where:{sendingProjectUuid:{eq:$id}}){nodes{to "
        "failedAttempts{code reason}}}}",
        {"id": str(project)},
    )
    kept_attempts = {node["to"]: node["failedAttempts"] for node in answer["messageRecords"]["nodes"]}
    assert [to for to, attempts in kept_attempts.items() if attempts] == ["timeout@example.com"]
    assert [attempt["code"] for attempt in kept_attempts["timeout@example.com"]] == ["timeout"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"failed": []}, 409),
        ({"failed": ["rejected"]}, 409),
        ({"failed": ["no code"]}, 400),
        ({"failed": ["invalid_recipient"]}, 200),
        ({"failed": [], "skipped": ["blocked"]}, 409),
        ({"failed": None}, 200),
    ],
)
async def test_codes_that_no_message_has_failed_with(projects: Projects, ada: Person, body: Any, status: int):
    answer = await retry(ada, await mixed(projects, ada), **body)
    assert answer.status_code == status, answer.text


async def test_codes_that_no_message_has_are_refused_without_a_look_at_the_messages(
    projects: Projects, ada: Person, monkeypatch: pytest.MonkeyPatch
):
    project = await mixed(projects, ada)
    monkeypatch.setattr(project_steps, "_ANY_BY_CODE", "no valid statement")
    assert (await retry(ada, project, failed=["rejected"])).json()["code"] == "nothing_to_retry"
