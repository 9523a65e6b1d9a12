"""Meta's webhook for WhatsApp Cloud accounts, at `/hooks/whatsapp-cloud/<account id>`: checked and stored.

A hook reaches any process, whether or not some process holds the account: Meta reports a message once. So the fence of
`messenger_holds` does not apply here. It need not: there is no connection that two processes could have at once, and
`event_writer.record` is idempotent and admits one writer per account. So the holder's write (the answer to a `send`)
and the hook's (the report of it, which may come first) agree.

For the same reason messages of a stopped account and of a suspended owner are stored; the owner's webhooks get them
when the owner is active again. A deleted owner's are not stored; Meta gets its 200, so that it does not repeat them.

Meta has one address for all numbers of an app. An event of another number goes to the account of the same owner with
that number and the same app secret; others are dropped. The answer 200 means that everything is committed.
"""

import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

import asyncpg
import orjson
import structlog
from pydantic import ValidationError

from core.errors import BadRequest, Forbidden, NotFound, Unauthenticated
from core.pubsub import publish_account
from core.vault import Sealed
from engine.messengers import account_notices, event_writer
from messengers.port import Deletion, Event, Message, Progress, Reaction
from messengers.whatsapp_cloud import hook
from messengers.whatsapp_cloud.hook import HookEvent
from messengers.whatsapp_cloud.values import Notice, Preference, phone_or_id
from runtime.database_errors import translate
from runtime.retry import despite_conflicts
from runtime.services import Services
from shapes.chats import ChatMessageStatus
from shapes.messenger_accounts import CloudCredentials, MessengerDriver

log = structlog.get_logger("postern.messengers")

_MAX_EVENTS: Final = 200  # events in one transaction
_MAX_ACCOUNTS: Final = 200  # accounts of one owner that are searched for a number
_TRIES: Final = 3  # attempts to store events, when other transactions conflict

_CLOUD = f"driver = '{MessengerDriver.whatsapp_cloud.value}' AND deleted_at IS NULL"
_ACCOUNT = f"""
SELECT id, owner_id, credentials_encrypted, connected_phone,
  EXISTS (SELECT FROM users WHERE users.id = owner_id AND status = 'deleted') AS abandoned
FROM messenger_accounts WHERE id = $1 AND {_CLOUD}
"""  # noqa: S608  our own words
_OTHERS = f"""
SELECT id, owner_id, credentials_encrypted, connected_phone, false AS abandoned FROM messenger_accounts
WHERE owner_id = $1 AND id <> $2 AND {_CLOUD} ORDER BY id LIMIT {_MAX_ACCOUNTS}
"""  # noqa: S608  our own words
# Messages of ours whose `send` has no answer yet, or never got one.
_UNANSWERED = """
SELECT id FROM messenger_messages WHERE account_id = $1 AND id = ANY($2::uuid[]) AND outgoing AND provider_id IS NULL
"""


# The id of a message with a file has the file's behind it (messengers/whatsapp_cloud/hook.py); later Meta names the
# message alone. The range is for the index; it covers every text with this beginning in every collation.
_WITH_FILES = """
SELECT k.thread, k.provider_id, m.provider_id AS stored
FROM unnest($2::text[], $3::text[]) AS k (thread, provider_id) JOIN messenger_messages AS m
  ON m.account_id = $1 AND m.thread = k.thread
  AND m.provider_id > k.provider_id AND m.provider_id < k.provider_id || chr(1114111)
  AND starts_with(m.provider_id, k.provider_id || '#')
"""


@dataclass(frozen=True, slots=True)
class _Account:
    id: UUID
    owner_id: UUID
    credentials: CloudCredentials
    phone: str | None
    abandoned: bool  # its owner is deleted


async def verify(services: Services, account_id: str, query: Mapping[str, str]) -> str:
    """Answers Meta's request when the address is entered there: returns `hub.challenge`.

    Raises NotFound, Forbidden, BadRequest.
    """
    account = await _account(services, account_id)
    token = query.get("hub.verify_token", "").encode("utf-8", "replace")
    matches = hmac.compare_digest(token, account.credentials.verify_token.encode())
    if query.get("hub.mode") != "subscribe" or not matches:
        raise Forbidden(
            "The verify token is not the one of this account. Copy it from the account's webhook settings.",
            code="bad_verify_token",
        )
    challenge = query.get("hub.challenge", "")
    if not re.fullmatch(r"[!-~]{1,256}", challenge):
        raise BadRequest(
            "hub.challenge is missing or is not one that Meta sends. Let Meta verify the address again.",
            code="bad_hook",
        )
    return challenge


async def receive(services: Services, account_id: str, body: bytes, signature: str | None) -> int:
    """Stores a hook's events and returns their number.

    Raises NotFound, Unauthenticated, BadRequest, Unavailable (Meta repeats the hook).
    """
    account = await _account(services, account_id)
    if not hook.signed(account.credentials.app_secret, body, signature):
        raise Unauthenticated(
            "The signature of this request is missing or wrong. Check the signing secret on both sides.",
            code="bad_signature",
        )
    try:
        reports = hook.read(body)
    except hook.BadBody as error:
        raise BadRequest(
            f"The callback can't be read: {error}. Check the provider's webhook settings.", code="bad_hook"
        ) from None
    if account.abandoned:
        return 0
    taken = 0
    for owner_account, events in await _by_account(services, account, reports):
        for start in range(0, len(events), _MAX_EVENTS):
            await _record(services, owner_account, events[start : start + _MAX_EVENTS])
        taken += len(events)
    return taken


async def _account(services: Services, account_id: str) -> _Account:
    try:
        row = await services.db.fetchrow(_ACCOUNT, UUID(account_id))
    except ValueError:
        row = None
    account = _decrypted(services, row) if row is not None else None
    if account is None:
        raise NotFound(
            "There is no WhatsApp Cloud account at this address. Check the address of the webhook.",
            code="account_not_found",
        )
    return account


def _decrypted(services: Services, row: Any) -> _Account | None:
    sealed = row.credentials_encrypted
    if sealed is None:
        return None
    try:
        text = services.vault.open(sealed, f"messenger_accounts.credentials:{row.id}")
        credentials = CloudCredentials.model_validate(orjson.loads(text))
        return _Account(row.id, row.owner_id, credentials, row.connected_phone, row.abandoned)
    except (Sealed, ValidationError):
        log.warning("the credentials of an account can't be opened", account=str(row.id))
        return None


async def _by_account(
    services: Services, account: _Account, reports: Sequence[HookEvent]
) -> list[tuple[_Account, list[HookEvent]]]:
    """Groups the events by the account that has their number."""
    accounts = {account.credentials.phone_number_id: account}
    if any(report.phone_number_id not in accounts for report in reports):
        secret = account.credentials.app_secret
        for row in await services.db.fetch(_OTHERS, account.owner_id, account.id):
            other = _decrypted(services, row)
            if other is not None and hmac.compare_digest(other.credentials.app_secret, secret):
                accounts.setdefault(other.credentials.phone_number_id, other)
    groups: dict[str, list[HookEvent]] = {}
    by_phone = {each.phone: number for number, each in accounts.items() if each.phone is not None}
    for report in reports:
        number = (
            report.phone_number_id or by_phone.get(report.phone or "") or account.credentials.phone_number_id
        )
        groups.setdefault(number, []).append(report)
    if unknown := len(groups.keys() - accounts.keys()):
        log.info(
            "Meta reported events of numbers that are not ours", account=str(account.id), numbers=unknown
        )
    return [(accounts[number], events) for number, events in groups.items() if number in accounts]


async def _record(services: Services, account: _Account, reports: Sequence[HookEvent]) -> None:
    """Stores the events and publishes them after the commit. An event that can't be stored does not stop the others."""
    try:
        changes = await despite_conflicts(lambda: _record_in_transaction(services, account, reports), _TRIES)
    except Exception as error:
        if translate(error) is not None and not _is_invalid_text(error):
            raise  # the database is away: Meta repeats the hook
        log.exception("events from Meta can't be stored", account=str(account.id), events=len(reports))
        if len(reports) > 1:
            for report in reports:
                await _record(services, account, [report])
        return
    for change in changes:
        await publish_account(services.store, account.id, account.owner_id, change)


def _is_invalid_text(error: Exception) -> bool:
    translated = translate(error)
    return translated is not None and int(translated.status) == 400


async def _record_in_transaction(
    services: Services, account: _Account, reports: Sequence[HookEvent]
) -> list[Mapping[str, Any]]:
    async with services.db.transaction() as db:
        events = await _events(db, account, reports)
        changes = await event_writer.record(services, db, account.id, events)
        for report in reports:
            if isinstance(report.event, Notice | Preference):
                await account_notices.record(db, account.id, account.owner_id, report.event)
        return changes


async def _events(db: asyncpg.Connection, account: _Account, reports: Sequence[HookEvent]) -> list[Event]:
    """Returns the events. A report that precedes the answer, or replaces a missing one, also names its message by
    `item`."""
    stored_ids = await _with_files(db, account, reports)
    items = {report.item for report in reports if report.item is not None}
    unanswered = (
        {row["id"] for row in await db.fetch(_UNANSWERED, account.id, list(items))} if items else set()
    )
    events: list[Event] = []
    for report in reports:
        event = report.event
        if isinstance(event, Notice | Preference):
            continue
        if isinstance(event, Deletion | Reaction) or (
            isinstance(event, Message) and event.edited_at is not None
        ):
            event = replace(
                event,
                provider_id=stored_ids.get(
                    (event.thread, event.provider_id.partition("#")[0]), event.provider_id
                ),
            )
        if report.item in unanswered and isinstance(event, Progress):
            assert event.at is not None
            sent = Message(
                event.provider_id, event.thread, True, event.at, recipient=phone_or_id(event.thread),
                status=ChatMessageStatus.server, item=report.item,
            )  # fmt: skip
            events.append(sent)
        events.append(event)
    return events


async def _with_files(
    db: asyncpg.Connection, account: _Account, reports: Sequence[HookEvent]
) -> dict[tuple[str | None, str], str]:
    """Returns the stored ids of messages with files that events are about, by thread and Meta's id."""
    keys = {
        (event.thread, event.provider_id.partition("#")[0])
        for event in (report.event for report in reports)
        if isinstance(event, Deletion | Reaction)
        or (isinstance(event, Message) and event.edited_at is not None)
    }
    if not keys:
        return {}
    rows = await db.fetch(_WITH_FILES, account.id, *map(list, zip(*sorted(keys, key=str), strict=True)))
    return {(row["thread"], row["provider_id"]): row["stored"] for row in rows}
