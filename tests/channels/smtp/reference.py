"""The composer that wrote every mail with Python's email package. The property test compares `Composer` with it."""

import re
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import localtime

from aiosmtplib.protocol import normalize_message_line_endings
from email_validator import EmailNotValidError

from channels.mailbox import Mailbox
from channels.port import Attachment, Outgoing
from channels.smtp import headers
from channels.smtp.mail import InvalidMail, further_headers

# 7 bit: no server can damage it, and 8BITMIME need not be negotiated.
_POLICY = SMTP.clone(cte_type="7bit")
_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_MIME = re.compile(r"[A-Za-z0-9!#$&^_.+-]{1,127}/[A-Za-z0-9!#$&^_.+-]{1,127}")


@dataclass(frozen=True, slots=True)
class Mail:
    """One message, ready to send."""

    message_id: str  # with its angle brackets
    sender: str
    recipient: str
    content: bytes  # lines end in CRLF, dots are stuffed, without the final dot
    size: int  # octets before dot stuffing, as SIZE counts them (RFC 1870)
    utf8: bool  # an address is not ASCII: the server must offer SMTPUTF8


def compose(message: Outgoing, sender: Mailbox) -> Mail:
    """Composes a message. Raises InvalidMail for a recipient or content that no server could accept."""
    try:
        recipient = Mailbox.parse(message.to)
    except ValueError as error:
        raise InvalidMail("invalid_recipient", f"not an email address: {_plain(error)}") from None
    try:
        reply_to = Mailbox.parse(message.reply_to) if message.reply_to is not None else None
    except ValueError as error:
        raise InvalidMail("invalid_content", f"reply_to is not an email address: {_plain(error)}") from None
    for name, value in (("subject", message.subject), ("key", message.key)):
        if value is not None and _CONTROLS.search(value):
            raise InvalidMail("invalid_content", f"the {name} holds a line break or control character")
    utf8 = not all(box.local.isascii() for box in (sender, recipient, reply_to) if box is not None)
    mail = EmailMessage(_POLICY)
    try:
        head = headers.address("From", sender) + headers.address("To", recipient)
        if reply_to is not None:
            head += headers.address("Reply-To", reply_to)
        if message.subject is not None:
            head += headers.field("Subject", message.subject)
        mail["Date"] = localtime()
        if message.html is not None and not message.body.strip():
            mail.set_content(message.html, subtype="html")
        else:
            mail.set_content(message.body)
        if message.html is not None and message.body.strip():
            mail.add_alternative(message.html, subtype="html")
        # All names are checked before one is written: of two that are wrong in two ways, this one is reported.
        for attachment in message.attachments:
            if not attachment.name or _CONTROLS.search(attachment.name):
                reason = "an attachment's name is empty or holds control characters"
                raise InvalidMail("invalid_content", reason)
        for attachment in message.attachments:
            _attach(mail, attachment)
        key = message.key.encode("ascii", "backslashreplace")
        message_id = f"<{message.id}@{sender.domain}>"
        # Written by hand: the library would fold or encode an id or a URL that is longer than a line, and its
        # encoded words are too long.
        content = b"Message-ID: %b\r\nX-Postern-Key: <%b>\r\n%b%b%b" % (
            message_id.encode("ascii"),
            key,
            head.encode(),
            further_headers(message.headers),
            normalize_message_line_endings(mail.as_bytes()),
        )
    except InvalidMail:
        raise
    except ValueError as error:  # lone surrogates, a line separator in the subject
        raise InvalidMail("invalid_content", f"cannot be written as an email: {_plain(error)}") from None
    stuffed = content.replace(b"\r\n.", b"\r\n..")
    return Mail(message_id, sender.spec, recipient.spec, stuffed, len(content), utf8)


def _attach(mail: EmailMessage, attachment: Attachment) -> None:
    """Adds an attachment."""
    mime = attachment.mime.lower()
    # An attached message or multipart would be parsed as part of our own structure, so it is sent as plain bytes.
    if not _MIME.fullmatch(mime) or mime.startswith(("multipart/", "message/")):
        mime = "application/octet-stream"
    kind, _, subtype = mime.partition("/")
    mail.add_attachment(attachment.data, maintype=kind, subtype=subtype, filename=attachment.name)


def _plain(error: Exception) -> str:
    """Returns why a value cannot be used, without the value: it may be long, or not printable."""
    return str(error).split("'")[0].strip() if isinstance(error, EmailNotValidError) else type(error).__name__
