"""Domains of owners for the links and pages that their recipients see."""

from typing import Annotated, ClassVar, Final

from pydantic import AfterValidator, Field

from shapes.described import DescribedEnum
from shapes.domains import own_domain
from shapes.emails import domain_name
from shapes.shape import Created, Id, Shape, Timestamp, Updated
from shapes.where import Contains, Ids, Where

MOST_BRAND_DOMAINS: Final = 5  # of one owner
GRACE_DAYS: Final = 7
"""Days for which a domain works without its record."""

LinkDomainName = Annotated[
    str,
    Field(
        description="a domain for links and pages, such as links.example.com",
        max_length=253,
        examples=["links.example.com"],
    ),
    AfterValidator(domain_name),
]


class BrandDomainStatus(DescribedEnum):
    """The state of a domain for links and pages."""

    pending = "pending", "its record has not been seen in the DNS yet, and it shows nothing"
    verified = "verified", "it is yours: links are made with it, and your pages answer there"
    lost = "lost", "its record is gone; it works for a week as before"
    expired = "expired", "its record has been gone for a week, or is that of another owner; it shows nothing"


class BrandDomain(Shape):
    """A domain of yours for the links and pages that recipients see."""

    id: Id
    name: Annotated[str, Field(description="the domain, in ASCII", examples=["links.example.com"])]
    status: Annotated[BrandDomainStatus, Field(description="whether links are made with it")]
    record_name: Annotated[
        str,
        Field(
            description="name of the TXT record that proves that it is yours",
            examples=["_postern.links.example.com"],
        ),
    ]
    record_value: Annotated[
        str,
        Field(
            description="value of that record; leave it in the DNS",
            examples=["postern-verification=4f1c0a9de27b"],
        ),
    ]
    verified_at: Annotated[
        Timestamp | None, Field(description="since when it is verified; null if it was not")
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
            examples=["_postern.links.example.com has no TXT record. Set it."],
        ),
    ]
    created_at: Created
    updated_at: Updated


class NewBrandDomain(Shape):
    """The values of a new domain for links and pages."""

    name: Annotated[LinkDomainName, AfterValidator(own_domain)]


class BrandDomainWhere(Where):
    """Filter for domains for links and pages."""

    kinds: ClassVar = {"id": "BrandDomain", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    name: Annotated[Contains | None, Field(description="filter by a part of the name")] = None
