"""Email addresses: RFC 5321 and 6531, without a look at the DNS."""

from email_validator import EmailNotValidError, validate_email


def mailbox(text: str) -> str:
    """Returns the address in its normal form. Raises ValueError that says what is wrong.

    Names that only resolve inside a company (`ops@intranet`, `.test`, `.local`) are fine: this gateway is
    run by companies for themselves.
    """
    try:
        return validate_email(
            text, check_deliverability=False, globally_deliverable=False, test_environment=True
        ).normalized
    except EmailNotValidError as error:
        raise ValueError(f"is not an email address: {error}") from error


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
