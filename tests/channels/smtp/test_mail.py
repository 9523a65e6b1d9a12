"""Tests the form of a composed message."""

import email
import email.policy
import re
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import parseaddr
from typing import cast

import pytest

from channels.mailbox import Mailbox
from channels.port import Result
from channels.smtp.mail import InvalidMail, Mail
from tests.channels.peer_smtp import peer
from tests.channels.smtp.rig import SENDER, compose, message, opened, raw, send


def read(mail: Mail) -> EmailMessage:
    content = mail.content.replace(b"\r\n..", b"\r\n.")
    return cast("EmailMessage", email.message_from_bytes(content, policy=email.policy.default))


def plain(text: str) -> str:
    """Removes what an email may change: how lines end, and whether the last one does."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")


def test_a_whole_message() -> None:
    one = message(subject="Grüße 👋", html="<b>Hello</b>", reply_to="Support <help@example.com>")
    mail = compose(one, SENDER)
    seen = read(mail)
    assert seen["Message-ID"] == mail.message_id == f"<{one.id}@example.com>"
    assert seen["X-Postern-Key"] == f"<{one.key}>"
    assert seen["From"] == "Postern <news@example.com>"
    assert seen["To"] == "anna@example.com"
    assert seen["Reply-To"] == "Support <help@example.com>"
    assert seen["Subject"] == "Grüße 👋"
    assert seen["Date"]
    assert [part.get_content_type() for part in seen.walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]
    assert mail.content.isascii()
    assert not mail.utf8


def test_no_field_is_a_spoof_to_filters() -> None:
    """SpamAssassin adds a point to a newsletter with such a field: __RAND_HEADER in its rule RAND_HEADER_LIST_SPOOF."""
    random = re.compile(
        r"^(?!Authentication-Results|Content-|DKIM-|List-|MIME-|Return-Path)"
        r"(?:[a-z]{4,}-[a-z]{3,}|[a-z]{3,}-[a-z]{4,}):\s+\d(?=\S{6,}\s*$)[\da-f]*(?:[-.]\w+)*\s*$",
        re.IGNORECASE | re.MULTILINE,
    )
    one = message(key="01a228b5-4ffd-7000-96be-4168abd9cfbc.0", subject="Hello", html="<b>Hello</b>")
    head = compose(one, SENDER).content.decode().partition("\r\n\r\n")[0].replace("\r\n", "\n")
    assert random.search(f"Postern-Key: {one.key}")
    assert not random.search(head), head


@pytest.mark.parametrize(
    "body", ["x" * 5_000, "ü" * 5_000, "a\rb\nc\r\nd", ".\n..\n", "", "\t tab", "😀" * 300]
)
def test_every_line_fits_and_ends_in_crlf(body: str) -> None:
    mail = compose(message(body=body, html=f"<p>{body}</p>", subject="word " * 300), SENDER)
    lines = mail.content.split(b"\r\n")
    assert all(len(line) <= 998 and b"\r" not in line and b"\n" not in line for line in lines)
    assert not [line for line in lines if line.startswith(b".") and not line.startswith(b"..")]
    part = read(mail).get_body(("plain",))
    assert (part is None) == (body == "")  # HTML without words leaves alone
    if part is not None:
        assert plain(part.get_content()) == plain(body)


def test_ids_of_long_domains_stay_on_one_line() -> None:
    domain = "-".join(["long"] * 12) + ".example"
    one = message(key="k" * 255)
    mail = compose(one, Mailbox.parse(f"news@{domain}"))
    head = mail.content.split(b"\r\n")
    assert head[0] == f"Message-ID: <{one.id}@{domain}>".encode()
    assert head[1] == b"X-Postern-Key: <" + b"k" * 255 + b">"


@pytest.mark.parametrize(
    "evil", ["a\r\nBcc: x@example.com", "a\nb", "a\rb", "a\0b", "a\x85b", "a\u2028b", "a\x0bb"]
)
@pytest.mark.parametrize("field", ["subject", "reply_to", "key", "to"])
def test_no_header_can_be_injected(field: str, evil: str) -> None:
    more = {field: evil}
    if field == "key" and not evil.isascii():
        assert b"\\" in compose(message(**more), SENDER).content
        return
    with pytest.raises(InvalidMail) as raised:
        compose(message(**more), SENDER)
    assert raised.value.code == ("invalid_recipient" if field == "to" else "invalid_content")
    assert "Bcc" not in str(raised.value)


@pytest.mark.parametrize(
    "to", ["", "anna", "anna@", "@example.com", "a b@example.com", "a@b@c.com", "a@exa mple.com"]
)
async def test_a_malformed_recipient_is_refused_without_the_server(to: str) -> None:
    async with opened("smtp://127.0.0.1:1?from=news@example.com") as channel:
        outcome = await send(channel, message(to))
        assert (outcome.result, outcome.code) == (Result.refused, "invalid_recipient")


@pytest.mark.parametrize("field", ["body", "html", "subject"])
def test_lone_surrogates_are_refused(field: str) -> None:
    with pytest.raises(InvalidMail) as raised:
        compose(message(**{field: "a\ud800b"}), SENDER)
    assert raised.value.code == "invalid_content"


@pytest.mark.parametrize(
    ("written", "header"),
    [
        ("José <r@example.com>", "José <r@example.com>"),
        ("Müller, Hans <h@example.com>", '"Müller, Hans" <h@example.com>'),
        ("Support (EU) <s@example.com>", '"Support (EU)" <s@example.com>'),
        ("Dr. Who <w@example.com>", '"Dr. Who" <w@example.com>'),
        ('"Say \\"hi\\"" <w@example.com>', '"Say \\"hi\\"" <w@example.com>'),
        ("=?utf-8?q?Jos=C3=A9?= <r@example.com>", "José <r@example.com>"),
        ("r@example.com (Bob)", "Bob <r@example.com>"),
        ("<r@example.com>", "r@example.com"),
        ("  r@example.com ", "r@example.com"),
    ],
)
def test_names_as_mail_programs_take_them(written: str, header: str) -> None:
    assert read(compose(message(reply_to=written), SENDER))["Reply-To"] == header


@pytest.mark.parametrize(
    "text",
    [
        "r@example.com, s@example.com",
        "a <r@example.com> b",
        "José",
        "José <r@>",
        "=?utf-8?q?=0A?= <r@x.com>",
        "n" * 257 + " <r@x.com>",
    ],
)
def test_what_is_no_one_address(text: str) -> None:
    with pytest.raises(ValueError):
        Mailbox.parse(text)


@pytest.mark.parametrize(
    "text",
    ["ü" * 200, "Grüße " * 40, "😀" * 100, "word " * 30 + "ü" * 100, "=?x?= y", "a  b " * 60, "x" * 950],
)
def test_encoded_words_have_75_octets_at_most(text: str) -> None:
    named = Mailbox(text[:250].strip(), "news", "example.com")
    mail = compose(message(subject=text, headers={"X-Note": text, f"X-{'F' * 60}": text[:900]}), named)
    words = re.findall(rb"=\?[^?\s]+\?[bBqQ]\?[^?\s]*\?=", mail.content)
    assert all(len(word) <= 75 for word in words)
    assert all(len(line) <= (76 if b"=?" in line else 998) for line in mail.content.split(b"\r\n"))
    seen = email.message_from_bytes(mail.content.replace(b"\r\n..", b"\r\n."))
    assert [
        str(make_header(decode_header(seen[name].replace("\r\n", "")))) for name in ("Subject", "X-Note")
    ] == [text] * 2
    # Python's own reader leaves the spaces between the encoded words of a name; RFC 2047 §6.2 takes them out.
    shown, _ = parseaddr(seen["From"].replace("\r\n", ""))
    assert str(make_header(decode_header(shown))) == named.name


async def test_international_addresses() -> None:
    async with peer() as server, opened(server.dsn) as channel:
        assert (
            await send(channel, message("grüße@bücher.example", reply_to="ü@example.com"))
        ).result is Result.sent
        assert (await send(channel, message("anna@bücher.example"))).result is Result.sent
        assert [mail.to for mail in server.received] == [
            "grüße@xn--bcher-kva.example",
            "anna@xn--bcher-kva.example",
        ]
        assert [envelope.smtp_utf8 for envelope in server.envelopes] == [True, False]
        assert server.received[0].extra["mail"]["To"] == "grüße@xn--bcher-kva.example"  # type: ignore[index]


async def test_international_address_to_an_old_server() -> None:
    async with raw() as (server, channel):
        outcome = await send(channel, message("grüße@example.com"))
        assert (outcome.result, outcome.code) == (Result.refused, "invalid_recipient")
        assert (await send(channel)).result is Result.sent
        assert server.connections == 1


@pytest.mark.parametrize(
    "to", ['"john doe"@example.com', "anna+tag@example.com", "anna@[127.0.0.1]", "o'neil@example.com"]
)
async def test_unusual_but_valid_recipients(to: str) -> None:
    async with raw() as (server, channel):
        assert (await send(channel, message(to))).result is Result.sent
        assert f"RCPT TO:<{to}>".encode() in server.lines
