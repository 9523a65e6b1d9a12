"""Sending Projects: bulk runs (contract §3)."""

from typing import Annotated, Any, Self
from uuid import UUID

import strawberry
from pydantic import AfterValidator, ConfigDict, Field, model_validator
from strawberry.scalars import JSON

from shapes.clicks import TrackClicks
from shapes.described import DescribedEnum
from shapes.emails import MailFrom, SenderField
from shapes.messages import MessageCategory, MessageChannel
from shapes.pauses import PauseReason
from shapes.project_audiences import ProjectAudience, ProjectAudienceInput
from shapes.project_counts import ProjectCounts
from shapes.project_languages import LANGUAGES, LocaleFrom, ProjectLanguages
from shapes.project_settings import (
    LONGEST_TEXT,
    Retry,
    RetryInput,
    Speed,
    SpeedInput,
    Variant,
    VariantInput,
    WhatsAppTemplate,
    WhatsAppTemplateInput,
    Window,
    WindowInput,
)
from shapes.rules import NULL, absent_when, never_null
from shapes.shape import Created, Line, Shape, Text, Timestamp, Updated, Uuid
from shapes.sms_senders import SenderName
from shapes.template_sources import (
    PROJECT_TEXTS,
    TEMPLATE_ID,
    TEMPLATE_LOCALE,
    TEMPLATE_RULE,
    TEMPLATE_VERSION,
    RequestedLocale,
    TemplateKey,
    TextsOfTemplate,
    VersionNumber,
    require_single_text,
)
from shapes.values import nothing


class ProjectChannel(DescribedEnum):
    """Channel of a project's messages."""

    sms = "sms", MessageChannel.sms.description
    email = "email", MessageChannel.email.description
    push = "push", MessageChannel.push.description
    telegram = "telegram", "Telegram, through source accounts"
    whatsapp = "whatsapp", "WhatsApp, through source accounts"


FOREIGN = {
    "subject": (ProjectChannel.sms, ProjectChannel.telegram, ProjectChannel.whatsapp),
    "html": (ProjectChannel.sms, ProjectChannel.push, ProjectChannel.telegram, ProjectChannel.whatsapp),
    "template": (ProjectChannel.sms, ProjectChannel.email, ProjectChannel.push, ProjectChannel.telegram),
    "attachmentUuids": (ProjectChannel.sms, ProjectChannel.push),
}
"""The channels that can't send what is in a field."""

CHANNEL_RULES: dict[str, Any] = {
    "allOf": [
        absent_when(field, "channel", channels, {"maxItems": 0} if field == "attachmentUuids" else NULL)
        for field, channels in FOREIGN.items()
    ]
}


class ProjectStatus(DescribedEnum):
    """Status of a project; docs/states.md describes all transitions."""

    draft = "draft", "never started"
    scheduled = "scheduled", "starts at its `startAt`"
    running = "running", "its messages are being sent"
    paused = "paused", "continues automatically when the cause is gone; `statusReason` gives the cause"
    stopped = "stopped", "stopped by a user; continues when it is started"
    finished = "finished", "all messages have left the queue and none is being sent"
    deleted = "deleted", "deleted; it is kept only for the statistics"


class OnMissingVariable(DescribedEnum):
    """The rule for a recipient who lacks a variable of the text."""

    skip = "skip", "the recipient is skipped"
    empty = "empty", "the variable is replaced by an empty text"


LONGEST_HTML = 500_000


def distinct(ids: list[UUID]) -> list[UUID]:
    return list(dict.fromkeys(ids))


_VariableNames = Field(description="names of variables as imported lists spell them, where they differ")
_Labels = Annotated[dict[str, str], _VariableNames, strawberry.field(graphql_type=JSON)]


class ProjectFields(Shape):
    """A project: messages to many recipients."""

    id: Uuid
    name: Annotated[str, Field(description="display name")]
    status: Annotated[ProjectStatus, Field(description="status of the project")]
    status_reason: Annotated[
        PauseReason | None,
        Field(
            description="why it is paused, is running but sends nothing, or was stopped by the service; null if none "
            "of these"
        ),
    ]
    resume_at: Annotated[
        Timestamp | None,
        Field(
            description="when the earliest sending window opens; for a paused project: when its cause is checked "
            "again; null: not known"
        ),
    ]
    recipients_pending: Annotated[
        int, Field(description="rows of imports that are still being added to its recipients")
    ]
    recipients_error: Annotated[
        str | None,
        Field(
            description="why an import was added only in part, and how many rows were added; null after the project "
            "is stopped"
        ),
    ]
    channel: Annotated[ProjectChannel, Field(description="channel of its messages")]
    category: Annotated[MessageCategory, Field(description="purpose of its messages")]
    from_address: SenderField
    sender: Annotated[
        str | None,
        Field(
            description="the name or number that SMS are sent from, where their country takes it; null: the channel's"
            " own"
        ),
    ]
    account_id: Annotated[UUID, Field(description="the account that pays")]
    account_uuids: Annotated[list[UUID], Field(description="uuids of the source accounts to send from")]
    subject: Annotated[str | None, Field(description="subject of emails and title of push messages; Liquid")]
    html: Annotated[
        str | None, Field(description="HTML part of emails; Liquid, values of variables are escaped")
    ]
    text: Annotated[str | None, Field(description="text; Liquid")]
    attachment_uuids: Annotated[list[UUID], Field(description="uuids of files to attach")]
    start_at: Annotated[Timestamp | None, Field(description="a started project begins at this time")]
    start_within_seconds: Annotated[
        int,
        Field(
            description="a scheduled project that can't be started within this time after `startAt` is stopped, with "
            "the reason `missed_start`"
        ),
    ]
    on_missing_variable: Annotated[
        OnMissingVariable, Field(description="what happens to recipients who lack a variable")
    ]
    stop_on_reply: Annotated[
        bool,
        Field(
            description="true: a recipient who replies to any of your messages receives no further messages of the "
            "project"
        ),
    ]
    track_clicks: TrackClicks = None
    repeatable_uuid: Annotated[
        UUID | None, Field(description="the repeatable project that created it; null if none did")
    ]
    follows_uuid: Annotated[
        UUID | None,
        Field(
            description="the project that it follows, by its `audience`: it is sent to those whom the messages of that"
            " one do not reach; null: none"
        ),
    ]
    variable_labels: _Labels
    template_id: Annotated[UUID | None, Field(description=TEMPLATE_ID)]
    template_version: Annotated[int | None, Field(description=TEMPLATE_VERSION)]
    template_locale: Annotated[str | None, Field(description=TEMPLATE_LOCALE)]
    created_at: Created
    updated_at: Updated
    started_at: Annotated[Timestamp | None, Field(description="when it was first started; null: never")]
    finished_at: Annotated[
        Timestamp | None, Field(description="when its last message reached a final state; null: not yet")
    ]
    messages_deleted_at: Annotated[
        Timestamp | None,
        Field(
            description="when its messages and recipients were deleted, because the installation keeps them no longer; "
            "counts, statistics and charges stay; null: they are there"
        ),
    ]
    retry_suppressed: Annotated[
        int,
        Field(
            description="messages that the last retry has left out, because their address was blocked after a hard "
            "bounce or a complaint; they stay what they were"
        ),
    ]


AUDIENCE = "the contacts that get it; null: those who are added as recipients"


class SendingProject(ProjectFields):
    """A project: messages to many recipients."""

    variants: Annotated[
        list[Variant], Field(description="text variants in place of `text`, chosen by weight")
    ]
    languages: Annotated[ProjectLanguages | None, Field(description=LANGUAGES)] = None
    template: Annotated[WhatsAppTemplate | None, Field(description="message template of WhatsApp Cloud")]
    window: Annotated[Window | None, Field(description="when messages may be sent; null: at any time")]
    speed: Annotated[Speed, Field(description="sending rate")]
    audience: Annotated[ProjectAudience | None, Field(description=AUDIENCE)]
    retry: Annotated[Retry, Field(description="how often a failed message is tried again")]
    counts: Annotated[ProjectCounts, Field(description="its messages by state")]


Name = Annotated[
    Line, Field(min_length=1, max_length=200, description="display name", examples=["Spring sale"])
]
Subject = Annotated[
    Line,
    Field(min_length=1, max_length=1000, description="subject of emails and title of push messages; Liquid"),
]
Html = Annotated[
    Text,
    Field(
        min_length=1,
        max_length=LONGEST_HTML,
        description="HTML part of emails; Liquid, values of variables are escaped",
    ),
]
Body = Annotated[
    Text,
    Field(
        min_length=1, max_length=LONGEST_TEXT, description="text; Liquid", examples=["Hello {{ name }}, …"]
    ),
]
Variants = Annotated[
    list[VariantInput], Field(max_length=10, description="text variants in place of `text`, chosen by weight")
]
Senders = Annotated[
    list[UUID],
    Field(max_length=1000, description="uuids of the source accounts to send from"),
    AfterValidator(distinct),
]
Attachments = Annotated[
    list[UUID], Field(max_length=10, description="uuids of files to attach"), AfterValidator(distinct)
]
StartAt = Annotated[
    Timestamp, Field(description="a started project begins at this time, at most a year in the future")
]
START_WITHIN_SECONDS = 86_400  # by default
StartWithin = Annotated[
    int,
    Field(
        ge=60,
        le=2_592_000,
        description="a scheduled project that can't be started within this time after `startAt` is stopped, with the "
        "reason `missed_start`",
    ),
]
Missing = Annotated[OnMissingVariable, Field(description="what happens to recipients who lack a variable")]
StopOnReply = Annotated[
    bool,
    Field(
        description="true: a recipient who replies to any of your messages receives no further messages of the project"
    ),
]
Category = Annotated[
    MessageCategory,
    Field(
        description="promotional messages are not sent to recipients who unsubscribed; transactional ones are"
    ),
]


_RULES: dict[str, Any] = {"allOf": [*CHANNEL_RULES["allOf"], TEMPLATE_RULE]}


class NewSendingProject(TextsOfTemplate):
    """A project to create. Its texts can be added later, by PATCH; it sends nothing before it is started."""

    model_config = ConfigDict(json_schema_extra=_RULES)

    name: Name
    channel: Annotated[ProjectChannel, Field(description="channel of its messages")]
    account_id: (
        Annotated[UUID, Field(description="the account that pays; default: your oldest account")] | None
    ) = None
    account_uuids: Senders = Field(default_factory=list)
    subject: Subject | None = None
    html: Html | None = None
    text: Body | None = None
    variants: Variants = Field(default_factory=list)
    template: (
        Annotated[WhatsAppTemplateInput, Field(description="message template of WhatsApp Cloud")] | None
    ) = None
    attachment_uuids: Attachments = Field(default_factory=list)
    start_at: StartAt | None = None
    start_within_seconds: StartWithin = START_WITHIN_SECONDS
    window: (
        Annotated[WindowInput, Field(description="when messages may be sent; default: at any time")] | None
    ) = None
    speed: Annotated[SpeedInput, Field(description="sending rate")] | None = None
    retry: Annotated[RetryInput, Field(description="how often a failed message is tried again")] | None = None
    on_missing_variable: Missing = OnMissingVariable.empty
    stop_on_reply: StopOnReply = False
    track_clicks: TrackClicks = None
    category: Category = MessageCategory.promotional
    from_address: MailFrom = None
    sender: SenderName = None
    audience: Annotated[ProjectAudienceInput, Field(description=AUDIENCE)] | None = None


_REQUIRED = ("name", "channel")


def _patch_rules(schema: dict[str, Any]) -> None:
    never_null(*_REQUIRED)(schema)
    schema.update(_RULES)


class SendingProjectPatch(Shape):
    """Changes to a project. Omitted fields stay unchanged; null removes a value or restores its default."""

    model_config = ConfigDict(json_schema_extra=_patch_rules)

    name: Name | None = Field(default_factory=nothing)
    channel: (
        Annotated[ProjectChannel, Field(description="it can be changed only while there are no recipients")]
        | None
    ) = Field(default_factory=nothing)
    account_id: (
        Annotated[UUID, Field(description="the account that pays; null: your oldest account")] | None
    ) = Field(default_factory=nothing)
    account_uuids: Senders | None = Field(default_factory=nothing)
    subject: Subject | None = Field(default_factory=nothing)
    html: Html | None = Field(default_factory=nothing)
    text: Body | None = Field(default_factory=nothing)
    variants: Variants | None = Field(default_factory=nothing)
    template: (
        Annotated[WhatsAppTemplateInput, Field(description="message template of WhatsApp Cloud")] | None
    ) = Field(default_factory=nothing)
    attachment_uuids: Attachments | None = Field(default_factory=nothing)
    start_at: StartAt | None = Field(default_factory=nothing)
    start_within_seconds: StartWithin | None = Field(default_factory=nothing)
    window: (
        Annotated[WindowInput, Field(description="when messages may be sent; null: at any time")] | None
    ) = Field(default_factory=nothing)
    speed: Annotated[SpeedInput, Field(description="sending rate")] | None = Field(default_factory=nothing)
    retry: Annotated[RetryInput, Field(description="how often a failed message is tried again")] | None = (
        Field(default_factory=nothing)
    )
    on_missing_variable: Missing | None = Field(default_factory=nothing)
    stop_on_reply: StopOnReply | None = Field(default_factory=nothing)
    track_clicks: TrackClicks = Field(default_factory=nothing)
    category: Category | None = Field(default_factory=nothing)
    from_address: MailFrom = Field(default_factory=nothing)
    sender: SenderName = Field(default_factory=nothing)
    audience: (
        Annotated[
            ProjectAudienceInput,
            Field(description=f"{AUDIENCE}; it can be changed until the project is first started"),
        ]
        | None
    ) = Field(default_factory=nothing)
    template_key: Annotated[
        TemplateKey | None,
        Field(
            description=f"{PROJECT_TEXTS}; null: the texts stay, and say no more from which template they come"
        ),
    ] = Field(default_factory=nothing)
    template_version: VersionNumber | None = Field(default_factory=nothing)
    locale: RequestedLocale | None = Field(default_factory=nothing)
    locale_from: LocaleFrom | None = Field(default_factory=nothing)

    @model_validator(mode="after")
    def _require_single_text(self) -> Self:
        require_single_text(self)
        return self

    @model_validator(mode="after")
    def _never_null(self) -> Self:
        for name in _REQUIRED:
            if name in self.model_fields_set and getattr(self, name) is None:
                raise ValueError(f"{name} can't be null; leave it out to keep it")
        return self
