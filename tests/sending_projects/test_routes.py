"""Previews, plans, recipients, messages, statistics and next runs by REST."""

from typing import Any

import pytest

from runtime.services import Services
from tests.message_records import rows
from tests.support.people import Person


@pytest.fixture
async def project(ada: Person) -> str:
    new = {"name": "Sale", "channel": "sms", "text": "Hi {{ name }}"}
    id = str((await ada.rest("POST", "/sending-project", json=new)).json()["uuid"])
    people = [{"phone": "+14155550100", "name": "Anna"}, {"phone": "+14155550101", "name": "Ben"}]
    await ada.rest("POST", f"/recipient/{id}", json={"recipients": people})
    return id


async def good(person: Person, method: str, path: str, body: Any = None) -> Any:
    answer = await person.rest(method, path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_preview_by_rest(ada: Person, bob: Person, project: str):
    asked = {"sendingProjectUuid": project, "variables": {"name": "Cleo"}}
    preview = await good(ada, "POST", "/sending-project/preview", asked)
    assert (preview["body"], preview["segments"]) == ("Hi Cleo", 1)
    assert (await bob.rest("POST", "/sending-project/preview", json=asked)).status_code == 404
    broken = await ada.rest("POST", "/sending-project/preview", json={"text": "{{ name"})
    assert (broken.status_code, broken.json()["code"]) == (400, "bad_text")


async def test_a_plan_by_rest(ada: Person, bob: Person, project: str):
    path = f"/sending-project/{project}/plan"
    plan = await good(ada, "POST", path)
    assert (plan["recipients"], plan["toSend"], plan["exact"]) == (2, 2, True)
    slow = await good(ada, "POST", path, {"speed": {"perMinute": 1}})
    assert (slow["perMinute"], slow["limitedBy"]) == (1, "speed")
    assert (await bob.rest("POST", path)).status_code == 404


async def test_recipients_by_rest(ada: Person, bob: Person, project: str):
    first, second = (await good(ada, "GET", f"/recipient/list/{project}"))["items"]
    path = f"/recipient/info/{first['uuid']}"
    assert await good(ada, "GET", path) == first
    assert (await bob.rest("GET", path)).status_code == 404
    remove = f"/recipient/{project}/remove"
    assert (await bob.rest("POST", remove, json={"text": "Anna"})).status_code == 404
    removed = await good(ada, "POST", remove, {"text": "Anna"})
    assert removed == {"removed": 1, "withMessage": 0, "more": False}
    assert (await good(ada, "GET", f"/recipient/list/{project}"))["items"] == [second]


async def test_messages_and_statistics_by_rest(ada: Person, bob: Person, services: Services):
    project = await rows.project(services, ada)
    failed = {"body": "Hi", "status": "failed", "failure_code": "rejected", "variant": 0}
    id, _ = await rows.messages(services, ada, project, failed, failed)
    listed = (await good(ada, "GET", f"/message/list?sendingProjectUuid={project}"))["items"]
    message = await good(ada, "GET", f"/message/{id}")
    assert message in listed
    assert (message["body"], message["sendingProjectUuid"]) == ("Hi", str(project))
    reasons = await good(ada, "GET", f"/statistics/failure-reasons/{project}")
    assert reasons == [{"code": "rejected", "count": 2, "skipped": 0}]
    variants = await good(ada, "GET", f"/statistics/variants/{project}")
    of_list = (await good(ada, "GET", "/statistics/list"))["items"][0]["variants"]
    assert variants == of_list
    for path in (
        f"/message/{id}",
        f"/statistics/failure-reasons/{project}",
        f"/statistics/variants/{project}",
    ):
        assert (await bob.rest("GET", path)).status_code == 404
    assert (await ada.rest("GET", "/message/none")).status_code == 400


async def test_next_runs_by_rest(ada: Person, bob: Person, project: str):
    new = {
        "name": "Daily",
        "template": {"channel": "sms", "text": "hi"},
        "schedule": {"cron": "0 9 * * *"},
        "source": {"sendingProjectUuid": project},
    }
    made = (await ada.rest("POST", "/repeatable-sending-project", json=new)).json()
    path = f"/repeatable-sending-project/{made['uuid']}/next-runs"
    runs = (await good(ada, "GET", f"{path}?count=3"))["nextRuns"]
    assert [run[11:16] for run in runs] == ["09:00"] * 3
    assert len((await good(ada, "GET", path))["nextRuns"]) == 5
    assert (await bob.rest("GET", path)).status_code == 404
    for count in (0, 51):
        assert (await ada.rest("GET", f"{path}?count={count}")).status_code == 400


async def test_an_import_is_previewed_by_rest(ada: Person):
    list_ = [{"phone": "+14155550100", "city": "Berlin"}]
    preview = await good(ada, "POST", "/recipient-import/preview", {"rows": list_})
    assert [column["name"] for column in preview["columns"]] == ["phone", "city"]
    assert preview["mapping"]["phone"] == "phone"
    made = await ada.rest("POST", "/file-uploader", files={"file": ("broken.xlsx", b"PK\x03\x04 no sheet")})
    file = made.json()["uuid"]
    answer = await ada.rest("POST", "/recipient-import/preview", json={"fileUuid": file})
    assert (answer.status_code, answer.json()["code"]) == (422, "unreadable_list")


async def test_blocks_and_source_accounts_by_rest(ada: Person, bob: Person):
    block = (await ada.rest("POST", "/block/+14155550100")).json()
    new = {"source": "telegram", "login": "shop", "token": "a token"}
    sender = (await ada.rest("POST", "/account/create", json=new)).json()
    for path, row in ((f"/block/info/{block['uuid']}", block), (f"/account/{sender['uuid']}", sender)):
        assert await good(ada, "GET", path) == row
        assert (await bob.rest("GET", path)).status_code == 404
