"""Projects that send through messenger accounts: on the sandbox, with a live host."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest

from engine.messengers.host import Host
from engine.projects import scheduler
from runtime.services import Services
from tests.sending_projects.engine.stuck import assert_finished, forget, rounds
from tests.support import hosts
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.waits import until

pytestmark = pytest.mark.settings(sandbox_moment=0.05)

LOGIN = "15005559001"
DELIVERED, FAILED, PRIVACY, READS, STOP, ANSWERS = (f"+1500555{place:03}1" for place in (0, 1, 8, 12, 11, 10))


async def sender(services: Services, person: Person, login: str = LOGIN) -> tuple[UUID, UUID]:
    """A source account, and the messenger account behind it, which works."""
    account = await hosts.account(services, person.id, login)
    answer = await person.rest(
        "POST", "/account/create", json={"source": "telegram", "login": login, "token": "t"}
    )
    assert answer.status_code == 201, answer.text
    assert answer.json()["messengerAccountUuid"] == str(account)
    await hosts.becomes(services, account, "working")
    return UUID(answer.json()["uuid"]), account


async def status(services: Services, id: UUID) -> str:
    return str(await services.db.fetchval("SELECT status FROM source_accounts WHERE id = $1", id))


async def records(projects: Projects, project: UUID) -> dict[str, Any]:
    return {row["to"]: row for row in await projects.records(project) if row["direction"] == "outbound"}


async def reported(projects: Projects, project: UUID) -> None:
    """Waits until the last report has come, so that counting the messages twice gives the same numbers."""

    async def delivered() -> bool:
        return (await records(projects, project))[DELIVERED]["status"] == "delivered"

    await until(delivered)


async def test_messages_leave_through_the_account_and_its_reports_come_back(
    projects: Projects, services: Services, ada: Person, host: Host
):
    source, account = await sender(services, ada)
    assert await status(services, source) == "connected"
    project = await projects.make(
        ada, [DELIVERED, FAILED, PRIVACY, READS], channel="telegram", account_uuids=[source]
    )
    await rounds(projects)

    async def both() -> bool:
        rows = await records(projects, project)
        return [rows[to]["status"] for to in (DELIVERED, READS)] == ["delivered", "read"]

    await until(both)
    by_recipient = await records(projects, project)
    assert [by_recipient[to]["status"] for to in (FAILED, PRIVACY)] == ["failed", "failed"]
    assert {row["account_uuid"] for row in by_recipient.values()} == {source}
    assert {row["provider"] for row in by_recipient.values()} == {"messenger"}
    stored = await services.db.fetch(
        "SELECT record_id, status, text FROM messenger_messages WHERE account_id = $1", account
    )
    assert {row["record_id"] for row in stored} >= {by_recipient[DELIVERED]["id"], by_recipient[READS]["id"]}
    assert {row["text"] for row in stored} == {"Hello !"}
    await assert_finished(projects, project)


async def test_a_message_does_not_cost_a_read_of_the_session(
    projects: Projects, services: Services, ada: Person, host: Host, monkeypatch: pytest.MonkeyPatch
):
    source, account = await sender(services, ada)
    read: list[set[str]] = []
    real = services.db.fetchrow

    async def fetchrow(sql: str, *arguments: Any) -> Any:
        row = await real(sql, *arguments)
        if row is not None and arguments == (account,):
            read.append(set(row.keys()))
        return row

    project = await projects.make(ada, [DELIVERED], channel="telegram", account_uuids=[source])
    monkeypatch.setattr(services.db, "fetchrow", fetchrow)
    await rounds(projects)
    assert (await records(projects, project))[DELIVERED]["status"] in ("sent", "delivered")
    await reported(projects, project)
    assert any("connected_phone" in columns for columns in read)
    assert not [columns for columns in read if columns & {"session_encrypted", "cursor"}]
    await assert_finished(projects, project)


async def test_a_reply_reaches_the_project_and_a_stop_word_is_obeyed(
    projects: Projects, services: Services, ada: Person, host: Host
):
    source, _ = await sender(services, ada)
    project = await projects.make(ada, [ANSWERS, STOP], channel="telegram", account_uuids=[source])
    await rounds(projects)

    async def replied() -> bool:
        return all(row["replied_at"] for row in (await records(projects, project)).values())

    await until(replied)
    blocked = await services.db.fetch("SELECT phone, reason FROM blocked_phones WHERE owner_id = $1", ada.id)
    assert [(row["phone"], row["reason"]) for row in blocked] == [(STOP, "optOut")]
    await assert_finished(projects, project)


async def test_without_its_account_a_project_pauses_and_goes_on_by_itself(
    projects: Projects, services: Services, ada: Person, host: Host
):
    source, account = await sender(services, ada)
    await hosts.want(services, account, False)
    await hosts.becomes(services, account, "stopped")
    assert await status(services, source) == "disconnected"
    project = await projects.make(ada, [DELIVERED], channel="telegram", account_uuids=[source])
    await projects.work()
    row = await projects.row(project)
    assert (row["status"], row["status_reason"]) == ("paused", "no_sender_online")
    await hosts.want(services, account, True)
    await hosts.becomes(services, account, "working")

    async def goes_on() -> bool:
        await scheduler.resume_paused(services)  # the account's being back made it due, no hurrying
        await projects.work()
        return (await projects.row(project))["status"] == "finished"

    await until(goes_on)
    await reported(projects, project)
    await assert_finished(projects, project)


async def test_an_account_that_goes_away_under_a_unit_costs_no_attempt(
    projects: Projects, services: Services, ada: Person, host: Host
):
    source, account = await sender(services, ada)
    project = await projects.make(ada, [DELIVERED], channel="telegram", account_uuids=[source])
    await projects.step()
    # Nobody has told the source account yet.
    await hosts.want(services, account, False)
    await hosts.becomes(services, account, "stopped")
    await services.db.fetch("UPDATE source_accounts SET status = 'connected' WHERE id = $1", source)
    await projects.work()
    (row,) = await projects.records(project)
    assert (row["status"], row["attempts"], row["failure_code"]) == ("queued", 0, "wrong_state")
    await hosts.want(services, account, True)
    await hosts.becomes(services, account, "working")
    forget(projects)
    await rounds(projects)
    (row,) = await projects.records(project)
    assert row["status"] in ("sent", "delivered")
    await reported(projects, project)
    await assert_finished(projects, project)


async def test_another_owner_s_account_is_behind_nobody_s_sender(
    services: Services, ada: Person, bob: Person
):
    await hosts.account(services, bob.id, LOGIN, wanted=False)
    answer = await ada.rest(
        "POST", "/account/create", json={"source": "telegram", "login": LOGIN, "token": "t"}
    )
    assert answer.json()["messengerAccountUuid"] is None
    assert answer.json()["status"] == "connected"


async def test_a_test_message_leaves_through_the_account(
    services: Services, ada: Person, host: Host, drain: Callable[[str], Awaitable[int]]
):
    source, account = await sender(services, ada)
    body = {"channel": "telegram", "accountUuid": str(source), "to": DELIVERED, "text": "Is this on?"}

    async def trial(**changes: str) -> Any:
        """Returns the answer to a trial while a worker sends it."""
        request = asyncio.create_task(ada.rest("POST", "/test-sending", json={**body, **changes}))
        while not request.done():
            await drain("telegram")
            await asyncio.sleep(0.02)
        return (await request).json()

    sent = await trial()
    assert sent["status"] in ("sent", "delivered")
    row = await services.db.fetchrow("SELECT * FROM messenger_messages WHERE account_id = $1", account)
    assert (str(row["id"]), row["text"], row["record_id"]) == (
        sent["providerMessageId"],
        "Is this on?",
        None,
    )
    refused = await trial(to=FAILED)
    assert (refused["status"], refused["error"]["code"]) == ("failed", "invalid_recipient")


async def test_an_account_of_another_messenger_sends_no_project(ada: Person):
    new = {"source": "whatsapp", "login": "x", "token": "t"}
    source = (await ada.rest("POST", "/account/create", json=new)).json()["uuid"]
    body = {"name": "p", "channel": "telegram", "text": "Hi", "accountUuids": [source]}
    project = (await ada.rest("POST", "/sending-project", json=body)).json()["uuid"]
    await ada.rest("POST", f"/recipient/{project}", json={"recipients": [{"address": DELIVERED}]})
    refused = await ada.rest("POST", f"/sending-project/start/{project}")
    assert (refused.status_code, refused.json()["code"]) == (400, "foreign_sender")
