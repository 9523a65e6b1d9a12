"""Refusals of the door for Resend's clients: each has their shape, and a name that they know."""

from typing import Any

import httpx
import pytest

from runtime.services import Services
from tests.resend.client import EMAIL, FROM, agent, call, done, pieces, refused
from tests.support.people import People, Person

pytestmark = pytest.mark.settings(resend=True)
INVALID = (422, "validation_error")
MISSING = (422, "missing_required_field")


async def count(services: Services) -> int:
    return int(await services.db.fetchval("SELECT count(*) FROM messages"))


@pytest.mark.settings()
async def test_it_is_off_unless_an_operator_switches_it_on(ada: Person):
    for method, path in (("POST", "/emails"), ("GET", "/emails"), ("GET", "/nothing")):
        assert (await call(ada, method, path, EMAIL)).status_code == 404


async def test_without_a_key_nothing_is_answered(ada: Person):
    for headers, wanted in (
        ({}, (401, "missing_api_key")),
        ({"authorization": "Bearer "}, (401, "missing_api_key")),
        ({"authorization": "Bearer re_123"}, (403, "invalid_api_key")),
        ({"authorization": "Bearer pst_nonsense"}, (403, "invalid_api_key")),
        ({"authorization": "Basic YTpi"}, (403, "invalid_api_key")),
    ):
        for path in ("/emails", "/nothing", "/emails/batch"):
            answer = await ada.client.post(f"/doors/resend{path}", json=EMAIL, headers=headers)
            shown = answer.json()
            assert (answer.status_code, shown["name"]) == wanted, (headers, shown)
            assert shown["statusCode"] == answer.status_code


@pytest.mark.parametrize(
    ("change", "wanted", "says"),
    [
        ({"from": None}, MISSING, "Missing `from` field."),
        ({"to": None}, MISSING, "Missing `to` field."),
        ({"subject": None}, MISSING, "Missing `subject` field."),
        ({"text": None}, MISSING, "Missing `html` or `text` field."),
        ({"to": []}, INVALID, "Invalid `to` field"),
        ({"to": "nobody"}, INVALID, ""),
        ({"to": 5}, INVALID, "Invalid `to` field"),
        ({"to": [None]}, INVALID, "Invalid `to.0` field"),
        ({"to": [f"a{number}@example.com" for number in range(51)]}, INVALID, "Invalid `to` field"),
        ({"to": [f"a{number}@example.com" for number in range(30)], "bcc": ["b@example.com"] * 30}, None, ""),
        (
            {
                "to": [f"a{number}@example.com" for number in range(30)],
                "bcc": [f"b{number}@example.com" for number in range(30)],
            },
            INVALID,
            "at most 50 recipients",
        ),
        ({"cc": ["b@example.com"]}, INVALID, "cc: each recipient gets an email of their own"),
        ({"reply_to": ["a@ada.example", "b@ada.example"]}, INVALID, "reply_to: an email has one address"),
        ({"reply_to": "nobody"}, INVALID, "replyTo"),
        ({"subject": "a\nBcc: b@example.com"}, INVALID, "Invalid `subject` field"),
        ({"subject": "a" * 999}, INVALID, "Invalid `subject` field"),
        ({"headers": {"Bcc": "b@example.com"}}, INVALID, "mailHeaders"),
        ({"headers": {"X-A": "a\r\nBcc: b@example.com"}}, INVALID, "mailHeaders"),
        ({"headers": {"X-A": 5}}, INVALID, "Invalid `headers.X-A` field"),
        ({"headers": {f"X-{number}": "a" for number in range(51)}}, INVALID, "mailHeaders"),
        ({"tags": [{"name": "a b", "value": "c"}]}, INVALID, "Invalid `tags.0.name` field"),
        ({"tags": [{"name": "a"}]}, MISSING, "Missing `tags.0.value` field."),
        ({"scheduled_at": "tomorrow at noon"}, INVALID, "scheduled_at must be a time in ISO 8601"),
        ({"scheduled_at": "2020-01-01T00:00:00Z"}, INVALID, "sendAt must be a time from now on"),
        ({"scheduled_at": "in 9000 weeks"}, INVALID, "sendAt must be a time from now on"),
        ({"scheduled_at": "0001-01-01T00:00:00+14:00"}, INVALID, "scheduled_at must be"),
        (
            {"to": ["a@example.com", "b@example.com"], "scheduled_at": "in 1 hour"},
            INVALID,
            "Schedule one email",
        ),
        ({"template": {"id": "welcome"}}, INVALID, "template: templates are not served"),
        ({"topic_id": "one"}, INVALID, "topic_id: topics are not served"),
        ({"react": {}}, INVALID, "react: this field is not served here"),
        ({"from": "nobody"}, (422, "invalid_from_address"), "from must be one email address"),
        ({"from": "news@elsewhere.example"}, (403, "validation_error"), "elsewhere.example"),
        ({"attachments": [{"filename": "a"}]}, (422, "invalid_attachment"), "Missing `content` field"),
        ({"attachments": [{"content": "%%%"}]}, (422, "invalid_attachment"), "content must be base64"),
        ({"attachments": [{"content": [256]}]}, (422, "invalid_attachment"), "content must be base64"),
        ({"attachments": [{"content": ""}] * 11}, (422, "invalid_attachment"), "at most 10 attachments"),
        (
            {"attachments": [{"path": "https://example.com/a.pdf"}]},
            (422, "invalid_attachment"),
            "no address is fetched",
        ),
        (
            {"attachments": [{"content": "aGk=", "content_id": "logo"}]},
            (422, "invalid_attachment"),
            "pictures inside the text are not served",
        ),
        ({"html": "a" * 300_000}, INVALID, "Invalid `html` field"),
        ({"text": "a" * 100_001}, INVALID, "Invalid `text` field"),
        ({"text": "a\0"}, INVALID, "Invalid `text` field"),
        ({"to": "blocked@example.com"}, INVALID, "This recipient is blocked."),
    ],
)
async def test_an_email_that_can_not_be_sent(
    sender: Person, services: Services, change: dict[str, Any], wanted: tuple[int, str] | None, says: str
):
    await sender.rest("POST", "/block/blocked@example.com")
    email = {name: value for name, value in {**EMAIL, **change}.items() if value is not None}
    if wanted is None:
        await done(sender, "POST", "/emails", email)
        return
    status, name, sentence = await refused(sender, "POST", "/emails", email)
    assert ((status, name), says in sentence) == (wanted, True), sentence
    assert await count(services) == 0
    status, name, sentence = await refused(sender, "POST", "/emails/batch", [EMAIL, email])
    assert ((status, name), says in sentence) == (wanted, True), sentence
    assert sentence.startswith("emails.1: ") or name == "invalid_attachment", sentence
    assert await count(services) == 0


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff", b"[]", b'"a"', b"null", b"5", b'{"to":1e999}', b"[" * 2000]
)
async def test_what_is_no_email(sender: Person, body: bytes):
    assert (await refused(sender, "POST", "/emails", body))[:2] == INVALID
    assert (await refused(sender, "POST", "/emails/batch", body))[:2] == INVALID


async def test_paths_and_methods(sender: Person):
    for path in ("/nothing", "/", "/emails/one/two/three", "/emails/batch/more"):
        assert (await refused(sender, "GET", path))[:2] == (404, "not_found")
    for method, path in (("DELETE", "/emails"), ("PUT", "/emails/batch"), ("PATCH", "/contacts")):
        assert (await refused(sender, method, path))[:2] == (405, "method_not_allowed")
    for path, does_it in (
        ("/domains", "POST /domains"),
        ("/broadcasts", "/sending-project"),
        ("/api-keys", "tokens"),
    ):
        status, name, sentence = await refused(sender, "GET", path)
        assert ((status, name), does_it in sentence) == ((404, "not_found"), True)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("limit=0", "validation_error"),
        ("limit=101", "validation_error"),
        ("limit=many", "validation_error"),
        ("after=one", "validation_error"),
        ("after=a&before=b", "validation_error"),
        ("status=sent", "invalid_parameter"),
    ],
)
async def test_pages_that_a_list_does_not_have(sender: Person, query: str, name: str):
    for path in ("/emails", "/contacts", "/webhooks"):
        assert (await refused(sender, "GET", f"{path}?{query}"))[:2] == (422, name)


async def test_keys_of_requests(sender: Person):
    one = {"Idempotency-Key": "one"}
    first = await call(sender, "POST", "/emails", EMAIL, **one)
    again = await call(sender, "POST", "/emails", EMAIL, **one)
    assert (first.status_code, again.json()) == (200, first.json())
    assert (again.headers["idempotent-replayed"], "idempotent-replayed" in first.headers) == ("true", False)
    other = await refused(sender, "POST", "/emails", {**EMAIL, "subject": "Bye"}, **one)
    assert other[:2] == (409, "invalid_idempotent_request")
    for key in ("", "a" * 257):
        bad = await refused(sender, "POST", "/emails", EMAIL, **{"Idempotency-Key": key})
        assert bad[:2] == (400, "invalid_idempotency_key")
    longest = {"Idempotency-Key": "a" * 256}
    assert await done(sender, "POST", "/emails", EMAIL, **longest) == await done(
        sender, "POST", "/emails", EMAIL, **longest
    )
    spans = await refused(sender, "POST", "/emails", {**EMAIL, "scheduled_at": "in 1 hour"}, **one)
    assert spans[:2] == INVALID


async def test_files_are_the_same_when_an_email_is_repeated(sender: Person, services: Services):
    email = {**EMAIL, "attachments": [{"filename": "a.txt", "content": "aGk="}, {"content": "aG8="}]}
    key = {"Idempotency-Key": "with files"}
    first = await call(sender, "POST", "/emails", email, **key)
    assert "idempotent-replayed" not in first.headers
    assert await done(sender, "POST", "/emails", email, **key) == first.json()
    assert await count(services) == 1
    assert await services.db.fetchval("SELECT count(*) FROM files") == 2
    await done(sender, "POST", "/emails", email)
    await done(sender, "POST", "/emails", email)  # files of emails without a key are shared for a day
    assert (await count(services), await services.db.fetchval("SELECT count(*) FROM files")) == (3, 4)
    other = {**email, "attachments": [{"filename": "a.txt", "content": "aGkh"}]}
    assert (await refused(sender, "POST", "/emails", other, **key))[:2] == (409, "invalid_idempotent_request")


@pytest.mark.settings(resend=True, limit_messages="3/60")
async def test_beyond_the_rate_limit(sender: Person, services: Services):
    for left in (2, 1, 0):
        answer = await call(sender, "POST", "/emails", EMAIL)
        assert (answer.status_code, answer.headers["ratelimit-remaining"]) == (200, str(left))
    answer = await call(sender, "POST", "/emails", EMAIL)
    assert (answer.status_code, answer.json()["name"]) == (429, "rate_limit_exceeded")
    assert int(answer.headers["retry-after"]) > 0
    assert answer.headers["ratelimit-limit"] == "3"
    assert (await refused(sender, "POST", "/emails/batch", [EMAIL] * 2))[:2] == (429, "rate_limit_exceeded")
    assert await count(services) == 3


async def test_money_and_limits_of_a_key(sender: Person, people: People, services: Services):
    limited = await agent(sender, "messages:send", spendPerDay=0.000001)
    status, name, _ = await refused(limited, "POST", "/emails", EMAIL)
    assert (status, name) == (429, "daily_quota_exceeded")
    await services.db.fetch("UPDATE accounts SET balance = 0 WHERE owner_id = $1", sender.id)
    for path, body in (("/emails", EMAIL), ("/emails/batch", [EMAIL])):
        status, name, sentence = await refused(sender, "POST", path, body)
        assert (status, name) == (429, "monthly_quota_exceeded")
        assert "balance" in sentence
    assert await count(services) == 0


async def test_a_crowd_needs_an_approval(sender: Person, services: Services):
    few = await agent(sender, "messages:send", approvalAbove=2)
    several = {**EMAIL, "to": ["a@example.com", "b@example.com", "c@example.com"]}
    status, name, sentence = await refused(few, "POST", "/emails", several)
    assert (status, name, "approv" in sentence) == (403, "validation_error", True)
    assert await count(services) == 0


async def test_large_bodies(sender: Person, services: Services):
    content = "A" * (10 * 2**20 * 4 // 3 // 4 * 4)
    assert (await done(sender, "POST", "/emails", {**EMAIL, "attachments": [{"content": content}]}))["id"]
    over = {**EMAIL, "attachments": [{"content": content}, {"content": "AAAA" * 1000}]}
    assert (await refused(sender, "POST", "/emails", over))[:2] == (422, "invalid_attachment")
    assert (await refused(sender, "POST", "/emails", b" " * (16 * 2**20)))[:2] == (413, "validation_error")
    assert (await refused(sender, "POST", "/webhooks", b" " * (3 * 2**20)))[:2] == (413, "validation_error")
    answer: httpx.Response = await sender.client.post(
        "/doors/resend/emails", content=pieces(16 * 2**20), headers=sender.headers
    )
    assert (answer.status_code, answer.json()["name"]) == (413, "validation_error")
    whole = {**EMAIL, "html": "a" * (1024 * 1024)}
    assert (await refused(sender, "POST", "/emails", whole))[:2] == INVALID
    assert (await done(sender, "POST", "/emails", {**EMAIL, "html": "a" * 240_000, "text": FROM * 1000}))[
        "id"
    ]
    assert await count(services) == 2
