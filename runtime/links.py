"""Signed links of this service: the signature is the only credential, so everybody who has the link can open it."""

import base64
import hashlib
import hmac
from uuid import UUID

from core.settings import Settings
from runtime.services import Services

_FILES = "file links"
_RECONCILIATIONS = "reconciliation links"
_STATEMENTS = "statement links"


def base(settings: Settings) -> str:
    """Returns the public address of this service, without a slash at the end."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return (settings.public_url or f"http://{host}:{settings.port}").rstrip("/")


def file_url(services: Services, original_name: str, maker: UUID | None) -> str:
    """Returns a link to a file's bytes. It is valid for `link_seconds`, and needs no other credential.

    `maker` is the login or the API token that asks for it: what that may not read any more, the link does not open.
    None: a person has it by a link in a message.
    """
    expires = _now(services) + services.settings.link_seconds
    signature = _signature(services, _made(original_name, maker), expires)
    path = f"/file-uploader/payload/{original_name}"  # made by engine/files.py of characters that are safe in a URL
    by = "" if maker is None else f"&by={maker}"
    return f"{base(services.settings)}{path}?expires={expires}{by}&signature={signature}"


def _made(original_name: str, maker: UUID | None) -> str:
    return original_name if maker is None else f"{original_name}/{maker}"


def picture_url(services: Services, public_name: str) -> str:
    """Returns the address at which everybody sees a picture of letters: under POSTERN_MEDIA_URL if that is set, else
    at this service. No header of a request is part of it.
    """
    settings = services.settings
    return f"{(settings.media_url or f'{base(settings)}/media').rstrip('/')}/{public_name}"


def reconciliation_url(services: Services, project: UUID, number: int, maker: UUID | None) -> str:
    """Returns a link to the page of a reconciliation, to print. It is valid for `link_seconds`, and ends with its maker
    as a link to a file does.
    """
    expires = _now(services) + services.settings.link_seconds
    signature = _signature(services, _made(f"{project}/{number}", maker), expires, _RECONCILIATIONS)
    by = "" if maker is None else f"&by={maker}"
    path = f"/sending-project/{project}/reconciliation/page?number={number}"
    return f"{base(services.settings)}{path}&expires={expires}{by}&signature={signature}"


def opens_reconciliation(
    services: Services, project: UUID, number: int, expires: int, signature: str, maker: UUID | None
) -> bool:
    """Returns whether the signature of a link to a reconciliation's page is valid and the link has not expired."""
    return _opens(services, _made(f"{project}/{number}", maker), expires, signature, _RECONCILIATIONS)


def statement_url(services: Services, account: UUID, month: str, maker: UUID | None) -> str:
    """Returns a link to the page of a statement, to print, with the validity of that of a reconciliation."""
    expires = _now(services) + services.settings.link_seconds
    signature = _signature(services, _made(f"{account}/{month}", maker), expires, _STATEMENTS)
    by = "" if maker is None else f"&by={maker}"
    path = f"/accounts/{account}/statements/{month}/page"
    return f"{base(services.settings)}{path}?expires={expires}{by}&signature={signature}"


def opens_statement(
    services: Services, account: UUID, month: str, expires: int, signature: str, maker: UUID | None
) -> bool:
    """Returns whether the signature of a link to a statement's page is valid and the link has not expired."""
    return _opens(services, _made(f"{account}/{month}", maker), expires, signature, _STATEMENTS)


MEDIA_SECONDS = 7 * 24 * 3600
"""A link to a message's content is valid for this time: longer than a webhook's event may wait for its receiver."""


def media_url(services: Services, item: UUID, index: int) -> str:
    """Returns a link to the content of a messenger's message, which needs no other credential."""
    expires = _now(services) + MEDIA_SECONDS
    signature = _signature(services, f"{item}/{index}", expires, "messenger media links")
    return f"{base(services.settings)}/messenger-media/{item}/{index}?expires={expires}&signature={signature}"


def opens_media(services: Services, item: UUID, index: int, expires: int, signature: str) -> bool:
    """Returns whether the signature of a media link is valid and the link has not expired."""
    return _opens(services, f"{item}/{index}", expires, signature, "messenger media links")


QR_SECONDS = 300
"""A link to an account's QR is valid for this time: long enough for a person with a phone at hand."""


def qr_url(services: Services, account_id: UUID) -> str:
    """Returns a link to the QR of an account that waits for a scan, which needs no other credential."""
    expires = _now(services) + QR_SECONDS
    signature = _signature(services, str(account_id), expires, "messenger qr links")
    query = f"account={account_id}&expires={expires}&signature={signature}"
    return f"{base(services.settings)}/screenshot?{query}"


def opens_qr(services: Services, account_id: UUID, expires: int, signature: str) -> bool:
    """Returns whether the signature of a QR link is valid and the link has not expired."""
    return _opens(services, str(account_id), expires, signature, "messenger qr links")


def opens(services: Services, original_name: str, expires: int, signature: str, maker: UUID | None) -> bool:
    """Returns whether the signature of a file link is valid and the link has not expired."""
    return _opens(services, _made(original_name, maker), expires, signature, _FILES)


def _opens(services: Services, name: str, expires: int, signature: str, purpose: str) -> bool:
    """Returns whether one of our keys made the signature, and the link has not expired."""
    received = signature.encode("utf-8", "replace")
    ours = [
        hmac.compare_digest(_signed(key, name, expires).encode(), received) for key in services.keys(purpose)
    ]
    return any(ours) and expires >= _now(services)


def _now(services: Services) -> int:
    """Returns the database's time, so that a link made on one machine is valid on every other."""
    return int(services.db.now().timestamp())


def _signature(services: Services, name: str, expires: int, purpose: str = _FILES) -> str:
    return _signed(services.key(purpose), name, expires)


def _signed(key: bytes, name: str, expires: int) -> str:
    digest = hmac.digest(key, f"{expires}:{name}".encode("utf-8", "replace"), hashlib.sha256)
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
