"""The limits of money that an API token has: which accounts it may charge, and how much in a day.

What a day has is reserved before the message is written, and given back if it is not: a crash between the two leaves
the token less than its limit, and never more. The refund of a message that fails later gives nothing back.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from core.errors import Forbidden, PaymentRequired
from db.session import Database
from runtime.operation import Op

# A statement that began before midnight may come after one of the new day: it counts for the new day, too.
_RESERVE = """
INSERT INTO api_token_spend AS s (token_id, currency, day, spent) SELECT $1, $2, $3, $4 WHERE $4::numeric <= $5::numeric
ON CONFLICT (token_id, currency) DO UPDATE
SET spent = CASE WHEN s.day < excluded.day THEN 0 ELSE s.spent END + excluded.spent, day = greatest(s.day, excluded.day)
WHERE CASE WHEN s.day < excluded.day THEN 0 ELSE s.spent END + excluded.spent <= $5
RETURNING true
"""
_GIVE_BACK = """
UPDATE api_token_spend SET spent = greatest(spent - $4, 0) WHERE token_id = $1 AND currency = $2 AND day = $3
RETURNING true
"""


@dataclass(frozen=True, slots=True)
class Reserved:
    """The price of a message, out of what its token may spend in a day."""

    db: Database
    token_id: UUID
    currency: str
    day: date
    price: Decimal

    async def give_back(self) -> None:
        """Gives the price back: the message was certainly not written."""
        await self.db.fetchval(_GIVE_BACK, self.token_id, self.currency, self.day, self.price)


def default_account(op: Op) -> UUID | None:
    """Returns the account that pays unless the request names one: the only one that the caller's token may charge."""
    limits = op.viewer.payments
    if limits is None or limits.account_ids is None or len(limits.account_ids) != 1:
        return None
    (only,) = limits.account_ids
    return only


def require_account(op: Op, payer: Any) -> None:
    """Raises Forbidden `token_account` unless the caller's token may charge this account."""
    limits = op.viewer.payments
    if limits is not None and limits.account_ids is not None and payer.id not in limits.account_ids:
        raise Forbidden(
            "This API token may not charge this account. Send the `accountId` of one that it may charge.",
            code="token_account",
            details={"accountIds": sorted(map(str, limits.account_ids))},
        )


async def reserve(op: Op, payer: Any, price: Decimal) -> Reserved | None:
    """Reserves the price of a message. Returns None if the caller's token has no limit, or the message is free.

    Raises PaymentRequired `token_spend_limit`.
    """
    viewer = op.viewer
    if viewer.payments is None or viewer.payments.spend_per_day is None or price == 0:
        return None
    assert viewer.limited_by is not None
    most, today = viewer.payments.spend_per_day, op.db.now().astimezone(UTC).date()
    reserved = Reserved(op.db, viewer.limited_by, payer.currency, today, price)
    if await op.db.fetchval(_RESERVE, reserved.token_id, payer.currency, today, price, most) is None:
        tomorrow = datetime.combine(today + timedelta(days=1), time(), UTC)
        raise PaymentRequired(
            f"This API token may spend {most.normalize():f} {payer.currency} a day, and this message would exceed"
            f" that. Send it after {tomorrow:%Y-%m-%dT%H:%M}Z, or let the token's user raise `spendPerDay`.",
            code="token_spend_limit",
            details={"spendPerDay": float(most), "currency": payer.currency},
        )
    return reserved
