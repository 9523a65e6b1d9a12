"""Returned mails, written for the tests in the forms in which servers write them."""

TOKEN = "aeaqcaibaeaqcaibaeaqcaibae" + "abcdefghijkl"


def dsn(
    *recipients: str,
    explanation: str = "I could not deliver your message.",
    returned: str = "Message-ID: <1@example.com>\nSubject: News",
    head: str = "",
) -> bytes:
    """Returns a delivery status notification; `recipients` are the blocks of fields."""
    blocks = "\n\n".join(("Reporting-MTA: dns; mx.example.net", *recipients))
    return f"""Return-Path: <>
From: MAILER-DAEMON@mx.example.net (Mail Delivery System)
To: news@example.com
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
{head}MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="limit"

--limit
Content-Type: text/plain; charset=utf-8

{explanation}

--limit
Content-Type: message/delivery-status

{blocks}

--limit
Content-Type: message/rfc822

{returned}

Hello

--limit--
""".encode()


def block(
    status: str | None = "5.1.1",
    reply: str | None = "550 5.1.1 <ada@example.net>: User unknown",
    action: str | None = "failed",
    address: str = "ada@example.net",
) -> str:
    """Returns the fields of one recipient."""
    lines = [f"Final-Recipient: rfc822; {address}"]
    lines += [f"Action: {action}"] if action else []
    lines += [f"Status: {status}"] if status else []
    lines += [f"Diagnostic-Code: smtp; {reply}"] if reply else []
    return "\n".join(lines)


def feedback(
    kind: str = "abuse", returned: str = "Message-ID: <1@example.com>", returned_type: str = "message/rfc822"
) -> bytes:
    """Returns a feedback report."""
    return f"""From: feedback@provider.example
To: abuse@example.com
Subject: Complaint
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="limit"

--limit
Content-Type: text/plain

A user reported your mail.

--limit
Content-Type: message/feedback-report

Feedback-Type: {kind}
User-Agent: Provider/1.0
Version: 1
Original-Rcpt-To: <ada@example.net>

--limit
Content-Type: {returned_type}

{returned}

--limit--
""".encode()


def text_bounce(text: str, sender: str = "MAILER-DAEMON@mx.example.net", head: str = "") -> bytes:
    """Returns a bounce that explains itself in a text alone."""
    return f"""Return-Path: <>
From: {sender}
To: news@example.com
Subject: failure notice
{head}
{text}
""".encode()
