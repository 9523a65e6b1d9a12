"""Tables topics, topic_subscriptions, consent_texts, consent_entries, signup_forms and opt_ins."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, ForeignKey, Index, LargeBinary, Uuid
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, Stamped, enum_check
from shapes.consents import ConsentAction, ConsentSource
from shapes.messages import SPECIFIED, MessageCategory
from shapes.sending_projects import ProjectChannel
from shapes.topic_subscriptions import SubscriptionState
from shapes.topics import TopicOptIn

_NO_LIST = sql("'[]'::jsonb")
_NOT_ACTIVE = sql("state <> 'active'")


class Topic(Stamped, Base):
    """Something that contacts subscribe to: a newsletter, offers, changes of the terms."""

    __tablename__ = "topics"
    __table_args__ = (
        enum_check("category", MessageCategory),
        enum_check("opt_in", TopicOptIn),
        Index("uq_topics_key", "owner_id", "key", unique=True),
        Index("ix_topics_list", "owner_id", "id"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    key: Mapped[str]
    name: Mapped[str]
    description: Mapped[str | None]
    translations: Mapped[list[Any]] = mapped_column(JSONB, server_default=_NO_LIST)
    category: Mapped[str] = mapped_column(server_default=MessageCategory.promotional)
    opt_in: Mapped[str] = mapped_column(server_default=TopicOptIn.double)
    public: Mapped[bool] = mapped_column(server_default=sql("true"))
    position: Mapped[int] = mapped_column(server_default="0")


class TopicSubscription(Identified, Base):
    """A contact's wish to get the messages of a topic on a channel, or not. Without a row it never had any."""

    __tablename__ = "topic_subscriptions"
    __table_args__ = (
        enum_check("channel", ProjectChannel),
        enum_check("state", SubscriptionState),
        Index("uq_topic_subscriptions_key", "contact_id", "topic_id", "channel", unique=True),
        Index("ix_topic_subscriptions_list", "owner_id", "id"),
        Index("ix_topic_subscriptions_topic_id", "topic_id", "id"),
        # Audiences are read by it, in the order of the contacts.
        Index(
            "ix_topic_subscriptions_active",
            "topic_id",
            "channel",
            "contact_id",
            postgresql_where=sql("state = 'active'"),
        ),
        # Most are active, so that a list of the others would look at many rows for one.
        Index("ix_topic_subscriptions_topic_state", "topic_id", "state", "id", postgresql_where=_NOT_ACTIVE),
        Index("ix_topic_subscriptions_owner_state", "owner_id", "state", "id", postgresql_where=_NOT_ACTIVE),
    )

    owner_id: Mapped[UUID]
    contact_id: Mapped[UUID] = mapped_column(ForeignKey("contacts.id", ondelete="CASCADE"))
    topic_id: Mapped[UUID] = mapped_column(ForeignKey("topics.id"))
    channel: Mapped[str]
    state: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(server_default=sql("now()"))
    withdrawn_at: Mapped[
        datetime | None
    ]  # a withdrawal that nothing has taken back, also while pending again


class ConsentText(Identified, Base):
    """A text that a person has seen and agreed to. It never changes, and is stored once for each owner."""

    __tablename__ = "consent_texts"
    __table_args__ = (Index("uq_consent_texts_sha256", "owner_id", "sha256", unique=True),)

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    sha256: Mapped[bytes] = mapped_column(LargeBinary)
    text: Mapped[str]


class ConsentEntry(Identified, Base):
    """One thing that happened to a subscription. Rows are only added, and outlive contact and topic."""

    __tablename__ = "consent_entries"
    __table_args__ = (
        enum_check("channel", ProjectChannel),
        enum_check("action", ConsentAction),
        enum_check("source", ConsentSource),
        Index("ix_consent_entries_list", "owner_id", "id"),
        Index("ix_consent_entries_contact_id", "contact_id", "id"),
        Index("ix_consent_entries_topic_id", "topic_id", "id"),
    )

    owner_id: Mapped[UUID]
    contact_id: Mapped[UUID]
    topic_id: Mapped[UUID]
    channel: Mapped[str]
    action: Mapped[str]
    source: Mapped[str]
    text_id: Mapped[UUID | None] = mapped_column(ForeignKey("consent_texts.id"))
    evidence: Mapped[str | None]
    ip: Mapped[str | None]
    user_agent: Mapped[str | None]
    actor_id: Mapped[UUID | None]  # the user who did it for the person; NULL: the person
    agreed_at: Mapped[datetime | None]  # of imports: when the person agreed, as the list says


class SignupForm(Stamped, Base):
    """A form by which strangers subscribe to topics of its owner."""

    __tablename__ = "signup_forms"
    __table_args__ = (Index("ix_signup_forms_list", "owner_id", "id"),)

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str]
    topic_uuids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid(as_uuid=True)))
    text: Mapped[str | None]  # what the person agrees to, as the page shows it
    from_address: Mapped[str | None]  # of the emails that ask for a confirmation
    redirect_url: Mapped[str | None]
    enabled: Mapped[bool] = mapped_column(server_default=sql("true"))


class OptIn(Identified, Base):
    """A request to confirm subscriptions, sent to an address. Its token is the id of its message, and a signature."""

    __tablename__ = "opt_ins"
    __table_args__ = (
        enum_check("channel", SPECIFIED),
        Index("ix_opt_ins_contact_id", "contact_id"),
        Index("ix_opt_ins_created_at", "created_at"),
        Index("ix_opt_ins_reminder_id", "reminder_id", postgresql_where=sql("reminder_id IS NOT NULL")),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    contact_id: Mapped[UUID] = mapped_column(ForeignKey("contacts.id", ondelete="CASCADE"))
    new_contact: Mapped[bool]  # the request has added the contact, which is deleted with it
    channel: Mapped[str]
    address: Mapped[str]
    topic_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid(as_uuid=True)))
    text_id: Mapped[UUID | None] = mapped_column(ForeignKey("consent_texts.id"))
    from_address: Mapped[str | None]
    reminded_at: Mapped[datetime | None]
    reminder_id: Mapped[UUID | None]  # the message that reminded
    confirmed_at: Mapped[datetime | None]
