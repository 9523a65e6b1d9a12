"""Idempotency keys (draft-ietf-httpapi-idempotency-key-header): the first response is stored with its effect.

The response is written in the operation's own transaction, so effect and response are committed together. What is
stored is the row that the operation returned, so both doors replay the same. A key counts for one caller and one
operation.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

import asyncpg
import orjson
from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python
from sqlalchemy import inspect

from core.errors import Conflict, Unprocessable
from db import models
from db.query import Reads

_KEPT = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Replay:
    """An earlier response that is returned again."""

    value: Any


# The columns are bound and read as text: SQLAlchemy's connections have other JSON codecs than the pool of the reads.
_FIND = """
SELECT fingerprint, answer::text AS answer FROM idempotency_keys
WHERE user_id = $1 AND operation = $2 AND key = $3 AND expires_at > now()
"""
_KEEP = """
INSERT INTO idempotency_keys (user_id, operation, key, fingerprint, answer, expires_at)
VALUES ($1, $2, $3, $4, $5::text::jsonb, now() + $6)
ON CONFLICT (user_id, operation, key) DO UPDATE SET
  fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
"""


class Attempt:
    """One call with a key: `begin` finds the earlier response or locks the key, `finish` stores the new one.

    `model` is the class of the rows that the operation returns. Both run in the operation's transaction.
    """

    def __init__(
        self, model: type[models.Base], user_id: UUID, operation: str, key: str, arguments: Mapping[str, Any]
    ) -> None:
        self._model = model
        self._place = (user_id, operation, key)
        self._fingerprint = _fingerprint(arguments)

    async def look(self, db: Reads) -> Replay | None:
        """Returns an earlier response, without locking the key. Raises Unprocessable."""
        return self._replay(await db.fetchrow(_FIND, *self._place))

    async def begin(self, db: asyncpg.Connection) -> Replay | None:
        """Locks the key and returns an earlier response, if there is one.

        Raises Conflict while the first call is still running, Unprocessable if its arguments were different.
        """
        lock = int.from_bytes(hashlib.sha256(repr(self._place).encode()).digest()[:8], signed=True)
        if not await db.fetchval("SELECT pg_try_advisory_xact_lock($1)", lock):
            raise Conflict(
                "The first request with this Idempotency-Key is still being processed. Try again in a moment.",
                code="idempotency_in_flight",
            )
        return self._replay(await db.fetchrow(_FIND, *self._place))

    def _replay(self, row: Any) -> Replay | None:
        if row is None:
            return None
        if row["fingerprint"] != self._fingerprint:
            raise Unprocessable(
                "This Idempotency-Key was used for a different request. Use a new key for a new request."
            )
        return Replay(_restore(self._model, orjson.loads(row["answer"])))

    async def finish(self, db: asyncpg.Connection, answer: Any) -> None:
        """Stores the response of the first call for 24 hours."""
        kept = orjson.dumps(_keep(self._model, answer)).decode()
        await db.execute(_KEEP, *self._place, self._fingerprint, kept, _KEPT)


def _fingerprint(arguments: Mapping[str, Any]) -> bytes:
    plain = to_jsonable_python(dict(arguments))
    return hashlib.sha256(orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)).digest()


def _keep(model: type[models.Base], answer: Any) -> Any:
    return to_jsonable_python(
        {attribute.key: getattr(answer, attribute.key) for attribute in inspect(model).column_attrs}
    )


def _restore(model: type[models.Base], kept: dict[str, Any]) -> Any:
    row = model()
    for attribute in inspect(model).column_attrs:
        kind = attribute.columns[0].type.python_type
        value = TypeAdapter(cast(Any, kind | None)).validate_python(kept.get(attribute.key), strict=False)
        # Past SQLAlchemy's change tracking: this row is only a response and must never be written.
        row.__dict__[attribute.key] = value
    return row
