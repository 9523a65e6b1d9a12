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


def lacks_public_address(services: Services, channel: str, *, offers_a_link: bool) -> bool:
    """Returns whether a project may not start, because the links in its messages would lead to this machine alone: the
    operator has not set POSTERN_PUBLIC_URL, and a real provider would deliver them.
    """
    return offers_a_link and services.settings.public_url is None and services.routes.real(channel)
