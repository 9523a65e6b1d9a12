"""DKIM signatures of ours are valid for a verifier of others, dkimpy."""

from collections.abc import Sequence

import dkim as dkimpy
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from hypothesis import given, settings
from hypothesis import strategies as st

from channels.mailbox import Mailbox
from channels.port import Attachment, MailReference, MailSigner, Outgoing, Result
from channels.smtp import dkim
from channels.smtp.mail import Composer, InvalidMail, Mail
from engine.domains.dkim_keys import public_key, record
from tests.channels.peer_smtp import peer
from tests.channels.smtp.rig import SENDER, message, opened, send
from tests.support.examples import examples

RSA = MailSigner("example.com", "one", rsa.generate_private_key(65537, 2048))
ED25519 = MailSigner("example.com", "two", ed25519.Ed25519PrivateKey.generate())
NOW = 1_790_000_000
HEAD = b"From: news@example.com\r\nTo: anna@example.com\r\nSubject: Hello\r\n"


def records(*signers: MailSigner) -> dict[str, str]:
    """The DNS records of keys, by name."""
    return dict(
        record(
            signer.domain,
            signer.selector,
            "ed25519" if isinstance(signer.key, ed25519.Ed25519PrivateKey) else "rsa",
            public_key(signer.key),
        )
        for signer in signers
    )


def verified(content: bytes, *signers: MailSigner) -> bool:
    """Returns whether dkimpy finds each signature valid."""
    found = records(*signers)

    def txt(name: bytes, timeout: float = 5) -> bytes | None:
        value = found.get(name.decode().removesuffix("."))
        return value.encode() if value else None

    try:
        return all(dkimpy.DKIM(content).verify(index, dnsfunc=txt) for index in range(len(signers)))
    except dkimpy.ValidationError:  # of the body; a wrong signature is False
        return False


def signed(content: bytes, *signers: MailSigner) -> bytes:
    return dkim.sign(content, signers, NOW) + content


def sent(mail: Mail) -> bytes:
    """Returns a mail as a server stores it: without the dots that the protocol adds."""
    return mail.signed().content.replace(b"\r\n..", b"\r\n.")


def outgoing(*signers: MailSigner, **more: object) -> Outgoing:
    return message(signers=lambda _: signers, **more)


BODIES = {
    "plain": b"Hello\r\n",
    "empty": b"",
    "one empty line": b"\r\n",
    "only empty lines": b"\r\n\r\n\r\n",
    "trailing empty lines": b"Hello\r\n\r\n\r\n\r\n",
    "no end of line": b"Hello",
    "white space alone": b"   \r\n\t\r\n",
    "white space at ends": b"Hello \t \r\n  you\t\r\n \r\n",
    "white space in lines": b"a  b\t\tc \t d\r\n",
    "leading dots": b".\r\n..\r\n.hidden\r\n...\r\n",
    "8 bit": "Grüße 👋 \r\n".encode(),
    "latin-1": b"Gr\xfc\xdfe\r\n",
    "long lines": b"x" * 998 + b"\r\n" + b"y " * 5_000 + b"\r\n",
}


@pytest.mark.parametrize("signer", [RSA, ED25519], ids=["rsa", "ed25519"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_any_body(body: bytes, signer: MailSigner) -> None:
    assert verified(signed(HEAD + b"\r\n" + body, signer), signer)


HEADS = {
    "folded": b"From: news@example.com\r\nSubject: one\r\n two\r\n\t three  four \r\n",
    "empty field": b"From: news@example.com\r\nSubject:\r\nTo: anna@example.com\r\n",
    "twice": b"From: news@example.com\r\nTo: a@example.com\r\nTo: b@example.com\r\nSubject: x\r\n",
    "8 bit": "From: grüße@example.com\r\nSubject: Grüße\r\n".encode(),
    "upper case": b"FROM: news@example.com\r\nSUBJECT: x\r\nMESSAGE-ID: <a@b>\r\n",
    "long": b"From: news@example.com\r\nSubject: " + b"x" * 900 + b"\r\n",
    "of lists": b"From: news@example.com\r\nList-Unsubscribe: <https://example.com/u>\r\n"
    b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\nFeedback-ID: a:b:postern\r\n",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_any_head(head: bytes) -> None:
    assert verified(signed(head + b"\r\nHello\r\n", RSA, ED25519), RSA, ED25519)


_pieces = st.sampled_from([b"\r\n", b" ", b"\t", b".", b"x", b"\xc3\xbc", b"=20", b"\r\n.", b" \r\n", b"  "])


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(_pieces, max_size=40).map(b"".join))
def test_generated_bodies(body: bytes) -> None:
    body += b"\r\n"  # as each of ours ends
    assert verified(signed(HEAD + b"\r\n" + body, ED25519), ED25519)
    assert dkim.relaxed_body(body) == dkimpy.canonicalization.Relaxed.canonicalize_body(body)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(_pieces.filter(lambda piece: b"\r\n" not in piece), max_size=20).map(b"".join))
def test_generated_fields(value: bytes) -> None:
    [(name, other)] = dkimpy.canonicalization.Relaxed.canonicalize_headers([(b"Subject", value + b"\r\n")])
    assert dkim.relaxed_field(b"Subject", value) == name + b":" + other


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"body": ""},
        {"body": ".\n..\n.hidden\n\n\n"},
        {"body": "Grüße 👋\n" * 50, "subject": "Grüße " * 40, "html": "<b>ü</b>"},
        {"body": "x" * 5_000},
        {"subject": "word " * 300, "reply_to": "Support <help@example.com>"},
        {"headers": {"List-Unsubscribe": "<https://example.com/u?" + "x" * 300 + ">"}},
        {"attachments": [Attachment("ü.pdf", "application/pdf", bytes(range(256)) * 2_000)]},
        {"to": "grüße@example.com"},
    ],
    ids=["plain", "empty", "dots", "alternative", "long", "folded", "list", "attachment", "utf8"],
)
def test_a_composed_mail(more: dict[str, object]) -> None:
    mail = Composer(SENDER).compose(outgoing(RSA, ED25519, **more))
    content = sent(mail)
    assert verified(content, RSA, ED25519)
    assert mail.signed().size == len(content)
    assert max(map(len, content.partition(b"\r\n\r\n")[0].split(b"\r\n"))) <= 998


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"Subject: Hello", b"Subject: Hallo"),
        (b"\r\n\r\nHello", b"\r\n\r\nHallo"),
        (b"Feedback-ID: p:o:postern", b"Feedback-ID: p:x:postern"),
        (b"Subject: Hello", b"Subject: Hello\r\nFrom: eve@example.com"),
        (b"Subject: Hello", b"Subject: Hello\r\nReply-To: eve@example.com"),
        (b"Subject: Hello", b"Subject: Hello\r\nSubject: Hi"),
        (b"Subject: Hello", b"Subject: Hello\r\nList-Id: <eve.example.com>"),
        (b"Subject: Hello", b"Subject: Hello\r\nList-Unsubscribe: <https://eve.example.com>"),
    ],
)
def test_a_changed_mail_is_found(before: bytes, after: bytes) -> None:
    reference = MailReference("b-token", "token", "p:o:postern")
    mail = Composer(SENDER).compose(outgoing(RSA, subject="Hello", reference=lambda: reference))
    content = sent(mail)
    assert b"\r\nFeedback-ID: p:o:postern\r\n" in content
    assert b"X-Postern-Ref" not in content
    assert verified(content, RSA)
    assert before in content
    assert not verified(content.replace(before, after), RSA)


def test_the_domain_of_the_sender_is_asked_for() -> None:
    asked: list[str] = []

    def signers(domain: str) -> Sequence[MailSigner]:
        asked.append(domain)
        return ()

    mail = Composer(Mailbox.parse("news@bücher.example")).compose(message(signers=signers))
    assert asked == ["xn--bcher-kva.example"]
    assert mail.signed() is mail
    assert b"DKIM-Signature" not in mail.content


def test_nobody_brings_a_signature_along() -> None:
    with pytest.raises(InvalidMail, match="none that may be added"):
        Composer(SENDER).compose(message(headers={"DKIM-Signature": "v=1"}))


async def test_a_server_gets_what_was_signed() -> None:
    async with peer() as server, opened(server.dsn) as channel:
        body = ".\n" + "Grüße \n" * 20
        outcome = await send(channel, outgoing(RSA, body=body, html="<p>.</p>", subject="Grüße"))
    assert outcome.result is Result.sent
    [content] = server.raw
    assert content.startswith(
        b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=one;\r\n"
    )
    assert verified(content, RSA)
