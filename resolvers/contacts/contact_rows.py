"""The list of contacts with their addresses, and the rows of requests as the engine takes them."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import literal_column
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from core.errors import BadRequest, NotFound
from db import models
from db.lists import Listing
from db.query import columns, p
from engine.contacts.matching import Address, NewContact
from resolvers.contacts.contact_filters import FILTERS, PLANNED
from resolvers.recipients.recipient_checks import AddressRefused, normaliser
from runtime.operation import Op
from shapes.contacts import ContactPatch, ContactValues, NewContactAddress
from shapes.sending_projects import ProjectChannel

CONTACT = models.Contact
MINE = CONTACT.owner_id == p("owner_id")
_ADDRESSES = literal_column(
    """COALESCE((
  SELECT jsonb_agg(jsonb_build_object('channel', a.channel, 'address', a.address, 'primary', a.primary,
    'verifiedAt', postern_utc(a.verified_at)) ORDER BY a.id)
  FROM contact_addresses AS a WHERE a.contact_id = contacts.id
), '[]')""",
    JSONB,
).label("addresses")
_WITHOUT = ("terms",)
ANSWER = (
    *columns(CONTACT, *_WITHOUT),
    literal_column("addresses", ARRAY(JSONB)).label("addresses"),
)
"""The columns of a contact as answers have it."""
CONTACTS = Listing(
    CONTACT,
    orders={"updatedAt": CONTACT.updated_at, "name": CONTACT.name},
    filters=FILTERS,
    extra=(_ADDRESSES,),
    without=_WITHOUT,
    by_time=True,
    planned=PLANNED,
)


async def row_of(op: Op, id: UUID, columns: frozenset[str] | None = None) -> models.Contact:
    """Returns one contact with its addresses, as it is in the operation's transaction. Raises NotFound."""
    (row,) = await CONTACTS.by_ids(op.reads, [id], columns, *op.own(MINE), owner_id=op.viewer.id)
    if row is None:
        raise unknown()
    return row


def new_contacts(op: Op, rows: Sequence[ContactValues]) -> list[NewContact | BadRequest]:
    """Returns the rows of a request with their addresses in one spelling, and the error of each other one."""
    spelled = _Spelling(op)
    return [_new_contact(row, spelled) for row in rows]


def new_addresses(op: Op, addresses: Sequence[NewContactAddress]) -> list[Address]:
    """Returns addresses in their one spelling. Raises BadRequest."""
    return _Spelling(op).all(addresses)


def sent_values(patch: ContactPatch) -> dict[str, Any]:
    """Returns the values of a patch that were sent, also null."""
    return {name: getattr(patch, name) for name in patch.model_fields_set}


def unknown() -> NotFound:
    """Returns the error for a contact that is not there, or another owner's."""
    return NotFound("There is no contact with this id among yours. Check the id.", code="contact_not_found")


class _Spelling:
    """Gives addresses their one spelling. The rules of a channel are made once for a request."""

    def __init__(self, op: Op) -> None:
        self._region = op.services.settings.default_region
        self._guard = op.services.guard
        self._of: dict[ProjectChannel, Callable[[str], str]] = {}

    def all(self, addresses: Sequence[NewContactAddress]) -> list[Address]:
        return [self._spell(address) for address in addresses]

    def _spell(self, new: NewContactAddress) -> Address:
        if (spelled := self._of.get(new.channel)) is None:
            spelled = self._of[new.channel] = normaliser(new.channel, self._region, self._guard)
        try:
            text = spelled(new.address.strip())
        except AddressRefused as error:
            raise BadRequest(error.message, code="invalid_recipient") from error
        return Address(new.channel.value, text, new.primary, new.verified_at)


def _new_contact(row: ContactValues, spelled: _Spelling) -> NewContact | BadRequest:
    if row.external_id is None and not row.addresses:
        return BadRequest("Send externalId or at least one address.", code="missing_address")
    try:
        addresses = spelled.all(row.addresses or ())
    except BadRequest as error:
        return error
    return NewContact(row.external_id, row.name, row.locale, row.timezone, row.fields or {}, addresses)
