"""Adds what an API token may charge, when it was used and refused last, and the events of both."""

from alembic import op

revision = "0053"
down_revision = "0052"

_COLUMNS = {
    "account_ids": "uuid[]",
    "spend_per_day": "numeric(18, 6)",
    "last_used_at": "timestamptz",
    "last_used_ip": "text",
    "last_refused_at": "timestamptz",
    "last_refusal": "text",
}
_LIMITS = ("name", "scopes", "networks", "account_ids", "spend_per_day", "expires_at")
_EVENTS = """
CREATE OR REPLACE FUNCTION postern_token_events() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.user_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (
      NEW.user_id,
      'apiToken.' || CASE
        WHEN TG_OP = 'INSERT' THEN 'created'
        WHEN NEW.revoked_at IS NOT NULL AND OLD.revoked_at IS NULL THEN 'revoked'
        WHEN NEW.last_refused_at IS DISTINCT FROM OLD.last_refused_at THEN 'refused'
        ELSE 'changed' END,
      'apiToken', NEW.id, NULL, NULL,
      jsonb_build_object('uuid', NEW.id, 'name', NEW.name, 'scopes', NEW.scopes, 'networks', NEW.networks,
        'accountIds', NEW.account_ids, 'spendPerDay', NEW.spend_per_day, 'expiresAt', postern_utc(NEW.expires_at),
        'revokedAt', postern_utc(NEW.revoked_at), 'createdAt', postern_utc(NEW.created_at),
        'lastUsedAt', postern_utc(NEW.last_used_at), 'lastUsedIp', NEW.last_used_ip,
        'lastRefusedAt', postern_utc(NEW.last_refused_at), 'lastRefusal', NEW.last_refusal));
  END IF;
  RETURN NULL;
END $$
"""


def _trigger(name: str, columns: tuple[str, ...]) -> None:
    changed = " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in columns)
    op.execute(
        f"CREATE OR REPLACE TRIGGER {name} AFTER UPDATE OF {', '.join(columns)} ON api_tokens FOR EACH ROW"
        f" WHEN ({changed}) EXECUTE FUNCTION postern_token_events()"
    )


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    # IF NOT EXISTS and OR REPLACE: an installation that was interrupted between two migrations runs them again.
    for column, type in _COLUMNS.items():
        op.execute(f"ALTER TABLE api_tokens ADD COLUMN IF NOT EXISTS {column} {type}")
    # For each token and currency its last day alone: the row of a day is the row of the next one.
    op.execute(
        "CREATE TABLE IF NOT EXISTS api_token_spend ("
        " token_id uuid CONSTRAINT fk_api_token_spend_token_id REFERENCES api_tokens (id) ON DELETE CASCADE,"
        " currency text, day date NOT NULL, spent numeric(18, 6) NOT NULL,"
        " CONSTRAINT pk_api_token_spend PRIMARY KEY (token_id, currency))"
    )
    op.execute(_EVENTS)
    _trigger("events_update_limits", _LIMITS)
    _trigger("events_update_refusal", ("last_refused_at",))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
