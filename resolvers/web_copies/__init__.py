"""The copy of a recipient's email on the web. The link is the only credential; it shows what the recipient got."""

from dataclasses import dataclass
from typing import Final

from core.errors import NotFound
from core.http.dress import Dress
from core.rate_limits import Limit
from engine import unsubscribe
from engine.texts import web_copies
from resolvers.brands.pages import dress_page
from resolvers.web_copies.letter import Letter, letter_of
from runtime.operation import Op, operation
from runtime.permissions import Permission

LIMIT: Final = Limit("web-copies", 120, 60.0)


@dataclass(frozen=True, slots=True)
class WebCopy:
    """The parts of the page."""

    letter: Letter
    dress: Dress | None  # of the owner


@operation(Permission.public, "read")
async def show(op: Op, token: str) -> WebCopy:
    """Returns the email of a recipient as a page: as long as its text is stored. Raises NotFound (`web_copy_invalid`,
    `web_copy_deleted`), RateLimited.
    """
    await op.services.limiter.enforce(LIMIT, op.ctx.client_address, "requests for copies of emails")
    id = unsubscribe.read(op.services.keys(web_copies.KEY), token)
    if id is None:
        raise NotFound(
            "This link is invalid. Open it again from the email.",
            code="web_copy_invalid",
        )
    owner, letter = await letter_of(op, id)
    dress = None if owner is None else await dress_page(op, owner)
    if letter is None:
        raise NotFound(
            "This email is not stored here any more. The one in your mailbox is the only one.",
            code="web_copy_deleted",
        )
    return WebCopy(letter, dress)
