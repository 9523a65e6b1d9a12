"""People: their erasure, and the export of what is stored of one. `engine/persons` does the work."""

from typing import Any
from uuid import UUID

from core.errors import BadRequest, Forbidden, NotFound
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p
from engine.contacts.locks import lock_owner
from engine.persons.beginning import begin, open_hasher
from engine.persons.finding import contact_of
from engine.persons.rights import lacking_to_erase
from resolvers import exports
from resolvers.contacts.contact_rows import new_addresses, unknown
from runtime.idempotency import stored_model
from runtime.operation import Op, operation, require
from runtime.permissions import Permission
from runtime.viewers import Viewer
from shapes.contacts import NewContactAddress
from shapes.exports import ExportFormat, ExportSource, StartExport
from shapes.persons import ErasePerson, ExportPerson, PersonReference

_ERASURE = models.Erasure
_LISTS = Listing(_ERASURE, without=("step", "round", "began_xid", "file_ids"))
_MINE = _ERASURE.owner_id == p("owner_id")
_OWNER = "SELECT owner_id FROM contacts WHERE id = $1 AND ($2 OR owner_id = $3)"


@operation(Permission.contacts_write, "sql", idempotent=stored_model(models.Erasure))
async def erase(op: Op, input: ErasePerson) -> models.Erasure:
    """Erases a person in the background: a contact with all its addresses, or an address that no contact has. From this
    answer on nothing is sent to the person. While it runs, asking again returns the same erasure. It needs the
    permissions to change messages, recipients, messengers, blocks, files, exports and events, too. Raises Forbidden,
    NotFound, BadRequest, Conflict (`erasure_running`), Unavailable.
    """
    _require_all(op.viewer)
    hasher = await open_hasher(op.services)
    owner, _, _ = await _resolve(op, input)
    # The contact can't be merged, nor its addresses moved, from here on; earlier changes are read now.
    await lock_owner(op.connection, owner)
    owner, contact, address = await _resolve(op, input)
    return await begin(op.connection, hasher, owner, contact, address, op.viewer.actor_id)


@operation(Permission.exports_write, idempotent=stored_model(models.ExportLink))
async def export(op: Op, input: ExportPerson) -> models.ExportLink:
    """Exports everything that is stored of a person as NDJSON, in the background. Tables that the caller may not read
    are left out; the first line names them, with the permissions that they need. Raises NotFound, BadRequest, Conflict.
    """
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
    """Lists your erasures, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.contacts_read, "read")
async def get(op: Op, id: UUID) -> models.Erasure:
    """Returns how far an erasure is, and what it did not erase. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise NotFound(
            "There is no erasure with this id among yours. Check the id.", code="erasure_not_found"
        )
    return row


def _require_all(viewer: Viewer) -> None:
    """Raises Forbidden, with all permissions that are lacking, unless the caller may change all that is erased."""
    if lacking := [each.value for each in lacking_to_erase(viewer)]:
        raise Forbidden(
            f"To erase a person needs the permissions {', '.join(lacking)}, too, since their rows are erased. Use a"
            " token that has them, or ask the owner.",
            details={"permission": lacking[0], "permissions": lacking},
        )


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
