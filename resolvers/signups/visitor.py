"""The traces of a person on a page for recipients, which become part of the proof of consent."""

from runtime.operation import Op


def ip(op: Op) -> str | None:
    """Returns the person's network address; None unless the installation keeps them (POSTERN_CONSENT_IP)."""
    return op.ctx.address_text if op.services.settings.consent_ip else None


def user_agent(op: Op) -> str | None:
    """Returns the name of the person's browser or mail program."""
    return op.ctx.user_agent
