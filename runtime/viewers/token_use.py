"""Records when an API token was used and refused last, and a hook secret used, for its user: after the request, and at
most once a minute.

    request ──► `used` or `refused` ──► nothing, if this process has recorded the same for this token in this minute
                                   └──► a GroupCommit, which writes those of concurrent requests in one statement

Nothing waits for it, and nothing fails by it: what can't be written is lost. A trigger of the table makes the event
`apiToken.refused`, so a refusal is written at most once an hour, whichever process it happened in.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from cachetools import TTLCache

from core.tasks import ignore_result
from db.session import Database
from runtime.group_commit import LAST_SECONDS, GroupCommit, NotStarted
from runtime.viewers.login_state import Address

_MINUTE = 60.0
_MOST = 10_000  # tokens of which this process knows what it has recorded in the last minute

# A row that is locked, by a change of the token for example, is left out: no request waits for this.
_WRITE = """
WITH noted AS (
  SELECT id, max(at) AS at, max(ip) AS ip, max(refusal) AS refusal
  FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[]) AS n (id, at, ip, refusal)
  GROUP BY id
), free AS (
  SELECT id FROM api_tokens WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
), told AS (
  SELECT noted.*, noted.refusal IS NOT NULL
         AND (t.last_refused_at IS NULL OR t.last_refused_at < noted.at - interval '1 hour') AS tells
  FROM noted JOIN free USING (id) JOIN api_tokens AS t USING (id)
)
UPDATE api_tokens AS t
SET last_used_at = greatest(t.last_used_at, told.at), last_used_ip = coalesce(told.ip, t.last_used_ip),
    last_refused_at = CASE WHEN told.tells THEN told.at ELSE t.last_refused_at END,
    last_refusal = CASE WHEN told.tells THEN told.refusal ELSE t.last_refusal END
FROM told WHERE t.id = told.id
"""
_WRITE_HOOKS = """
UPDATE hook_secrets AS s SET last_used_at = greatest(s.last_used_at, noted.at)
FROM (SELECT id, max(at) AS at FROM unnest($1::uuid[], $2::timestamptz[]) AS n (id, at) GROUP BY id) AS noted
WHERE s.id IN (SELECT id FROM hook_secrets WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
  AND s.id = noted.id
"""


class _Use(NamedTuple):
    token_id: UUID
    at: datetime
    address: str | None
    refusal: str | None  # the permission that the token lacked, or the code of the error


class TokenUses:
    """The uses of API tokens, and of hook secrets, in this process."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._recorded: TTLCache[tuple[UUID, str | None], bool] = TTLCache(_MOST, _MINUTE)
        self._writes: GroupCommit[_Use, None] = GroupCommit(self._write)
        self._hook_writes: GroupCommit[tuple[UUID, datetime], None] = GroupCommit(self._write_hooks)

    def used(self, token_id: UUID, address: Callable[[], Address | None]) -> None:
        """Records that a request was made with the token, from this address."""
        self._record(token_id, address, None)

    def hook_used(self, secret_id: UUID) -> None:
        """Records that a request was proven by a hook secret or a hook key."""
        if (secret_id, None) not in self._recorded:
            self._recorded[secret_id, None] = True
            ignore_result(asyncio.create_task(self._hook_writes.join("", (secret_id, self._db.now()))))

    def refused(self, token_id: UUID, address: Callable[[], Address | None], refusal: str) -> None:
        """Records that a request was refused because of what the token is limited to."""
        self._record(token_id, address, refusal)

    def _record(self, token_id: UUID, address: Callable[[], Address | None], refusal: str | None) -> None:
        if (token_id, refusal) in self._recorded:
            return
        self._recorded[token_id, refusal] = True
        ip = address()
        use = _Use(token_id, self._db.now(), None if ip is None else str(ip), refusal)
        ignore_result(asyncio.create_task(self._writes.join("", use)))

    async def _write(self, uses: Sequence[_Use]) -> Sequence[None]:
        await self._db.fetch(_WRITE, *([*column] for column in zip(*uses, strict=True)))
        return [None] * len(uses)

    async def _write_hooks(self, uses: Sequence[tuple[UUID, datetime]]) -> Sequence[None]:
        await self._db.fetch(_WRITE_HOOKS, *([*column] for column in zip(*uses, strict=True)))
        return [None] * len(uses)

    async def close(self) -> None:
        """Ends what is being written, within a bounded time."""
        with suppress(NotStarted):
            await self._writes.close(LAST_SECONDS)
        with suppress(NotStarted):
            await self._hook_writes.close(LAST_SECONDS)
