"""The messenger account that sends a message by telegram or whatsapp, and what the account has to know."""

from datetime import timedelta
from typing import Any, Final

from core.errors import BadRequest, NotFound
from db.query import Reads
from engine.direct import attachments
from runtime.operation import Op, require
from runtime.permissions import Permission
from shapes.messages import SendMessage
from shapes.messenger_accounts import AccountState, MessengerDriver

WINDOW: Final = timedelta(hours=24)
"""For so long after a person wrote may WhatsApp Cloud send texts; then it sends templates alone (Meta's Cloud API,
"Customer service windows")."""

# The account that has a chat with the recipient comes first, since people answer where they were written to.
_ACCOUNTS: Final = """
SELECT a.id, a.driver, c.last_incoming_at FROM messenger_accounts AS a
LEFT JOIN LATERAL (
  SELECT last_at, last_incoming_at FROM (
    SELECT last_at, last_incoming_at FROM messenger_chats WHERE account_id = a.id AND phone = $4
    UNION ALL SELECT last_at, last_incoming_at FROM messenger_chats WHERE account_id = a.id AND thread = $4
    UNION ALL SELECT last_at, last_incoming_at FROM messenger_chats
    WHERE account_id = a.id AND kind = 'user' AND lower(username) = lower(substr($4, 2)) AND $4 LIKE '@%'
  ) AS chats ORDER BY last_at DESC NULLS LAST LIMIT 1
) AS c ON true
WHERE a.owner_id = $1 AND a.source = $2 AND a.deleted_at IS NULL AND ($3::uuid IS NULL OR a.id = $3)
ORDER BY c.last_at IS NULL, a.state <> $5, c.last_at DESC, a.id LIMIT 1
"""
_NO_ACCOUNT: Final = (
    "You have no {channel} account, and no route is configured for {channel}. Connect an account first:"
    " POST /messenger-accounts."
)


async def metadata_of(op: Op, db: Reads, payer: Any, input: SendMessage, to: str) -> dict[str, Any]:
    """Returns the metadata that name the account, and anything beside the text; empty: a configured route sends it.

    The caller needs the permission to send through accounts. Raises Forbidden, NotFound (`account_not_found`,
    `file_not_found`), BadRequest (`no_messenger_account`, `unsupported`, `outside_window`, `bad_metadata`).
    """
    channel = input.channel.value
    accounts = await db.fetch(
        _ACCOUNTS, payer.owner_id, channel, input.from_account, to, AccountState.working.value
    )
    if not accounts:
        if input.from_account is not None:
            raise NotFound(
                f"There is no {channel} account with this id among those of the account's owner. Check fromAccount.",
                code="account_not_found",
            )
        if not op.services.routes.of(channel):
            raise BadRequest(_NO_ACCOUNT.format(channel=channel), code="no_messenger_account")
        if input.template is not None or input.attachments:
            raise BadRequest(
                "Templates and attachments need a messenger account. Connect one, or send a text.",
                code="unsupported",
            )
        return {}
    require(op.viewer, Permission.messengers_send)
    (account,) = accounts
    metadata: dict[str, Any] = {"messenger_account": str(account["id"])}
    if input.template is not None:
        if account["driver"] != MessengerDriver.whatsapp_cloud:
            raise BadRequest(
                "Only WhatsApp Cloud accounts send templates. Send a text through this account.",
                code="unsupported",
            )
        metadata["template"] = input.template.model_dump()
    elif account["driver"] == MessengerDriver.whatsapp_cloud and not _is_later(op, input):
        _in_window(op, account["last_incoming_at"])
    if input.attachments:
        ids = list(dict.fromkeys(input.attachments))
        await attachments.check(db, payer.owner_id, ids)
        metadata["files"] = await attachments.described(db, payer.owner_id, ids)
    return metadata


def _is_later(op: Op, input: SendMessage) -> bool:
    return input.send_at is not None and input.send_at > op.services.db.now()


def _in_window(op: Op, last: Any) -> None:
    """Raises BadRequest `outside_window` if the recipient has written, and not within the window."""
    if last is not None and last + WINDOW <= op.services.db.now():
        raise BadRequest(
            "24 hours have passed since the recipient wrote last, and WhatsApp lets you send a template only. Send a"
            " template, or wait for an answer. Nothing was charged.",
            code="outside_window",
            details={"lastIncomingAt": last.isoformat()},
        )
