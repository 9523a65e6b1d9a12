"""The hashes of addresses. They tell that an address is the same when the address itself must not be stored.

A hash is an HMAC under a random key that lies in the vault and never changes, so that a stolen table does not allow
trying phone numbers. Blocks of erased people and erasures have it, and each is found by the address that comes back.
"""

import asyncio
import hmac
import secrets
from collections.abc import Iterable
from typing import Final
from uuid import UUID

import asyncpg
import structlog

from core.vault import Sealed
from engine.blocks import PREFIX
from runtime.services import Services
from shapes.addresses import address_key

log = structlog.get_logger("postern.engine")

_ID: Final = UUID("00000000-0000-7000-8000-000000000070")
_CONTEXT: Final = f"audit_keys.secret:{_ID}"
_MAKE = "INSERT INTO audit_keys (id, secret_encrypted) VALUES ($1, $2) ON CONFLICT DO NOTHING"
_READ = "SELECT secret_encrypted FROM audit_keys WHERE id = $1"


class AddressHasher:
    """Hashes addresses of any channel."""

    def __init__(self) -> None:
        self._key: bytes | None = None
        self._loading = asyncio.Lock()
        self.loaded = False

    async def load(self, services: Services) -> None:
        """Reads the key, or makes it. Without a key that opens it, every owner with erased people is refused.

        It has a connection of its own: callers are in transactions, and would wait for each other's connections.
        """
        async with self._loading:
            if not self.loaded:
                connection = await services.db.connect_plainly()
                try:
                    await self._load(connection, services)
                finally:
                    await connection.close()

    async def _load(self, connection: asyncpg.Connection, services: Services) -> None:
        sealed = await connection.fetchval(_READ, _ID)
        if sealed is None:
            await connection.execute(_MAKE, _ID, services.vault.seal(secrets.token_hex(32), _CONTEXT))
            sealed = await connection.fetchval(_READ, _ID)
        try:
            self._key = bytes.fromhex(services.vault.open(sealed, _CONTEXT))
        except Sealed:
            log.error(
                "the key of address hashes can't be opened: owners of erased people can't send;"
                " set POSTERN_SECRET_KEY_OLD"
            )
        self.loaded = True

    @property
    def is_open(self) -> bool:
        """Returns whether there is a key."""
        return self._key is not None

    def hash(self, address: str) -> str | None:
        """Returns the hash of an address, as `blocked_phones.phone` has it: two spellings of one address have one.

        None: the key can't be opened. The conditions of `engine/blocks.py` then hold for any erased address.
        """
        if self._key is None:
            return None
        return PREFIX + hmac.digest(self._key, address_key(address).encode(), "sha256").hex()

    def derived(self, purpose: bytes) -> bytes | None:
        """Returns a key of its own for other hashes of addresses; None if the key can't be opened."""
        return None if self._key is None else hmac.digest(self._key, purpose, "sha256")

    def hashes(self, addresses: Iterable[str]) -> list[str | None]:
        """Returns the hashes of addresses."""
        return [*map(self.hash, addresses)]


async def address_hasher(services: Services) -> AddressHasher:
    """Returns the hasher of this installation. The first call of a process reads its key."""
    hasher = services.single(AddressHasher, AddressHasher)
    if not hasher.loaded:
        await hasher.load(services)
    return hasher
