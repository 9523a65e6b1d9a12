"""Reads the accounts that pay for messages, each at most once for concurrent requests."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from cachetools import TTLCache
from sqlalchemy import select

from db import models
from db.query import Query, p
from db.session import Database
from engine.direct.new_messages import PAYER
from runtime.group_commit import GroupCommit

_OLDEST_ACCOUNTS, _OLDEST_SECONDS = 10_000, 1.0  # that are remembered, and for how long
_OLDEST: Query[Any] = Query(
    models.Account,
    select(models.Account.id.label("id"))
    .where(models.Account.owner_id == p("owner_id"))
    .order_by(models.Account.id)
    .limit(1),
)


class Payers(GroupCommit[tuple[UUID | None, UUID | None], Any]):
    """Reads paying accounts. Concurrent requests of one account share a read that begins after they have arrived."""

    def __init__(self, db: Database) -> None:
        super().__init__(self._read)
        self._db = db
        # The oldest account of each user. It is another one only after an administrator gave another user an account.
        self._oldest: TTLCache[UUID, UUID] = TTLCache(_OLDEST_ACCOUNTS, _OLDEST_SECONDS)

    async def _read(self, requests: Sequence[tuple[UUID | None, UUID | None]]) -> Sequence[Any]:
        """Reads the account of requests that are all the same: the id of an account, or of its owner."""
        id, owner_id = requests[0]
        payer = None
        if owner_id is not None:
            id = await self._oldest_of(owner_id)
        if id is not None:
            payer = await self._db.fetchrow(PAYER, id)
        if owner_id is not None and payer is not None and payer.owner_id != owner_id:
            self._oldest.pop(owner_id, None)
            return await self._read(requests)
        return [payer] * len(requests)

    async def _oldest_of(self, owner_id: UUID) -> UUID | None:
        id = self._oldest.get(owner_id)
        if id is None and (row := await _OLDEST.first(self._db, owner_id=owner_id)) is not None:
            id = self._oldest[owner_id] = row.id
        return id
