"""Contacts: people with several addresses, found by an id of the owner's own system or by an address.

`contact_filters` has the conditions of the list, `contact_rows` its rows, `contact_fields` the fields that an owner's
contacts have. `engine/contacts` applies what requests and imports say.
"""

import asyncio
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from core.errors import BadRequest, Conflict
from db import models
from db.lists import Conditions, CursorPage, PageArgs
from engine.consent import changes
from engine.contacts import upsert as rows
from engine.contacts.contact_events import record_deleted
from engine.contacts.field_values import merged
from engine.contacts.locks import lock_owner
from engine.contacts.matching import (
    Address,
    Applied,
    NewContact,
    Person,
    address_taken,
    being_erased,
    counts,
    put,
    too_many_addresses,
)
from engine.persons import former_contacts
from resolvers.contacts import contact_rows
from resolvers.contacts.contact_filters import asked, owner_of
from resolvers.contacts.contact_rows import CONTACTS, MINE, row_of, unknown
from runtime.idempotency import stored_columns, stored_shape
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.contacts import (
    MOST_ADDRESSES,
    ContactPatch,
    InvalidContact,
    MergeContact,
    UpsertContact,
    UpsertContacts,
    UpsertedContacts,
)

_OWNER = "SELECT owner_id FROM contacts WHERE id = $1 AND ($2 OR owner_id = $3)"
_TAKEN = """
SELECT a.contact_id, a.address FROM unnest($2::text[], $3::text[]) AS n (channel, key)
JOIN contact_addresses AS a ON a.owner_id = $1 AND a.channel = n.channel AND COALESCE(a.address_key, a.address) = n.key
WHERE a.contact_id <> $4 LIMIT 1
"""
_EXTERNAL = "SELECT id FROM contacts WHERE owner_id = $1 AND external_id = $2 AND id <> $3"
_REMOVE = "DELETE FROM contact_addresses WHERE id = ANY($1)"
_MOVE = 'UPDATE contact_addresses SET contact_id = $2, "primary" = false WHERE contact_id = $1'
_FIRST = """
UPDATE contact_addresses AS a SET "primary" = true WHERE a.contact_id = $1 AND NOT EXISTS (
  SELECT FROM contact_addresses AS o WHERE o.contact_id = $1 AND o.channel = a.channel AND (o.primary OR o.id < a.id)
)
"""
_MERGED = "SELECT EXISTS (SELECT FROM contact_merges WHERE id = $1 AND contact_id = $2)"
_EARLIER = "UPDATE contact_merges SET contact_id = $2 WHERE contact_id = $1"
_NOTE = "INSERT INTO contact_merges (id, contact_id) VALUES ($1, $2)"
_BEING_ERASED = "SELECT EXISTS (SELECT FROM erasures WHERE state = 'running' AND contact_id = ANY($1))"
_DELETE = "DELETE FROM contacts WHERE id = $1"
_FEW = 100  # contacts of a request that are read at once


@operation(Permission.contacts_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Contact]:
    """Lists your contacts, newest first; administrators may name another owner. Raises BadRequest, ValidationFailed,
    Forbidden.
    """
    owner, where = owner_of(op, where)
    types = await rows.field_types(op.db, owner) if ("fields", "match") in where else {}
    conditions, values = asked(op, where, types)
    return await CONTACTS.page(op.db, page_args, conditions, MINE, owner_id=owner, **values)


@operation(Permission.contacts_read, "read")
async def get(op: Op, id: UUID) -> models.Contact:
    """Returns one contact. Raises NotFound."""
    return await row_of(op, id)


@operation(Permission.contacts_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.Contact | None]:
    """Returns contacts by id. An id that the caller may not see gives None."""
    return await CONTACTS.by_ids(op.db, ids, column_names, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.contacts_write, "sql", idempotent=stored_columns(contact_rows.ANSWER))
async def upsert(op: Op, input: UpsertContact) -> models.Contact:
    """Adds a contact, or changes the one with this external id, else with one of these addresses. What is not sent
    stays, fields are merged key by key, and addresses are added. Raises BadRequest, and Conflict (`address_taken`).
    """
    (new,) = contact_rows.new_contacts(op, [input])
    if isinstance(new, BadRequest):
        raise new
    (applied,) = await rows.upsert(op.connection, op.viewer.id, [new], create_fields=input.create_fields)
    if applied.person is None:
        assert applied.error is not None
        raise applied.error
    return await row_of(op, applied.person.id)


async def _spelled(op: Op, input: UpsertContacts) -> list[NewContact | BadRequest]:
    """Returns the contacts as the engine takes them. Many are made in a thread: 1,000 take 20 ms."""
    if len(input.contacts) <= _FEW:
        return contact_rows.new_contacts(op, input.contacts)
    return await asyncio.to_thread(contact_rows.new_contacts, op, input.contacts)


@operation(Permission.contacts_write, "sql", idempotent=stored_shape(UpsertedContacts), before=_spelled)
async def upsert_many(op: Op, input: UpsertContacts) -> UpsertedContacts:
    """Adds or changes up to 1,000 contacts. Those that are not valid are left out and listed.

    It does what `upsert` does for each of them.
    """
    new: list[NewContact | BadRequest] = op.prepared
    good = [row for row in new if not isinstance(row, BadRequest)]
    applied = iter(await rows.upsert(op.connection, op.viewer.id, good, create_fields=input.create_fields))
    every = [Applied(error=row) if isinstance(row, BadRequest) else next(applied) for row in new]
    created, changed, unchanged = counts(every)
    return UpsertedContacts(
        created=created,
        changed=changed,
        unchanged=unchanged,
        uuids=[each.person.id for each in every if each.person is not None],
        invalid=[_invalid(position, each.error) for position, each in enumerate(every, 1) if each.error],
    )


@operation(Permission.contacts_write, "sql")
async def update(op: Op, id: UUID, input: ContactPatch) -> models.Contact:
    """Changes a contact. Addresses, if they are sent, replace those that it has. Raises NotFound, BadRequest, and
    Conflict (`address_taken`, `external_id_taken`, `being_erased`).
    """
    db = op.connection
    owner, person = await _locked(op, id)
    await _refuse_erased(op, id)
    values = contact_rows.sent_values(input)
    if (external := values.get("external_id")) is not None:
        other = await db.fetchval(_EXTERNAL, owner, external, id)
        if other is not None:
            raise _external_id_taken(other)
    for name in ("external_id", "locale", "timezone"):
        if name in values:
            setattr(person, name, values[name])
    if "name" in values:
        person.name = values["name"] or ""
    if values.get("fields"):
        person.fields = merged(person.fields, values["fields"], await rows.field_types(db, owner))
    person.changed = True
    if values.get("addresses") is not None:
        await _replace_addresses(op, owner, person, contact_rows.new_addresses(op, values["addresses"]))
    await rows.write(db, owner, [person])
    return await row_of(op, id)


@operation(Permission.contacts_write, "sql")
async def merge(op: Op, id: UUID, input: MergeContact) -> models.Contact:
    """Moves the addresses and fields of another contact to this one, and deletes the other. What this one has stays.
    Repeating it is not an error. Raises NotFound, BadRequest, and Conflict (`being_erased`).
    """
    db, other_id = op.connection, input.other_uuid
    if other_id == id:
        raise BadRequest("A contact can't be merged with itself. Send the uuid of another one.")
    owner, person = await _locked(op, id)
    await _refuse_erased(op, id, other_id)
    other = next(iter(await rows.read(db, [other_id] if await _owner(op, other_id) == owner else [])), None)
    if other is None:
        if await db.fetchval(_MERGED, other_id, id):
            return await row_of(op, id)
        raise unknown()
    if len(person.addresses) + len(other.addresses) > MOST_ADDRESSES:
        raise too_many_addresses()
    await db.execute(_MOVE, other_id, id)
    await db.execute(_FIRST, id)
    await db.execute(_EARLIER, other_id, id)
    await changes.merge(db, owner, other_id, id, op.viewer.actor_id)
    await db.execute(_DELETE, other_id)
    await db.execute(_NOTE, other_id, id)
    person.moved = bool(other.addresses)
    await record_deleted(db, owner, other, into=id)
    for name in ("external_id", "name", "locale", "timezone"):
        setattr(person, name, getattr(person, name) or getattr(other, name))
    person.fields = merged({**other.fields, **person.fields}, {}, {})
    person.changed = True
    await rows.write(db, owner, [person])
    return await row_of(op, id)


@operation(Permission.contacts_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a contact with its addresses. Messages that were sent to it stay. Raises NotFound, Unavailable."""
    owner, person = await _locked(op, id)
    await former_contacts.remember(
        op.services, op.connection, owner, [(id, [address.address for address in person.addresses.values()])]
    )
    await op.connection.execute(_DELETE, id)
    await record_deleted(op.connection, owner, person)


async def _owner(op: Op, id: UUID) -> UUID | None:
    owner: UUID | None = await op.connection.fetchval(_OWNER, id, op.viewer.admin, op.viewer.id)
    return owner


async def _locked(op: Op, id: UUID) -> tuple[UUID, Person]:
    """Returns the owner of a contact, and the contact, while no other transaction changes contacts of that owner.

    Raises NotFound.
    """
    owner = await _owner(op, id)
    if owner is None:
        raise unknown()
    await lock_owner(op.connection, owner)
    contacts = await rows.read(op.connection, [id])
    if not contacts:
        raise unknown()
    return owner, contacts[0]


async def _refuse_erased(op: Op, *ids: UUID) -> None:
    """Refuses to change contacts that are being erased: what is added or moved now would stay. Raises Conflict."""
    if await op.connection.fetchval(_BEING_ERASED, ids):
        raise being_erased()


async def _replace_addresses(op: Op, owner: UUID, person: Person, new: list[Address]) -> None:
    """Gives a contact these addresses and no others. Raises Conflict."""
    keys = [address.key for address in new]
    taken: Any = await op.connection.fetchrow(
        _TAKEN, owner, [channel for channel, _ in keys], [key for _, key in keys], person.id
    )
    if taken is not None:
        raise address_taken(taken["address"], taken["contact_id"])
    gone = [person.addresses.pop(key) for key in {*person.addresses} - {*keys}]
    person.moved = bool(gone)
    await op.connection.execute(_REMOVE, [address.id for address in gone])
    for address in new:
        put(person, address)
    for channel in {address.channel for address in new}:
        of_channel = [address for address in person.addresses.values() if address.channel == channel]
        if not any(address.primary for address in of_channel):
            of_channel[0].primary = True
            person.touched[of_channel[0].key] = None


def _external_id_taken(contact_id: UUID) -> Conflict:
    return Conflict(
        f"The contact {contact_id} has this external id. Change that contact, or merge the two.",
        code="external_id_taken",
        details={"contactUuid": str(contact_id)},
    )


def _invalid(position: int, error: BadRequest | Conflict) -> InvalidContact:
    other = error.details.get("contactUuid")
    return InvalidContact(
        place=position, code=error.code, message=error.message, contact_uuid=UUID(other) if other else None
    )
