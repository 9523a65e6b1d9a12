"""Nothing starts a series, or changes its steps, around its rules: approval, limits of credentials, a restore."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from engine.restore import resume
from runtime.services import Services
from shapes.restores import ResumePolicy
from tests.approvals.made import rule
from tests.consent.made import topic
from tests.members.made import joined
from tests.reach.limited import REFUSED, limited
from tests.restore.conftest import beating
from tests.restore.test_resume import again, restore
from tests.series.made import DAY, Made
from tests.series.test_steps import segment
from tests.support.people import People, Person

__all__ = ["beating"]

ANNA = "anna@example.com"
STARTED = (200, None)

_ACTS: list[tuple[str, str, Any]] = [
    ("POST", "/sending-project/start/{}", None),
    ("POST", "/sending-project/stop/{}", None),
    ("POST", "/sending-project/retry/{}", {"failed": ["undelivered"]}),
    ("PATCH", "/sending-project/{}", {"window": {"timezone": "UTC", "from": "00:00", "to": "24:00"}}),
    ("DELETE", "/sending-project/{}", None),
    ("POST", "/sending-project/{}/plans", None),
]

_STOPPED = [("PATCH", "/sending-project/{}", {"text": "Something else"})]


async def start(made: Made, person: Person) -> tuple[int, str | None]:
    """Returns the status of a start by a person, and the code of an error."""
    plan = (await person.rest("POST", f"/series/{made.id}/plan")).json()["hash"]
    answer = await person.rest("POST", f"/series/{made.id}/start", json={"planHash": plan})
    return answer.status_code, answer.json().get("code")


@pytest.mark.parametrize("paused", [False, True])
async def test_only_the_series_changes_its_steps(made: Made, paused: bool):
    await made.begin()
    project = (await made.row())["projectIds"][0]
    if paused:
        await made.act("pause")
    for method, path, body in (*_ACTS, *(_STOPPED if paused else ())):
        options = {} if body is None else {"json": body}
        answer = await made.person.rest(method, path.format(project), **options)
        assert (answer.status_code, answer.json()["code"]) == (409, "in_series"), answer.text
        assert answer.json()["details"]["seriesId"] == made.id
    row = await made.projects.row(UUID(project))
    assert (row["status"], row["text"]) == ("stopped" if paused else "running", "step1: hello {{ name }}")


@pytest.mark.parametrize("paused", [False, True])
async def test_nobody_changes_the_recipients_of_a_step(made: Made, paused: bool):
    await made.begin()
    await made.enter()
    await made.work()
    if paused:
        await made.act("pause")
    project = (await made.row())["projectIds"][0]
    (id,) = await made.db.fetch("SELECT id FROM recipients WHERE project_id = $1", UUID(project))
    body = {"recipients": [{"address": "mallory@example.com"}]}
    for answer in (
        await made.person.rest("POST", f"/recipient/{project}", json=body),
        await made.person.rest("DELETE", f"/recipient/{project}/{id['id']}"),
    ):
        assert (answer.status_code, answer.json()["code"]) in [
            (409, "not_editable"),
            (409, "has_audience"),
        ], answer.text


async def test_a_rule_of_approval_binds_the_start(made: Made, people: People):
    owner = made.person
    await rule(owner)
    editor, sender, manager = [
        (await joined(owner, await people.make(), role))[0] for role in ("editor", "sender", "manager")
    ]
    made.topic = await topic(owner)
    made.person = editor
    await made.begin(start=False)
    made.person = owner
    token = (await owner.rest("POST", "/api-tokens", json={"name": "agent", "preset": "campaigns"})).json()
    agent = replace(owner, token=token["token"])
    assert [await start(made, each) for each in (sender, agent)] == [REFUSED, REFUSED]
    assert (await made.row())["status"] == "draft"
    assert await start(made, manager) == STARTED
    await made.act("pause")
    await manager.rest("PATCH", f"/series/{made.id}", json={"stopOnReply": False})
    assert await start(made, manager) == (403, "own_change")
    assert await start(made, owner) == STARTED


async def test_who_is_alone_starts_an_own_series_if_the_rule_says_so(made: Made):
    await rule(made.person)
    await made.begin(start=False)
    assert await start(made, made.person) == (403, "own_change")
    await rule(made.person, selfApproval=True)
    assert await start(made, made.person) == STARTED


async def test_who_has_changed_the_segment_does_not_start(made: Made, people: People):
    manager = (await joined(made.person, await people.make(), "manager"))[0]
    await rule(made.person)
    german = await segment(manager)
    await made.begin(start=False, segmentId=german)
    french = {"filter": {"all": [{"any": [{"contact": {"locale": {"eq": "fr"}}}]}]}}
    assert (await manager.rest("PATCH", f"/segments/{german}", json=french)).status_code == 200
    assert [await start(made, each) for each in (manager, made.person)] == [(403, "own_change")] * 2
    other = (await joined(made.person, await people.make(), "manager"))[0]
    assert await start(made, other) == STARTED


@pytest.mark.parametrize(
    ("fields", "limits", "expected"),
    [
        ({"mode": "above", "aboveRecipients": 5}, {"maxEntries": 5}, STARTED),
        ({"mode": "above", "aboveRecipients": 5}, {"maxEntries": 6}, (403, "own_change")),
        ({"mode": "above", "aboveRecipients": 5}, {}, (403, "own_change")),
        ({"mode": "above", "aboveAmount": 5}, {"maxEntries": 1}, (403, "own_change")),
        ({"channels": ["sms"]}, {}, STARTED),
        ({"categories": ["transactional"]}, {}, STARTED),
        ({"channels": ["email"], "categories": ["promotional"]}, {}, (403, "own_change")),
    ],
)
async def test_for_which_series_a_rule_holds(
    made: Made, fields: dict[str, Any], limits: dict[str, Any], expected: tuple[int, str | None]
):
    await rule(made.person, **fields)
    await made.begin(start=False, **limits)
    assert await start(made, made.person) == expected


async def test_a_credential_with_a_limit_of_recipients_starts_none(made: Made, people: People):
    await made.begin(start=False)
    agent, _ = await limited(made.person, 1_000_000)
    member = (await joined(made.person, await people.make(), "manager", approvalAbove=1_000_000))[0]
    assert [await start(made, each) for each in (agent, member)] == [REFUSED, REFUSED]
    assert (await made.row())["status"] == "draft"
    assert await start(made, made.person) == STARTED


@pytest.mark.servers
@pytest.mark.parametrize("policy", ResumePolicy)
async def test_a_restore_pauses_running_series(made: Made, beating: Services, policy: ResumePolicy):
    await made.begin()
    await made.enter()
    await made.work()
    assert await made.sent() == [(1, ANNA)]
    await restore(beating)
    await resume.resume(beating, policy)
    made.person = await again(made.person, beating)
    row = await made.row()
    assert (row["status"], row["statusReason"]) == ("paused", "restored")
    await made.later(2 * DAY)
    assert await made.sent() == [(1, ANNA)]
    assert await start(made, made.person) == STARTED
    await made.work()
    assert await made.sent() == [(1, ANNA), (2, ANNA)]
