"""Tokens of links that are mailed to users: the id of a row and a signature, so the token is stored nowhere."""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from uuid import UUID

from runtime.services import Services


@dataclass(frozen=True, slots=True)
class RowTokens:
    """Makes and reads the tokens of one kind of link. `purpose` names its keys; `size` is the signature's, in bytes."""

    purpose: str
    size: int

    def token(self, services: Services, id: UUID) -> str:
        """Returns the token of a row, which its link carries."""
        return self._token(services.key(self.purpose), id)

    def tokens(self, services: Services, id: UUID) -> list[str]:
        """Returns the tokens of a row by each of our keys: after a rotation, an earlier one has made it."""
        return [self._token(key, id) for key in services.keys(self.purpose)]

    def row(self, services: Services, token: str) -> UUID | None:
        """Returns the id of the row that a token is of, or None if none of our keys has signed it."""
        try:
            data = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except ValueError:
            return None
        if len(data) != 16 + self.size:
            return None
        id = UUID(bytes=data[:16])
        fits = [
            hmac.compare_digest(self._signature(key, id), data[16:]) for key in services.keys(self.purpose)
        ]
        return id if any(fits) else None

    def _token(self, key: bytes, id: UUID) -> str:
        signed = id.bytes + self._signature(key, id)
        return base64.urlsafe_b64encode(signed).decode().rstrip("=")

    def _signature(self, key: bytes, id: UUID) -> bytes:
        return hmac.digest(key, id.bytes, hashlib.sha256)[: self.size]
