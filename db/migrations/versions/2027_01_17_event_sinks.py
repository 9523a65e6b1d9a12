"""Sinks publish the events of feeds to a broker, and each has a cursor in each feed that it reads.

Revision ID: 0083
Revises: 0082
"""

from db.migrations.locks import change_briefly

revision = "0083"
down_revision = "0082"
branch_labels = None
depends_on = None

_SINKS = """
CREATE TABLE IF NOT EXISTS event_sinks (
  id uuid NOT NULL CONSTRAINT pk_event_sinks PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid CONSTRAINT fk_event_sinks_owner_id REFERENCES users (id) ON DELETE CASCADE,
  name text NOT NULL,
  kind text NOT NULL CONSTRAINT ck_event_sinks_kind CHECK (kind IN ('nats')),
  url_encrypted bytea NOT NULL,
  url_visible text NOT NULL,
  stream text NOT NULL,
  subject text NOT NULL DEFAULT 'postern.{owner}.{type}',
  make_stream boolean NOT NULL DEFAULT true,
  replicas smallint NOT NULL DEFAULT 3 CONSTRAINT ck_event_sinks_replicas CHECK (replicas BETWEEN 1 AND 5),
  duplicate_window_seconds integer NOT NULL DEFAULT 120
    CONSTRAINT ck_event_sinks_window CHECK (duplicate_window_seconds > 0),
  types text[] NOT NULL DEFAULT '{}'::text[],
  query text,
  query_roles text[] NOT NULL DEFAULT '{}'::text[],
  saved_by uuid,
  query_scopes text[],
  api_token_id uuid CONSTRAINT fk_event_sinks_api_token_id REFERENCES api_tokens (id) ON DELETE SET NULL,
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  version bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  last_error text,
  next_at timestamptz,
  published_at timestamptz
) WITH (fillfactor = 50)
"""
_CURSORS = """
CREATE TABLE IF NOT EXISTS event_sink_cursors (
  sink_id uuid NOT NULL CONSTRAINT fk_event_sink_cursors_sink_id REFERENCES event_sinks (id) ON DELETE CASCADE,
  owner_id uuid NOT NULL CONSTRAINT fk_event_sink_cursors_owner_id REFERENCES users (id) ON DELETE CASCADE,
  epoch integer NOT NULL,
  position bigint NOT NULL,
  published bigint NOT NULL DEFAULT 0,
  missed bigint NOT NULL DEFAULT 0,
  rate double precision NOT NULL DEFAULT 0,
  replay_position bigint,
  replay_to bigint,
  replay_since timestamptz,
  replay_types text[],
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_event_sink_cursors PRIMARY KEY (sink_id, owner_id)
) WITH (fillfactor = 50)
"""
_INDEXES = (
    """
CREATE UNIQUE INDEX IF NOT EXISTS uq_event_sinks_name ON event_sinks
  (COALESCE(owner_id, '00000000-0000-0000-0000-000000000000'::uuid), name)
""",
    "CREATE INDEX IF NOT EXISTS ix_event_sinks_owner_id ON event_sinks (owner_id, id)",
    "CREATE INDEX IF NOT EXISTS ix_event_sinks_saved_by ON event_sinks (saved_by) WHERE saved_by IS NOT NULL",
    """
CREATE INDEX IF NOT EXISTS ix_event_sinks_api_token_id ON event_sinks (api_token_id) WHERE api_token_id IS NOT NULL
""",
    "CREATE INDEX IF NOT EXISTS ix_event_sink_cursors_owner_id ON event_sink_cursors (owner_id)",
)
_AUDIT = """
SELECT postern_audit_install('event_sinks', 'eventSink', 'id', 'owner_id',
  'name,kind,url_visible,stream,subject,make_stream,replicas,duplicate_window_seconds,types,enabled,disabled_reason',
  'url_encrypted', 'query')
"""


def upgrade() -> None:
    change_briefly((_SINKS, _CURSORS, *_INDEXES, _AUDIT))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
