"""The webhooks of messenger accounts and of event feeds: saved, changed, removed. The resolvers check the
permission.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from core.errors import BadRequest, Conflict, Unavailable
from core.ids import uuid7
from core.outbound import CallFailed, UrlRefused
from core.vault import Sealed
from core.webhook_signatures import BadSecret, key_of, new_secret
from db import models
from db.query import Reads, returning
from engine.credentials import Maker
from engine.feed import event_feed
from runtime.services import Services

log = structlog.get_logger("postern.webhooks")

MOST = 10  # per messenger account
MOST_OF_FEED = 20
OVERLAP = timedelta(hours=24)
"""After a rotation both secrets sign for this time, until the receiver has the new one."""

COLUMNS = returning(models.Webhook, "webhooks")

_LOCK = "SELECT FROM messenger_accounts WHERE id = $1 FOR NO KEY UPDATE"
_COUNT = "SELECT count(*) FROM webhooks WHERE account_id = $1"
_COUNT_OF_FEED = (
    "SELECT count(*) FROM webhooks WHERE owner_id = $1 AND account_id IS NULL AND NOT is_callback"
)
_FIND = "SELECT id FROM webhooks WHERE account_id = $1 AND url = $2 FOR NO KEY UPDATE"
_ADD = f"""
INSERT INTO webhooks (id, account_id, url, events, secret_encrypted, api_token_id, saved_by, query_scopes, owner_id)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, owner_id FROM messenger_accounts WHERE id = $2 RETURNING {COLUMNS}
"""  # noqa: S608  our own column names
# Saving an endpoint again also enables it. The version changes, so that a running delivery
# reloads secret and address.
_SAVE = f"""
UPDATE webhooks SET events = COALESCE($2, events), api_token_id = $4, saved_by = $5, query_scopes = $6,
  secret_encrypted = COALESCE($3, secret_encrypted),
  old_secret_encrypted = CASE WHEN $3::bytea IS NULL THEN old_secret_encrypted END,
  enabled = true, disabled_reason = NULL, version = version + 1, wakes = wakes + 1, updated_at = now()
WHERE id = $1 RETURNING {COLUMNS}
"""  # noqa: S608  our own column names
# The version ends a delivery that is under way: a failure that it counted may be older than this.
_NO_WAIT = """
UPDATE webhooks SET failures = 0, next_at = NULL, waits_ended_at = now(), quiet_until = NULL, version = version + 1,
  wakes = wakes + 1
WHERE id = $1
"""
_REMOVE = "DELETE FROM webhooks WHERE account_id = $1 AND url <> ALL($2::text[])"
_DELETE = "DELETE FROM webhooks WHERE account_id = $1 AND url = $2 RETURNING id"
_URLS = """
SELECT account_id, url FROM webhooks WHERE account_id = ANY($1::uuid[]) ORDER BY account_id, id
"""


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved webhook."""

    webhook: Any  # reads like models.Webhook
    secret: str | None  # only if we generated it: it is shown this once


def vault_context(id: UUID) -> str:
    """Returns the vault's context of a webhook's secret."""
    return f"messenger_webhooks.secret:{id}"


async def probe(services: Services, urls: Sequence[str]) -> None:
    """Checks whether the URLs may be called, with DNS lookups; so call it before the transaction.

    Raises BadRequest, `webhook_url_refused` or `webhook_url_unresolved`.
    """
    for url in dict.fromkeys(urls[: MOST + 1]):
        try:
            await services.guard.probe(url)
        except UrlRefused as error:
            raise _refused(error) from None
        except CallFailed:
            raise BadRequest(
                "The webhook's host name can't be resolved. Check its spelling, or try again later.",
                code="webhook_url_unresolved",
            ) from None


def check(services: Services, url: str) -> None:
    """Checks a URL as far as possible without the network. Raises BadRequest `webhook_url_refused`."""
    try:
        services.guard.check(url)
    except UrlRefused as error:
        raise _refused(error) from None


async def save(
    db: asyncpg.Connection,
    services: Services,
    account_id: UUID,
    url: str,
    events: Sequence[str] | None = None,
    secret: str | None = None,
    maker: Maker = Maker(),
) -> Saved:
    """Adds a webhook, or changes the one with this URL. Runs in the caller's transaction; call `probe` before it.

    Raises BadRequest `invalid_secret` | `webhook_url_refused`, Conflict `too_many_webhooks`.
    """
    check(services, url)
    check_secret(secret)
    # Locks the account's row: two concurrent requests can't both add the last allowed one.
    await db.execute(_LOCK, account_id)
    event_types = None if events is None else list(dict.fromkeys(events))
    existing = await db.fetchval(_FIND, account_id, url)
    if existing is not None:
        sealed = services.vault.seal(secret, vault_context(existing)) if secret else None
        await end_waits(db, existing)
        return Saved(await db.fetchrow(_SAVE, existing, event_types, sealed, *maker.columns.values()), None)
    if await db.fetchval(_COUNT, account_id) >= MOST:
        raise _too_many()
    id, made = uuid7(), secret or new_secret()
    row = await db.fetchrow(
        _ADD, id, account_id, url, event_types or [], services.vault.seal(made, vault_context(id)),
        *maker.columns.values(),
    )  # fmt: skip
    return Saved(row, None if secret else made)


async def save_of_feed(
    db: asyncpg.Connection,
    services: Services,
    owner_id: UUID,
    url: str,
    columns: Mapping[str, Any],
    secret: str | None,
) -> Saved:
    """Adds a webhook of the owner's event feed, which is open. It receives the events behind the feed's last position.

    `columns`: further columns by their names. Runs in the caller's transaction; call `probe` before it. Raises
    BadRequest `invalid_secret` | `webhook_url_refused`, Conflict `too_many_webhooks`.
    """
    check(services, url)
    check_secret(secret)
    # Locks the feed's row: two concurrent requests can't both add the last allowed one.
    feed = await event_feed.lock(db, owner_id)
    if feed is None or not feed.recording or feed.pending:
        raise Unavailable("The event feed was disabled at the same time. Try again.", code="feed_not_ready")
    if await db.fetchval(_COUNT_OF_FEED, owner_id) >= MOST_OF_FEED:
        raise Conflict(
            f"You may have at most {MOST_OF_FEED} webhooks. Delete one first.", code="too_many_webhooks"
        )
    id, made = uuid7(), secret or new_secret()
    values = {
        "id": id,
        "owner_id": owner_id,
        "url": url,
        "secret_encrypted": services.vault.seal(made, vault_context(id)),
        "position": feed.last_position,
        **columns,
    }
    parameters = ", ".join(f"${number}" for number in range(1, len(values) + 1))
    row = await db.fetchrow(
        f"INSERT INTO webhooks ({', '.join(values)}) VALUES ({parameters})"  # noqa: S608  our own names
        f" RETURNING {COLUMNS}",
        *values.values(),
    )
    return Saved(row, None if secret else made)


async def change(db: asyncpg.Connection, id: UUID, columns: Mapping[str, Any]) -> Any:
    """Changes columns of a webhook, by their names, and makes a running delivery read them. Returns the row."""
    sets = "".join(f"{name} = ${number}, " for number, name in enumerate(columns, 2))
    return await db.fetchrow(
        f"UPDATE webhooks SET {sets}quiet_until = NULL, version = version + 1,"  # noqa: S608  our own names
        f" wakes = wakes + 1, updated_at = now() WHERE id = $1 RETURNING {COLUMNS}",
        id,
        *columns.values(),
    )


def keys_of(services: Services, id: UUID, *secrets: bytes | None) -> list[bytes]:
    """Returns the keys of a webhook's encrypted secrets; those that can't be read are left out."""
    return keys_in(services, vault_context(id), *secrets)


def keys_in(services: Services, context: str, *secrets: bytes | None) -> list[bytes]:
    """Returns the keys of secrets that are encrypted for a context; those that can't be read are left out."""
    keys = []
    for secret in secrets:
        try:
            if secret is not None:
                keys.append(key_of(services.vault.open(secret, context)))
        except (Sealed, ValueError):
            log.warning("a webhook's secret can't be read", secret=context)
    return keys


def check_secret(secret: str | None) -> None:
    """Checks a secret of the user. Raises BadRequest `invalid_secret`."""
    try:
        if secret is not None:
            key_of(secret)
    except BadSecret as error:
        raise BadRequest(f"{error}.", code="invalid_secret") from None


async def end_waits(db: asyncpg.Connection, id: UUID) -> None:
    """Forgets the failures of a webhook and of its events, which are tried at once: a user says that it works."""
    await db.execute(_NO_WAIT, id)


async def replace(
    db: asyncpg.Connection,
    services: Services,
    account_id: UUID,
    urls: Sequence[str] | None,
    maker: Maker = Maker(),
) -> None:
    """Makes these URLs the only webhooks of the account; existing ones keep their settings. `[]` removes all, None
    changes nothing.

    Runs in the caller's transaction; call `probe` before it. Raises BadRequest `webhook_url_refused`, Conflict
    `too_many_webhooks`.
    """
    if urls is None:
        return
    requested = list(dict.fromkeys(url.strip() for url in urls))
    if len(requested) > MOST:
        raise _too_many()
    await db.execute(_LOCK, account_id)
    await db.execute(_REMOVE, account_id, requested)
    existing = set((await urls_of(db, [account_id]))[account_id])
    for url in requested:
        if url not in existing:
            await save(db, services, account_id, url, maker=maker)


async def remove(db: asyncpg.Connection, account_id: UUID, url: str) -> bool:
    """Deletes an endpoint and its queued events. Returns whether it existed."""
    return await db.fetchval(_DELETE, account_id, url) is not None


async def urls_of(db: Reads, account_ids: Sequence[UUID]) -> Mapping[UUID, list[str]]:
    """Returns the URLs of each account, oldest first; `[]` for accounts without any."""
    by_account: dict[UUID, list[str]] = {id: [] for id in account_ids}
    for row in await db.fetch(_URLS, list(by_account)):
        by_account[row["account_id"]].append(row["url"])
    return by_account


def _refused(error: UrlRefused) -> BadRequest:
    next_step = "Use another address."
    if error.code == "url_private":
        next_step = (
            "Use a public address, or ask the operator to allow its network in POSTERN_OUTBOUND_ALLOW."
        )
    return BadRequest(
        f"This webhook can't be called: {error.reason}. {next_step}",
        code="webhook_url_refused",
        details={"reason": error.code},
    )


def _too_many() -> Conflict:
    return Conflict(
        f"An account may have at most {MOST} webhooks. Delete one first.", code="too_many_webhooks"
    )
