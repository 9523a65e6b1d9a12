"""Blocked phones and addresses: contract §3. `engine/blocks.py` has the blocks that nobody asks for by hand."""

from functools import cache
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert

from db import models
from db.ids import uuid7
from db.query import Listing, p
from postern.operation import Op, operation
from postern.permissions import Permission
from resolvers import recipients
from resolvers.users import like
from schema.types.blocks import BlockCount, BlockPhone, BlockReason
from schema.types.page import Rows


@cache
def _listing(everyone: bool, q: bool, reason: bool) -> Listing[models.BlockedPhone]:
    row = models.BlockedPhone
    conditions = (
        (not everyone, row.owner_id == p("owner_id")),
        (q, row.phone.ilike(p("q"), escape="\\")),
        (reason, row.reason == p("reason")),
    )
    return Listing(row, *(condition for wanted, condition in conditions if wanted))


@operation(Permission.blocks_read, "read")
async def list(
    op: Op, q: str | None = None, reason: BlockReason | None = None, page: int = 1, limit: int = 20
) -> Rows[models.BlockedPhone]:
    """The caller's blocks (everybody's, for administrators), newest first. Raises ValidationFailed."""
    listing, given = _asked(op, q, reason)
    return await listing.page(op.db, page, limit, **given)


@operation(Permission.blocks_read, "read")
async def count(op: Op, q: str | None = None, reason: BlockReason | None = None) -> BlockCount:
    listing, given = _asked(op, q, reason)
    return BlockCount(count=await listing.total.value(op.db, **given))


@operation(Permission.blocks_write, idempotent=models.BlockedPhone)
async def block(op: Op, phone: str, input: BlockPhone) -> models.BlockedPhone:
    """Again is no error; another reason takes the place of the one before. Raises BadRequest."""
    made = insert(models.BlockedPhone).values(
        id=uuid7(),
        owner_id=op.viewer.id,
        phone=_address(op, phone),
        reason=(input.reason or BlockReason.manual).value,
    )
    known = models.BlockedPhone.reason if input.reason is None else made.excluded.reason
    row: models.BlockedPhone | None = await op.session.scalar(
        made.on_conflict_do_update(index_elements=["owner_id", "phone"], set_={"reason": known}).returning(
            models.BlockedPhone
        )
    )
    assert row is not None
    return row


@operation(Permission.blocks_write)
async def unblock(op: Op, phone: str) -> None:
    """Again is no error. Raises BadRequest."""
    row = models.BlockedPhone
    await op.session.execute(
        delete(row).where(row.owner_id == op.viewer.id, row.phone == _address(op, phone))
    )


def _address(op: Op, text: str) -> str:
    """In the spelling in which projects write it. Raises BadRequest."""
    text = text.strip()
    return (
        recipients.email(text) if "@" in text else recipients.phone(text, op.services.settings.default_region)
    )


def _asked(
    op: Op, q: str | None, reason: BlockReason | None
) -> tuple[Listing[models.BlockedPhone], dict[str, UUID | str | None]]:
    q = (q or "").strip()  # the + of a phone is a space in a query that nobody has escaped
    listing = _listing(op.viewer.admin, bool(q), reason is not None)
    return listing, {"owner_id": op.viewer.id, "q": like(q), "reason": reason}
