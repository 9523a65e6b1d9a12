"""Filters of contacts. Conditions on fields are compiled once for each place of a condition and each comparison."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import text

from core.errors import BadRequest, Forbidden
from db.lists import Conditions
from db.lists.filters import Filters
from engine.contacts.conditions import OF_CONTACTS, of_slot, on_field
from engine.contacts.field_values import Types
from resolvers.recipient_addresses import by_key
from runtime.operation import Op
from shapes.contacts import MOST_CONDITIONS, ContactFieldCondition

_OF_ADDRESSES = (
    "contacts.id = ANY(ARRAY(SELECT contact_id FROM contact_addresses WHERE owner_id = :owner_id AND {}))"
)
_KEY = "COALESCE(address_key, address)"
_SLOTS = [f"field{index}" for index in range(MOST_CONDITIONS)]

FILTERS: Filters = {
    ("address", "eq"): text(_OF_ADDRESSES.format(f"{_KEY} = :address_eq_")),
    ("address", "in_"): text(_OF_ADDRESSES.format(f"{_KEY} = ANY(CAST(:address_in__ AS text[]))")),
    **{name: text(sql) for name, sql in OF_CONTACTS.items()},
    **{name: text(sql) for slot in _SLOTS for name, sql in of_slot(slot).items()},
}
PLANNED = ("name", "address", "channel", "locale", *_SLOTS)


def owner_of(op: Op, where: Conditions) -> tuple[UUID, Conditions]:
    """Returns whose contacts are asked for, and the other conditions. Raises BadRequest, Forbidden."""
    rest = {name: value for name, value in where.items() if name[0] != "owner_id"}
    owner_ids = {
        owner
        for (name, _), value in where.items()
        if name == "owner_id"
        for owner in (value if isinstance(value, list) else [value])
    }
    if not owner_ids or owner_ids == {op.viewer.id}:
        return op.viewer.id, rest
    if not op.viewer.admin:
        raise Forbidden("Only administrators see the contacts of another owner. Leave ownerId out.")
    if len(owner_ids) > 1:
        raise BadRequest("Name one owner: contacts are listed for one at a time.", code="one_owner")
    return owner_ids.pop(), rest


def asked(op: Op, where: Conditions, types: Types) -> tuple[Conditions, dict[str, Any]]:
    """Returns the conditions as the list knows them, and the further values of their parameters.

    Raises BadRequest (`unknown_field`, `bad_field`), ValidationFailed.
    """
    where = by_key(where, "address", op)
    fields: Sequence[ContactFieldCondition] = where.get(("fields", "match"), ())
    conditions = {name: value for name, value in where.items() if name != ("fields", "match")}
    values: dict[str, Any] = {}
    for slot, condition in zip(_SLOTS, fields, strict=False):
        of_field, further = on_field(slot, condition, types, time_of(op))
        conditions |= of_field
        values |= further
    return conditions, values


def time_of(op: Op) -> datetime:
    """Returns the time by which today is told."""
    return op.services.db.now()
