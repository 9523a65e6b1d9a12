"""Domains of emails: who may send from them, and the keys that sign their emails."""

from typing import Annotated

from pydantic import AfterValidator, Field

from shapes.described import DescribedEnum
from shapes.emails import domain_name

DomainName = Annotated[
    str,
    Field(description="a domain of emails, such as example.com", max_length=253, examples=["example.com"]),
    AfterValidator(domain_name),
]


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
