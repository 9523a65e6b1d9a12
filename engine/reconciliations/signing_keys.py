"""The installation's keys that sign documents: made at first use, sealed in the vault, rotated with an overlap.

A new key is published at once, and signs a day later, so that who keeps a copy of the public keys has it by then. The
public keys of older ones stay published, since what they have signed stays.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final, NamedTuple

import asyncpg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.errors import Unavailable
from core.ids import uuid7
from core.vault import Sealed, Vault
from db.query import Reads
from engine.reconciliations import jws

CONTEXT: Final = "signing_keys.key"
"""The vault's context before the row's id."""
OVERLAP: Final = timedelta(days=1)
"""The time for which a new key is published before it signs."""

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('signing_keys', 0))"
_ACTIVE = """
SELECT id, kid, public_key, key_encrypted FROM signing_keys WHERE signs_from <= now()
ORDER BY signs_from DESC, id DESC LIMIT 1
"""
_INSERT = """
INSERT INTO signing_keys (id, kid, public_key, key_encrypted, signs_from) VALUES ($1, $2, $3, $4, now() + $5)
"""
_ALL = "SELECT kid, public_key, signs_from FROM signing_keys ORDER BY signs_from, id"


class Signer(NamedTuple):
    """The key that signs now."""

    kid: str
    public_key: str
    key: Ed25519PrivateKey

    def sign(self, payload: bytes) -> str:
        """Returns the detached signature of a payload."""
        return jws.sign(self.key, self.kid, payload)


async def signer(connection: asyncpg.Connection, vault: Vault) -> Signer:
    """Returns the key that signs, in the caller's transaction; the first call of an installation makes it. Raises
    Unavailable if no key of the vault opens it.
    """
    row: Any = await connection.fetchrow(_ACTIVE)
    if row is None:
        await connection.execute(_LOCK)
        row = await connection.fetchrow(_ACTIVE)
    if row is None:
        await _make(connection, vault, timedelta())
        row = await connection.fetchrow(_ACTIVE)
    try:
        secret = vault.open(row["key_encrypted"], f"{CONTEXT}:{row['id']}")
    except Sealed as error:
        raise Unavailable(
            "The key that signs documents can't be opened. Set POSTERN_SECRET_KEY_OLD to the key before, or make a"
            " new one: postern signing-key rotate --now"
        ) from error
    return Signer(row["kid"], row["public_key"], Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret)))


async def rotate(connection: asyncpg.Connection, vault: Vault, *, at_once: bool) -> str:
    """Makes the next key, which signs after the overlap, or at once. Returns its id."""
    await connection.execute(_LOCK)
    return await _make(connection, vault, timedelta() if at_once else OVERLAP)


async def all_keys(db: Reads) -> Sequence[Any]:
    """Returns the public parts of all keys, the oldest first."""
    return await db.fetch(_ALL)


async def jwks(db: Reads) -> dict[str, Any]:
    """Returns the set of all public keys (RFC 7517)."""
    return {"keys": [jws.jwk(row["public_key"]) for row in await all_keys(db)]}


async def _make(connection: asyncpg.Connection, vault: Vault, delay: timedelta) -> str:
    key, id = Ed25519PrivateKey.generate(), uuid7()
    public = jws.public_text(key.public_key())
    kid = jws.thumbprint(public)
    sealed = vault.seal(key.private_bytes_raw().hex(), f"{CONTEXT}:{id}")
    await connection.execute(_INSERT, id, kid, public, sealed, delay)
    return kid
