"""Segments: contacts that meet conditions, as they are at each moment."""

from typing import Annotated, Any, ClassVar, Self
from uuid import UUID

import strawberry
from pydantic import ConfigDict, Field, model_validator
from strawberry.scalars import JSON

from shapes.contacts import MOST_CONDITIONS, Contact, ContactFieldCondition
from shapes.described import DescribedEnum
from shapes.rules import exclusive, never_null
from shapes.sending_projects import ProjectChannel
from shapes.shape import Cost, Created, Id, Line, Shape, Timestamp, Updated
from shapes.topic_subscriptions import SubscriptionState
from shapes.values import nothing
from shapes.where import Choice, Contains, Exactly, Ids, TimeSpan, Where

MOST_SEGMENTS = 200  # of one owner
MOST_GROUPS = 20
MOST_PARTS = 100  # groups, conditions and conditions on fields, in one segment
MOST_DAYS = 366
SAMPLE = 20  # contacts of a preview

_PROJECT = "019a9f6e-7c00-7000-8000-5f3a1c2b4d6e"
_TOPIC = "01890000-0000-7000-8000-000000000002"
_DAYS = Field(ge=1, le=MOST_DAYS)


class SegmentContact(Where):
    """Conditions on a contact itself, as lists of contacts have them; all that are given must hold."""

    external_id: Annotated[Exactly | None, Field(description="by the id in your own system")] = None
    name: Annotated[Contains | None, Field(description="by words of the name, or by how they begin")] = None
    channel: Annotated[Choice[ProjectChannel] | None, Field(description="by the channels that reach it")] = (
        None
    )
    locale: Annotated[Exactly | None, Field(description="by the language tag")] = None
    created_at: Annotated[TimeSpan | None, Field(description="by the time of creation")] = None
    created_within_days: Annotated[
        int | None, _DAYS, Field(description="it was added within so many days before the moment of asking")
    ] = None
    fields: Annotated[
        list[ContactFieldCondition] | None,
        Field(max_length=MOST_CONDITIONS, description="conditions on fields, all of which must hold"),
    ] = None


class SegmentSubscription(Shape):
    """A subscription that a contact has."""

    topic_uuid: Annotated[UUID, Field(description="uuid of the topic", examples=[_TOPIC])]
    channel: Annotated[ProjectChannel | None, Field(description="its channel; null: any")] = None
    states: Annotated[
        list[SubscriptionState],
        Field(min_length=1, max_length=3, description="its state is one of these"),
    ] = Field(default_factory=lambda: [SubscriptionState.active])
    changed_within_days: Annotated[
        int | None, _DAYS, Field(description="it has had its state for at most so many days")
    ] = None


class SegmentEvent(DescribedEnum):
    """An event of a project's message."""

    sent = "sent", "a provider accepted it"
    delivered = "delivered", "it was delivered, or read"
    read = "read", "it was read"
    replied = "replied", "the contact replied"
    clicked = "clicked", "the contact clicked on a link in it; a click of a machine is none"
    failed = "failed", "it failed"
    bounced = "bounced", "a mail reported that it came back"
    complained = "complained", "it was reported as spam"


class SegmentHistory(Shape):
    """A message of a project to a contact. It is found by the addresses that the contact has."""

    event: Annotated[SegmentEvent, Field(description="what happened to it")]
    within_days: Annotated[
        int, _DAYS, Field(description="it was queued within so many days before the moment of asking")
    ] = 90
    project_uuids: Annotated[
        list[UUID],
        Field(max_length=20, description="of one of these projects; none: of any", examples=[[_PROJECT]]),
    ] = Field(default_factory=list)
    topic_uuids: Annotated[
        list[UUID],
        Field(
            max_length=10,
            description="of a project for one of these topics; none: of any",
            examples=[[_TOPIC]],
        ),
    ] = Field(default_factory=list)
    channel: Annotated[ProjectChannel | None, Field(description="its channel; null: any")] = None


class SegmentCondition(Shape):
    """A condition on a contact: exactly one of contact, subscription and history."""

    model_config = ConfigDict(json_schema_extra=exclusive("contact", "subscription", "history"))

    not_: Annotated[
        bool,
        Field(alias="not", description="true: those who do not meet it"),
        strawberry.field(name="not"),
    ] = False
    contact: Annotated[SegmentContact | None, Field(description="what the contact is")] = None
    subscription: Annotated[SegmentSubscription | None, Field(description="a subscription that it has")] = (
        None
    )
    history: Annotated[SegmentHistory | None, Field(description="a message that it got")] = None

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        if sum(each is not None for each in (self.contact, self.subscription, self.history)) != 1:
            raise ValueError("send exactly one of contact, subscription and history")
        return self


class SegmentGroup(Shape):
    """Conditions of which at least one must hold."""

    any_: Annotated[
        list[SegmentCondition],
        Field(alias="any", min_length=1, max_length=20, description="at least one of these holds"),
        strawberry.field(name="any"),
    ]


class SegmentFilter(Shape):
    """The contacts that meet at least one condition of each group."""

    all_: Annotated[
        list[SegmentGroup],
        Field(alias="all", min_length=1, max_length=MOST_GROUPS, description="each of these groups holds"),
        strawberry.field(name="all"),
    ]

    @model_validator(mode="after")
    def _check_size(self) -> Self:
        conditions = [condition for group in self.all_ for condition in group.any_]
        fields = [field for each in conditions if each.contact for field in each.contact.fields or ()]
        if len(self.all_) + len(conditions) + len(fields) > MOST_PARTS:
            raise ValueError(f"at most {MOST_PARTS} groups, conditions and conditions on fields together")
        return self


_EXAMPLE: Any = {
    "all": [
        {"any": [{"contact": {"fields": [{"key": "city", "eq": "Berlin"}]}}]},
        {"any": [{"history": {"event": "replied", "withinDays": 30}}, {"contact": {"createdWithinDays": 7}}]},
    ]
}
_FILTER = "the conditions by which contacts belong to it"
SegmentName = Annotated[
    Line,
    Field(min_length=1, max_length=100, description="name, unique among yours", examples=["New in Berlin"]),
]


class Segment(Shape):
    """Contacts that meet conditions. Who belongs to it is asked each time anew."""

    id: Id
    name: Annotated[str, Field(description="name", examples=["New in Berlin"])]
    filter: Annotated[
        dict[str, Any],
        Field(description=f"{_FILTER}, as they were sent", examples=[_EXAMPLE]),
        strawberry.field(graphql_type=JSON),
    ]
    size: Annotated[int, Field(description="how many contacts belonged to it when they were counted last")]
    counted_at: Annotated[Timestamp, Field(description="when they were counted last")]
    created_at: Created
    updated_at: Updated


class NewSegment(Shape):
    """The values of a new segment."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "New in Berlin", "filter": _EXAMPLE}]})

    name: SegmentName
    filter: Annotated[SegmentFilter, Field(description=_FILTER)]


class SegmentPatch(Shape):
    """The values of a segment that change; the others stay."""

    model_config = ConfigDict(json_schema_extra=never_null("name", "filter"))

    name: SegmentName | None = Field(default_factory=nothing)
    filter: Annotated[SegmentFilter | None, Field(description=_FILTER)] = Field(default_factory=nothing)

    @model_validator(mode="after")
    def _never_null(self) -> Self:
        for name in ("name", "filter"):
            if name in self.model_fields_set and getattr(self, name) is None:
                raise ValueError(f"{name} can't be null; leave it out to keep it")
        return self


class PreviewSegment(Shape):
    """The conditions to try."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"filter": _EXAMPLE}]})

    filter: Annotated[SegmentFilter, Field(description=_FILTER)]
    after: Annotated[
        UUID | None,
        Field(
            description="uuid of the last contact of the page before: the sample goes on after it; null: it begins with"
            " the newest"
        ),
    ] = None


NEWEST = f"the newest of them, at most {SAMPLE}"


class SegmentSize(Shape):
    """The number of contacts that meet conditions now."""

    size: Annotated[int, Field(description="how many there are")]


class SegmentPreview(SegmentSize):
    """The contacts that meet conditions now."""

    sample: Annotated[list[Contact], Cost(most=SAMPLE), Field(description=NEWEST)]


class SegmentWhere(Where):
    """Filter for segments."""

    kinds: ClassVar = {"id": "Segment", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    name: Annotated[Exactly | None, Field(description="filter by name")] = None
