"""Takes incoming messages as replies to what projects sent."""

import re
from collections.abc import Sequence
from typing import Any

from engine import replies
from engine.messengers.transaction import ChatTransaction
from engine.project_receipts import storable
from engine.replies import Reply

_PHONE = re.compile(r"\+\d{5,17}")
_USERNAME = re.compile(r"@?([A-Za-z][A-Za-z0-9_.]{2,63})")

_RECIPIENTS = """
SELECT a FROM unnest($2::text[]) AS a WHERE EXISTS (
  SELECT FROM message_records AS m WHERE m."to" = a AND m.owner_id = $1 AND m.direction = 'outbound'
)
"""


def phone_and_username(address: str | None) -> tuple[str | None, str | None]:
    """Returns phone and user name, if the address is one of them; a messenger's id is neither."""
    if address is None or len(address) > 64:
        return None, None
    if _PHONE.fullmatch(address):
        return address, None
    name = _USERNAME.fullmatch(address)
    return None, name[1] if name else None


async def receive_replies(tx: ChatTransaction, rows: Sequence[dict[str, Any]]) -> None:
    """Passes incoming messages on as replies, in their order, and applies stop words.

    One statement finds the senders to whom projects wrote; only their messages cost more.
    """
    addresses_of = {row["id"]: _addresses(row) for row in rows}
    owner, source = tx.account["owner_id"], tx.account["source"]
    everybody = sorted({address for addresses in addresses_of.values() for address in addresses})
    if not everybody:
        return
    recipients = {row["a"] for row in await tx.db.fetch(_RECIPIENTS, owner, everybody)}
    stop_words = tx.services.settings.stop_words
    for row in rows:
        addresses = addresses_of[row["id"]]
        if addresses and (
            recipients.intersection(addresses) or replies.is_stop_word(row["text"], stop_words)
        ):
            reply = Reply(addresses, row["text"], source, source, str(row["id"]), row["at"])
            await replies.receive(tx.db, owner, reply, stop_words)


def _addresses(row: dict[str, Any]) -> list[str]:
    """Returns the forms in which a project may have named the sender, the likeliest first."""
    addresses: dict[str, None] = {}
    for address in (row["sender"], row.get("chat_phone"), row.get("chat_username")):
        phone, username = phone_and_username(address)
        for spelling in (phone, *_spellings(username)):
            if spelling:
                addresses[spelling] = None
    if not addresses and row["sender"]:
        addresses[storable(row["sender"]) or ""] = None
    return list(addresses)


def _spellings(username: str | None) -> tuple[str, ...]:
    if username is None:
        return ()
    return f"@{username}", username, f"@{username.lower()}", username.lower()
