"""Domains of emails: who may send from them, and the keys that sign their emails."""

from functools import cache
from ipaddress import ip_address
from typing import Annotated, ClassVar

from publicsuffixlist import PublicSuffixList
from pydantic import AfterValidator, Field

from shapes.described import DescribedEnum
from shapes.emails import domain_name
from shapes.shape import Created, Id, Shape, Timestamp, Updated
from shapes.where import Contains, Ids, Where

MOST_DOMAINS = 100  # of one owner
MOST_KEYS = 3  # of one domain: one that signs, the next one, and one before
MOST_RECORDS = MOST_KEYS + 1
MOST_FINDINGS = 60
GRACE_DAYS = 7
"""Days for which emails are sent from a domain whose record is lost, and for which an old key's record must stay."""

RECORDS = "the records to set: that of the verification, and those of its keys"

DomainName = Annotated[
    str,
    Field(description="a domain of emails, such as example.com", max_length=253, examples=["example.com"]),
    AfterValidator(domain_name),
]


def own_domain(name: str) -> str:
    """Returns a domain that one owner can have registered. Raises ValueError that says what to write instead."""
    try:
        ip_address(name)
    except ValueError:
        if _suffixes().privatesuffix(name) is not None:
            return name
    else:
        raise ValueError("is an IP address; write the domain of your emails, such as example.com")
    raise ValueError(
        f"is a suffix, under which others register; write your own domain, such as example.{name}"
    )


@cache
def _suffixes() -> PublicSuffixList:
    """Returns the suffixes of registries, from the installed package. Those of hosting companies are domains."""
    return PublicSuffixList(only_icann=True)


class DkimAlgorithm(DescribedEnum):
    """The algorithm of a key that signs emails."""

    rsa = "rsa", "RSA with 2048 bits and SHA-256, which all receivers verify"
    ed25519 = "ed25519", "Ed25519 and SHA-256, which some receivers verify; it signs beside a key of RSA"


class DkimState(DescribedEnum):
    """The state of a key that signs emails."""

    pending = "pending", "its record has not been seen in the DNS yet, and it signs nothing"
    active = "active", "it signs"
    retired = (
        "retired",
        "a newer key signs; its record must stay for a week, for emails that are on their way",
    )


class DomainStatus(DescribedEnum):
    """The state of a domain of emails."""

    pending = "pending", "its record has not been seen in the DNS yet, and nothing is sent from it"
    verified = "verified", "emails may be sent from it"
    lost = "lost", "its record is gone; emails are still sent from it for a week"
    expired = "expired", "its record has been gone for a week, and nothing is sent from it"


class RecordPurpose(DescribedEnum):
    """The purpose of a DNS record."""

    verification = "verification", "it proves that the domain is yours"
    dkim = "dkim", "it has the public key by which receivers verify the signature of an email"


class RecordState(DescribedEnum):
    """The state of a DNS record."""

    pending = "pending", "it has not been seen yet: set it"
    active = "active", "it was seen when the domain was checked: leave it"
    retired = (
        "retired",
        "it is of a key that signs no more: remove it when the domain does not show it any more",
    )


class DomainRecord(Shape):
    """A DNS record that belongs to a domain."""

    selector: Annotated[str | None, Field(description="selector of a key; null for other records")] = None
    name: Annotated[str, Field(description="name of the record", examples=["_postern.example.com"])]
    type: Annotated[str, Field(description="type of the record", examples=["TXT"])]
    state: Annotated[RecordState, Field(description="whether the record was seen")]
    value: Annotated[
        str,
        Field(
            description="value of the record, in one piece; a zone file has it in strings of 255 characters",
            examples=["postern-verification=4f1c0a9de27b"],
        ),
    ]
    purpose: Annotated[RecordPurpose, Field(description="what the record is for")]


class Domain(Shape):
    """A domain from which its owner may send emails when its record is in the DNS."""

    id: Id
    name: Annotated[str, Field(description="the domain, in ASCII", examples=["example.com"])]
    status: Annotated[DomainStatus, Field(description="whether emails may be sent from it")]
    records: Annotated[list[DomainRecord], Field(description=RECORDS)]
    verified_at: Annotated[
        Timestamp | None, Field(description="when its record was first seen; null if it was not")
    ]
    checked_at: Annotated[
        Timestamp | None, Field(description="when the DNS last answered about it; null if it has not")
    ]
    lost_at: Annotated[
        Timestamp | None, Field(description="since when its record is missing; null if it is not")
    ]
    problem: Annotated[
        str | None,
        Field(
            description="what the last check found wrong, and what to do; null if nothing",
            examples=["_postern.example.com has no TXT record. Set it; some DNS servers need an hour."],
        ),
    ]
    created_at: Created
    updated_at: Updated


class NewDomain(Shape):
    """The values of a new domain."""

    name: Annotated[DomainName, AfterValidator(own_domain)]


class DomainWhere(Where):
    """Filter for domains."""

    kinds: ClassVar = {"id": "Domain", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    name: Annotated[Contains | None, Field(description="filter by a part of the name")] = None


class CheckTopic(DescribedEnum):
    """The part of the DNS that a finding is about."""

    dkim = "dkim", "the public key of a signature"
    dmarc = "dmarc", "the policy for emails that can't be verified"
    alignment = "alignment", "whether bounces come to the same organization, as DMARC wants"
    spf = "spf", "whether the mail server may send for the domain of the envelope sender"
    mx = "mx", "the server that takes bounces"
    ptr = "ptr", "the name of the mail server's address"
    helo = "helo", "the name by which Postern greets the mail server"
    dns = "dns", "the DNS itself"


class CheckState(DescribedEnum):
    """The state of what was looked at."""

    ok = "ok", "it is well"
    warning = "warning", "emails arrive, but not everywhere"
    error = "error", "it must be corrected"
    unknown = "unknown", "the DNS gave no answer"


class DomainFinding(Shape):
    """A finding about the DNS of a domain, with the record that corrects it."""

    topic: Annotated[CheckTopic, Field(description="what it is about")]
    state: Annotated[CheckState, Field(description="whether it is well")]
    text: Annotated[str, Field(description="what was found", examples=["example.com has no DMARC policy"])]
    record_name: Annotated[
        str | None, Field(description="name of the TXT record to set; null if there is nothing to set")
    ]
    record_value: Annotated[
        str | None, Field(description="value of the TXT record to set; null if there is nothing to set")
    ]
