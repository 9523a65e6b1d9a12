"""Reconciliations for their readers; engine/reconciliations makes them."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final
from uuid import UUID

import orjson

from core.errors import Gone, NotFound
from engine.reconciliations import jws, signing_keys
from engine.reconciliations.chunks import entries_of
from engine.reconciliations.lines import person_hash
from engine.reconciliations.owner_keys import key_of_owner
from engine.reconciliations.proofs import LinesDeleted, proof_of
from resolvers.auth.link_makers import bad_link, is_link_alive
from resolvers.recipient_addresses import spelled
from resolvers.sending_projects import project_rows
from runtime import links
from runtime.operation import Op, operation, require
from runtime.permissions import Permission
from runtime.services import Services
from shapes.addresses import address_key
from shapes.reconciliations import (
    MOST,
    ProofState,
    Reconciliation,
    ReconciliationProof,
    SignedReconciliation,
)

_COLUMNS: Final = """r.id, r.owner_id, r.project_id, r.number, r.kind, r.state, r.settled, r.line_count, r.root, r.hash,
  r.previous_hash, r.key_id, r.made_at"""
_LIST = f"""
SELECT {_COLUMNS} FROM reconciliations AS r WHERE r.project_id = $1 AND r.made_at IS NOT NULL
ORDER BY r.number DESC LIMIT {MOST}
"""  # noqa: S608  our own words
_BY_NUMBER = f"""
SELECT {_COLUMNS}, r.document, r.signature, k.public_key FROM reconciliations AS r
JOIN signing_keys AS k ON k.kid = r.key_id
WHERE r.project_id = $1 AND r.made_at IS NOT NULL AND ($2::int IS NULL OR r.number = $2)
ORDER BY r.number DESC LIMIT 1
"""  # noqa: S608  our own words
_CHUNK = """
SELECT number, hashes, salts, body FROM reconciliation_chunks WHERE reconciliation_id = $1 AND number = $2
"""


_READS: Final = frozenset({Permission.projects_read.value})


@operation(Permission.projects_read, "read")
async def chain(op: Op, id: UUID) -> Sequence[Reconciliation]:
    """Lists the reconciliations of a project, the newest first, at most 100. Raises NotFound."""
    await project_rows.visible(op, id)
    return [Reconciliation(**_values(row)) for row in await op.db.fetch(_LIST, id)]


@operation(Permission.projects_read, "read")
async def get(op: Op, id: UUID, number: int | None) -> SignedReconciliation:
    """Returns a reconciliation of a project with its document and signature: the newest one, or that of a number.
    Raises NotFound.
    """
    return _signed(op, await _row(op, id, number))


@operation(Permission.public, "read")
async def printed(
    op: Op, id: UUID, number: int, expires: int, signature: str, made_by: UUID | None
) -> SignedReconciliation:
    """Returns a reconciliation for its page to print, by the signed link `pageUrl`, which needs no other credential.
    Raises Forbidden (`bad_link`), NotFound.
    """
    if not links.opens_reconciliation(op.services, id, number, expires, signature, made_by):
        raise bad_link()
    row = await op.db.fetchrow(_BY_NUMBER, id, number)
    if row is None or not await is_link_alive(op, row["owner_id"], made_by, _READS):
        raise bad_link()
    return _signed(op, row)


@operation(Permission.projects_read, "read")
async def lines(op: Op, id: UUID, number: int | None) -> AsyncIterator[bytes]:
    """Returns the lines of a reconciliation, each with its salt, as NDJSON: one for each message, in the order of the
    tree. Of an erased person there is the hash alone. It also needs the permission `recipients:read`. Raises NotFound.
    """
    require(op.viewer, Permission.recipients_read)
    row = await _row(op, id, number)
    return _stream(op.services, row["id"])


@operation(Permission.projects_read, "read")
async def proof(op: Op, id: UUID, address: str, number: int | None) -> ReconciliationProof:
    """Returns the proof that the line of an address is one of a reconciliation. It also needs the permission
    `recipients:read`. Raises NotFound (`not_reconciled`, `not_in_reconciliation`), Gone (`lines_deleted`),
    ValidationFailed, Unavailable.
    """
    require(op.viewer, Permission.recipients_read)
    row = await _row(op, id, number)
    key = await key_of_owner(op.services, row["owner_id"])
    to = address_key(spelled(address, op.services.settings.default_region))
    try:
        result = await proof_of(op.db, row["id"], person_hash(key, to))
    except LinesDeleted:
        raise Gone(
            "The lines of this reconciliation were deleted, so nobody can tell whether one was of this address. The"
            " document and its signature can still be checked.",
            code="lines_deleted",
        ) from None
    if result is None:
        raise NotFound(
            "There is no line of this address in the reconciliation. Check the address: it was no recipient of the"
            " project then.",
            code="not_in_reconciliation",
        )
    entry = result.entry
    return ReconciliationProof(
        number=row["number"],
        root=row["root"].hex(),
        line_count=row["line_count"],
        state=ProofState.unknown if entry.line is None else ProofState.present,
        index=result.index,
        leaf=entry.hash.hex(),
        line=None if entry.line is None else orjson.loads(entry.line),
        salt=None if entry.salt is None else entry.salt.hex(),
        path=[hash.hex() for hash in result.path],
    )


@operation(Permission.public, "read")
async def keys(op: Op) -> dict[str, Any]:
    """Returns the public keys that sign reconciliations, or have signed some, as a set of keys (RFC 7517)."""
    return await signing_keys.jwks(op.db)


async def _row(op: Op, id: UUID, number: int | None) -> Any:
    await project_rows.visible(op, id)
    row = await op.db.fetchrow(_BY_NUMBER, id, number)
    if row is None:
        raise NotFound(
            "The project has no such reconciliation. The first one is made when it has finished; ask again in a"
            " minute.",
            code="not_reconciled",
        )
    return row


def _signed(op: Op, row: Any) -> SignedReconciliation:
    return SignedReconciliation(
        **_values(row),
        document=orjson.loads(row["document"]),
        signature=row["signature"],
        keys={"keys": [jws.jwk(row["public_key"])]},
        page_url=links.reconciliation_url(op.services, row["project_id"], row["number"], op.ctx.link_maker),
    )


def _values(row: Any) -> dict[str, Any]:
    previous = row["previous_hash"]
    return {
        **{name: row[name] for name in ("number", "kind", "state", "settled", "line_count", "made_at")},
        "sending_project_uuid": row["project_id"],
        "root": row["root"].hex(),
        "hash": row["hash"].hex(),
        "previous_hash": None if previous is None else previous.hex(),
        "key_id": row["key_id"],
    }


async def _stream(services: Services, id: UUID) -> AsyncIterator[bytes]:
    number = 0
    while (row := await services.db.fetchrow(_CHUNK, id, number)) is not None:
        yield b"".join(entry.as_ndjson for entry in entries_of(row))
        number += 1
