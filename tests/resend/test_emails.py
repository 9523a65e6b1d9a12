"""Emails through the door for Resend's clients: what is sent, and what is shown of it."""

import asyncio
import base64
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from typing import Any
from uuid import UUID, uuid4

import pytest

from runtime.services import Services
from tests.channels.peer_smtp import peer
from tests.channels.smtp.rig import opened
from tests.resend.client import EMAIL, agent, call, done, refused
from tests.support.fake_channels import use
from tests.support.people import Person

pytestmark = pytest.mark.settings(resend=True)

WHOLE = {
    **EMAIL,
    "to": ["Anna <anna@example.com>"],
    "html": "<p>Hi <b>Anna</b></p>",
    "reply_to": "help@ada.example",
    "headers": {"X-Entity-Ref-ID": "4711", "In-Reply-To": "<one@ada.example>"},
    "tags": [{"name": "category", "value": "welcome"}],
    "attachments": [
        {"filename": "a.txt", "content": base64.b64encode(b"hello").decode()},
        {"filename": "b.bin", "content": [0, 255], "content_type": "application/octet-stream"},
        {"filename": "c.bin", "content": {"type": "Buffer", "data": [1, 2]}},
    ],
}


def later(**span: float) -> str:
    return (datetime.now(UTC) + timedelta(**span)).isoformat()


async def count(services: Services) -> int:
    return int(await services.db.fetchval("SELECT count(*) FROM messages WHERE direction = 'outbound'"))


async def charged(services: Services) -> Any:
    return await services.db.fetchval("SELECT count(*) FROM ledger_entries WHERE kind = 'charge'")


async def mails(services: Services, drain: Any, sender: Person, *sent: dict[str, Any]) -> list[Message]:
    """Returns the emails that leave, of those that are sent through the door."""
    async with peer() as server, opened(server.dsn) as channel:
        use(services, channel)
        for each in sent:
            await done(sender, "POST", "/emails", each)
        await drain("email")
        return [message_from_bytes(raw) for raw in server.raw]


async def test_an_email_leaves_as_it_was_asked_for(sender: Person, services: Services, drain: Any):
    (mail,) = await mails(services, drain, sender, WHOLE)
    assert (mail["From"], mail["To"], mail["Subject"]) == (
        "Ada <news@ada.example>",
        "anna@example.com",
        "Hello",
    )
    assert (mail["Reply-To"], mail["X-Entity-Ref-ID"]) == ("help@ada.example", "4711")
    assert mail["In-Reply-To"] == "<one@ada.example>"
    parts = [
        (part.get_filename() or part.get_content_type(), part.get_payload(decode=True))
        for part in mail.walk()
    ]
    assert [(name, content.strip()) for name, content in parts if content is not None] == [
        ("text/plain", b"Hi Anna"),
        ("text/html", b"<p>Hi <b>Anna</b></p>"),
        ("a.txt", b"hello"),
        ("b.bin", b"\0\xff"),
        ("c.bin", b"\1\2"),
    ]


async def test_html_alone_gets_a_text_unless_it_is_declined(sender: Person, services: Services, drain: Any):
    html = {**EMAIL, "html": '<style>p{}</style><p>Hi</p><a href="https://ada.example/x">there</a>'}
    html.pop("text")
    (mail,) = await mails(services, drain, sender, html)
    parts = {part.get_content_type(): part.get_payload(decode=True) for part in mail.walk()}
    assert parts["text/plain"].split() == [b"Hi", b"there", b"(https://ada.example/x)"]
    declined = await done(sender, "POST", "/emails", {**html, "text": ""})
    assert (await done(sender, "GET", f"/emails/{declined['id']}"))["text"] is None


async def test_an_email_is_shown_and_listed(sender: Person, bob: Person, services: Services, drain: Any):
    id = (await done(sender, "POST", "/emails", WHOLE))["id"]
    shown = await done(sender, "GET", f"/emails/{id}")
    assert (shown["object"], shown["id"], shown["to"]) == ("email", id, ["anna@example.com"])
    assert (shown["from"], shown["subject"], shown["last_event"]) == (EMAIL["from"], "Hello", "queued")
    assert (shown["html"], shown["text"], shown["tags"]) == (WHOLE["html"], WHOLE["text"], WHOLE["tags"])
    assert (shown["reply_to"], shown["scheduled_at"]) == (["help@ada.example"], None)
    await drain("email")
    assert (await done(sender, "GET", f"/emails/{id}"))["last_event"] in ("sent", "delivered")
    more = [(await done(sender, "POST", "/emails", EMAIL))["id"] for _ in range(4)]
    await sender.rest("POST", "/messages", json={"to": "+14155550100", "channel": "sms", "body": "no email"})
    ids = [id, *more][::-1]
    page = await done(sender, "GET", "/emails?limit=2")
    assert (page["object"], page["has_more"], [each["id"] for each in page["data"]]) == (
        "list",
        True,
        ids[:2],
    )
    page = await done(sender, "GET", f"/emails?limit=3&after={ids[1]}")
    assert (page["has_more"], [each["id"] for each in page["data"]]) == (False, ids[2:])
    page = await done(sender, "GET", f"/emails?limit=2&before={ids[3]}")
    assert (page["has_more"], [each["id"] for each in page["data"]]) == (True, ids[1:3])
    assert (await done(bob, "GET", "/emails"))["data"] == []
    assert (await refused(bob, "GET", f"/emails/{id}"))[:2] == (404, "not_found")
    assert (await refused(bob, "POST", f"/emails/{id}/cancel"))[:2] == (404, "not_found")
    assert (await refused(bob, "PATCH", f"/emails/{id}", {"scheduled_at": later(hours=1)}))[:2] == (
        404,
        "not_found",
    )


async def test_what_is_no_email_is_not_found(sender: Person):
    sms = {"to": "+14155550100", "channel": "sms", "body": "no email"}
    id = (await sender.rest("POST", "/messages", json=sms)).json()["id"]
    for path in (f"/emails/{id}", f"/emails/{uuid4()}", "/emails/one"):
        assert (await refused(sender, "GET", path))[:2] == (404, "not_found")


async def test_a_scheduled_email_is_moved_and_canceled(sender: Person, services: Services, drain: Any):
    sent = {**EMAIL, "scheduled_at": later(days=2)}
    id = (await done(sender, "POST", "/emails", sent))["id"]
    assert (await done(sender, "GET", f"/emails/{id}"))["last_event"] == "scheduled"
    at = later(days=20)
    assert await done(sender, "PATCH", f"/emails/{id}", {"scheduled_at": at}) == {"object": "email", "id": id}
    shown = datetime.fromisoformat((await done(sender, "GET", f"/emails/{id}"))["scheduled_at"])
    assert abs(shown - datetime.fromisoformat(at)) < timedelta(milliseconds=2)
    ends = await services.db.fetchval("SELECT expires_at - send_at FROM messages WHERE id = $1", UUID(id))
    assert ends == timedelta(days=1)
    assert await done(sender, "POST", f"/emails/{id}/cancel") == {"object": "email", "id": id}
    assert (await done(sender, "GET", f"/emails/{id}"))["last_event"] == "canceled"
    assert (await refused(sender, "PATCH", f"/emails/{id}", {"scheduled_at": at}))[:2] == (
        422,
        "validation_error",
    )
    assert await drain("email") == 0
    balance = await services.db.fetchval(
        "SELECT sum(amount) FROM ledger_entries WHERE reference = $1", UUID(id)
    )
    assert balance == 0


async def test_an_email_that_is_moved_to_now_is_sent(sender: Person, services: Services, drain: Any):
    id = (await done(sender, "POST", "/emails", {**EMAIL, "scheduled_at": "in 1 hour"}))["id"]
    await done(sender, "PATCH", f"/emails/{id}", {"id": id, "scheduled_at": later(seconds=-1)})
    assert await drain("email") == 1
    assert (await refused(sender, "POST", f"/emails/{id}/cancel"))[:2] == (422, "validation_error")
    assert (await refused(sender, "PATCH", f"/emails/{id}", {"scheduled_at": later(hours=1)}))[0] == 422


async def test_moving_and_sending_at_once_has_one_winner(sender: Person, services: Services, drain: Any):
    for _ in range(5):
        id = (await done(sender, "POST", "/emails", {**EMAIL, "scheduled_at": later(minutes=1)}))["id"]
        soon = "UPDATE messages SET send_at = now() + $2, due_at = now() + $2 WHERE id = $1"
        await services.db.fetch(soon, UUID(id), timedelta(milliseconds=10))
        answer, sent = await asyncio.gather(
            call(sender, "PATCH", f"/emails/{id}", {"scheduled_at": later(hours=1)}), drain("email")
        )
        sent += await drain("email")
        assert (answer.status_code, sent) in ((200, 0), (422, 1))


async def test_several_recipients_are_several_messages_or_none(
    sender: Person, services: Services, drain: Any
):
    several = {**EMAIL, "to": ["a@example.com", "b@example.com", "A <a@example.com>"], "bcc": "c@example.com"}
    sent = await done(sender, "POST", "/emails", several, **{"Idempotency-Key": "several"})
    again = await done(sender, "POST", "/emails", several, **{"Idempotency-Key": "several"})
    assert again == sent
    assert (await done(sender, "GET", f"/emails/{sent['id']}"))["to"] == ["a@example.com"]
    assert await count(services) == await charged(services) == 3
    assert (await refused(sender, "POST", "/emails", EMAIL, **{"Idempotency-Key": "several"}))[:2] == (
        409,
        "invalid_idempotent_request",
    )
    await sender.rest("POST", "/block/b@example.com")
    status, name, sentence = await refused(sender, "POST", "/emails", several)
    assert (status, name) == (422, "validation_error")
    assert "blocked" in sentence
    assert await count(services) == await charged(services) == 3


async def test_a_key_needs_a_scope_for_each_call(sender: Person):
    key = await agent(sender, "messages:send")
    assert (await done(key, "POST", "/emails", EMAIL))["id"]
    for method, path, body in (
        ("GET", "/emails", None),
        ("GET", "/contacts", None),
        ("GET", "/webhooks", None),
    ):
        assert (await refused(key, method, path, body))[:2] == (401, "restricted_api_key")
    reader = await agent(sender, "messages:read")
    assert (await refused(reader, "POST", "/emails", EMAIL))[:2] == (401, "restricted_api_key")
    assert (await refused(reader, "POST", "/emails", {}))[:2] == (401, "restricted_api_key")
    assert (await refused(key, "POST", "/emails", WHOLE))[:2] == (401, "restricted_api_key")
    attaching = await agent(sender, "messages:send", "files:write")
    assert (await done(attaching, "POST", "/emails", WHOLE))["id"]
