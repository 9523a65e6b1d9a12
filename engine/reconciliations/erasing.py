"""Erases a person from the lines of reconciliations: the line and its salt go, and the hash of both stays.

Without the salt nobody can find out by trying that the hash was that of a line about an address. If the key of the
lines is lost, nobody can find the person's line: then all lines of the owner go, since an erasure may not wait for
ever.
"""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

import structlog

from engine.reconciliations.chunks import chunks_of, entries_of, without
from engine.reconciliations.lines import person_hash
from engine.reconciliations.owner_keys import KeyLost, key_of_owner
from runtime.services import Services

log = structlog.get_logger("postern.reconciliations")

_PAGE: Final = 20  # reconciliations that one statement reads
_EMPTIED: Final = 500  # chunks that one statement empties
_ANY = "SELECT EXISTS (SELECT FROM reconciliations WHERE owner_id = $1 AND made_at IS NOT NULL)"
# What is begun has read the person, and is not there to be erased yet.
_MAKING = """
SELECT EXISTS (SELECT FROM reconciliations WHERE owner_id = $1 AND made_at IS NULL AND begun_at IS NOT NULL)
"""
_CHUNKS = f"""
SELECT r.id, c.number, c.hashes, c.salts, c.body FROM (
  SELECT id FROM reconciliations WHERE owner_id = $1 AND id > $2 AND made_at IS NOT NULL ORDER BY id LIMIT $4
) AS r LEFT JOIN LATERAL ({chunks_of("r.id", "$3")}) AS c ON true ORDER BY r.id
"""  # noqa: S608  our own words
_LOCKED = """
SELECT hashes, salts, body FROM reconciliation_chunks WHERE reconciliation_id = $1 AND number = $2 FOR UPDATE
"""
_REPLACE = (
    "UPDATE reconciliation_chunks SET salts = $3, body = $4 WHERE reconciliation_id = $1 AND number = $2"
)

_EMPTY = """
UPDATE reconciliation_chunks AS t SET salts = NULL, body = NULL FROM (
  SELECT c.reconciliation_id, c.number FROM reconciliations AS r
  JOIN reconciliation_chunks AS c ON c.reconciliation_id = r.id
  WHERE r.owner_id = $1 AND c.body IS NOT NULL LIMIT $2
) AS old WHERE t.reconciliation_id = old.reconciliation_id AND t.number = old.number
"""


async def is_busy(services: Services, owner: UUID) -> str | None:
    """Returns the work that has to end before lines are looked into, or None."""
    if await services.db.fetchval(_MAKING, owner):
        return "A project is being reconciled."
    return None


async def erase_lines(services: Services, owner: UUID, keys: Iterable[str]) -> int:
    """Erases the lines of addresses, by their keys, in all reconciliations of the owner. Returns in how many chunks
    there were any.
    """
    if not await services.db.fetchval(_ANY, owner):
        return 0
    try:
        key, done = await key_of_owner(services, owner), 0
    except KeyLost:
        return await _empty(services, owner)
    for hash in {person_hash(key, address) for address in keys}:
        last = UUID(int=0)
        while rows := await services.db.fetch(_CHUNKS, owner, last, hash, _PAGE):
            last = rows[-1]["id"]
            for row in rows:
                if row["body"] is not None and without(entries_of(row), hash) is not None:
                    done += await _erase(services, row["id"], row["number"], hash)
    return done


async def _erase(services: Services, id: UUID, number: int, person: bytes) -> bool:
    async with services.db.transaction() as db:
        row = await db.fetchrow(_LOCKED, id, number)
        changed = None if row is None or row["body"] is None else without(entries_of(row), person)
        if changed is not None:
            await db.execute(_REPLACE, id, number, *changed)
    return changed is not None


async def _empty(services: Services, owner: UUID) -> int:
    """Deletes all lines and salts of an owner. Returns in how many chunks there were any."""
    done, emptied = 0, _EMPTIED
    while emptied == _EMPTIED:
        async with services.db.transaction() as db:
            emptied = int((await db.execute(_EMPTY, owner, _EMPTIED)).rpartition(" ")[2])
        done += emptied
    if done:
        log.error(
            "the key of the lines can't be opened, so an erasure has deleted all lines of the owner",
            owner=str(owner),
            chunks=done,
        )
    return done
