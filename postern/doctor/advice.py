"""Advises on a database that can't be used, for `postern doctor` and for every other command."""

import ssl

import asyncpg
import sqlalchemy.exc as sa

from core.settings import Settings
from db.dsn import location
from postern.doctor.findings import why


def advice(error: BaseException, setting: str = "DB_STRING") -> str:
    """Returns one sentence on what to do about an error of PostgreSQL or of the connection that `setting` names."""
    match error:
        case asyncpg.InvalidAuthorizationSpecificationError():
            return f"Correct user and password in {setting}, or pg_hba.conf."
        case asyncpg.InvalidCatalogNameError():
            return f"Create the database (createdb), or correct its name in {setting}."
        case asyncpg.InsufficientPrivilegeError():
            return f"The user of {setting} must own the database, or at least its schema."
        case asyncpg.UndefinedTableError() | asyncpg.UndefinedColumnError():
            return "Run: postern migrate"
        case asyncpg.ReadOnlySQLTransactionError():
            return f"{setting} must name the primary."
        case asyncpg.LockNotAvailableError() | asyncpg.QueryCanceledError():
            return "Something else holds it up; pg_stat_activity shows what. Try again."
        case asyncpg.DiskFullError():
            return "The disk of PostgreSQL is full; free space on it, and look for old WAL and logs there."
        case asyncpg.ProtocolViolationError():
            return "A pooler in between says so; docs/operations.md, PgBouncer."
        case asyncpg.TargetServerAttributeNotMatched():
            return (
                f"No host of {setting} takes writes. Patroni, if it runs, promotes a standby within its ttl; otherwise"
                " promote one."
            )
        case ssl.SSLError():
            return f"Correct sslmode and sslrootcert in {setting}, or tls and tls_ca_file in database.toml."
        case _:
            return "Is it running, and can this machine reach it? Its own log says more."


def fault(error: BaseException, settings: Settings) -> str | None:
    """Returns one line about an error of PostgreSQL or of the connection to it; None for any other error."""
    if isinstance(error, sa.DBAPIError) and error.orig is not None:
        error = error.orig.__cause__ or error.orig
    ours = isinstance(error, asyncpg.PostgresError | asyncpg.InterfaceError | asyncpg.InternalClientError)
    # An OSError of a file names the file, and commands open no other connections.
    away = isinstance(error, OSError) and error.filename is None
    if not (ours or away or isinstance(error, sa.SQLAlchemyError)):
        return None
    url = settings.db_string
    where = f"at {location(url.get_secret_value())}" if url else f"under {settings.data_dir}"
    # PostgreSQL's message is in the first line; the lines after it may quote a row.
    cause = why(error).partition("\n")[0].rstrip(".")
    return f"PostgreSQL {where}: {cause}. {advice(error)}"
