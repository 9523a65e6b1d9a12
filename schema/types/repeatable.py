"""Repeatable Sending Projects (contract §3)."""

from enum import StrEnum
from typing import Annotated, ClassVar, Self
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from schema.types.messages import MessageCategory
from schema.types.sending_projects import (
    Attachments,
    Body,
    Category,
    Html,
    Missing,
    Name,
    OnMissingVariable,
    ProjectChannel,
    Retry,
    RetryInput,
    Senders,
    Speed,
    SpeedInput,
    StopOnReply,
    Subject,
    Variant,
    Variants,
    WhatsAppTemplate,
    WhatsAppTemplateInput,
    Window,
    WindowInput,
)
from schema.types.shape import Created, Line, Shape, Timestamp, Updated, Uuid
from schema.types.where import Choice, Contains, Ids, TimeSpan, Where


class RepeatableStatus(StrEnum):
    """Whether it fires."""

    draft = "draft"
    active = "active"
    stopped = "stopped"
    finished = "finished"


class Misfire(StrEnum):
    """What becomes of firings whose time went by while nobody could fire."""

    skip = "skip"
    one = "one"


def _shown(**example: str) -> ConfigDict:
    """An example of the whole, where one that has every field would be refused."""
    return ConfigDict(json_schema_extra={"examples": [dict(example)]})


class Schedule(Shape):
    """When it fires: an RRULE or a cron expression, by the clock on a wall in its zone."""

    rrule: (
        Annotated[
            Line,
            Field(
                min_length=1,
                max_length=1024,
                description="RFC 5545, not more often than once a minute; counts from startAt",
                examples=["FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=9;BYMINUTE=30"],
            ),
        ]
        | None
    ) = None
    cron: (
        Annotated[
            Line,
            Field(
                min_length=1,
                max_length=256,
                description="five fields: minute, hour, day of month, month, day of week",
                examples=["30 9 * * mon,thu"],
            ),
        ]
        | None
    ) = None
    timezone: Annotated[Line, Field(max_length=64, description="IANA's name", examples=["Europe/Berlin"])] = (
        "UTC"
    )
    start_at: (
        Annotated[Timestamp, Field(description="no firing before it; default of an rrule: the last midnight")]
        | None
    ) = None
    end_at: Annotated[Timestamp, Field(description="no firing after it")] | None = None
    max_runs: (
        Annotated[int, Field(ge=1, le=2**31 - 1, description="after so many firings it is finished")] | None
    ) = None
    misfire: Annotated[
        Misfire,
        Field(description="when firings were missed by more than 10 minutes: none, or one for all of them"),
    ] = Misfire.skip


class ScheduleInput(Schedule):
    """When it fires; give rrule or cron."""

    model_config = _shown(cron="30 9 * * mon,thu", timezone="Europe/Berlin")


class Source(Shape):
    """Whose recipients each run gets, as they are when it fires."""

    import_uuid: Annotated[UUID, Field(description="a recipient import's")] | None = None
    sending_project_uuid: Annotated[UUID, Field(description="a Sending Project's")] | None = None


class SourceInput(Source):
    """Whose recipients each run gets; give one of the two."""

    model_config = _shown(importUuid="019a9f6e-7c00-7000-8000-5f3a1c2b4d6e")

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.import_uuid is None) == (self.sending_project_uuid is None):
            raise ValueError("give either importUuid or sendingProjectUuid")
        return self


class TemplateFields(Shape):
    """What a template and its input have in common."""

    channel: Annotated[ProjectChannel, Field(description="how its messages leave")]
    account_id: Annotated[UUID, Field(description="who pays; null: the oldest account")] | None = None
    account_uuids: Senders = Field(default_factory=list)
    subject: Subject | None = None
    html: Html | None = None
    text: Body | None = None
    attachment_uuids: Attachments = Field(default_factory=list)
    on_missing_variable: Missing = OnMissingVariable.empty
    stop_on_reply: StopOnReply = False
    category: Category = MessageCategory.promotional


class ProjectTemplate(TemplateFields):
    """What each run says, how and through whom: the fields of a Sending Project."""

    variants: Annotated[
        list[Variant], Field(max_length=10, description="texts in place of `text`, by their weights")
    ] = Field(default_factory=list)
    template: Annotated[WhatsAppTemplate, Field(description="of WhatsApp Cloud")] | None = None
    window: Annotated[Window, Field(description="when messages may leave; null: always")] | None = None
    speed: Annotated[Speed, Field(description="how fast they leave")] | None = None
    retry: Annotated[Retry, Field(description="how often a message is tried")] | None = None


class ProjectTemplateInput(TemplateFields):
    """What each run says, how and through whom."""

    model_config = _shown(channel="sms", text="Hello {{ name }}, …")

    variants: Variants = Field(default_factory=list)
    template: Annotated[WhatsAppTemplateInput, Field(description="of WhatsApp Cloud")] | None = None
    window: Annotated[WindowInput, Field(description="when messages may leave; null: always")] | None = None
    speed: Annotated[SpeedInput, Field(description="how fast they leave")] | None = None
    retry: Annotated[RetryInput, Field(description="how often a message is tried")] | None = None


class RepeatableFields(Shape):
    """A template and a schedule: each firing makes a Sending Project and starts it."""

    id: Uuid
    name: Annotated[str, Field(description="shown to people; a run's name is this and its time")]
    status: Annotated[RepeatableStatus, Field(description="whether it fires")]
    next_run_at: Annotated[Timestamp | None, Field(description="when it fires next, while it is active")]
    last_run_at: Annotated[Timestamp | None, Field(description="when it last made a run")]
    runs: Annotated[int, Field(description="how many runs it has made")]
    last_error: Annotated[
        str | None, Field(description="why the last firing made no run, or a run that did not start")
    ]
    created_at: Created
    updated_at: Updated


class RepeatableSendingProject(RepeatableFields):
    """A template and a schedule: each firing makes a Sending Project and starts it."""

    template: Annotated[ProjectTemplate, Field(description="what each run is made of")]
    schedule: Annotated[Schedule, Field(description="when it fires")]
    source: Annotated[Source, Field(description="whose recipients each run gets")]


class NewRepeatableProject(Shape):
    """A schedule to save; it fires once it is started."""

    name: Name
    template: Annotated[ProjectTemplateInput, Field(description="what each run is made of")]
    schedule: Annotated[ScheduleInput, Field(description="when it fires")]
    source: Annotated[SourceInput, Field(description="whose recipients each run gets")]


class RepeatablePatch(Shape):
    """What changes; template, schedule and source are replaced as a whole. Later firings take it as it is then."""

    name: Name | None = None
    template: Annotated[ProjectTemplateInput, Field(description="what each run is made of")] | None = None
    schedule: Annotated[ScheduleInput, Field(description="when it fires")] | None = None
    source: Annotated[SourceInput, Field(description="whose recipients each run gets")] | None = None


class RepeatableWhere(Where):
    """What must hold for repeatable projects."""

    kinds: ClassVar = {"id": "RepeatableSendingProject", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    owner_id: Annotated[Ids | None, Field(description="whose they are")] = None
    name: Annotated[Contains | None, Field(description="a part of the name")] = None
    status: Annotated[Choice[RepeatableStatus] | None, Field(description="whether they fire")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they were made")] = None


class RepeatableCount(Shape):
    """How many there are."""

    count: Annotated[int, Field(description="how many")]
