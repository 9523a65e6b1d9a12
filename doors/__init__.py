"""Doors for clients that speak other protocols than ours. Each is a package of its own, and is off unless an operator
switches it on.

They are imported when they are used: `postern mcp` needs a part of one door, and would import all operations.
"""

from typing import Any

from starlette.routing import BaseRoute

from core.settings import Settings


def routes(settings: Settings) -> list[BaseRoute]:
    """Returns the routes of the doors that are switched on."""
    made: list[BaseRoute] = []
    if settings.mcp:
        from doors.mcp.route import ROUTES

        made += ROUTES
    if settings.resend:
        from doors import resend

        made += resend.ROUTES
    return made


def largest_bodies(settings: Settings) -> dict[tuple[str, str], int]:
    """Returns the bounds of larger bodies, by method and path."""
    if not settings.resend:
        return {}
    from doors import resend

    paths = (f"{resend.PREFIX}/emails", f"{resend.PREFIX}/emails/batch")
    return {("POST", path): max(settings.max_body_bytes, resend.BODY_BYTES) for path in paths}


def refusal(path: str, status: int, message: str) -> dict[str, Any] | None:
    """Returns the body of an error in the form of the door that the path belongs to, if that has one of its own."""
    if not path.startswith("/doors/"):
        return None
    from doors import resend

    return resend.refusal(status, message) if path.startswith(f"{resend.PREFIX}/") else None
