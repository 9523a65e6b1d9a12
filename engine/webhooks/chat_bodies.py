"""Builds the webhook bodies of chat events, with the vendor's field names. `time` is in seconds; message ids are ours.

Each body has `hook_type, source, login, item, thread, from, to, time, text, outgoing, replyTo, content[]`, and `name`
of the author. A status is in `content[0].type`, a reaction's emoji in `content[0].src` ("" where it was removed).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from core.ids import uuid7
from runtime import links
from runtime.services import Services

Row = Mapping[str, Any]

MAX_SRC = 2048  # characters of a URL that is shown


def message_body(services: Services, account: Row, row: Row, reply_to: UUID | None) -> dict[str, Any]:
    """Returns the body of a message: received, or written by the account here or on another device."""
    return {
        **_common(account, row, "message", row["at"]),
        "text": row["text"],
        "replyTo": None if reply_to is None else str(reply_to),
        "content": content(services, row["id"], row["content"]),
        "name": row["name"],
        **({"details": row["details"]} if row["details"] else {}),
    }


def status_body(account: Row, row: Row, at: datetime) -> dict[str, Any]:
    """Returns the body of a delivery status. `code` and `reason` explain `errored`."""
    failed = {"code": row["failure_code"], "reason": row["failure_reason"]} if row["failure_code"] else {}
    return {
        **_common(account, row, "message_status", at),
        "text": "",
        "replyTo": None,
        "content": [{"type": row["status"], "src": None, **failed}],
    }


def reaction_body(
    account: Row, row: Row, sender: str, emoji: str | None, at: datetime, outgoing: bool
) -> dict[str, Any]:
    """Returns the body of a reaction to the message `row`. It has an `item` of its own, so that receivers can tell
    events apart."""
    body = _common(account, row, "add_message_reaction", at)
    mine = account["connected_phone"] or account["login"]
    other = row["recipient"] if row["outgoing"] else row["sender"]
    return {
        **body,
        "item": str(uuid7()),
        "from": mine if outgoing else sender,
        "to": other if outgoing else mine,
        "text": "",
        "outgoing": outgoing,
        "replyTo": str(row["id"]),
        "content": [{"type": "reaction", "src": emoji or ""}],
    }


def edit_body(services: Services, account: Row, row: Row) -> dict[str, Any]:
    """Returns the body of an edit: the message with its new text. `time`: when it was edited."""
    return {
        **_common(account, row, "message_edited", row["edited_at"]),
        "text": row["text"],
        "replyTo": None,
        "content": content(services, row["id"], row["content"]),
        "name": row["name"],
    }


def deletion_body(account: Row, row: Row, at: datetime) -> dict[str, Any]:
    """Returns the body of a deletion at the messenger. `item`: the message; `time`: when we learned of it."""
    return {**_common(account, row, "message_deleted", at), "text": "", "replyTo": None, "content": []}


def content(services: Services, item: UUID, files: Sequence[Row]) -> list[dict[str, Any]]:
    """Returns the files of a message.

    `src` is the URL that the caller gave, else a link of ours that opens the file.
    """
    return [
        {
            "type": file["type"],
            "src": file["src"] if _public(file.get("src")) else links.media_url(services, item, index),
            "filename": file.get("name"),
            "mime": file.get("mime"),
            "size": file.get("size"),
        }
        for index, file in enumerate(files)
    ]


def sender_and_recipient(account: Row, row: Row) -> tuple[str | None, str | None]:
    """Returns sender and recipient; the account's own address is its phone, else its login."""
    mine = account["connected_phone"] or account["login"]
    if row["outgoing"]:
        return row["sender"] or mine, row["recipient"]
    return row["sender"], row["recipient"] or mine


def _public(src: str | None) -> bool:
    """Returns whether `src` is a URL that the caller of sendMessage gave, which may be shown. A driver's URL stays
    behind our link.
    """
    return src is not None and src.startswith(("http://", "https://")) and len(src) <= MAX_SRC


def _common(account: Row, row: Row, kind: str, at: datetime) -> dict[str, Any]:
    sender, recipient = sender_and_recipient(account, row)
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
