"""Reads the accounts that pay for messages, each at most once for concurrent requests."""

from typing import Any, NamedTuple
from uuid import UUID

from cachetools import TTLCache
from sqlalchemy import select

from db import models
from db.query import Query, p
from db.session import Database
from engine.direct.new_messages import PAYER
from resolvers.templates.template_rows import HEAD
from runtime.group_commit import SharedReads

_OLDEST_ACCOUNTS, _OLDEST_SECONDS = 10_000, 1.0  # that are remembered, and for how long
_OLDEST: Query[Any] = Query(
    models.Account,
    select(models.Account.id.label("id"))
    .where(models.Account.owner_id == p("owner_id"))
    .order_by(models.Account.id)
    .limit(1),
)
# With what is published under the key of a template: a message by a template needs no read more than another one.
_WITH_TEMPLATE = f"""
SELECT p.*, to_jsonb(h) AS template FROM ({PAYER}) AS p
LEFT JOIN LATERAL ({HEAD.format(owner="p.owner_id", key="$2", number="$3")}) AS h ON true
"""  # noqa: S608  our own statements


class TemplateRequest(NamedTuple):
    """The template that a message names; without a number its newest version."""

    key: str
    number: int | None


class PayerRequest(NamedTuple):
    """The account with an id, or the oldest one of an owner."""

    id: UUID | None
    owner_id: UUID | None
    template: TemplateRequest | None = None


class Payers(SharedReads[PayerRequest, Any]):
    """Reads paying accounts."""

    def __init__(self, db: Database) -> None:
        super().__init__(self._payer)
        self._db = db
        # The oldest account of each user. It is another one only after an administrator gave another user an account.
        self._oldest: TTLCache[UUID, UUID] = TTLCache(_OLDEST_ACCOUNTS, _OLDEST_SECONDS)

    async def _payer(self, request: PayerRequest) -> Any:
        id, owner_id, template = request
        payer = None
        if owner_id is not None:
            id = await self._oldest_of(owner_id)
        if id is not None:
            sql, more = (PAYER, ()) if template is None else (_WITH_TEMPLATE, template)
            payer = await self._db.fetchrow(sql, id, *more)
        if owner_id is not None and payer is not None and payer.owner_id != owner_id:
            self._oldest.pop(owner_id, None)
            return await self._payer(request)
        return payer

    async def _oldest_of(self, owner_id: UUID) -> UUID | None:
        id = self._oldest.get(owner_id)
        if id is None and (row := await _OLDEST.first(self._db, owner_id=owner_id)) is not None:
            id = self._oldest[owner_id] = row.id
        return id
