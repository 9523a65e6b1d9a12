"""Tests what SMTP replies mean, and what a DSN may say."""

from typing import cast
from uuid import UUID

import pytest
from aiosmtplib.response import SMTPResponse

from channels import BadDsn, connect
from channels.port import Result
from channels.smtp import SmtpChannel
from channels.smtp.replies import read_reply
from tests.channels.smtp.rig import message, raw, send

# What replies mean


@pytest.mark.parametrize(
    ("step", "code", "text", "result", "ours", "retry_after"),
    [
        ("RCPT TO", 550, "5.1.1 no such user", Result.refused, "invalid_recipient", None),
        ("RCPT TO", 550, "unknown", Result.refused, "invalid_recipient", None),
        ("RCPT TO", 552, "5.2.2 mailbox full", Result.refused, "mailbox_full", None),
        (
            "RCPT TO",
            454,
            "4.7.1 <a@b.test>: Relay access denied",
            Result.misconfigured,
            "bad_credentials",
            None,
        ),
        ("RCPT TO", 554, "5.7.1 relay access denied", Result.misconfigured, "bad_credentials", None),
        ("RCPT TO", 550, "5.7.0 authentication required", Result.misconfigured, "bad_credentials", None),
        ("RCPT TO", 550, "relay not permitted", Result.misconfigured, "bad_credentials", None),
        ("RCPT TO", 550, "5.7.1 Relaying denied", Result.misconfigured, "bad_credentials", None),
        ("RCPT TO", 550, "5.7.54 Unable to relay", Result.misconfigured, "bad_credentials", None),
        ("MAIL FROM", 451, "4.7.0 You must authenticate", Result.misconfigured, "bad_credentials", None),
        ("content", 550, "5.7.26 The sender is not authenticated", Result.refused, "rejected", None),
        ("RCPT TO", 530, "5.7.0 authentication required", Result.misconfigured, "bad_credentials", None),
        ("MAIL FROM", 550, "5.7.1 sender not allowed", Result.misconfigured, "sender_refused", None),
        ("MAIL FROM", 552, "message too big", Result.refused, "too_large", None),
        ("content", 554, "no", Result.refused, "rejected", None),
        ("content", 550, "5.4.5 daily quota used up", Result.throttled, "throttled", None),
        ("RCPT TO", 451, "4.3.0 try later", Result.transient, "server_busy", None),
        ("RCPT TO", 450, "generate a temporary error", Result.transient, "server_busy", None),
        ("RCPT TO", 452, "Too many recipients this hour", Result.throttled, "throttled", None),
        ("RCPT TO", 450, "rate limited, retry in 7s", Result.throttled, "throttled", 7),
        ("RCPT TO", 432, "4.7.12 wait", Result.throttled, "throttled", None),
        ("RCPT TO", 450, "4.7.1 Greylisted, see you in 300 seconds", Result.transient, "server_busy", 300),
        ("MAIL FROM", 421, "closing", Result.transient, "server_busy", None),
    ],
)
def test_replies(
    step: str, code: int, text: str, result: Result, ours: str, retry_after: float | None
) -> None:
    outcome = read_reply(step, SMTPResponse(code, text))
    assert outcome is not None
    assert (outcome.result, outcome.code, outcome.retry_after) == (result, ours, retry_after)
    assert outcome.reason == f"{step}: {code} {text}"


async def test_reasons_can_be_stored() -> None:
    async with raw() as (server, channel):
        server.before = {b"RCPT": [b"550-5.1.1 no\x00 \xff\r\n550 " + b"x" * 3_000 + b"\r\n"]}
        outcome = await send(channel)
        assert outcome.reason is not None
        assert outcome.reason.startswith("RCPT TO: 550 5.1.1 no")
        assert len(outcome.reason) == 500
        assert "\0" not in outcome.reason
        outcome.reason.encode()


# The DSN


@pytest.mark.parametrize(
    ("dsn", "says"),
    [
        ("smtp://host", "option from is missing"),
        ("smtp://?from=a@example.com", "server is missing"),
        ("smtp://host/path?from=a@example.com", "path means nothing"),
        ("smtp://user@host?from=a@example.com", "both user and password"),
        ("smtp://host?from=nobody", "option from must be an email address"),
        ("smtp://host?from=a@example.com&starttls=maybe", "auto, required, off"),
        ("smtps://host?from=a@example.com&starttls=off", "unknown option starttls"),
        ("smtp://host?from=a@example.com&pool=0", "from 1 to 200"),
        ("smtp://host?from=a@example.com&helo=a%20b", "option helo"),
        ("smtp://host?from=a@example.com&ca=/nowhere.pem", "option ca"),
    ],
)
def test_bad_dsn(dsn: str, says: str) -> None:
    with pytest.raises(BadDsn, match=says):
        connect("email", dsn)


def test_defaults() -> None:
    channel = cast("SmtpChannel", connect("email", "smtp://u:p@host?from=a@example.com"))
    options = channel._options
    assert (channel.batch, options.port, options.starttls, options.helo) == (8, 587, "auto", "example.com")
    assert repr(channel) == "<SmtpChannel host:587>"
    assert cast("SmtpChannel", connect("email", "smtps://host?from=a@example.com"))._options.port == 465
    assert isinstance(message().id, UUID)
