"""Composes an email for SMTP: addresses, headers and content.

Everything is written by hand, in the form that Python's email package gives it: the package needs a millisecond for a
short text. The common parts of many mails are encoded once; the caches belong to the channel and are bounded.
"""

import asyncio
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import format_datetime, localtime
from typing import Final

from cachetools import LRUCache
from email_validator import EmailNotValidError
from email_validator.rfc_constants import CASE_INSENSITIVE_MAILBOX_NAMES

from channels.mailbox import Mailbox
from channels.port import Attachment, MailReference, MailSigner, Outgoing
from channels.smtp import dkim, headers, submitted
from channels.smtp.texts import attachment_head, base64_lines, encode_text

_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_HEADER = re.compile(r"[!-9;-~]{1,76}")  # a field's name (RFC 5322 §2.2)
_LINE = 998  # characters that a line may have (RFC 5322 §2.1.1)
# A dot-atom and a domain of letters, digits and hyphens (RFC 5321 §4.1.2), which need no full parser.
_PLAIN_ADDRESS = re.compile(
    r"([A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*)@([A-Za-z0-9.-]+)"
)
_LONGEST_ADDRESS = 254  # octets (RFC 5321 §4.5.3.1.3, without the angle brackets)
# Headers that callers can't set: they say where a message comes from, where it goes and how it is built.
_OURS = {
    "bcc",
    "cc",
    "date",
    "dkim-signature",
    "feedback-id",
    "from",
    "message-id",
    "mime-version",
    "postern-key",
    "x-postern-key",
    "received",
    "reply-to",
    "return-path",
    "sender",
    "subject",
    "to",
    "x-postern-ref",
}

_MOST_ATTACHMENT_OCTETS: Final = 32 * 1024 * 1024  # attachments that are kept, as they are and encoded
_ENCODED_AT_ONCE: Final = 64 * 1024  # octets of attachments; more are encoded in a thread
_MOST_TEXT_OCTETS: Final = 4 * 1024 * 1024  # encoded texts that are kept
_LONGEST_TEXT: Final = 256 * 1024  # octets of an encoded text that is kept
_ENTRY_OCTETS: Final = 500  # that any entry takes, so that short ones are bounded too
_LONGEST_FIELD: Final = 2_000  # characters of a field that is kept
_MOST_FIELDS: Final = 500  # subjects, Reply-To fields and heads of attachments, each
_MOST_DOMAINS: Final = 5_000
_MIME_VERSION: Final = b"MIME-Version: 1.0\r\n"


class InvalidMail(ValueError):
    """A message that can't be sent by SMTP; `code` is the outcome's, the text its reason."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


@dataclass(frozen=True, slots=True)
class Mail:
    """One message, ready to send."""

    message_id: str  # with its angle brackets
    sender: str
    recipient: str
    pieces: tuple[
        bytes, ...
    ]  # the content in order: lines end in CRLF, dots are stuffed, without the final dot
    size: int  # octets before dot stuffing, as SIZE counts them (RFC 1870)
    utf8: bool  # an address is not ASCII: the server must offer SMTPUTF8
    signers: Sequence[MailSigner] = ()
    eight_bit: bool = False  # the body is not ASCII: the server must offer 8BITMIME

    def signed(self) -> "Mail":
        """Returns the mail with its DKIM signatures. It takes up to a millisecond, and more for large attachments."""
        if not self.signers:
            return self
        # Each line that begins with a dot has got a second one, so this gives the content as it was.
        fields = dkim.sign(self.content.replace(b"\r\n..", b"\r\n."), self.signers, int(time.time()))
        return replace(self, pieces=(fields, *self.pieces), size=self.size + len(fields))

    @property
    def content(self) -> bytes:
        """Returns all pieces as one."""
        return b"".join(self.pieces)


class Composer:
    """Composes the mails of one sender. It belongs to one event loop, because its caches have no lock."""

    def __init__(
        self, sender: Mailbox, bounce: str | None = None, report_fields: Callable[[str], str] | None = None
    ) -> None:
        """`bounce`: the domain to which bounces come, each to an address of its own. `report_fields` returns the header
        fields with a token that the provider's reports bring back.
        """
        self._sender, self._bounce, self._report_fields = sender, bounce, report_fields
        self._from = headers.address("From", sender)
        self._date = (0, b"")  # the second, and its field
        self._domains: LRUCache[str, str] = LRUCache(_MOST_DOMAINS)
        self._subjects: LRUCache[str, str] = LRUCache(_MOST_FIELDS)
        self._senders: LRUCache[str, tuple[Mailbox, str]] = LRUCache(_MOST_FIELDS)
        self._reply_tos: LRUCache[str, tuple[str, bool]] = LRUCache(_MOST_FIELDS)
        self._attachment_heads: LRUCache[tuple[str, str], bytes] = LRUCache(_MOST_FIELDS)
        self._texts: LRUCache[str, tuple[bytes, bytes]] = LRUCache(
            _MOST_TEXT_OCTETS, getsizeof=lambda encoded: len(encoded[1]) + _ENTRY_OCTETS
        )
        # By the identity of the data, which lives as long as its entry. To find equal data, megabytes would be read.
        self._attachments: LRUCache[int, tuple[bytes, bytes]] = LRUCache(
            _MOST_ATTACHMENT_OCTETS, getsizeof=lambda entry: len(entry[0]) + len(entry[1])
        )
        self._encoding = asyncio.Lock()

    async def prepare(self, message: Outgoing) -> None:
        """Encodes large attachments in a thread, once for all mails that have them."""
        if sum(len(attachment.data) for attachment in message.attachments) <= _ENCODED_AT_ONCE:
            return
        async with self._encoding:
            for attachment in message.attachments:
                if id(attachment.data) not in self._attachments:
                    self._keep(attachment.data, await asyncio.to_thread(base64_lines, attachment.data))

    def compose(self, message: Outgoing) -> Mail:
        """Composes a message. Raises InvalidMail for a recipient or content that no server could accept."""
        try:
            recipient = self._recipient(message.to)
        except ValueError as error:
            raise InvalidMail("invalid_recipient", f"not an email address: {_plain(error)}") from None
        try:
            reply_to, utf8 = self._reply_to(message.reply_to)
        except ValueError as error:
            reason = f"reply_to is not an email address: {_plain(error)}"
            raise InvalidMail("invalid_content", reason) from None
        for name, value in (("subject", message.subject), ("key", message.key)):
            if value is not None and _CONTROLS.search(value):
                raise InvalidMail("invalid_content", f"the {name} holds a line break or control character")
        try:
            sender, from_field = self._from_of(message.sender)
        except ValueError as error:
            raise InvalidMail("invalid_content", f"from is not an email address: {_plain(error)}") from None
        utf8 = utf8 or not all(box.local.isascii() for box in (self._sender, sender, recipient))
        message_id = f"<{message.id}@{self._sender.domain}>"
        signers = message.signers(sender.domain) if message.signers else ()
        reference = None
        returns = self._bounce is not None or self._report_fields is not None
        if message.reference is not None and (returns or signers):
            reference = message.reference()
        whole = None
        try:
            if message.mail is None:
                pieces, size = self._pieces(message, message_id, from_field, recipient, reply_to, reference)
            else:
                whole = self._whole(message, message.mail, reference)
                (pieces, size), utf8 = _stuffed(whole.content), utf8 or whole.utf8
                message_id = whole.message_id or message_id
        except InvalidMail:
            raise
        except ValueError as error:  # lone surrogates, a line separator in the subject
            reason = f"cannot be written as an email: {_plain(error)}"
            raise InvalidMail("invalid_content", reason) from None
        envelope = (
            f"{reference.local_part}@{self._bounce}" if reference and self._bounce else self._sender.spec
        )
        return Mail(
            message_id, envelope, recipient.spec, pieces, size, utf8, signers, bool(whole and whole.eight_bit)
        )

    def _whole(self, message: Outgoing, mail: bytes, reference: MailReference | None) -> submitted.Whole:
        """Returns a submitted email with the fields that name the message. Raises InvalidMail."""
        token, feedback = self._reference_fields(reference)
        listed = further_headers(message.headers)
        return submitted.with_fields(
            mail, _key_field(message) + token, {b"feedback-id": feedback, b"list-unsubscribe": listed}
        )

    def _pieces(
        self,
        message: Outgoing,
        message_id: str,
        from_field: str,
        recipient: Mailbox,
        reply_to: str,
        reference: MailReference | None,
    ) -> tuple[tuple[bytes, ...], int]:
        """Returns the content, and its octets before dots are stuffed. Raises ValueError, InvalidMail."""
        to = headers.address("To", recipient)
        subject = self._subject(message.subject)
        text = self._text(message.body)
        html = self._text(message.html) if message.html is not None else None
        for attachment in message.attachments:
            if not attachment.name or _CONTROLS.search(attachment.name):
                reason = "an attachment's name is empty or holds control characters"
                raise InvalidMail("invalid_content", reason)
        # Ids and URLs stay whole, on one line each: servers and mail programs compare them. A field without X- whose
        # value begins with a digit is a spoof to SpamAssassin (its rule RAND_HEADER_LIST_SPOOF).
        head = b"Message-ID: %b\r\n%b%b%b%b%b" % (
            message_id.encode("ascii"),
            _key_field(message),
            f"{from_field}{to}{reply_to}{subject}".encode(),
            b"".join(self._reference_fields(reference)),
            further_headers(message.headers),
            self._date_field(),
        )
        if html is None and not message.attachments:
            return _stuffed(head + _text_part(b"plain", text, _MIME_VERSION))
        # 128 random bits are in no part (RFC 2046 §5.1.1), and no encoding writes "=_" (RFC 2045 §6.7).
        random = os.urandom(16).hex().encode()
        body = _text_part(b"plain", text)
        if html is not None:
            has_text = bool(message.body.strip())
            if not has_text and not message.attachments:
                return _stuffed(head + _text_part(b"html", html, _MIME_VERSION))
            hypertext = _text_part(b"html", html, _MIME_VERSION if has_text else b"")
            # An empty text part would say to readers without HTML, and to filters, that the mail is empty.
            body = _alternative(b"=_a" + random, body, hypertext) if has_text else hypertext
        if not message.attachments:
            return _stuffed(head + _MIME_VERSION + body)
        boundary = b"=_m" + random
        pieces, size = _stuffed(
            b'%b%bContent-Type: multipart/mixed;\r\n boundary="%b"\r\n\r\n--%b\r\n%b'
            % (head, _MIME_VERSION, boundary, boundary, body)
        )
        attached = [
            piece for attachment in message.attachments for piece in self._attached(attachment, boundary)
        ]
        attached.append(b"\r\n--%b--\r\n" % boundary)
        return (*pieces, *attached), size + sum(map(len, attached))

    def _recipient(self, text: str) -> Mailbox:
        """Works as Mailbox.parse does, without the full parser where the domain is known. Raises ValueError."""
        match = _PLAIN_ADDRESS.fullmatch(text) if len(text) <= _LONGEST_ADDRESS else None
        if match is None or match[1].lower() in CASE_INSENSITIVE_MAILBOX_NAMES:
            return Mailbox.parse(text)
        local, domain = match.groups()
        if (ascii_domain := self._domains.get(domain)) is None:
            ascii_domain = Mailbox.parse(text).domain
            # The full parser limits the length of the domain's letters, too, not only of their ASCII form.
            if "xn--" not in ascii_domain:
                self._domains[domain] = ascii_domain
        return Mailbox("", local, ascii_domain)

    def _from_of(self, text: str | None) -> tuple[Mailbox, str]:
        """Returns the mailbox of the From, and its field. Raises ValueError."""
        if text is None:
            return self._sender, self._from
        if (sender := self._senders.get(text)) is None:
            mailbox = Mailbox.parse(text)
            sender = self._senders[text] = (mailbox, headers.address("From", mailbox))
        return sender

    def _reply_to(self, text: str | None) -> tuple[str, bool]:
        """Returns the field or nothing, and whether it has letters beyond ASCII before the @. Raises ValueError."""
        if text is None:
            return "", False
        if (field := self._reply_tos.get(text)) is None:
            mailbox = Mailbox.parse(text)
            field = (headers.address("Reply-To", mailbox), not mailbox.local.isascii())
            if len(text) <= _LONGEST_FIELD:
                self._reply_tos[text] = field
        return field

    def _subject(self, text: str | None) -> str:
        """Returns the field or nothing. Raises ValueError."""
        if text is None:
            return ""
        if (field := self._subjects.get(text)) is None:
            field = headers.field("Subject", text)
            if len(field) <= _LONGEST_FIELD:
                self._subjects[text] = field
        return field

    def _text(self, text: str) -> tuple[bytes, bytes]:
        """Returns the encoding, and the text in it. Raises ValueError."""
        if (encoded := self._texts.get(text)) is None:
            encoded = encode_text(text)
            # A text that needs no encoding is written as fast as it is found.
            if encoded[0] != b"7bit" and len(encoded[1]) <= _LONGEST_TEXT:
                self._texts[text] = encoded
        return encoded

    def _reference_fields(self, reference: MailReference | None) -> tuple[bytes, bytes]:
        """Returns the fields by which reports name the message: those with the token, which is sent only if reports
        come back to us, and Feedback-ID, which providers use if it is signed.
        """
        if reference is None:
            return b"", b""
        token = ""
        if self._bounce is not None or self._report_fields is not None:
            token = f"X-Postern-Ref: {reference.token}\r\n"
        if self._report_fields is not None:
            token += self._report_fields(reference.token)
        return token.encode("ascii"), f"Feedback-ID: {reference.feedback_id}\r\n".encode("ascii")

    def _date_field(self) -> bytes:
        now = int(time.time())
        if self._date[0] != now:
            self._date = (now, f"Date: {format_datetime(localtime())}\r\n".encode())
        return self._date[1]

    def _attached(self, attachment: Attachment, boundary: bytes) -> tuple[bytes, bytes]:
        """Returns the head of an attachment with the delimiter before it, and its encoded data. Raises ValueError."""
        kind = (attachment.name, attachment.mime)
        if (head := self._attachment_heads.get(kind)) is None:
            head = attachment_head(*kind)
            if len(head) + len(attachment.mime) <= _LONGEST_FIELD:
                self._attachment_heads[kind] = head
        entry = self._attachments.get(id(attachment.data))
        encoded = base64_lines(attachment.data) if entry is None else entry[1]
        if entry is None:
            self._keep(attachment.data, encoded)
        return b"\r\n--%b\r\n%b" % (boundary, head), encoded

    def _keep(self, data: bytes, encoded: bytes) -> None:
        if len(data) + len(encoded) <= _MOST_ATTACHMENT_OCTETS:
            self._attachments[id(data)] = (data, encoded)


def _key_field(message: Outgoing) -> bytes:
    return b"X-Postern-Key: <%b>\r\n" % message.key.encode("ascii", "backslashreplace")


def _text_part(subtype: bytes, encoded: tuple[bytes, bytes], more: bytes = b"") -> bytes:
    """Returns a text with its MIME fields (RFC 2045), in the order in which Python's email package has them."""
    return b'Content-Type: text/%b; charset="utf-8"\r\nContent-Transfer-Encoding: %b\r\n%b\r\n%b' % (
        subtype,
        encoded[0],
        more,
        encoded[1],
    )


def _alternative(boundary: bytes, text: bytes, html: bytes) -> bytes:
    """Returns both as one multipart (RFC 2046 §5.1.4)."""
    return (
        b'Content-Type: multipart/alternative;\r\n boundary="%b"\r\n\r\n'
        b"--%b\r\n%b\r\n--%b\r\n%b\r\n--%b--\r\n" % (boundary, boundary, text, boundary, html, boundary)
    )


def _stuffed(content: bytes) -> tuple[tuple[bytes], int]:
    """Returns the content with a dot before each line that begins with one (RFC 5321 §4.5.2); its length before."""
    return (content.replace(b"\r\n.", b"\r\n.."),), len(content)


def further_headers(more: Mapping[str, str]) -> bytes:
    """Returns the caller's header lines. Raises InvalidMail for more than one line, or a header of _OURS."""
    lines = []
    for name, value in more.items():
        lower_name = name.lower()
        if (
            not _HEADER.fullmatch(name)
            or lower_name in _OURS
            or lower_name.startswith(("content-", "resent-"))
        ):
            raise InvalidMail("invalid_content", "a header's name is none that may be added")
        if _CONTROLS.search(value) or not value.strip():
            raise InvalidMail(
                "invalid_content", f"the header {name} is empty or holds a line break or control character"
            )
        line = f"{name}: {value}\r\n" if value.isascii() else headers.field(name, value)
        if max(map(len, line.split("\r\n"))) > _LINE:
            raise InvalidMail("invalid_content", f"the header {name} is longer than {_LINE} characters")
        lines.append(line)
    return "".join(lines).encode("ascii")


def _plain(error: Exception) -> str:
    """Returns why a value cannot be used, without the value: it may be long, or not printable."""
    return str(error).split("'")[0].strip() if isinstance(error, EmailNotValidError) else type(error).__name__
