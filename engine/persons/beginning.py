"""Begins the erasure of a person, in the transaction of the caller."""

from typing import Any, Final
from uuid import UUID

import orjson

from core.errors import Conflict, Unavailable
from core.ids import uuid7
from db import models
from db.query import returning
from engine.address_hashes import AddressHasher, address_hasher
from engine.jobs import JobName, enqueue
from engine.persons.finding import marks_of, rows_of
from engine.persons.untouched import NOT_ERASED
from runtime.services import Services
from shapes.persons import NotErased

_ROW: Final = f"SELECT {returning(models.Erasure, 'e')} FROM erasures AS e"  # noqa: S608  our own column names
# Of those that share an address, the one of the same person comes first: the same contact, or the same named address.
_RUNNING = f"""
SELECT {returning(models.Erasure, "e")},
  COALESCE(e.contact_id = $3 OR $3 IS NULL AND e.address_hash = $4, false) AS is_same
FROM erasures AS e WHERE e.state = 'running' AND e.owner_id = $1 AND e.id IN (
  SELECT erasure_id FROM erasure_addresses WHERE owner_id = $1 AND address_hash = ANY($2)
  UNION SELECT id FROM erasures WHERE state = 'running' AND contact_id = $3)
ORDER BY is_same DESC LIMIT 1
"""  # noqa: S608  our own column names
_ADD = """
INSERT INTO erasures (id, owner_id, contact_id, address_hash, requested_by, not_erased)
VALUES ($1, $2, $3, $4, $5, $6::text::jsonb)
"""
_ADD_ADDRESSES = """
INSERT INTO erasure_addresses (id, erasure_id, owner_id, kind, address, address_key, address_hash)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[])
"""


# The installation's sinks have the events of all users.
_SINKS = """
SELECT s.name FROM event_sink_cursors AS c JOIN event_sinks AS s ON s.id = c.sink_id
WHERE c.owner_id = $1 AND c.published > 0 ORDER BY s.id LIMIT 20
"""


async def open_hasher(services: Services) -> AddressHasher:
    """Returns the hasher of this installation. Raises Unavailable (`address_hashes_sealed`)."""
    hasher = await address_hasher(services)
    if not hasher.is_open:
        raise Unavailable(
            "The key of address hashes can't be opened, so that nobody can be erased. Ask the operator to set"
            " POSTERN_SECRET_KEY_OLD.",
            code="address_hashes_sealed",
        )
    return hasher


async def begin(
    db: Any,
    hasher: AddressHasher,
    owner: UUID,
    contact: UUID | None,
    address: str | None,
    requested_by: UUID | None,
) -> models.Erasure:
    """Begins an erasure, or returns the one of the same person that runs. `requested_by` None: the person asks.

    The caller has locked the owner's contacts (`engine/contacts/locks.py`), so that the contact can't be merged, nor
    its addresses moved. Raises Conflict (`erasure_running`).
    """
    every = await marks_of(db, owner, contact, address)
    id = uuid7()
    rows = rows_of(id, owner, every, hasher)
    hashes = [row[-1] for row in rows if row[-1] is not None]
    address_hash = None if address is None else hasher.hash(address)
    if (running := await db.fetchrow(_RUNNING, owner, hashes, contact, address_hash)) is not None:
        values = dict(running)
        if not values.pop("is_same"):
            raise Conflict(
                f"The erasure {running['id']} of another person with one of these addresses runs. Wait until it is"
                " done, then ask again.",
                code="erasure_running",
                details={"erasureUuid": str(running["id"])},
            )
        return models.Erasure(**values)
    reasons = [*NOT_ERASED, *await _sinks(db, owner)]
    not_erased = orjson.dumps([each.model_dump() for each in reasons]).decode()
    await db.execute(_ADD, id, owner, contact, address_hash, requested_by, not_erased)
    if rows:
        await db.execute(_ADD_ADDRESSES, *map(list, zip(*rows, strict=True)))
    await enqueue(db, JobName.erase_person, id)
    return models.Erasure(**dict(await db.fetchrow(f"{_ROW} WHERE e.id = $1", id)))


async def _sinks(db: Any, owner: UUID) -> list[NotErased]:
    """Returns the remark on sinks that have published events of the owner's."""
    names = [row["name"] for row in await db.fetch(_SINKS, owner)]
    if not names:
        return []
    sinks = ", ".join(names)
    return [
        NotErased(
            kind="eventSinks",
            reason=f"The brokers behind these event sinks have stored events, which may be about the person: {sinks}."
            " Erase them there, and in what reads from there.",
        )
    ]
