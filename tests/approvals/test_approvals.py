"""A second person decides about the exact plan, and nothing else starts."""

import asyncio
from typing import Any

import pytest

from tests.approvals.made import add, ask, decide, plan, project, rule, start
from tests.members.made import joined
from tests.support.people import People, Person


@pytest.fixture
async def team(ada: Person, people: People) -> dict[str, Person]:
    """Ada's editor, approver and sender, with a rule that everything needs an approval."""
    await rule(ada)
    return {
        role: (await joined(ada, await people.make(), role))[0] for role in ("editor", "approver", "sender")
    }


async def test_the_story_of_four(ada: Person, team: dict[str, Person], services):
    editor, approver, sender = team["editor"], team["approver"], team["sender"]
    uuid = await project(editor)
    refused = await start(sender, uuid)
    assert refused.json()["code"] == "approval_required"

    token = (await ada.rest("POST", "/api-tokens", json={"name": "agent", "preset": "campaigns"})).json()
    agent = Person(ada.id, "agent", ada.account_id, token["token"], ada.client)
    made = await plan(agent, uuid)
    approval = await ask(agent, uuid, made["hash"])
    assert approval["state"] == "asked"
    assert approval["askedByToken"]

    review = (await approver.rest("GET", f"/approvals/{approval['uuid']}/review")).json()
    assert [message["body"] for message in review["messages"]] == [
        "Hi P0, code 0",
        "Hi P1, code 1",
        "Hi P2, code 2",
    ]
    assert {message["to"] for message in review["messages"]} == {"…0000", "…0001", "…0002"}
    assert review["mayDecide"]
    assert (await decide(approver, approval, made["hash"], "refused")).json()["state"] == "refused"
    assert (await decide(approver, approval, made["hash"])).json()["code"] == "not_asked"

    await editor.rest("PATCH", f"/sending-project/{uuid}", json={"text": "Hello {{ name }}"})
    second = await plan(editor, uuid)
    approval = await ask(editor, uuid, second["hash"])
    assert (await decide(editor, approval, second["hash"])).status_code == 403
    assert (await start(sender, uuid)).json()["code"] == "approval_required"
    assert (await decide(approver, approval, second["hash"])).json()["state"] == "approved"

    await editor.rest("PATCH", f"/sending-project/{uuid}", json={"text": "Hello again {{ name }}"})
    voided = (await ada.rest("GET", f"/approvals/{approval['uuid']}")).json()
    assert (voided["state"], voided["changed"], voided["voidedBy"]) == ("void", "text", str(editor.id))
    assert (await start(sender, uuid)).json()["code"] == "approval_required"

    third = await plan(editor, uuid)
    approval = await ask(editor, uuid, third["hash"])
    review = (await approver.rest("GET", f"/approvals/{approval['uuid']}/review")).json()
    assert [(each["field"], each["old"]) for each in review["differences"]] == [("text", "Hello {{ name }}")]
    assert (await decide(approver, approval, third["hash"])).status_code == 200
    started = await start(sender, uuid, third["hash"])
    assert started.status_code == 200, started.text
    row = await services.db.fetchrow("SELECT plan_id FROM sending_projects WHERE id = $1", uuid)
    assert str(row["plan_id"]) == third["uuid"]


async def approved(team: dict[str, Person], uuid: str) -> tuple[dict[str, Any], str]:
    made = await plan(team["editor"], uuid)
    approval = await ask(team["editor"], uuid, made["hash"])
    answer = await decide(team["approver"], approval, made["hash"])
    assert answer.status_code == 200, answer.text
    return approval, made["hash"]


async def test_who_has_changed_or_asked_does_not_decide(ada: Person, team: dict[str, Person], people: People):
    uuid = await project(ada)
    made = await plan(team["editor"], uuid)
    approval = await ask(team["editor"], uuid, made["hash"])
    answer = await decide(ada, approval, made["hash"])
    assert (answer.status_code, answer.json()["code"]) == (403, "own_change")
    manager = (await joined(ada, await people.make(), "manager"))[0]
    await add(manager, uuid, [9])
    made = await plan(team["editor"], uuid)
    approval = await ask(team["editor"], uuid, made["hash"])
    assert (await decide(manager, approval, made["hash"])).json()["code"] == "own_change"
    assert (await decide(team["sender"], approval, made["hash"])).status_code == 403
    assert (await decide(team["approver"], approval, made["hash"])).status_code == 200
    # The manager's change is in the plan that was approved: about the next one this person may decide.
    await ada.rest("PATCH", f"/sending-project/{uuid}", json={"text": "New"})
    made = await plan(team["editor"], uuid)
    approval = await ask(team["editor"], uuid, made["hash"])
    assert (await decide(manager, approval, made["hash"])).status_code == 200


async def test_the_review_says_by_a_code_why_not(ada: Person, team: dict[str, Person]):
    uuid = await project(ada)
    made = await plan(team["editor"], uuid)
    approval = await ask(team["editor"], uuid, made["hash"])
    path = f"/approvals/{approval['uuid']}/review"
    reviews = [(await team[name].rest("GET", path)).json() for name in ("editor", "sender", "approver")]
    reviews.append((await ada.rest("GET", path)).json())
    codes = [each["whyNotCode"] for each in reviews]
    assert codes == ["no_permission", "no_permission", None, "changed"]
    assert [each["whyNot"] is None for each in reviews] == [each["mayDecide"] for each in reviews]
    other = await project(ada)
    own = await ask(ada, other, (await plan(ada, other))["hash"])
    query = "query($id:ID!){approvalReview(id:$id){mayDecide whyNot whyNotCode}}"
    review = (await ada.data(query, {"id": own["uuid"]}))["approvalReview"]
    assert (review["mayDecide"], review["whyNotCode"]) == (False, "asked")
    assert review["whyNot"].startswith("You have asked")


async def test_an_owner_alone_may_approve_by_the_rule(ada: Person):
    await rule(ada)
    uuid = await project(ada)
    made = await plan(ada, uuid)
    approval = await ask(ada, uuid, made["hash"])
    assert (await decide(ada, approval, made["hash"])).json()["code"] == "own_change"
    await rule(ada, selfApproval=True)
    assert (await decide(ada, approval, made["hash"])).status_code == 200
    assert (await start(ada, uuid)).status_code == 200


async def test_no_token_decides(ada: Person, team: dict[str, Person]):
    uuid = await project(team["editor"])
    made = await plan(team["editor"], uuid)
    approval = await ask(team["editor"], uuid, made["hash"])
    token = (await ada.rest("POST", "/api-tokens", json={"name": "all"})).json()["token"]
    agent = Person(ada.id, "agent", ada.account_id, token, ada.client)
    answer = await decide(agent, approval, made["hash"])
    assert (answer.status_code, answer.json()["code"]) == (403, "needs_login")
    scoped = await ada.rest("POST", "/api-tokens", json={"name": "x", "scopes": ["projects:approve"]})
    assert scoped.status_code in (400, 403)
    assert (await agent.rest("PUT", "/approvals/rule", json={"mode": "off"})).status_code == 403


async def test_two_decisions_at_once_and_a_decision_after_a_change(ada: Person, team: dict[str, Person]):
    uuid = await project(team["editor"])
    made = await plan(team["editor"], uuid)
    approval = await ask(team["editor"], uuid, made["hash"])
    answers = await asyncio.gather(*(decide(team["approver"], approval, made["hash"]) for _ in range(2)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    uuid = await project(team["editor"])
    made = await plan(team["editor"], uuid)
    approval = await ask(team["editor"], uuid, made["hash"])
    await add(team["editor"], uuid, [9])
    answer = await decide(team["approver"], approval, made["hash"])
    assert answer.status_code == 409


async def test_a_running_project_stays_within_its_plan(ada: Person, team: dict[str, Person]):
    uuid = await project(team["editor"], speed={"perMinute": 10})
    await approved(team, uuid)
    assert (await start(team["sender"], uuid)).status_code == 200
    path = f"/sending-project/{uuid}"
    faster = await team["editor"].rest("PATCH", path, json={"speed": {"perMinute": 20}})
    assert faster.json()["code"] == "approved_content"
    assert (await team["editor"].rest("PATCH", path, json={"speed": {"perMinute": 5}})).status_code == 200
    assert (await team["sender"].rest("POST", f"/sending-project/stop/{uuid}")).status_code == 200
    assert (await start(team["sender"], uuid)).status_code == 200


async def test_a_scheduled_project_is_not_changed(ada: Person, team: dict[str, Person], services):
    uuid = await project(team["editor"])
    await services.db.fetch(
        "UPDATE sending_projects SET start_at = now() + interval '1 hour' WHERE id = $1 RETURNING 1", uuid
    )
    await approved(team, uuid)
    assert (await start(team["sender"], uuid)).json()["status"] == "scheduled"
    assert (await add(team["editor"], uuid, [9])).json()["code"] == "approved_content"
    refused = await team["editor"].rest("PATCH", f"/sending-project/{uuid}", json={"text": "New"})
    assert refused.json()["code"] == "approved_content"
    # A second start would send at once, which is not what was approved.
    assert (await start(team["sender"], uuid)).json()["code"] == "approval_required"


@pytest.mark.parametrize(
    ("fields", "needed"),
    [
        ({"mode": "above", "aboveRecipients": 3}, False),
        ({"mode": "above", "aboveRecipients": 2}, True),
        ({"mode": "above", "aboveAmount": 1000}, True),  # no plan says what it costs
        ({"mode": "always", "channels": ["email"]}, False),
        ({"mode": "always", "categories": ["promotional"]}, True),
        ({"mode": "off"}, False),
    ],
)
async def test_the_rule_says_which_projects(ada: Person, fields: dict[str, Any], needed: bool):
    await rule(ada, **fields)
    uuid = await project(ada)
    assert (await start(ada, uuid)).status_code == (409 if needed else 200)
    if "aboveAmount" in fields:
        await plan(ada, uuid)
        assert (await start(ada, uuid)).status_code == 200
