"""The newest reconciliation of a project, checked as `postern verify` does it."""

from typing import Any, NamedTuple
from uuid import UUID

import asyncpg
import orjson

from engine.reconciliations import jws
from engine.reconciliations.chunks import entries_of
from engine.reconciliations.verifying import Trust, read_lines, verify_document, verify_lines
from tests.support.waits import until

_NEWEST = """
SELECT r.id, r.document, r.signature, k.public_key FROM reconciliations AS r
JOIN sending_projects AS p ON p.id = r.project_id AND p.finished_at = r.project_finished_at
JOIN signing_keys AS k ON k.kid = r.key_id
WHERE r.project_id = $1 AND p.status = 'finished' AND NOT EXISTS (
  SELECT FROM reconciliations AS w WHERE w.project_id = $1 AND w.made_at IS NULL
) ORDER BY r.number DESC LIMIT 1
"""
_CHUNKS = "SELECT hashes, salts, body FROM reconciliation_chunks WHERE reconciliation_id = $1 ORDER BY number"


class Files(NamedTuple):
    """The files that somebody would be handed."""

    document: bytes
    lines: list[bytes]

    @property
    def contents(self) -> Any:
        return orjson.loads(self.document)["document"]

    @property
    def people(self) -> list[Any]:
        return [orjson.loads(line)["line"] for line in self.lines]


async def files_of(db: Any, project: UUID) -> Files | None:
    """The files of the newest reconciliation of this end of the project; None: it is not made yet."""
    row = await db.fetchrow(_NEWEST, project)
    if row is None:
        return None
    bundle = {
        "document": orjson.loads(row["document"]),
        "signature": row["signature"],
        "keys": {"keys": [jws.jwk(row["public_key"])]},
    }
    chunks = await db.fetch(_CHUNKS, row["id"])
    return Files(orjson.dumps(bundle), [entry.as_ndjson for chunk in chunks for entry in entries_of(chunk)])


def verified(files: Files) -> Files:
    """Checks signature, sums, order and root."""
    verify_lines(verify_document(files.document, Trust()).document, read_lines(files.lines))
    return files


async def reconciled(url: str, project: UUID) -> Files:
    """Waits for the reconciliation that some worker makes, and checks it."""

    async def made() -> Files | None:
        try:
            db = await asyncpg.connect(url)
            try:
                return await files_of(db, project)
            finally:
                await db.close()
        except (OSError, asyncpg.PostgresError):
            return None

    return verified(await until(made, 0.1))
