"""Links of ours that open by their signature alone, for whoever has them."""

import base64
import hashlib
import hmac
import time

from postern.services import Services
from postern.settings import Settings


def base(settings: Settings) -> str:
    """How the world reaches this service, without a slash at the end."""
    return (settings.public_url or f"http://{settings.host}:{settings.port}").rstrip("/")


def file_url(services: Services, original_name: str) -> str:
    """Where a file's bytes can be fetched for the next `link_seconds`, with no other credential."""
    expires = int(time.time()) + services.settings.link_seconds
    signature = _signature(services, original_name, expires)
    path = f"/file-uploader/payload/{original_name}"  # our own word, safe in a URL: engine/files.py
    return f"{base(services.settings)}{path}?expires={expires}&signature={signature}"


def opens(services: Services, original_name: str, expires: int, signature: str) -> bool:
    """Whether it is our signature, and not too old."""
    known = _signature(services, original_name, expires)
    ours = hmac.compare_digest(known.encode(), signature.encode("utf-8", "replace"))
    return ours and expires >= time.time()


def _signature(services: Services, original_name: str, expires: int) -> str:
    said = f"{expires}:{original_name}".encode("utf-8", "replace")
    digest = hmac.digest(services.key("file links"), said, hashlib.sha256)
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
