"""A message that its provider has refused has an event of its own type; every other failure is `message.failed`."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest

from channels.sandbox import Effect
from engine.direct.dispatch import Dispatcher
from engine.reports import report_writer
from engine.reports.report import Report
from resolvers import trial
from runtime.services import Services
from tests.event_feed.test_event_feed import SMS, opened, read
from tests.sending_projects.engine.conftest import projects as project_fixture
from tests.support.gateway import MAGIC
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.waits import until

projects = project_fixture

Drain = Callable[[str], Awaitable[int]]


async def types_of(person: Person, start: str, subject: str = "message") -> list[str]:
    """Returns the types of the events of the only object of that kind, without their area."""
    events = [event for event in (await read(person, start))["events"] if event["subject"] == subject]
    assert len({event["subjectId"] for event in events}) == 1
    return [event["type"].removeprefix("message.") for event in events]


async def direct(services: Services) -> Any:
    """Returns the row of the only message."""
    (row,) = await services.db.fetch("SELECT * FROM messages")
    return row


async def failed(services: Services) -> bool:
    return (await direct(services))["state"] == "failed"


# Direct messages


@pytest.mark.parametrize("channel", MAGIC)
async def test_a_direct_message(ada: Person, services: Services, drain: Drain, channel: str):
    start = await opened(ada)
    body = {"to": MAGIC[channel][Effect.failed], "channel": channel, "body": "hi"}
    assert (await ada.rest("POST", "/messages", json=body)).status_code == 202
    await drain(channel)
    assert await types_of(ada, start) == ["queued", "refused"]
    row = await direct(services)
    assert (row["state"], row["failure_code"], row["refused"]) == ("failed", "invalid_recipient", True)
    balance = await ada.rest("GET", f"/accounts/{ada.account_id}/balance")
    assert float(balance.json()["balance"]) == 100


async def test_a_trial(ada: Person, drain: Drain, services: Services, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(trial, "WAIT", 0.1)  # nobody sends it before the answer
    start = await opened(ada)
    body = {"to": MAGIC["sms"][Effect.failed], "channel": "sms", "text": "hi"}
    assert (await ada.rest("POST", "/test-sending", json=body)).status_code == 200
    await drain("sms")
    assert await types_of(ada, start) == ["queued", "refused"]
    row = await direct(services)
    assert (row["trial"], row["refused"]) == (True, True)


async def test_a_direct_message_whose_tries_ran_out(ada: Person, services: Services, dispatcher: Dispatcher):
    start = await opened(ada)
    await ada.rest("POST", "/messages", json={**SMS, "to": MAGIC["sms"][Effect.flaky]})
    await Dispatcher(services, worker="test", attempts=1).drain("sms")
    assert await types_of(ada, start) == ["queued", "failed"]
    assert (await direct(services))["refused"] is None


async def test_a_direct_message_that_is_reported_as_failed(ada: Person, services: Services, drain: Drain):
    start = await opened(ada)
    await ada.rest("POST", "/messages", json={**SMS, "to": MAGIC["sms"][Effect.bounced]})
    await drain("sms")
    await until(lambda: failed(services))
    assert await types_of(ada, start) == ["queued", "sent", "failed"]
    assert (await direct(services))["refused"] is None


@pytest.mark.parametrize(
    ("change", "type", "code"),
    [
        ("UPDATE messages SET created_at = now() - interval '25 hours'", "expired", "expired"),
        (
            'INSERT INTO blocked_phones (id, owner_id, phone) SELECT id, owner_id, "to" FROM messages',
            "failed",
            "recipient_blocked",
        ),
    ],
)
async def test_a_direct_message_that_no_provider_was_given(
    ada: Person, services: Services, drain: Drain, change: str, type: str, code: str
):
    start = await opened(ada)
    await ada.rest("POST", "/messages", json=SMS)
    await services.db.fetch(change)
    await drain("sms")
    assert await types_of(ada, start) == ["queued", type]
    row = await direct(services)
    assert (row["failure_code"], row["refused"]) == (code, None)


# Messages of projects


async def record(projects: Projects, project: UUID) -> Any:
    (row,) = await projects.records(project)
    return row


async def retried(projects: Projects, ada: Person, project: UUID) -> None:
    assert (await ada.rest("POST", f"/sending-project/retry/{project}", json={})).status_code == 200
    await projects.work()


async def test_a_message_of_a_project_that_is_refused_again_and_sent_at_last(projects: Projects, ada: Person):
    start = await opened(ada)
    project = await projects.make(ada, [MAGIC["sms"][Effect.failed]], channel="sms")
    await projects.work()
    assert await types_of(ada, start, "messageRecord") == ["queued", "refused"]
    row = await record(projects, project)
    assert (row["status"], row["failure_code"], row["refused"]) == ("failed", "invalid_recipient", True)

    await retried(projects, ada, project)
    ways = ["queued", "refused", "queued", "refused"]
    assert await types_of(ada, start, "messageRecord") == ways
    assert (await record(projects, project))["refused"] is True

    await projects.db.fetch("UPDATE message_records SET \"to\" = '+14155550100'")
    await retried(projects, ada, project)
    ways += ["queued", "sent"]
    assert await types_of(ada, start, "messageRecord") == ways
    row = await record(projects, project)
    assert (row["status"], row["refused"]) == ("sent", None)

    async with projects.db.reading() as db:
        await report_writer.apply(db, [Report(row["id"], None, None, "failed")])
    assert await types_of(ada, start, "messageRecord") == [*ways, "failed"]
    assert (await record(projects, project))["refused"] is None
    await projects.sound(project)


async def test_it_was_not_refused_while_it_is_queued_again(projects: Projects, ada: Person):
    project = await projects.make(ada, [MAGIC["sms"][Effect.failed]], channel="sms")
    await projects.work()
    await ada.rest("POST", f"/sending-project/retry/{project}", json={})
    assert await projects.step()
    row = await record(projects, project)
    assert (row["status"], row["refused"]) == ("queued", None)


async def test_a_message_of_a_project_whose_tries_ran_out(projects: Projects, ada: Person):
    start = await opened(ada)
    project = await projects.make(
        ada, [MAGIC["email"][Effect.flaky]], retry={"maxAttempts": 1, "backoffSeconds": 1}
    )
    await projects.work()
    assert await types_of(ada, start, "messageRecord") == ["queued", "failed"]
    assert (await record(projects, project))["refused"] is None


async def test_a_message_of_a_project_that_is_reported_as_failed(projects: Projects, ada: Person):
    start = await opened(ada)
    project = await projects.make(ada, [MAGIC["email"][Effect.bounced]])
    await projects.work()

    async def failed() -> bool:
        return bool((await record(projects, project))["status"] == "failed")

    await until(failed)
    assert await types_of(ada, start, "messageRecord") == ["queued", "sent", "failed"]
    assert (await record(projects, project))["refused"] is None
