"""The limits of an API token: which accounts it may charge, how much in a day, and how many messages it may send.

What it has spent and sent in a day is counted by the statement that charges the message (`postern_admit_messages`), so
what is not written does not count. A message that fails later gives nothing back.
"""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from math import ceil
from typing import Any
from uuid import UUID

from core.errors import Forbidden, PaymentRequired, RateLimited
from engine.direct.new_messages import ChargedMessage
from runtime.operation import Op


def default_account(op: Op) -> UUID | None:
    """Returns the account that pays unless the request names one: the only one that the caller's token may charge."""
    limits = op.viewer.payments
    if limits is None or limits.account_ids is None or len(limits.account_ids) != 1:
        return None
    (only,) = limits.account_ids
    return only


def require_account(op: Op, id: UUID) -> None:
    """Raises Forbidden `token_account` unless the caller's token may charge this account."""
    limits = op.viewer.payments
    if limits is not None and limits.account_ids is not None and id not in limits.account_ids:
        raise Forbidden(
            "This API token may not charge this account. Send the `accountId` of one that it may charge.",
            code="token_account",
            details={"accountIds": sorted(map(str, limits.account_ids))},
        )


def limited(op: Op, payer: Any, message: ChargedMessage) -> ChargedMessage:
    """Returns the message with the limits of a day that the caller's token has, if it has some."""
    viewer, limits = op.viewer, op.viewer.payments
    if limits is None or (limits.spend_per_day is None and limits.messages_per_day is None):
        return message
    assert viewer.limited_by is not None
    return replace(
        message, token_id=viewer.limited_by, spend_limit=limits.spend_per_day, currency=payer.currency
    )


def overspent(op: Op, message: ChargedMessage) -> PaymentRequired:
    """Returns the error of a message that costs more than its token may still spend today."""
    assert message.spend_limit is not None
    most, tomorrow = message.spend_limit, _tomorrow(op)
    return PaymentRequired(
        f"This API token may spend {most.normalize():f} {message.currency} a day, and this message would exceed"
        f" that. Send it after {tomorrow:%Y-%m-%dT%H:%M}Z, or let the token's user raise `spendPerDay`.",
        code="token_spend_limit",
        details={"spendPerDay": float(most), "currency": message.currency},
    )


def overcounted(op: Op) -> RateLimited:
    """Returns the error of a message that its token may not send today, since it has sent as many as it may."""
    limits, tomorrow = op.viewer.payments, _tomorrow(op)
    most = None if limits is None else limits.messages_per_day  # None: it was limited just now
    count = "no more messages today" if most is None else f"{most:,} message{'s'[: most != 1]} a day"
    return RateLimited(
        f"This API token may send {count}. Send it after {tomorrow:%Y-%m-%dT%H:%M}Z, or let the token's user raise"
        " `messagesPerDay`.",
        code="token_message_limit",
        details={"messagesPerDay": most},
        headers={"Retry-After": str(max(1, ceil((tomorrow - op.db.now()).total_seconds())))},
    )


def _tomorrow(op: Op) -> datetime:
    today = op.db.now().astimezone(UTC).date()
    return datetime.combine(today + timedelta(days=1), time(), UTC)
