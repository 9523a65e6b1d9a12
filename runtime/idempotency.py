"""Idempotency keys (draft-ietf-httpapi-idempotency-key-header): the first response is stored with its effect.

The response is written in the operation's own transaction, so effect and response are committed together. What is
stored is the row that the operation returned, so both doors replay the same. A key counts for one caller and one
operation.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import asyncpg
import orjson
from pydantic import BaseModel, TypeAdapter
from pydantic_core import to_jsonable_python
from sqlalchemy import Numeric, inspect

from core.errors import Conflict, Unprocessable
from db import models
from db.query import Reads, columns

_VALID = timedelta(hours=24)


KeyRow = tuple[UUID, str, str, bytes, int]
KEY_COLUMNS = {
    "user_id": "uuid",
    "operation": "text",
    "key": "text",
    "fingerprint": "bytea",
    "lock": "bigint",
}


@dataclass(frozen=True, slots=True)
class Replay:
    """An earlier response that is returned again."""

    value: Any


# The columns are bound and read as text: SQLAlchemy's connections have other JSON codecs than the pool of the reads.
_FIND = """
SELECT fingerprint, answer::text AS answer FROM idempotency_keys
WHERE user_id = $1 AND operation = $2 AND key = $3 AND expires_at > now()
"""
_FIND_ALL = """
SELECT key, fingerprint, answer::text AS answer FROM idempotency_keys
WHERE user_id = $1 AND operation = $2 AND key = ANY($3) AND expires_at > now()
"""
STORE = f"""
INSERT INTO idempotency_keys (user_id, operation, key, fingerprint, answer, expires_at)
SELECT r.user_id, r.operation, r.key, r.fingerprint, r.answer, now() + interval '{_VALID.total_seconds():.0f} seconds'
FROM {{rows}} AS r WHERE r.key IS NOT NULL
ON CONFLICT (user_id, operation, key) DO UPDATE SET
  fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
"""  # noqa: S608  our own number
"""Stores the answers of `rows`, an SQL expression with the columns user_id, operation, key, fingerprint and answer."""

_STORE = STORE.format(
    rows="(SELECT $1::uuid AS user_id, $2::text AS operation, $3::text AS key, $4::bytea AS fingerprint,"
    " $5::text::jsonb AS answer)"
)


class StoredAnswer:
    """Stores the answer of an operation as JSON, and makes the answer again from that."""

    def __init__(self, types: Callable[[], Mapping[str, Any]], make: Callable[[dict[str, Any]], Any]) -> None:
        """`types` gives the type of each attribute that is stored; `make` makes an answer of these attributes."""
        self._types = types
        self._make = make

    @cached_property
    def _adapters(self) -> dict[str, TypeAdapter[Any]]:
        return {name: TypeAdapter(type) for name, type in self._types().items()}

    def dump(self, answer: Any) -> bytes:
        """Returns the attributes of an answer as JSON."""
        return orjson.dumps(self.plain(answer))

    def load(self, text: str) -> Any:
        """Returns the answer that was stored."""
        return self.made(orjson.loads(text))

    def plain(self, answer: Any) -> dict[str, Any]:
        """Returns the attributes of an answer as what JSON has types for."""
        values: dict[str, Any] = to_jsonable_python({name: getattr(answer, name) for name in self._adapters})
        return values

    def made(self, stored: Mapping[str, Any]) -> Any:
        """Returns the answer of what `plain` has returned."""
        return self._make(
            {
                name: adapter.validate_python(stored.get(name), strict=False)
                for name, adapter in self._adapters.items()
            }
        )


def stored_model(model: type[models.Base]) -> StoredAnswer:
    """Stores all columns of a model. What is made again is only an answer: no session knows it."""

    def make(values: dict[str, Any]) -> models.Base:
        row = model()
        row.__dict__.update(values)  # past SQLAlchemy's change tracking: this row must never be written
        return row

    return StoredAnswer(lambda: _types(columns(model)), make)


def model_answer(model: type[models.Base], table: str) -> str:
    """Returns the SQL expression for the answer that `stored_model(model)` stores of a row of `table`."""
    pairs = (
        f"'{attribute.key}', {table}.\"{attribute.columns[0].name}\"{_as_text(attribute.columns[0])}"
        for attribute in inspect(model).column_attrs
    )
    return f"jsonb_build_object({', '.join(pairs)})"


def _as_text(column: Any) -> str:
    """Returns the cast that keeps all digits of a number: JSON's are read as floats."""
    return "::text" if isinstance(column.type, Numeric) else ""


def stored_columns(labelled: Sequence[Any]) -> StoredAnswer:
    """Stores a row of these labelled SQL expressions."""
    return StoredAnswer(lambda: _types(labelled), lambda values: SimpleNamespace(**values))


def stored_shape(shape: type[BaseModel]) -> StoredAnswer:
    """Stores a shape."""
    return StoredAnswer(
        lambda: {name: field.annotation for name, field in shape.model_fields.items()},
        lambda values: shape.model_construct(**values),
    )


def _types(labelled: Sequence[Any]) -> dict[str, Any]:
    return {column.key: column.type.python_type | None for column in labelled}


class Attempt:
    """One call with a key: `begin` finds the earlier response or locks the key, `finish` stores the new one.

    Both run in the operation's transaction. A statement that joins several requests does the same for all of them:
    it takes their `row`, and `STORE` and `model_answer` are a part of it.
    """

    def __init__(
        self, stored: StoredAnswer, user_id: UUID, operation: str, key: str, arguments: Mapping[str, Any]
    ) -> None:
        self._stored = stored
        self._key = (user_id, operation, key)
        self._fingerprint = _fingerprint(arguments)
        self._lock = int.from_bytes(hashlib.sha256(repr(self._key).encode()).digest()[:8], signed=True)

    @property
    def row(self) -> KeyRow:
        """Returns the values of `KEY_COLUMNS`, for a statement that joins several requests."""
        return (*self._key, self._fingerprint, self._lock)

    async def look(self, db: Reads) -> Replay | None:
        """Returns an earlier response, without locking the key. Raises Unprocessable."""
        return self.stored_replay(await db.fetchrow(_FIND, *self._key))

    @classmethod
    async def look_for_all(
        cls, db: Reads, attempts: Sequence["Attempt"]
    ) -> "list[Replay | Unprocessable | None]":
        """Works as `look` does for several keys of one caller and operation, by one statement. The error of a key that
        was used for another request is in the list.
        """
        if not attempts:
            return []
        user_id, operation, *_ = attempts[0].row
        keys = [attempt.row[2] for attempt in attempts]
        rows = {row["key"]: row for row in await db.fetch(_FIND_ALL, user_id, operation, keys)}
        results: list[Replay | Unprocessable | None] = []
        for attempt, key in zip(attempts, keys, strict=True):
            try:
                results.append(attempt.stored_replay(rows.get(key)))
            except Unprocessable as error:
                results.append(error)
        return results

    async def begin(self, db: asyncpg.Connection) -> Replay | None:
        """Locks the key and returns an earlier response, if there is one.

        Raises Conflict while the first call is still running, Unprocessable if its arguments were different.
        """
        if not await db.fetchval("SELECT pg_try_advisory_xact_lock($1)", self._lock):
            raise in_flight()
        return self.stored_replay(await db.fetchrow(_FIND, *self._key))

    def stored_replay(self, row: Any) -> Replay | None:
        """Returns the earlier response of a row that was stored for the key. Raises Unprocessable."""
        if row is None:
            return None
        if row["fingerprint"] != self._fingerprint:
            raise key_reused()
        return self.replay(row["answer"])

    def replay(self, answer: str) -> Replay:
        """Returns the earlier response that was stored as `answer`."""
        return Replay(self._stored.load(answer))

    async def finish(self, db: asyncpg.Connection, answer: Any) -> None:
        """Stores the response of the first call for 24 hours."""
        await db.execute(_STORE, *self._key, self._fingerprint, self._stored.dump(answer).decode())


def in_flight() -> Conflict:
    """Returns the error for a key whose first request is still being processed."""
    return Conflict(
        "The first request with this Idempotency-Key is still being processed. Try again in a moment.",
        code="idempotency_in_flight",
    )


def key_reused() -> Unprocessable:
    """Returns the error for a key that was used for a request with other arguments."""
    return Unprocessable(
        "This Idempotency-Key was used for a different request. Use a new key for a new request."
    )


def _fingerprint(arguments: Mapping[str, Any]) -> bytes:
    plain = to_jsonable_python(dict(arguments))
    return hashlib.sha256(orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)).digest()
