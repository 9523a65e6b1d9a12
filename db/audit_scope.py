"""Says who makes the changes of a transaction, for the triggers that write the audit (decision 0057).

While an operation runs, every transaction that it begins has the setting `postern.audit`, which is what `about`
returns. Without it the triggers do nothing: workers change rows, too, and their changes are no person's.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import asyncpg

# For this transaction alone: nothing is left on a connection that others use later, also behind a pooler. A function,
# and no SET, since pg_stat_statements keeps each SET apart.
_SET = " SELECT set_config('postern.audit', '{}', true)"
_QUOTE = r"\u0027"  # a quotation mark in JSON, where only strings can have any: so nothing ends the literal


@dataclass(slots=True)
class _Scope:
    about: str | None  # None: it has ended. A task that was started in it may live longer


_SCOPE: ContextVar[_Scope | None] = ContextVar("audit_scope", default=None)


def about() -> str | None:
    """Returns the JSON that tells of the caller; None: changes are not audited now."""
    scope = _SCOPE.get()
    return None if scope is None else scope.about


@contextmanager
def audited(about: str) -> Iterator[None]:
    """Has the changes of all transactions that begin in it audited."""
    scope = _Scope(about)
    token = _SCOPE.set(scope)
    try:
        yield
    finally:
        scope.about = None
        _SCOPE.reset(token)


class AuditedConnection(asyncpg.Connection):  # type: ignore[misc]  # asyncpg has no types
    """A connection whose transactions say at their begin who makes the changes in them, if they are audited.

    The setting goes with BEGIN: by a round trip of its own, a transaction took half as long again.
    """

    async def execute(self, query: str, *args: Any, **options: Any) -> str:
        if query.startswith("BEGIN") and (text := about()) is not None:
            query += _SET.format(text.replace("'", _QUOTE))
        return str(await super().execute(query, *args, **options))
