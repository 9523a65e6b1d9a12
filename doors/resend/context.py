"""The context of one request of a Resend client."""

import hashlib
from http import HTTPStatus
from typing import Final

from starlette.requests import HTTPConnection

from core.errors import BadRequest, Unauthenticated
from runtime.context import Context
from runtime.services import Services

_LONGEST_KEY: Final = 256
_LONGEST_STORED: Final = 200
"""Characters of a key that is stored as it is. A member's id and a recipient's number beside it fit into 255."""


class ResendContext(Context):
    """A context whose idempotency key is read as Resend reads it, or is set by the door."""

    def __init__(self, services: Services, connection: HTTPConnection) -> None:
        super().__init__(services, connection)
        self.key: str | None = None
        self.has_own_key = False  # then the operation runs under `key`, else under the header's

    @property
    def idempotency_key(self) -> str | None:
        """Returns the key under which the operation runs, or None. Raises BadRequest (`bad_idempotency_key`)."""
        return self._of_member(self.key if self.has_own_key else self.sent_key)

    @property
    def sent_key(self) -> str | None:
        """Returns the header's key, or None. Raises BadRequest unless it has 1 to 256 characters."""
        key = self.connection.headers.get("idempotency-key")
        if key is None:
            return None
        if not 1 <= len(key) <= _LONGEST_KEY:
            raise BadRequest(
                f"Idempotency-Key must have 1 to {_LONGEST_KEY} characters.", code="bad_idempotency_key"
            )
        if len(key) <= _LONGEST_STORED and key.isascii() and key.isprintable():
            return key
        return f"sha256:{hashlib.sha256(key.encode()).hexdigest()}"

    def forget_replay(self) -> None:
        """Removes the header that an operation before the request's own has answered from an earlier request."""
        self.connection.scope["postern"]["headers"].pop("idempotent-replayed", None)

    def _of_member(self, key: str | None) -> str | None:
        """Returns a key that no other member of the owner has."""
        viewer = self._viewer
        return key if key is None or viewer is None or viewer.person is None else f"{viewer.actor_id}:{key}"

    async def require_key(self) -> None:
        """Raises Unauthenticated, with the code `unauthenticated` if the request has no API key at all."""
        try:
            await self.viewer()
        except Unauthenticated as error:
            sent = self.connection.headers.get("authorization", "")
            if error.status == HTTPStatus.UNAUTHORIZED and sent.partition(" ")[2].strip():
                raise Unauthenticated(error.message, code="invalid_token") from error
            raise Unauthenticated(
                "Missing API key. Send a token of yours: Authorization: Bearer <token>.",
                code="unauthenticated",
            ) from error
