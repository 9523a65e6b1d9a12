"""The dress of the pages for recipients, which the features behind these pages ask for."""

from uuid import UUID

from core.errors import NotFound
from core.http.dress import Dress
from engine.brands.dressing import dress_of
from runtime import link_domains
from runtime.operation import Op


async def answers_here(op: Op, owner_id: UUID) -> bool:
    """Returns whether pages of this owner answer on the host that the request was sent to: all do at the address of
    this service, and on a domain of an owner's those of this owner.

    Ask it as soon as the owner of a token is known, before anything is done; where it is false the token is unknown.
    """
    site = op.ctx.link_site
    return site is None or await link_domains.shows(op.services, site, owner_id)


async def dress_page(op: Op, owner_id: UUID) -> Dress | None:
    """Returns the dress of the page of an owner's recipient, which the page of an error of this request gets, too.

    Call it outside of a transaction: it reads by a connection of its own. Raises NotFound for a page of another owner
    than that of the host.
    """
    if not await answers_here(op, owner_id):
        raise NotFound("There is no such page here. Check the link.")
    dress = await dress_of(op.services, op.db, owner_id)
    op.ctx.dress_errors(dress)
    return dress
