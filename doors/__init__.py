"""Doors for clients that speak other protocols than ours. Each is a package of its own, and is off unless an operator
switches it on.
"""

from starlette.routing import BaseRoute

from core.settings import Settings
from doors import mcp


def routes(settings: Settings) -> list[BaseRoute]:
    """Returns the routes of the doors that are switched on."""
    return [*(mcp.ROUTES if settings.mcp else ())]
