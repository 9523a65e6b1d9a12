"""Connects messenger accounts with sending projects: source accounts, replies and delivery statuses.

A source account with the source and login of a messenger account of the same owner sends through it, whichever of the
two was added first. Messages leave through it while the messenger account is `working`; projects follow the status of
their source accounts.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg

from core.storable_text import storable
from db.address_keys import key_of
from engine.hooks.hook_events import look_again
from engine.inbound import replies
from engine.inbound.replies import Reply
from engine.inbound.stop_words import is_start_word, is_stop_word
from engine.jobs import JobName, enqueue, job
from engine.messengers.transaction import ChatTransaction
from engine.reports import report_writer, statements
from engine.reports.report import Report, ReportedStatus
from runtime.services import Services
from shapes.addresses import address_keys
from shapes.messenger_accounts import AccountState
from shapes.source_accounts import SenderStatus

_SET_STATUS = """
UPDATE source_accounts SET status = $2, status_at = now(), updated_at = now(),
  messenger_account_uuid = CASE WHEN $3 THEN NULL ELSE messenger_account_uuid END
WHERE id IN (
  SELECT id FROM source_accounts WHERE messenger_account_uuid = $1 AND status <> 'deleted' AND ($3 OR status <> $2)
  ORDER BY id FOR NO KEY UPDATE
)
RETURNING id, owner_id
"""
_LINK = """
UPDATE source_accounts AS s SET messenger_account_uuid = a.id, status_at = now(), updated_at = now(),
  status = CASE a.state WHEN 'working' THEN 'connected' WHEN 'blocked' THEN 'blocked' ELSE 'disconnected' END
FROM messenger_accounts AS a
WHERE a.id = $1 AND a.deleted_at IS NULL AND s.owner_id = a.owner_id AND s.source = a.source AND s.login = a.login
  AND s.status <> 'deleted' AND s.messenger_account_uuid IS DISTINCT FROM a.id
"""
_FIND = """
SELECT id FROM messenger_accounts
WHERE owner_id = $1 AND source = $2 AND login = $3 AND deleted_at IS NULL
"""
USER_ID = re.compile(r"[A-Z]{2}\.[A-Za-z0-9.]{1,140}")
"""The id that WhatsApp gives a person for one business: `US.1349…`."""
_PHONE = re.compile(r"\+\d{5,17}")
_USERNAME = re.compile(r"@?([A-Za-z][A-Za-z0-9_.]{2,63})")

_RECIPIENTS = f"""
SELECT a FROM unnest($2::text[]) AS a WHERE EXISTS (
  SELECT FROM message_records AS m WHERE {key_of('m."to"')} = a AND m.owner_id = $1 AND m.direction = 'outbound'
)
"""  # noqa: S608  our own expression
_OTHER_IDS = "SELECT key, p.address FROM unnest($2::text[]) AS key, postern_person_ids($1, key) AS p"
REPORTED: dict[str, ReportedStatus] = {
    "server": "sent",
    "delivered": "delivered",
    "has_seen": "read",
    "errored": "failed",
}
"""The statuses of chat messages, as reports have them."""


async def update_source_accounts(
    db: asyncpg.Connection, account_id: UUID, state: AccountState | None
) -> None:
    """Updates the source accounts in the transaction that changes the state; None: the messenger account is deleted."""
    if state is AccountState.working:
        status = SenderStatus.connected
    elif state is AccountState.blocked:
        status = SenderStatus.blocked
    else:
        status = SenderStatus.disconnected
    changed = await db.fetch(_SET_STATUS, account_id, status.value, state is None)
    if changed and status is SenderStatus.connected:
        await look_again(db, changed[0]["owner_id"], [row["id"] for row in changed])


async def link_messenger_account(db: asyncpg.Connection, account_id: UUID) -> None:
    """Links the source accounts of the same name to a messenger account that was added."""
    # The lock keeps the state unchanged until the commit; later changes reach the source account through
    # `update_source_accounts`.
    await db.execute("SELECT FROM messenger_accounts WHERE id = $1 FOR SHARE", account_id)
    await db.execute(_LINK, account_id)


async def link_source_account(db: asyncpg.Connection, owner_id: UUID, source: str, login: str) -> None:
    """Links a source account that was added to the messenger account of its name, if there is one."""
    if (account := await db.fetchval(_FIND, owner_id, source, login)) is not None:
        await link_messenger_account(db, account)


def phone_and_username(address: str | None) -> tuple[str | None, str | None]:
    """Returns phone and user name, if the address is one of them; a messenger's id is neither."""
    if address is None or len(address) > 64:
        return None, None
    if _PHONE.fullmatch(address):
        return address, None
    if USER_ID.fullmatch(address):
        return None, None
    name = _USERNAME.fullmatch(address)
    return None, name[1] if name else None


class Ids(NamedTuple):
    """The ids of one person that a messenger names together."""

    phone: str | None = None
    username: str | None = None
    user_id: str | None = None

    def or_else(self, other: "Ids | None") -> "Ids":
        """Returns these ids, and where one is missing that of another report."""
        return (
            self
            if other is None
            else Ids(*(mine or theirs for mine, theirs in zip(self, other, strict=True)))
        )


def ids_of(aliases: Sequence[str]) -> Ids:
    """Returns the ids by their kinds; the first of each counts."""
    ids = Ids()
    for alias in aliases:
        user_id = alias if USER_ID.fullmatch(alias) else None
        ids = ids.or_else(Ids(*phone_and_username(alias), user_id))
    return ids


async def receive_replies(tx: ChatTransaction, rows: Sequence[dict[str, Any]]) -> None:
    """Passes incoming messages on as replies, in their order, and applies stop words.

    One statement finds the senders to whom projects wrote; only their messages cost more.
    """
    owner, source = tx.account["owner_id"], tx.account["source"]
    addresses_of = {row["id"]: _addresses(row) for row in rows}
    user_ids = sorted({row["chat_user_id"] for row in rows if row.get("chat_user_id")})
    if user_ids:  # the same person may have written, and been written to, by the other ids
        others = [(row["key"], row["address"]) for row in await tx.db.fetch(_OTHER_IDS, owner, user_ids)]
        for row in rows:
            addresses = addresses_of[row["id"]]
            addresses += [it for key, it in others if key == row.get("chat_user_id") and it not in addresses]
    keys_of = {id: address_keys(addresses) for id, addresses in addresses_of.items()}
    everybody = sorted({key for keys in keys_of.values() for key in keys})
    if not everybody:
        return
    recipients = {row["a"] for row in await tx.db.fetch(_RECIPIENTS, owner, everybody)}
    stop_words = tx.services.settings.stop_words
    for row in rows:
        addresses = addresses_of[row["id"]]
        if addresses and (
            recipients.intersection(keys_of[row["id"]])
            or is_stop_word(row["text"], stop_words, source)
            or is_start_word(row["text"])
        ):
            reply = Reply(addresses, row["text"], source, source, str(row["id"]), row["at"])
            await replies.receive(tx.db, owner, reply, stop_words)


def _addresses(row: dict[str, Any]) -> list[str]:
    """Returns the forms in which a project may have named the sender, the likeliest first, in any letter case."""
    addresses: dict[str, None] = {}
    for address in (row["sender"], row.get("chat_phone"), row.get("chat_username"), row.get("chat_user_id")):
        phone, username = phone_and_username(address)
        user_id = address if address and USER_ID.fullmatch(address) else None
        for spelling in (phone, user_id, *_spellings(username)):
            if spelling:
                addresses[spelling] = None
    if not addresses and row["sender"]:
        addresses[storable(row["sender"]) or ""] = None
    return list(addresses)


def _spellings(username: str | None) -> tuple[str, ...]:
    if username is None:
        return ()
    return f"@{username}", username


async def report_statuses(tx: ChatTransaction, rows: Sequence[Any]) -> None:
    """Applies the statuses to direct messages and those of projects. `reported_at`: when it happened; NULL: now."""
    statuses = [
        Report(
            UUID(int=row["record_id"].int),  # asyncpg's UUID type can't be serialized as JSON
            None,
            None,
            REPORTED[row["status"]],
            row["failure_code"],
            row["failure_reason"],
            row["reported_at"],
        )
        for row in rows
        if row["record_id"] is not None and row["status"] in REPORTED
    ]
    applied = await report_writer.receive(tx.db, statuses, tx.account["owner_id"])
    # Kept: the transaction of the worker, which has the message back in its queue, may commit before this one.
    for id in sorted({report.message_id for report in applied.unknown if report.message_id}):
        await enqueue(tx.db, JobName.apply_early, id)


@job(JobName.apply_early)
async def apply_early(services: Services, record_id: UUID) -> None:
    """Applies the reports that were kept for a message once more."""
    async with services.db.reading() as db:
        for table in (statements.PROJECTS, statements.DIRECT):
            await report_writer.apply_early(db, table, [record_id])
