"""The proof that the line of an address is in a document: the line, its salt, and the path to the root."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from db.query import Reads
from engine.reconciliations.chunks import Entry, chunks_of, entries_of
from engine.reconciliations.merkle import CHUNK, path_to, split

_CHUNKS = f"{chunks_of('$1', '$2')} ORDER BY number"
_ROOTS = "SELECT root FROM reconciliation_chunks WHERE reconciliation_id = $1 ORDER BY number"


class LinesDeleted(Exception):
    """The lines were deleted, of all persons: their hashes are left, which tell of none."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof of one leaf: of the person's line, or of an erased one, which may be that of another person."""

    entry: Entry
    index: int
    path: list[bytes]


async def proof_of(db: Reads, reconciliation: UUID, person: bytes) -> Proof | None:
    """Returns the proof of a person's line, or else of an erased one that may be the person's; None: no line is.

    Lines are sorted by persons, so an erased line in the gap where the person's would be may be the person's, or that
    of anybody else who sorts into the gap. Raises LinesDeleted.
    """
    erased = None
    for row in await db.fetch(_CHUNKS, reconciliation, person):
        if row["body"] is None:
            raise LinesDeleted
        entries = entries_of(row)
        index = index_of(entries, person)
        if index is None:
            continue
        if entries[index].line is not None:
            return await _proof(db, reconciliation, row, entries[index], index)
        erased = erased or (row, entries[index], index)
    return None if erased is None else await _proof(db, reconciliation, *erased)


async def _proof(db: Reads, reconciliation: UUID, row: Any, entry: Entry, index: int) -> Proof:
    roots = [each["root"] for each in await db.fetch(_ROOTS, reconciliation)]
    path = [*path_to(split(row["hashes"]), index), *path_to(roots, row["number"])]
    return Proof(entry, row["number"] * CHUNK + index, path)


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
