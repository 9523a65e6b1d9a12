"""Encrypts a login value (QR, pairing code) in the outbox; it is decrypted only when the event is delivered."""

import base64
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import orjson

from core.vault import Sealed, Vault

_SEALED_KEY = b'"sealedValue":'  # inside a JSON string the quotation marks would be escaped


def seal(vault: Vault, account_id: UUID, value: str) -> dict[str, str]:
    """Returns the field that replaces the value in an event's body."""
    return {"sealedValue": base64.b64encode(vault.seal(value, _vault_context(account_id))).decode()}


def opened(vault: Vault, account_id: UUID, body: bytes, now: datetime) -> bytes:
    """Returns the body to post. An expired value becomes null."""
    if _SEALED_KEY not in body:
        return body
    event: dict[str, Any] = orjson.loads(body)
    sealed = event.pop("sealedValue", None)
    event["value"] = _value(vault, account_id, event, sealed, now) if isinstance(sealed, str) else None
    return orjson.dumps(event)


def _value(
    vault: Vault, account_id: UUID, event: Mapping[str, Any], sealed: str, now: datetime
) -> str | None:
    expires = event.get("expiresAt")
    if isinstance(expires, str) and datetime.fromisoformat(expires) <= now.astimezone(UTC):
        return None
    try:
        return vault.open(base64.b64decode(sealed), _vault_context(account_id))
    except (Sealed, ValueError):
        return None


def _vault_context(account_id: UUID) -> str:
    return f"messenger_events.value:{account_id}"
