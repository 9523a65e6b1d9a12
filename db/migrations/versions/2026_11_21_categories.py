"""Categories of messages, scopes of blocks, and trial sends as rows of messages.

No table is rewritten, and the checks are validated after the commit that adds them, so that nobody waits for the scan.
"""

from alembic import op

from db.migrations.functions import change
from db.migrations.indexes import build

revision = "0011"
down_revision = "0020"

_COLUMNS = (
    ("messages", "category", "text DEFAULT 'transactional' NOT NULL"),
    ("messages", "trial", "boolean DEFAULT false NOT NULL"),
    ("sending_projects", "category", "text DEFAULT 'promotional' NOT NULL"),
    ("blocked_phones", "scope", "text DEFAULT 'all' NOT NULL"),
)
_CATEGORIES = "category IN ('transactional', 'promotional')"
_CHECKS = {
    ("messages", "category"): _CATEGORIES,
    ("messages", "channel"): "channel IN ('sms', 'email', 'push', 'telegram', 'whatsapp')",
    ("sending_projects", "category"): _CATEGORIES,
    ("blocked_phones", "scope"): "scope IN ('all', 'promotional')",
    (
        "blocked_phones",
        "reason",
    ): "reason IN ('manual', 'optOut', 'hardBounce', 'complaint', 'unsubscribed')",
}

# Trials are no direct messages to the counters: they have a kind of their own there, and no part in the statistics.
_COUNTED = (
    (
        "CASE WHEN direction = 'inbound' THEN 'inbound' ELSE 'direct' END",
        "CASE WHEN direction = 'inbound' THEN 'inbound' WHEN trial THEN 'trial' ELSE 'direct' END",
    ),
    (
        "failure_code IS NOT NULL AND direction = 'outbound'",
        "failure_code IS NOT NULL AND direction = 'outbound' AND NOT trial",
    ),
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    # IF NOT EXISTS, here and below: what was committed before the index stays when that is broken off.
    for table, column, kind in _COLUMNS:
        op.execute(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS {column} {kind}")
    change("postern_count_messages", _COUNTED)
    for (table, column), condition in _CHECKS.items():
        name = f"ck_{table}_{column}"
        op.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}")
        op.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} CHECK ({condition}) NOT VALID")
    with op.get_context().autocommit_block():
        for table, column in _CHECKS:
            op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT ck_{table}_{column}")
    build("ix_messages_trials", "messages (owner_id, id) WHERE trial")


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
