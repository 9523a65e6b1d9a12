"""Reads the approved senders of SMS, and decides whether one may be used."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from core.errors import BadRequest
from engine.sms.number_countries import without_letters
from engine.sms.senders import Choice, NotApproved, Sender, choose, key_of
from runtime.services import Services
from shapes.messages import MessageChannel
from shapes.senders import SenderKind

_APPROVED: Final = """
SELECT owner_id, value, kind, countries FROM senders
WHERE owner_id = ANY($1) AND channel = 'sms' AND state = 'approved' ORDER BY id
"""

Senders = Mapping[UUID, Sequence[Sender]]
"""Approved senders by their owners."""
NO_SENDERS: Final[Senders] = {}


async def read(db: Any, owner_ids: Collection[UUID]) -> Senders:
    """Returns the approved senders of these users, by one statement; by none if there are no users."""
    senders: dict[UUID, list[Sender]] = {owner: [] for owner in owner_ids}
    for row in await db.fetch(_APPROVED, [*senders]) if senders else ():
        sender = Sender(row["value"], SenderKind(row["kind"]), frozenset(row["countries"]))
        senders[row["owner_id"]].append(sender)
    return senders


def require_sms(channel: str, asked: str | None) -> None:
    """Raises BadRequest (`bad_sender`) for a sender of another channel's message."""
    if asked is not None and channel != MessageChannel.sms:
        raise BadRequest(
            "Only SMS have a sender. Leave it out for other channels; emails have a from.", code="bad_sender"
        )


async def chosen(services: Services, db: Any, owner_id: UUID, to: str, asked: str | None) -> Choice:
    """Returns the sender of one SMS. Raises BadRequest (`sender_not_approved`). It reads nothing if none is named."""
    senders = (await read(db, [owner_id]))[owner_id] if asked is not None else ()
    try:
        return choose(to, asked, senders, countries_without_letters(services))
    except NotApproved as error:
        raise BadRequest(str(error), code="sender_not_approved") from error


async def require(db: Any, owner_id: UUID, channel: str, asked: str) -> None:
    """Checks that the owner may send SMS from a sender, in some country.

    Raises BadRequest (`bad_sender`, `sender_not_approved`).
    """
    require_sms(channel, asked)
    senders = (await read(db, [owner_id]))[owner_id]
    if key_of(asked) not in {key_of(sender.value) for sender in senders}:
        raise BadRequest(
            f"{asked} is not one of your approved senders. Ask for it with POST /senders, or name another one.",
            code="sender_not_approved",
        )


def countries_without_letters(services: Services) -> frozenset[str]:
    """Returns the countries of this installation that refuse senders of letters."""
    changes = services.settings.sms_number_countries
    return services.single(_Table, lambda: _Table(changes)).countries


class _Table:
    """The countries that refuse letters, made once a process."""

    def __init__(self, changes: Sequence[str]) -> None:
        self.countries = without_letters(changes)
