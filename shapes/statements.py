"""Statements: what each month moved on an account."""

from typing import Annotated, Any
from uuid import UUID

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.shape import Shape, Timestamp

MOST = 120
"""The newest statements of an account that a list shows: ten years."""

MONTH = r"^[1-9][0-9]{3}-(0[1-9]|1[0-2])$"

_Json = Annotated[dict[str, Any], strawberry.field(graphql_type=JSON)]


class StatementState(DescribedEnum):
    """The result of a statement."""

    balanced = "balanced", "all numbers add up"
    open = "open", "they do not; `differences` of the document says by how much"


class AccountStatement(Shape):
    """The sums of an account in a month (UTC). Each names the hash of the one before."""

    account_id: Annotated[UUID, Field(description="the account")]
    month: Annotated[str, Field(description="the month, in UTC", examples=["2026-10"])]
    number: Annotated[int, Field(description="its place in the chain of the account, from 1")]
    state: Annotated[StatementState, Field(description="whether its numbers add up")]
    currency: Annotated[str, Field(description="ISO 4217 currency code")]
    opening_balance: Annotated[
        str, Field(description="balance when the month began, with all its digits", examples=["120.5"])
    ]
    closing_balance: Annotated[
        str, Field(description="balance when the month was over, with all its digits", examples=["80.43"])
    ]
    hash: Annotated[str, Field(description="SHA-256 of its document, in hexadecimal")]
    previous_hash: Annotated[
        str | None, Field(description="`hash` of the one before; null: it is the first one")
    ]
    key_id: Annotated[str, Field(description="the key that has signed it: its thumbprint (RFC 7638)")]
    made_at: Annotated[Timestamp, Field(description="when it was made")]


class SignedStatement(AccountStatement):
    """A statement with its document and signature; `postern verify` checks a file of it."""

    document: Annotated[_Json, Field(description="the document; docs/statements.md says what it has")]
    signature: Annotated[
        str, Field(description="detached JWS (RFC 7515, 7797) of the document as canonical JSON (RFC 8785)")
    ]
    keys: Annotated[
        _Json, Field(description="the public key that has signed it, as a set of keys (RFC 7517)")
    ]
    page_url: Annotated[
        str,
        Field(
            description="link to its page to print, which needs no other credential; with `&format=csv` it gives its"
            " lines as CSV. It is valid for `POSTERN_LINK_SECONDS`, and ends with the login or the API token that has"
            " asked for it"
        ),
    ]
