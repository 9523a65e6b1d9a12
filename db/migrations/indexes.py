"""Building an index of a table that is in use, from a migration."""

from alembic import op


def build(name: str, on: str, *, unique: bool = False) -> None:
    """Builds an index without blocking writes: `build("ix_messages_trials", "messages (owner_id, id) WHERE trial")`.

    What the migration did before is committed first, so it must be repeatable (IF NOT EXISTS). An index that an
    earlier, interrupted run left behind is replaced. Building waits for every older transaction of the database, such
    as a backup's, and blocks nobody meanwhile: so the wait for locks is much longer than elsewhere.
    """
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '6h'")
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        op.execute(f"CREATE {'UNIQUE ' if unique else ''}INDEX CONCURRENTLY {name} ON {on}")
        op.execute("SET lock_timeout = '10s'")


def drop(name: str) -> None:
    """Drops an index without blocking writes. What the migration did before is committed first, as by `build`."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '6h'")
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        op.execute("SET lock_timeout = '10s'")
