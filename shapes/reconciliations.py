"""Reconciliations: the signed account of each end of a Sending Project."""

from typing import Annotated, Any
from uuid import UUID

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.shape import Shape, Timestamp

MOST = 100
"""The newest reconciliations of a project that a list shows."""

_Json = Annotated[dict[str, Any], strawberry.field(graphql_type=JSON)]


class ReconciliationKind(DescribedEnum):
    """The occasion of a reconciliation."""

    finished = "finished", "the project has finished"
    settled = "settled", "the reports are in, or the time for them is over"


class ReconciliationState(DescribedEnum):
    """The result of a reconciliation."""

    balanced = "balanced", "all numbers add up"
    open = "open", "they do not; `differences` of the document says where"


class ProofState(DescribedEnum):
    """The state of a line of a reconciliation."""

    present = "present", "the line is there"
    unknown = "unknown", "an erased line, whose hash is there, may be this person's or another one's"


class Reconciliation(Shape):
    """The account of one end of a project. Each names the hash of the one before."""

    sending_project_uuid: Annotated[UUID, Field(description="uuid of the project")]
    number: Annotated[int, Field(description="its place in the chain of the project, from 1")]
    kind: Annotated[ReconciliationKind, Field(description="why it was made")]
    state: Annotated[ReconciliationState, Field(description="whether its numbers add up")]
    settled: Annotated[bool, Field(description="false: reports are waited for, and a further one follows")]
    line_count: Annotated[int, Field(description="number of its lines: one for each message")]
    root: Annotated[str, Field(description="root of the Merkle tree of its lines (RFC 6962), in hexadecimal")]
    hash: Annotated[str, Field(description="SHA-256 of its document, in hexadecimal")]
    previous_hash: Annotated[
        str | None, Field(description="`hash` of the one before; null: it is the first one")
    ]
    key_id: Annotated[str, Field(description="the key that has signed it: its thumbprint (RFC 7638)")]
    made_at: Annotated[Timestamp, Field(description="when it was made")]


class SignedReconciliation(Reconciliation):
    """A reconciliation with its document and signature; `postern verify` checks a file of it."""

    document: Annotated[_Json, Field(description="the document; docs/reconciliation.md says what it has")]
    signature: Annotated[
        str, Field(description="detached JWS (RFC 7515, 7797) of the document as canonical JSON (RFC 8785)")
    ]
    keys: Annotated[
        _Json, Field(description="the public key that has signed it, as a set of keys (RFC 7517)")
    ]
    page_url: Annotated[
        str,
        Field(
            description="link to its page to print, which needs no other credential. It is valid for"
            " `POSTERN_LINK_SECONDS`, and ends with the login or the API token that has asked for it"
        ),
    ]


class ReconciliationProof(Shape):
    """The proof that a line is one of a reconciliation: the line, its salt, and the path to the root."""

    number: Annotated[int, Field(description="number of the reconciliation")]
    root: Annotated[str, Field(description="root of its lines, in hexadecimal")]
    line_count: Annotated[int, Field(description="number of its lines")]
    state: Annotated[ProofState, Field(description="what is left of the line")]
    index: Annotated[int, Field(description="position of the line, from 0")]
    leaf: Annotated[
        str,
        Field(description="SHA-256 of a zero byte, the salt and the line as canonical JSON, in hexadecimal"),
    ]
    line: Annotated[
        dict[str, Any] | None,
        strawberry.field(graphql_type=JSON | None),
        Field(description="the line; null: it was erased"),
    ]
    salt: Annotated[str | None, Field(description="the salt, in hexadecimal; null: it was erased")]
    path: Annotated[list[str], Field(description="hashes up to the root, from below, in hexadecimal")]
