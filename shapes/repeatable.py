"""Repeatable Sending Projects (contract §3)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from shapes.clicks import TrackClicks
from shapes.described import DescribedEnum
from shapes.emails import MailFrom
from shapes.messages import MessageCategory
from shapes.project_audiences import ProjectAudience, ProjectAudienceInput
from shapes.project_languages import LANGUAGES, ProjectLanguages
from shapes.project_settings import (
    Retry,
    RetryInput,
    Speed,
    SpeedInput,
    Variant,
    WhatsAppTemplate,
    WhatsAppTemplateInput,
    Window,
    WindowInput,
)
from shapes.rules import either, exclusive
from shapes.sending_projects import (
    CHANNEL_RULES,
    Attachments,
    Body,
    Category,
    Html,
    Missing,
    Name,
    OnMissingVariable,
    ProjectChannel,
    Senders,
    StopOnReply,
    Subject,
    Variants,
)
from shapes.shape import Cost, Created, Line, Shape, Timestamp, Updated, Uuid
from shapes.sms_senders import SenderName
from shapes.template_sources import (
    TEMPLATE_ID,
    TEMPLATE_LOCALE,
    TEMPLATE_RULE,
    TEMPLATE_VERSION,
    TextsOfTemplate,
)
from shapes.where import Choice, Contains, Ids, TimeSpan, Where


class RepeatableStatus(DescribedEnum):
    """The status of a repeatable project: active or not."""

    draft = "draft", "never started"
    active = "active", "runs by its schedule"
    stopped = "stopped", "does not run until it is started"
    finished = "finished", "the schedule has no further runs"


class Misfire(DescribedEnum):
    """The rule for runs that were missed because no worker could start them in time."""

    skip = "skip", "missed runs are skipped"
    one = "one", "one run is made for all missed ones"


def _example(rule: Mapping[str, Any], **example: str) -> ConfigDict:
    """Returns a rule of the fields, and an example of the whole, where one that has every field would be refused."""
    return ConfigDict(json_schema_extra={**rule, "examples": [dict(example)]})


class Schedule(Shape):
    """The times of a repeatable project's runs: an RRULE or a cron expression, evaluated in the local time of its time
    zone.
    """

    rrule: (
        Annotated[
            Line,
            Field(
                min_length=1,
                max_length=1024,
                description="RFC 5545 rule, at most one run per minute, counted from startAt",
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
                description="cron expression with five fields: minute, hour, day of month, month, day of week",
                examples=["30 9 * * mon,thu"],
            ),
        ]
        | None
    ) = None
    timezone: Annotated[
        Line, Field(max_length=64, description="IANA time zone", examples=["Europe/Berlin"])
    ] = "UTC"
    start_at: (
        Annotated[
            Timestamp, Field(description="no runs before this time; default of an rrule: the last midnight")
        ]
        | None
    ) = None
    end_at: Annotated[Timestamp, Field(description="no runs after this time; null: no end")] | None = None
    max_runs: (
        Annotated[
            int,
            Field(ge=1, le=2**31 - 1, description="it is finished after this number of runs; null: no limit"),
        ]
        | None
    ) = None
    misfire: Annotated[
        Misfire,
        Field(
            description="after runs were missed by more than 10 minutes: skip all of them, or run once for all"
        ),
    ] = Misfire.skip


class ScheduleInput(Schedule):
    """The times of a repeatable project's runs: either rrule or cron is required."""

    model_config = _example(either("rrule", "cron"), cron="30 9 * * mon,thu", timezone="Europe/Berlin")


class _ListSource(Shape):
    """The sources of recipients that are lists."""

    import_uuid: Annotated[UUID, Field(description="uuid of a recipient import")] | None = None
    sending_project_uuid: Annotated[UUID, Field(description="uuid of a Sending Project")] | None = None


class Source(_ListSource):
    """The source of the recipients of each run; they are read at the time of the run."""

    audience: (
        Annotated[
            ProjectAudience,
            Field(
                description="subscribers of topics and contacts of segments, as they are at the time of the run"
            ),
        ]
        | None
    ) = None


class SourceInput(_ListSource):
    """The source of the recipients of each run: exactly one of the three is required."""

    model_config = _example(
        exclusive("importUuid", "sendingProjectUuid", "audience"),
        importUuid="019a9f6e-7c00-7000-8000-5f3a1c2b4d6e",
    )

    audience: (
        Annotated[
            ProjectAudienceInput,
            Field(
                description="subscribers of topics and contacts of segments, as they are at the time of the run"
            ),
        ]
        | None
    ) = None

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        sources = (self.import_uuid, self.sending_project_uuid, self.audience)
        if sum(each is not None for each in sources) != 1:
            raise ValueError("send exactly one of importUuid, sendingProjectUuid and audience")
        if self.audience is not None and self.audience.follows is not None:
            raise ValueError(
                "audience.follows: a repeatable project can't follow; make a project that follows a run"
            )
        return self


class TemplateFields(Shape):
    """The fields that a template and its input have in common."""

    channel: Annotated[ProjectChannel, Field(description="channel of its messages")]
    account_id: (
        Annotated[UUID, Field(description="the account that pays; null: your oldest account")] | None
    ) = None
    account_uuids: Senders = Field(default_factory=list)
    subject: Subject | None = None
    html: Html | None = None
    text: Body | None = None
    attachment_uuids: Attachments = Field(default_factory=list)
    on_missing_variable: Missing = OnMissingVariable.empty
    stop_on_reply: StopOnReply = False
    track_clicks: TrackClicks = None
    category: Category = MessageCategory.promotional
    from_address: MailFrom = None
    sender: SenderName = None


class ProjectTemplate(TemplateFields):
    """The content and settings of each run: the fields of a Sending Project."""

    variants: Annotated[
        list[Variant],
        Field(max_length=10, description="text variants in place of `text`, chosen by weight"),
        Cost(most=10),
    ] = Field(default_factory=list)
    languages: Annotated[ProjectLanguages | None, Field(description=LANGUAGES)] = None
    template: Annotated[WhatsAppTemplate, Field(description="message template of WhatsApp Cloud")] | None = (
        None
    )
    template_id: Annotated[UUID | None, Field(description=TEMPLATE_ID)] = None
    template_version: Annotated[int | None, Field(description=TEMPLATE_VERSION)] = None
    template_locale: Annotated[str | None, Field(description=TEMPLATE_LOCALE)] = None
    window: Annotated[Window, Field(description="when messages may be sent; null: at any time")] | None = None
    speed: Annotated[Speed, Field(description="sending rate")] | None = None
    retry: Annotated[Retry, Field(description="how often a failed message is tried again")] | None = None


class ProjectTemplateInput(TemplateFields, TextsOfTemplate):
    """The content and settings of each run."""

    model_config = _example(
        {"allOf": [*CHANNEL_RULES["allOf"], TEMPLATE_RULE]}, channel="sms", text="Hello {{ name }}, …"
    )

    variants: Variants = Field(default_factory=list)
    template: (
        Annotated[WhatsAppTemplateInput, Field(description="message template of WhatsApp Cloud")] | None
    ) = None
    window: (
        Annotated[WindowInput, Field(description="when messages may be sent; null: at any time")] | None
    ) = None
    speed: Annotated[SpeedInput, Field(description="sending rate")] | None = None
    retry: Annotated[RetryInput, Field(description="how often a failed message is tried again")] | None = None


class RepeatableFields(Shape):
    """A template and a schedule: each run creates a Sending Project and starts it."""

    id: Uuid
    name: Annotated[
        str, Field(description="display name; the name of a run is this name and the time of the run")
    ]
    status: Annotated[RepeatableStatus, Field(description="whether it is active")]
    next_run_at: Annotated[
        Timestamp | None, Field(description="time of the next run; null unless it is active")
    ]
    last_run_at: Annotated[Timestamp | None, Field(description="time of the last run; null before the first")]
    runs: Annotated[int, Field(description="number of runs so far")]
    last_error: Annotated[
        str | None,
        Field(
            description="why the last run created no project, or a project that could not be started; null if there "
            "was no error"
        ),
    ]
    created_at: Created
    updated_at: Updated


class RepeatableSendingProject(RepeatableFields):
    """A template and a schedule: each run creates a Sending Project and starts it."""

    template: Annotated[ProjectTemplate, Field(description="the content and settings of each run")]
    schedule: Annotated[Schedule, Field(description="when it runs")]
    source: Annotated[Source, Field(description="where the recipients of each run come from")]


class NewRepeatableProject(Shape):
    """A repeatable project to create; it runs only after it is started."""

    name: Name
    template: Annotated[ProjectTemplateInput, Field(description="the content and settings of each run")]
    schedule: Annotated[ScheduleInput, Field(description="when it runs")]
    source: Annotated[SourceInput, Field(description="where the recipients of each run come from")]


class RepeatablePatch(Shape):
    """Changes to a repeatable project. Template, schedule and source are replaced as a whole. The changes apply to
    later runs.
    """

    name: Name | None = None
    template: (
        Annotated[ProjectTemplateInput, Field(description="the content and settings of each run")] | None
    ) = None
    schedule: Annotated[ScheduleInput, Field(description="when it runs")] | None = None
    source: Annotated[SourceInput, Field(description="where the recipients of each run come from")] | None = (
        None
    )


class RepeatableWhere(Where):
    """Filter for repeatable projects."""

    kinds: ClassVar = {"id": "RepeatableSendingProject", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    name: Annotated[Contains | None, Field(description="part of the name")] = None
    status: Annotated[Choice[RepeatableStatus] | None, Field(description="filter by status")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by creation time")] = None


class NextRuns(Shape):
    """The next runs of a repeatable project."""

    next_runs: Annotated[
        list[Timestamp] | None,
        Field(
            description="the next times at which it runs, or would run if it were active; null if they could not be "
            "computed in time"
        ),
    ]


class RepeatableCount(Shape):
    """A count."""

    count: Annotated[int, Field(description="the number")]
