"""Tables project_plans, project_approvals, approval_rules, and what they need of an audience and its editors."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ForeignKey,
    Index,
    LargeBinary,
    Numeric,
    SmallInteger,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, enum_check
from shapes.approvals import ApprovalMode, ApprovalState

_NONE = text("'{}'")
_OPEN = text("state IN ('asked', 'approved')")


class AudienceKey(Base):
    """The key under which an owner's recipients are hashed, as the two padded blocks of HMAC; it never changes.

    Digests of recipients are kept for owners who have one: those who have made a plan, or have a rule of approval.
    """

    __tablename__ = "audience_keys"

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    inner_block: Mapped[bytes] = mapped_column(LargeBinary)
    outer_block: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class AudienceDigest(Base):
    """The sum of the HMACs of a project's recipients modulo 2^256, spread over rows like SendingCounter.

    It is whole if `recipients` less `erased` is the number of recipients; else it is made anew for the next plan.
    """

    __tablename__ = "audience_digests"
    __table_args__ = ({"postgresql_with": {"fillfactor": "50"}},)

    project_id: Mapped[UUID] = mapped_column(primary_key=True)
    shard: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    recipients: Mapped[int] = mapped_column(BigInteger, server_default="0")
    erased: Mapped[int] = mapped_column(
        BigInteger, server_default="0"
    )  # who are gone, and still in the digest
    digest: Mapped[Decimal] = mapped_column(Numeric(78, 0), server_default="0")


class ContentEditor(Base):
    """A person who has changed of a project or a segment what plans cover, and when last."""

    __tablename__ = "content_editors"
    __table_args__ = ({"postgresql_with": {"fillfactor": "70"}},)

    object_id: Mapped[UUID] = mapped_column(primary_key=True)
    person_id: Mapped[UUID] = mapped_column(primary_key=True)
    owner_id: Mapped[UUID]
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())


class StoredPlan(Identified, Base):
    """A plan of a project: a document that says what will be sent, and its hash."""

    __tablename__ = "project_plans"
    __table_args__ = (
        UniqueConstraint("project_id", "number"),
        Index("ix_project_plans_list", "owner_id", "id"),
    )

    project_id: Mapped[UUID] = mapped_column(ForeignKey("sending_projects.id", ondelete="CASCADE"))
    owner_id: Mapped[UUID]
    number: Mapped[int]  # of the project's plans, from 1 on
    hash: Mapped[str]  # SHA-256 of the document's canonical JSON (RFC 8785), in hexadecimal digits
    document: Mapped[dict[str, Any]]
    at_most: Mapped[Decimal | None]  # what the messages may cost together; NULL: the tariff had no price
    at_most_recipients: Mapped[int] = mapped_column(BigInteger)
    made_by: Mapped[UUID | None]  # the person
    made_by_token: Mapped[UUID | None]
    expires_at: Mapped[datetime]
    superseded_at: Mapped[datetime | None]  # since there is a newer one


class ProjectApproval(Base):
    """The request to approve a plan, and what became of it."""

    __tablename__ = "project_approvals"
    __table_args__ = (
        enum_check("state", ApprovalState),
        Index("uq_project_approvals_open", "plan_id", unique=True, postgresql_where=_OPEN),
        Index("ix_project_approvals_list", "owner_id", "id"),
        Index("ix_project_approvals_project_id", "project_id", "id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    plan_id: Mapped[UUID] = mapped_column(ForeignKey("project_plans.id", ondelete="CASCADE"))
    plan_hash: Mapped[str]
    project_id: Mapped[UUID] = mapped_column(ForeignKey("sending_projects.id", ondelete="CASCADE"))
    owner_id: Mapped[UUID]
    state: Mapped[str] = mapped_column(server_default=ApprovalState.asked)
    asked_by: Mapped[UUID | None]  # the person
    asked_by_token: Mapped[UUID | None]
    decided_by: Mapped[UUID | None]
    note: Mapped[str | None]  # of who has decided
    reason: Mapped[str | None]  # what was changed, if that has voided it
    voided_by: Mapped[UUID | None]
    asked_at: Mapped[datetime] = mapped_column(server_default=func.now())
    decided_at: Mapped[datetime | None]
    expires_at: Mapped[datetime]


class ApprovalRule(Base):
    """The rule by which an owner's projects need an approval before they start; without a row none does."""

    __tablename__ = "approval_rules"
    __table_args__ = (enum_check("mode", ApprovalMode),)

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    mode: Mapped[str]
    above_recipients: Mapped[int | None] = mapped_column(BigInteger)
    above_amount: Mapped[Decimal | None]
    channels: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=_NONE)  # none: all
    categories: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=_NONE)  # none: all
    self_approval: Mapped[bool] = mapped_column(server_default=text("false"))
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
