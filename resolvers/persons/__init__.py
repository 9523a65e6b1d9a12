"""People: their erasure, and the export of what is stored of one. `engine/persons` does the work."""

from typing import Any
from uuid import UUID

import orjson

from core.errors import BadRequest, Conflict, NotFound, Unavailable
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p, returning
from engine.address_hashes import address_hasher
from engine.contacts.locks import lock_owner
from engine.jobs import JobName, enqueue
from engine.persons.finding import contact_of, marks_of, rows_of
from engine.persons.untouched import NOT_ERASED
from resolvers import exports
from resolvers.contacts.contact_rows import new_addresses, unknown
from runtime.idempotency import stored_model
from runtime.operation import Op, operation, require
from runtime.permissions import Permission
from shapes.contacts import NewContactAddress
from shapes.exports import ExportFormat, ExportSource, StartExport
from shapes.persons import ErasePerson, ExportPerson, PersonReference

_ERASURE = models.Erasure
_LISTS = Listing(_ERASURE, without=("step", "round", "began_xid", "file_ids"))
_MINE = _ERASURE.owner_id == p("owner_id")
_OWNER = "SELECT owner_id FROM contacts WHERE id = $1 AND ($2 OR owner_id = $3)"
_ROW = f"SELECT {returning(_ERASURE, 'e')} FROM erasures AS e"  # noqa: S608  our own column names
# Of those that share an address, the one of the same person comes first: the same contact, or the same named address.
_RUNNING = f"""
SELECT {returning(_ERASURE, "e")}, COALESCE(e.contact_id = $3 OR $3 IS NULL AND e.address_hash = $4, false) AS is_same
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


@operation(Permission.contacts_write, "sql", idempotent=stored_model(models.Erasure))
async def erase(op: Op, input: ErasePerson) -> models.Erasure:
    """Begins the erasure of a person; from then on nothing is sent to the person's addresses.

    While one runs, asking again returns it. Raises NotFound, BadRequest, Conflict (`erasure_running`), Unavailable.
    """
    db = op.connection
    hasher = await address_hasher(op.services)
    if not hasher.is_open:
        raise Unavailable(
            "The key of address hashes can't be opened, so that nobody can be erased. Ask the operator to set"
            " POSTERN_SECRET_KEY_OLD.",
            code="address_hashes_sealed",
        )
    owner, _, _ = await _resolve(op, input)
    # Nobody merges the contact or moves its addresses from here on; what has happened before is read now.
    await lock_owner(db, owner)
    owner, contact, address = await _resolve(op, input)
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
    not_erased = orjson.dumps([each.model_dump() for each in NOT_ERASED]).decode()
    await db.execute(_ADD, id, owner, contact, address_hash, op.viewer.actor_id, not_erased)
    if rows:
        await db.execute(_ADD_ADDRESSES, *map(list, zip(*rows, strict=True)))
    await enqueue(db, JobName.erase_person, id)
    return models.Erasure(**dict(await db.fetchrow(f"{_ROW} WHERE e.id = $1", id)))


@operation(Permission.exports_write, idempotent=stored_model(models.ExportLink))
async def export(op: Op, input: ExportPerson) -> models.ExportLink:
    """Starts an export of everything that is stored of a person, as NDJSON. Raises NotFound, BadRequest, Conflict."""
    require(op.viewer, Permission.contacts_read)
    owner, contact, address = await _resolve(op, input)
    filters: dict[str, Any] = {"ownerUuid": str(owner)}
    if contact is not None:
        filters["contactUuid"] = str(contact)
    if address is not None:
        filters |= {"channel": input.channel and input.channel.value, "address": address}
    started = StartExport(source=ExportSource.person.value, format=ExportFormat.ndjson, filters=filters)
    return await exports.started(op, started)


@operation(Permission.contacts_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Erasure]:
    """Returns one page of the caller's erasures; an administrator gets everybody's."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.contacts_read, "read")
async def get(op: Op, id: UUID) -> models.Erasure:
    """Returns one erasure. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise NotFound(
            "There is no erasure with this id among yours. Check the id.", code="erasure_not_found"
        )
    return row


async def _resolve(op: Op, input: PersonReference) -> tuple[UUID, UUID | None, str | None]:
    """Returns owner, contact and address of a named person. Raises NotFound, BadRequest."""
    if (input.contact_uuid is None) == (input.address is None):
        raise BadRequest("Send either contactUuid, or channel and address.")
    if input.contact_uuid is not None:
        owner = await op.reads.fetchval(_OWNER, input.contact_uuid, op.viewer.admin, op.viewer.id)
        if owner is None:
            raise unknown()
        return owner, input.contact_uuid, None
    assert input.address is not None
    if input.channel is None:
        raise BadRequest("Send the channel of the address, too.")
    (spelled,) = new_addresses(op, [NewContactAddress(channel=input.channel, address=input.address)])
    contact = await contact_of(op.reads, op.viewer.id, input.channel.value, spelled.address)
    return op.viewer.id, contact, spelled.address
