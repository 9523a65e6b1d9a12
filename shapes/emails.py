"""Email addresses: RFC 5321 and 6531, without a look at the DNS."""

from functools import lru_cache
from typing import Annotated, Final

import strawberry
from email_validator import EmailNotValidError, validate_email
from pydantic import AliasChoices, Field

from shapes.shape import Line

_LONGEST_REMEMBERED: Final = 320  # characters, as an address has at most

SENDER = "the From of an email, in one of the owner's verified domains; null: the channel's own"

SenderField = Annotated[
    str | None,
    Field(
        validation_alias=AliasChoices("from_address", "from"), serialization_alias="from", description=SENDER
    ),
    strawberry.field(name="from"),
]
MailFrom = Annotated[
    Line | None,
    Field(
        alias="from",
        min_length=3,
        max_length=320,
        description="the From of an email, with or without a name: an address of one of your verified domains; "
        "default: the channel's own",
        examples=["News <news@example.com>"],
    ),
    strawberry.field(name="from"),
]


def mailbox(text: str) -> str:
    """Returns the address in its normal form. Raises ValueError that says what is wrong.

    Names that only resolve inside a company (`ops@intranet`, `.test`, `.local`) are fine: this gateway is
    run by companies for themselves.
    """
    try:
        return _normal(text) if len(text) <= _LONGEST_REMEMBERED else _normal.__wrapped__(text)
    except EmailNotValidError as error:
        raise ValueError(f"is not an email address: {error}") from error


@lru_cache(4096)  # one message looks at its address two or three times, which takes 40 microseconds each
def _normal(text: str) -> str:
    return validate_email(
        text, check_deliverability=False, globally_deliverable=False, test_environment=True
    ).normalized


def domain_name(text: str) -> str:
    """Returns a domain of emails in ASCII and lower case. Raises ValueError that says what is wrong."""
    try:
        return str(
            validate_email(
                f"a@{text.strip().removesuffix('.')}",
                allow_domain_literal=False,
                check_deliverability=False,
                globally_deliverable=False,
                test_environment=True,
            ).ascii_domain
        ).lower()
    except EmailNotValidError:
        raise ValueError("is not a domain, such as example.com") from None
