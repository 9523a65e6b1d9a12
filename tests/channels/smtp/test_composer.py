"""The composer writes what Python's email package would: the same headers, parts and octets, for any input."""

import asyncio
import email
import email.policy
import re
import string
import uuid
from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage, Message
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from channels.mailbox import Mailbox
from channels.port import Attachment, Outgoing
from channels.smtp import mail as composing
from channels.smtp.mail import Composer, InvalidMail, Mail
from channels.smtp.texts import encode_text
from tests.channels.smtp import reference
from tests.channels.smtp.rig import SENDER

pytestmark = pytest.mark.servers

ID = uuid.UUID("0190c3f2-7c5e-7a07-8f2a-7f7f1a2b3c4d")
BOUNDARY = re.compile(rb'boundary="([^"]+)"')

# Characters that mean something to a mail server or to MIME, and some of every kind beside them.
_special = st.sampled_from(
    ["\r\n", "\n", "\r", "\0", ".", "\r\n.", "\r\n.\r\n", "=", "=20", " ", "\t", "--", "\x0b", "\x0c", "\x1c", "\x85",
     "\u2028", "\ud800", "ü", "한", "😀", "=?utf-8?q?x?=", "\r\nBcc: eve@example.com", "x" * 77, "x" * 79, "x" * 998,
     "ü" * 40, "=" * 80, " " * 90, "~", "\x7f", "-" * 76, "\ufeff", "%", "%b", "$", '"', "\\", "<", ">", ",", ":"]
)  # fmt: skip
_texts = st.lists(_special | st.text(max_size=30) | st.text(string.printable, max_size=90), max_size=25).map(
    "".join
)
_lines = st.lists(_special | st.text(max_size=20) | st.text(string.ascii_letters + " ", max_size=60), max_size=6).map(
    "".join
)  # fmt: skip
_local = st.text(string.ascii_letters + string.digits + "!#$%&'*+/=?^_`{|}~-.", min_size=1, max_size=70)
_domain = st.sampled_from(
    ["example.com", "EXAMPLE.Com", "bücher.example", "xn--bcher-kva.example", "localhost", "a..b", "a-.com", "-a.b",
     "[127.0.0.1]", "example.com.", "x" * 63 + ".example", "x" * 64 + ".example", "1.2.3.4", "a_b.c", "example.123",
     ".".join(["x" * 60] * 3) + ".example", "exämple.com", "test", "a.b" + "c" * 190]
)  # fmt: skip
_addresses = st.one_of(
    st.just("anna@example.com"),
    st.builds("{}@{}".format, _local, _domain),
    st.sampled_from(["Postmaster@example.com", "ABUSE@example.com", '"john doe"@example.com', "grüße@example.com"]),
    st.builds("{} <{}@example.com>".format, _lines, _local),
    _lines,
)  # fmt: skip
_names = st.sampled_from(
    ["X-A", "List-Unsubscribe", "bcc", "Content-Type", "X" * 76, "X" * 77, "x y", "", "X-Ä"]
)
_attachments = st.builds(
    Attachment,
    name=st.sampled_from(["a.pdf", "März.pdf", "a" * 200 + ".pdf", 'q"\\.pdf', "", "日本語 " * 30]) | _lines,
    mime=st.sampled_from(["application/pdf", "text/plain", "TEXT/Html", "message/rfc822", "multipart/mixed", "x",
        "a/b\r\nC: d"]),
    data=st.binary(max_size=300) | st.sampled_from([b"", b".\r\n.\r\n", b"x" * 57, b"x" * 58]),
)  # fmt: skip
_messages = st.builds(
    Outgoing,
    id=st.just(ID),
    key=st.just("key") | _lines,
    to=st.just("anna@example.com") | _addresses,
    body=_texts,
    subject=st.none() | st.just("Hello") | _lines,
    html=st.none() | _texts,
    reply_to=st.none() | st.just("Help <help@example.com>") | _addresses,
    headers=st.just({}) | st.dictionaries(_names, _lines, max_size=3),
    attachments=st.just(()) | st.lists(_attachments, max_size=3),
)
_senders = st.sampled_from(
    [SENDER, Mailbox("", "ü", "example.com"), Mailbox("Größe, AG " * 9, "news", "x" * 60 + ".example")]
)
KEPT = {sender: Composer(sender) for sender in (SENDER,)}  # it has seen all earlier examples


def result(compose: Callable[[], Mail | reference.Mail]) -> Any:
    """Returns what the recipient's side reads, or the refusal."""
    try:
        mail = compose()
    except InvalidMail as error:
        return error.code, str(error)
    content = re.sub(rb"(?m)^\.", b"", mail.content)  # RFC 5321 §4.5.2
    assert mail.content == re.sub(rb"(?m)^\.", b"..", content)
    assert mail.size == len(content)
    assert content.endswith(b"\r\n")
    assert not re.search(rb"\r(?!\n)|(?<!\r)\n", content)
    assert content.isascii() or mail.utf8
    head, _, body = content.partition(b"\r\n\r\n")
    for number, boundary in enumerate(BOUNDARY.findall(content)):
        assert len(boundary) <= 70  # RFC 2046 §5.1.1
        assert body.count(b"--" + boundary) == body.count(b"\r\n--" + boundary) + body.startswith(
            b"--" + boundary
        )
        head = head.replace(boundary, b"b%d" % number)
    raw_head = re.sub(rb"\r\n\s", b" ", re.sub(rb"(?m)^Date: .*$", b"", head))
    parts = [read(part) for part in email.message_from_bytes(content).walk()]
    modern = [read(part) for part in email.message_from_bytes(content, policy=email.policy.default).walk()]
    return mail.message_id, mail.sender, mail.recipient, mail.utf8, raw_head, parts, modern


def read(part: Message) -> Any:
    fields = [
        (name, None if name in ("Date", "X-Postern-Key") else re.sub(r'\s*boundary="[^"]+"', "", str(value)))
        for name, value in part.items()
    ]
    octets = None if part.is_multipart() else part.get_payload(decode=True)
    defects = part.defects and [type(defect) for defect in part.defects]
    about = fields, part.get_content_type(), part.get_filename()
    return *about, octets, part.preamble, part.epilogue, defects


def hello(**changes: Any) -> Outgoing:
    return replace(Outgoing(ID, "key", "anna@example.com", "Hello"), **changes)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(message=_messages, sender=_senders)
@example(hello(body="x" * 78 + "\n" + "x" * 79), SENDER)
@example(hello(body="ü", html="é" * 30 + " \t", subject="Grüße"), SENDER)
@example(hello(body="\n.\n..\n", html=".\r\n.", attachments=[Attachment(".", "text/plain", b".")]), SENDER)
@example(hello(attachments=[Attachment("\ud800", "x", b""), Attachment("", "x", b"")]), SENDER)
@example(hello(body="é" + "x" * 68 + " ", html="é" + "x" * 143 + "\t\nx"), SENDER)
@example(hello(body="%b%d", html="%s", subject="%b", headers={"X-A": "%b"}), SENDER)
@example(hello(to="a" * 64 + "@" + "x" * 60 + ".example"), SENDER)
def test_the_composer_writes_what_the_email_package_writes(message: Outgoing, sender: Mailbox) -> None:
    expected = result(lambda: reference.compose(message, sender))
    for _ in range(2):  # from the caches, the second time
        assert result(lambda: KEPT.setdefault(sender, Composer(sender)).compose(message)) == expected


@settings(max_examples=200, deadline=None)
@given(_texts)
@example("é" + "x" * 68 + " ")
@example("é" + "x" * 143 + "\t\nx")
def test_quoted_printable_lines_have_76_octets_at_most(text: str) -> None:
    try:
        encoding, body = encode_text(text)
    except UnicodeEncodeError:
        return
    assert max(map(len, body.split(b"\r\n"))) <= (78 if encoding == b"7bit" else 76)


@settings(max_examples=300, deadline=None)
@given(st.builds("{}@{}".format, _local, _domain) | _addresses)
def test_a_recipient_is_read_as_by_the_full_parser(text: str) -> None:
    composer = Composer(SENDER)
    for _ in range(2):
        try:
            expected = Mailbox.parse(text)
        except ValueError as error:
            with pytest.raises(ValueError, match=re.escape(str(error))):
                composer._recipient(text)
        else:
            assert composer._recipient(text) == expected


@pytest.mark.parametrize("end", ["", "\n", " ", "\t\n", "\nx" * 9, "\nü" * 10])
def test_the_encoding_is_chosen_as_the_email_package_does(end: str) -> None:
    """At the border between quoted-printable and base64, one octet and one soft line break decide."""
    chosen = set()
    for plain in range(0, 320, 20):
        for escaped in range(plain // 12, plain // 5 + 8):
            text = "x" * plain + "ü" * (escaped // 2) + "=" * (escaped % 2) + end
            part = EmailMessage(reference._POLICY)
            part.set_content(text)
            encoding, _ = encode_text(text)
            assert encoding.decode() == part["Content-Transfer-Encoding"], (plain, escaped)
            chosen.add(encoding)
    assert chosen >= {b"base64", b"quoted-printable"}


@pytest.mark.parametrize("length", range(252, 257))
@pytest.mark.parametrize("domain", ["x" * 60 + ".example", "xn--bcher-kva.example"])
def test_addresses_are_as_long_as_the_full_parser_says(domain: str, length: int) -> None:
    composer = Composer(SENDER)
    composer._recipient(f"anna@{domain}")
    text = f"{'a' * (length - len(domain) - 1)}@{domain}"
    try:
        expected = Mailbox.parse(text)
    except ValueError:
        assert length > 254 or domain.startswith("xn--")
        with pytest.raises(ValueError):
            composer._recipient(text)
    else:
        assert composer._recipient(text) == expected


# What is kept


def test_an_attachment_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[int] = []

    def encode(data: bytes) -> bytes:
        encoded.append(len(data))
        return b"eA==\r\n"

    monkeypatch.setattr(composing, "base64_lines", encode)
    composer = Composer(SENDER)
    small, large = Attachment("a", "a/b", b"x" * 1000), Attachment("b", "a/b", b"y" * 100_000)

    async def compose(*attachments: Attachment) -> Mail:
        message = hello(attachments=attachments)
        await composer.prepare(message)
        return composer.compose(message)

    async def all_at_once() -> list[Mail]:
        return await asyncio.gather(*(compose(small, large) for _ in range(5)))

    mails = asyncio.run(all_at_once())
    assert sorted(encoded) == [1000, 100_000]
    assert len({mail.content for mail in mails}) == 5  # each has a boundary of its own


def test_what_is_kept_is_bounded() -> None:
    composer = Composer(SENDER)
    for number in range(600):
        name = f"{number}.pdf"
        data = bytes(60_000)
        html = f"ü{number}" * 3000
        composer.compose(
            hello(
                to=f"anna@example{number}.com",
                subject=name,
                html=html,
                reply_to=f"{name} <a@b.com>",
                attachments=[Attachment(name, "a/b", data)],
            )
        )
    assert composer._attachments.currsize <= 32 << 20
    assert composer._texts.currsize <= 4 << 20
    assert len(composer._subjects) == len(composer._reply_tos) == len(composer._attachment_heads) == 500
    composer.compose(hello(attachments=[Attachment("large", "a/b", bytes(20 << 20))], body="ü" * 300_000))
    assert composer._attachments.currsize <= 32 << 20
    composer.compose(hello(subject="ü" * 3000))
    assert "ü" * 3000 not in composer._subjects
