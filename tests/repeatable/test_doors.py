"""Repeatable projects through both doors: contract §3."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.ids import uuid7
from engine.projects.repeatable_states import DELETABLE, MOVES
from resolvers import repeatable
from shapes.repeatable import RepeatableStatus
from tests.doors.case import UNKNOWN
from tests.repeatable.schedules import DAILY, PATH, TEMPLATE

FIELDS = """uuid name status template { channel accountId accountUuids subject html text variants { text weight }
  templateId templateVersion templateLocale languages { localeFrom }
  template { name language params } from sender attachmentUuids window { timezone days from to recipientTimezone }
  speed { perMinute perAccountPerMinute jitterSeconds } retry { maxAttempts backoffSeconds } onMissingVariable
  stopOnReply trackClicks category } schedule { rrule cron timezone startAt endAt maxRuns misfire } source { importUuid
  sendingProjectUuid audience { topicUuids segmentUuids exceptTopicUuids exceptSegmentUuids exceptProjectUuids } }
  nextRunAt lastRunAt runs lastError createdAt updatedAt"""
GET = "query($id: ID!) { repeatableSendingProject(id: $id) { %s } }" % FIELDS  # noqa: UP031  braces
CREATE = "mutation($input: NewRepeatableProject!) { createRepeatableSendingProject(input: $input) { uuid status } }"
UPDATE = (
    "mutation($id: ID!, $input: RepeatablePatch!) { updateRepeatableSendingProject(id: $id, "
    "input: $input) { uuid } }"
)
NEXT = "query($id: ID!, $n: Int!) { repeatableSendingProject(id: $id) { nextRuns(count: $n) } }"


async def body(schedules, person, **changes):
    source = {"importUuid": await schedules.audience(person)}
    return {"name": "Morning", "template": TEMPLATE, "schedule": DAILY, "source": source, **changes}


async def test_it_is_made_read_and_changed_and_the_same_in_both_doors(ada, schedules):
    rich = {
        **TEMPLATE,
        "variants": [{"text": "Hi", "weight": 2}],
        "window": {"timezone": "Europe/Berlin", "days": [1, 2], "from": "09:00", "to": "18:00"},
        "speed": {"perMinute": 60},
        "retry": {"maxAttempts": 5},
        "stopOnReply": True,
    }
    made = await ada.rest("POST", PATH, json=await body(schedules, ada, template=rich))
    assert made.status_code == 201, made.text
    shown = made.json()
    assert (shown["status"], shown["runs"], shown["nextRunAt"]) == ("draft", 0, None)
    assert shown["template"]["window"]["from"] == "09:00"
    assert shown["schedule"] == {
        "rrule": None, "cron": "0 9 * * *", "timezone": "Europe/Berlin", "startAt": None, "endAt": None,
        "maxRuns": None, "misfire": "skip",
    }  # fmt: skip
    assert (await ada.rest("GET", f"{PATH}/{shown['uuid']}")).json() == shown
    assert (await ada.data(GET, {"id": shown["uuid"]}))["repeatableSendingProject"] == shown
    changed = await ada.rest("PATCH", f"{PATH}/{shown['uuid']}", json={"name": "Evening"})
    assert (changed.json()["name"], changed.json()["template"]) == ("Evening", shown["template"])
    second = await ada.data(CREATE, {"input": await body(schedules, ada)})
    page = (await ada.rest("GET", f"{PATH}/list", params={"limit": 1})).json()
    assert [item["uuid"] for item in page["items"]] == [second["createRepeatableSendingProject"]["uuid"]]
    assert page["meta"]["total"] == 2
    await ada.rest("POST", f"{PATH}/{shown['uuid']}/start")
    assert (await ada.rest("GET", f"{PATH}/count")).json() == {"count": 2}
    assert (await ada.rest("GET", f"{PATH}/count/concurrent")).json() == {"count": 1}
    active = (await ada.rest("GET", f"{PATH}/list", params={"status": "active"})).json()
    assert [item["uuid"] for item in active["items"]] == [shown["uuid"]]
    both = await ada.data(
        "{ repeatableSendingProjectCount concurrentRepeatableSendingProjectCount"
        " repeatableSendingProjects(where: {status: {eq: draft}}) { nodes { uuid owner { email } } totalCount } }"
    )
    assert both == {
        "repeatableSendingProjectCount": 2,
        "concurrentRepeatableSendingProjectCount": 1,
        "repeatableSendingProjects": {
            "nodes": [{"uuid": page["items"][0]["uuid"], "owner": {"email": ada.email}}],
            "totalCount": 1,
        },
    }


WRONG = [
    {"schedule": {}},
    {"schedule": {"rrule": "FREQ=DAILY", "cron": "* * * * *"}},
    {"schedule": {"cron": "* * * * * *"}},
    {"schedule": {"cron": "x" * 300}},
    {"schedule": {"rrule": "FREQ=SECONDLY"}},
    {"schedule": {"rrule": "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30"}},
    {"schedule": {"rrule": "FREQ=DAILY;BYHOUR=" + ",".join(["1"] * 600)}},
    {"schedule": {"cron": "0 9 * * *", "timezone": "Mars/Olympus"}},
    {"schedule": {"cron": "0 9 * * *", "endAt": "2020-01-01T00:00:00Z"}},
    {"schedule": {"cron": "0 9 * * *", "startAt": "2027-01-01T00:00:00"}},
    {"schedule": {"cron": "0 9 * * *", "maxRuns": 0}},
    {"schedule": {"cron": "0 9 * * *", "misfire": "all"}},
    {"source": {}},
    {"source": {"importUuid": UNKNOWN, "sendingProjectUuid": UNKNOWN}},
    {"template": {"text": "x"}},
    {"template": {"channel": "sms", "text": "{{ name"}},
    {"template": {"channel": "sms", "text": "x", "subject": "y"}},
    {"template": {"channel": "sms", "text": "x", "startAt": "2027-01-01T00:00:00Z"}},
    {"template": {"channel": "fax", "text": "x"}},
    {"name": ""},
    {"status": "active"},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
async def test_what_makes_none(wrong, ada, schedules):
    input = await body(schedules, ada, **wrong)
    answer = await ada.rest("POST", PATH, json=input)
    assert answer.status_code == 400, answer.text
    assert await ada.code(CREATE, {"input": input}) in ("validation_failed", "bad_request", "bad_text")
    assert (await ada.rest("GET", f"{PATH}/count")).json() == {"count": 0}


async def test_the_sentence_names_the_field(ada, schedules):
    answer = await ada.rest("POST", PATH, json=await body(schedules, ada, schedule={"cron": "61 * * * *"}))
    (rule,) = answer.json()["message"]
    assert rule.startswith("schedule.cron: can't be read")


async def test_whatever_it_names_is_its_owners(ada, bob, schedules):
    project = (await bob.rest("POST", "/sending-project", json={"name": "b", "channel": "sms"})).json()
    for wrong, code in (
        ({"source": {"importUuid": await schedules.audience(bob)}}, "import_not_found"),
        ({"source": {"importUuid": str(uuid7())}}, "import_not_found"),
        ({"source": {"sendingProjectUuid": project["uuid"]}}, "sending_project_not_found"),
        ({"template": {**TEMPLATE, "accountId": str(bob.account_id)}}, "account_not_found"),
        ({"template": {**TEMPLATE, "accountUuids": [str(uuid7())]}}, "source_account_not_found"),
    ):
        input = await body(schedules, ada, **wrong)
        answer = await ada.rest("POST", PATH, json=input)
        assert (answer.status_code, answer.json()["code"]) == (404, code)
        assert await ada.code(CREATE, {"input": input}) == code
        mine = await schedules.make(ada, start=False)
        assert (await ada.rest("PATCH", f"{PATH}/{mine}", json=wrong)).json()["code"] == code
        assert await ada.code(UPDATE, {"id": mine, "input": wrong}) == code


async def test_nobody_else_sees_it_but_an_administrator(ada, bob, admin, schedules):
    mine = await schedules.make(ada, start=False)
    for method, path in (("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/start"), ("POST", "/stop")):
        sent = {"name": "x"} if method == "PATCH" else None
        answer = await bob.rest(method, f"{PATH}/{mine}{path}", json=sent)
        assert (answer.status_code, answer.json()["code"]) == (404, "repeatable_project_not_found")
    for query, more in ((GET, {}), (UPDATE, {"input": {"name": "x"}}), (NEXT, {"n": 1})):
        assert await bob.code(query, {"id": mine, **more}) == "repeatable_project_not_found"
    assert (await bob.rest("GET", f"{PATH}/list")).json()["items"] == []
    assert (await admin.rest("GET", f"{PATH}/{mine}")).json()["uuid"] == mine
    assert (await admin.rest("PATCH", f"{PATH}/{mine}", json={"name": "x"})).json()["name"] == "x"


async def test_one_key_makes_one(ada, schedules):
    sent = await body(schedules, ada)
    key = {"Idempotency-Key": "k1"}
    first = await ada.rest("POST", PATH, json=sent, headers=key)
    again = await ada.rest("POST", PATH, json=sent, headers=key)
    assert first.json() == again.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (await ada.rest("GET", f"{PATH}/count")).json() == {"count": 1}


@pytest.mark.parametrize("status", list(RepeatableStatus))
async def test_every_move(status, ada, schedules, services):
    ends = {"start": RepeatableStatus.active, "stop": RepeatableStatus.stopped, "delete": None}
    for event, end in ends.items():
        uuid = await schedules.make(ada, start=False)
        async with services.db.reading() as db:
            await db.execute(
                "UPDATE repeatable_projects SET status = $1 WHERE name = 'Morning'", status.value
            )
        answer = (
            await ada.rest("DELETE", f"{PATH}/{uuid}")
            if end is None
            else await ada.rest("POST", f"{PATH}/{uuid}/{event}")
        )
        allowed = status is not RepeatableStatus.active if end is None else end in MOVES[status]
        if not allowed:
            assert (answer.status_code, answer.json()["code"]) == (409, "bad_transition")
            assert status.value in answer.json()["message"]
            assert (end.value if end else "deleted") in answer.json()["message"]
        elif end is None:
            assert answer.status_code == 204
            assert (await ada.rest("GET", f"{PATH}/{uuid}")).status_code == 404
        else:
            assert answer.json()["status"] == end.value


async def test_start_and_stop_set_the_next_firing(ada, schedules):
    uuid = await schedules.make(ada)
    shown = (await ada.rest("GET", f"{PATH}/{uuid}")).json()
    upcoming = await ada.data(NEXT, {"id": uuid, "n": 3})
    runs = upcoming["repeatableSendingProject"]["nextRuns"]
    assert runs[0] == shown["nextRunAt"]
    assert len(runs) == 3
    stopped = (await ada.rest("POST", f"{PATH}/{uuid}/stop")).json()
    assert (stopped["status"], stopped["nextRunAt"]) == ("stopped", None)
    assert (await ada.rest("POST", f"{PATH}/{uuid}/start")).json()["nextRunAt"] == shown["nextRunAt"]


async def test_a_new_schedule_of_an_active_one_counts_at_once(ada, schedules):
    uuid = await schedules.make(ada)
    at = (datetime.now(UTC) + timedelta(days=30)).replace(hour=12, minute=0, second=0, microsecond=0)
    schedule = {"rrule": "FREQ=DAILY;BYHOUR=13", "startAt": at.isoformat()}
    changed = (await ada.rest("PATCH", f"{PATH}/{uuid}", json={"schedule": schedule})).json()
    assert datetime.fromisoformat(changed["nextRunAt"]) == at.replace(hour=13)
    stopped = await schedules.make(ada, start=False)
    changed = (await ada.rest("PATCH", f"{PATH}/{stopped}", json={"schedule": schedule})).json()
    assert changed["nextRunAt"] is None


async def test_upcoming_firings_are_bounded(ada, schedules):
    uuid = await schedules.make(ada, maxRuns=2)
    upcoming = await ada.data(NEXT, {"id": uuid, "n": 50})
    assert len(upcoming["repeatableSendingProject"]["nextRuns"]) == 2
    for number in (0, 51):
        assert await ada.code(NEXT, {"id": uuid, "n": number}) == "validation_failed"


async def test_all_fields_of_an_answer_share_the_time(ada, schedules, monkeypatch):
    """Costly rules, asked for again and again by other names."""
    uuid = await schedules.make(ada)
    pauses: list[float] = []
    clock = SimpleNamespace(now=1000.0)

    async def slow(op, rows, number, seconds):
        pauses.append(seconds)
        clock.now += 0.1
        return [[] for _ in rows]

    monkeypatch.setattr(repeatable, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(repeatable, "_next_runs", slow)
    names = " ".join(f"n{number}: nextRuns(count: {number + 1})" for number in range(5))
    query = f"query($id: ID!) {{ repeatableSendingProject(id: $id) {{ {names} }} }}"
    for _ in range(2):  # each answer anew
        pauses.clear()
        answer = await ada.graphql(query, {"id": uuid})
        assert answer["extensions"]["cost"]["actual"] == 1 + 5 * 10
        assert pauses == pytest.approx([repeatable.SECONDS - 0.1 * before for before in range(5)])


async def test_nothing_left_to_fire_is_no_start(ada, schedules, services):
    uuid = await schedules.make(ada, maxRuns=3, start=False)
    async with services.db.reading() as db:
        await db.execute("UPDATE repeatable_projects SET runs = 3, status = 'finished'")
    answer = await ada.rest("POST", f"{PATH}/{uuid}/start")
    assert (answer.status_code, answer.json()["code"]) == (409, "schedule_over")
    await ada.rest("PATCH", f"{PATH}/{uuid}", json={"schedule": {**DAILY, "maxRuns": 4}})
    assert (await ada.rest("POST", f"{PATH}/{uuid}/start")).json()["status"] == "active"


def test_the_moves_are_those_of_the_documents():
    page = (
        (Path(__file__).parents[2] / "docs" / "states.md").read_text().partition("## Repeatable projects")[2]
    )
    page = page.partition("\n## ")[0]
    moves = {(start.value, end.value) for start, ends in MOVES.items() for end in ends}
    deletions = {(start.value, "deleted") for start in DELETABLE}
    assert {*re.findall(r"^\| `(\w+)` \| `(\w+)` \|", page, re.MULTILINE)} == moves | deletions
    assert {*re.findall(r"^    (\w+) --> (\w+)$", page, re.MULTILINE)} == moves | deletions
