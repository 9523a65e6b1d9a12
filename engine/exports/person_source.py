"""Reads everything that is stored of a person, by the registry of erasures: so an erasure erases the same rows."""

from typing import Any
from uuid import UUID

import orjson

from db.session import Database
from engine.exports.port import PAGE, Asked, Column, Pages, Source, all_of
from engine.persons.finding import contact_of, marks_of, person_of
from engine.persons.registry import ALL, Person
from engine.persons.rights import unread
from runtime.permissions import Permission

LEFT_OUT = "leftOut"
"""The `table` of the line that names the tables which are left out."""

_COLUMNS = (
    Column("table", "Table", "contacts"),
    Column("row", "Row, as it is stored", '{"name": "Ann"}'),
)


async def _person(db: Database, asked: Asked) -> Person | None:
    filters = asked.filters
    owner = asked.owner or (UUID(filters["ownerUuid"]) if filters.get("ownerUuid") else None)
    if owner is None:
        return None
    contact = UUID(filters["contactUuid"]) if filters.get("contactUuid") else None
    if contact is None and filters.get("address"):
        contact = await contact_of(db, owner, filters.get("channel") or "", filters["address"])
    elif contact is not None and not await db.fetchval(
        "SELECT EXISTS (SELECT FROM contacts WHERE id = $1 AND owner_id = $2)", contact, owner
    ):
        return None
    every = await marks_of(db, owner, contact, filters.get("address"))
    addresses = [each.address for each in every if each.kind == "address"]
    return person_of(owner, contact, every, asked.hasher.hashes(addresses) if asked.hasher else ())


async def _pages(db: Database, asked: Asked) -> Pages:
    """Yields the rows table by table. A person has few of them in each, so a table is read at once.

    Tables that the caller may not read are left out; the first line names them, with the permissions that they need.
    """
    person = await _person(db, asked)
    if person is None:
        return
    left_out = unread(asked.rights) if asked.rights is not None else {}
    if left_out:
        yield [{"table": LEFT_OUT, "row": left_out}]
    for rows in (each for each in ALL if each.exported and each.table not in left_out):
        stored: list[Any] = await db.fetch(rows.selection, *person.arguments)
        for start in range(0, len(stored), PAGE):
            yield [
                {"table": rows.table, "row": orjson.loads(row["row"])} for row in stored[start : start + PAGE]
            ]


async def _total(db: Database, asked: Asked) -> int:
    return 0


PERSON = Source(_COLUMNS, _pages, _total, all_of(_COLUMNS), Permission.contacts_read)
