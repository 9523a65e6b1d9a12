"""Restrictions of accounts that work: a messenger may not let one write to people who never wrote to it ("reachOut").

Trying on is what turns such a restriction into a ban, so nothing is sent to strangers while it is known. It is stored
with the account and survives restarts. It ends when the messenger says so, when the time is over that the messenger has
named, or when a person asks for another try; never by a time of our own. Nobody is a stranger who has a chat with the
account, in which one of both has written to the other before.
"""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

import structlog

from core.json_text import instant
from db.query import Reads
from engine.jobs import every
from messengers.port import Restricted
from runtime.services import Services

log = structlog.get_logger("postern.messengers")

REACH_OUT: Final = "reachOut"
_REASON: Final = (
    "The messenger does not let this account write to people who have never written to it. Wait until it allows that"
    " again, or try it once more with liftMessengerRestriction."
)

IN_FORCE: Final = "restriction IS NOT NULL AND (restricted_until IS NULL OR restricted_until > now())"
"""The condition, on a row of messenger_accounts, under which it is restricted."""

# `to` is what a message is sent to. Several people of a chat are no strangers, either. Each branch has its own index.
_IS_STRANGER = """NOT EXISTS (
  SELECT FROM (
    SELECT id, kind FROM messenger_chats WHERE account_id = $1 AND thread = {to}
    UNION ALL SELECT id, kind FROM messenger_chats WHERE account_id = $1 AND phone = {to}
    UNION ALL SELECT id, kind FROM messenger_chats WHERE account_id = $1 AND user_id = {to}
    UNION ALL SELECT id, kind FROM messenger_chats
    WHERE account_id = $1 AND lower(username) = lower(substr({to}, 2)) AND {to} LIKE '@%'
  ) AS c WHERE c.kind <> 'user' OR EXISTS (
    SELECT FROM messenger_messages AS m
    WHERE m.chat_id = c.id AND m.provider_id IS NOT NULL AND m.status <> 'errored'
  )
)"""
_STRANGER = f"""
SELECT restriction_reason, restricted_until FROM messenger_accounts
WHERE id = $1 AND {IN_FORCE} AND {_IS_STRANGER.format(to="$2::text")}
"""  # noqa: S608  our own condition
_RESTRICT = f"""
UPDATE messenger_accounts SET restriction = $2, restriction_reason = $3, restricted_until = $4, updated_at = now(),
  restricted_at = CASE WHEN restriction IS NULL THEN now() ELSE restricted_at END
WHERE id = $1 AND deleted_at IS NULL AND (restriction IS NULL OR restriction_reason IS DISTINCT FROM $3
  OR restricted_until IS DISTINCT FROM $4) AND ($5::text IS NULL OR {_IS_STRANGER.format(to="$5::text")})
"""  # noqa: S608  our own condition
_CHECK = f"SELECT {_IS_STRANGER.format(to='$2::text')}"
LIFT: Final = """
UPDATE messenger_accounts SET restriction = NULL, restriction_reason = NULL, restricted_at = NULL,
  restricted_until = NULL, updated_at = now()
WHERE {where} AND restriction IS NOT NULL
"""
"""The statement that ends the restriction of the accounts that `where` names."""


async def check(db: Reads, account_id: UUID, to: str) -> None:
    """Raises Restricted if `to` is a stranger to whom the account may not write now."""
    row = await db.fetchrow(_STRANGER, account_id, to)
    if row is not None:
        raise Restricted(row["restriction_reason"] or _REASON, until=row["restricted_until"])


def details(until: datetime | None) -> dict[str, Any]:
    """Returns the details of the error: which restriction it is, and its end as far as the messenger has named one."""
    return {"restriction": REACH_OUT, "until": None if until is None else instant(until)}


async def restrict(
    db: Any, account_id: UUID, reason: str | None, until: datetime | None, to: str | None = None
) -> bool:
    """Stores that the messenger has restricted the account, in the caller's transaction.

    `to` is who was written to when it said so. Of a person who is no stranger that says nothing about strangers: then
    nothing is stored, and it returns False.
    """
    await db.execute(_RESTRICT, account_id, REACH_OUT, (reason or _REASON)[:500], until, to)
    return to is None or bool(await db.fetchval(_CHECK, account_id, to))


async def lift(db: Any, account_id: UUID) -> None:
    """Ends the restriction of an account, in the caller's transaction."""
    await db.execute(LIFT.format(where="id = $1"), account_id)


@every(30.0, due="EXISTS (SELECT FROM messenger_accounts WHERE restricted_until IS NOT NULL)")
async def lift_ended(services: Services) -> None:
    """Ends the restrictions whose end, as the messenger has named it, has passed."""
    async with services.db.transaction() as db:
        await db.execute(LIFT.format(where="restricted_until <= now()"))
