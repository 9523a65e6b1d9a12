"""Both doors make projects that follow another one, and refuse chains that can't be."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from runtime.services import Services
from tests.support.people import Person

_FOLLOWED = "query ($id: ID!) { sendingProject(id: $id) { audience { follows { projectUuid until within } }"
_FOLLOWED += " follows { name } followUps(first: 5) { nodes { name } } } }"


async def make(person: Person, name: str, channel: str = "sms", **fields: Any) -> str:
    body = {"name": name, "channel": channel, "text": "Hi", **fields}
    answer = await person.rest("POST", "/sending-project", json=body)
    assert answer.status_code in (200, 201), answer.text
    return str(answer.json()["uuid"])


async def added(person: Person, project: str, number: int = 1) -> None:
    body = {"recipients": [{"phone": f"+1415555010{number}"}]}
    answer = await person.rest("POST", f"/recipient/{project}", json=body)
    assert answer.status_code in (200, 201), answer.text


async def put(services: Services, project: str, status: str) -> None:
    async with services.db.reading() as db:
        await db.execute(
            "UPDATE sending_projects SET status = $2, started_at = now() WHERE id = $1", UUID(project), status
        )


def after(project: str, **rule: Any) -> dict[str, Any]:
    return {"follows": {"projectUuid": project, **rule}}


async def test_a_project_follows_another_one(ada: Person):
    first = await make(ada, "first", "email", subject="Hi")
    answer = await ada.rest(
        "POST",
        "/sending-project",
        json={"name": "second", "channel": "sms", "text": "Hi", "audience": after(first)},
    )
    made = answer.json()
    assert made["followsUuid"] == first
    # The sandbox reports what was delivered, so that is the goal.
    assert made["audience"]["follows"] == {"projectUuid": first, "until": "delivered", "within": 86400}
    seen = await ada.data(_FOLLOWED, {"id": made["uuid"]})
    assert seen["sendingProject"]["follows"] == {"name": "first"}
    seen = await ada.data(_FOLLOWED, {"id": first})
    assert [each["name"] for each in seen["sendingProject"]["followUps"]["nodes"]] == ["second"]
    listed = await ada.data(
        "query ($id: String!) { sendingProjects(first: 5, where: {followsUuid: {eq: $id}}) { nodes { name } } }",
        {"id": first},
    )
    assert [each["name"] for each in listed["sendingProjects"]["nodes"]] == ["second"]


@pytest.mark.parametrize(
    ("audience", "status", "code"),
    [
        ({"follows": {"projectUuid": str(uuid4())}}, 404, "sending_project_not_found"),
        ({"follows": {"projectUuid": "FIRST", "until": "read"}}, 400, "bad_chain"),
        ({"follows": {"projectUuid": "FIRST", "within": 59}}, 400, None),
        ({"follows": {"projectUuid": "FIRST"}, "segmentUuids": [str(uuid4())]}, 400, None),
        ({"follows": {"projectUuid": "FIRST"}, "exceptProjectUuids": [str(uuid4())]}, 400, None),
        ({}, 400, None),
    ],
)
async def test_what_can_t_be_followed_is_refused(ada: Person, audience: dict, status: int, code: str | None):
    first = await make(ada, "first")
    if audience.get("follows", {}).get("projectUuid") == "FIRST":
        audience = {**audience, "follows": {**audience["follows"], "projectUuid": first}}
    body = {"name": "x", "channel": "sms", "text": "Hi", "audience": audience}
    answer = await ada.rest("POST", "/sending-project", json=body)
    assert answer.status_code == status, answer.text
    if code:
        assert answer.json()["code"] == code


async def test_a_project_of_another_user_can_t_be_followed(ada: Person, bob: Person):
    his = await make(bob, "his")
    body = {"name": "x", "channel": "sms", "text": "Hi", "audience": after(his)}
    assert (await ada.rest("POST", "/sending-project", json=body)).status_code == 404


async def test_a_chain_is_bounded_and_has_no_circle(ada: Person):
    projects = [await make(ada, "0")]
    for number in range(1, 4):
        projects.append(await make(ada, str(number), audience=after(projects[-1])))
    body = {"name": "x", "channel": "sms", "text": "Hi", "audience": after(projects[-1])}
    refused = await ada.rest("POST", "/sending-project", json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_chain")
    for end in (projects[0], projects[2]):
        circle = await ada.rest("PATCH", f"/sending-project/{projects[0]}", json={"audience": after(end)})
        assert (circle.status_code, circle.json()["code"]) == (400, "bad_chain")


async def test_nobody_is_added_to_it_by_hand(ada: Person):
    first = await make(ada, "first")
    second = await make(ada, "second", audience=after(first))
    body = {"recipients": [{"phone": "+14155550100"}]}
    assert (await ada.rest("POST", f"/recipient/{second}", json=body)).status_code == 409


async def test_a_copy_follows_the_same_project(ada: Person):
    first = await make(ada, "first")
    second = await make(ada, "second", audience=after(first, within=3600))
    copied = await ada.rest("POST", f"/sending-project/{second}/duplicate", json={})
    assert copied.json()["followsUuid"] == first
    assert copied.json()["audience"]["follows"]["within"] == 3600


async def test_the_audience_can_be_changed_until_it_starts(ada: Person):
    first, other = await make(ada, "first"), await make(ada, "other")
    second = await make(ada, "second", audience=after(first))
    changed = await ada.rest("PATCH", f"/sending-project/{second}", json={"audience": after(other)})
    assert changed.json()["followsUuid"] == other
    removed = await ada.rest("PATCH", f"/sending-project/{second}", json={"audience": None})
    assert (removed.json()["followsUuid"], removed.json()["audience"]) == (None, None)


async def test_it_starts_when_the_followed_project_has_started(ada: Person, services: Services):
    first = await make(ada, "first", category="transactional")
    second = await make(ada, "second", category="transactional", audience=after(first))
    refused = await ada.rest("POST", f"/sending-project/start/{second}")
    assert (refused.status_code, refused.json()["code"]) == (409, "followed_is_draft")
    await added(ada, first)
    await put(services, first, "stopped")
    assert (await ada.rest("POST", f"/sending-project/start/{second}")).status_code == 200


async def test_what_is_followed_keeps_its_recipients(ada: Person, services: Services):
    first = await make(ada, "first", category="transactional")
    await added(ada, first)
    await put(services, first, "stopped")
    second = await make(ada, "second", category="transactional", audience=after(first))
    await added(ada, first, 2)  # a draft follows nobody yet
    assert (await ada.rest("POST", f"/sending-project/start/{second}")).status_code == 200
    refused = [
        await ada.rest("POST", f"/recipient/{first}", json={"recipients": [{"phone": "+14155550109"}]}),
        await ada.rest("PATCH", f"/sending-project/{first}", json={"category": "promotional"}),
        await ada.rest("PATCH", f"/sending-project/{first}", json={"channel": "whatsapp"}),
    ]
    assert [answer.json()["code"] for answer in refused] == ["is_followed"] * 3
    assert (await ada.rest("PATCH", f"/sending-project/{first}", json={"text": "Hello"})).status_code == 200
    await ada.rest("POST", f"/sending-project/stop/{second}")
    await added(ada, first, 3)
    by_text = await ada.rest("POST", f"/recipient/{second}/remove", json={"text": "+1"})
    assert (by_text.status_code, by_text.json()["code"]) == (409, "has_audience")


@pytest.mark.parametrize("contacts", ["topicUuids", "segmentUuids"])
@pytest.mark.parametrize("between", [False, True])
async def test_advertising_needs_a_topic_if_contacts_are_followed(
    ada: Person, services: Services, contacts: str, between: bool
):
    topic = (await ada.rest("POST", "/topics", json={"key": "news", "name": "News", "optIn": "none"})).json()[
        "id"
    ]
    contact = {"contact": {"locale": {"eq": "de"}}}
    segment = await ada.rest("POST", "/segments", json={"name": "x", "filter": {"all": [{"any": [contact]}]}})
    audience = (
        {"topicUuids": [topic]} if contacts == "topicUuids" else {"segmentUuids": [segment.json()["id"]]}
    )
    category = "promotional" if contacts == "topicUuids" else "transactional"
    first = await make(ada, "first", category=category, audience=audience)
    if between:
        await put(services, first, "running")
        first = await make(ada, "between", category="transactional", audience=after(first))
    await put(services, first, "running")
    last = await make(ada, "last", category="promotional", audience=after(first))
    refused = await ada.rest("POST", f"/sending-project/start/{last}")
    assert (refused.status_code, refused.json()["code"]) == (400, "no_topic")
    await ada.rest(
        "PATCH", f"/sending-project/{last}", json={"audience": {"topicUuids": [topic], **after(first)}}
    )
    assert (await ada.rest("POST", f"/sending-project/start/{last}")).status_code == 200


async def test_a_chain_is_bounded_in_both_directions(ada: Person):
    left = [await make(ada, "0")]
    right = [await make(ada, "5")]
    for chain in (left, right):
        for number in range(2):
            chain.append(await make(ada, str(number), audience=after(chain[-1])))
    joined = await ada.rest("PATCH", f"/sending-project/{right[0]}", json={"audience": after(left[-1])})
    assert (joined.status_code, joined.json()["code"]) == (400, "bad_chain")


async def test_the_plan_covers_the_recipients_of_the_followed_list(ada: Person, services: Services):
    first = await make(ada, "first", category="transactional")
    await added(ada, first)
    await put(services, first, "stopped")
    second = await make(ada, "second", category="transactional", audience=after(first))
    plan = (await ada.rest("POST", f"/sending-project/{second}/plans")).json()
    await added(ada, first, 2)
    refused = await ada.rest("POST", f"/sending-project/start/{second}", json={"planHash": plan["hash"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "plan_changed")
    assert [each["field"] for each in refused.json()["details"]["differences"]] == ["audience"]
    plan = (await ada.rest("POST", f"/sending-project/{second}/plans")).json()
    started = await ada.rest("POST", f"/sending-project/start/{second}", json={"planHash": plan["hash"]})
    assert started.status_code == 200


async def test_the_retention_keeps_what_is_followed(ada: Person, services: Services):
    first = await make(ada, "first", category="transactional")
    await added(ada, first)
    await put(services, first, "finished")
    async with services.db.reading() as db:
        await db.execute("UPDATE sending_projects SET messages_deleted_at = now() WHERE id = $1", UUID(first))
    second = await make(ada, "second", category="transactional", audience=after(first))
    refused = await ada.rest("POST", f"/sending-project/start/{second}")
    assert (refused.status_code, refused.json()["code"]) == (409, "messages_deleted")


async def test_a_repeatable_project_can_t_follow(ada: Person):
    first = await make(ada, "first")
    body = {
        "name": "x", "schedule": {"cron": "0 9 * * *", "timezone": "UTC"}, "source": {"audience": after(first)},
        "template": {"channel": "sms", "text": "Hi"},
    }  # fmt: skip
    answer = await ada.rest("POST", "/repeatable-sending-project", json=body)
    assert answer.status_code == 400
    assert "can't follow" in answer.text
