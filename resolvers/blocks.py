"""Blocked phones and addresses (contract §3). `engine/blocks.py` writes the blocks that no user asks for directly."""

import builtins
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import case, delete, func, or_
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import insert

from core.errors import BadRequest, Conflict, NotFound
from core.ids import uuid7
from db import models
from db.address_keys import key_column
from db.lists import Conditions, CursorPage, Listing, PageArgs, by_values, conditions
from db.lists.filters import comparisons
from db.query import p
from engine import blocks
from engine.address_hashes import address_hasher
from engine.file_parsers.addresses import USER_NAME
from resolvers import imports, recipient_addresses
from runtime.idempotency import stored_model, stored_shape
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.addresses import address_key, stored_key
from shapes.blocks import (
    BlockCount,
    BlockedMany,
    BlockGroup,
    BlockMany,
    BlockPhone,
    BlockReason,
    BlockScope,
    BlockSummary,
    UnblockedMany,
    UnblockMany,
)
from shapes.imports import ImportStatus
from shapes.page import Rows
from shapes.recipients import InvalidRecipient
from shapes.where import like

_ROW = models.BlockedPhone
_KEY = key_column(_ROW.phone)
_LISTS = Listing(
    _ROW,
    filters={
        ("text", "contains"): _ROW.phone.ilike(p("text_contains_"), escape="\\"),
        **comparisons("phone", _KEY),
    },
    ranges=by_values(reason=BlockReason, scope=BlockScope),
    by_time=True,
    always=(or_(_ROW.expires_at.is_(None), _ROW.expires_at > func.now()),),
)
_LOCK = sql("SELECT postern_lock_blocks(CAST(:owner AS uuid), ARRAY[CAST(:key AS text)])")
_IMPORT = "SELECT owner_id, status FROM recipient_imports WHERE id = $1 AND contacts IS NULL"
_LINES = """
SELECT line, address, CASE WHEN variables ->> 'reason' = ANY($4::text[]) THEN variables ->> 'reason' END AS reason,
  CASE WHEN variables ->> 'scope' = ANY($5::text[]) THEN variables ->> 'scope' END AS scope
FROM import_rows WHERE import_id = $1 AND line > $2 AND error_code IS NULL ORDER BY line LIMIT $3
"""
_GROUPS = f"""
SELECT reason, scope, count(*) AS count, max(created_at) AS newest_at FROM blocked_phones
WHERE ($1 OR owner_id = $2) AND {blocks.LIVE} GROUP BY reason, scope ORDER BY count DESC, reason, scope
"""  # noqa: S608  our own condition
_AT_ONCE = 10_000  # lines of an import in one request: their blocks are written in some 0.5 s
_MINE = _ROW.owner_id == p("owner_id")


@operation(Permission.blocks_read, "read")
async def list(
    op: Op, q: str | None = None, reason: BlockReason | None = None, page: int = 1, limit: int = 20
) -> Rows[models.BlockedPhone]:
    """Returns what `page` returns, by page numbers. Raises ValidationFailed."""
    where = _conditions(q, reason)
    return await _LISTS.numbered(op.db, page, limit, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.blocks_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.BlockedPhone]:
    """Lists your blocked phones and addresses, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, _asked(op, where), *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.blocks_read, "read")
async def of_users(
    op: Op, user_ids: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.BlockedPhone]]:
    """Returns one page of blocks for each owner."""
    return await _LISTS.pages(
        op.db, _ROW.owner_id, user_ids, page_args, _asked(op, where), *op.own(_MINE), owner_id=op.viewer.id
    )


@operation(Permission.blocks_read, "read")
async def get(op: Op, id: UUID) -> models.BlockedPhone:
    """Returns one blocked phone or address. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise NotFound("There is no blocked phone with this uuid among yours. Check the uuid.")
    return row


@operation(Permission.blocks_read, "read")
async def count(op: Op, q: str | None = None, reason: BlockReason | None = None) -> BlockCount:
    """Counts your blocked phones and addresses."""
    where = _conditions(q, reason)
    return BlockCount(count=await _LISTS.count(op.db, where, *op.own(_MINE), owner_id=op.viewer.id))


@operation(Permission.blocks_read, "read")
async def summary(op: Op) -> BlockSummary:
    """Returns how many phones and addresses are blocked for each reason and scope, and the newest block's time;
    administrators get those of all users.
    """
    rows = await op.db.fetch(_GROUPS, op.viewer.admin, op.viewer.id)
    return BlockSummary(items=[BlockGroup(**row) for row in rows])


@operation(Permission.blocks_write, idempotent=stored_model(models.BlockedPhone))
async def block(op: Op, phone: str, input: BlockPhone) -> models.BlockedPhone:
    """Blocks a phone or an address: none of your messages is sent there any more (`promotional`: no promotional
    message). Repeating it is not an error; a new reason replaces the old one, and the scope can only widen. Raises
    BadRequest.
    """
    row, address = models.BlockedPhone, _address(op, phone)
    await op.session.execute(_LOCK, {"owner": str(op.viewer.id), "key": address_key(address)})
    await op.session.execute(
        delete(row).where(
            row.owner_id == op.viewer.id, address_key(address) == _KEY, row.expires_at <= func.now()
        )
    )
    made = insert(row).values(
        id=uuid7(),
        owner_id=op.viewer.id,
        phone=address,
        address_key=stored_key(address),
        reason=(input.reason or BlockReason.manual).value,
        scope=input.scope.value,
    )
    values = {
        "expires_at": None,
        "message_id": None,
        "reason": case((row.expires_at.is_(None), row.reason), else_=made.excluded.reason)
        if input.reason is None
        else made.excluded.reason,
        "scope": row.scope if input.scope is BlockScope.promotional else made.excluded.scope,
        **_beneath_stop_word(input, made.excluded),
    }
    done: models.BlockedPhone | None = await op.session.scalar(
        made.on_conflict_do_update(index_elements=["owner_id", sql(blocks.KEY)], set_=values).returning(row)
    )
    assert done is not None
    return done


@operation(Permission.blocks_write, "sql", idempotent=stored_shape(BlockedMany))
async def block_many(op: Op, input: BlockMany) -> BlockedMany:
    """Blocks up to 1,000 addresses, or the next 10,000 lines of an import. Those that can't be read are listed.

    The order of the lines makes each part of an import one request, so that it can be repeated and continued. Raises
    NotFound, Conflict.
    """
    new, invalid, next_line = (
        await _of_import(op, input) if input.phones is None else (*_readable(op, input.phones, input), None)
    )
    added, changed = await blocks.block_many(op.connection, op.viewer.id, new)
    return BlockedMany(
        added=added,
        changed=changed,
        unchanged=len(new) - added - changed,
        invalid=invalid,
        next_line=next_line,
    )


@operation(Permission.blocks_write, "sql")
async def unblock_many(op: Op, input: UnblockMany) -> UnblockedMany:
    """Removes the blocks of up to 1,000 addresses. Repeating it is not an error; what can't be read is listed."""
    readable, invalid = _readable(op, input.phones, BlockMany(phones=input.phones))
    addresses = [block.address for block in readable]
    # Blocks of erased people have the hash in the place of the address.
    hashes = [each for each in (await address_hasher(op.services)).hashes(addresses) if each is not None]
    removed = await blocks.unblock_many(op.connection, op.viewer.id, [*addresses, *hashes])
    return UnblockedMany(removed=removed, invalid=invalid)


def _readable(
    op: Op, phones: Sequence[str], input: BlockMany
) -> tuple[builtins.list[blocks.NewBlock], builtins.list[InvalidRecipient]]:
    """Returns the blocks of the addresses that can be read, and the others with the reason."""
    new, invalid = [], []
    for index, text in enumerate(phones, 1):
        try:
            new.append(blocks.NewBlock(_address(op, text), input.reason, input.scope.value))
        except BadRequest as error:
            invalid.append(InvalidRecipient(place=index, code=error.code, message=error.message))
    return new, invalid


async def _of_import(
    op: Op, input: BlockMany
) -> tuple[builtins.list[blocks.NewBlock], builtins.list[InvalidRecipient], int | None]:
    """Returns the next blocks of an import, no invalid address, and the last line if there are more."""
    source = await op.connection.fetchrow(_IMPORT, input.import_uuid)
    if source is None or not (op.viewer.admin or source["owner_id"] == op.viewer.id):
        raise imports.unknown()
    if source["status"] != ImportStatus.ready:
        raise Conflict(
            f"The import is {source['status']}. Addresses can be blocked only from an import that is ready.",
            code="import_not_ready",
        )
    lines = await op.connection.fetch(
        _LINES, input.import_uuid, input.after_line, _AT_ONCE, [*BlockReason], [*BlockScope]
    )
    new = [
        blocks.NewBlock(line["address"], line["reason"] or input.reason, line["scope"] or input.scope.value)
        for line in lines
    ]
    return new, [], lines[-1]["line"] if len(lines) == _AT_ONCE else None


@operation(Permission.blocks_write)
async def unblock(op: Op, phone: str) -> None:
    """Removes a block, so that your messages may be sent there again. Repeating it is not an error. Raises
    BadRequest.
    """
    row, address = models.BlockedPhone, _address(op, phone)
    hashed = (await address_hasher(op.services)).hash(address)
    await op.session.execute(
        delete(row).where(row.owner_id == op.viewer.id, _KEY.in_([address_key(address), hashed]))
    )


def _beneath_stop_word(input: BlockPhone, new: Any) -> dict[str, Any]:
    """Returns the columns by which this block stands when a stop word of the recipient is taken back."""
    row = models.BlockedPhone
    reason = func.coalesce(row.reason_before, new.reason) if input.reason is None else new.reason
    scope = func.coalesce(row.scope_before, new.scope) if input.scope is BlockScope.promotional else new.scope
    return {
        "reason_before": case((row.stopped_at.is_not(None), reason)),
        "scope_before": case((row.stopped_at.is_not(None), scope)),
    }


def _address(op: Op, text: str) -> str:
    """Returns the address in the spelling that projects store. Raises BadRequest."""
    text = text.strip()
    if USER_NAME.fullmatch(text):
        return text
    return (
        recipient_addresses.email(text)
        if "@" in text
        else recipient_addresses.phone(text, op.services.settings.default_region)
    )


def _asked(op: Op, where: Conditions) -> Conditions:
    """Returns the conditions with the keys of phones and addresses. Raises ValidationFailed."""
    return recipient_addresses.by_key(where, "phone", op)


def _conditions(q: str | None, reason: BlockReason | None) -> Conditions:
    """Returns the filters of REST's list: a part of the address, and the reason."""
    q = (q or "").strip()  # in a query that is not percent-encoded, the + of a phone arrives as a space
    return conditions({("text", "contains"): like(q) if q else None, ("reason", "eq"): reason})
