"""Finds out the names by which a person is known: the addresses of the contact, threads of chats, the external id."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from core.ids import uuid7
from db.address_keys import key_of
from engine.address_hashes import AddressHasher
from engine.blocks import ERASED
from engine.persons.registry import Person
from shapes.addresses import address_key, stored_key

_CONTACT = """
SELECT a.contact_id FROM contact_addresses AS a
WHERE a.owner_id = $1 AND a.channel = $2 AND COALESCE(a.address_key, a.address) = $3
"""
_MARKS = """
SELECT 'address' AS kind, address FROM contact_addresses WHERE contact_id = $1
UNION SELECT 'address', address FROM opt_ins WHERE contact_id = $1
UNION SELECT 'other', external_id FROM contacts WHERE id = $1 AND external_id IS NOT NULL
"""
# An email, a phone with its country, a user name, a token of push, or the id of a chat of WhatsApp.
_TELLING = re.compile(r".@.|^\+\d{6}|^@\w{4}|^.{24}", re.DOTALL)
_THREADS = """
SELECT c.thread FROM messenger_accounts AS a JOIN messenger_chats AS c ON c.account_id = a.id
WHERE a.owner_id = $1 AND c.kind = 'user' AND (c.phone = ANY($2) OR c.user_id = ANY($2)
  OR lower(c.username) = ANY($3) AND NOT postern_name_is_shared($1, lower(c.username)))
"""
# The owner's list had these addresses beside that of the person, and a project that follows another one used them.
# A number that another contact has, or that has got another message, belongs to others, too.
_FOLLOWED_BY = f"""
WITH RECURSIVE written (id, project_id, address) AS (
  SELECT m.id, m.project_id, m."to" FROM message_records AS m
  WHERE m.owner_id = $1 AND {key_of('m."to"')} = ANY($2)
  UNION
  SELECT n.id, f.id, r.address FROM written AS w JOIN sending_projects AS f ON f.follows_uuid = w.project_id
  JOIN recipients AS r ON r.project_id = f.id AND r.follows_message_id = w.id
  LEFT JOIN message_records AS n ON n.owner_id = $1 AND n.project_id = f.id
    AND {key_of('n."to"')} = {key_of("r.address")}
)
SELECT DISTINCT w.address FROM written AS w WHERE w.address <> '{ERASED}'
  AND NOT EXISTS (SELECT FROM contact_addresses AS a WHERE a.owner_id = $1 AND {key_of("a.address")} = w.address
    AND a.contact_id IS DISTINCT FROM $3)
  AND NOT EXISTS (SELECT FROM message_records AS o WHERE o.owner_id = $1 AND {key_of('o."to"')} = w.address
    AND o.project_id NOT IN (SELECT project_id FROM written))
  AND NOT EXISTS (SELECT FROM messages AS o WHERE o.owner_id = $1 AND {key_of('o."to"')} = w.address)
"""  # noqa: S608  our own expressions
_OTHER_IDS = "SELECT DISTINCT p.address FROM unnest($2::text[]) AS k, postern_person_ids($1, k) AS p"


@dataclass(frozen=True, slots=True)
class PersonalDatum:
    """One thing by which a person is known."""

    kind: str
    address: str


async def contact_of(db: Any, owner_id: UUID, channel: str, address: str) -> UUID | None:
    """Returns the contact that has an address, or None."""
    contact: UUID | None = await db.fetchval(_CONTACT, owner_id, channel, address_key(address))
    return contact


async def marks_of(
    db: Any, owner_id: UUID, contact_id: UUID | None, address: str | None
) -> list[PersonalDatum]:
    """Returns the names by which a person is known: the named address, those of the contact, the other ids by
    which a messenger names the same person, and the chats.
    """
    marks = [] if address is None else [PersonalDatum("address", address)]
    if contact_id is not None:
        marks += [PersonalDatum(row["kind"], row["address"]) for row in await db.fetch(_MARKS, contact_id)]
    keys = [address_key(each.address) for each in marks if each.kind == "address"]
    others = await db.fetch(_OTHER_IDS, owner_id, keys)
    marks += [PersonalDatum("address", row["address"]) for row in others]
    keys = [*{*keys, *(row["address"] for row in others)}]
    followed_by = await db.fetch(_FOLLOWED_BY, owner_id, keys, contact_id)
    marks += [PersonalDatum("address", row["address"]) for row in followed_by]
    addresses = [each.address for each in marks if each.kind == "address"]
    names = [address[1:].lower() for address in addresses if address.startswith("@")]
    threads = await db.fetch(_THREADS, owner_id, addresses, names)
    return [*dict.fromkeys([*marks, *(PersonalDatum("thread", row["thread"]) for row in threads)])]


def person_of(
    owner_id: UUID, contact_id: UUID | None, every: Iterable[PersonalDatum], hashes: Iterable[str | None]
) -> Person:
    """Returns a person as the registry finds the rows. `hashes` are those of the addresses; None is left out.

    In JSON only texts are looked for that can be nothing else: an external id or a numeric id of a messenger may be the
    age of another person, or the name of a column.
    """
    keys, quoted = list[str](), list[str]()
    for each in every:
        spellings = [each.address, address_key(each.address)] if each.kind == "address" else [each.address]
        if each.kind != "other":
            keys += spellings
            quoted += [text for text in spellings if _TELLING.search(text)]
    texts = [*dict.fromkeys(quoted)]
    if contact_id is not None:
        quoted.append(str(contact_id))
    patterns = [f"%{_escaped(orjson.dumps(text).decode())}%" for text in dict.fromkeys(quoted)]
    present = [hash for hash in dict.fromkeys(hashes) if hash is not None]
    return Person(owner_id, contact_id, [*dict.fromkeys(keys)], patterns, present, texts)


def rows_of(
    erasure: UUID, owner_id: UUID, every: Iterable[PersonalDatum], hasher: AddressHasher
) -> list[Any]:
    """Returns the rows of `erasure_addresses`."""
    return [
        (
            uuid7(), erasure, owner_id, each.kind, each.address,
            stored_key(each.address) if each.kind == "address" else None,
            hasher.hash(each.address) if each.kind == "address" else None,
        )
        for each in every
    ]  # fmt: skip


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
