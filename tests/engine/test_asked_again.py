"""Messages whose outcome is uncertain are asked for until it is known, and messages that waited too long are not
sent.
"""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from channels.port import Outcome, Receipt, Result
from engine.reports.report_writer import receive_receipts as receive
from engine.sending import judge
from runtime.breakers import THRESHOLD
from tests.engine.test_breakers import SILENT
from tests.support.fake_channels import Fake, use
from tests.support.gateway import Gateway


async def test_an_uncertain_message_is_asked_for_until_it_is_known(
    gateway: Gateway, ada: Any, drain: Any, monkeypatch: Any
) -> None:
    """The provider honours the key: more than one more question, each under the same key."""
    monkeypatch.setattr(judge, "_FIRST_AGAIN", timedelta())
    outcomes = [SILENT] * 5
    fake = Fake(
        lambda _: outcomes.pop() if outcomes else Outcome(Result.sent, "p1"), idempotent=True, batch=1
    )
    use(gateway.services, fake, breakers=True)
    id = await gateway.send(ada, "u@example.com", channel="email")
    await drain("email")
    first = await gateway.row(id)
    assert (first["state"], first["failure_code"]) == ("queued", "timeout")
    assert first["handed_at"] is not None
    for _ in range(10):
        await gateway.db.fetchval("UPDATE route_breakers SET probe_at = now()")
        await gateway.services.breakers.refresh()
        await gateway.db.fetchval("UPDATE messages SET due_at = now()")
        await drain("email")
    row = await gateway.row(id)
    assert (row["state"], row["attempts"], row["provider_message_id"]) == ("sent", 0, "p1")
    assert {message.key for message in fake.took} == {f"{id}.0"}
    assert row["handed_at"] == first["handed_at"]


async def test_it_is_asked_for_during_a_day(gateway: Gateway, ada: Any, drain: Any) -> None:
    fake = Fake(lambda _: SILENT, idempotent=True)
    use(gateway.services, fake, breakers=True)
    id = await gateway.send(ada, "u@example.com", channel="email")
    await drain("email")
    await gateway.db.fetchval(
        "UPDATE messages SET handed_at = handed_at - interval '25 hours', due_at = now()"
    )
    before = len(fake.took)
    await drain("email")
    row = await gateway.row(id)
    assert (row["state"], row["failure_code"]) == ("unknown", "timeout")
    assert len(fake.took) == before


async def test_a_report_settles_what_waits_to_be_asked_for(gateway: Gateway, ada: Any, drain: Any) -> None:
    fake = Fake(lambda _: Outcome(Result.unknown, "p7", "timeout"), idempotent=True)
    use(gateway.services, fake, breakers=True)
    id = await gateway.send(ada, "u@example.com", channel="email")
    await drain("email")
    assert (await gateway.row(id))["state"] == "queued"
    async with gateway.db.reading() as db:
        assert (await receive(db, "fake", [Receipt("p7", Result.delivered)])).changed == 1
    assert (await gateway.row(id))["state"] == "delivered"
    before = len(fake.took)
    await gateway.db.fetchval("UPDATE messages SET due_at = now()")
    await drain("email")
    assert len(fake.took) == before


async def test_what_is_not_handed_over_in_time_fails_and_is_refunded(
    gateway: Gateway, ada: Any, drain: Any, dispatcher: Any
) -> None:
    use(gateway.services, Fake(lambda _: SILENT, batch=1), breakers=True)
    for n in range(THRESHOLD):
        await gateway.send(ada, f"u{n}@example.com", channel="email")
    await drain("email")  # its breaker is open now
    balance = "SELECT balance FROM accounts WHERE id = $1"
    before = await gateway.db.fetchval(balance, ada.account_id)
    body = {"to": "late@example.com", "channel": "email", "body": "code 1", "validSeconds": 30}
    answer = await ada.rest("POST", "/messages", json=body)
    assert answer.status_code == 202, answer.text
    late = UUID(answer.json()["id"])
    sent = await gateway.send(ada, "kept@example.com", channel="email")
    await gateway.db.fetchval(
        "UPDATE messages SET expires_at = now(), created_at = now() - interval '30 seconds'"
        " WHERE expires_at IS NOT NULL"
    )
    await dispatcher.expire()
    row = await gateway.row(late)
    assert (row["state"], row["failure_code"]) == ("failed", "expired")
    assert "30 seconds" in row["failure_reason"]
    assert (await gateway.row(sent))["state"] == "queued"
    assert await gateway.db.fetchval(balance, ada.account_id) == before - (await gateway.row(sent))["price"]
    await gateway.db.fetchval(
        "UPDATE messages SET created_at = created_at - interval '25 hours', due_at = due_at - interval '25 hours'"
    )
    await dispatcher.expire()
    assert (await gateway.row(sent))["failure_code"] == "expired"
    assert await gateway.db.fetchval(balance, ada.account_id) == before


@pytest.mark.parametrize("seconds", [29, 86_401, 0, -1, "x"])
async def test_how_long_it_may_be_said_to_wait(seconds, ada):
    body = {"to": "u@example.com", "channel": "email", "body": "x", "validSeconds": seconds}
    assert (await ada.rest("POST", "/messages", json=body)).status_code == 400


async def test_what_waited_too_long_within_its_batch_is_not_handed_over(gateway, ada, drain, dispatcher):
    class Slow(Fake):
        async def send(self, batch):
            await asyncio.sleep(0.5)
            return await super().send(batch)

    fake = Slow(batch=1)
    use(gateway.services, fake)
    for n in range(5):
        await gateway.send(ada, f"u{n}@example.com", channel="email")
    await gateway.db.fetchval("UPDATE messages SET expires_at = now() + interval '0.8 second'")
    await drain("email")
    rows = await gateway.db.fetch("SELECT state, handed_at > expires_at AS late FROM messages")
    assert not any(r["late"] for r in rows)
