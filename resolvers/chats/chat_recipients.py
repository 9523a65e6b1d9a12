"""The person whom a chat message reaches, for callers whose recipients are counted (`approvalAbove`)."""

from collections.abc import Sequence
from typing import Any

from resolvers import reach
from runtime.operation import Op

# The chat that engine/messengers/attempts.py sends to.
_CHAT = """
SELECT thread, phone, username, user_id, kind FROM messenger_chats
WHERE account_id = $1 AND (thread = $2 OR phone = $2 OR user_id = $2 OR (kind = 'user' AND lower(username) = lower($3)))
ORDER BY thread = $2 DESC, last_at DESC NULLS LAST LIMIT 1
"""
_GROUP = "The people of a group or a channel can't be counted."
_STRANGER = "A user name without a chat may be that of a group or a channel: name the person by phone."


async def names_of(op: Op, account: Any, to: str) -> Sequence[str]:
    """Returns the names by which a person is known to a messenger account, the first of which is counted.

    Raises Conflict `approval_required` for what may be more than one person.
    """
    chat = await op.db.fetchrow(_CHAT, account.id, to, to.removeprefix("@"))
    if chat is None:
        if to.startswith("@"):
            await reach.refuse(op, _STRANGER)
        return [to]
    if chat["kind"] != "user":
        await reach.refuse(op, _GROUP)
    names = (chat["phone"], chat["thread"], chat["username"] and f"@{chat['username']}", chat["user_id"])
    return [name for name in names if name] or [to]
