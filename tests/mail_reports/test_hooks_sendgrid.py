"""SendGrid's Event Webhook: its signature, and the classes of its events."""

from typing import Any

import pytest

from channels import BadDsn, connect
from tests.mail_reports.made import mails
from tests.mail_reports.provider_calls import Call, SendGrid
from tests.mail_reports.providers import Provider, provider, settings
from tests.support.gateway import gateway
from tests.support.records import records

__all__ = ["gateway", "mails", "provider", "records", "settings"]

SIGNATURE, TIMESTAMP = (f"x-twilio-email-event-webhook-{name}" for name in ("signature", "timestamp"))


@pytest.fixture
def caller() -> SendGrid:
    return SendGrid()


EVENTS = [
    ("bounce", {"type": "bounce", "status": "5.1.1", "reason": "550 5.1.1 unknown"}, "hard"),
    ("bounce", {"type": "bounce", "status": "5.2.2", "reason": "552 5.2.2 full"}, "full"),
    ("bounce", {"type": "bounce", "status": "", "reason": "500 unknown recipient"}, "hard"),
    ("bounce", {"type": "blocked", "status": "5.7.1", "reason": "550 5.7.1 listed"}, "policy"),
    ("bounce", {"type": "blocked", "status": "5.1.1", "reason": "550 5.1.1 user unknown"}, "policy"),
    ("dropped", {"reason": "Bounced Address", "status": "5.0.0"}, "hard"),
    ("dropped", {"reason": "Invalid"}, "hard"),
    ("dropped", {"reason": "Unsubscribed Address"}, "policy"),
    ("dropped", {"reason": "Spam Reporting Address"}, "policy"),
    ("dropped", {"reason": "Recipient List over Package Quota"}, "policy"),
    ("dropped", {"reason": "Spam Content (if Spam Checker app is enabled)"}, "policy"),
    ("dropped", {"reason": "Spam Content"}, "content"),
]


@pytest.mark.parametrize(("kind", "fields", "klass"), EVENTS)
async def test_the_class_of_a_failure(provider: Provider, kind: str, fields: dict[str, Any], klass: str):
    id, token = await provider.message()
    assert await provider.reported(provider.caller.event(kind, token, **fields), id) == (
        "bounce",
        klass,
        "failed",
    )
    assert bool(await provider.mails.blocks()) is (klass == "hard")


async def test_a_deferral_is_stored_alone(provider: Provider):
    id, token = await provider.message()
    event = provider.caller.event("deferred", token, response="451 4.7.1 try later", attempt="5")
    assert await provider.reported(event, id) == ("delay", "policy", "sent")


async def test_events_of_many_messages_come_together(provider: Provider):
    made = [await provider.message() for _ in range(5)]
    events = [event for id, token in made for event in provider.caller.bounce(token, id)]
    strange = provider.caller.event("bounce", "x" * 38)
    await provider.report([*strange, *events, *provider.caller.event("delivered", made[0][1]), *events])
    assert await provider.count() == 5
    assert len(await provider.mails.refunds()) == 5


async def test_a_report_without_a_name_counts_once_too(provider: Provider):
    id, token = await provider.message()
    event = provider.caller.bounce(token, id)
    del event[0]["sg_event_id"]
    for _ in range(3):
        await provider.report(event)
    assert await provider.count() == 1


@pytest.mark.parametrize("name", [SIGNATURE, TIMESTAMP])
@pytest.mark.parametrize("value", ["", "x", "MEUCIQ==", "1", "-1", "9" * 400, "1e9", "²"])
async def test_any_header_is_no_fault(provider: Provider, name: str, value: str):
    id, token = await provider.message()
    call = provider.caller.call(provider.caller.bounce(token, id))
    headers = [
        (key.encode(), value.encode() if key == name else old.encode()) for key, old in call.headers.items()
    ]
    answer = await provider.client.post("/hooks/smtp/email", content=call.content, headers=headers)
    assert answer.status_code == 401
    await provider.nothing()


async def test_the_time_is_signed_too(provider: Provider):
    id, token = await provider.message()
    call = provider.caller.call(provider.caller.bounce(token, id))
    later = str(int(call.headers[TIMESTAMP]) + 1)
    await provider.refused(Call(call.content, {**call.headers, TIMESTAMP: later}))


@pytest.mark.parametrize("secret", ["", "x", "MFkw", "AAAA", "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"])
def test_the_secret_is_a_key_of_that_curve(secret: str):
    with pytest.raises(BadDsn, match="secret") as raised:
        connect("email", f"smtp://127.0.0.1?from=a@example.com&reports=sendgrid&secret={secret}")
    assert not secret or f"secret={secret}" not in str(raised.value)
