"""Mailgun, Postmark, Resend and Brevo: how each proves itself, and the classes of its events."""

import json
from typing import Any

import pytest

from channels import BadDsn, connect
from tests.mail_reports.made import mails
from tests.mail_reports.provider_calls import ADDRESS, Brevo, Call, Caller, Mailgun, Postmark, Resend
from tests.mail_reports.providers import Provider, provider, settings
from tests.support.gateway import gateway
from tests.support.records import records

__all__ = ["gateway", "mails", "provider", "records", "settings"]

CALLERS: dict[str, Any] = {"mailgun": Mailgun, "postmark": Postmark, "resend": Resend, "brevo": Brevo}


@pytest.fixture
def caller(request: pytest.FixtureRequest) -> Caller:
    made: Caller = CALLERS[request.param]()
    return made


def of(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("caller", [name], indirect=True)


# Mailgun


@of("mailgun")
async def test_a_nonce_of_mailgun_counts_once(provider: Provider):
    """The signature covers no event: a used one must not sign another."""
    first, token = await provider.message()
    call = provider.caller.call(provider.caller.bounce(token, first))
    assert (await provider.make(call)).status_code == 204
    second, other = await provider.message()
    for content in (call.content, call.content.replace(token.encode(), other.encode())):
        assert (await provider.make(Call(content, call.headers))).status_code == 401
    assert (await provider.mails.row(second))["state"] == "sent"
    assert await provider.count() == 1


@of("mailgun")
async def test_an_event_of_mailgun_that_comes_again_counts_once(provider: Provider):
    id, token = await provider.message()
    event = provider.caller.bounce(token, id)
    for _ in range(3):
        await provider.report(event)
    assert await provider.count() == 1


@of("mailgun")
async def test_mailguns_time_and_token_are_signed(provider: Provider):
    id, token = await provider.message()
    body = json.loads(provider.caller.call(provider.caller.bounce(token, id)).content)
    signed = body["signature"]
    for change in (
        {"timestamp": str(int(signed["timestamp"]) + 1)}, {"token": "0" * 50}, {"signature": "0" * 64},
        {"signature": signed["signature"].upper()}, {"signature": None}, {"token": None}, {"timestamp": None},
        {"timestamp": signed["timestamp"] + signed["token"], "token": ""},
        {"timestamp": signed["timestamp"] + signed["token"][:1], "token": signed["token"][1:]},
    ):  # fmt: skip
        content = json.dumps({**body, "signature": {**signed, **change}}).encode()
        await provider.refused(Call(content, {}))


@of("mailgun")
@pytest.mark.parametrize(("fields", "klass"), [
    ({"reason": "suppress-bounce", "delivery-status": {"code": 605, "message": ""}}, "hard"),
    ({"reason": "suppress-complaint"}, "policy"),
    ({"reason": "suppress-unsubscribe"}, "policy"),
    ({"reason": "old", "delivery-status": {"code": 602, "message": "Too old"}}, "transient"),
    ({"reason": "bounce", "delivery-status": {"code": 552, "message": "5.2.2 mailbox full"}}, "full"),
    ({"reason": "bounce", "delivery-status": {"code": 550, "message": "x", "enhanced-code": "5.7.1"}}, "policy"),
    ({"reason": "generic", "delivery-status": {"code": 498, "message": "No MX"}}, "unknown"),
    ({"reason": "generic"}, "unknown"),
])  # fmt: skip
async def test_the_class_of_a_failure_at_mailgun(provider: Provider, fields: dict[str, Any], klass: str):
    id, token = await provider.message()
    event = provider.caller.event("failed", token, severity="permanent", **fields)
    assert await provider.reported(event, id) == ("bounce", klass, "failed")
    assert bool(await provider.mails.blocks()) is (klass == "hard")


@of("mailgun")
async def test_what_mailgun_tries_again_or_refuses_itself(provider: Provider):
    id, token = await provider.message()
    status = {"code": 452, "message": "4.2.2 over quota"}
    event = provider.caller.event("failed", token, severity="temporary", **{"delivery-status": status})
    assert await provider.reported(event, id) == ("delay", "full", "sent")
    event = provider.caller.event(
        "rejected", token, reject={"reason": "Sandbox subdomains", "description": ""}
    )
    assert await provider.reported(event, id) == ("bounce", "policy", "failed")
    assert await provider.mails.blocks() == []


# Postmark and Brevo, which sign nothing


@pytest.mark.parametrize("caller", ["postmark", "brevo"], indirect=True)
async def test_only_the_right_credentials_count(provider: Provider):
    id, token = await provider.message()
    right = provider.caller.authorization
    call = provider.caller.call(provider.caller.bounce(token, id))
    scheme, _, credentials = right.partition(" ")
    for wrong in (
        "", scheme, f"{scheme} ", credentials, right[:-1], right + "x", f"{scheme} {credentials.swapcase()}",
        f"Digest {credentials}", f"{'Basic' if scheme == 'Bearer' else 'Bearer'} {credentials}", "é", f"{scheme}  é",
    ):  # fmt: skip
        headers = [(b"authorization", wrong.encode("latin-1"))]
        answer = await provider.client.post("/hooks/smtp/email", content=call.content, headers=headers)
        assert answer.status_code == 401, wrong
    await provider.nothing()
    headers = {"authorization": f"{scheme.lower()} {credentials}"}
    assert (await provider.make(Call(call.content, headers))).status_code == 204
    assert await provider.count() == 1


@of("postmark")
@pytest.mark.parametrize(("type", "details", "report"), [
    ("HardBounce", "", ("bounce", "hard", "failed")),
    ("HardBounce", "smtp;550 5.7.1 listed at spamhaus", ("bounce", "policy", "failed")),
    ("BadEmailAddress", "", ("bounce", "hard", "failed")),
    ("SoftBounce", "smtp;552 5.2.2 full", ("bounce", "full", "failed")),
    ("SoftBounce", "", ("bounce", "unknown", "failed")),
    ("DnsError", "no such host", ("bounce", "transient", "failed")),
    ("Transient", "", ("delay", "unknown", "sent")),
    ("Blocked", "smtp;550 5.1.1 user unknown", ("bounce", "policy", "failed")),
    ("SpamNotification", "", ("bounce", "policy", "failed")),
    ("DMARCPolicy", "", ("bounce", "policy", "failed")),
    ("VirusNotification", "", ("bounce", "content", "failed")),
    ("ManuallyDeactivated", "", ("bounce", "policy", "failed")),
    ("SpamComplaint", "", ("complaint", None, "sent")),
])  # fmt: skip
async def test_a_bounce_of_postmark(provider: Provider, type: str, details: str, report: tuple[Any, ...]):
    id, token = await provider.message()
    assert await provider.reported(provider.caller.bounce(token, id, type, details), id) == report
    assert bool(await provider.mails.blocks()) is (report[1] == "hard" or report[0] == "complaint")


@of("postmark")
async def test_an_auto_reply_at_postmark_is_no_bounce(provider: Provider):
    id, token = await provider.message()
    for type in ("AutoResponder", "Unsubscribe", "ChallengeVerification", "Subscribe", ""):
        await provider.report(provider.caller.bounce(token, id, type))
    await provider.nothing()


@of("brevo")
@pytest.mark.parametrize(("kind", "reason", "report"), [
    ("hard_bounce", "", ("bounce", "hard", "failed")),
    ("hard_bounce", "552 5.2.2 mailbox full", ("bounce", "full", "failed")),
    ("soft_bounce", "452 4.2.2 mailbox full", ("bounce", "full", "failed")),
    ("soft_bounce", "", ("bounce", "unknown", "failed")),
    ("invalid_email", "", ("bounce", "hard", "failed")),
    ("blocked", "blocked : due to blacklist user", ("bounce", "policy", "failed")),
    ("error", "", ("bounce", "policy", "failed")),
    ("deferred", "450 4.4.1 no answer", ("delay", "transient", "sent")),
])  # fmt: skip
async def test_an_event_of_brevo(provider: Provider, kind: str, reason: str, report: tuple[Any, ...]):
    id, token = await provider.message()
    assert await provider.reported(provider.caller.event(kind, token, reason=reason), id) == report
    assert bool(await provider.mails.blocks()) is (report[1] == "hard")


@of("brevo")
async def test_several_events_of_brevo_come_at_once(provider: Provider):
    made = [await provider.message() for _ in range(3)]
    event = [provider.caller.bounce(token, id) for id, token in made]
    await provider.report([*event, *event])
    assert await provider.count() == 3


# Resend


@of("resend")
async def test_an_event_of_resend_that_comes_again_counts_once(provider: Provider):
    id, token = await provider.message()
    event = provider.caller.bounce(token, id)
    for _ in range(3):  # each time is signed anew
        assert (await provider.make(provider.caller.call(event, name="msg_1"))).status_code == 204
    assert await provider.count() == 1


@of("resend")
async def test_without_the_header_our_message_id_names_the_message(provider: Provider):
    """The signature covers it. A token that is there and not ours is not overruled."""
    id, token = await provider.message()
    await provider.report(provider.caller.bounce("x" * 38, id))
    for strange in ("", "x", f"<{id}>", f"<{id}@>", f"<x{id}@example.com>", f"<{token}@example.com>"):
        await provider.report(provider.caller.event("email.bounced", "", id, message_id=strange))
    await provider.nothing()
    assert await provider.reported(provider.caller.bounce("", id), id) == ("bounce", "hard", "failed")


@of("resend")
@pytest.mark.parametrize("name", ["svix-id", "svix-timestamp", "svix-signature"])
@pytest.mark.parametrize("value", ["", "1", "v1,", "msg_other", "1e9"])
async def test_each_header_of_resend_is_checked(provider: Provider, name: str, value: str):
    id, token = await provider.message()
    call = provider.caller.call(provider.caller.bounce(token, id))
    await provider.refused(Call(call.content, {**call.headers, name: value}))


@of("resend")
@pytest.mark.parametrize(("type", "subtype", "words", "klass"), [
    ("Permanent", "General", "", "hard"),
    ("Permanent", "Suppressed", "", "hard"),
    ("Permanent", "General", "550 5.7.1 listed", "policy"),
    ("Transient", "MailboxFull", "", "full"),
    ("Transient", "ContentRejected", "", "content"),
    ("Undetermined", "Undetermined", "", "unknown"),
])  # fmt: skip
async def test_the_class_of_a_bounce_at_resend(
    provider: Provider, type: str, subtype: str, words: str, klass: str
):
    id, token = await provider.message()
    event = provider.caller.bounce(token, id, type, subtype, words)
    assert await provider.reported(event, id) == ("bounce", klass, "failed")


@of("resend")
@pytest.mark.parametrize(("kind", "details", "report"), [
    ("email.failed", {"failed": {"reason": "reached_daily_quota"}}, ("bounce", "policy", "failed")),
    ("email.suppressed", {"suppressed": {"message": "on the list"}}, ("bounce", "hard", "failed")),
    ("email.delivery_delayed", {}, ("delay", "unknown", "sent")),
])  # fmt: skip
async def test_other_events_of_resend(provider: Provider, kind: str, details: Any, report: tuple[Any, ...]):
    id, token = await provider.message()
    assert await provider.reported(provider.caller.event(kind, token, id, **details), id) == report
    assert (await provider.stored())["address"] == ADDRESS


# The option


@pytest.mark.parametrize("option", [
    "postmark", "postmark&secret=", "postmark&secret=user", "postmark&secret=:password", "postmark&secret=user:",
    "mailgun", "brevo", "resend", "resend&secret=whsec_x", "resend&secret=AAAA",
])  # fmt: skip
def test_the_secret_has_the_providers_form(option: str):
    with pytest.raises(BadDsn, match="option secret"):
        connect("email", f"smtp://127.0.0.1?from=a@example.com&reports={option}")
