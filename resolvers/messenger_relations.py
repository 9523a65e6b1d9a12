"""What belongs to messenger accounts, of many at once. Whoever asks has checked that the caller may see them."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from db import models
from db.query import returning
from postern.services import Services

_HELD = "SELECT account_id FROM messenger_holds WHERE account_id = ANY($1::uuid[]) AND expires_at > now()"
_CHATS = f"""
SELECT recent.* FROM unnest($1::uuid[]) AS a (id) CROSS JOIN LATERAL (
  SELECT {returning(models.Chat, "messenger_chats")} FROM messenger_chats
  WHERE account_id = a.id AND last_at IS NOT NULL ORDER BY last_at DESC, id DESC LIMIT $2
) AS recent
"""  # noqa: S608  our own column names
_CONFIGS = """
SELECT c.account_id, a.source, a.login, c.name, c.config, c.updated_at
FROM messenger_configs AS c JOIN messenger_accounts AS a ON a.id = c.account_id
WHERE c.account_id = ANY($1::uuid[]) ORDER BY c.account_id, c.id
"""


async def held(services: Services, ids: Sequence[UUID]) -> set[UUID]:
    """Those that a process holds now."""
    return {row.account_id for row in await services.db.fetch(_HELD, [*ids])}


async def chats(services: Services, ids: Sequence[UUID], limit: int) -> Mapping[UUID, list[Any]]:
    """The last written first, at most `limit` of each."""
    return _grouped(ids, await services.db.fetch(_CHATS, [*ids], limit))


async def configs(services: Services, ids: Sequence[UUID]) -> Mapping[UUID, list[Any]]:
    """In the order in which they were first set."""
    return _grouped(ids, await services.db.fetch(_CONFIGS, [*ids]))


def _grouped(ids: Sequence[UUID], rows: Sequence[Any]) -> Mapping[UUID, list[Any]]:
    groups: dict[UUID, list[Any]] = {id: [] for id in ids}
    for row in rows:
        groups[row.account_id].append(row)
    return groups
