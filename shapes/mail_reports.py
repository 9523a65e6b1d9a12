"""Reports about emails that come back as mail: bounces, delays and complaints."""

from typing import Annotated, ClassVar, Self
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from shapes.blocks import BlockReason
from shapes.described import DescribedEnum
from shapes.rules import either
from shapes.shape import Cost, Shape, Text, Timestamp, Uuid
from shapes.where import Choice, Ids, TimeSpan, Where


class MailReportType(DescribedEnum):
    """The kind of a report about an email."""

    bounce = "bounce", "the email was not delivered, and will not be tried again"
    delay = "delay", "the email was not delivered yet, and will be tried again"
    complaint = "complaint", "the recipient reported the email as spam"
    rescue = "rescue", "the recipient says that the email is no spam"


class MailReportClass(DescribedEnum):
    """The subject of a bounce or a delay, which decides whether it counts against the address."""

    hard = "hard", "the address does not exist: it is blocked"
    full = "full", "the mailbox is full"
    content = (
        "content",
        "this email was refused, for its size or content: it never counts against the address",
    )
    policy = (
        "policy",
        "the sender, its server or domain was refused: it never counts against the address",
    )
    transient = "transient", "a network, a server or a limit failed for a while"
    unknown = "unknown", "the report does not say why"


class MailReportIgnored(DescribedEnum):
    """The reason for which a mail is no report that counts."""

    auto_reply = "auto_reply", "an answer of the recipient's program, such as a holiday notice"
    no_report = "no_report", "neither a bounce nor a complaint"
    no_failure = "no_failure", "a report of a delivery that succeeded"
    other_feedback = "other_feedback", "feedback about signatures, and no complaint"
    report_of_a_report = "report_of_a_report", "a report about a mail that was itself a report"
    too_many_parts = "too_many_parts", "more parts, or deeper ones, than a report has"
    too_complex = "too_complex", "reading it takes too long"


class MailReportMessageKind(DescribedEnum):
    """The kind of a message that was reported about."""

    direct = "direct", "a message that was sent by itself"
    project = "project", "a message of a project"


class MailReportOutcome(DescribedEnum):
    """The effect of a report on the state of its message."""

    fails = "fails", "the message becomes `failed`, and its price is refunded"
    stays = "stays", "the message arrived or ended before: its state and its price stay"
    waits = "waits", "the message is not sent yet: the report waits for that"
    none = "none", "the report changes no state: it is a delay, a complaint or the opposite of one"


_MOST_TEXT = 256 * 1024
_MOST_RECIPIENTS = 100


class ParseMailReport(Shape):
    """A mail that came back: its source as text, or as an uploaded file."""

    model_config = ConfigDict(json_schema_extra=either("text", "fileUuid"))

    text: (
        Annotated[
            Text,
            Field(
                min_length=1,
                max_length=_MOST_TEXT,
                description="the mail with its header fields, as it was received",
                examples=[
                    "From: MAILER-DAEMON@example.net\nSubject: Undelivered Mail\n\n<ada@example.net>: user unknown"
                ],
            ),
        ]
        | None
    ) = None
    file_uuid: (
        Annotated[
            UUID,
            Field(description="uuid of an uploaded file, of which the first 256 KiB are read"),
        ]
        | None
    ) = None

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if (self.text is None) == (self.file_uuid is None):
            raise ValueError("send either text or fileUuid")
        return self


class MailReportRecipient(Shape):
    """The part of a report that is about one recipient."""

    type: Annotated[MailReportType, Field(description="the kind of the report")]
    bounce_class: Annotated[
        MailReportClass | None, Field(description="what the failure is about; null for a complaint")
    ]
    address: Annotated[
        str | None,
        Field(description="the recipient's address as the report has it", examples=["ada@example.net"]),
    ]
    status: Annotated[str | None, Field(description="enhanced status code (RFC 3463)", examples=["5.1.1"])]
    code: Annotated[int | None, Field(description="code of the server's reply", examples=[550])]
    diagnostic: Annotated[str | None, Field(description="the server's words, at most 500 characters")]


class MailReportEffect(Shape):
    """The changes to which a report leads."""

    outcome: Annotated[MailReportOutcome, Field(description="the effect on the message's state")]
    failure_code: Annotated[
        str | None,
        Field(description="code of the failed message; null if it does not fail", examples=["hard_bounce"]),
    ]
    block: Annotated[
        BlockReason | None,
        Field(description="reason for which the address is blocked; null: it is not"),
    ]


class MailReportMessage(Shape):
    """The message that a report is about."""

    message_uuid: Annotated[UUID, Field(description="its id")]
    kind: Annotated[MailReportMessageKind, Field(description="the kind of the message")]
    owner_uuid: Annotated[UUID, Field(description="id of its owner")]
    project_uuid: Annotated[UUID | None, Field(description="id of its project; null for a direct message")]
    to: Annotated[str, Field(description="its recipient")]
    state: Annotated[str, Field(description="its state now", examples=["sent"])]


class MailReport(Shape):
    """A report about an email that came back as mail."""

    id: Uuid
    message_uuid: Annotated[
        UUID, Field(description="id of the message that it is about, which may be deleted")
    ]
    kind: Annotated[MailReportMessageKind, Field(description="the kind of that message")]
    type: Annotated[MailReportType, Field(description="the kind of the report")]
    bounce_class: Annotated[
        MailReportClass | None, Field(description="what the failure is about; null for a complaint")
    ]
    source: Annotated[
        str,
        Field(
            description="form of the report: `dsn`, a bounce or a delay; `arf`, of a feedback loop; or the provider"
            " that reported it by HTTP: `ses`, `sendgrid`, `mailgun`, `postmark`, `resend`, `brevo`",
            examples=["dsn"],
        ),
    ]
    address: Annotated[
        str | None,
        Field(description="the recipient's address as the report has it", examples=["ada@example.net"]),
    ]
    status: Annotated[str | None, Field(description="enhanced status code (RFC 3463)", examples=["5.1.1"])]
    code: Annotated[int | None, Field(description="code of the server's reply", examples=[550])]
    diagnostic: Annotated[str | None, Field(description="the server's words, at most 500 characters")]
    outcome: Annotated[MailReportOutcome, Field(description="the effect on the message's state when it came")]
    created_at: Annotated[Timestamp, Field(description="when it was received")]


class MailReportMail(Shape):
    """The mail that a report was read from."""

    mail: Annotated[
        str,
        Field(
            description="the mail as it was received, at most its first 256 KiB; what is no UTF-8 is replaced",
            examples=[
                "From: MAILER-DAEMON@example.net\nSubject: Undelivered Mail\n\n<ada@example.net>: user unknown"
            ],
        ),
    ]


class MailReportWhere(Where):
    """Filter for reports about emails."""

    kinds: ClassVar = {"id": "MailReport", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="the owner of the message")] = None
    message_uuid: Annotated[
        Ids | None, Field(description="filter by the message, of a project or not: its uuid")
    ] = None
    type: Annotated[Choice[MailReportType] | None, Field(description="filter by the kind of the report")] = (
        None
    )
    created_at: Annotated[TimeSpan | None, Field(description="filter by the time of receipt")] = None


class MailReportPreview(Shape):
    """The content of a mail that came back, and what it would lead to. Nothing was changed."""

    ignored: Annotated[MailReportIgnored | None, Field(description="why it is no report; null if it is one")]
    token: Annotated[
        str | None,
        Field(description="token in the mail that names a message; null if it has none"),
    ]
    ours: Annotated[bool, Field(description="true: this installation signed the token")]
    message: Annotated[
        MailReportMessage | None,
        Field(description="the message; null if the token is not ours, or the message is deleted"),
    ]
    recipients: Annotated[
        list[MailReportRecipient],
        Field(description="the recipients that the report is about; the message's own is the first"),
        Cost(most=_MOST_RECIPIENTS),
    ]
    effect: Annotated[
        MailReportEffect | None,
        Field(
            description="the changes to which the report leads; null if it is about no message of this installation"
        ),
    ]
