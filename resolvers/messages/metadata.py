"""The metadata of a new message: what its channel reads from it, whichever field of the request has it."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from channels.mailbox import Mailbox
from channels.smtp.mail import InvalidMail, further_headers
from core.errors import BadRequest
from engine.direct import attachments
from engine.direct.items import MAIL_HEADERS
from runtime.routes import MESSENGERS
from shapes.messages import MessageChannel, SendMessage

RESERVED: Final = frozenset({"messenger_account", "handed_at", "files", "template", "test", "sender"})
"""Keys that this service alone writes for messengers: the channel of messenger accounts reads them."""

MOST_MAIL_HEADERS: Final = 50

_TEXTS: Final[Mapping[MessageChannel, Mapping[str, int]]] = {
    MessageChannel.email: {"subject": 998, "html": 1_000_000, "replyTo": 320},
    MessageChannel.push: {"title": 256},
}
"""The most characters of the texts that a channel reads."""


def checked(input: SendMessage) -> dict[str, Any]:
    """Returns the metadata. What the channel will read from it is checked here, not only in the background.

    Raises BadRequest (`bad_metadata`, `unsupported`).
    """
    require_supported(input)
    metadata = dict(input.metadata or {})
    if input.channel.value in MESSENGERS and (reserved := RESERVED & metadata.keys()):
        raise BadRequest(
            f"metadata.{min(reserved)} is reserved for this channel. Give it another name.",
            code="bad_metadata",
        )
    if input.channel is MessageChannel.email:
        _merge(metadata, "replyTo", input.reply_to)
        files = None if input.attachments is None else [str(id) for id in input.attachments]
        _merge(metadata, attachments.NAME, files)
        _check_headers(metadata.get(MAIL_HEADERS))
    for name, longest in _TEXTS.get(input.channel, {}).items():
        value = metadata.get(name)
        if value is None:
            continue
        if not isinstance(value, str) or len(value) > longest:
            raise BadRequest(
                f"metadata.{name} must be text of at most {longest} characters.", code="bad_metadata"
            )
        if name != "html" and any(ord(char) < 32 or char == "\x7f" for char in value):
            raise BadRequest(
                f"metadata.{name} must not contain line breaks or control characters.", code="bad_metadata"
            )
        if name == "replyTo":
            _reply_to(value)
    return metadata


def files_of(input: SendMessage) -> list[UUID]:
    """Returns the files of an email, each once. Raises BadRequest (`bad_metadata`)."""
    if input.attachments is not None:
        return list(dict.fromkeys(input.attachments))
    return attachments.ids_of(input.metadata or {})


def require_supported(input: SendMessage) -> None:
    """Raises BadRequest (`unsupported`) for a field that the channel can't serve: it would change what is said."""
    messenger = input.channel.value in MESSENGERS
    served = {
        "replyTo": (input.reply_to, input.channel is MessageChannel.email, "email"),
        "attachments": (
            input.attachments,
            messenger or input.channel is MessageChannel.email,
            "email and messengers",
        ),
        "fromAccount": (input.from_account, messenger, "telegram and whatsapp"),
        "template": (input.template, input.channel is MessageChannel.whatsapp, "whatsapp"),
    }
    for name, (value, is_served, by) in served.items():
        if value is not None and not is_served:
            raise BadRequest(
                f"{name} is a field of {by} alone. Leave it out for {input.channel.value}.",
                code="unsupported",
            )


def _merge(metadata: dict[str, Any], name: str, value: Any) -> None:
    """Sets a value of the metadata that has a field of its own. Raises BadRequest if both are given and differ."""
    if value is None:
        return
    if metadata.get(name, value) != value:
        raise BadRequest(
            f"The request names two values for {name}, one of them in metadata. Send one of them.",
            code="bad_metadata",
        )
    metadata[name] = value


def _check_headers(headers: Any) -> None:
    """Raises BadRequest for further header lines that an email can't have."""
    if headers is None:
        return
    problem = f"it must be an object of at most {MOST_MAIL_HEADERS} texts"
    if isinstance(headers, dict) and len(headers) <= MOST_MAIL_HEADERS:
        try:
            if all(isinstance(value, str) for value in headers.values()):
                further_headers(headers)
                return
        except InvalidMail as error:
            problem = str(error)
        except ValueError:
            problem = "a header is one line of text"
    raise BadRequest(f"metadata.{MAIL_HEADERS}: {problem}.", code="bad_metadata")


def _reply_to(text: str) -> None:
    """Raises BadRequest for a text that the channel can't write into a Reply-To header."""
    try:
        Mailbox.parse(text)
    except ValueError as error:
        raise BadRequest(
            "metadata.replyTo must be one email address, with or without a name: Support (EU) <help@example.com>.",
            code="bad_metadata",
        ) from error
