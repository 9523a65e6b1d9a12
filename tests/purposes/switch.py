"""Switches billing in a test."""

from runtime.services import Services
from shapes.purposes import Billing

_SWITCH = """
INSERT INTO installation_choice AS c (billing, billing_since) VALUES ($1, now())
ON CONFLICT (single) DO UPDATE SET billing = $1, billing_since = now()
"""


async def switch(services: Services, billing: Billing) -> None:
    """Switches billing, as `setPurposes` does. This process learns of it at once."""
    await services.db.fetch(_SWITCH, billing.value)
    services.choices.forget()
