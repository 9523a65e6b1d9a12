"""The keys under which addresses stand in lines: one an owner, derived from one key of the installation.

The installation's key is random, lies in the vault, and never changes, so that a person has the same hash in all
documents of an owner. A stolen table, or a file of lines, does not allow trying phone numbers. That of another owner is
another one: two owners can't find out that they write to the same person.
"""

import asyncio
import hmac
import secrets
from typing import Final
from uuid import UUID

from core.errors import Unavailable
from core.vault import Sealed
from runtime.services import Services

_ID: Final = UUID("00000000-0000-7000-8000-000000000101")
_CONTEXT: Final = f"audit_keys.secret:{_ID}"
_MAKE = "INSERT INTO audit_keys (id, secret_encrypted) VALUES ($1, $2) ON CONFLICT DO NOTHING"
_READ = "SELECT secret_encrypted FROM audit_keys WHERE id = $1"


class KeyLost(Unavailable):
    """The installation's key is there, and no key of the vault opens it."""


class OwnerKeys:
    """The installation's key in this process."""

    def __init__(self) -> None:
        self._key: bytes | None = None
        self._loading = asyncio.Lock()

    async def of(self, services: Services, owner: UUID) -> bytes:
        """Returns the key of an owner. Raises KeyLost if the installation's key can't be opened."""
        if self._key is None:
            async with self._loading:
                self._key = self._key or await _load(services)
        return hmac.digest(self._key, b"owner:" + owner.bytes, "sha256")


async def _load(services: Services) -> bytes:
    sealed = await services.db.fetchval(_READ, _ID)
    if sealed is None:
        async with services.db.reading() as db:
            await db.execute(_MAKE, _ID, services.vault.seal(secrets.token_hex(32), _CONTEXT))
        sealed = await services.db.fetchval(_READ, _ID)
    try:
        return bytes.fromhex(services.vault.open(sealed, _CONTEXT))
    except Sealed as error:
        raise KeyLost(
            "The key of the addresses in reconciliations can't be opened. Set POSTERN_SECRET_KEY_OLD to the key before."
        ) from error


async def key_of_owner(services: Services, owner: UUID) -> bytes:
    """Returns the key of an owner. Raises KeyLost."""
    return await services.single(OwnerKeys, OwnerKeys).of(services, owner)
