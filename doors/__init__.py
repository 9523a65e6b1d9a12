"""Doors for clients that speak other protocols than ours. Each is a package of its own, and is off unless an operator
switches it on.
"""

from starlette.routing import BaseRoute

from core.settings import Settings


def routes(settings: Settings) -> list[BaseRoute]:
    """Returns the routes of the doors that are switched on."""
    if not settings.mcp:
        return []
    # Not above: `postern mcp` imports a part of the door, and would import all operations.
    from doors.mcp.route import ROUTES

    return [*ROUTES]
