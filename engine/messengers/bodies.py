"""What webhooks are told about chats, in the vendor's words. `time` is in seconds; ids of messages are ours.

Each body: `hook_type, source, login, item, thread, from, to, time, text, outgoing, replyTo, content[]`, and `name` of
whoever wrote. A status stands in `content[0].type`, a reaction's emoji in `content[0].src` ("" where it was taken back).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from db.ids import uuid7
from postern import links
from postern.services import Services

Row = Mapping[str, Any]

LONGEST_SRC = 2048  # characters of an address that is shown


def message(services: Services, account: Row, row: Row, reply_to: UUID | None) -> dict[str, Any]:
    """A message that came in, or that the account wrote, here or on another device."""
    return {
        **_told(account, row, "message", row["at"]),
        "text": row["text"],
        "replyTo": None if reply_to is None else str(reply_to),
        "content": content(services, row["id"], row["content"]),
        "name": row["name"],
    }


def status(account: Row, row: Row, at: datetime) -> dict[str, Any]:
    """How far a message of the account's got. `code` and `reason` say why it is `errored`."""
    failed = {"code": row["failure_code"], "reason": row["failure_reason"]} if row["failure_code"] else {}
    return {
        **_told(account, row, "message_status", at),
        "text": "",
        "replyTo": None,
        "content": [{"type": row["status"], "src": None, **failed}],
    }


def reaction(
    account: Row, row: Row, sender: str, emoji: str | None, at: datetime, outgoing: bool
) -> dict[str, Any]:
    """`row` is the message that it is about. It has an `item` of its own, by which readers tell events apart."""
    told = _told(account, row, "add_message_reaction", at)
    mine = account["connected_phone"] or account["login"]
    other = row["recipient"] if row["outgoing"] else row["sender"]
    return {
        **told,
        "item": str(uuid7()),
        "from": mine if outgoing else sender,
        "to": other if outgoing else mine,
        "text": "",
        "outgoing": outgoing,
        "replyTo": str(row["id"]),
        "content": [{"type": "reaction", "src": emoji or ""}],
    }


def deletion(account: Row, row: Row, at: datetime) -> dict[str, Any]:
    """A message was deleted at the messenger: `item` says which one, `time` when we learned of it."""
    return {**_told(account, row, "message_deleted", at), "text": "", "replyTo": None, "content": []}


def content(services: Services, item: UUID, kept: Sequence[Row]) -> list[dict[str, Any]]:
    """What goes with a message. `src` is the address that the caller gave, else a link of ours that opens it."""
    return [
        {
            "type": one["type"],
            "src": one["src"] if _public(one.get("src")) else links.media_url(services, item, index),
            "filename": one.get("name"),
            "mime": one.get("mime"),
            "size": one.get("size"),
        }
        for index, one in enumerate(kept)
    ]


def ends(account: Row, row: Row) -> tuple[str | None, str | None]:
    """Who wrote, and to whom; the account's own end is its phone, else its login."""
    mine = account["connected_phone"] or account["login"]
    if row["outgoing"]:
        return row["sender"] or mine, row["recipient"]
    return row["sender"], row["recipient"] or mine


def _public(src: str | None) -> bool:
    """An address that the caller of sendMessage gave: he may have it back. What a driver tells is behind our link."""
    return src is not None and src.startswith(("http://", "https://")) and len(src) <= LONGEST_SRC


def _told(account: Row, row: Row, kind: str, at: datetime) -> dict[str, Any]:
    sender, recipient = ends(account, row)
    return {
        "hook_type": kind,
        "source": account["source"],
        "login": account["login"],
        "item": str(row["id"]),
        "thread": row["thread"],
        "from": sender,
        "to": recipient,
        "time": int(at.timestamp()),
        "outgoing": row["outgoing"],
    }
