"""Tables mail_reports, mail_report_mails and address_health."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, UniqueConstraint, func
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, enum_check
from shapes.mail_reports import MailReportClass, MailReportMessageKind, MailReportOutcome, MailReportType


class MailReport(Identified, Base):
    """A report about an email. It stays when its message is deleted, and has no foreign keys as messages have none."""

    __tablename__ = "mail_reports"
    __table_args__ = (
        enum_check("kind", MailReportMessageKind),
        enum_check("type", MailReportType),
        enum_check("class", MailReportClass),
        enum_check("outcome", MailReportOutcome),
        UniqueConstraint("source", "source_id", "message_id", name="uq_mail_reports_source"),
        Index("ix_mail_reports_owner_id_id", "owner_id", "id"),
        Index("ix_mail_reports_type", "owner_id", "type", "id"),
        Index("ix_mail_reports_message_id_id", "message_id", "id"),
    )

    owner_id: Mapped[UUID]
    message_uuid: Mapped[UUID] = mapped_column("message_id")  # of the message, direct or of a project
    kind: Mapped[str]
    type: Mapped[str]
    bounce_class: Mapped[str | None] = mapped_column("class")
    source: Mapped[str]
    source_id: Mapped[str]  # the reporter's name for the report, or the SHA-256 of the mail that has none
    address: Mapped[str | None]  # as the report has it
    domain: Mapped[str | None]  # of that address
    status: Mapped[str | None]
    code: Mapped[int | None]
    diagnostic: Mapped[str | None]
    outcome: Mapped[str]  # as it was when the report came


class MailReportMail(Base):
    """The mail that a report was read from. It is kept for a shorter time."""

    __tablename__ = "mail_report_mails"

    report_id: Mapped[UUID] = mapped_column(
        ForeignKey("mail_reports.id", ondelete="CASCADE"), primary_key=True
    )
    mail: Mapped[bytes] = mapped_column(LargeBinary)


class AddressHealth(Base):
    """An address to which messages have failed for a while: only such addresses have a row."""

    __tablename__ = "address_health"

    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(primary_key=True)  # its key
    soft_bounces: Mapped[list[datetime]] = mapped_column(
        ARRAY(TIMESTAMP(timezone=True))
    )  # since the last delivery
    last_soft_at: Mapped[datetime] = mapped_column(index=True)


class BounceMailbox(Base):
    """The position up to which a mailbox of returned mails has been read; see engine/mail_reports/mailbox.py."""

    __tablename__ = "bounce_mailboxes"

    name: Mapped[str] = mapped_column(primary_key=True)  # user@host:port/folder
    uid_validity: Mapped[int] = mapped_column(BigInteger)
    last_uid: Mapped[int] = mapped_column(BigInteger)
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
