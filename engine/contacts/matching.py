"""Finds whose row each new row is, and applies it in memory.

A row is that of the contact with its external id, else of the contact with one of its addresses. Values that it does
not name stay; its fields are merged key by key, and its addresses are added. An address never moves to another contact
by this: such a row is refused. `upsert.py` reads the contacts, and writes those that have changed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from core.errors import BadRequest, Conflict
from core.ids import uuid7
from engine.contacts.field_values import Types, merged
from shapes.addresses import address_key
from shapes.contacts import MOST_ADDRESSES

_PARTS = {
    "external_id": "externalId",
    "name": "name",
    "locale": "locale",
    "timezone": "timezone",
    "fields": "fields",
}
_EMPTY: dict[str, Any] = {"external_id": None, "name": "", "locale": None, "timezone": None, "fields": {}}
Key = tuple[str, str]  # channel, and the key of the address


@dataclass(slots=True)
class Address:
    """An address of a contact. `id` is None for a new one."""

    channel: str
    address: str
    primary: bool | None = None  # of a new one, None: only if it is the first of its channel
    verified_at: datetime | None = None
    id: UUID | None = None

    @property
    def key(self) -> Key:
        return self.channel, address_key(self.address)


@dataclass(frozen=True, slots=True)
class NewContact:
    """A row that adds or changes a contact; None leaves a value as it is."""

    external_id: str | None = None
    name: str | None = None
    locale: str | None = None
    timezone: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    addresses: Sequence[Address] = ()


@dataclass(slots=True)
class Person:
    """A contact with its addresses, as it is stored, or as it will be."""

    id: UUID
    external_id: str | None = None
    name: str = ""
    locale: str | None = None
    timezone: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    addresses: dict[Key, Address] = field(default_factory=dict)
    new: bool = True
    changed: bool = False
    touched: dict[Key, None] = field(default_factory=dict)  # addresses that are new or have changed, in order
    stored: dict[str, Any] = field(default_factory=dict)  # the values as they are stored
    moved: bool = False  # addresses were removed, or came from another contact

    def parts(self) -> list[str]:
        """Returns the names of the parts that have changed; of a new contact those that it has."""
        parts = [
            part
            for name, part in _PARTS.items()
            if getattr(self, name) != self.stored.get(name, _EMPTY[name])
        ]
        return [*parts, "addresses"] if self.touched or self.moved else parts


@dataclass(slots=True)
class Applied:
    """The contact of a row, or the reason why it was left out."""

    person: Person | None = None
    error: BadRequest | Conflict | None = None


def counts(applied: Iterable[Applied]) -> tuple[int, int, int]:
    """Returns how many contacts rows have added and changed, and how many rows have changed nothing."""
    valid = [each.person for each in applied if each.person is not None]
    contacts = {person.id: person for person in valid}.values()
    created = sum(person.new for person in contacts)
    changed = sum(person.changed or bool(person.touched) for person in contacts if not person.new)
    return created, changed, len(valid) - created - changed


class Contacts:
    """The contacts that a request is about, by their external ids and addresses."""

    def __init__(self, contacts: Iterable[Person], types: Types, being_erased: Collection[UUID] = ()) -> None:
        self.types = types
        self.being_erased = being_erased
        self.all: dict[UUID, Person] = {}
        self._by_external: dict[str, Person] = {}
        self._by_key: dict[Key, Person] = {}
        for person in contacts:
            self.all[person.id] = person
            self._index(person)

    def apply(self, row: NewContact) -> Person:
        """Adds or changes the contact of a row. Raises BadRequest, and Conflict (`address_taken`, `being_erased`).

        A row that is refused changes nothing.
        """
        person = self._of(row)
        if person is not None and person.id in self.being_erased:
            raise being_erased()
        values = {
            name: value
            for name in ("external_id", "name", "locale", "timezone")
            if (value := getattr(row, name)) is not None
            and (person is None or value != getattr(person, name))
        }
        fields = merged(person.fields if person else {}, row.fields, self.types)
        count = len({address.key for address in row.addresses} | {*(person.addresses if person else ())})
        if count > MOST_ADDRESSES:
            raise too_many_addresses()
        if person is None:
            person = Person(uuid7())
            self.all[person.id] = person
        if values or fields != person.fields:
            person.changed = True
        for name, value in values.items():
            setattr(person, name, value)
        person.fields = fields
        for address in row.addresses:
            put(person, address)
        self._index(person)
        return person

    def _of(self, row: NewContact) -> Person | None:
        """Returns the contact of a row; None: it is a new one. Raises Conflict."""
        person = self._by_external.get(row.external_id) if row.external_id is not None else None
        for address in row.addresses:
            other = self._by_key.get(address.key)
            if other is None or other is person:
                continue
            if person is not None or (
                row.external_id is not None and other.external_id not in (None, row.external_id)
            ):
                raise address_taken(address.address, other.id)
            person = other
        return person

    def _index(self, person: Person) -> None:
        if person.external_id is not None:
            self._by_external[person.external_id] = person
        for key in person.addresses:
            self._by_key[key] = person


def put(person: Person, new: Address) -> None:
    """Adds an address to a contact, or changes it. There is one first choice for each channel."""
    of_channel = [other for other in person.addresses.values() if other.channel == new.channel]
    stored = person.addresses.get(new.key)
    if stored is None:
        made = Address(new.channel, new.address, not of_channel or bool(new.primary), new.verified_at)
        person.addresses[new.key] = made
        person.touched[new.key] = None
    else:
        made = stored
        if new.verified_at is not None and stored.verified_at is None:
            stored.verified_at = new.verified_at
            person.touched[new.key] = None
        if new.primary and not stored.primary:
            stored.primary = True
            person.touched[new.key] = None
    if made.primary:
        for other in of_channel:
            if other is not made and other.primary:
                other.primary = False
                person.touched[other.key] = None


def address_taken(address: str, contact_id: UUID) -> Conflict:
    """Returns the error for an address that another contact of the same owner has."""
    return Conflict(
        f"The contact {contact_id} has the address {address[:100]!r}. Change that contact, or merge the two.",
        code="address_taken",
        details={"contactUuid": str(contact_id)},
    )


def being_erased() -> Conflict:
    """Returns the error for a contact that is being erased: rows that are added or moved now would stay."""
    return Conflict(
        "The contact is being erased. Wait until it is gone; then add the person anew, if it is another one.",
        code="being_erased",
    )


def too_many_addresses() -> BadRequest:
    """Returns the error for a contact with too many addresses."""
    return BadRequest(
        f"A contact may have at most {MOST_ADDRESSES} addresses. Remove one.", code="too_many_addresses"
    )
