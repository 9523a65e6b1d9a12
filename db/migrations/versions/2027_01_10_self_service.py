"""People can ask for their data, or its erasure, by their page of preferences.

Revision ID: 0077
Revises: 0076
"""

from db.migrations.locks import change_briefly

revision = "0077"
down_revision = "0076"
branch_labels = None
depends_on = None

_STATEMENTS = (
    """
CREATE TABLE IF NOT EXISTS self_service_requests (
  id uuid NOT NULL CONSTRAINT pk_self_service_requests PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_self_service_requests_owner_id REFERENCES users (id),
  contact_id uuid CONSTRAINT fk_self_service_requests_contact_id REFERENCES contacts (id) ON DELETE SET NULL,
  kind text NOT NULL CONSTRAINT ck_self_service_requests_kind CHECK (kind IN ('export', 'erase')),
  channel text NOT NULL CONSTRAINT ck_self_service_requests_channel
    CHECK (channel IN ('sms', 'email', 'push')),
  address text NOT NULL,
  used_at timestamptz,
  export_link_id uuid
    CONSTRAINT fk_self_service_requests_export_link_id REFERENCES export_links (id) ON DELETE SET NULL
)
""",
    "CREATE INDEX IF NOT EXISTS ix_self_service_requests_contact_id ON self_service_requests (contact_id)",
    "CREATE INDEX IF NOT EXISTS ix_self_service_requests_created_at ON self_service_requests (created_at)",
    "CREATE INDEX IF NOT EXISTS ix_self_service_requests_export_link_id ON self_service_requests (export_link_id)",
    # Every request reads it, so it is locked last.
    "ALTER TABLE users ADD COLUMN IF NOT EXISTS self_service text[] NOT NULL DEFAULT '{}'::text[]",
    """
SELECT postern_audit_install('users', 'user', 'id', 'id', 'status,roles,locale,self_service,tariff_code,token_version',
  'password_hash,invitation_hash', 'email,display_name')
""",
)


def upgrade() -> None:
    change_briefly(_STATEMENTS)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
