"""Series: messages that a person gets one after the other, after an entry into a topic or a segment."""

from typing import Annotated, ClassVar, Final, Self
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from shapes.described import DescribedEnum
from shapes.emails import MailFrom, SenderField
from shapes.messages import MessageCategory
from shapes.project_languages import LocaleFrom
from shapes.project_settings import Window, WindowInput
from shapes.rules import never_null
from shapes.sending_projects import Missing, Name, OnMissingVariable, ProjectChannel, Senders
from shapes.shape import Cost, Created, Id, Shape, Timestamp, Updated
from shapes.sms_senders import SenderName
from shapes.template_sources import RequestedLocale, TemplateKey, VersionNumber
from shapes.values import nothing
from shapes.where import Choice, Ids, Where

MOST_SERIES: Final = 200
"""The most series of one owner that are not archived."""
MOST_STEPS: Final = 20
_DAY: Final = 86_400
LONGEST_DELAY: Final = 366 * _DAY


class SeriesStatus(DescribedEnum):
    """Status of a series; docs/states.md describes all transitions."""

    draft = "draft", "never started: no contact enters it"
    running = "running", "people enter it, and get its steps"
    paused = "paused", "people enter it and wait; nothing is sent until it is started again"
    archived = "archived", "it has ended: no contact enters it, and nothing more is sent"


class SeriesPause(DescribedEnum):
    """The reason for which the service has paused a series."""

    full = (
        "full",
        "the number of people that it or the tariff allows is reached; raise it, then start the series",
    )
    segment_failed = "segment_failed", "the conditions of its segment can't be read; change the segment"
    restored = "restored", "the service was restored from a backup; start the series if it is still wanted"


class ExistingMembers(DescribedEnum):
    """The treatment of people who are in the topic or the segment when the series is first started."""

    skip = "skip", "only people who come later enter"
    enter = "enter", "they enter, too, at the start"


class DelayFrom(DescribedEnum):
    """The time from which the delay of a step counts."""

    entry = "entry", "the entry of the person into the series"
    previous = "previous", "the time at which the message of the step before was sent"


class EntryState(DescribedEnum):
    """The state of a person in a series."""

    waiting = "waiting", "further steps come, or the message of the last one is on its way"
    finished = "finished", "all steps are over"
    stopped = "stopped", "no further step comes; `stopReason` says why"
    excluded = "excluded", "was in the segment when the series was first started, and does not enter it"


class StopReason(DescribedEnum):
    """The reason for which no further step comes."""

    withdrawn = "withdrawn", "the subscription to the topic has ended"
    replied = "replied", "the person has replied"
    blocked = (
        "blocked",
        "the address of the next step is blocked: STOP, unsubscribe link, bounce or complaint",
    )
    left = "left", "the person is not in the segment any more"
    archived = "archived", "the series was archived"


_DELAY = "seconds until the step begins, counted from `after`"
_AFTER = "from when `delay` counts; for the first step always the entry"
_FROM = "the From of emails"
_TOPIC = "the topic whose new subscribers enter, by the channel of the first step"
_SEGMENT = (
    "the segment whose contacts enter, within some minutes; with a topic only those who are subscribed to it"
)
_EXISTING = "what happens to people who are in it already when the series is first started"
_ON_REPLY = "true: a person who replies to any of your messages gets no further step"
_ON_LEAVE = "true: a person who is not in the segment any more gets no further step"
_MOST = "the most people who may enter; more of them pause the series"
_WINDOW = "when messages may be sent; null: at any time"


class SeriesStepFields(Shape):
    """A step of a series: a text of a template that is sent after a delay."""

    # In the order of the stored JSON, which the fast routes write as it is.
    from_address: SenderField
    after: Annotated[DelayFrom, Field(description=_AFTER)]
    delay: Annotated[int, Field(description=_DELAY, examples=[86_400])]
    sender: Annotated[str | None, Field(description="the sender of SMS; null: the channel's own")]
    channel: Annotated[ProjectChannel, Field(description="channel of its messages")]
    locale_from: Annotated[
        str | None, Field(description="variable that has the language of each person; null: all get the text")
    ]
    template_id: Annotated[UUID, Field(description="id of the template")]
    template_key: Annotated[str, Field(description="key of the template", examples=["welcome"])]
    account_uuids: Annotated[list[UUID], Field(description="uuids of the source accounts to send from")]
    template_locale: Annotated[str, Field(description="language of the text that was taken")]
    template_version: Annotated[int, Field(description="number of its version, which does not change")]


class SeriesFields(Shape):
    """Messages that a person gets one after the other, after an entry into a topic or a segment."""

    id: Id
    name: Annotated[str, Field(description="display name")]
    status: Annotated[SeriesStatus, Field(description="status of the series")]
    status_reason: Annotated[
        SeriesPause | None, Field(description="why the service has paused it; null: it has not")
    ]
    account_id: Annotated[UUID, Field(description="the account that pays")]
    category: Annotated[MessageCategory, Field(description="purpose of its messages")]
    channel: Annotated[ProjectChannel, Field(description="channel of the first step")]
    topic_id: Annotated[UUID | None, Field(description=f"{_TOPIC}; null: none")]
    segment_id: Annotated[UUID | None, Field(description=f"{_SEGMENT}; null: none")]
    existing: Annotated[ExistingMembers, Field(description=_EXISTING)]
    stop_on_reply: Annotated[bool, Field(description=_ON_REPLY)]
    stop_on_leave: Annotated[bool, Field(description=_ON_LEAVE)]
    on_missing_variable: Annotated[
        OnMissingVariable, Field(description="what happens to people who lack a variable of a text")
    ]
    max_entries: Annotated[int | None, Field(description=f"{_MOST}; null: those of the tariff")]
    project_ids: Annotated[
        list[UUID],
        Field(
            description="uuids of the Sending Projects of its steps, in their order; empty before the first start"
        ),
    ]
    started_at: Annotated[Timestamp | None, Field(description="when it was first started; null: never")]
    created_at: Created
    updated_at: Updated


class Series(SeriesFields):
    """Messages that a person gets one after the other, after an entry into a topic or a segment."""

    window: Annotated[Window | None, Field(description=_WINDOW)]
    steps: Annotated[
        list[SeriesStepFields], Field(description="its steps, in their order"), Cost(most=MOST_STEPS)
    ]


class SeriesStepInput(Shape):
    """A step of a series: a text of a template that is sent after a delay."""

    channel: Annotated[ProjectChannel, Field(description="channel of its messages")]
    template_key: TemplateKey
    template_version: VersionNumber | None = None
    locale: RequestedLocale | None = None
    locale_from: LocaleFrom | None = None
    delay: Annotated[int, Field(ge=0, le=LONGEST_DELAY, description=_DELAY, examples=[86_400])] = 0
    after: Annotated[DelayFrom, Field(description=_AFTER)] = DelayFrom.previous
    from_address: MailFrom = None
    sender: SenderName = None
    account_uuids: Senders = Field(default_factory=list)


Steps = Annotated[
    list[SeriesStepInput],
    Field(
        min_length=1,
        max_length=MOST_STEPS,
        description="its steps, in their order",
        examples=[
            [
                {"channel": "email", "templateKey": "welcome"},
                {"channel": "email", "templateKey": "first-steps", "delay": 172_800},
            ]
        ],
    ),
]
_Topic = Annotated[UUID, Field(description=_TOPIC)]
_Segment = Annotated[UUID, Field(description=_SEGMENT)]
_MostEntries = Annotated[int, Field(ge=1, le=100_000_000, description=_MOST)]
_Existing = Annotated[ExistingMembers, Field(description=_EXISTING)]
_StopOnReply = Annotated[bool, Field(description=_ON_REPLY)]
_StopOnLeave = Annotated[bool, Field(description=_ON_LEAVE)]
_Category = Annotated[
    MessageCategory,
    Field(
        description="purpose of its messages; promotional ones need a topic, since that is what people agreed to"
    ),
]
_Account = Annotated[UUID, Field(description="the account that pays; default: your oldest account")]


class NewSeries(Shape):
    """The values of a new series. It is a draft until it is started."""

    name: Name
    topic_id: _Topic | None = None
    segment_id: _Segment | None = None
    category: _Category = MessageCategory.promotional
    account_id: _Account | None = None
    steps: Steps
    existing: _Existing = ExistingMembers.skip
    stop_on_reply: _StopOnReply = True
    stop_on_leave: _StopOnLeave = False
    on_missing_variable: Missing = OnMissingVariable.empty
    window: Annotated[WindowInput, Field(description=_WINDOW)] | None = None
    max_entries: _MostEntries | None = None

    @model_validator(mode="after")
    def _require_entry(self) -> Self:
        if self.topic_id is None and self.segment_id is None:
            raise ValueError("send topicId, segmentId, or both")
        return self


_REQUIRED = ("name", "category", "steps", "existing", "stop_on_reply", "stop_on_leave", "on_missing_variable")


class SeriesPatch(Shape):
    """The values of a series that change; the others stay. While it runs, only its name can change."""

    model_config = ConfigDict(
        json_schema_extra=never_null(
            "name", "category", "steps", "existing", "stopOnReply", "stopOnLeave", "onMissingVariable"
        )
    )

    name: Name | None = Field(default_factory=nothing)
    topic_id: _Topic | None = Field(default_factory=nothing)
    segment_id: _Segment | None = Field(default_factory=nothing)
    category: _Category | None = Field(default_factory=nothing)
    account_id: _Account | None = Field(default_factory=nothing)
    steps: Steps | None = Field(default_factory=nothing)
    existing: _Existing | None = Field(default_factory=nothing)
    stop_on_reply: _StopOnReply | None = Field(default_factory=nothing)
    stop_on_leave: _StopOnLeave | None = Field(default_factory=nothing)
    on_missing_variable: Missing | None = Field(default_factory=nothing)
    window: Annotated[WindowInput, Field(description=_WINDOW)] | None = Field(default_factory=nothing)
    max_entries: _MostEntries | None = Field(default_factory=nothing)

    @model_validator(mode="after")
    def _never_null(self) -> Self:
        for name in _REQUIRED:
            if name in self.model_fields_set and getattr(self, name) is None:
                raise ValueError(f"{name} can't be null; leave it out to keep it")
        return self


class StartSeries(Shape):
    """The plan that a start obeys."""

    plan_hash: Annotated[
        str,
        Field(
            pattern=r"^[0-9a-f]{64}$",
            description="hash of the plan, as `plan` returns it: the series is started if it still says this",
            examples=["0f" * 32],
        ),
    ]


class SeriesEntry(Shape):
    """A person in a series. There is one for ever, so no person begins a series twice."""

    id: Id
    series_id: Annotated[UUID, Field(description="id of the series")]
    contact_id: Annotated[UUID, Field(description="uuid of the contact")]
    state: Annotated[EntryState, Field(description="state of the person in the series")]
    stop_reason: Annotated[
        StopReason | None, Field(description="why no further step comes; null: it is not stopped")
    ]
    step: Annotated[int, Field(description="the newest step that has begun; 0: none")]
    entered_at: Annotated[Timestamp, Field(description="when the person entered")]
    begun_at: Annotated[Timestamp | None, Field(description="when the newest step began; null: none has")]
    due_at: Annotated[
        Timestamp | None,
        Field(
            description="when the next step begins at the earliest, and the rest is decided; null: it is over"
        ),
    ]
    ended_at: Annotated[
        Timestamp | None, Field(description="when it was finished or stopped; null: it is not")
    ]
    created_at: Created
    updated_at: Updated


class SeriesWhere(Where):
    """Filter for series."""

    kinds: ClassVar = {"id": "Series", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    status: Annotated[Choice[SeriesStatus] | None, Field(description="filter by status")] = None


class SeriesEntryWhere(Where):
    """Filter for people in a series."""

    kinds: ClassVar = {"id": "SeriesEntry", "contact_id": "Contact"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    contact_id: Annotated[Ids | None, Field(description="filter by contact")] = None
    state: Annotated[Choice[EntryState] | None, Field(description="filter by state")] = None
    stop_reason: Annotated[
        Choice[StopReason] | None, Field(description="filter by the reason for which it was stopped")
    ] = None
