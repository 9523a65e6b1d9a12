"""Messages that this service sends in an owner's name, such as the ones that ask for a confirmation."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from core.errors import NotFound
from engine.address_hashes import address_hasher
from engine.direct.new_messages import PAYER, NewMessage, charged, refusal, write_in
from engine.sms.price_books import price_books
from runtime.services import Services

_ACCOUNT = "SELECT id FROM accounts WHERE owner_id = $1 ORDER BY id LIMIT 1"


async def send_for_owner(
    services: Services, connection: Any, owner_id: UUID, messages: Sequence[NewMessage]
) -> Sequence[UUID | None]:
    """Queues messages in the caller's transaction; the owner's oldest account pays.

    Returns the id of each message, or None for a recipient who is blocked. Raises BadRequest (`no_price`), NotFound
    (`no_account`), Forbidden, PaymentRequired, Unavailable.
    """
    account = await connection.fetchval(_ACCOUNT, owner_id)
    if account is None:
        raise NotFound("You have no account yet. Open one with POST /accounts.", code="no_account")
    if not messages:
        return ()
    payer = await connection.fetchrow(PAYER, account)
    hasher = await address_hasher(services)
    book = await price_books(services).of(payer["price_version_id"])
    queued = await write_in(connection, [charged(payer, message, hasher, book) for message in messages])
    for each in queued:
        if each.row is None and each.decision != "refused":
            raise refusal(each.decision)
    return [None if each.row is None else each.row.id for each in queued]
