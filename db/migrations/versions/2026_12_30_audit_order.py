"""Entries of the audit have ids in the order in which they were written, also those of one transaction.

Their `created_at` is the transaction's, so pages showed entries that were written within one millisecond in any order.

Revision ID: 0067
Revises: 0066
"""

from alembic import op

revision = "0067"
down_revision = "0066"
branch_labels = None
depends_on = None

# RFC 9562, method 3 of its section 6.2: milliseconds, the version, and in rand_a the fraction of the millisecond.
_UUID7 = """
CREATE OR REPLACE FUNCTION postern_uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
SELECT encode(overlay(uuid_send(gen_random_uuid())
  PLACING int8send(us / 1000 << 16 | 28672 | us % 1000 * 4096 / 1000) FROM 1 FOR 8), 'hex')::uuid
FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS us) AS clock
$$
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    op.execute(_UUID7)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
