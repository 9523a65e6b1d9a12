"""Further headers and attachments of an email, as the recipient's side reads them."""

import asyncio
import email
import email.policy
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from email.message import EmailMessage
from typing import Any, cast
from uuid import uuid4

import pytest

from channels import connect
from channels.mailbox import Mailbox
from channels.port import Attachment, Outgoing, Result
from channels.smtp.mail import InvalidMail
from tests.channels.peer import patient
from tests.channels.peer_smtp import MailServer
from tests.channels.peer_smtp import peer as serving
from tests.channels.smtp.rig import compose
from tests.support.waits import PATIENCE

SENDER = Mailbox.parse("News <news@example.com>")


def message(**changes: Any) -> Outgoing:
    id = uuid4()
    return replace(Outgoing(id, str(id), "anna@example.com", "Hello", subject="Hi"), **changes)


def read(**changes: Any) -> EmailMessage:
    content = compose(message(**changes), SENDER).content.replace(b"\r\n..", b"\r\n.")
    assert max(map(len, content.split(b"\r\n"))) <= 998
    assert content.isascii()
    return cast("EmailMessage", email.message_from_bytes(content, policy=email.policy.default))


async def nowhere(*_: Any) -> None:
    raise AssertionError("a mail server tells nothing unasked")


@pytest.fixture
async def server() -> AsyncIterator[MailServer]:
    async with serving() as made:
        yield made


# Headers


def test_the_headers_of_unsubscribing_are_not_touched():
    link = f"<https://postern.example.com/unsubscribe/{'x' * 200}>"
    headers = {"List-Unsubscribe": link, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    content = compose(message(headers=headers), SENDER).content
    assert f"\r\nList-Unsubscribe: {link}\r\n".encode() in content  # whole, on one line, not encoded
    assert b"\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in content


def test_a_header_beyond_ascii_is_encoded():
    mail = read(headers={"X-Campaign": "Größe и ещё " * 20})
    assert mail["X-Campaign"] == "Größe и ещё " * 20
    assert mail["Subject"] == "Hi"


@pytest.mark.parametrize(
    "headers",
    [
        {"X-A": "b\r\nBcc: eve@example.com"},
        {"X-A": "b\nBcc: eve@example.com"},
        {"X-A": "b\r\n\r\nbody"},
        {"X-A": "b\x00"},
        {"X-A": ""},
        {"X-A": "  "},
        {"X-A": "y" * 995},
        {"X-A": "\ud800"},
        {"X-A: b\r\nBcc": "eve@example.com"},
        {"X A": "b"},
        {"X:A": "b"},
        {"": "b"},
        {"Ä": "b"},
        {"X" * 77: "b"},
        {"bcc": "eve@example.com"},
        {"To": "eve@example.com"},
        {"FROM": "eve@example.com"},
        {"Subject": "again"},
        {"Content-Type": "text/html"},
        {"Message-ID": "<x@y>"},
        {"Resent-To": "eve@example.com"},
        {"DKIM-Signature": "v=1\r x"},
    ],
)
def test_no_header_breaks_out_or_takes_another_s_place(headers: dict[str, str]):
    with pytest.raises(InvalidMail) as caught:
        compose(message(headers=headers), SENDER)
    assert caught.value.code == "invalid_content"
    assert "eve@" not in str(caught.value)


# Attachments


@pytest.mark.parametrize(
    "name",
    [
        "price list.pdf",
        "Preisliste für März.pdf",
        "прайс-лист " * 12 + ".pdf",
        'say "hi"; x=1\\.pdf',
        "it's 100%.pdf",
        "日本語.pdf",
        "a" * 200 + ".pdf",
    ],
)
def test_an_attachment_keeps_its_name_and_bytes(name: str):
    data = os.urandom(3000)
    mail = read(attachments=[Attachment(name, "application/pdf", data)], html="<b>Hello</b>")
    (part,) = mail.iter_attachments()
    assert part.get_filename() == name
    assert part.get_content_type() == "application/pdf"
    assert part.get_content_disposition() == "attachment"
    assert part.get_content() == data
    assert mail.get_body(("plain",)).get_content().strip() == "Hello"
    assert mail.get_body(("html",)).get_content().strip() == "<b>Hello</b>"


def test_several_of_any_kind():
    attachments = [
        Attachment("a.txt", "text/plain", b".\r\n..\nline"),
        Attachment("a.html", "text/html", b"<script>"),
        Attachment("a.eml", "message/rfc822", b"To: x\r\n\r\nbody"),
        Attachment("a.bin", "multipart/mixed", b"--x--"),
        Attachment("a.dat", "nonsense\r\nX: y", b""),
        Attachment("b.csv", "TEXT/CSV", "ä;ö".encode()),
    ]
    mail = read(attachments=attachments)
    parts = list(mail.iter_attachments())
    assert [part.get_filename() for part in parts] == [attachment.name for attachment in attachments]
    assert [part.get_payload(decode=True) for part in parts] == [
        attachment.data for attachment in attachments
    ]
    octets = "application/octet-stream"
    kinds = ["text/plain", "text/html", octets, octets, octets, "text/csv"]
    assert [part.get_content_type() for part in parts] == kinds


@pytest.mark.parametrize("name", ["", "a\r\nX: y.txt", "a\x00.txt", "\ud800.txt"])
def test_a_bad_name_is_refused(name: str):
    with pytest.raises(InvalidMail):
        compose(message(attachments=[Attachment(name, "text/plain", b"x")]), SENDER)


def test_without_either_nothing_is_different():
    plain = compose(message(), SENDER).content
    assert b"multipart" not in plain


async def test_over_a_real_connection(server: MailServer):
    data = os.urandom(700_000)
    channel = connect("email", patient(server.dsn))
    await channel.open(nowhere)
    with_parts = message(
        headers={"List-Unsubscribe": "<https://example.com/u>"},
        attachments=[Attachment("größe.bin", "application/x-thing", data)],
    )
    refused = message(headers={"To": "eve@example.com"})
    outcomes = await asyncio.wait_for(channel.send([with_parts, refused]), PATIENCE)
    await channel.close()
    assert [outcome.result for outcome in outcomes] == [Result.sent, Result.refused]
    (got,) = server.received
    mail = cast("EmailMessage", got.extra["mail"])
    assert mail["List-Unsubscribe"] == "<https://example.com/u>"
    (part,) = mail.iter_attachments()
    assert (part.get_filename(), part.get_content()) == ("größe.bin", data)
