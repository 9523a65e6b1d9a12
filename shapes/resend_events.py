"""The events of Resend's webhooks that this service has, by the types of our own events."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

FORMAT: Final = "resend"
"""The name of the format, in place of the document that makes a webhook's bodies."""

TYPES: Final[Mapping[str, Sequence[str]]] = {
    "email.sent": ("message.sent",),
    "email.scheduled": ("message.queued",),
    "email.delivered": ("message.delivered",),
    "email.bounced": ("message.bounced", "message.refused"),
    "email.complained": ("message.complained",),
    "email.failed": ("message.failed", "message.expired"),
}
OWN_TYPES: Final[Mapping[str, str]] = {own: name for name, types in TYPES.items() for own in types}


def own_types(names: Collection[str]) -> list[str]:
    """Returns the types of our events that Resend's names stand for. Raises KeyError for a name that has none."""
    return [own for name in dict.fromkeys(names) for own in TYPES[name]]


def resend_names(own: Collection[str]) -> list[str]:
    """Returns Resend's names of our types."""
    return [*dict.fromkeys(OWN_TYPES[each] for each in own if each in OWN_TYPES)]
