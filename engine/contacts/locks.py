"""Locks by which those who write the same owner's contacts wait for each other, until their transactions end.

A transaction that adds or changes rows shares the lock of the owner, and locks the buckets of the external ids and
addresses that the rows have, always in the same order. So two requests about the same people come one after the other,
and can't wait crosswise. A transaction that moves addresses between contacts has the owner's lock alone.
"""

import zlib
from collections.abc import Iterable
from typing import Any
from uuid import UUID

_BUCKETS = 64  # of one owner: as few locks as a transaction may have without using up the table of locks
_OWNER = "hashtextextended('contacts:' || $1::uuid::text, 0)"
_SHARED = f"""
SELECT pg_advisory_xact_lock_shared({_OWNER})::text
UNION ALL SELECT pg_advisory_xact_lock(hashtextextended('contact:' || $1::uuid::text || ':' || bucket, 0))::text
FROM (SELECT bucket FROM unnest($2::int[]) AS b (bucket) ORDER BY bucket OFFSET 0) AS ordered
"""  # noqa: S608  our own expression
_ALONE = f"SELECT pg_advisory_xact_lock({_OWNER})"


async def lock_identities(connection: Any, owner_id: UUID, identities: Iterable[str]) -> None:
    """Locks external ids and addresses of an owner."""
    buckets = sorted({zlib.crc32(identity.encode()) % _BUCKETS for identity in identities})
    await connection.execute(_SHARED, owner_id, buckets)


async def lock_owner(connection: Any, owner_id: UUID) -> None:
    """Locks all contacts of an owner."""
    await connection.execute(_ALONE, owner_id)
