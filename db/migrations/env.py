"""Alembic's entry: a transaction a migration. `db/migrate.py` holds the lock meanwhile."""

from alembic import context

from db.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    compare_server_default=False,
    transaction_per_migration=True,  # so that one can build an index with autocommit_block()
)
with context.begin_transaction():
    context.run_migrations()
