"""Hook secrets say who has made them and when they were last used: see decision 0084.

Webhooks, sinks and exports that an API token of a member has made are that member's, too. The audit shows makers.

Revision ID: 0091
Revises: 0090
"""

from alembic import op

from db.migrations.indexes import build
from db.migrations.locks import change_briefly

revision = "0091"
down_revision = "0090"
branch_labels = None
depends_on = None

_COLUMNS = """
ALTER TABLE hook_secrets ADD COLUMN IF NOT EXISTS created_by uuid,
  ADD COLUMN IF NOT EXISTS api_token_id uuid CONSTRAINT fk_hook_secrets_api_token_id
    REFERENCES api_tokens (id) ON DELETE SET NULL,
  ADD COLUMN IF NOT EXISTS last_used_at timestamptz
"""
_MAKERS = """
UPDATE {table} AS r SET {maker} = t.created_by FROM api_tokens AS t
WHERE t.id = r.api_token_id AND t.created_by IS NOT NULL AND r.{maker} IS NULL
"""
# The arguments of `postern_audit_install` are those of before, and the makers.
_AUDIT = (
    """
SELECT postern_audit_install('hook_secrets', 'hookSecret', 'id', 'user_id',
  'kind,revoked_at,created_by,api_token_id', 'value', '')
""",
    """
SELECT postern_audit_install('webhooks', 'webhook', 'id', 'owner_id',
  'account_id,events,enabled,disabled_reason,sending_project_uuid,paying_account_id,messenger_account_uuid,'
  'paused,batch,query_roles,saved_by,api_token_id,replay_to,replay_since,replay_until',
  'secret_encrypted,old_secret_encrypted', 'url,query')
""",
    """
SELECT postern_audit_install('event_sinks', 'eventSink', 'id', 'owner_id',
  'name,kind,url_visible,stream,subject,make_stream,replicas,duplicate_window_seconds,types,enabled,disabled_reason,'
  'saved_by,api_token_id', 'url_encrypted', 'query')
""",
)


def upgrade() -> None:
    # One transaction each: processes lock tables in orders of their own.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '10s'")
        op.execute(_COLUMNS)
        for table, maker in (
            ("webhooks", "saved_by"),
            ("event_sinks", "saved_by"),
            ("export_links", "started_by"),
        ):
            op.execute(_MAKERS.format(table=table, maker=maker))
        op.execute("RESET lock_timeout")
    for table, column in (
        ("hook_secrets", "created_by"),
        ("hook_secrets", "api_token_id"),
        ("export_links", "started_by"),
    ):
        build(f"ix_{table}_{column}", f"{table} ({column}) WHERE {column} IS NOT NULL")
    change_briefly(_AUDIT)


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
