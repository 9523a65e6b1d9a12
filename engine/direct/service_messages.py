"""Messages that this service sends in an owner's name, such as the ones that ask for a confirmation."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from core.errors import BadRequest, NotFound
from engine.address_hashes import address_hasher
from engine.direct.new_messages import PAYER, ChargedMessage, NewMessage, charged, refusal, write_in
from engine.sms import country_caps
from engine.sms.price_books import price_books
from runtime.services import Services

_ACCOUNT = "SELECT id FROM accounts WHERE owner_id = $1 ORDER BY id LIMIT 1"


async def send_for_owner(
    services: Services, connection: Any, owner_id: UUID, messages: Sequence[NewMessage]
) -> Sequence[UUID | None]:
    """Queues messages in the caller's transaction; the owner's oldest account pays.

    Returns the id of each message, or None for a recipient who is blocked, or who alone of several can't be sent to by
    the owner's prices and countries. Raises BadRequest (`no_price`, `country_not_allowed`), NotFound (`no_account`),
    Forbidden, PaymentRequired, RateLimited (the cap of a country), Unavailable.
    """
    account = await connection.fetchval(_ACCOUNT, owner_id)
    if account is None:
        raise NotFound("You have no account yet. Open one with POST /accounts.", code="no_account")
    if not messages:
        return ()
    payer = await connection.fetchrow(PAYER, account)
    hasher = await address_hasher(services)
    new: list[tuple[int, ChargedMessage]] = []
    refused: list[BadRequest] = []
    for number, message in enumerate(messages):
        book = await price_books(services).of(payer["price_version_id"], message.channel, connection)
        try:
            new.append((number, charged(payer, message, hasher, book)))
        except BadRequest as error:
            refused.append(error)
    if not new:
        raise refused[0]
    ids: list[UUID | None] = [None] * len(messages)
    taken: list[country_caps.Taken | None] = []
    try:
        # Within the transaction, since the messages are known only here; Redis may take two seconds, once.
        for _, each in new:
            taken += [await country_caps.take(services, owner_id, each.counted, waits=False)]
        queued = await write_in(connection, [each for _, each in new])
        for result in queued:
            if result.row is None and result.decision != "refused":
                raise refusal(result.decision)
    except Exception:  # the caller's transaction is rolled back
        await country_caps.give_back(taken)
        raise
    await country_caps.give_back(
        counted for counted, result in zip(taken, queued, strict=True) if result.row is None
    )
    for (number, _), result in zip(new, queued, strict=True):
        ids[number] = None if result.row is None else result.row.id
    return ids
