"""Tables audit_entries and audit_keys."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, LargeBinary, func, text
from sqlalchemy.orm import Mapped, mapped_column

from core.ids import uuid7
from db.base import Base, Identified


class AuditEntry(Base):
    """Holds who changed what, and what was refused. Triggers write it in the transaction of the change, and no entry
    changes afterwards. It is partitioned by month (engine/upkeep/partitions.py).

    It has no foreign keys: it outlives what it tells of.
    """

    __tablename__ = "audit_entries"
    __table_args__ = (
        CheckConstraint("result IN ('done', 'refused')", name="result"),
        Index("ix_audit_entries_owner_id_id", "owner_id", "id"),
        Index("ix_audit_entries_actor_id_id", "actor_id", "id"),
        Index("ix_audit_entries_object_id_id", "object_id", "id"),
        Index("ix_audit_entries_refused", "owner_id", "id", postgresql_where=text("result = 'refused'")),
        Index(
            "ix_audit_entries_token_id_id", "token_id", "id", postgresql_where=text("token_id IS NOT NULL")
        ),
        {"postgresql_partition_by": "RANGE (created_at)"},
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid7)
    created_at: Mapped[datetime] = mapped_column(primary_key=True, server_default=func.now())
    owner_id: Mapped[UUID | None]
    actor_id: Mapped[UUID | None]
    actor_kind: Mapped[str]
    token_id: Mapped[UUID | None]
    session_id: Mapped[UUID | None]
    operation: Mapped[str]
    object_type: Mapped[str]
    object_id: Mapped[str | None]
    result: Mapped[str]
    code: Mapped[str | None]
    ip: Mapped[str | None]
    request_id: Mapped[str | None]
    changes: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))


class AuditKey(Identified, Base):
    """Holds the one key by which the audit hashes addresses and texts. It is encrypted, and stays the same."""

    __tablename__ = "audit_keys"

    secret_encrypted: Mapped[bytes] = mapped_column(LargeBinary)
