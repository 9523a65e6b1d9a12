"""The reasons for which queued messages wait, by both doors: each as a code, a sentence and a time."""

from typing import Any
from uuid import UUID

import pytest

from channels.port import Outcome, Result
from shapes.pauses import PauseReason
from tests.sending_projects.engine.conftest import projects
from tests.sending_projects.engine.test_breakers import opened
from tests.support.fake_channels import Fake, use
from tests.support.gateway import Gateway, gateway

__all__ = ["gateway", "projects"]

GRAPH = "{ messages { nodes { uuid waitingFor { code reason until } } } }"
RECORDS = "{ messageRecords { nodes { uuid status waitingFor { code reason until } } } }"


async def shown(person: Any, id: UUID) -> Any:
    """Returns why a message waits; all four places must say the same."""
    one = (await person.rest("GET", f"/messages/{id}")).json()["waitingFor"]
    (listed,) = [
        row for row in (await person.rest("GET", "/messages")).json()["items"] if row["id"] == str(id)
    ]
    status = (await person.rest("GET", f"/messages/{id}/status")).json()
    (node,) = [row for row in (await person.data(GRAPH))["messages"]["nodes"] if row["uuid"] == str(id)]
    graph = await person.data(f'{{ messageStatus(id: "{id}") {{ waitingFor {{ code reason until }} }} }}')
    assert one == listed["waitingFor"] == status["waitingFor"] == node["waitingFor"]
    assert one == graph["messageStatus"]["waitingFor"]
    return one


async def shown_record(person: Any) -> Any:
    """Returns why the only message of a project waits, as three places say."""
    (row,) = (await person.rest("GET", "/message/list")).json()["items"]
    one = (await person.rest("GET", f"/message/{row['uuid']}")).json()
    (node,) = (await person.data(RECORDS))["messageRecords"]["nodes"]
    assert row["waitingFor"] == one["waitingFor"] == node["waitingFor"]
    return row["waitingFor"]


async def test_a_message_that_waits_for_a_worker_alone_has_no_reason(gateway: Gateway, ada: Any) -> None:
    """It is what POST has answered."""
    id = await gateway.send(ada)
    assert await shown(ada, id) is None
    await gateway.set("state = 'sending', handed_at = now()")
    assert await shown(ada, id) is None


@pytest.mark.parametrize("state", ["unknown", "failed", "sent", "delivered"])
async def test_nothing_but_a_queued_message_waits(gateway: Gateway, ada: Any, state: str) -> None:
    id = await gateway.reached(ada)
    if state == "failed":
        await gateway.set("price = 0")
        await gateway.db.fetchval("DELETE FROM ledger_entries WHERE kind = 'charge'")
        await gateway.db.fetchval(
            "UPDATE accounts SET balance = (SELECT sum(amount) FROM ledger_entries WHERE account_id = accounts.id)"
        )
    if state == "unknown":
        await gateway.db.fetchval("DELETE FROM moves")
        await gateway.db.fetchval("ALTER TABLE messages DISABLE TRIGGER moved")
    await gateway.set(f"state = '{state}'")
    assert await shown(ada, id) is None


async def test_a_message_waits_for_a_route_that_does_not_answer(gateway: Gateway, ada: Any) -> None:
    """Also one that no worker has looked at since the breaker opened: it has no failure code."""
    use(gateway.services, Fake(), kind="sms")
    id = await gateway.send(ada)
    await opened(gateway.services, "sms-1")
    seen = await shown(ada, id)
    assert (seen["code"], seen["until"]) == ("route", None)
    assert "provider is not answering" in seen["reason"] and "sms-1" not in seen["reason"]
    use(gateway.services, Fake(), Fake(), kind="sms")
    assert await shown(ada, id) is None  # the other route takes it


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        ("route_open", "route"),
        ("route_off", "route"),
        ("no_route", "route"),
        ("throttled", "rate"),
        ("route_busy", "rate"),
        ("timeout", "retry"),
    ],
)
async def test_what_a_worker_has_found_out_is_the_reason(
    gateway: Gateway, ada: Any, failure: str, code: str
) -> None:
    id = await gateway.send(ada)
    await gateway.set(
        f"failure_code = '{failure}', failure_reason = 'It is so.', due_at = now() + interval '1 min'"
    )
    seen = await shown(ada, id)
    assert seen["code"] == code and "It is so." in seen["reason"] and seen["until"]


async def test_a_failed_attempt_says_why_and_when_it_is_tried_again(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    use(
        gateway.services, Fake(lambda _: Outcome(Result.transient, code="busy", reason="All lines are busy."))
    )
    id = await gateway.send(ada, channel="email")
    await drain("email")
    seen = await shown(ada, id)
    assert (seen["code"], seen["reason"]) == ("retry", "An attempt failed (busy): All lines are busy.")
    assert seen["until"] > (await gateway.row(id))["created_at"].isoformat()


async def test_a_message_that_may_have_gone_out_waits_for_the_answer(
    gateway: Gateway, ada: Any, drain: Any
) -> None:
    silent = Outcome(Result.unknown, code="timeout", reason="no answer")
    use(gateway.services, Fake(lambda _: silent, idempotent=True))
    id = await gateway.send(ada, channel="email")
    await drain("email")
    assert await gateway.state(id) == "queued"
    assert (await shown(ada, id))["code"] == "answer"


# messages of projects


async def project(projects: Any, ada: Any, **fields: Any) -> UUID:
    id = await projects.make(ada, ["u@example.com"], **fields)
    await projects.step()
    return id


async def test_a_message_of_a_project_waits_for_a_worker_or_its_rate(services, projects, ada) -> None:
    id = await project(projects, ada)
    assert await shown_record(ada) is None
    await services.db.fetchval("UPDATE sending_projects SET speed = '{\"perMinute\": 30}' WHERE id = $1", id)
    seen = await shown_record(ada)
    assert (seen["code"], seen["reason"]) == ("rate", "Its project sends at most 30 messages a minute.")


@pytest.mark.parametrize(
    ("status", "reason", "code"),
    [
        ("paused", PauseReason.balance_used_up, "money"),
        ("paused", PauseReason.tariff_used_up, "rate"),
        ("paused", PauseReason.no_sender_online, "account"),
        ("paused", PauseReason.provider_refuses_credentials, "route"),
        ("paused", PauseReason.owner_suspended, "project"),
        ("running", PauseReason.window_closed, "window"),
        ("stopped", None, "project"),
    ],
)
async def test_a_message_waits_with_its_project(services, projects, ada, status, reason, code) -> None:
    id = await project(projects, ada)
    await services.db.fetchval(
        "UPDATE sending_projects SET status = $2, status_reason = $3, resume_at = now() + interval '1 hour'"
        " WHERE id = $1", id, status, reason,
    )  # fmt: skip
    seen = await shown_record(ada)
    assert seen["code"] == code and seen["until"]
    assert status in seen["reason"] and (reason is None or reason.description in seen["reason"])


async def test_a_message_waits_for_the_window_of_its_recipient(services, projects, ada) -> None:
    await project(projects, ada)
    await services.db.fetchval(
        "UPDATE sending_units SET for_window = true, due_at = now() + interval '8 hours'"
    )
    seen = await shown_record(ada)
    assert seen["code"] == "window" and seen["until"]


async def test_a_message_of_a_project_waits_for_a_route_or_a_cap(services, projects, ada) -> None:
    use(services, Fake())
    await project(projects, ada)
    await opened(services, "email-1")
    assert (await shown_record(ada))["code"] == "route"
    await services.db.fetchval(
        "UPDATE message_records SET failure_code = 'country_limited', failure_reason = 'It waits for the cap.'"
    )
    assert (await shown_record(ada))["code"] == "rate"


async def test_a_message_through_accounts_waits_for_one_that_answers(services, projects, ada) -> None:
    from tests.sending_projects.engine.test_senders import sender

    one = await sender(projects, ada)
    await projects.make(ada, ["+14155550100"], channel="telegram", account_uuids=[one])
    await projects.step()
    await services.db.fetchval("UPDATE source_accounts SET status = 'disconnected'")
    assert (await shown_record(ada))["code"] == "account"


async def test_a_page_costs_a_read_or_two(gateway: Gateway, services, projects, ada, monkeypatch) -> None:
    for _ in range(5):
        await gateway.send(ada)
    await projects.make(ada, [f"u{n}@example.com" for n in range(5)])
    await projects.step()
    reads: list[str] = []
    fetch = services.db.fetch

    async def counted(sql: str, *arguments: Any) -> Any:
        if "route_breakers" in sql or "sending_units" in sql:
            reads.append(sql)
        return await fetch(sql, *arguments)

    monkeypatch.setattr(services.db, "fetch", counted)
    await ada.rest("GET", "/messages")
    assert len(reads) == 1
    await ada.data(GRAPH)
    assert len(reads) == 2
    await ada.rest("GET", "/message/list")
    await ada.data(RECORDS)
    assert len(reads) == 6  # the breakers, and the projects of all messages
    await gateway.db.fetchval("ALTER TABLE messages DISABLE TRIGGER moved")
    await gateway.set("state = 'sent', handed_at = now()")
    await ada.rest("GET", "/messages")
    assert len(reads) == 6
