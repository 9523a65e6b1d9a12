"""Translates errors of a broken or busy PostgreSQL into an AppError; any other error is a bug and stays as it is."""

import asyncpg
import sqlalchemy.exc as sa

from core.errors import AppError, Conflict, DiskFull, Unavailable, ValidationFailed, disk_full

_RETRY = {"40001", "40P01"}  # serialization failure, deadlock
_NEVER_NEGATIVE = "ck_accounts_balance_never_negative"


def sqlstate(error: BaseException) -> str | None:
    """Returns PostgreSQL's error code, or None if the error has none."""
    original = getattr(error, "orig", error)
    return getattr(original, "sqlstate", None) or getattr(original, "pgcode", None)


def retryable(error: BaseException) -> bool:
    """Returns whether the transaction lost against a concurrent one and may succeed if it runs again.

    A charge that has waited for a credit is one of them: PostgreSQL checks the row that it makes of the balance from
    before the credit, and only then looks whether the row has changed. All charges look at the balance before they are
    made. Another is a statement whose plan a migration has made stale: it is prepared anew for the next try.
    """
    return sqlstate(error) in _RETRY or _constraint(error) == _NEVER_NEGATIVE or _stale(error)


def _stale(error: BaseException) -> bool:
    """Returns whether a migration changed a table under a prepared statement. asyncpg repeats such a statement itself
    where it is in no transaction.
    """
    original = getattr(error, "orig", error)
    return isinstance(original, asyncpg.InvalidCachedStatementError) or isinstance(
        original.__cause__, asyncpg.InvalidCachedStatementError
    )


def _constraint(error: BaseException) -> str | None:
    original = getattr(error, "orig", error)
    return getattr(original, "constraint_name", None) or getattr(original.__cause__, "constraint_name", None)


def translate(error: Exception) -> AppError | None:
    """Returns the AppError for an error of the database, or None if it is a bug."""
    if isinstance(error, Unavailable):  # it was translated where it happened
        return error
    if isinstance(error, sa.TimeoutError):
        return Unavailable("The database is busy. Try again in a moment.", code="database_busy")
    if _stale(error):
        return Unavailable(
            "The database has just been upgraded. Try again in a moment.", code="database_busy"
        )
    if isinstance(error, (sa.DBAPIError, asyncpg.PostgresError)):
        return _by_state(sqlstate(error) or "", error)
    if disk_full(error):
        return DiskFull("The disk")
    # InternalClientError: the server died while it was answering.
    if isinstance(error, (asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)):
        return _gone()
    return None


def is_gone(error: AppError | None) -> bool:
    """Returns whether a translated error says that the database can't be reached."""
    return isinstance(error, Unavailable) and error.code == "database_unavailable"


def _gone() -> AppError:
    return Unavailable("The database can't be reached. Try again in a moment.", code="database_unavailable")


def _by_state(state: str, error: Exception) -> AppError | None:
    if state in _RETRY:
        return Conflict("Another request changed the same data. Try again.", code="concurrent_change")
    if state in ("55P03", "57014"):
        return Unavailable(
            "The database took too long to answer. Try again in a moment.", code="database_busy"
        )
    if state == "53100":
        return DiskFull("The database's disk")
    # 25006: a standby that is not promoted yet; 55000: a database that accepts no connections at the moment.
    if state[:2] in ("08", "53", "57") or state in ("25006", "55000"):
        return _gone()
    if state in ("22000", "22021", "22P05", "22P02", "54001"):
        return ValidationFailed(
            ["the request contains text that can't be stored (a NUL character or invalid Unicode); remove it"]
        )
    if state == "22003":
        return ValidationFailed(
            ["a number in the request, or its result, is too large to be stored; use a smaller one"]
        )
    if isinstance(error, sa.InterfaceError) or (
        isinstance(error, sa.DBAPIError) and (error.connection_invalidated or not state)
    ):
        return (
            _gone()
            if "invalid input" not in str(error)
            else ValidationFailed(
                [
                    "the request contains a value that can't be stored; check the types and ranges of its fields"
                ]
            )
        )
    return None
