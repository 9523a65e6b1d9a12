"""A text that says nothing to a recipient is not sent, and costs nothing."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from channels.sandbox import box
from tests.support.people import Person
from tests.support.projects import Projects

TODAY = "{% if bday %}\n Happy birthday!{% endif %} \u00a0\n"
PEOPLE: list[str | dict[str, Any]] = [
    {"address": "yes@example.com", "variables": {"bday": "yes"}},
    {"address": "no@example.com"},
]


async def outcomes(projects: Projects, project: Any) -> dict[str, tuple[str, str | None]]:
    return {
        row["to"].partition("@")[0]: (row["status"], row["failure_code"])
        for row in await projects.records(project)
    }


async def test_who_would_get_nothing_is_skipped_and_not_paid_for(projects: Projects, ada: Person):
    box().outbox.clear()
    project = await projects.make(ada, PEOPLE, text=TODAY)
    await projects.work()
    assert await outcomes(projects, project) == {"yes": ("sent", None), "no": ("skipped", "empty_text")}
    assert [accepted.message.to for accepted in box().outbox] == ["yes@example.com"]
    balance = await projects.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    assert balance == 100 - Decimal("0.001")
    assert (await projects.row(project))["status"] == "finished"
    await projects.sound(project)


@pytest.mark.parametrize("channel", ["sms", "push", "whatsapp", "telegram"])
async def test_on_every_channel(projects: Projects, ada: Person, channel: str):
    project = await projects.make(
        ada, ["+14155550100"], channel=channel, text=TODAY, subject="Hi", html="<b>x</b>"
    )
    await projects.work()
    (record,) = await projects.records(project)
    assert (record["status"], record["failure_code"]) == ("skipped", "empty_text")


TEMPLATE = {"name": "spring_sale", "language": "en_US", "params": []}


@pytest.mark.parametrize(
    ("channel", "content"),
    [
        ("email", {"text": None, "html": "<b>Hi</b>"}),
        ("email", {"text": " ", "html": "<b>Hi</b>"}),
        ("whatsapp", {"text": None, "template": TEMPLATE}),
    ],
)
async def test_what_says_something_otherwise_is_sent(
    projects: Projects, ada: Person, channel: str, content: dict[str, Any]
):
    to = "a@example.com" if channel == "email" else "+14155550100"
    project = await projects.make(ada, [to], channel=channel, **content)
    await projects.work()
    assert await projects.states(project) == {"sent": 1}


async def test_a_file_alone_is_no_empty_message(projects: Projects, ada: Person):
    upload = {"file": ("sale.png", b"\x89PNG\r\n\x1a\n", "image/png")}
    file = (await ada.rest("POST", "/file-uploader", files=upload)).json()
    project = await projects.make(
        ada, ["+14155550100"], channel="whatsapp", text=None, attachment_uuids=[UUID(file["uuid"])]
    )
    await projects.work()
    assert await projects.states(project) == {"sent": 1}
