"""Secrets at rest: AES-256-GCM under a key derived from POSTERN_SECRET_KEY (`Services.key("vault")`)."""

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_VERSION = b"\x01"
_NONCE = 12  # bytes (NIST SP 800-38D §5.2.1.1)


class Sealed(Exception):
    """It was sealed under another POSTERN_SECRET_KEY, for something else, or was damaged."""


class Vault:
    """`context` binds a secret to its place (say `source_accounts.token:<id>`): moved elsewhere, it won't open."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key[:32])

    def seal(self, secret: str, context: str) -> bytes:
        nonce = os.urandom(_NONCE)
        return _VERSION + nonce + self._cipher.encrypt(nonce, secret.encode(), context.encode())

    def open(self, sealed: bytes, context: str) -> str:
        """Raises Sealed."""
        nonce, body = sealed[1 : 1 + _NONCE], sealed[1 + _NONCE :]
        if sealed[:1] != _VERSION:
            raise Sealed
        try:
            return self._cipher.decrypt(nonce, body, context.encode()).decode()
        except InvalidTag as error:
            raise Sealed from error
