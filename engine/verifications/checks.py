"""Compares codes. A check locks the row of its verification, so that of any number at once five are compared."""

from typing import Any, Final
from uuid import UUID

import asyncpg

from engine.verifications import codes, pumping
from engine.verifications.pumping import Group
from runtime.services import Services
from shapes.verifications import TRIES, TRIES_A_DAY, CheckedCode, CheckStatus, VerificationStatus

_LOCK: Final = """
SELECT v.id, v.owner_id, v.purpose, v."to", v.status, v.tries, v.country, v.prefix, cardinality(v.message_ids) AS sent,
  v.expires_at <= now() AS is_over, c.mac,
  EXISTS (SELECT FROM verification_protections AS p WHERE p.owner_id = v.owner_id AND p.enabled) AS is_protected
FROM verifications AS v LEFT JOIN verification_codes AS c USING (id)
WHERE v.id = $1 AND ($2 OR v.owner_id = $3) FOR UPDATE OF v
"""
# A settled verification has no code any more.
_SETTLE: Final = """
WITH gone AS (DELETE FROM verification_codes WHERE id = $1)
UPDATE verifications SET status = $2, settled_at = now() WHERE id = $1
"""
_WRONG: Final = f"""
WITH day AS (
  INSERT INTO verification_days AS d (owner_id, address_hash, day, tries)
  VALUES ($2, $3, (now() AT TIME ZONE 'UTC')::date, 1)
  ON CONFLICT (owner_id, address_hash, day) DO UPDATE SET tries = d.tries + 1 RETURNING tries
)
UPDATE verifications AS v SET tries = v.tries + 1 FROM day WHERE v.id = $1
RETURNING LEAST({TRIES} - v.tries, {TRIES_A_DAY} - day.tries) AS left
"""  # noqa: S608  our own numbers
_SETTLED: Final = {
    VerificationStatus.approved: CheckStatus.used,
    VerificationStatus.expired: CheckStatus.expired,
    VerificationStatus.too_many: CheckStatus.too_many,
    VerificationStatus.canceled: CheckStatus.canceled,
}


async def locked(db: asyncpg.Connection, id: UUID, owner_id: UUID | None) -> Any:
    """Locks a verification until the commit. Returns its row with the MAC, or None if the owner has no such one.
    `owner_id` None: of any owner.
    """
    return await db.fetchrow(_LOCK, id, owner_id is None, owner_id)


async def settle(db: asyncpg.Connection, id: UUID, status: VerificationStatus) -> None:
    """Ends a verification that is locked and pending."""
    await db.execute(_SETTLE, id, status.value)


async def check(services: Services, db: asyncpg.Connection, row: Any, code: str) -> CheckedCode:
    """Checks a code, in the transaction that has locked the row."""
    status = VerificationStatus(row["status"])
    if status is not VerificationStatus.pending:
        return CheckedCode(status=_SETTLED[status], left=0)
    if row["is_over"]:
        await settle(db, row["id"], VerificationStatus.expired)
        return CheckedCode(status=CheckStatus.expired, left=0)
    digits = code.replace(" ", "").replace("-", "")
    if row["mac"] is not None and codes.is_right(services.keys(codes.KEY), row["id"], digits, row["mac"]):
        await settle(db, row["id"], VerificationStatus.approved)
        if row["is_protected"] and row["country"] is not None:
            group = Group(row["country"], row["prefix"])
            await pumping.count(db, row["owner_id"], group, approved=row["sent"])
        return CheckedCode(status=CheckStatus.approved, left=0)
    hashed = codes.address_hash(services.key(codes.KEY), row["purpose"], row["to"])
    left = await db.fetchval(_WRONG, row["id"], row["owner_id"], hashed)
    if left > 0:
        return CheckedCode(status=CheckStatus.wrong, left=left)
    await settle(db, row["id"], VerificationStatus.too_many)
    return CheckedCode(status=CheckStatus.too_many, left=0)
