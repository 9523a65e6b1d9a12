"""Webhooks and event sinks that an API token or a member has saved: they end with it, or stay with their owner."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import asyncpg

_TABLES: Final = ("webhooks", "event_sinks")
_END: Final = """
UPDATE {table} SET enabled = false, disabled_reason = '{reason}', version = version + 1, updated_at = now()
WHERE {whose} AND enabled
"""
_KEEP: Final = "UPDATE {table} SET {column} = NULL, updated_at = now() WHERE {whose}"
_OF_TOKEN: Final = "api_token_id = $1"
_OF_MEMBER: Final = "owner_id = $1 AND saved_by = $2"


@dataclass(frozen=True, slots=True)
class Saver:
    """Says who saves a webhook or a sink, which ends with the API token and the membership of this caller."""

    token_id: UUID | None = None
    member_id: UUID | None = None
    """The member who acts for the owner; None means the owner."""
    scopes: Sequence[str] | None = None
    """The member's permissions. Those of a token are looked up when an event comes."""

    @property
    def columns(self) -> dict[str, Any]:
        return {"api_token_id": self.token_id, "saved_by": self.member_id, "query_scopes": self.scopes}


async def end_with_token(db: asyncpg.Connection, token_id: UUID, *, keep: bool) -> None:
    """Switches off what an API token has made, or leaves it to the owner. The token ends now."""
    for table in _TABLES:
        if keep:
            statement = _KEEP.format(table=table, column="api_token_id", whose=_OF_TOKEN)
        else:
            statement = _END.format(table=table, reason="its API token was revoked", whose=_OF_TOKEN)
        await db.execute(statement, token_id)


async def end_with_member(db: asyncpg.Connection, owner_id: UUID, member_id: UUID, *, keep: bool) -> None:
    """Switches off what a member has made, or leaves it to the owner. The membership ends now."""
    for table in _TABLES:
        if keep:
            statement = _KEEP.format(table=table, column="saved_by", whose=_OF_MEMBER)
        else:
            reason = "the member who has made it was removed"
            statement = _END.format(table=table, reason=reason, whose=_OF_MEMBER)
        await db.execute(statement, owner_id, member_id)
