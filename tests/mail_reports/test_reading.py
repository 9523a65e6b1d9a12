"""Returned mails: which message they are about, and what they say."""

from uuid import UUID

import pytest

from engine.mail_reports import reference
from engine.mail_reports.reading import read_report
from shapes.mail_reports import MailReportClass as Class
from shapes.mail_reports import MailReportType as Type
from tests.mail_reports.samples import block, dsn, feedback, text_bounce

TOKEN = reference.token(b"k" * 32, UUID(int=5))
VERP = f"b-{TOKEN}@bounces.example.com"


def test_a_delivery_status_is_read():
    report = read_report(dsn(block()))
    (recipient,) = report.recipients
    assert (recipient.type, recipient.klass, recipient.address) == (
        Type.bounce,
        Class.hard,
        "ada@example.net",
    )
    assert (recipient.status, recipient.code) == ("5.1.1", 550)
    assert recipient.diagnostic == "550 5.1.1 <ada@example.net>: User unknown"
    assert report.ignored is None
    assert report.message_ids == ("<1@example.com>",)


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"])
def test_any_line_end_will_do(ends: bytes):
    assert read_report(dsn(block()).replace(b"\n", ends)).recipients[0].klass is Class.hard


def test_a_delay_is_no_bounce():
    (recipient,) = read_report(dsn(block("4.4.1", "connection timed out", "delayed"))).recipients
    assert (recipient.type, recipient.klass) == (Type.delay, Class.transient)


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded", "Delivered (to a mailbox)"])
def test_a_success_is_no_failure(action: str):
    report = read_report(dsn(block("2.0.0", "250 ok", action)))
    assert (report.recipients, report.ignored) == ((), "no_failure")


def test_each_recipient_has_its_own_class():
    report = read_report(
        dsn(
            block(address="ada@example.net"),
            block("5.2.2", "552 5.2.2 full", address="bob@example.net"),
            block("2.0.0", "250 ok", "delivered", address="eve@example.net"),
            explanation="<bob@example.net>: mailbox is full",
        )
    )
    assert [(one.address, one.klass) for one in report.recipients] == [
        ("ada@example.net", Class.hard),
        ("bob@example.net", Class.full),
    ]


def test_the_explanation_is_read_where_the_fields_say_nothing():
    report = read_report(dsn(block("5.0.0", None), explanation="<ada@example.net>: mailbox is full"))
    assert report.recipients[0].klass is Class.full


def test_at_most_a_hundred_recipients_are_read():
    many = [block(address=f"u{number}@example.net") for number in range(1_000)]
    assert len(read_report(dsn(*many)).recipients) == 100


@pytest.mark.parametrize(
    "mail",
    [
        dsn(block(), head=f"Delivered-To: {VERP}\n"),
        dsn(block(), head=f"X-Original-To: {VERP.upper()}\n"),
        dsn(block(), returned=f"Return-Path: <{VERP}>\nSubject: News"),
        dsn(block(), returned=f"X-Postern-Ref: {TOKEN}\nSubject: News"),
        dsn(block(), explanation=f"The sender was {VERP}."),
        feedback(returned=f"X-Postern-Ref: {TOKEN}"),
        feedback(returned=f"X-Postern-Ref: {TOKEN}", returned_type="text/rfc822-headers"),
        text_bounce(f"Sorry, no such user.\n\n--- Below this line is a copy\n\nX-Postern-Ref: {TOKEN}\n"),
    ],
)
def test_the_token_is_found_wherever_servers_leave_it(mail: bytes):
    assert read_report(mail).tokens == (TOKEN,)


def test_complaints_and_rescues_are_told_apart():
    assert [one.type for one in read_report(feedback("abuse")).recipients] == [Type.complaint]
    assert read_report(feedback("abuse")).recipients[0].address == "ada@example.net"
    assert [one.type for one in read_report(feedback("not-spam")).recipients] == [Type.rescue]
    assert read_report(feedback("auth-failure")).ignored == "other_feedback"


def test_a_bounce_without_fields_is_read():
    text = (
        "Hi. This is the mail program at mx.example.net.\nI could not deliver your message.\n\n"
        "<ada@example.net>:\n550 5.1.1 user unknown\n\n--- Below this line is a copy of the message.\n\n"
        "Return-Path: <news@example.com>\nSubject: mailbox is full\n"
    )
    (recipient,) = read_report(text_bounce(text)).recipients
    assert (recipient.type, recipient.klass, recipient.address) == (
        Type.bounce,
        Class.hard,
        "ada@example.net",
    )


def test_a_report_without_boundaries_is_read():
    mail = b"From: MAILER-DAEMON@x\nContent-Type: multipart/report; boundary=b\n\n" + block().encode()
    assert read_report(mail).recipients[0].klass is Class.hard


def test_a_japanese_reply_is_read():
    reply = b"550 5.1.1 " + "宛先が見つかりません".encode("iso2022_jp")
    mail = dsn(block(reply="REPLY")).replace(b"REPLY", reply)
    assert read_report(mail).recipients[0].diagnostic == "550 5.1.1 宛先が見つかりません"


def test_a_reply_is_one_printable_line():
    (recipient,) = read_report(dsn(block(reply="550 5.1.1 a\x1b[31m\x7fb" + "c" * 4_000))).recipients
    assert recipient.diagnostic is not None
    assert recipient.diagnostic.startswith("550 5.1.1 a [31m b")
    assert len(recipient.diagnostic) == 500


@pytest.mark.parametrize(
    ("mail", "why"),
    [
        (
            b"From: ada@example.net\nSubject: Out of office\nAuto-Submitted: auto-replied\n\nI am away.\n",
            "auto_reply",
        ),
        (b"From: ada@example.net\nSubject: Re: News\n\nThank you, this does not exist yet.\n", "no_report"),
        (dsn(block(), returned="Content-Type: multipart/report; boundary=x"), "report_of_a_report"),
        (b"", "no_report"),
    ],
)
def test_other_mails_are_ignored(mail: bytes, why: str):
    report = read_report(mail)
    assert (report.recipients, report.ignored) == ((), why)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (
            "host mx.example.net[192.0.2.5] said: 550 extreme bad ip profile (in reply to RCPT TO command)",
            Class.policy,
        ),
        ("host mx.example.net[192.0.2.5] said: 550 5.1.1 recipient rejected", Class.hard),
        (
            "Host or domain name not found. Name service error for name=example.net: Host not found, try again",
            Class.transient,
        ),
    ],
)
def test_the_answer_inside_a_text_is_read(reply: str, expected: Class):
    text = (
        "This is the mail system at host mx.example.com.\n\nI'm sorry to have to inform you that your message\n"
        "could not be delivered to one or more recipients. It's attached below.\n\n"
        "For further assistance, please send mail to "
        f"postmaster.\n\n                   The mail system\n\n<ada@example.net>: {reply}\n"
    )
    (recipient,) = read_report(text_bounce(text)).recipients
    assert (recipient.klass, recipient.address) == (expected, "ada@example.net")
