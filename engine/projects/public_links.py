"""The links that a project gives its recipients, which lead to the public address of this service."""

from typing import Final

from engine.texts import recipient_links
from runtime.services import Services

LINKS: Final = [f"%{name}%" for name in recipient_links.VARIABLES]
OFFERS_A_LINK: Final = """
p.category = 'promotional' AND (p.channel = 'email'
    OR concat(p.text, p.variants::text, p.template::text, p.languages::text) LIKE ANY({links}))
"""
"""The condition that a project `p` gives its recipients a link; `links`: the parameter with `LINKS`."""


def lack_address(services: Services, channel: str, *, offers_a_link: bool) -> bool:
    """Returns whether a project has links that nobody outside could open, so that it does not start."""
    return offers_a_link and services.settings.public_url is None and services.routes.real(channel)
