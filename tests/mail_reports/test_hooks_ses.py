"""Amazon SES reports by a topic of SNS: its signatures, its certificates, its subscriptions, and its events."""

import time
from dataclasses import replace
from typing import Any

import pytest

from channels import BadDsn, connect
from channels.smtp.hooks.sns import Topic
from tests.mail_reports.made import mails
from tests.mail_reports.provider_calls import ADDRESS, HOST, PEM, TOPIC, Call, Ses, Sns, certified
from tests.mail_reports.providers import Provider, provider, settings
from tests.support.gateway import gateway
from tests.support.records import records

__all__ = ["gateway", "mails", "provider", "records", "settings"]

OTHER_TOPIC = TOPIC.replace(":mail", ":other")


@pytest.fixture
def caller() -> Ses:
    return Ses()


def _sns(provider: Provider) -> Sns:
    assert provider.sns is not None
    return provider.sns


@pytest.mark.parametrize("version", ["1", "2"])
@pytest.mark.parametrize("event_publishing", [True, False])
async def test_both_signatures_and_both_formats_are_read(
    provider: Provider, version: str, event_publishing: bool
):
    ses = provider.caller
    ses.version, ses.kind = version, "eventType" if event_publishing else "notificationType"
    id, token = await provider.message()
    assert await provider.reported(ses.bounce(token, id), id) == ("bounce", "hard", "failed")
    assert (await provider.stored())["diagnostic"] == f"smtp; 550 5.1.1 <{ADDRESS}>: user unknown"


async def test_a_certificate_is_fetched_once(provider: Provider):
    for _ in range(3):
        id, token = await provider.message()
        await provider.report(provider.caller.bounce(token, id))
    assert _sns(provider).asked == [PEM]


async def test_a_subject_is_signed_too(provider: Provider):
    id, token = await provider.message()
    ses = provider.caller
    envelope = ses.notification(ses.bounce(token, id), Subject="Amazon SES Email Event Notification")
    call = ses.sign(envelope)
    await provider.refused(Call(call.content.replace(b"Email Event", b"Other Event"), call.headers))
    assert (await provider.make(call)).status_code == 204
    assert await provider.count() == 1


CERTIFICATES = [
    f"http://{HOST}{PEM}",
    f"https://{HOST}.example.com{PEM}",
    f"https://evil.example.com{PEM}",
    f"https://sns.us-east-1.amazonaws.com{PEM}",
    f"https://{HOST}@evil.example.com{PEM}",
    f"https://evil.example.com/{HOST}{PEM}",
    f"https://{HOST}:8443{PEM}",
    f"https://{HOST}/?Action=GetTopic{PEM}",
    f"https://{HOST}/upload.pem",
    f"https://{HOST}/{PEM}",
    f"https://{HOST}{PEM}?x=1",
    f"https://{HOST}{PEM}\n",
    f"https://{HOST.upper()}{PEM}",
    f"https://{HOST}/../{PEM[1:]}",
    "file:///etc/passwd",
    "",
]


@pytest.mark.parametrize("url", CERTIFICATES)
async def test_no_other_address_of_a_certificate_is_asked(provider: Provider, url: str):
    id, token = await provider.message()
    ses = provider.caller
    await provider.refused(ses.sign(ses.notification(ses.bounce(token, id), SigningCertURL=url)))
    assert _sns(provider).asked == []


@pytest.mark.parametrize("change", [
    {"TopicArn": OTHER_TOPIC}, {"TopicArn": ""}, {"SignatureVersion": "3"}, {"Type": "Other"},
    {"Timestamp": "yesterday"},
])  # fmt: skip
async def test_a_signed_message_of_another_kind_counts_for_nothing(
    provider: Provider, change: dict[str, str]
):
    id, token = await provider.message()
    ses = provider.caller
    await provider.refused(ses.sign(ses.notification(ses.bounce(token, id), **change)))


async def test_the_key_of_another_certificate_signs_nothing(provider: Provider):
    """The certificate is on the right server, and belongs to another key."""
    id, token = await provider.message()
    ses = provider.caller
    strange = f"https://{HOST}{PEM.replace('0', '1')}"
    await provider.refused(ses.sign(ses.notification(ses.bounce(token, id), SigningCertURL=strange)))


@pytest.mark.parametrize(
    "pem", [b"", b"no certificate", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]
)
async def test_what_is_no_certificate_signs_nothing(provider: Provider, pem: bytes):
    id, token = await provider.message()
    _sns(provider).files[PEM] = pem
    await provider.refused(provider.caller.call(provider.caller.bounce(token, id)))


async def test_an_expired_certificate_signs_nothing(provider: Provider):
    id, token = await provider.message()
    provider.caller.key, _sns(provider).files[PEM] = certified(days=-1)
    await provider.refused(provider.caller.call(provider.caller.bounce(token, id)))


async def test_a_server_that_fails_is_asked_again_later(provider: Provider):
    id, token = await provider.message()
    call = provider.caller.call(provider.caller.bounce(token, id))
    _sns(provider).status = 500
    await provider.refused(call, 503)
    _sns(provider).status = 200
    assert (await provider.make(call)).status_code == 204
    assert (await provider.mails.row(id))["state"] == "failed"


async def test_certificates_that_do_not_exist_are_asked_for_twenty_times_a_minute(provider: Provider):
    ses, sns = provider.caller, _sns(provider)
    sns.status = 404
    for number in range(30):
        url = f"https://{HOST}/SimpleNotificationService-{number:032x}.pem"
        await provider.refused(ses.sign(ses.notification({}, SigningCertURL=url)), 503)
    assert 20 <= len(sns.asked) <= 25
    # Another client has calls of its own.
    sns.status = 200
    provider.mails.services.settings.trusted_proxies = ["127.0.0.1"]
    id, token = await provider.message()
    call = ses.call(ses.bounce(token, id))
    await provider.refused(call, 503)
    call = replace(call, headers={**call.headers, "x-real-ip": "192.0.2.7"})
    assert (await provider.make(call)).status_code == 204


# Subscriptions


async def test_a_subscription_is_confirmed(provider: Provider):
    ses = provider.caller
    answer = await provider.make(ses.sign(ses.confirmation()))
    assert answer.status_code == 204
    assert _sns(provider).asked == [PEM, f"/?Action=ConfirmSubscription&TopicArn={TOPIC}&Token=abc"]


@pytest.mark.parametrize("url", [
    f"http://{HOST}/?Action=ConfirmSubscription&TopicArn={TOPIC}&Token=abc",
    f"https://evil.example.com/?Action=ConfirmSubscription&TopicArn={TOPIC}&Token=abc",
    f"https://{HOST}@evil.example.com/?Action=ConfirmSubscription&TopicArn={TOPIC}&Token=abc",
    f"https://{HOST}/?Action=ConfirmSubscription&TopicArn={OTHER_TOPIC}&Token=abc",
    f"https://{HOST}/?Action=DeleteTopic&TopicArn={TOPIC}",
    f"https://{HOST}/?Action=DeleteTopic&Action=ConfirmSubscription&TopicArn={TOPIC}",
])  # fmt: skip
async def test_no_other_address_is_visited(provider: Provider, url: str):
    ses = provider.caller
    await provider.refused(ses.sign(ses.confirmation(url)), 400)
    assert _sns(provider).asked == [PEM]


async def test_nothing_is_visited_before_the_signature(provider: Provider):
    ses = provider.caller
    await provider.refused(ses.sign(ses.confirmation(), other_key=True))
    await provider.refused(ses.sign({**ses.confirmation(), "TopicArn": OTHER_TOPIC}))
    assert _sns(provider).asked == [PEM]


async def test_the_end_of_a_subscription_is_left_as_it_is(provider: Provider):
    ses = provider.caller
    answer = await provider.make(ses.sign(ses.confirmation(kind="UnsubscribeConfirmation")))
    assert answer.status_code == 204
    assert _sns(provider).asked == [PEM]


@pytest.mark.parametrize(
    "text", ["Successfully validated SNS topic for Amazon SES event publishing.", "{}", "[]", "1"]
)
async def test_a_message_by_which_a_topic_is_tried_is_taken(provider: Provider, text: str):
    await provider.report(text)
    await provider.nothing()


# Events

NO_WORDS = {"status": None, "diagnosticCode": None}
BOUNCES = [
    ("Permanent", "General", NO_WORDS, "hard"),
    ("Permanent", "NoEmail", NO_WORDS, "hard"),
    ("Permanent", "Suppressed", NO_WORDS, "hard"),
    ("Permanent", "OnAccountSuppressionList", NO_WORDS, "hard"),
    ("Permanent", "General", {"status": "5.7.1", "diagnosticCode": "smtp; 550 5.7.1 blocked"}, "policy"),
    ("Permanent", "General", {"status": "5.0.0", "diagnosticCode": "smtp; 552 mailbox full"}, "full"),
    ("Permanent", "NoEmail", {"status": "5.2.2", "diagnosticCode": ""}, "full"),
    ("Transient", "General", NO_WORDS, "unknown"),
    ("Transient", "MailboxFull", NO_WORDS, "full"),
    ("Transient", "MessageTooLarge", NO_WORDS, "content"),
    ("Transient", "ContentRejected", NO_WORDS, "content"),
    ("Transient", "AttachmentRejected", NO_WORDS, "content"),
    ("Undetermined", "Undetermined", NO_WORDS, "unknown"),
    ("Undetermined", "Undetermined", {"status": "4.4.7", "diagnosticCode": "timed out"}, "transient"),
]


@pytest.mark.parametrize(("type", "subtype", "words", "klass"), BOUNCES)
async def test_the_class_of_a_bounce(
    provider: Provider, type: str, subtype: str, words: dict[str, Any], klass: str
):
    id, token = await provider.message()
    event = provider.caller.bounce(token, id, type, subtype, **words)
    assert await provider.reported(event, id) == ("bounce", klass, "failed")
    assert bool(await provider.mails.blocks()) is (klass == "hard")


async def test_a_delay_is_stored_alone(provider: Provider):
    id, token = await provider.message()
    delayed = [
        {"emailAddress": ADDRESS, "status": "4.4.1", "diagnosticCode": "smtp; 421 4.4.1 Unable to connect"}
    ]
    details = {"delayType": "TransientCommunicationFailure", "delayedRecipients": delayed}
    event = provider.caller.event("DeliveryDelay", token, deliveryDelay=details)
    assert await provider.reported(event, id) == ("delay", "transient", "sent")
    assert await provider.mails.blocks() == []


async def test_an_email_that_is_no_spam_is_no_complaint(provider: Provider):
    id, token = await provider.message()
    assert await provider.reported(provider.caller.complaint(token, id, "not-spam"), id) == (
        "rescue",
        None,
        "sent",
    )
    assert await provider.mails.blocks() == []
    assert (await provider.mails.row(id))["complained_at"] is None


async def test_a_virus_is_never_the_addresss(provider: Provider):
    id, token = await provider.message()
    event = provider.caller.event("Reject", token, reject={"reason": "Bad content"})
    assert await provider.reported(event, id) == ("bounce", "content", "failed")
    assert await provider.mails.blocks() == []


async def test_the_recipient_of_the_message_counts_wherever_it_is_in_the_list(provider: Provider):
    id, token = await provider.message()
    event = provider.caller.bounce(token, id)
    others = [
        {"emailAddress": f"{number}@example.org", "status": "5.7.1", "diagnosticCode": "no"}
        for number in range(99)
    ]
    event["bounce"]["bouncedRecipients"] = [*others, *event["bounce"]["bouncedRecipients"], *others]
    assert await provider.reported(event, id) == ("bounce", "hard", "failed")
    assert (await provider.stored())["address"] == ADDRESS


async def test_without_the_emails_header_fields_nothing_counts(provider: Provider):
    """A Message-ID can be written by whoever knows it, so it names no message."""
    id, token = await provider.message()
    event = provider.caller.bounce(token, id)
    event["mail"]["headers"] = [{"name": "Message-ID", "value": f"<{id}@example.com>"}]
    await provider.report(event)
    await provider.nothing()


async def test_its_time_is_that_of_the_report(provider: Provider):
    id, token = await provider.message()
    await provider.mails.services.db.fetch("UPDATE messages SET handed_at = now() - interval '1 hour'")
    event = provider.caller.bounce(token, id)
    event["bounce"]["timestamp"] = "2099-01-01T00:00:00.000Z"
    before = time.time()
    await provider.report(event)
    bounced_at = (await provider.mails.row(id))["bounced_at"].timestamp()
    assert before - 60 < bounced_at < time.time() + 60


# The option


@pytest.mark.parametrize("topic", [
    "", "mail", "arn:aws:sqs:eu-west-1:123456789012:mail", "arn:aws:sns:evil.example.com/:123456789012:mail",
    "arn:aws:sns:eu-west-1:12:mail", "arn:aws:sns:eu-west-1:123456789012:", "arn:aws:sns:eu-west-1:123456789012:a/b",
])  # fmt: skip
def test_the_topic_is_one_of_sns(topic: str):
    with pytest.raises(BadDsn, match="topic"):
        connect("email", f"smtp://127.0.0.1?from=a@example.com&reports=ses&topic={topic}")


def test_the_topic_is_required_and_means_nothing_alone():
    with pytest.raises(BadDsn, match="option topic is missing"):
        connect("email", "smtp://127.0.0.1?from=a@example.com&reports=ses")
    with pytest.raises(BadDsn, match="unknown option topic"):
        connect("email", f"smtp://127.0.0.1?from=a@example.com&topic={TOPIC}")
    with pytest.raises(BadDsn, match="reports must be one of ses"):
        connect("email", "smtp://127.0.0.1?from=a@example.com&reports=other")


def test_each_region_has_its_own_server():
    for arn, host in (
        ("arn:aws:sns:us-east-1:123456789012:a", "https://sns.us-east-1.amazonaws.com"),
        ("arn:aws-cn:sns:cn-north-1:123456789012:a", "https://sns.cn-north-1.amazonaws.com.cn"),
        ("arn:aws-us-gov:sns:us-gov-west-1:123456789012:a.fifo", "https://sns.us-gov-west-1.amazonaws.com"),
    ):
        assert Topic(arn)._server == host
