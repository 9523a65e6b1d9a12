"""Upkeep removes what is no longer needed and nothing else, and wakes due messages that have no job."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from core.ids import uuid7
from db.session import Database
from engine import upkeep
from engine.upkeep import prune, wake_channels
from tests.support.gateway import Gateway

STATES = ("queued", "sending", "unknown", "sent", "delivered", "failed", "canceled")


async def one_each(gateway: Gateway, person: Any, age: timedelta) -> dict[str, UUID]:
    ids = dict(zip(STATES, await gateway.queue(person, len(STATES), age=age), strict=True))
    await gateway.db.fetch("ALTER TABLE messages DISABLE TRIGGER moved")  # each gets its state at once
    for state, id in ids.items():
        await gateway.set(f"state = '{state}'", id)
    await gateway.db.fetch("ALTER TABLE messages ENABLE TRIGGER moved")
    for state in ("failed", "canceled"):
        await gateway.db.fetch(
            "WITH back AS (INSERT INTO ledger_entries (id, account_id, kind, amount, reference)"
            " SELECT $2, account_id, 'refund', price, id FROM messages WHERE id = $1 RETURNING account_id, amount)"
            " UPDATE accounts SET balance = balance + amount FROM back WHERE accounts.id = back.account_id",
            ids[state], uuid7(),
        )  # fmt: skip
    return ids


# Retention


async def test_old_messages_go_and_their_money_stays(gateway: Gateway, ada: Any) -> None:
    old = await one_each(gateway, ada, timedelta(days=30, seconds=1))
    young = await one_each(gateway, ada, timedelta(days=29, hours=23))
    ledger, balance = "ledger_entries", "SELECT balance FROM accounts WHERE id = $1"
    before = await gateway.count(ledger), await gateway.db.fetchval(balance, ada.account_id)
    await prune(gateway.db, None)
    assert await gateway.count("messages") == 2 * len(STATES)  # no retention, nothing goes
    await prune(gateway.db, 30)
    rows = await gateway.db.fetch("SELECT id FROM messages")
    # What is on its way stays, and what is charged and unsettled.
    assert {row["id"] for row in rows} == {
        old["queued"], old["sending"], old["unknown"], *young.values()
    }  # fmt: skip
    assert (await ada.rest("GET", f"/messages/{old['sent']}")).status_code == 404
    assert (await gateway.count(ledger), await gateway.db.fetchval(balance, ada.account_id)) == before
    assert (await ada.rest("GET", "/messages")).json()["meta"]["total"] == 3 + len(STATES)


async def test_it_goes_in_bites(gateway: Gateway, ada: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(upkeep, "BITE", 100)
    await gateway.queue(ada, 217, age=timedelta(days=31))
    await gateway.set("state = 'sending'")
    await gateway.set("state = 'sent'")
    await prune(gateway.db, 30)
    assert await gateway.count("messages") == 0
    await prune(gateway.db, 30)


async def test_a_table_that_cannot_be_pruned_keeps_no_other_waiting(
    gateway: Gateway, ada: Any, capsys: Any
) -> None:
    await gateway.queue(ada, 1, age=timedelta(days=31))
    await gateway.set("state = 'sending'")
    await gateway.set("state = 'sent'")
    await gateway.db.fetch("ALTER TABLE early_reports RENAME TO elsewhere")
    await prune(gateway.db, 30)
    assert await gateway.count("messages") == 0
    assert "can't prune" in capsys.readouterr().err


async def test_a_database_that_is_away_is_told_once(make_settings: Any, capsys: Any) -> None:
    settings = make_settings()
    away = Database("postgresql://postern@127.0.0.1:9/nowhere", settings.database, "postern")
    try:
        await prune(away, 30)
    finally:
        await away.close()
    assert capsys.readouterr().err.count("can't prune") == 1


# What else has served


async def test_idempotency_keys(gateway: Gateway, ada: Any) -> None:
    async def post(key: str, body: str) -> Any:
        content = {"to": "+14155550100", "channel": "sms", "body": body}
        answer = await ada.rest("POST", "/messages", json=content, headers={"Idempotency-Key": key})
        assert answer.status_code == 202
        return answer.json()["id"]

    old, new = await post("old", "a"), await post("new", "b")
    await gateway.db.fetch(
        "UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = 'old'"
    )
    await prune(gateway.db, None)
    rows = await gateway.db.fetch("SELECT key FROM idempotency_keys")
    assert [row["key"] for row in rows] == ["new"]
    assert await post("new", "b") == new
    assert await post("old", "another body") != old  # forgotten: a message of its own


async def test_refresh_tokens_and_the_sessions_that_have_none(gateway: Gateway, ada: Any) -> None:
    await gateway.db.fetch("DELETE FROM sessions")
    made = {name: uuid7() for name in ("ended", "alive", "begun")}
    for name, age in (("ended", "400 days"), ("alive", "400 days"), ("begun", "1 hour")):
        await gateway.db.fetch(
            f"INSERT INTO sessions (id, user_id, created_at) VALUES ($1, $2, now() - interval '{age}')",
            made[name], ada.id,
        )  # fmt: skip
    for name, expired in (("ended", "25 hours"), ("alive", "25 hours"), ("alive", "23 hours")):
        await gateway.db.fetch(
            "INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)"
            f" VALUES ($1, $2, $3, now() - interval '{expired}')",
            uuid7(), made[name], f"{name} {expired}".encode(),
        )  # fmt: skip
    await prune(gateway.db, None)
    tokens = await gateway.db.fetch("SELECT token_hash FROM refresh_tokens")
    assert [bytes(row["token_hash"]) for row in tokens] == [b"alive 23 hours"]
    sessions = await gateway.db.fetch("SELECT id FROM sessions")
    assert {row["id"] for row in sessions} == {made["alive"], made["begun"]}


async def test_the_job_engines_log(gateway: Gateway) -> None:
    for job, age in ((1, "25 hours"), (2, "23 hours")):
        await gateway.db.fetch(
            "INSERT INTO pgqueuer_log (created, job_id, status, entrypoint, priority)"
            f" VALUES (now() - interval '{age}', {job}, 'successful', 'x', 0)"
        )
    await prune(gateway.db, None)
    rows = await gateway.db.fetch("SELECT job_id FROM pgqueuer_log")
    assert [row["job_id"] for row in rows] == [2]


# Waking


JOBS = {
    "'queued', now()": False,
    "'picked', now()": True,
    "'queued', now() + interval '1 hour'": True,  # of another message, which has to wait
    "'failed', now()": True,
}


async def test_a_due_message_without_a_job(gateway: Gateway, ada: Any) -> None:
    await gateway.queue(ada, 1)
    await gateway.set("due_at = now() - interval '2 seconds'")
    ready = (
        "pgqueuer WHERE entrypoint = 'messages.drain.sms' AND status = 'queued'"
        " AND execute_after <= now() + interval '250 milliseconds'"
    )
    for _ in range(2):
        await wake_channels(gateway.db)
        assert await gateway.count(ready) == 1
    for job, woken in JOBS.items():
        await gateway.db.fetch("DELETE FROM pgqueuer")
        await gateway.db.fetch(
            "INSERT INTO pgqueuer (priority, entrypoint, status, execute_after)"
            f" VALUES (0, 'messages.drain.sms', {job})"
        )
        before = await gateway.count(ready)
        await wake_channels(gateway.db)
        assert await gateway.count(ready) - before == woken, job


async def test_only_what_is_due_is_woken(gateway: Gateway, ada: Any) -> None:
    waiting, sent = await gateway.queue(ada, 1), await gateway.queue(ada, 1)
    await gateway.set("due_at = now() + interval '1 minute'", *waiting)
    await gateway.set("state = 'sending'", *sent)
    await gateway.set("state = 'sent', due_at = now() - interval '1 minute'", *sent)
    await wake_channels(gateway.db)
    assert await gateway.count("pgqueuer") == 0
    await gateway.queue(ada, 1, "email")
    await gateway.set("due_at = now() - interval '1 minute'")
    await wake_channels(gateway.db)
    rows = await gateway.db.fetch("SELECT entrypoint FROM pgqueuer ORDER BY 1")
    assert [row["entrypoint"] for row in rows] == ["messages.drain.email", "messages.drain.sms"]
