"""Keys that sign emails with DKIM: made, stored encrypted, and shown as DNS records (RFC 6376 §3.6.1, RFC 8463)."""

import asyncio
import base64
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, cast
from uuid import UUID

import asyncpg
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from channels.port import MailSigner
from core.ids import uuid7
from core.vault import Vault
from shapes.domains import DkimAlgorithm

CONTEXT: Final = "dkim_keys.key"
"""The vault's context before the row's id."""

_RSA_BITS: Final = 2048
_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"

Key = rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey


_INSERT = """
INSERT INTO dkim_keys (id, owner_id, domain, selector, algorithm, key_encrypted, public_key, state, state_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', now())
"""
_OF_OWNER = """
SELECT id, domain, selector, algorithm, public_key, state, state_at FROM dkim_keys
WHERE owner_id IS NOT DISTINCT FROM $1 AND ($2::text IS NULL OR domain = $2) ORDER BY domain, id
"""
_RETIRE_OTHERS = """
UPDATE dkim_keys AS k SET state = 'retired', state_at = now() FROM dkim_keys AS next
WHERE next.id = $1 AND k.domain = next.domain AND k.algorithm = next.algorithm AND k.id <> next.id
  AND k.owner_id IS NOT DISTINCT FROM next.owner_id AND k.state = 'active'
RETURNING k.selector
"""
_ACTIVATE = "UPDATE dkim_keys SET state = 'active', state_at = now() WHERE id = $1 AND state <> 'active'"


class NewKey(NamedTuple):
    """A key that is not stored yet; it signs when it is activated."""

    id: UUID
    owner_id: UUID | None
    domain: str
    selector: str
    algorithm: str
    key_encrypted: bytes
    public_key: str


class TxtRecord(NamedTuple):
    """A TXT record to set."""

    name: str
    value: str


async def new_key(
    vault: Vault, owner_id: UUID | None, domain: str, algorithm: DkimAlgorithm, now: datetime
) -> NewKey:
    """Makes a key that signs nothing yet. It takes a second of a thread at most, so call it outside a transaction."""
    key = await asyncio.to_thread(_generate, algorithm)
    id = uuid7()
    selector = f"postern-{now:%Y%m%d}-{''.join(secrets.choice(_LETTERS) for _ in range(4))}"
    sealed = vault.seal(_pem(key), f"{CONTEXT}:{id}")
    return NewKey(id, owner_id, domain, selector, algorithm.value, sealed, public_key(key))


async def insert(connection: asyncpg.Connection, key: NewKey) -> None:
    """Stores a new key."""
    await connection.execute(_INSERT, *key)


async def of_owner(db: Any, owner_id: UUID | None, domain: str | None = None) -> Sequence[Any]:
    """Returns an owner's keys, or with None those of the installation."""
    return list(await db.fetch(_OF_OWNER, owner_id, domain))


async def activate(connection: asyncpg.Connection, id: UUID) -> Sequence[str]:
    """Has a key sign. Returns the selectors of those that it replaces: active ones of the same algorithm."""
    replaced = await connection.fetch(_RETIRE_OTHERS, id)
    await connection.execute(_ACTIVATE, id)
    return [row["selector"] for row in replaced]


def signer(vault: Vault, row: Any) -> MailSigner:
    """Returns the key of a row, ready to sign. Raises Sealed."""
    pem = vault.open(row["key_encrypted"], f"{CONTEXT}:{row['id']}")
    return MailSigner(row["domain"], row["selector"], cast("Key", load_pem_private_key(pem.encode(), None)))


def record(domain: str, selector: str, algorithm: str, public: str) -> TxtRecord:
    """Returns the record that publishes a key."""
    return TxtRecord(f"{selector}._domainkey.{domain}", f"v=DKIM1; k={algorithm}; p={public}")


def public_key(key: Key) -> str:
    """Returns the public part as it is in the record: of Ed25519 the key alone, of RSA with its type."""
    public = key.public_key()
    if isinstance(public, ed25519.Ed25519PublicKey):
        data = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
    else:
        data = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(data).decode()


def _generate(algorithm: DkimAlgorithm) -> Key:
    if algorithm is DkimAlgorithm.ed25519:
        return ed25519.Ed25519PrivateKey.generate()
    return rsa.generate_private_key(65537, _RSA_BITS)


def _pem(key: Key) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
