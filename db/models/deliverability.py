"""Counters of emails by the provider of the mailbox, and the providers of domains."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, Identity, Index, SmallInteger, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, enum_check
from shapes.deliverability import ProviderClass


class DomainCounter(Base):
    """The emails that one provider was sent in a quarter of an hour, and the reports of that time.

    Triggers update it in the transaction that changes the messages or stores the report. There are several rows for
    each combination (`shard`), so that sessions don't wait for each other. A number of one shard can be negative.
    """

    __tablename__ = "domain_counters"
    __table_args__ = (
        Index("ix_domain_counters_bucket", "bucket"),
        Index("ix_domain_counters_reports", "bucket", postgresql_where=text("shard >= 32")),
        {"postgresql_with": {"fillfactor": "50"}},
    )

    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    provider_class: Mapped[str] = mapped_column(primary_key=True)
    bucket: Mapped[datetime] = mapped_column(primary_key=True)
    shard: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    accepted: Mapped[int] = mapped_column(BigInteger, server_default="0")
    delivered: Mapped[int] = mapped_column(BigInteger, server_default="0")
    deferred: Mapped[int] = mapped_column(BigInteger, server_default="0")
    hard: Mapped[int] = mapped_column(BigInteger, server_default="0")
    mailbox_full: Mapped[int] = mapped_column(BigInteger, server_default="0")
    content: Mapped[int] = mapped_column(BigInteger, server_default="0")
    policy: Mapped[int] = mapped_column(BigInteger, server_default="0")
    soft: Mapped[int] = mapped_column(BigInteger, server_default="0")
    complaints: Mapped[int] = mapped_column(BigInteger, server_default="0")
    rescued: Mapped[int] = mapped_column(BigInteger, server_default="0")


class MailDomain(Base):
    """The provider of a domain by its MX records. Well-known domains have no row: `postern_known_provider` has them."""

    __tablename__ = "mail_domains"
    __table_args__ = (enum_check("provider_class", ProviderClass),)

    domain: Mapped[str] = mapped_column(primary_key=True)
    provider_class: Mapped[str]
    looked_up_at: Mapped[datetime] = mapped_column(index=True)


class MailDomainRequest(Base):
    """A domain that emails were sent to and whose MX records a worker should look up; see engine/domains/mx.py."""

    __tablename__ = "mail_domain_requests"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    domain: Mapped[str]


class DegradedProvider(Identified, Base):
    """A provider that refuses an owner's emails or whose users complain, from then until it has recovered; see
    engine/mail_reports/degraded.py. The numbers are those of the 24 hours before.
    """

    __tablename__ = "degraded_providers"
    __table_args__ = (
        UniqueConstraint("owner_id", "provider_class", name="uq_degraded_providers_provider_class"),
    )

    owner_id: Mapped[UUID]
    provider_class: Mapped[str]
    accepted: Mapped[int] = mapped_column(BigInteger)
    policy: Mapped[int] = mapped_column(BigInteger)
    complaints: Mapped[int] = mapped_column(BigInteger)
