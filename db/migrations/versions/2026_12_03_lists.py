"""Indexes for the filters of lists that walked over all rows of an owner to find the last few."""

from alembic import op

from db.migrations.indexes import build

revision = "0040"
down_revision = "0039"

_SENT = "direction = 'outbound' AND state <> 'queued' AND state <> 'sending'"
_INDEXES = (
    ("ix_messages_outbound", f"messages (owner_id, state, channel, id) WHERE {_SENT}"),
    ("ix_messages_inbound", "messages (owner_id, channel, id) WHERE direction = 'inbound'"),
    ("ix_messages_failure_code", "messages (owner_id, failure_code, id) WHERE failure_code IS NOT NULL"),
    ("ix_ledger_entries_kind", "ledger_entries (account_id, kind, id) WHERE kind <> 'charge'"),
    ("ix_blocked_phones_reason", "blocked_phones (owner_id, reason, scope, id)"),
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    for name, on in _INDEXES:
        build(name, on)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
