"""Several projects at once: deleted, sent again; and one project as a model for the next."""

import asyncio
from uuid import UUID

import pytest

from resolvers import project_actions
from tests.sending_projects.conftest import Projects
from tests.support.people import Person

UNKNOWN_CODE = "sending_project_not_found"


async def test_several_are_deleted_and_each_failure_says_why(ada: Person, bob: Person, projects: Projects):
    finished = [await projects.make(ada, status="finished") for _ in range(2)]
    running = await projects.make(ada, status="running")
    hers = await projects.make(bob)
    uuids = [finished[1], running, hers, finished[0], finished[0]]
    answer = await ada.rest("POST", "/sending-project/multiple/delete", json={"uuids": uuids})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["deleted"] == [finished[1], finished[0]]
    assert [(failure["uuid"], failure["code"]) for failure in body["failed"]] == [
        (running, "bad_transition"),
        (hers, UNKNOWN_CODE),
    ]
    assert all(failure["message"] for failure in body["failed"])
    assert (await projects.row(hers))["status"] == "draft"
    assert (await projects.row(running))["status"] == "running"
    for project in finished:
        assert (await projects.row(project))["status"] == "deleted"
        assert await projects.jobs(project) == 1
    for wrong in ([], [running] * 101, ["x"]):
        answer = await ada.rest("POST", "/sending-project/multiple/delete", json={"uuids": wrong})
        assert answer.status_code == 400
    query = "mutation($ids:[UUID!]!){deleteSendingProjects(input:{uuids:$ids}){deleted failed{uuid code}}}"
    again = (await ada.data(query, {"ids": [finished[0], running]}))["deleteSendingProjects"]
    assert again == {
        "deleted": [],
        "failed": [
            {"uuid": finished[0], "code": UNKNOWN_CODE},
            {"uuid": running, "code": "bad_transition"},
        ],
    }


async def test_several_are_sent_again(ada: Person, bob: Person, admin: Person, projects: Projects):
    failed = [await projects.make(ada, recipients=1, status="finished") for _ in range(2)]
    unknown = await projects.make(ada, recipients=1, status="finished")
    fine = await projects.make(ada, recipients=1, status="finished")
    hers = await projects.make(bob, recipients=1, status="finished")
    for project in failed:
        await projects.messages(project, "failed", "delivered")
    await projects.messages(unknown, "unknown")
    await projects.messages(fine, "delivered")
    await projects.messages(hers, "failed")
    uuids = [failed[1], unknown, fine, hers, failed[0]]
    answer = await ada.rest("POST", "/sending-project/multiple/retry", json={"uuids": uuids})
    assert answer.status_code == 200, answer.text
    assert answer.json()["retried"] == [failed[1], failed[0]]
    assert [(failure["uuid"], failure["code"]) for failure in answer.json()["failed"]] == [
        (unknown, "nothing_to_retry"),
        (fine, "nothing_to_retry"),
        (hers, UNKNOWN_CODE),
    ]
    for project in failed:
        row = await projects.row(project)
        assert (row["status"], row["preparation"], row["retry_unknown"]) == ("running", "retry", False)
    query = (
        "mutation($ids:[UUID!]!){retrySendingProjects(input:{uuids:$ids,unknown:true}){retried failed{code}}}"
    )
    done = (await admin.data(query, {"ids": [unknown, hers, failed[0]]}))["retrySendingProjects"]
    assert done == {"retried": [unknown, hers], "failed": [{"code": "bad_transition"}]}
    assert (await projects.row(unknown))["retry_unknown"] is True


async def test_administrators_who_retry_projects_of_the_same_users_do_not_block_each_other(
    ada: Person, bob: Person, admin: Person, projects: Projects
):
    made = []
    for person in (
        ada,
        bob,
        bob,
        ada,
    ):  # the owners of the ids in order: neither call locks one owner after another
        project = await projects.make(person, recipients=1, status="finished")
        await projects.messages(project, "failed")
        made.append(project)
    halves = ([made[0], made[2]], [made[1], made[3]])
    answers = await asyncio.gather(
        *(admin.rest("POST", "/sending-project/multiple/retry", json={"uuids": half}) for half in halves)
    )
    assert [answer.json() for answer in answers] == [{"retried": half, "failed": []} for half in halves]


CONTENT = {
    "channel": "email", "subject": "Sale", "html": "<p>{{ name }}</p>", "text": None,
    "variants": [{"text": "a", "weight": 1}, {"text": "b", "weight": 3}],
    "window": {"timezone": "Europe/Berlin", "days": [1, 2], "from": "09:00", "to": "20:00"},
    "speed": {"perMinute": 60}, "retry": {"maxAttempts": 2}, "onMissingVariable": "skip", "stopOnReply": True,
    "category": "transactional", "startWithinSeconds": 3600, "startAt": "2099-01-01T00:00:00Z",
}  # fmt: skip
OWN = {"uuid", "name", "startAt", "createdAt", "updatedAt", "startedAt", "finishedAt", "status", "counts"}


async def test_a_copy_has_everything_but_recipients_and_the_time(
    ada: Person, bob: Person, admin: Person, projects: Projects
):
    file = await ada.rest("POST", "/file-uploader", files={"file": ("a.txt", b"x", "text/plain")})
    assert file.status_code == 201, file.text
    content = {**CONTENT, "startAt": None, "attachmentUuids": [file.json()["uuid"]]}
    project = await projects.make(ada, recipients=2, name="Spring", **content)
    await projects.execute(
        'UPDATE sending_projects SET variable_labels = \'{"a": "A"}\', start_at = now() WHERE id = $1',
        UUID(project),
    )
    await projects.put(project, "finished")
    original = (await ada.rest("GET", f"/sending-project/{project}")).json()
    answer = await ada.rest("POST", f"/sending-project/{project}/duplicate")
    assert answer.status_code == 201, answer.text
    copy = answer.json()
    assert copy["uuid"] != project
    assert (copy["name"], copy["status"], copy["startAt"]) == ("Spring (copy)", "draft", None)
    assert copy["startedAt"] is copy["finishedAt"] is None
    assert copy["counts"]["total"] == 0
    assert {name: copy[name] for name in copy if name not in OWN} == {
        name: original[name] for name in original if name not in OWN
    }
    assert (await ada.rest("GET", f"/recipient/list/{copy['uuid']}")).json()["items"] == []
    assert (await bob.rest("POST", f"/sending-project/{project}/duplicate")).status_code == 404
    theirs = (
        await admin.rest("POST", f"/sending-project/{project}/duplicate", json={"name": "Theirs"})
    ).json()
    row = await projects.row(theirs["uuid"])
    assert (row["owner_id"], row["name"]) == (ada.id, "Theirs")
    long = await projects.make(ada, name="x" * 200)
    answer = await ada.rest("POST", f"/sending-project/{long}/duplicate")
    assert answer.json()["name"] == "x" * 193 + " (copy)"


async def test_a_copy_with_its_recipients(ada: Person, projects: Projects, monkeypatch: pytest.MonkeyPatch):
    project = await projects.make(ada, recipients=3)
    await projects.recipient(project, "+14155559999", name="Anna", city="Rome")
    query = (
        "mutation($id:ID!){duplicateSendingProject(id:$id,input:{recipients:true})"
        "{uuid name recipients{nodes{address name variables}}}}"
    )
    copy = (await ada.data(query, {"id": project}))["duplicateSendingProject"]
    assert [node["address"] for node in copy["recipients"]["nodes"]] == [
        "+14155550000", "+14155550001", "+14155550002", "+14155559999",
    ]  # fmt: skip
    assert copy["recipients"]["nodes"][3] == {
        "address": "+14155559999", "name": "Anna", "variables": {"city": "Rome"},
    }  # fmt: skip
    await projects.execute("UPDATE sending_projects SET recipients_pending = 1 WHERE id = $1", UUID(project))
    assert await ada.code(query, {"id": project}) == "still_copying"
    await projects.execute("UPDATE sending_projects SET recipients_pending = 0 WHERE id = $1", UUID(project))
    monkeypatch.setattr(project_actions, "MOST_COPIED", 3)
    before = (await ada.rest("GET", "/sending-project/count")).json()
    assert await ada.code(query, {"id": project}) == "too_many_recipients"
    assert (await ada.rest("GET", "/sending-project/count")).json() == before


async def test_the_same_key_makes_one_copy(ada: Person, projects: Projects):
    project = await projects.make(ada)
    headers = {"Idempotency-Key": "copy-1"}
    copies = [
        (await ada.rest("POST", f"/sending-project/{project}/duplicate", headers=headers)).json()["uuid"]
        for _ in "12"
    ]
    assert copies[0] == copies[1]
