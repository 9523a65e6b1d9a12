"""Saving, reading, changing and finding projects, through both doors."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.ids import uuid7
from tests.sending_projects.conftest import Projects
from tests.support.people import Person

WINDOW = {
    "timezone": "Europe/Berlin",
    "days": [5, 1, 1],
    "from": "22:00",
    "to": "06:30",
    "recipientTimezone": True,
}
FULL: dict[str, Any] = {
    "name": "Sale", "channel": "email", "subject": "Hi {{ name }}", "html": "<p>{{ name }}</p>",
    "text": "Hi {{ name }}",
    "variants": [{"text": "a"}, {"text": "b", "weight": 7}], "startAt": "2026-12-01T10:00:00Z", "window": WINDOW,
    "speed": {"perMinute": 100, "perAccountPerMinute": 5, "jitterSeconds": 3},
    "retry": {"maxAttempts": 5, "backoffSeconds": 30}, "onMissingVariable": "skip", "stopOnReply": True,
}  # fmt: skip
NOTHING = dict.fromkeys(
    ["total", "queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled", "replied",
     "bounced", "complained"],
    0,
)  # fmt: skip


def soon() -> str:
    return (datetime.now(UTC) + timedelta(days=30)).isoformat()


async def source_account(projects: Projects, person: Person, status: str = "connected") -> str:
    made = uuid7()
    await projects.execute(
        "INSERT INTO source_accounts (id, owner_id, source, login, name, status, token_hash, "
            "token_encrypted, token_hint)"
        " VALUES ($1, $2, 'telegram', $3, 'n', $4, '\\x00', '\\x00', 'abcd')",
        made, person.id, str(made), status,
    )  # fmt: skip
    return str(made)


async def file(projects: Projects, person: Person) -> str:
    made = uuid7()
    await projects.execute(
        "INSERT INTO files (id, owner_id, name, original_name, mime, size, sha256)"
        " VALUES ($1, $2, 'n', $3, 'text/plain', 1, '\\x00')",
        made, person.id, str(made),
    )  # fmt: skip
    return str(made)


# saving


async def test_everything_of_a_project_comes_back(ada: Person, projects: Projects):
    body = {**FULL, "startAt": soon(), "attachmentUuids": [await file(projects, ada)]}
    body["accountUuids"] = [await source_account(projects, ada)]
    answer = await ada.rest("POST", "/sending-project", json=body)
    assert answer.status_code == 201
    made = answer.json()
    assert made["status"] == "draft"
    assert made["accountId"] == str(ada.account_id)
    assert made["window"] == {**WINDOW, "days": [1, 5]}
    assert made["variants"] == [{"text": "a", "weight": 1}, {"text": "b", "weight": 7}]
    for name in ("subject", "html", "text", "speed", "retry", "onMissingVariable", "stopOnReply",
        "attachmentUuids"):  # fmt: skip
        assert made[name] == body[name]
    assert made["accountUuids"] == body["accountUuids"]
    assert made["counts"] == NOTHING
    assert made["statusReason"] is made["startedAt"] is made["finishedAt"] is made["repeatableUuid"] is None
    assert (await ada.rest("GET", f"/sending-project/{made['uuid']}")).json() == made
    seen = await ada.data(
        """query($id:ID!){sendingProject(id:$id){
          id uuid name status statusReason resumeAt recipientsPending recipientsError channel accountId accountUuids
            subject html text variants{text weight}
          template{name} from sender attachmentUuids
          startAt startWithinSeconds window{timezone days from to recipientTimezone}
          speed{perMinute perAccountPerMinute jitterSeconds} retry{maxAttempts backoffSeconds} onMissingVariable
          stopOnReply category counts{total queued sending sent delivered read failed skipped unknown canceled replied
                bounced complained}
          repeatableUuid followsUuid templateId templateVersion templateLocale languages{localeFrom} variableLabels
          trackClicks
          createdAt updatedAt startedAt finishedAt messagesDeletedAt retrySuppressed
          audience{topicUuids segmentUuids exceptTopicUuids exceptSegmentUuids exceptProjectUuids}
          account{uuid} owner{email}}}""",
        {"id": made["uuid"]},
    )
    shown = seen["sendingProject"]
    assert shown.pop("account") == {"uuid": str(ada.account_id)}
    assert shown.pop("owner") == {"email": ada.email}
    global_id = shown.pop("id")
    for name in ("createdAt", "updatedAt", "startAt"):
        assert datetime.fromisoformat(shown.pop(name)) == datetime.fromisoformat(made.pop(name))
    assert shown == made
    by_global_id = await ada.data("query($id:ID!){sendingProject(id:$id){uuid}}", {"id": global_id})
    assert by_global_id["sendingProject"]["uuid"] == made["uuid"]


async def test_a_name_and_a_channel_are_enough(ada: Person):
    made = (await ada.rest("POST", "/sending-project", json={"name": "n", "channel": "push"})).json()
    assert made["text"] is made["window"] is made["template"] is made["startAt"] is None
    assert made["variants"] == made["accountUuids"] == made["attachmentUuids"] == []
    assert made["speed"] == {"perMinute": None, "perAccountPerMinute": None, "jitterSeconds": None}
    assert made["onMissingVariable"] == "empty"
    graph = await ada.data(
        'mutation{createSendingProject(input:{name:"n",channel:push}){text window{from} '
        "speed{perMinute} variants{text}}}"
    )
    assert graph["createSendingProject"] == {"text": None, "window": None, "speed": {"perMinute": None},
        "variants": []}  # fmt: skip


async def test_a_key_makes_one_project(ada: Person):
    key = {"Idempotency-Key": "k"}
    first = await ada.rest(
        "POST", "/sending-project", json={"name": "n", "channel": "sms", "text": "t"}, headers=key
    )
    again = await ada.rest(
        "POST", "/sending-project", json={"name": "n", "channel": "sms", "text": "t"}, headers=key
    )
    assert again.json() == first.json()
    assert (await ada.rest("GET", "/sending-project/count")).json() == {"count": 1}


W = {"timezone": "UTC", "from": "09:00", "to": "18:00"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"channel": "fax"}, "channel"),
        ({"nope": 1}, "nope"),
        ({"subject": "s"}, "subject"),
        ({"html": "<p>"}, "html"),
        ({"channel": "email"}, "subject"),
        ({"channel": "email", "subject": "s", "text": None}, "text"),
        ({"channel": "telegram", "html": "<p>"}, "html"),
        ({"template": {"name": "t", "language": "en"}}, "template"),
        ({"channel": "whatsapp", "template": {"name": "Bad Name", "language": "en"}}, "name"),
        ({"text": "x" * 100_001}, "text"),
        ({"variants": [{"text": "a", "weight": 0}]}, "weight"),
        ({"variants": [{"text": "a"}] * 11}, "variants"),
        ({"variants": [{"text": ""}]}, "text"),
        ({"window": {**W, "timezone": "Mars/Base"}}, "time zone"),
        ({"window": {**W, "timezone": "../etc/passwd"}}, "time zone"),
        ({"window": {**W, "days": []}}, "days"),
        ({"window": {**W, "days": [0]}}, "days"),
        ({"window": {**W, "from": "9:00"}}, "09:30"),
        ({"window": {**W, "from": "25:00"}}, "09:30"),
        ({"window": {**W, "to": "09:00"}}, "differ"),
        ({"window": {**W, "to": "09:59"}}, "60 minutes"),
        ({"window": {**W, "from": "23:30", "to": "00:15"}}, "60 minutes"),
        ({"window": {**W, "from": "24:00", "to": "06:00"}}, "23:59"),
        ({"speed": {"perMinute": 0}}, "perMinute"),
        ({"speed": {"jitterSeconds": 601}}, "jitterSeconds"),
        ({"retry": {"maxAttempts": 21}}, "maxAttempts"),
        ({"retry": {"backoffSeconds": 0}}, "backoffSeconds"),
        ({"startAt": "2126-01-01T00:00:00Z"}, "startAt"),
        ({"startAt": "2026-01-01T00:00:00"}, "startAt"),
        ({"attachmentUuids": [str(uuid7()) for _ in range(11)]}, "attachmentUuids"),
        ({"accountUuids": ["x"]}, "accountUuids"),
    ],
)  # fmt: skip
async def test_bad_input(ada: Person, change: dict[str, Any], says: str):
    body = {"name": "n", "channel": "sms", "text": "t", **change}
    answer = await ada.rest("POST", "/sending-project", json=body)
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] == "validation_failed"
    assert says in str(answer.json()["message"])


@pytest.mark.parametrize(
    "window",
    [W, {**W, "from": "00:00", "to": "24:00"}, {**W, "from": "23:30", "to": "00:30"}, {**W, "to": "10:00"}],
)
async def test_good_windows(ada: Person, window: dict[str, Any]):
    made = await ada.rest("POST", "/sending-project", json={"name": "n", "channel": "sms", "window": window})
    assert made.json()["window"] == {**window, "days": [*range(1, 8)], "recipientTimezone": False}


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ({"text": "Hi {{ name"}, "bad_text", "text: Line 1"),
        ({"text": "{% for i in (1..100000000) %}x{% endfor %}"}, "bad_text", "too complex"),
        ({"text": "{% include 'x' %}"}, "bad_text", "include"),
        ({"text": "{{ 'now' | date: '%Y' }}"}, "bad_text", "now"),
        ({"variants": [{"text": "a"}, {"text": "{{ b | nope }}"}]}, "bad_text", "variants.1.text"),
        ({"text": "x" * 2000}, "text_too_long", "14 parts"),
        ({"channel": "email", "subject": "{{ a |", "text": "t"}, "bad_text", "subject"),
        ({"channel": "email", "subject": "s", "html": "{% if %}"}, "bad_text", "html"),
        (
            {"channel": "whatsapp", "template": {"name": "t", "language": "en", "params": ["{{"]}},
            "bad_text",
            "template.params.0",
        ),
    ],
)
async def test_bad_texts(ada: Person, projects: Projects, change: dict[str, Any], code: str, says: str):
    body = {"name": "n", "channel": "sms", "text": "t", **change}
    answer = await ada.rest("POST", "/sending-project", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert says in answer.json()["message"]
    project = await projects.make(ada, channel=body["channel"], text=None)
    patched = await ada.rest(
        "PATCH", f"/sending-project/{project}", json={k: v for k, v in body.items() if k != "name"}
    )
    assert (patched.status_code, patched.json()["code"]) == (400, code)


async def test_what_a_project_names_is_its_owner_s(ada: Person, bob: Person, projects: Projects):
    theirs = [
        ("accountId", str(bob.account_id), "account_not_found"),
        ("accountUuids", [await source_account(projects, bob)], "source_account_not_found"),
        ("accountUuids", [await source_account(projects, ada, "deleted")], "source_account_not_found"),
        ("attachmentUuids", [await file(projects, bob)], "file_not_found"),
        ("accountId", str(uuid7()), "account_not_found"),
    ]
    project = await projects.make(ada, channel="telegram")
    for name, value, code in theirs:
        new = {"name": "n", "channel": "telegram", name: value}
        for answer in (
            await ada.rest("POST", "/sending-project", json=new),
            await ada.rest("PATCH", f"/sending-project/{project}", json={name: value}),
        ):
            assert (answer.status_code, answer.json()["code"]) == (404, code)


async def test_an_administrator_s_change_keeps_the_owner_s_account(
    ada: Person, admin: Person, projects: Projects
):
    project = await projects.make(ada)
    path = f"/sending-project/{project}"
    for account in (None, str(ada.account_id)):
        assert (await admin.rest("PATCH", path, json={"accountId": account})).json()["accountId"] == str(
            ada.account_id
        )
    assert (await admin.rest("PATCH", path, json={"accountId": str(admin.account_id)})).status_code == 404


# changing


async def test_patch_tells_null_from_nothing(ada: Person, projects: Projects):
    project = await projects.make(ada, **{**FULL, "startAt": soon()})
    path = f"/sending-project/{project}"
    before = (await ada.rest("GET", path)).json()
    same = (await ada.rest("PATCH", path, json={})).json()
    assert same == before
    changed = (
        await ada.rest(
            "PATCH", path,
            json={"html": None, "window": None, "startAt": None, "variants": None, "speed": None, "name": "Other",
                  "onMissingVariable": None, "stopOnReply": None, "accountId": None},
        )
    ).json()  # fmt: skip
    assert changed["html"] is changed["window"] is changed["startAt"] is None
    assert changed["variants"] == []
    assert changed["speed"] == {"perMinute": None, "perAccountPerMinute": None, "jitterSeconds": None}
    assert changed["onMissingVariable"] == "empty"
    assert changed["stopOnReply"] is False
    assert changed["name"] == "Other"
    assert changed["retry"] == before["retry"]
    assert changed["text"] == before["text"]
    assert changed["updatedAt"] > before["updatedAt"]
    graph = (
        'mutation($id:ID!){updateSendingProject(id:$id,input:{html:"<i>",retry:null}){html text '
        "retry{maxAttempts}}}"
    )
    assert (await ada.data(graph, {"id": project}))["updateSendingProject"] == {
        "html": "<i>", "text": before["text"], "retry": {"maxAttempts": None},
    }  # fmt: skip
    for name in ("name", "channel"):
        assert (await ada.rest("PATCH", path, json={name: None})).status_code == 400


async def test_a_patch_must_leave_what_the_channel_can_carry(ada: Person, projects: Projects):
    project = await projects.make(ada, **{**FULL, "startAt": None})
    path = f"/sending-project/{project}"
    answer = await ada.rest("PATCH", path, json={"channel": "sms"})
    assert answer.json()["code"] == "validation_failed"
    answer = await ada.rest("PATCH", path, json={"channel": "sms", "subject": None, "html": None})
    assert answer.json()["channel"] == "sms"
    answer = await ada.rest("PATCH", path, json={"channel": "email"})
    assert "subject" in str(answer.json()["message"])


async def test_the_channel_stays_once_there_are_recipients(ada: Person, projects: Projects):
    project = await projects.make(ada, recipients=1)
    answer = await ada.rest("PATCH", f"/sending-project/{project}", json={"channel": "telegram"})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_editable")


PACE = {"speed": {"perMinute": 5}, "window": W}


@pytest.mark.parametrize("status", ["draft", "scheduled", "stopped", "running", "paused", "finished"])
async def test_what_can_be_changed_when(ada: Person, projects: Projects, status: str):
    project = await projects.make(ada, recipients=1, status=status)
    path = f"/sending-project/{project}"
    pace = await ada.rest("PATCH", path, json=PACE)
    text = await ada.rest("PATCH", path, json={"text": "Other", **PACE})
    graph = await ada.graphql(
        'mutation($id:ID!){updateSendingProject(id:$id,input:{text:"Third"}){text}}', {"id": project}
    )
    if status in ("draft", "scheduled", "stopped"):
        assert (pace.status_code, text.status_code) == (200, 200)
        assert graph["data"]["updateSendingProject"]["text"] == "Third"
        return
    assert (text.status_code, text.json()["code"]) == (409, "not_editable")
    assert status in text.json()["message"]
    assert graph["errors"][0]["extensions"]["code"] == "not_editable"
    if status == "finished":
        assert (pace.status_code, pace.json()["code"]) == (409, "not_editable")
    else:
        assert pace.json()["speed"]["perMinute"] == 5
        assert pace.json()["window"]["from"] == "09:00"
        # What stays as it is, is no change.
        assert (await ada.rest("PATCH", path, json={"name": "p", **PACE})).status_code == 200


async def test_a_scheduled_one_stays_fit_to_start(ada: Person, projects: Projects):
    project = await projects.make(ada, recipients=1, status="scheduled")
    answer = await ada.rest("PATCH", f"/sending-project/{project}", json={"text": None})
    assert (answer.status_code, answer.json()["code"]) == (400, "no_text")
    assert (await projects.row(project))["text"] == "Hi {{ name }}"
    path = f"/sending-project/{project}"
    assert (await ada.rest("PATCH", path, json={"startAt": soon()})).status_code == 200
    assert (await ada.rest("PATCH", path, json={"startAt": None})).json()["code"] == "validation_failed"


# finding


async def test_another_s_project_is_not_found(ada: Person, bob: Person, admin: Person, projects: Projects):
    project = await projects.make(ada)
    for method, path in (
        ("GET", f"/sending-project/{project}"),
        ("PATCH", f"/sending-project/{project}"),
        ("DELETE", f"/sending-project/{project}"),
        *(("POST", f"/sending-project/{verb}/{project}") for verb in ("start", "stop", "retry")),
    ):
        options = {"json": {"name": "stolen"}} if method == "PATCH" else {}
        answer = await bob.rest(method, path, **options)
        assert (answer.status_code, answer.json()["code"]) == (404, "sending_project_not_found")
    assert await bob.code("query($id:ID!){sendingProject(id:$id){uuid}}",
        {"id": project}) == "sending_project_not_found"  # fmt: skip
    assert (await bob.rest("GET", "/sending-project/list")).json()["items"] == []
    assert (await bob.rest("GET", "/sending-project/search")).json()["items"] == []
    assert (await bob.rest("GET", "/sending-project/count")).json() == {"count": 0}
    assert (await admin.rest("GET", f"/sending-project/{project}")).json()["name"] == "p"
    assert (await admin.rest("GET", "/sending-project/count")).json() == {"count": 1}
