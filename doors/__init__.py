"""Doors for clients that speak other protocols than ours. Each is a package of its own, and is off unless an operator
switches it on.
"""

from typing import Any

from starlette.routing import BaseRoute

from core.settings import Settings
from doors import mcp, resend


def routes(settings: Settings) -> list[BaseRoute]:
    """Returns the routes of the doors that are switched on."""
    return [*(mcp.ROUTES if settings.mcp else ()), *(resend.ROUTES if settings.resend else ())]


def largest_bodies(settings: Settings) -> dict[tuple[str, str], int]:
    """Returns the bounds of larger bodies, by method and path."""
    paths = (f"{resend.PREFIX}/emails", f"{resend.PREFIX}/emails/batch") if settings.resend else ()
    return {("POST", path): max(settings.max_body_bytes, resend.BODY_BYTES) for path in paths}


def refusal(path: str, status: int, message: str) -> dict[str, Any] | None:
    """Returns the body of an error in the form of the door that the path belongs to, if that has one of its own."""
    return resend.refusal(status, message) if path.startswith(f"{resend.PREFIX}/") else None
