"""Tests why a project pauses, and that it goes on by itself when the cause is gone."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import UUID

import pytest

from channels.sandbox import box
from core.ids import uuid7
from engine.projects import batches, scheduler
from tests.support.people import Person
from tests.support.projects import Projects
from tests.support.rounds import run_round

ALL_DAYS = [1, 2, 3, 4, 5, 6, 7]


async def set_balance(projects: Projects, person: Person, amount: str) -> None:
    """Sets a balance through the ledger, as money moves."""
    async with projects.db.reading() as db, db.transaction():
        before = await db.fetchval("SELECT balance FROM accounts WHERE id = $1 FOR UPDATE", person.account_id)
        change = Decimal(amount) - before
        await db.execute("UPDATE accounts SET balance = $2 WHERE id = $1", person.account_id, Decimal(amount))
        await db.execute(
            "INSERT INTO ledger_entries (id, account_id, kind, amount, reference) VALUES ($1, $2, $3, $4, $1)",
            uuid7(), person.account_id, "credit" if change > 0 else "charge", change,
        )  # fmt: skip


async def paused(projects: Projects, project: UUID) -> str | None:
    row = await projects.row(project)
    return row["status_reason"] if row["status"] == "paused" else None


async def again(projects: Projects) -> None:
    await projects.hurry()
    await scheduler.resume_paused(projects.services)
    await projects.work()


async def test_money_for_ten_sends_exactly_ten(projects: Projects, ada: Person):
    await set_balance(projects, ada, "0.010")
    project = await projects.make(ada, [f"u{n}@example.com" for n in range(25)])
    await projects.work()
    assert await projects.states(project) == {"sent": 10, "queued": 15}
    assert await paused(projects, project) == "balance_used_up"
    await again(projects)
    assert await paused(projects, project) == "balance_used_up"
    await set_balance(projects, ada, "1")
    await again(projects)
    assert await projects.states(project) == {"sent": 25}
    assert (await projects.row(project))["status"] == "finished"
    await projects.sound(project)


async def test_the_tariff_s_day_is_kept_to_the_message(projects: Projects, ada: Person):
    await projects.db.fetchval("UPDATE tariffs SET messages_per_day = 7")
    project = await projects.make(ada, [f"u{n}@example.com" for n in range(20)])
    await projects.work()
    assert await projects.states(project) == {"sent": 7, "queued": 13}
    assert await paused(projects, project) == "tariff_used_up"
    await again(projects)
    assert await paused(projects, project) == "tariff_used_up"
    await projects.db.fetchval("UPDATE tariffs SET messages_per_day = 1000")
    await again(projects)
    assert await projects.states(project) == {"sent": 20}
    used = await projects.db.fetchval("SELECT sum(messages) FROM tariff_usage")
    assert used == 20
    await projects.sound(project)


async def sender(projects: Projects, person: Person, status: str = "connected") -> UUID:
    id = uuid7()
    await projects.db.fetchval(
        "INSERT INTO source_accounts (id, owner_id, source, login, name, status, token_hash, "
            "token_encrypted, token_hint)"
        " VALUES ($1, $2, 'telegram', $3, 'x', $4, $5, '', '')",
        id, person.id, str(id), status, id.bytes,
    )  # fmt: skip
    return id


async def test_without_a_sender_it_waits_for_one(projects: Projects, ada: Person):
    first, second = await sender(projects, ada, "disconnected"), await sender(projects, ada, "blocked")
    project = await projects.make(
        ada, [f"+1415555{n:04}" for n in range(10)], channel="telegram", account_uuids=[first, second]
    )
    await projects.work()
    assert await paused(projects, project) == "no_sender_online"
    await again(projects)
    assert await paused(projects, project) == "no_sender_online"
    await projects.db.fetchval("UPDATE source_accounts SET status = 'connected' WHERE id = $1", first)
    await again(projects)
    assert await projects.states(project) == {"sent": 10}
    assert {row["account_uuid"] for row in await projects.records(project)} == {first}


async def test_senders_share_the_work_each_at_its_own_rate(projects: Projects, ada: Person):
    senders = [await sender(projects, ada) for _ in range(3)]
    project = await projects.make(
        ada, [f"+1415555{n:04}" for n in range(30)], channel="telegram", account_uuids=senders,
        speed={"perAccountPerMinute": 200},
    )  # fmt: skip
    await projects.step()
    await projects.step()
    used = [row["account_uuid"] for row in await projects.records(project) if row["account_uuid"]]
    assert set(used) == set(senders)
    # 200 a minute let 2 go at once (a hundredth), then one every 0.3 s while the visit lasts.
    assert all(2 <= used.count(sender) <= 12 for sender in senders)


async def test_a_suspended_owner_sends_nothing(projects: Projects, ada: Person):
    project = await projects.make(ada, ["a@example.com"])
    await projects.step()
    await projects.db.fetchval("UPDATE users SET status = 'suspended' WHERE id = $1", ada.id)
    await projects.work()
    assert await paused(projects, project) == "owner_suspended"
    await again(projects)
    assert await projects.states(project) == {"queued": 1}
    await projects.db.fetchval("UPDATE users SET status = 'active' WHERE id = $1", ada.id)
    await again(projects)
    assert await projects.states(project) == {"sent": 1}


async def test_outside_its_window_it_waits(projects: Projects, ada: Person):
    later = datetime.now(UTC) + timedelta(hours=3)
    window = {
        "timezone": "UTC", "days": ALL_DAYS, "from": f"{later:%H}:00",
        "to": f"{(later + timedelta(hours=2)):%H}:00", "recipientTimezone": False,
    }  # fmt: skip
    project = await projects.make(ada, ["a@example.com", "b@example.com"], window=window)
    await projects.work()
    assert await projects.states(project) == {"queued": 2}
    (unit,) = await projects.db.fetch("SELECT due_at, claim_id FROM sending_units")
    assert unit["due_at"].strftime("%H:%M") == window["from"]
    assert unit["claim_id"] is None
    assert (await projects.row(project))["status"] == "running"
    assert await projects.db.fetchval("SELECT count(*) FROM ledger_entries WHERE kind = 'charge'") == 0
    # A visit at that time is in the line already.
    assert (
        await projects.db.fetchval("SELECT count(*) FROM pgqueuer WHERE entrypoint = 'projects.visit'") >= 1
    )


@pytest.mark.settings(channel_sms="post://127.0.0.1:9/x?scheme=http")
async def test_a_provider_that_is_away_is_tried_again_later(projects: Projects, ada: Person):
    project = await projects.make(
        ada, ["+14155550100"], channel="sms", retry={"maxAttempts": 2, "backoffSeconds": 60}
    )
    await projects.work()
    (record,) = await projects.records(project)
    assert (record["status"], record["attempts"], record["failure_code"]) == ("queued", 1, "connect_failed")
    assert record["price"] == 0
    await projects.hurry()
    await projects.work()
    (record,) = await projects.records(project)
    assert (record["status"], record["attempts"]) == ("failed", 2)
    await projects.sound(project)
    assert await projects.db.fetchval("SELECT balance FROM accounts WHERE id = $1", ada.account_id) == 100


async def test_a_stop_leaves_the_rest_queued_and_a_start_goes_on(projects: Projects, ada: Person):
    box().outbox.clear()
    project = await projects.make(ada, [f"u{n}@example.com" for n in range(1000)], speed={"perMinute": 600})
    await projects.step()
    await projects.step()  # one visit
    await projects.db.fetchval("UPDATE sending_projects SET status = 'stopped' WHERE id = $1", project)
    states = await projects.states(project)
    assert states["sent"] > 0
    await projects.hurry()
    await projects.work()
    assert await projects.states(project) == states
    await projects.db.fetchval(
        "UPDATE sending_projects SET status = 'running', preparation = 'freeze', speed = '{}' WHERE id = $1",
        project,
    )
    await run_round(projects.services, "wake_prepare")
    await projects.hurry()
    await projects.work()
    assert await projects.states(project) == {"sent": 1000}
    assert len({accepted.message.to for accepted in box().outbox}) == len(box().outbox) == 1000
    await projects.sound(project)


def _closed_window() -> dict[str, object]:
    later = datetime.now(UTC) + timedelta(hours=3)
    return {
        "timezone": "UTC", "days": ALL_DAYS, "from": f"{later:%H}:00",
        "to": f"{(later + timedelta(hours=2)):%H}:00", "recipientTimezone": False,
    }  # fmt: skip


_ALWAYS = {"timezone": "UTC", "days": ALL_DAYS, "from": "00:00", "to": "24:00", "recipientTimezone": False}


@pytest.mark.parametrize("how", ["at once", "after a stop", "no window"])
async def test_a_window_that_is_changed_frees_what_the_old_one_put_off(
    projects: Projects, ada: Person, how: str
):
    project = await projects.make(ada, ["a@example.com", "b@example.com"], window=_closed_window())
    await projects.work()
    assert await projects.states(project) == {"queued": 2}
    if how == "after a stop":
        await ada.rest("POST", f"/sending-project/stop/{project}")
    window = None if how == "no window" else _ALWAYS
    changed = await ada.rest("PATCH", f"/sending-project/{project}", json={"window": window})
    assert changed.status_code == 200, changed.text
    if how == "after a stop":
        await ada.rest("POST", f"/sending-project/start/{project}")
    await projects.work()
    assert await projects.states(project) == {"sent": 2}


async def test_a_retry_s_pause_is_not_cut_short_by_a_change_of_the_window(projects: Projects, ada: Person):
    project = await projects.make(ada, ["flaky@sandbox.postern.test"])
    await projects.work()
    before = await projects.db.fetch("SELECT due_at FROM sending_units WHERE due_at > now()")
    await ada.rest("PATCH", f"/sending-project/{project}", json={"window": _ALWAYS})
    assert await projects.db.fetch("SELECT due_at FROM sending_units WHERE due_at > now()") == before


async def test_what_is_put_off_while_the_window_changes_is_not_put_off(projects: Projects, ada: Person):
    """The cycle has read the old window; when it writes, the new one counts."""
    project = await projects.make(ada, ["a@example.com"], window=_closed_window())
    store_unsent = batches.store_unsent

    async def late(*arguments):
        monkey.undo()
        answer = await ada.rest("PATCH", f"/sending-project/{project}", json={"window": _ALWAYS})
        assert answer.status_code == 200
        await store_unsent(*arguments)

    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr(batches, "store_unsent", late)
        await projects.work()
    await projects.work()
    assert await projects.states(project) == {"sent": 1}


async def test_a_project_that_waits_for_its_window_says_so(projects: Projects, ada: Person):
    project = await projects.make(ada, ["a@example.com", "b@example.com"], window=_closed_window())
    await projects.work()
    shown = (await ada.rest("GET", f"/sending-project/{project}")).json()
    assert (shown["status"], shown["statusReason"]) == ("running", "window_closed")
    (unit,) = await projects.db.fetch("SELECT due_at FROM sending_units")
    assert datetime.fromisoformat(shown["resumeAt"]) == unit["due_at"]
    query = "query($id:ID!){sendingProject(id:$id){statusReason resumeAt progress{etaSeconds endsAt}}}"
    graph = (await ada.data(query, {"id": str(project)}))["sendingProject"]
    until = (unit["due_at"] - datetime.now(UTC)).total_seconds()
    assert until - 5 < graph["progress"]["etaSeconds"] < until + 60
    (queued,) = (await ada.rest("GET", "/queue/statistics")).json()["projects"]
    assert abs(queued["etaSeconds"] - graph["progress"]["etaSeconds"]) < 5

    await ada.rest("PATCH", f"/sending-project/{project}", json={"window": _ALWAYS})
    shown = (await ada.rest("GET", f"/sending-project/{project}")).json()
    assert (shown["statusReason"], shown["resumeAt"]) == (None, None)
    await projects.work()
    assert await projects.states(project) == {"sent": 2}


async def test_one_open_window_is_enough_and_the_earliest_opening_counts(projects: Projects, ada: Person):
    """The window counts in the recipients' own zones: one can be written to now, the others in some hours."""
    now = datetime.now(UTC)
    begin, end = (now + timedelta(hours=hours) for hours in (-1, 1))
    window = {"days": ALL_DAYS, "from": f"{begin:%H:%M}", "to": f"{end:%H:%M}", "recipientTimezone": True}
    zones = {"a@example.com": "Etc/UTC", "b@example.com": "Etc/GMT+5", "c@example.com": "Etc/GMT+8"}
    people = [{"address": address, "timezone": zone} for address, zone in zones.items()]
    project = await projects.make(ada, people, window=window)
    await projects.work()
    assert await projects.states(project) == {"sent": 1, "queued": 2}
    row = await projects.row(project)
    assert row["status_reason"] == "window_closed"
    assert abs((row["resume_at"] - (begin + timedelta(hours=5))).total_seconds()) < 90


async def test_a_project_that_ends_while_its_window_is_closed_has_no_reason_left(
    projects: Projects, ada: Person
):
    project = await projects.make(ada, ["a@example.com"], window=_closed_window())
    await projects.work()
    assert (await projects.row(project))["status_reason"] == "window_closed"
    await projects.db.fetchval("UPDATE message_records SET status = 'skipped'")
    await projects.hurry()
    await projects.work()
    row = await projects.row(project)
    assert (row["status"], row["status_reason"], row["resume_at"]) == ("finished", None, None)
