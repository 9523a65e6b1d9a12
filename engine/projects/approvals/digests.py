"""The digest of a project's recipients: one number for all addresses, names, time zones and variables.

    recipients are added or removed ── a trigger, the same statement ──► audience_digests: a sum of HMACs
    a plan is made                  ── `whole`                       ──► counted anew if the owner had no key before

A sum does not depend on the order, so a list that is imported twice in another order has one digest, and a change costs
what it adds or removes. The HMACs have a key of the owner, so that a digest does not allow trying addresses.
"""

import secrets
from typing import Any, Final, NamedTuple
from uuid import UUID

_BLOCK: Final = 64  # bytes of SHA-256
_ADD_KEY = """
INSERT INTO audience_keys (owner_id, inner_block, outer_block) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
"""
_SUM = """
SELECT COALESCE(sum(recipients), 0)::int8 AS recipients, COALESCE(sum(erased), 0)::int8 AS erased,
  mod(COALESCE(sum(digest), 0),
    115792089237316195423570985008687907853269984665640564039457584007913129639936)::text AS digest
FROM audience_digests WHERE project_id = $1
"""
_COUNT = "SELECT count(*) FROM recipients WHERE project_id = $1"
_STILL = "SELECT FROM sending_projects WHERE id = $1 FOR UPDATE"
_LONG = "SET LOCAL statement_timeout = '5min'"  # a million recipients take ten seconds
_COUNT_ANEW = "SELECT postern_count_digest($1)"


class Digest(NamedTuple):
    """The digest of a project's recipients, and how many these are, with those who have been erased since."""

    recipients: int
    digest: str  # 64 hexadecimal digits
    is_whole: bool  # False: some recipients were added before their owner had a key
    erased: int


async def ensure_key(connection: Any, owner: UUID) -> None:
    """Gives the owner a key, so that digests are kept from now on."""
    key = secrets.token_bytes(32).ljust(_BLOCK, b"\0")
    inner, outer = (bytes(byte ^ pad for byte in key) for pad in (0x36, 0x5C))
    await connection.execute(_ADD_KEY, owner, inner, outer)


async def read(connection: Any, project: UUID, *, has_plan: bool = False) -> Digest:
    """Returns the digest as the statements have left it.

    `has_plan`: a plan of the project was made, so that it has been whole since. Else the recipients are counted.
    """
    row = await connection.fetchrow(_SUM, project)
    whole = has_plan or row["recipients"] - row["erased"] == await connection.fetchval(_COUNT, project)
    return Digest(row["recipients"], f"{int(row['digest']):064x}", whole, row["erased"])


async def whole(connection: Any, owner: UUID, project: UUID) -> Digest:
    """Returns the digest of all recipients, counted anew if it is not whole or has people who are gone."""
    await ensure_key(connection, owner)
    digest = await read(connection, project)
    if digest.is_whole and not digest.erased:
        return digest
    await connection.execute(_STILL, project)
    await connection.execute(_LONG)
    await connection.execute(_COUNT_ANEW, project)
    return await read(connection, project)
