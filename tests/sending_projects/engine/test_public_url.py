"""A link to unsubscribe must lead here: without POSTERN_PUBLIC_URL nothing that has one starts over a real route."""

from typing import Any

import pytest

from core.settings import Settings
from tests.support.people import Person

SMTP = "smtp://127.0.0.1:1?from=news@example.com"
TWILIO = "twilio://AC1:token@127.0.0.1?from=%2B14155550100"
START = "mutation($id: ID!) { startSendingProject(id: $id) { status } }"


@pytest.fixture
def settings(make_settings: Any, request: pytest.FixtureRequest) -> Settings:
    changes = {"channel_email": SMTP, "channel_sms": TWILIO, "public_url": None}
    for mark in request.node.iter_markers("settings"):
        changes |= mark.kwargs
    made: Settings = make_settings(**changes)
    return made


async def project(person: Person, channel: str = "email", **fields: Any) -> str:
    subject = {"subject": "s"} if channel == "email" else {}
    made = await person.rest(
        "POST", "/sending-project", json={"name": "x", "channel": channel, "text": "t", **subject, **fields}
    )
    assert made.status_code == 201, made.text
    to = {"address": "anna@example.com"} if channel == "email" else {"phone": "+14155550100"}
    added = await person.rest("POST", f"/recipient/{made.json()['uuid']}", json={"recipients": [to]})
    assert added.status_code in (200, 201), added.text
    return str(made.json()["uuid"])


async def start(person: Person, id: str) -> tuple[int, str]:
    answer = await person.rest("POST", f"/sending-project/start/{id}")
    return answer.status_code, answer.json().get("code", answer.json().get("status"))


async def test_a_promotional_email_project_does_not_start(ada: Person):
    id = await project(ada)
    answer = await ada.rest("POST", f"/sending-project/start/{id}")
    assert (answer.status_code, answer.json()["code"]) == (409, "public_url_missing"), answer.text
    assert "POSTERN_PUBLIC_URL" in answer.json()["message"]
    assert await ada.code(START, {"id": id}) == "public_url_missing"
    shown = await ada.rest("GET", f"/sending-project/{id}")
    assert shown.json()["status"] == "draft"


async def test_what_needs_no_link_starts(ada: Person):
    assert await start(ada, await project(ada, category="transactional")) == (200, "running")
    assert await start(ada, await project(ada, "sms")) == (200, "running")


async def test_a_text_that_names_the_link_needs_it_too(ada: Person):
    text = "Sale! {{ unsubscribe_url }}"
    assert await start(ada, await project(ada, "sms", text=text)) == (409, "public_url_missing")
    variants = [{"text": text, "weight": 1}]
    assert await start(ada, await project(ada, "sms", variants=variants)) == (409, "public_url_missing")
    plain = await project(ada, "sms", text=text, category="transactional")
    assert await start(ada, plain) == (200, "running")


@pytest.mark.settings(public_url="https://postern.example.com")
async def test_with_the_setting_it_starts(ada: Person):
    assert await start(ada, await project(ada)) == (200, "running")


@pytest.mark.settings(channel_email="sandbox://")
async def test_over_the_sandbox_it_starts(ada: Person):
    assert await start(ada, await project(ada)) == (200, "running")


@pytest.mark.parametrize(
    ("channel", "category", "lacks"),
    [("email", "promotional", True), ("sms", "promotional", False), ("email", "transactional", False)],
)
async def test_the_plan_says_so_before(ada: Person, channel: str, category: str, lacks: bool):
    id = await project(ada, channel, category=category)
    plan = await ada.data("query($id: ID!) { sendingProjectPlan(id: $id) { lacksPublicUrl } }", {"id": id})
    assert plan["sendingProjectPlan"]["lacksPublicUrl"] is lacks
