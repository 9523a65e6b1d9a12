"""Rotates POSTERN_SECRET_KEY: secrets encrypted under older keys are encrypted again under the newest one.

docs/operations.md has the steps for an operator. A key may be removed from POSTERN_SECRET_KEY_OLD when no row is
encrypted under it and the unsubscribe links that it signed are 90 days old; `postern doctor` reports this.
"""

import hashlib
import hmac
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import asyncpg
import structlog

from core.vault import Sealed, Vault
from db.session import Database
from engine.direct import withheld_codes
from engine.domains import dkim_keys
from engine.jobs import every
from engine.reconciliations import signing_keys
from engine.sms.route_rules import DSN_CONTEXT
from runtime.leases import leased
from runtime.services import Services

log = structlog.get_logger("postern.engine")

LINK_LIFETIME: Final = timedelta(days=90)
_SECONDS: Final = 600.0
_LEASE: Final = 60.0  # seconds
_BITE: Final = 200  # rows per statement


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of secrets. `context` is the vault's context before the row's id."""

    table: str
    name: str
    context: str
    rows: str = "true"  # which rows hold a secret


SOURCE_TOKENS: Final = _Column("source_accounts", "token_encrypted", "source_accounts.token")
_COLUMNS: Final = (
    SOURCE_TOKENS,
    _Column("messenger_accounts", "session_encrypted", "messenger_accounts.session"),
    _Column("messenger_accounts", "credentials_encrypted", "messenger_accounts.credentials"),
    _Column("messenger_accounts", "proxy_encrypted", "messenger_accounts.proxy"),
    _Column("webhooks", "secret_encrypted", "messenger_webhooks.secret"),
    _Column("webhooks", "old_secret_encrypted", "messenger_webhooks.secret"),
    _Column("callback_secrets", "secret_encrypted", "callback_secrets.secret"),
    _Column("callback_secrets", "old_secret_encrypted", "callback_secrets.secret"),
    _Column("event_sinks", "url_encrypted", "event_sinks.url"),
    _Column("second_factors", "secret_encrypted", "second_factors.secret"),
    _Column("audit_keys", "secret_encrypted", "audit_keys.secret"),
    _Column("routes", "dsn_encrypted", DSN_CONTEXT),
    _Column("dkim_keys", "key_encrypted", dkim_keys.CONTEXT),
    _Column("signing_keys", "key_encrypted", signing_keys.CONTEXT),
    _Column("verification_codes", "code_encrypted", withheld_codes.CONTEXT),
    _Column("hook_secrets", "value", "hook_secrets", "kind = 'secret'"),
)

# The time from which and until which a key was the newest one.
_USED = """
INSERT INTO secret_keys AS k (id) VALUES ($1)
ON CONFLICT (id) DO UPDATE SET last_used_at = now()
"""
_KEYS = "SELECT id, first_used_at, last_used_at FROM secret_keys"
_BY_PREFIX = """
SELECT encode(substring({name} FROM 1 FOR 5), 'hex') AS prefix, count(*) AS rows FROM {table}
WHERE {rows} AND length({name}) > 0 GROUP BY 1
"""
_OTHERS = """
SELECT id, {name} AS sealed FROM {table}
WHERE {rows} AND length({name}) > 0 AND substring({name} FROM 1 FOR 5) <> $1 AND id > $2 ORDER BY id LIMIT $3
"""
# A concurrent change encrypts the secret under the newest key itself; then this statement changes nothing.
_REPLACE = "UPDATE {table} SET {name} = $3 WHERE id = $1 AND {name} = $2 RETURNING id"
_REPLACE_TOKEN = """
UPDATE source_accounts SET token_encrypted = $3, token_hash = $4 WHERE id = $1 AND token_encrypted = $2 RETURNING id
"""


@every(_SECONDS)
async def rotate(services: Services) -> None:
    """Encrypts secrets again that are not under the newest key. One worker at a time does it."""
    async with services.db.reading() as db:
        await db.execute(_USED, services.vault.key_ids[0].hex())
    async with leased(services.db, "secret_keys", _LEASE) as lease:
        if lease is None:
            return
        for column in _COLUMNS:
            written, closed = await _column(services, column)
            if written or closed:
                log.info(
                    "secrets were encrypted anew", table=column.table, column=column.name,
                    count=written, unreadable=closed,
                )  # fmt: skip


async def _column(services: Services, column: _Column) -> tuple[int, int]:
    """Returns how many secrets were encrypted anew, and how many no key of ours opens."""
    written = closed = 0
    vault, last = services.vault, UUID(int=0)
    while rows := await services.db.fetch(_sql(_OTHERS, column), vault.prefix, last, _BITE):
        last = rows[-1]["id"]
        for row in rows:
            try:
                secret = vault.open(row["sealed"], f"{column.context}:{row['id']}")
            except Sealed:
                closed += 1
                continue
            sealed = vault.seal(secret, f"{column.context}:{row['id']}")
            if column is SOURCE_TOKENS:
                done = await _replace_token(services, row["id"], row["sealed"], sealed, secret)
            else:
                done = await services.db.fetchval(_sql(_REPLACE, column), row["id"], row["sealed"], sealed)
            written += done is not None
    return written, closed


async def _replace_token(services: Services, id: UUID, old: bytes, sealed: bytes, token: str) -> UUID | None:
    """Returns the id, or None if the token was changed meanwhile."""
    try:
        updated: UUID | None = await services.db.fetchval(
            _REPLACE_TOKEN, id, old, sealed, token_hashes(services, token)[0]
        )
    except asyncpg.UniqueViolationError:  # a deleted row has this hash
        updated = await services.db.fetchval(_sql(_REPLACE, SOURCE_TOKENS), id, old, sealed)
    return updated


def token_hashes(services: Services, token: str) -> list[bytes]:
    """Returns the hashes of a source account's token under each key, the newest first.

    They tell accounts of one login apart; they are keyed, so that a stolen table does not allow trying tokens.
    """
    keys = services.keys("source_accounts.token")
    return [hmac.digest(key, token.encode(), hashlib.sha256) for key in keys]


@dataclass(frozen=True, slots=True)
class KeyStatus:
    """Shows the uses that prevent the removal of an older key."""

    id: str
    rows: int  # secrets under it; those without a key's id count for every older key
    signed_until: datetime  # the last time that it signed
    links_until: datetime  # its unsubscribe links are valid until then
    free: bool


async def key_statuses(db: Database, vault: Vault) -> list[KeyStatus]:
    """Returns the state of each key but the newest, in the order of POSTERN_SECRET_KEY_OLD."""
    under: Counter[str] = Counter()
    for column in _COLUMNS:
        for row in await db.fetch(_sql(_BY_PREFIX, column)):
            under[row["prefix"]] += row["rows"]
    seen: dict[str, Any] = {row["id"]: row for row in await db.fetch(_KEYS)}
    newest, *older = (id.hex() for id in vault.key_ids)
    nameless = sum(count for prefix, count in under.items() if not prefix.startswith("02"))
    statuses = []
    now = await db.fetchval("SELECT now()")
    for id in older:
        rows = under[f"02{id}"] + nameless
        # A key that is older than this record signed until the newest one came.
        if id in seen:
            until = seen[id]["last_used_at"]
        else:
            until = seen[newest]["first_used_at"] if newest in seen else now
        ends = until + LINK_LIFETIME
        statuses.append(KeyStatus(id, rows, until, ends, free=not rows and ends <= now))
    return statuses


def _sql(text: str, column: _Column) -> str:
    return text.format(table=column.table, name=column.name, rows=column.rows)
