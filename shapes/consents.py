"""Consent: what has happened to the subscriptions of contacts, and what the people saw."""

from datetime import datetime
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from shapes.described import DescribedEnum
from shapes.sending_projects import ProjectChannel
from shapes.shape import Created, Id, Shape
from shapes.topic_subscriptions import ContactUuid, TopicUuid
from shapes.where import Choice, Ids, TimeSpan, Where


class ConsentAction(DescribedEnum):
    """An event in the life of a subscription."""

    asked = "asked", "the person was asked to confirm it"
    confirmed = "confirmed", "the person has confirmed it, or asked for it on their own page"
    recorded = "recorded", "its owner has recorded it for the person"
    withdrawn = "withdrawn", "it was withdrawn"
    expired = "expired", "the person did not confirm it in time"


class ConsentSource(DescribedEnum):
    """The place where something has happened to a subscription."""

    form = "form", "a sign-up form"
    page = "page", "the person's page of preferences, or the page that asks for a confirmation"
    api = "api", "a request of the owner"
    import_ = "import", "an import"
    unsubscribeLink = "unsubscribeLink", "the unsubscribe link of a message"  # noqa: N815  as both doors write it
    merge = "merge", "another contact was merged into this one"
    service = "service", "the service, since time ran out"


class ConsentEntry(Shape):
    """One thing that has happened to a subscription. Entries are never changed."""

    id: Id
    contact_id: ContactUuid
    topic_id: TopicUuid
    channel: Annotated[ProjectChannel, Field(description="the channel of the subscription")]
    action: Annotated[ConsentAction, Field(description="what has happened")]
    source: Annotated[ConsentSource, Field(description="where it has happened")]
    text: Annotated[str | None, Field(description="the text that the person saw; null: not known")]
    evidence: Annotated[str | None, Field(description="what its owner says of the proof; null: nothing")]
    ip: Annotated[
        str | None,
        Field(
            description="network address of the person; null unless the installation keeps them or an import had it"
        ),
    ]
    user_agent: Annotated[str | None, Field(description="browser or mail program of the person")]
    actor_id: Annotated[
        UUID | None, Field(description="the user who did it for the person; null: the person, or the service")
    ]
    agreed_at: Annotated[
        datetime | None,
        Field(description="when the person agreed, as an import had it; null: at `createdAt`, or not known"),
    ]
    created_at: Created


class ConsentEntryWhere(Where):
    """Filter for what has happened to subscriptions."""

    kinds: ClassVar = {"id": "ConsentEntry", "owner_id": "User", "contact_id": "Contact", "topic_id": "Topic"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    contact_id: Annotated[Ids | None, Field(description="filter by contact")] = None
    topic_id: Annotated[Ids | None, Field(description="filter by topic")] = None
    action: Annotated[Choice[ConsentAction] | None, Field(description="filter by what has happened")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by time")] = None
