"""Reports of the owner's delivery hook are kept apart from those of the way that took the message.

A hook moves the shown status alone: the way's own stays in `way_status`, and messages that only the hook calls
delivered or returned count in no figure of deliverability. Early reports keep their source.

Revision ID: 0089
Revises: 0088
"""

from alembic import op

from db.migrations.functions import change
from db.migrations.locks import change_briefly

revision = "0089"
down_revision = "0088"
branch_labels = None
depends_on = None

_COLUMNS = (
    "ALTER TABLE early_reports ADD COLUMN IF NOT EXISTS by_hook boolean",
    """
ALTER TABLE message_records ADD COLUMN IF NOT EXISTS reported_by text, ADD COLUMN IF NOT EXISTS way_status text
""",
    "ALTER TABLE messages ADD COLUMN IF NOT EXISTS reported_by text, ADD COLUMN IF NOT EXISTS way_status text",
)
_BY_WAY = "(way_status IS NULL OR way_status = 'delivered')"
_DELIVERED = (
    (
        "count(delivered_at) AS at_delivered",
        f"count(delivered_at) FILTER (WHERE {_BY_WAY}) AS at_delivered",
    ),
)
_DELIVERED_BY_PROVIDER = (
    (
        "direction = 'outbound' AND delivered_at IS NOT NULL",
        f"direction = 'outbound' AND {_BY_WAY} AND delivered_at IS NOT NULL",
    ),
)
# The first report that no hook has made. A hook may have set the time before, so that the time says nothing.
_OTHERS = """SELECT FROM mail_reports AS o WHERE o.message_id = r.message_id AND o.type = r.type
          AND o.id NOT IN (SELECT id FROM came)"""
_REPORTS = (
    (
        f"""WHERE CASE r.type WHEN 'bounce' THEN COALESCE(m.bounced_at, p.bounced_at) IS NULL
      WHEN 'complaint' THEN COALESCE(m.complained_at, p.complained_at) IS NULL
      ELSE NOT EXISTS (
        {_OTHERS}
      ) END""",
        f"""WHERE r.source <> 'engine' AND (CASE r.type
        WHEN 'bounce' THEN COALESCE(m.bounced_at, p.bounced_at) IS NULL
        WHEN 'complaint' THEN COALESCE(m.complained_at, p.complained_at) IS NULL ELSE false END
      OR NOT EXISTS (
        {_OTHERS} AND o.source <> 'engine'
      ) AND (r.type NOT IN ('bounce', 'complaint') OR EXISTS (
        {_OTHERS}
      )))""",
    ),
)


def _events(status: str) -> tuple[tuple[str, str], ...]:
    """Returns the changes of a function that writes events. That the way says the same as the hook is an event, too:
    from then on a failed message is refunded.
    """
    return (
        (
            "'failureReason', c.failure_reason,",
            "'failureReason', c.failure_reason, 'reportedBy', c.reported_by,",
        ),
        (
            f"WHERE c.{status} <> w.{status} AND",
            f"WHERE (c.{status} <> w.{status} OR w.reported_by IS NOT NULL AND c.reported_by IS NULL) AND",
        ),
    )


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    change("postern_count", _DELIVERED)
    change("postern_count_messages", _DELIVERED)
    change("postern_count_providers", _DELIVERED_BY_PROVIDER)
    change("postern_count_reports", _REPORTS)
    change("postern_message_events", _events("state"))
    change("postern_record_events", _events("status"))
    change_briefly(_COLUMNS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
