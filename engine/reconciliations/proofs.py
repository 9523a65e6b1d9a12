"""The proof that the line of an address is in a document: the line, its salt, and the path to the root."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from db.query import Reads
from engine.reconciliations.chunks import Entry, entries_of
from engine.reconciliations.merkle import CHUNK, path_to, split

_CHUNK = """
SELECT number, hashes, salts, body FROM reconciliation_chunks WHERE reconciliation_id = $1 AND least <= $2
ORDER BY least DESC LIMIT 1
"""
_ROOTS = "SELECT root FROM reconciliation_chunks WHERE reconciliation_id = $1 ORDER BY number"


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof of one leaf."""

    entry: Entry
    index: int
    path: list[bytes]


async def proof_of(db: Reads, reconciliation: UUID, person: bytes) -> Proof | None:
    """Returns the proof for what stands for a person; None: nobody with this address is in the document.

    Lines are sorted by persons, so an erased line in the gap where the person's would be may be the person's.
    """
    row: Any = await db.fetchrow(_CHUNK, reconciliation, person)
    if row is None:
        return None
    entries = entries_of(row)
    index = index_of(entries, person)
    if index is None:
        return None
    roots = [each["root"] for each in await db.fetch(_ROOTS, reconciliation)]
    path = [*path_to(split(row["hashes"]), index), *path_to(roots, row["number"])]
    return Proof(entries[index], row["number"] * CHUNK + index, path)


def index_of(entries: list[Entry], person: bytes) -> int | None:
    """Returns the place of the person's line, or of the first erased one that may be the person's."""
    erased = None
    for index, entry in enumerate(entries):
        if (other := entry.person) is None:
            erased = index if erased is None else erased
        elif other == person:
            return index
        elif other > person:
            break
        else:
            erased = None
    return erased
