"""Decides from which addresses an owner may send emails, and asks for the senders of SMS."""

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from channels.mailbox import Mailbox
from core.errors import BadRequest
from engine.sms import approved_senders
from runtime.services import Services
from shapes.domains import GRACE_DAYS
from shapes.sending_projects import ProjectChannel

USABLE: Final = (
    f"(d.status = 'verified' OR d.status = 'lost' AND d.lost_at > now() - interval '{GRACE_DAYS} days')"
)
"""The condition of a domain `d` from which emails may be sent."""

# With $3 also the domains of administrators count: a channel's own From is theirs.
_APPROVED = f"""
SELECT DISTINCT d.name FROM domains AS d JOIN users AS u ON u.id = d.owner_id
WHERE d.name = ANY($1) AND (d.owner_id = $2 OR $3 AND 'admin' = ANY(u.roles) AND u.status = 'active') AND {USABLE}
"""  # noqa: S608  our own condition


def mailbox_of(text: str) -> Mailbox:
    """Returns the mailbox of a From. Raises BadRequest."""
    try:
        return Mailbox.parse(text)
    except ValueError as error:
        raise BadRequest(
            "from must be one email address, with or without a name: News (EU) <news@example.com>.",
            code="bad_sender",
        ) from error


async def require(
    services: Services,
    db: Any,
    owner_id: UUID,
    channel: str,
    from_address: str | None,
    sender: str | None = None,
) -> None:
    """Checks that the owner may send emails from this address, or without one from the channels' own, and SMS from
    `sender`, in some country.

    Raises BadRequest (`bad_sender`, `sender_not_approved`).
    """
    if sender is not None:
        await approved_senders.require(db, owner_id, channel, sender)
    if channel != ProjectChannel.email:
        if from_address is not None:
            raise BadRequest("Only emails have a from. Leave it out for other channels.", code="bad_sender")
        return
    if from_address is not None:
        domain = mailbox_of(from_address).domain.lower()
        if domain not in await _approved(db, [domain], owner_id, also_of_administrators=False):
            raise BadRequest(
                f"Emails may be sent from {domain} when it is one of your verified domains. Add it with"
                " POST /domains, set its records, and verify it.",
                code="sender_not_approved",
            )
    elif services.settings.verify_domains and (defaults := services.routes.sender_domains()):
        approved = await _approved(db, defaults, owner_id, also_of_administrators=True)
        if missing := sorted(defaults - approved):
            raise BadRequest(
                f"The usual sender's domain {missing[0]} is not verified. Name a from of one of your verified"
                " domains, or ask an administrator to verify that one.",
                code="sender_not_approved",
            )


async def _approved(
    db: Any, domains: Collection[str], owner_id: UUID, *, also_of_administrators: bool
) -> set[str]:
    rows = await db.fetch(_APPROVED, [*domains], owner_id, also_of_administrators)
    return {row["name"] for row in rows}
