"""Finds a chat by a phone, a user name or a thread, and asks its messenger for messages that are not stored."""

import re
from contextlib import suppress
from typing import Any

from core.errors import AppError, BadRequest
from core.rate_limits import Limit
from db.session import Database
from engine.messengers import call_client
from resolvers.recipient_addresses import phone
from runtime.operation import Op
from shapes.messenger_accounts import AccountState

_HISTORY_SECONDS = 15.0
_CHAT_OF = """
SELECT id, thread, whole FROM messenger_chats
WHERE account_id = $1 AND (thread = $2 OR phone = $2 OR (kind = 'user' AND lower(username) = lower($3)))
ORDER BY thread = $2 DESC, last_at DESC NULLS LAST LIMIT 1
"""
_BY_THREAD = "SELECT id, thread, whole FROM messenger_chats WHERE account_id = $1 AND thread = $2"
_WHOLE = "UPDATE messenger_chats SET whole = true WHERE id = $1"
_OLDEST = """
SELECT provider_id FROM messenger_messages WHERE chat_id = $1 AND provider_id IS NOT NULL ORDER BY at, seq LIMIT 1
"""
_JID = re.compile(r"(\d{5,15})(?::\d+)?@(?:c\.us|s\.whatsapp\.net)")
_NUMBER = re.compile(r"\+?[0-9][0-9 ().-]{3,30}")
_USERNAME = re.compile(r"@[A-Za-z0-9_.]{3,64}")


async def address(db: Database, account: Any, to: str) -> str:
    """Returns a known thread of the account, a phone in E.164 or a @username. Raises BadRequest."""
    if not to.startswith("+") and await db.fetchrow(_BY_THREAD, account.id, to):
        return to
    if _USERNAME.fullmatch(to):
        return to
    if (digits := digits_of(to)) is not None:
        return phone(f"+{digits}", "US")
    raise BadRequest(
        "to must be a phone number with its country code (like +14155550101), a @username, or a"
        " thread of this account.",
        code="invalid_recipient",
    )


def digits_of(to: str) -> str | None:
    """Returns the digits of a phone in any spelling, also of a WhatsApp JID; None for any other text."""
    if jid := _JID.fullmatch(to):
        return jid[1]
    return re.sub(r"\D", "", to).removeprefix("00") if _NUMBER.fullmatch(to) else None


def has_older(account: Any, chat: Any) -> bool:
    """Returns whether the messenger can be asked for messages older than the stored ones."""
    return account.state == AccountState.working and not (chat and chat.whole)


async def find_chat(op: Op, account: Any, to: str | None, thread: str | None) -> Any:
    """Returns the chat that `to` or `thread` names, or None if it is unknown. Raises BadRequest."""
    if not (to or thread):
        raise BadRequest("Name the chat: `to` (a phone or @username), or `thread`.", code="validation_failed")
    if thread is not None:
        return await op.db.fetchrow(_BY_THREAD, account.id, thread)
    whom = await address(op.db, account, to or "")
    return await op.db.fetchrow(_CHAT_OF, account.id, whom, whom.removeprefix("@"))


async def fetch_older(op: Op, account: Any, chat: Any, to: str, limit: int) -> Any:
    """Asks the messenger for messages older than the stored ones. Errors are ignored: the messenger may be unreachable
    or the account's rate limit used up, and then the stored messages are the answer.
    """
    with suppress(AppError):
        await limit_lookups(op, account)
        if chat is None:
            whom = await address(op.db, account, to)
            person = await call_client.ask(
                op.services, account.id, "person", {"to": whom}, seconds=_HISTORY_SECONDS
            )
            thread, oldest = (person or {}).get("id"), None
        else:
            thread, oldest = chat.thread, await op.db.fetchval(_OLDEST, chat.id)
        if thread:
            asked = {"thread": thread, "limit": limit, "before": oldest}
            history = await call_client.ask(
                op.services, account.id, "history", asked, seconds=_HISTORY_SECONDS
            )
            chat = chat or await op.db.fetchrow(_BY_THREAD, account.id, thread)
            if chat is not None and len(history) < limit:
                await op.db.fetch(_WHOLE, chat.id)
    return chat


async def limit_lookups(op: Op, account: Any) -> None:
    """Counts a lookup before the messenger is asked, since messengers ban accounts that ask too much. Raises
    RateLimited.
    """
    limit = Limit.parse("messenger_lookups", op.services.settings.limit_messenger_lookups)
    await op.services.limiter.enforce(limit, str(account.id), "lookups by this account")
