"""Events of providers and engines without a time of their own get the database's, whatever our machine's clock says."""

from datetime import UTC, datetime, timedelta

import orjson
import pytest

from channels.port import Inbound, Receipt, Result
from core.outbound import retry_after
from engine.messengers import call_client, rpc_transport
from engine.messengers.outcomes import outcome_of
from engine.webhooks import endpoints, outbox
from engine.worker import receive_events
from messengers.port import Throttled
from tests.events.hooks import counts, post, secret, signed
from tests.support.hosts import account
from tests.support.records import PHONE, Records, records
from tests.support.shifted import shift

__all__ = ["records"]
WRONG = (1.0, -1.0)
MINUTE = timedelta(minutes=1)
EVENT = orjson.dumps({"event": "delivery", "providerMessageId": "SM1", "status": "sent"})


def _recent(moment):
    return abs(moment - datetime.now(UTC)) < MINUTE


async def _direct(ada, drain, services):
    """A direct message that has just been handed over, and its channel."""
    body = {"channel": "sms", "to": PHONE, "body": "Hello"}
    assert (await ada.rest("POST", "/messages", json=body)).status_code == 202
    await drain("sms")
    row = await services.db.fetchrow(
        "UPDATE messages SET state = 'sent', delivered_at = NULL RETURNING id, provider_message_id"
    )
    return row, services.routes.of("sms")[0]


@pytest.mark.parametrize("hours", WRONG)
async def test_a_report_about_a_direct_message(ada, drain, services, monkeypatch, hours):
    row, channel = await _direct(ada, drain, services)
    shift(monkeypatch, hours)
    await receive_events(services, channel, [Receipt(row["provider_message_id"], Result.delivered)])
    monkeypatch.undo()
    message = await services.db.fetchrow("SELECT state, delivered_at FROM messages")
    assert (message["state"], _recent(message["delivered_at"])) == ("delivered", True)


@pytest.mark.parametrize("hours", WRONG)
async def test_an_early_report_keeps_the_database_s_time(services, monkeypatch, hours):
    (channel,) = services.routes.of("sms")
    shift(monkeypatch, hours)
    await receive_events(services, channel, [Receipt("unknown-1", Result.delivered)])
    monkeypatch.undo()
    assert _recent(await services.db.fetchval("SELECT received_at FROM early_reports"))


@pytest.mark.parametrize("hours", WRONG)
async def test_a_report_about_a_project_s_message(ada, records: Records, services, monkeypatch, hours):
    id = await records.make(ada, "sent")
    shift(monkeypatch, hours)
    event = {"event": "delivery", "messageId": str(id), "status": "delivered"}
    assert await counts(ada, event) == (1, 0, 0)
    monkeypatch.undo()
    row = await records.row(id)
    assert (row["status"], _recent(row["delivered_at"])) == ("delivered", True)


@pytest.mark.parametrize("hours", WRONG)
async def test_a_reply_to_a_project(ada, records: Records, services, monkeypatch, hours):
    id = await records.make(ada, "sent")
    (channel,) = services.routes.of("sms")
    shift(monkeypatch, hours)
    await receive_events(services, channel, [Inbound(PHONE, "Acme", "Yes!", provider_message_id="in1")])
    monkeypatch.undo()
    (reply,) = await records.replies()
    assert _recent(reply["queued_at"])
    assert _recent((await records.row(id))["replied_at"])


@pytest.mark.parametrize("hours", WRONG)
async def test_a_reply_to_a_direct_message_by_hook(ada, drain, services, monkeypatch, hours):
    await _direct(ada, drain, services)
    shift(monkeypatch, hours)
    assert await counts(ada, {"event": "reply", "from": PHONE, "text": "Yes!"}) == (1, 0, 0)
    monkeypatch.undo()
    row = await services.db.fetchrow("SELECT sent_at FROM messages WHERE direction = 'inbound'")
    assert _recent(row["sent_at"])


@pytest.mark.parametrize("hours", WRONG)
async def test_a_change_of_a_sender(ada, services, monkeypatch, hours):
    made = await ada.rest("POST", "/account/create", json={"source": "telegram", "login": "l", "token": "t"})
    assert made.status_code == 201, made.text
    shift(monkeypatch, hours)
    body = orjson.dumps(
        {"engineUserUuid": str(ada.id), "event": "blocked", "source": "telegram", "login": "l"}
    )
    answer = await ada.rest("POST", "/webhook/user-channel", content=body)
    assert answer.status_code == 202, answer.text
    monkeypatch.undo()
    assert _recent(await services.db.fetchval("SELECT status_at FROM source_accounts"))


@pytest.mark.parametrize("hours", WRONG)
async def test_a_signed_hook_is_neither_old_nor_from_the_future(ada, monkeypatch, hours):
    mine = await secret(ada)
    headers = signed(mine, EVENT)
    shift(monkeypatch, hours)
    assert (await post(ada, EVENT, headers)).status_code == 202


async def test_a_webhook_says_when_by_the_database_s_time(ada, services, monkeypatch):
    id = await account(services, ada.id)
    async with services.db.reading() as db, db.transaction():
        await endpoints.save(db, services, id, "https://93.184.215.14/hook", [], None)
    shift(monkeypatch, 25)
    async with services.db.reading() as db, db.transaction():
        await outbox.put(db, id, [outbox.OutboxEvent("message", {"text": "Hello"}, "t1")])
    monkeypatch.undo()
    body = orjson.loads(await services.db.fetchval("SELECT body FROM webhook_deliveries"))
    assert _recent(datetime.fromisoformat(body["at"]))
    assert _recent(datetime.fromtimestamp(body["time"], UTC))


@pytest.mark.parametrize("hours", WRONG)
async def test_a_pause_lasts_as_long_wherever_it_was_told(monkeypatch, hours):
    """The process that holds an account says how long; the one that asked it has another clock."""
    packed = rpc_transport.pack_error(Throttled("Too fast.", until=datetime.now(UTC) + timedelta(seconds=90)))
    shift(monkeypatch, hours)
    limited = call_client.app_error(rpc_transport.unpack_error(packed))
    assert 88 <= int(limited.headers["Retry-After"]) <= 92
    assert 88 <= outcome_of(limited).retry_after <= 92


@pytest.mark.parametrize("hours", WRONG)
def test_a_provider_s_date_counts_from_its_own(monkeypatch, hours):
    shift(monkeypatch, hours)
    dates = "Sat, 21 Nov 2026 10:00:00 GMT", "Sat, 21 Nov 2026 10:01:30 GMT"
    assert retry_after(dates[1], dates[0]) == 90
