"""Lists of subscriptions that are not active, and of a person's exports, have indexes. The links of opt-ins are made of
their messages; feeds remember when an event said that sign-up forms ask no more; contacts that were deleted are found
by hashes.

Revision ID: 0084
Revises: 0083
"""

from db.migrations.indexes import build
from db.migrations.locks import change_briefly

revision = "0084"
down_revision = "0083"
branch_labels = None
depends_on = None

_NOT_ACTIVE = "WHERE state <> 'active'"
_STATEMENTS = (
    """
CREATE TABLE IF NOT EXISTS former_contacts (
  contact_id uuid NOT NULL,
  address_hash text NOT NULL,
  owner_id uuid NOT NULL,
  CONSTRAINT pk_former_contacts PRIMARY KEY (contact_id, address_hash)
)
""",
    "CREATE INDEX IF NOT EXISTS ix_former_contacts_hash ON former_contacts (owner_id, address_hash)",
    "ALTER TABLE opt_ins ADD COLUMN IF NOT EXISTS reminder_id uuid",
    "CREATE INDEX IF NOT EXISTS ix_opt_ins_reminder_id ON opt_ins (reminder_id) WHERE reminder_id IS NOT NULL",
    "ALTER TABLE event_feeds ADD COLUMN IF NOT EXISTS signups_capped_at timestamptz",
)


def upgrade() -> None:
    build("ix_topic_subscriptions_topic_state", f"topic_subscriptions (topic_id, state, id) {_NOT_ACTIVE}")
    build("ix_topic_subscriptions_owner_state", f"topic_subscriptions (owner_id, state, id) {_NOT_ACTIVE}")
    build("ix_export_links_contact", "export_links ((filters ->> 'contactUuid'), id) WHERE source = 'person'")
    change_briefly(_STATEMENTS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
