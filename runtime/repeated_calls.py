"""Calls of programs that may say the same twice: an agent that tries again takes a new idempotency key, one that was
restarted takes its old ones. Both must not send twice.

The keys are rows of `idempotency_keys` under names of their own, so they are stored, bounded and pruned as all keys
are: one row says for 24 hours which key stands for the caller's, another one says for a quarter of an hour which key
did the same work.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

import orjson

from core.errors import Unprocessable
from db.session import Database

REPEATED_MINUTES: Final = 15
_KEYS: Final = "repeated_calls.keys"
_WORK: Final = "repeated_calls.work"
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('repeated_calls:' || $1, 0))"
_FIND = """
SELECT fingerprint, answer #>> '{}' AS key, expires_at FROM idempotency_keys
WHERE user_id = $1 AND operation = $2 AND key = $3 AND expires_at > now()
"""
_STORE = """
INSERT INTO idempotency_keys (user_id, operation, key, fingerprint, answer, expires_at)
VALUES ($1, $2, $3, $4, to_jsonb($5::text), COALESCE($7, now() + make_interval(mins => $6)))
ON CONFLICT (user_id, operation, key) DO UPDATE SET
  fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
"""


async def key_of(
    db: Database, owner: UUID, caller: UUID, key: str, work: Mapping[str, Any], *, again: bool
) -> str:
    """Returns the idempotency key under which a call runs: that of the first call with this key, or of one that asked
    for the same `work` within a quarter of an hour, unless it is to be done again; else one of its own.

    `caller`: the token or login, whose keys are its own. Raises Unprocessable (`idempotency_key_reused`) if the key
    came with other work before.
    """
    fingerprint = hashlib.sha256(orjson.dumps(work, option=orjson.OPT_SORT_KEYS)).digest()
    own, same = f"{caller.hex}:{key}", f"{caller.hex}:{fingerprint.hex()}"
    async with db.transaction() as connection:
        for name in sorted((own, same)):  # in one order, so that two calls do not wait for each other
            await connection.execute(_LOCK, name)
        row = await connection.fetchrow(_FIND, owner, _KEYS, own)
        if row is not None:
            if row["fingerprint"] != fingerprint:
                raise Unprocessable(
                    "This idempotency key was used for another call. Take a new one for a new act."
                )
            return str(row["key"])
        same_work = None if again else await connection.fetchrow(_FIND, owner, _WORK, same)
        first = same_work and await connection.fetchrow(_FIND, owner, _KEYS, same_work["key"])
        if first is not None:
            # It ends with the first key, whose answer it stands for.
            taken = str(first["key"])
            await connection.execute(_STORE, owner, _KEYS, own, fingerprint, taken, None, first["expires_at"])
            return taken
        await connection.execute(_STORE, owner, _KEYS, own, fingerprint, own, 24 * 60, None)
        await connection.execute(_STORE, owner, _WORK, same, fingerprint, own, REPEATED_MINUTES, None)
    return own
