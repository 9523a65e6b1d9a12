"""Adds and changes contacts, a thousand in a few statements."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

import orjson

from core.errors import BadRequest, Conflict
from core.ids import uuid7
from engine.contacts.contact_events import parts_of, recording
from engine.contacts.field_values import FieldType, Types, guessed, is_key
from engine.contacts.locks import lock_identities
from engine.contacts.matching import Address, Applied, Contacts, NewContact, Person
from shapes.addresses import stored_key
from shapes.contact_fields import MOST_FIELDS, ContactFieldType

_TYPES = "SELECT key, type, pattern FROM contact_fields WHERE owner_id = $1"
_NEW_FIELDS = """
INSERT INTO contact_fields (id, owner_id, key, type)
SELECT n.id, $1, n.key, n.type FROM unnest($2::uuid[], $3::text[], $4::text[]) AS n (id, key, type) ORDER BY n.key
ON CONFLICT (owner_id, key) DO NOTHING
"""
# An erasure begins under the lock of the owner, so none begins before the caller's transaction ends.
_FIND = """
SELECT c.id, EXISTS (SELECT FROM erasures WHERE state = 'running' AND contact_id = c.id) AS is_being_erased,
  EXISTS (SELECT FROM opt_ins WHERE contact_id = c.id AND new_contact) AS is_added_by_form
FROM (
  SELECT id FROM contacts WHERE owner_id = $1 AND external_id = ANY($2)
  UNION SELECT a.contact_id FROM unnest($3::text[], $4::text[]) AS n (channel, key)
  JOIN contact_addresses AS a
    ON a.owner_id = $1 AND a.channel = n.channel AND COALESCE(a.address_key, a.address) = n.key
) AS c
"""
# Opt-ins are locked before contacts, as they are when they end. If they have ended, the contact is gone then.
_KEEP = "UPDATE opt_ins SET new_contact = false WHERE contact_id = ANY($1) AND new_contact"
# Locked in one order, so that two writers of the same rows do not wait crosswise.
_CONTACTS = """
SELECT id, external_id, name, locale, timezone, fields::text AS fields FROM contacts
WHERE id = ANY($1) ORDER BY id FOR UPDATE
"""
_ADDRESSES = """
SELECT id, contact_id, channel, address, "primary", verified_at FROM contact_addresses
WHERE contact_id = ANY($1) ORDER BY id
"""
_ROWS = """
WITH n AS MATERIALIZED (
  SELECT * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
    AS n (id, external_id, name, locale, timezone, fields, parts)
)"""
_INSERT = f"""{_ROWS}, events AS (
  {recording("contact.created", "$1::uuid")}
)
INSERT INTO contacts (id, owner_id, external_id, name, locale, timezone, fields)
SELECT n.id, $1, n.external_id, n.name, n.locale, n.timezone, n.fields::jsonb FROM n
"""  # noqa: S608  our own words
_UPDATE = f"""{_ROWS}, events AS (
  {recording("contact.changed", "$1::uuid")}
)
UPDATE contacts AS c SET external_id = n.external_id, name = n.name, locale = n.locale, timezone = n.timezone,
  fields = n.fields::jsonb, updated_at = now()
FROM n WHERE c.id = n.id AND c.owner_id = $1
"""  # noqa: S608  our own words
_INSERT_ADDRESSES = """
INSERT INTO contact_addresses (id, owner_id, contact_id, channel, address, address_key, "primary", verified_at)
SELECT n.id, $1, n.contact_id, n.channel, n.address, n.key, n.first, n.verified_at
FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bool[], $8::timestamptz[])
  AS n (id, contact_id, channel, address, key, first, verified_at)
"""
_UPDATE_ADDRESSES = """
UPDATE contact_addresses AS a SET "primary" = n.first, verified_at = n.verified_at
FROM unnest($1::uuid[], $2::bool[], $3::timestamptz[]) AS n (id, first, verified_at) WHERE a.id = n.id
"""


async def upsert(
    connection: Any,
    owner_id: UUID,
    rows: Sequence[NewContact],
    *,
    create_fields: bool = False,
    by_owner: bool = True,
) -> list[Applied]:
    """Adds or changes contacts of an owner, in the caller's transaction. Returns the result of each row.

    If the rows come from the owner (`by_owner`), a contact that a form has added stays from then on, even if it is
    never confirmed. Raises BadRequest (`too_many_fields`) if `create_fields` would lead to more than an owner may have.
    """
    keys = [address.key for row in rows for address in row.addresses]
    externals = [row.external_id for row in rows if row.external_id is not None]
    await lock_identities(connection, owner_id, [*externals, *("\n".join(key) for key in keys)])
    types = await field_types(connection, owner_id)
    if create_fields:
        types = await _with_new_fields(connection, owner_id, types, rows)
    matching = await connection.fetch(
        _FIND, owner_id, externals, [channel for channel, _ in keys], [key for _, key in keys]
    )
    added = [row["id"] for row in matching if row["is_added_by_form"]]
    if by_owner and added:
        await connection.execute(_KEEP, added)
    erased = {row["id"] for row in matching if row["is_being_erased"]}
    contacts = Contacts(await read(connection, [row["id"] for row in matching]), types, erased)
    applied = [_applied(contacts, row) for row in rows]
    await write(connection, owner_id, contacts.all.values())
    return applied


async def field_types(connection: Any, owner_id: UUID) -> Types:
    """Returns the fields of an owner by their keys."""
    rows = await connection.fetch(_TYPES, owner_id)
    return {row["key"]: FieldType(ContactFieldType(row["type"]), row["pattern"]) for row in rows}


async def read(connection: Any, ids: Sequence[UUID]) -> list[Person]:
    """Locks contacts, and returns them with their addresses."""
    contacts = {row["id"]: _stored(row) for row in await connection.fetch(_CONTACTS, ids)}
    for row in await connection.fetch(_ADDRESSES, [*contacts]):
        address = Address(row["channel"], row["address"], row["primary"], row["verified_at"], row["id"])
        contacts[row["contact_id"]].addresses[address.key] = address
    return [*contacts.values()]


def _stored(row: Any) -> Person:
    values = {name: row[name] for name in ("external_id", "name", "locale", "timezone")}
    values["fields"] = orjson.loads(row["fields"])
    return Person(row["id"], **values, new=False, stored=values)


async def write(connection: Any, owner_id: UUID, contacts: Iterable[Person]) -> None:
    """Writes those contacts and addresses that are new or have changed, and the events about them."""
    changed = [person for person in contacts if person.new or person.changed or person.touched]
    if new := [person for person in changed if person.new]:
        await connection.execute(_INSERT, owner_id, *_columns(new))
    # A contact has changed if one of its addresses has.
    if old := [person for person in changed if not person.new]:
        await connection.execute(_UPDATE, owner_id, *_columns(old))
    touched = [(person.id, person.addresses[key]) for person in changed for key in person.touched]
    if added := [(id, address) for id, address in touched if address.id is None]:
        await connection.execute(
            _INSERT_ADDRESSES,
            owner_id,
            sorted(uuid7() for _ in added),  # those of one millisecond would have any order
            [id for id, _ in added],
            [address.channel for _, address in added],
            [address.address for _, address in added],
            [stored_key(address.address) for _, address in added],
            [bool(address.primary) for _, address in added],
            [address.verified_at for _, address in added],
        )
    if moved := [address for _, address in touched if address.id is not None]:
        await connection.execute(
            _UPDATE_ADDRESSES,
            [address.id for address in moved],
            [bool(address.primary) for address in moved],
            [address.verified_at for address in moved],
        )


def _applied(contacts: Contacts, row: NewContact) -> Applied:
    try:
        return Applied(contacts.apply(row))
    except (BadRequest, Conflict) as error:
        return Applied(error=error)


def _columns(contacts: Sequence[Person]) -> list[list[Any]]:
    return [
        [person.id for person in contacts],
        [person.external_id for person in contacts],
        [person.name for person in contacts],
        [person.locale for person in contacts],
        [person.timezone for person in contacts],
        [orjson.dumps(person.fields).decode() for person in contacts],
        [parts_of(person) for person in contacts],
    ]


async def _with_new_fields(
    connection: Any, owner_id: UUID, types: Types, rows: Sequence[NewContact]
) -> Types:
    """Adds the fields that the rows have and the owner does not. Raises BadRequest (`too_many_fields`)."""
    new: dict[str, FieldType] = {}
    for row in rows:
        for key, value in row.fields.items():
            if key not in types and key not in new and is_key(key) and (of := guessed(value)) is not None:
                new[key] = of
    return await add_fields(connection, owner_id, types, new)


async def add_fields(connection: Any, owner_id: UUID, types: Types, new: Mapping[str, FieldType]) -> Types:
    """Adds fields of an owner, and returns all that there are then. Raises BadRequest (`too_many_fields`)."""
    new = {key: of for key, of in new.items() if key not in types}
    if not new:
        return types
    if len(types) + len(new) > MOST_FIELDS:
        raise too_many_fields()
    await connection.execute(
        _NEW_FIELDS, owner_id, [uuid7() for _ in new], [*new], [of.type.value for of in new.values()]
    )
    # Another request may have added one of them meanwhile, with another type.
    return await field_types(connection, owner_id)


def too_many_fields() -> BadRequest:
    """Returns the error for an owner with too many fields."""
    return BadRequest(f"You may have at most {MOST_FIELDS} fields. Delete one.", code="too_many_fields")
