"""Readers see each field of a message as it was in the row, although the triggers leave most of them out."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from core.ids import uuid7
from engine.feed import event_feed
from engine.webhooks.feed import plain
from runtime.services import Services
from shapes.event_feed import Event
from tests.event_feed.test_event_feed import opened
from tests.support.feeds import ALL_EVENTS
from tests.support.people import Person

# All fields as the row has them, as releases before event data was made smaller stored them.
_OF_MESSAGE = """
SELECT jsonb_build_object('uuid', c.id, 'accountId', c.account_id, 'direction', c.direction, 'channel', c.channel,
  'status', c.status,
  'deliveryState', CASE WHEN c.state = 'queued' AND c.send_at > now() THEN 'scheduled' ELSE c.state END,
  'to', c."to", 'sender', c.sender, 'sendAt', postern_utc(c.send_at),
  'price', CASE WHEN c.state IN ('failed', 'canceled') AND c.reported_by IS NULL THEN 0 ELSE c.price END,
  'failureCode', c.failure_code, 'failureReason', c.failure_reason, 'attempts', c.attempts,
  'providerMessageId', c.provider_message_id, 'category', c.category, 'trial', c.trial,
  'createdAt', postern_utc(c.created_at), 'sentAt', postern_utc(c.sent_at),
  'deliveredAt', postern_utc(c.delivered_at), 'bouncedAt', postern_utc(c.bounced_at),
  'complainedAt', postern_utc(c.complained_at), 'updatedAt', postern_utc(c.updated_at),
  'body', CASE WHEN c.direction = 'inbound' THEN c.body END) FROM messages AS c WHERE id = $1
"""
_OF_RECORD = """
SELECT jsonb_build_object('uuid', c.id, 'sendingProjectUuid', c.project_id, 'recipientUuid', c.recipient_id,
  'accountUuid', c.account_uuid, 'channel', c.channel, 'direction', c.direction, 'to', c."to", 'status', c.status,
  'variant', c.variant, 'failureCode', c.failure_code, 'failureReason', c.failure_reason, 'attempts', c.attempts,
  'providerMessageId', CASE WHEN c.sent_at IS NOT NULL THEN COALESCE(c.provider_message_id, c.id::text) END,
  'price', c.price, 'queuedAt', postern_utc(c.queued_at), 'sentAt', postern_utc(c.sent_at),
  'deliveredAt', postern_utc(c.delivered_at), 'readAt', postern_utc(c.read_at),
  'repliedAt', postern_utc(c.replied_at), 'bouncedAt', postern_utc(c.bounced_at),
  'complainedAt', postern_utc(c.complained_at), 'updatedAt', postern_utc(c.updated_at),
  'body', CASE WHEN c.direction = 'inbound' THEN c.body END) FROM message_records AS c WHERE id = $1
"""
_NEWEST = f"SELECT * FROM {ALL_EVENTS} WHERE subject_id = $1 ORDER BY position DESC LIMIT 1"
_VALUES: dict[str, list[str]] = {
    "direction": ["'outbound'", "'inbound'"],
    "channel": ["'sms'", "'email'"],
    '"to"': ["'+14155550100'", "''"],
    "body": ["'Hello'"],
    "price": ["0", "0.010000", "1.5"],
    "failure_code": ["NULL", "'expired'", "''"],
    "failure_reason": ["NULL", "'Too late'"],
    "attempts": ["0", "3"],
    "provider_message_id": ["NULL", "'SM1'", "''"],
    "sent_at": ["NULL", "now()", "now() - interval '1 second'"],
    "delivered_at": ["NULL", "now()"],
    "bounced_at": ["NULL", "now()"],
    "complained_at": ["NULL", "now()"],
    "updated_at": ["now()", "now() - interval '1 day'"],
}
_OF_MESSAGES = {
    "sender": ["NULL", "'+14155550101'"],
    "send_at": ["NULL", "now() + interval '1 day'"],
    "category": ["'transactional'", "'promotional'"],
    "trial": ["false", "true"],
    "created_at": ["now()", "'2026-01-02 03:04:05+00'"],
}
_OF_RECORDS = {
    "recipient_id": ["NULL", "gen_random_uuid()"],
    "account_uuid": ["NULL", "gen_random_uuid()"],
    "variant": ["NULL", "0", "2"],
    "queued_at": ["now()", "'2026-01-02 03:04:05+00'"],
    "read_at": ["NULL", "now()"],
    "replied_at": ["NULL", "now()"],
}
SEEDS = range(40)


@pytest.fixture
async def feed(services: Services, ada: Person) -> Services:
    await opened(ada)
    return services


async def newest(services: Services, owner_id: UUID, id: UUID) -> dict[str, Any]:
    await event_feed.newest(services.db, owner_id)
    row = await services.db.fetchrow(_NEWEST, id)
    assert row is not None
    data = event_feed.event_of(row, 1).data
    assert isinstance(data, dict)
    return data


async def test_messages(feed: Services, ada: Person) -> None:
    for seed in SEEDS:
        chosen = random.Random(seed)
        values = {name: chosen.choice(options) for name, options in {**_VALUES, **_OF_MESSAGES}.items()}
        id = uuid7()
        await feed.db.fetch(
            f"INSERT INTO messages (id, owner_id, account_id, {', '.join(values)})"
            f" VALUES ($1, $2, $3, {', '.join(values.values())})", id, ada.id, ada.account_id,
        )  # fmt: skip
        assert await newest(feed, ada.id, id) == await feed.db.fetchval(_OF_MESSAGE, id), values
        for state in ("sending", "unknown", "sent", "delivered"):
            await feed.db.fetch("UPDATE messages SET state = $2, updated_at = now() WHERE id = $1", id, state)
            if state != "sending":
                assert await newest(feed, ada.id, id) == await feed.db.fetchval(_OF_MESSAGE, id), (
                    state,
                    values,
                )


async def test_a_scheduled_message_says_so(feed: Services, ada: Person) -> None:
    at = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    steps = [
        {"channel": "sms", "to": "+14155550100", "within": 60},
        {"channel": "email", "to": "a@example.com"},
    ]
    for body in ({"to": "+14155550100", "channel": "sms", "body": "hi"}, {"body": "hi", "chain": steps}):
        sent = (await ada.rest("POST", "/messages", json={**body, "sendAt": at})).json()
        assert sent["deliveryState"] == "scheduled"
        data = await newest(feed, ada.id, UUID(sent["id"]))
        assert (data["deliveryState"], data["status"]) == ("scheduled", "queued")
        shown = (await ada.rest("GET", f"/messages/{sent['id']}")).json()
        assert [step["deliveryState"] for step in shown["steps"] or ()] in ([], ["scheduled", None])


async def test_messages_of_projects(feed: Services, ada: Person) -> None:
    for seed in SEEDS:
        chosen = random.Random(seed)
        values = {name: chosen.choice(options) for name, options in {**_VALUES, **_OF_RECORDS}.items()}
        id = uuid7()
        await feed.db.fetch(
            f"INSERT INTO message_records (id, project_id, owner_id, {', '.join(values)})"
            f" VALUES ($1, $2, $3, {', '.join(values.values())})", id, uuid7(), ada.id,
        )  # fmt: skip
        assert await newest(feed, ada.id, id) == await feed.db.fetchval(_OF_RECORD, id), values
        for status in ("unknown", "sent", "delivered", "read"):
            await feed.db.fetch("UPDATE message_records SET status = $2 WHERE id = $1", id, status)
            assert await newest(feed, ada.id, id) == await feed.db.fetchval(_OF_RECORD, id), (status, values)


async def test_events_from_before_stay_as_they_are(feed: Services, ada: Person) -> None:
    id = uuid7()
    await feed.db.fetch(
        'INSERT INTO messages (id, owner_id, account_id, direction, channel, "to", body)'
        " VALUES ($1, $2, $3, 'outbound', 'sms', '+14155550100', 'Hello')", id, ada.id, ada.account_id,
    )  # fmt: skip
    await feed.db.fetch("DELETE FROM event_inbox")
    before = await feed.db.fetchval(_OF_MESSAGE, id)
    before |= {"createdAt": "2026-01-02T03:04:05.000006Z", "status": "failed", "trial": True}
    await feed.db.fetch(
        "INSERT INTO event_inbox (owner_id, type, subject, subject_id, account_id, data)"
        " VALUES ($1, 'message.queued', 'message', $2, $3, $4)", ada.id, id, ada.account_id, before,
    )  # fmt: skip
    assert await newest(feed, ada.id, id) == before


@pytest.mark.parametrize("at", ["2026-01-02T03:04:05+00:00", "2026-01-02T03:04:05.000120+00:00"])
@pytest.mark.parametrize("project", [None, uuid7()])
def test_a_body_is_what_pydantic_writes(at: str, project: UUID | None):
    event = Event(
        id=uuid7(),
        cursor="c",
        type="message.sent",
        at=datetime.fromisoformat(at),
        subject="message",
        subject_id=uuid7(),
        sending_project_uuid=project,
        account_id=None,
        data={"price": 1.5, "to": "\u00fc", "none": None, "list": [1]},
    )
    assert plain(event) == event.model_dump_json(by_alias=True).encode()
