"""Secrets at rest: AES-256-GCM under keys derived from POSTERN_SECRET_KEY (`Services.keys("vault")`).

Format 2, which is written: version (1 byte), id of the key (4 bytes), nonce (12 bytes), ciphertext. Format 1, which can
still be read, has no id: every key is tried.
"""

import hashlib
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_WITHOUT_ID = b"\x01"
_VERSION = b"\x02"
_ID = 4  # bytes
_NONCE = 12  # bytes (NIST SP 800-38D §5.2.1.1)


class Sealed(Exception):
    """The secret can't be opened: its key is unknown, it belongs to another context, or it is damaged."""


class Vault:
    """Encrypts with the first key and decrypts with any of them.

    `context` binds a secret to its row (say `source_accounts.token:<id>`): copied to another, it can't be decrypted.
    """

    def __init__(self, *keys: bytes) -> None:
        """`keys`: at least 32 bytes each, the newest first."""
        self.key_ids = tuple(key_id(key) for key in keys)
        self._ciphers = {id: AESGCM(key[:32]) for id, key in zip(self.key_ids, keys, strict=True)}

    @property
    def prefix(self) -> bytes:
        """Returns the first bytes of everything that is encrypted with the newest key."""
        return _VERSION + self.key_ids[0]

    def seal(self, secret: str, context: str) -> bytes:
        """Encrypts with the newest key."""
        nonce = os.urandom(_NONCE)
        cipher = self._ciphers[self.key_ids[0]]
        return self.prefix + nonce + cipher.encrypt(nonce, secret.encode(), context.encode())

    def open(self, sealed: bytes, context: str) -> str:
        """Decrypts a secret. Raises Sealed."""
        version, rest = sealed[:1], sealed[1:]
        if version == _VERSION:
            cipher = self._ciphers.get(rest[:_ID])
            ciphers = [] if cipher is None else [cipher]
            rest = rest[_ID:]
        elif version == _WITHOUT_ID:
            ciphers = [*self._ciphers.values()]
        else:
            raise Sealed
        for cipher in ciphers:
            try:
                return cipher.decrypt(rest[:_NONCE], rest[_NONCE:], context.encode()).decode()
            except (InvalidTag, ValueError):
                continue
        raise Sealed


def key_id(key: bytes) -> bytes:
    """Returns the id of a key, which is stored with each secret and does not reveal the key."""
    return hashlib.blake2b(key, digest_size=_ID, person=b"postern key id").digest()
