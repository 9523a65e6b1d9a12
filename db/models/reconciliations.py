"""Tables reconciliations, reconciliation_chunks and signing_keys."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, enum_check
from shapes.reconciliations import ReconciliationKind, ReconciliationState


class Reconciliation(Identified, Base):
    """The signed account of one end of a project: what became of each recipient, and of the money.

    A row without `made_at` waits for a worker, and a project has one such row at most.
    """

    __tablename__ = "reconciliations"
    __table_args__ = (
        enum_check("kind", ReconciliationKind),
        enum_check("state", ReconciliationState),
        Index("uq_reconciliations_number", "project_id", "number", unique=True),
        Index(
            "uq_reconciliations_waiting", "project_id", unique=True, postgresql_where=text("made_at IS NULL")
        ),
        Index("ix_reconciliations_owner_id_id", "owner_id", "id"),
        Index("ix_reconciliations_settles_at", "settles_at", postgresql_where=text("settles_at IS NOT NULL")),
        Index("ix_reconciliations_open", "made_at", postgresql_where=text("state = 'open'")),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    project_id: Mapped[UUID] = mapped_column(ForeignKey("sending_projects.id", ondelete="CASCADE"))
    kind: Mapped[str]
    project_finished_at: Mapped[datetime]  # the end that it is about
    # When a worker first began it. A worker that goes on after a crash says the same time, and uses the same seed.
    begun_at: Mapped[datetime | None]
    seed: Mapped[bytes | None]  # of the salts; NULL as soon as it is made
    number: Mapped[int | None]  # from 1 in each project
    state: Mapped[str | None]
    document: Mapped[str | None]  # canonical JSON (RFC 8785), as it was signed
    hash: Mapped[bytes | None]  # SHA-256 of the document
    previous_hash: Mapped[bytes | None]
    signature: Mapped[str | None]  # a detached JWS
    key_id: Mapped[str | None]
    root: Mapped[bytes | None]  # of the lines
    line_count: Mapped[int | None] = mapped_column(BigInteger)
    settled: Mapped[bool | None]  # no report is open any more, or the time for reports is over
    settles_at: Mapped[datetime | None]  # the latest time of the further one; NULL: none is to come
    made_at: Mapped[datetime | None]


class ReconciliationChunk(Base):
    """Up to 1,024 lines of a reconciliation. An erasure takes lines and salts away, and leaves their hashes."""

    __tablename__ = "reconciliation_chunks"
    __table_args__ = (Index("ix_reconciliation_chunks_least", "reconciliation_id", "least"),)

    reconciliation_id: Mapped[UUID] = mapped_column(
        ForeignKey("reconciliations.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # from 0
    least: Mapped[bytes]  # sorts behind all persons of the chunk before, and not behind the first of this one
    root: Mapped[bytes]  # of this chunk alone
    hashes: Mapped[bytes]  # 32 bytes each
    salts: Mapped[bytes | None]  # 16 bytes each; NULL: the retention has deleted the lines
    body: Mapped[bytes | None]  # compressed lines


class SigningKey(Identified, Base):
    """A key of the installation that signs documents. Its public part stays for the documents that it has signed."""

    __tablename__ = "signing_keys"
    __table_args__ = (UniqueConstraint("kid"),)

    kid: Mapped[str]  # its thumbprint (RFC 7638)
    public_key: Mapped[str]  # base64url, as `x` of a JWK
    key_encrypted: Mapped[bytes]
    signs_from: Mapped[datetime]  # it is published before
