"""The retention deletes projects' messages, chats and imports that are too old, and keeps what is still read."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from core.ids import least_uuid7, uuid7
from engine import unsubscribe
from engine.upkeep import retention
from postern.doctor import servers as doctor
from postern.doctor.findings import Findings
from runtime.services import Services
from tests.support.people import Person
from tests.support.projects import Projects

ADDRESSES = ["a@example.com", "b@example.com", "c@example.com"]

pytestmark = pytest.mark.settings(
    record_retention_days=30, chat_retention_days=30, import_retention_days=30, public_url="https://m.example"
)


@pytest.fixture
async def projects(services: Services, dispatcher: Any) -> Projects:
    import engine.projects  # noqa: F401  registers the jobs

    return Projects(services)


async def finished(projects: Projects, person: Person, days: float, **fields: Any) -> UUID:
    """A project that has sent its messages, so many days ago."""
    project = await projects.make(person, ADDRESSES, **fields)
    await projects.work()
    assert (await projects.row(project))["status"] == "finished"
    await age(projects, project, days)
    return project


async def age(projects: Projects, project: UUID, days: float) -> None:
    await projects.db.fetch(
        "UPDATE sending_projects SET finished_at = now() - $2::interval, updated_at = now() - $2::interval"
        " WHERE id = $1",
        project,
        timedelta(days=days),
    )


async def rows(projects: Projects, project: UUID) -> tuple[int, int]:
    """Returns the numbers of its recipients and messages."""
    counts = [
        await projects.db.fetchval(f"SELECT count(*) FROM {table} WHERE project_id = $1", project)
        for table in ("recipients", "message_records")
    ]
    return counts[0], counts[1]


async def repeat(ada: Person, source: dict[str, Any]) -> Any:
    body = {
        "name": "Weekly",
        "template": {"channel": "email", "subject": "Hi", "text": "Hello"},
        "schedule": {"cron": "0 9 * * *"},
        "source": source,
    }
    return await ada.rest("POST", "/repeatable-sending-project", json=body)


# Projects


async def test_messages_and_recipients_go_and_the_counts_stay(projects: Projects, ada: Person) -> None:
    old, young = await finished(projects, ada, 31), await finished(projects, ada, 29)
    path = f"/sending-project/{old}"
    before = (await ada.rest("GET", path)).json()
    balance = await projects.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id)
    assert before["messagesDeletedAt"] is None
    await retention.retire_projects(projects.services)
    assert await rows(projects, old) == (0, 0)
    assert await rows(projects, young) == (3, 3)
    after = (await ada.rest("GET", path)).json()
    assert after["messagesDeletedAt"] is not None
    changed = {"messagesDeletedAt", "updatedAt"}
    assert {k: v for k, v in after.items() if k not in changed} == {
        k: v for k, v in before.items() if k not in changed
    }
    assert after["counts"]["sent"] == 3
    assert await projects.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id) == balance
    marked = after["messagesDeletedAt"]
    await retention.retire_projects(projects.services)
    assert (await ada.rest("GET", path)).json()["messagesDeletedAt"] == marked


async def test_a_deleted_project_counts_from_its_deletion(projects: Projects, ada: Person) -> None:
    project = await finished(projects, ada, 90)
    assert (await ada.rest("DELETE", f"/sending-project/{project}")).status_code < 300
    await projects.work()
    await retention.retire_projects(projects.services)
    assert await rows(projects, project) == (3, 3)
    await age(projects, project, 31)
    await retention.retire_projects(projects.services)
    assert await rows(projects, project) == (0, 0)


@pytest.mark.parametrize("status", ["draft", "scheduled", "running", "paused", "stopped"])
async def test_what_has_not_ended_stays(projects: Projects, ada: Person, status: str) -> None:
    project = await finished(projects, ada, 400)
    await projects.db.fetch("UPDATE sending_projects SET status = $2 WHERE id = $1", project, status)
    await retention.retire_projects(projects.services)
    assert await rows(projects, project) == (3, 3)


@pytest.mark.settings(record_retention_days=None, public_url="https://m.example")
async def test_nothing_goes_unless_it_is_set(projects: Projects, ada: Person) -> None:
    project = await finished(projects, ada, 4000)
    await retention.retire_projects(projects.services)
    assert await rows(projects, project) == (3, 3)


async def test_nobody_is_written_to_twice(projects: Projects, ada: Person) -> None:
    project = await finished(projects, ada, 31)
    await projects.db.fetch(
        "UPDATE message_records SET status = 'failed', failure_code = 'x' WHERE project_id = $1", project
    )
    await retention.retire_projects(projects.services)
    path = f"/sending-project/{project}"
    refused = await ada.rest("POST", f"/sending-project/retry/{project}", json={})
    assert (refused.status_code, refused.json()["code"]) == (409, "messages_deleted"), refused.text
    copied = await ada.rest("POST", f"/sending-project/{project}/duplicate", json={"recipients": True})
    assert (copied.status_code, copied.json()["code"]) == (409, "messages_deleted"), copied.text
    copied = await ada.rest("POST", f"/sending-project/{project}/duplicate", json={"recipients": False})
    assert copied.status_code == 201, copied.text
    exported = await ada.rest(
        "POST", "/export-link/start", json={"source": "recipients", "sendingProjectUuid": str(project)}
    )
    assert (exported.status_code, exported.json()["code"]) == (409, "messages_deleted"), exported.text
    repeated = await repeat(ada, {"sendingProjectUuid": str(project)})
    assert (repeated.status_code, repeated.json()["code"]) == (409, "messages_deleted"), repeated.text
    assert (await ada.rest("GET", path)).json()["status"] == "finished"


async def test_a_run_that_dies_is_gone_on_with(
    projects: Projects, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It dies between two statements: what is left is deleted later, and nothing can be sent meanwhile."""
    project = await finished(projects, ada, 31)
    monkeypatch.setattr(retention, "BITE", 2)
    whole: Callable[..., Awaitable[int]] = retention.execute_planned
    calls = []

    async def dies(*arguments: Any) -> int:
        calls.append(arguments)
        if len(calls) == 5:
            raise ConnectionError
        return await whole(*arguments)

    monkeypatch.setattr(retention, "execute_planned", dies)
    with pytest.raises(ConnectionError):
        await retention.retire_projects(projects.services)
    assert await rows(projects, project) == (0, 3)
    refused = await ada.rest("POST", f"/sending-project/retry/{project}", json={"unknown": True})
    assert refused.json()["code"] == "messages_deleted"
    monkeypatch.setattr(retention, "execute_planned", whole)
    await retention.retire_projects(projects.services)
    assert await rows(projects, project) == (0, 0)


async def test_what_a_run_copies_is_kept_and_said(
    projects: Projects, ada: Person, services: Services
) -> None:
    project, exported = await finished(projects, ada, 31), await finished(projects, ada, 31)
    made = await repeat(ada, {"sendingProjectUuid": str(project)})
    assert made.status_code == 201, made.text
    started = await ada.rest(
        "POST", "/export-link/start", json={"source": "recipients", "sendingProjectUuid": str(exported)}
    )
    assert started.status_code < 300, started.text
    await retention.retire_projects(services)
    assert await rows(projects, project) == await rows(projects, exported) == (3, 3)
    findings = Findings()
    await doctor._retained(findings, services.db, services.settings)
    (found,) = findings.entries
    assert "1 projects that recurring runs copy their recipients from" in found.text
    assert "1 projects that are being exported" in found.text
    gone = await ada.rest("DELETE", f"/repeatable-sending-project/{made.json()['uuid']}")
    assert gone.status_code < 300, gone.text
    await services.db.fetch("UPDATE export_links SET status = 'ready'")
    await retention.retire_projects(services)
    assert await rows(projects, project) == await rows(projects, exported) == (0, 0)


async def test_an_old_unsubscribe_link_says_that_it_is_too_old(projects: Projects, ada: Person) -> None:
    project = await finished(projects, ada, 31)
    message = (await projects.records(project))[0]["id"]
    link = f"/unsubscribe/{unsubscribe.token(projects.services.key('unsubscribe'), message)}"
    assert (await ada.client.get(link)).status_code == 200
    await retention.retire_projects(projects.services)
    assert (await ada.client.get(link)).status_code == 404


# Imports


async def imported(ada: Person, services: Services, days: float, phone: str = "+14155550100") -> UUID:
    """An import that is ready, made so many days ago."""
    id, made = least_uuid7(services.db.now() - timedelta(days=days)), uuid7()
    id = UUID(bytes=id.bytes[:8] + made.bytes[8:])
    await services.db.fetch(
        "INSERT INTO recipient_imports (id, owner_id, status, region) VALUES ($1, $2, 'ready', 'US')",
        id,
        ada.id,
    )
    await services.db.fetch(
        "INSERT INTO import_rows (import_id, line, address) VALUES ($1, 1, $2)", id, phone
    )
    return id


async def imports(services: Services) -> set[UUID]:
    return {row["id"] for row in await services.db.fetch("SELECT id FROM recipient_imports")}


async def test_old_imports_go_with_their_rows(services: Services, ada: Person) -> None:
    old, young, reading = [await imported(ada, services, days) for days in (31, 29, 40)]
    await services.db.fetch("UPDATE recipient_imports SET status = 'processing' WHERE id = $1", reading)
    await retention.retire_imports(services)
    assert await imports(services) == {young, reading}
    assert await services.db.fetchval("SELECT count(*) FROM import_rows WHERE import_id = $1", old) == 0


async def test_the_uploaded_file_goes_with_its_last_import(services: Services, ada: Person) -> None:
    answer = await ada.rest("POST", "/recipient-import", files={"file": ("a.csv", b"phone\n+14155550100\n")})
    assert answer.status_code < 300, answer.text
    old = await imported(ada, services, 31)
    await services.db.fetch(
        "UPDATE recipient_imports AS o SET file_uuid = n.file_uuid, options = n.options FROM recipient_imports AS n"
        " WHERE o.id = $1 AND n.id <> $1",
        old,
    )
    await retention.retire_imports(services)
    assert old not in await imports(services)
    assert await services.db.fetchval("SELECT count(*) FROM files") == 1
    await services.db.fetch("UPDATE recipient_imports SET id = $1, status = 'ready'", old)
    await retention.retire_imports(services)
    assert await services.db.fetchval("SELECT count(*) FROM files") == 0


async def test_an_import_that_a_run_takes_is_kept(services: Services, ada: Person) -> None:
    used = await imported(ada, services, 31)
    await imported(ada, services, 31)
    assert (await repeat(ada, {"importUuid": str(used)})).status_code == 201
    await retention.retire_imports(services)
    assert await imports(services) == {used}


# Chats


async def account(services: Services, ada: Person) -> UUID:
    id = uuid7()
    await services.db.fetch(
        "INSERT INTO messenger_accounts (id, owner_id, source, driver, login, name, state)"
        " VALUES ($1, $2, 'telegram', 'sandbox', $3, 'desk', 'stopped')", id, ada.id, str(id),
    )  # fmt: skip
    return id


async def chat(services: Services, account: UUID, *days: float, unread: int = 0) -> UUID:
    """A chat with incoming messages that are so many days old."""
    id = uuid7()
    await services.db.fetch(
        "INSERT INTO messenger_chats (id, account_id, thread, unread, last_at)"
        " VALUES ($1, $2, $3, $4, now() - $5::interval)",
        id, account, str(id), unread, timedelta(days=min(days)),
    )  # fmt: skip
    for number, each in enumerate(days):
        await services.db.fetch(
            "INSERT INTO messenger_messages (id, account_id, chat_id, thread, provider_id, outgoing, status, text, at)"
            " VALUES ($1, $2, $3, $4, $5, false, 'delivered', 'Hello', now() - $6::interval)",
            uuid7(), account, id, str(id), f"{id}-{number}", timedelta(days=each),
        )  # fmt: skip
    return id


async def test_old_messages_of_chats_go_and_then_empty_chats(services: Services, ada: Person) -> None:
    desk = await account(services, ada)
    mixed = await chat(services, desk, 40, 35, 29, 1, unread=3)
    old = await chat(services, desk, 90, 31, unread=1)
    await services.db.fetch(
        "INSERT INTO messenger_messages (id, account_id, outgoing, recipient, text, at)"
        " VALUES ($1, $2, true, '+14155550100', 'lost', now() - interval '31 days')", uuid7(), desk,
    )  # fmt: skip
    await retention.retire_chats(services)
    chats = {
        row["id"]: row["unread"] for row in await services.db.fetch("SELECT id, unread FROM messenger_chats")
    }
    assert chats == {mixed: 2}
    assert old not in chats
    left = await services.db.fetch(
        "SELECT chat_id, now() - at < interval '30 days' AS young FROM messenger_messages"
    )
    assert [(row["chat_id"], row["young"]) for row in left] == [(mixed, True)] * 2


async def test_chats_go_in_bites(services: Services, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BITE", 3)
    monkeypatch.setattr(retention, "_MOST", 2)
    desk = await account(services, ada)
    for _ in range(5):
        await chat(services, desk, *[40.0] * 7)
    await retention.retire_chats(services)
    assert await services.db.fetchval("SELECT count(*) FROM messenger_messages") == 0
    assert await services.db.fetchval("SELECT count(*) FROM messenger_chats") == 0
