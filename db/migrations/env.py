"""Alembic's entry: a transaction a migration, all under one advisory lock, with a bounded wait for tables."""

from alembic import context
from sqlalchemy import Connection, text

from db.models import Base

_LOCK = 7_261_551  # any constant: two processes that start together migrate one after the other


def run(connection: Connection) -> None:
    connection.execute(text("SET statement_timeout = 0"))
    # However long the other one takes: it migrates for both.
    connection.execute(text("SET lock_timeout = 0"))
    connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": _LOCK})
    connection.execute(text("SET lock_timeout = '10s'"))
    connection.commit()
    try:
        context.configure(
            connection=connection,
            target_metadata=Base.metadata,
            compare_server_default=False,
            transaction_per_migration=True,  # so that one can build an index with autocommit_block()
        )
        with context.begin_transaction():
            context.run_migrations()
    finally:
        connection.rollback()
        connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": _LOCK})
        connection.commit()


run(context.config.attributes["connection"])
