"""Subscriptions of contacts to topics."""

from typing import Annotated, ClassVar
from uuid import UUID

import strawberry
from pydantic import AliasChoices, Field

from shapes.described import DescribedEnum
from shapes.sending_projects import ProjectChannel
from shapes.shape import Cost, Created, Id, Line, Shape, Text, Timestamp
from shapes.where import Choice, Ids, Where

MOST_CONTACTS = 1000  # in one request
MOST_TOPICS = 10  # in one request
LONGEST_TEXT = 10_000

ContactUuid = Annotated[
    UUID,
    Field(
        validation_alias=AliasChoices("contact_id", "contactUuid"),
        serialization_alias="contactUuid",
        description="uuid of the contact",
    ),
    strawberry.field(name="contactUuid", description="uuid of the contact"),
]
TopicUuid = Annotated[
    UUID,
    Field(
        validation_alias=AliasChoices("topic_id", "topicUuid"),
        serialization_alias="topicUuid",
        description="uuid of the topic",
    ),
    strawberry.field(name="topicUuid", description="uuid of the topic"),
]
ContactUuids = Annotated[
    list[UUID],
    Field(
        min_length=1,
        max_length=MOST_CONTACTS,
        description="uuids of contacts, at most 1,000",
        examples=[["01890000-0000-7000-8000-000000000001"]],
    ),
]
_TOPICS = Field(
    max_length=MOST_TOPICS,
    description=f"uuids of topics, at most {MOST_TOPICS}",
    examples=[["01890000-0000-7000-8000-000000000002"]],
)
_CHANNEL = "the channel that the messages of the topics take"


class SubscriptionState(DescribedEnum):
    """State of a subscription."""

    pending = "pending", "the person was asked to confirm it"
    active = "active", "messages of the topic may be sent"
    withdrawn = "withdrawn", "the person does not want it"


class TopicSubscription(Shape):
    """A contact's wish to get the messages of a topic on a channel, or not."""

    id: Id
    contact_id: ContactUuid
    topic_id: TopicUuid
    channel: Annotated[ProjectChannel, Field(description=_CHANNEL)]
    state: Annotated[SubscriptionState, Field(description="state of the subscription")]
    changed_at: Annotated[Timestamp, Field(description="when the state last changed")]
    created_at: Created


class SubscribeContacts(Shape):
    """Contacts that are to get the messages of topics."""

    contact_uuids: ContactUuids
    topic_uuids: Annotated[list[UUID], Field(min_length=1), _TOPICS]
    channel: Annotated[ProjectChannel, Field(description=_CHANNEL)]
    evidence: Annotated[
        Line | None,
        Field(
            min_length=1,
            max_length=1000,
            description="where you have the proof that the people want it; with it no contact is asked to confirm, "
            "and also those are subscribed who had withdrawn",
            examples=["signed form no. 17 of 2027-01-31, in the shop"],
        ),
    ] = None
    keep_withdrawn: Annotated[
        bool,
        Field(
            description="true: who has withdrawn stays withdrawn, also with `evidence`; they are in `invalid`"
        ),
    ] = False
    text: Annotated[
        Text | None,
        Field(
            min_length=1,
            max_length=LONGEST_TEXT,
            description="the text that the people saw and agreed to",
            examples=["Yes, send me news once a month."],
        ),
    ] = None


class InvalidSubscription(Shape):
    """A contact that was left out, and the reason."""

    contact_uuid: Annotated[UUID, Field(description="uuid of the contact")]
    code: Annotated[
        str,
        Field(
            description="code for programs: `contact_not_found`, `no_address`, `withdrawn` or `recipient_blocked`",
            examples=["withdrawn"],
        ),
    ]
    message: Annotated[str, Field(description="the reason as a sentence")]


_Invalid = Annotated[
    list[InvalidSubscription],
    Field(description="contacts that were left out, and why"),
    Cost(most=MOST_CONTACTS),
]


class SubscribedContacts(Shape):
    """Result of subscribing contacts."""

    active: Annotated[int, Field(description="subscriptions that have become active")]
    pending: Annotated[int, Field(description="subscriptions that wait for a confirmation")]
    unchanged: Annotated[int, Field(description="subscriptions that were as they should be")]
    invalid: _Invalid


class UnsubscribeContacts(Shape):
    """Contacts that are not to get the messages of topics any more."""

    contact_uuids: ContactUuids
    topic_uuids: Annotated[
        list[UUID],
        Field(
            max_length=MOST_TOPICS,
            description=f"uuids of topics, at most {MOST_TOPICS}; none: of all to which they are subscribed",
        ),
    ] = Field(default_factory=list)
    channel: Annotated[
        ProjectChannel | None, Field(description="the channel of the subscriptions; null: all")
    ] = None
    reason: Annotated[
        Line | None,
        Field(
            min_length=1,
            max_length=1000,
            description="what the people said, for the proof",
            examples=["asked for it by phone"],
        ),
    ] = None


class UnsubscribedContacts(Shape):
    """Result of unsubscribing contacts."""

    withdrawn: Annotated[int, Field(description="subscriptions that were withdrawn")]
    invalid: _Invalid


class TopicSubscriptionWhere(Where):
    """Filter for subscriptions."""

    kinds: ClassVar = {
        "id": "TopicSubscription",
        "owner_id": "User",
        "contact_id": "Contact",
        "topic_id": "Topic",
    }

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    contact_id: Annotated[Ids | None, Field(description="filter by contact")] = None
    topic_id: Annotated[Ids | None, Field(description="filter by topic")] = None
    channel: Annotated[Choice[ProjectChannel] | None, Field(description="filter by channel")] = None
    state: Annotated[Choice[SubscriptionState] | None, Field(description="filter by state")] = None
