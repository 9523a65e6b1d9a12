"""The dress of the pages for recipients, which the features behind these pages ask for."""

from uuid import UUID

from core.http.dress import Dress
from engine.brands.dressing import dress_of
from runtime.operation import Op


async def dress_page(op: Op, owner_id: UUID) -> Dress | None:
    """Returns the dress of the page of an owner's recipient, which the page of an error of this request gets, too.

    Call it outside of a transaction: it reads by a connection of its own.
    """
    dress = await dress_of(op.db, owner_id)
    op.ctx.dress_errors(dress)
    return dress
