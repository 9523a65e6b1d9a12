"""Sending Projects: bulk runs (contract §3)."""

import re
from enum import StrEnum
from functools import cache
from typing import Annotated, Self
from uuid import UUID
from zoneinfo import available_timezones

import strawberry
from pydantic import AfterValidator, Field, model_validator
from strawberry.scalars import JSON

from schema.types.messages import MessageCategory
from schema.types.pauses import PauseReason
from schema.types.project_counts import ProjectCounts
from schema.types.shape import Created, JsonObject, Line, Shape, Text, Timestamp, Updated, Uuid
from schema.types.values import json_at_most, nothing


class ProjectChannel(StrEnum):
    """How the messages of a project leave."""

    sms = "sms"
    email = "email"
    push = "push"
    telegram = "telegram"
    whatsapp = "whatsapp"


class ProjectStatus(StrEnum):
    """Where a project is; every move stands in postern/project_states.py and docs/states.md."""

    draft = "draft"
    scheduled = "scheduled"
    running = "running"
    paused = "paused"
    stopped = "stopped"
    finished = "finished"
    deleted = "deleted"


class OnMissingVariable(StrEnum):
    """What becomes of a recipient who lacks a variable that the text names."""

    skip = "skip"
    empty = "empty"


class Preparation(StrEnum):
    """What the engine still has to do to a project before (or beside) sending."""

    freeze = "freeze"  # make a message of every recipient
    retry = "retry"  # put the failed ones in the queue again
    cancel = "cancel"  # it was deleted: cancel what is queued


LONGEST_TEXT = 100_000
LONGEST_HTML = 500_000
_CLOCK = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00")
_SHORTEST_WINDOW = 60
_DAY = 24 * 60


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones()) - {"localtime", "posixrules", "Factory"}


def known_zone(name: str) -> str:
    if name not in _zones():
        raise ValueError("is no IANA time zone; use a name like Europe/Berlin")
    return name


def _clock(text: str) -> str:
    if not _CLOCK.fullmatch(text):
        raise ValueError("must be a time like 09:30")
    return text


def _weekdays(days: list[int]) -> list[int]:
    return sorted(set(days))


def _distinct(ids: list[UUID]) -> list[UUID]:
    return list(dict.fromkeys(ids))


# what a project is made of, as it is shown


class Window(Shape):
    """When messages may leave, by the clock on a wall. One that ends before it begins goes on until the next day."""

    timezone: Annotated[str, Field(description="IANA's name", examples=["Europe/Berlin"])]
    days: Annotated[
        list[int], Field(description="1 is Monday, 7 Sunday: the day on which it opens", examples=[[1, 2, 3]])
    ]
    from_: Annotated[
        str,
        Field(alias="from", description="from this time on", examples=["09:00"]),
        strawberry.field(name="from"),
    ]
    to: Annotated[str, Field(description="until this time; 24:00 is midnight", examples=["18:00"])]
    recipient_timezone: Annotated[
        bool, Field(description="by the recipient's own time zone, where it is known")
    ] = False


class Speed(Shape):
    """How fast messages leave; what is null is bounded by the tariff and the providers alone."""

    per_minute: Annotated[int | None, Field(description="messages of the project")] = None
    per_account_per_minute: Annotated[int | None, Field(description="messages of each source account")] = None
    jitter_seconds: Annotated[
        int | None, Field(description="a random pause of up to so long before each message")
    ] = None


class Retry(Shape):
    """How often a message is tried whose failure is known and may pass."""

    max_attempts: Annotated[int | None, Field(description="null: 3")] = None
    backoff_seconds: Annotated[
        int | None, Field(description="before the second attempt, doubled each time; null: 60")
    ] = None


class Variant(Shape):
    """One of several texts; a recipient always gets the same one."""

    text: Annotated[str, Field(description="Liquid, in place of the project's")]
    weight: Annotated[int, Field(description="how often, compared with the others")] = 1


class WhatsAppTemplate(Shape):
    """A template that the WhatsApp Cloud has approved."""

    name: Annotated[str, Field(description="its name there")]
    language: Annotated[str, Field(description="its language", examples=["en_US"])]
    params: Annotated[list[str], Field(description="its parameters in order; Liquid")] = Field(
        default_factory=list
    )


# and as callers send it

Clock = Annotated[
    Line, Field(max_length=5, json_schema_extra={"pattern": f"^({_CLOCK.pattern})$"}), AfterValidator(_clock)
]


class WindowInput(Shape):
    """When messages may leave, by the clock on a wall. One that ends before it begins goes on until the next day."""

    timezone: Annotated[
        Line,
        Field(max_length=64, description="IANA's name", examples=["Europe/Berlin"]),
        AfterValidator(known_zone),
    ]
    days: Annotated[
        list[Annotated[int, Field(ge=1, le=7)]],
        Field(
            min_length=1,
            max_length=7,
            description="1 is Monday, 7 Sunday: the day on which it opens; default: every day",
            examples=[[1, 2, 3, 4, 5]],
        ),
        AfterValidator(_weekdays),
    ] = Field(default_factory=lambda: [1, 2, 3, 4, 5, 6, 7])
    from_: Annotated[
        Clock,
        Field(alias="from", description="from this time on", examples=["09:00"]),
        strawberry.field(name="from"),
    ]
    to: Annotated[Clock, Field(description="until this time; 24:00 is midnight", examples=["18:00"])]
    recipient_timezone: Annotated[
        bool, Field(description="by the recipient's own time zone, where it is known")
    ] = False

    @model_validator(mode="after")
    def _long_enough(self) -> Self:
        begin, end = (int(text[:2]) * 60 + int(text[3:]) for text in (self.from_, self.to))
        if begin == end:
            raise ValueError("from and to must differ; the whole day is from 00:00 to 24:00")
        if begin == _DAY:
            raise ValueError("from is at most 23:59; the beginning of a day is 00:00")
        if (end - begin) % _DAY < _SHORTEST_WINDOW and end - begin != _DAY:
            raise ValueError(f"a window is open for at least {_SHORTEST_WINDOW} minutes")
        return self


class SpeedInput(Shape):
    """How fast messages leave; what is left out is bounded by the tariff and the providers alone."""

    per_minute: Annotated[int, Field(ge=1, le=1_000_000, description="messages of the project")] | None = None
    per_account_per_minute: (
        Annotated[int, Field(ge=1, le=100_000, description="messages of each source account")] | None
    ) = None
    jitter_seconds: (
        Annotated[int, Field(ge=0, le=600, description="a random pause of up to so long before each message")]
        | None
    ) = None


class RetryInput(Shape):
    """How often a message is tried whose failure is known and may pass."""

    max_attempts: Annotated[int, Field(ge=1, le=20, description="default 3")] | None = None
    backoff_seconds: (
        Annotated[
            int,
            Field(ge=1, le=86_400, description="before the second attempt, doubled each time; default 60"),
        ]
        | None
    ) = None


class VariantInput(Shape):
    """One of several texts; a recipient always gets the same one."""

    text: Annotated[
        Text, Field(min_length=1, max_length=LONGEST_TEXT, description="Liquid, in place of the project's")
    ]
    weight: Annotated[int, Field(ge=1, le=1000, description="how often, compared with the others")] = 1


class WhatsAppTemplateInput(Shape):
    """A template that the WhatsApp Cloud has approved."""

    name: Annotated[
        str, Field(pattern=r"^[a-z0-9_]{1,512}$", description="its name there", examples=["spring_sale"])
    ]
    language: Annotated[
        str, Field(pattern=r"^[a-z]{2,3}(_[A-Za-z]{2,4})?$", description="its language", examples=["en_US"])
    ]
    params: Annotated[
        list[Annotated[Text, Field(max_length=1024)]],
        Field(max_length=20, description="its parameters in order; Liquid"),
    ] = Field(default_factory=list)


_Said = Field(description="what imported lists call variables, where that is another word")
_Labels = Annotated[dict[str, str], _Said, strawberry.field(graphql_type=JSON)]


class ProjectFields(Shape):
    """A run of messages to many recipients."""

    id: Uuid
    name: Annotated[str, Field(description="shown to people")]
    status: Annotated[ProjectStatus, Field(description="where it is")]
    status_reason: Annotated[
        PauseReason | None, Field(description="why it is paused, or runs and sends nothing")
    ]
    resume_at: Annotated[
        Timestamp | None,
        Field(
            description="when the earliest window opens; of a paused one: when its cause is looked at again"
        ),
    ]
    recipients_pending: Annotated[
        int, Field(description="rows of imports that are still being added to its recipients")
    ]
    recipients_error: Annotated[
        str | None,
        Field(description="why an import was not added to its end, and how many were; until it is stopped"),
    ]
    channel: Annotated[ProjectChannel, Field(description="how its messages leave")]
    category: Annotated[MessageCategory, Field(description="what its messages are for")]
    account_id: Annotated[UUID, Field(description="who pays")]
    account_uuids: Annotated[list[UUID], Field(description="the source accounts that send")]
    subject: Annotated[str | None, Field(description="of emails, and the title of push messages; Liquid")]
    html: Annotated[str | None, Field(description="of emails; Liquid, with escaped variables")]
    text: Annotated[str | None, Field(description="Liquid")]
    attachment_uuids: Annotated[list[UUID], Field(description="files that go along")]
    start_at: Annotated[Timestamp | None, Field(description="when a started one begins")]
    on_missing_variable: Annotated[
        OnMissingVariable, Field(description="what becomes of recipients who lack a variable")
    ]
    stop_on_reply: Annotated[
        bool, Field(description="whoever answers any message of yours is sent nothing more")
    ]
    repeatable_uuid: Annotated[UUID | None, Field(description="the repeatable project that made it")]
    variable_labels: _Labels
    created_at: Created
    updated_at: Updated
    started_at: Annotated[Timestamp | None, Field(description="when it began first")]
    finished_at: Annotated[Timestamp | None, Field(description="when the last message was settled")]


class SendingProject(ProjectFields):
    """A run of messages to many recipients."""

    variants: Annotated[list[Variant], Field(description="in place of `text`, by weight")]
    template: Annotated[WhatsAppTemplate | None, Field(description="of WhatsApp Cloud")]
    window: Annotated[Window | None, Field(description="when messages may leave; null: always")]
    speed: Annotated[Speed, Field(description="how fast they leave")]
    retry: Annotated[Retry, Field(description="how often a message is tried")]
    counts: Annotated[ProjectCounts, Field(description="its messages by state")]


Name = Annotated[
    Line, Field(min_length=1, max_length=200, description="shown to people", examples=["Spring sale"])
]
Subject = Annotated[
    Line,
    Field(min_length=1, max_length=1000, description="of emails, and the title of push messages; Liquid"),
]
Html = Annotated[
    Text, Field(min_length=1, max_length=LONGEST_HTML, description="of emails; Liquid, variables are escaped")
]
Body = Annotated[
    Text,
    Field(min_length=1, max_length=LONGEST_TEXT, description="Liquid", examples=["Hello {{ name }}, …"]),
]
Variants = Annotated[
    list[VariantInput], Field(max_length=10, description="texts in place of `text`, by their weights")
]
Senders = Annotated[
    list[UUID], Field(max_length=1000, description="the source accounts that send"), AfterValidator(_distinct)
]
Attachments = Annotated[
    list[UUID], Field(max_length=10, description="files that go along"), AfterValidator(_distinct)
]
StartAt = Annotated[Timestamp, Field(description="when a started one begins, at most a year ahead")]
Missing = Annotated[OnMissingVariable, Field(description="what becomes of recipients who lack a variable")]
StopOnReply = Annotated[bool, Field(description="whoever answers is sent nothing more")]
Category = Annotated[
    MessageCategory,
    Field(description="promotional: not to who unsubscribed; transactional: what recipients must get"),
]


class NewSendingProject(Shape):
    """A project to save. Texts may come later, by PATCH; it starts when it is told to."""

    name: Name
    channel: Annotated[ProjectChannel, Field(description="how its messages leave")]
    account_id: Annotated[UUID, Field(description="who pays; default: your oldest account")] | None = None
    account_uuids: Senders = Field(default_factory=list)
    subject: Subject | None = None
    html: Html | None = None
    text: Body | None = None
    variants: Variants = Field(default_factory=list)
    template: Annotated[WhatsAppTemplateInput, Field(description="of WhatsApp Cloud")] | None = None
    attachment_uuids: Attachments = Field(default_factory=list)
    start_at: StartAt | None = None
    window: Annotated[WindowInput, Field(description="when messages may leave; default: always")] | None = (
        None
    )
    speed: Annotated[SpeedInput, Field(description="how fast they leave")] | None = None
    retry: Annotated[RetryInput, Field(description="how often a message is tried")] | None = None
    on_missing_variable: Missing = OnMissingVariable.empty
    stop_on_reply: StopOnReply = False
    category: Category = MessageCategory.promotional


class SendingProjectPatch(Shape):
    """What changes. A field that is left out stays; null takes it away, or back to its default."""

    name: Name | None = Field(default_factory=nothing)
    channel: Annotated[ProjectChannel, Field(description="only while there are no recipients")] | None = (
        Field(default_factory=nothing)
    )
    account_id: Annotated[UUID, Field(description="who pays; null: your oldest account")] | None = Field(
        default_factory=nothing
    )
    account_uuids: Senders | None = Field(default_factory=nothing)
    subject: Subject | None = Field(default_factory=nothing)
    html: Html | None = Field(default_factory=nothing)
    text: Body | None = Field(default_factory=nothing)
    variants: Variants | None = Field(default_factory=nothing)
    template: Annotated[WhatsAppTemplateInput, Field(description="of WhatsApp Cloud")] | None = Field(
        default_factory=nothing
    )
    attachment_uuids: Attachments | None = Field(default_factory=nothing)
    start_at: StartAt | None = Field(default_factory=nothing)
    window: Annotated[WindowInput, Field(description="when messages may leave; null: always")] | None = Field(
        default_factory=nothing
    )
    speed: Annotated[SpeedInput, Field(description="how fast they leave")] | None = Field(
        default_factory=nothing
    )
    retry: Annotated[RetryInput, Field(description="how often a message is tried")] | None = Field(
        default_factory=nothing
    )
    on_missing_variable: Missing | None = Field(default_factory=nothing)
    stop_on_reply: StopOnReply | None = Field(default_factory=nothing)
    category: Category | None = Field(default_factory=nothing)

    @model_validator(mode="after")
    def _never_null(self) -> Self:
        for name in ("name", "channel"):
            if name in self.model_fields_set and getattr(self, name) is None:
                raise ValueError(f"{name} can't be null; leave it out to keep it")
        return self


def _can_change(codes: list[str]) -> list[str]:
    if "invalid_recipient" in codes:
        raise ValueError("invalid_recipient can't be retried: the channel can't reach these addresses")
    return codes


class RetryProject(Shape):
    """Which messages are sent again."""

    unknown: Annotated[
        bool, Field(description="also those that may have been taken: some recipients may get two")
    ] = False
    skipped: Annotated[
        list[Annotated[str, Field(pattern="^[a-z_]{1,64}$")]],
        Field(
            max_length=20,
            description="also those skipped with one of these failure codes, if their cause is gone",
            examples=[["missing_variable", "blocked"]],
        ),
        AfterValidator(_can_change),
    ] = Field(default_factory=list)


class StopProjects(Shape):
    """Several projects to stop."""

    uuids: Annotated[
        list[UUID],
        Field(
            min_length=1,
            max_length=100,
            description="which",
            examples=[["01890000-0000-7000-8000-000000000000"]],
        ),
        AfterValidator(_distinct),
    ]


class NotStopped(Shape):
    """A project that could not be stopped."""

    uuid: Annotated[UUID, Field(description="which")]
    code: Annotated[str, Field(description="why, for programs")]
    message: Annotated[str, Field(description="why, for people")]


class StoppedProjects(Shape):
    """What became of each."""

    stopped: Annotated[list[UUID], Field(description="those that are stopped now")]
    failed: Annotated[list[NotStopped], Field(description="those that are not")]


class ProjectCount(Shape):
    """How many projects there are."""

    count: Annotated[int, Field(description="how many")]


class PreviewMessage(Shape):
    """A text to render: as given here, else as the project has it; with these variables, else the recipient's."""

    channel: Annotated[ProjectChannel, Field(description="default: the project's, else sms")] | None = None
    subject: Subject | None = None
    html: Html | None = None
    text: Body | None = None
    variant: Annotated[int, Field(ge=0, le=9, description="which of the project's variants")] | None = None
    variables: Annotated[
        JsonObject | None,
        json_at_most(64 * 1024),
        Field(description="by name; they win over the recipient's"),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    sending_project_uuid: Annotated[UUID, Field(description="whose texts are used")] | None = None
    recipient_uuid: (
        Annotated[UUID, Field(description="one of that project's, whose variables are used")] | None
    ) = None


class MessagePreview(Shape):
    """How a text looks to a recipient."""

    subject: Annotated[str | None, Field(description="in one line")]
    body: Annotated[str, Field(description="the text")]
    html: Annotated[str | None, Field(description="the HTML")]
    params: Annotated[list[str], Field(description="of the WhatsApp template")]
    variables: Annotated[list[str], Field(description="the names that the texts use, by the alphabet")]
    missing: Annotated[list[str], Field(description="those that the texts print and nobody gave")]
    characters: Annotated[int, Field(description="of the text")]
    segments: Annotated[int | None, Field(description="of an SMS: how many are charged")]
    encoding: Annotated[str | None, Field(description="of an SMS: gsm7 or ucs2")]
