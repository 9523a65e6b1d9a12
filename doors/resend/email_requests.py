"""Reads an email as Resend's clients write it, and makes the messages that it is here: one for each recipient.

What this service can't do as Resend does is refused with the reason, and is never left out silently.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from core.http.html_text import text_of
from core.validation import readable_message
from doors.resend.errors import Refused, invalid
from shapes.messages import MessageCategory, MessageChannel, SendMessage
from shapes.shape import NO_CONTROLS, NO_NUL, Text
from shapes.values import json_at_most

MOST_RECIPIENTS: Final = 50
MOST_TAGS: Final = 50
LONGEST_TEXT: Final = 100_000
HTML_BYTES: Final = 240 * 1024
"""The size of the HTML, which with the subject, the tags and the headers is the metadata of a message."""
TAGS: Final = "tags"
"""The metadata of an email's tags."""

_WITH_NAME: Final = re.compile(r"[^<>]*<\s*([^<>\s]+)\s*>\s*")
_IN: Final = re.compile(
    r"in (\d{1,6}|an?) (s|sec|second|m|min|minute|h|hr|hour|d|day|w|week)s?", re.IGNORECASE
)
_SPANS: Final[Mapping[str, timedelta]] = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


_Line = Annotated[str, Field(max_length=998, pattern=NO_CONTROLS)]
_Addresses = Annotated[
    list[Annotated[str, Field(max_length=1_000, pattern=NO_CONTROLS)]],
    BeforeValidator(_listed),
    Field(max_length=MOST_RECIPIENTS),
]


class _Read(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Tag(_Read):
    """A name and a value by which an email is found again."""

    name: Annotated[str, Field(min_length=1, max_length=256, pattern=r"^[A-Za-z0-9_-]+$")]
    value: Annotated[str, Field(max_length=256, pattern=r"^[A-Za-z0-9_-]*$")]


class AttachedFile(_Read):
    """An attachment: base64, or the bytes as some clients write them."""

    content: str | list[int] | dict[str, Any] | None = None
    filename: Annotated[str, Field(max_length=1_000, pattern=NO_NUL)] | None = None
    content_type: Annotated[str, Field(max_length=255)] | None = None
    path: str | None = None
    content_id: str | None = None
    inline_content_id: str | None = None


class EmailRequest(_Read):
    """An email to send."""

    sender: Annotated[str, Field(alias="from", max_length=320, pattern=NO_CONTROLS)]
    to: Annotated[_Addresses, Field(min_length=1)]
    subject: _Line
    html: Annotated[str, Field(pattern=NO_NUL), json_at_most(HTML_BYTES)] | None = None
    text: Annotated[str, Field(max_length=LONGEST_TEXT, pattern=NO_NUL)] | None = None
    cc: _Addresses = []
    bcc: _Addresses = []
    reply_to: _Addresses = []
    headers: dict[str, str] = {}
    tags: Annotated[list[Tag], Field(max_length=MOST_TAGS)] = []
    attachments: list[AttachedFile] = []
    scheduled_at: str | None = None
    template: Any = None
    topic_id: Any = None

    @property
    def recipients(self) -> Sequence[str]:
        """Returns the addresses that get the email, each once."""
        addresses = dict.fromkeys(_bare(each) for each in (*self.to, *self.bcc))
        return [*addresses]


class MailMessage(SendMessage):
    """An email as `messages.send` takes it. Its text may be longer than that of a message of any channel."""

    body: Annotated[Text, Field(min_length=1, max_length=LONGEST_TEXT)]
    key: str | None = None
    """The key of one message of several."""


def read(sent: Any, now: datetime) -> EmailRequest:
    """Returns the email of a request's JSON. Raises Refused."""
    if not isinstance(sent, dict):
        raise invalid("The email must be a JSON object.")
    fields = {name: value for name, value in sent.items() if value is not None}
    try:
        email = EmailRequest.model_validate(fields)
    except ValidationError as error:
        raise _refused(error) from error
    _require_served(email)
    if email.scheduled_at is not None:
        moment(email.scheduled_at, now)
    return email


def messages(email: EmailRequest, files: Sequence[UUID], now: datetime) -> list[MailMessage]:
    """Returns the messages of an email, in the order of its recipients. Raises Refused."""
    metadata: dict[str, Any] = {"subject": email.subject}
    if email.html is not None:
        metadata["html"] = email.html
    if email.headers:
        metadata["mailHeaders"] = email.headers
    if email.tags:
        metadata[TAGS] = [tag.model_dump() for tag in email.tags]
    text = text_of(email.html) if email.text is None and email.html is not None else email.text
    fields = {
        "channel": MessageChannel.email,
        "body": (text or "")[:LONGEST_TEXT] or " ",
        "metadata": metadata,
        "from": email.sender,
        "replyTo": email.reply_to[0] if email.reply_to else None,
        "attachments": files or None,
        "category": MessageCategory.transactional,
        "sendAt": None if email.scheduled_at is None else moment(email.scheduled_at, now),
    }
    try:
        return [MailMessage.model_validate({**fields, "to": to}) for to in email.recipients]
    except ValidationError as error:
        raise _refused(error) from error


def moment(text: str, now: datetime) -> datetime:
    """Returns the time that `scheduled_at` names: in ISO 8601, or as `in 5 minutes`. Raises Refused."""
    if (span := _IN.fullmatch(text.strip())) is not None:
        count = 1 if span[1].lower().startswith("a") else int(span[1])
        return now + count * _SPANS[span[2][0].lower()]
    try:
        at = datetime.fromisoformat(text.strip())
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
        return at.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise invalid(
            "scheduled_at must be a time in ISO 8601, such as 2026-12-24T18:00:00Z, or a span such as `in 5 minutes`."
            " Other words are not understood here."
        ) from error


def _require_served(email: EmailRequest) -> None:
    """Raises Refused for what this service does not do as Resend does."""
    if email.template is not None:
        raise invalid("template: templates are not served here. Send html or text, or use POST /messages.")
    if email.topic_id is not None:
        raise invalid("topic_id: topics are not served here. Leave it out, or send a project to the topic.")
    if email.cc:
        raise invalid(
            "cc: each recipient gets an email of their own, which shows no other recipient. Use `to` or `bcc`."
        )
    if len(email.reply_to) > 1:
        raise invalid("reply_to: an email has one address for answers here. Send one.")
    if email.html is None and email.text is None:
        raise invalid("Missing `html` or `text` field.", "missing_required_field")
    if len(email.recipients) > MOST_RECIPIENTS:
        raise invalid(f"to and bcc may have at most {MOST_RECIPIENTS} recipients together.")
    if len(email.recipients) > 1 and email.scheduled_at is not None:
        raise invalid(
            "scheduled_at: an email to several recipients is several here, which one id can't cancel. Schedule one"
            " email for each recipient."
        )


def _bare(address: str) -> str:
    """Returns an address without the name before it: it is not written into the To of an email."""
    match = _WITH_NAME.fullmatch(address)
    return match[1] if match else address.strip()


def _refused(error: ValidationError) -> Refused:
    """Returns the first broken rule in Resend's words."""
    problem = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part)[:100] for part in problem["loc"])
    if problem["type"] == "missing":
        return invalid(f"Missing `{field}` field.", "missing_required_field")
    if problem["type"] == "extra_forbidden":
        return invalid(f"{field}: this field is not served here. Leave it out.")
    return invalid(f"Invalid `{field}` field: {readable_message(problem['type'], problem['msg'])}.")
