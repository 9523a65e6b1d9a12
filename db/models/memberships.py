"""Tables memberships and former_members."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, func, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified


class Membership(Identified, Base):
    """A person who acts for an owner. Without `member_id` it is an invitation that nobody has accepted yet."""

    __tablename__ = "memberships"
    __table_args__ = (
        Index("uq_memberships_email", "owner_id", "email", unique=True),
        Index("uq_memberships_member", "member_id", "owner_id", unique=True),
        Index(
            "uq_memberships_token", "token_hash", unique=True, postgresql_where=text("token_hash IS NOT NULL")
        ),
        Index("ix_memberships_list", "owner_id", "id"),
        CheckConstraint("member_id <> owner_id", name="another"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    member_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    email: Mapped[str]  # that was invited: lower case, NFC
    role: Mapped[str]
    permissions: Mapped[list[str] | None]  # instead of those of the role
    approval_above: Mapped[int | None]  # recipients of 24 hours; NULL: no limit
    invited_by: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    token_hash: Mapped[bytes | None] = mapped_column(LargeBinary)  # until the invitation is accepted
    expires_at: Mapped[datetime | None]  # of the invitation
    joined_at: Mapped[datetime | None]


class FormerMember(Base):
    """The email of a person who acted for an owner, so that the audit can name them. It is kept as long as the audit.

    It has no foreign keys: like the audit it outlives what it tells of.
    """

    __tablename__ = "former_members"

    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    member_id: Mapped[UUID] = mapped_column(primary_key=True)
    email: Mapped[str]  # that was invited
    ended_at: Mapped[datetime] = mapped_column(server_default=func.now())
