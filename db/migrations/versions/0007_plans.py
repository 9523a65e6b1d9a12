"""Plans of projects, their approvals, and the digests of recipients that plans name."""

from alembic import op

from db.scripts import briefly, run

revision = "0007_plans"
down_revision = "0006_route_channels"

_TABLES = """
CREATE TABLE audience_keys (
  owner_id uuid NOT NULL,
  inner_block bytea NOT NULL,
  outer_block bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_audience_keys PRIMARY KEY (owner_id),
  CONSTRAINT fk_audience_keys_owner_id FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE audience_digests (
  project_id uuid NOT NULL,
  shard smallint NOT NULL,
  recipients bigint NOT NULL DEFAULT 0,
  erased bigint NOT NULL DEFAULT 0,
  digest numeric(78, 0) NOT NULL DEFAULT 0,
  CONSTRAINT pk_audience_digests PRIMARY KEY (project_id, shard)
) WITH (fillfactor = 50);
CREATE TABLE content_editors (
  object_id uuid NOT NULL,
  person_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_content_editors PRIMARY KEY (object_id, person_id)
) WITH (fillfactor = 70);
CREATE TABLE project_plans (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  number integer NOT NULL,
  hash text NOT NULL,
  document jsonb NOT NULL,
  at_most numeric(18, 6),
  at_most_recipients bigint NOT NULL,
  made_by uuid,
  made_by_token uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  superseded_at timestamptz,
  CONSTRAINT pk_project_plans PRIMARY KEY (id),
  CONSTRAINT uq_project_plans_project_id_number UNIQUE (project_id, number),
  CONSTRAINT fk_project_plans_project_id FOREIGN KEY (project_id) REFERENCES sending_projects (id) ON DELETE CASCADE
);
CREATE INDEX ix_project_plans_list ON project_plans (owner_id, id);
CREATE TABLE project_approvals (
  id uuid NOT NULL,
  plan_id uuid NOT NULL,
  plan_hash text NOT NULL,
  project_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'asked',
  asked_by uuid,
  asked_by_token uuid,
  decided_by uuid,
  note text,
  reason text,
  voided_by uuid,
  asked_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  expires_at timestamptz NOT NULL,
  CONSTRAINT pk_project_approvals PRIMARY KEY (id),
  CONSTRAINT ck_project_approvals_state CHECK (state IN ('asked', 'approved', 'refused', 'withdrawn', 'void')),
  CONSTRAINT fk_project_approvals_plan_id FOREIGN KEY (plan_id) REFERENCES project_plans (id) ON DELETE CASCADE,
  CONSTRAINT fk_project_approvals_project_id FOREIGN KEY (project_id)
    REFERENCES sending_projects (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX uq_project_approvals_open ON project_approvals (plan_id) WHERE state IN ('asked', 'approved');
CREATE INDEX ix_project_approvals_list ON project_approvals (owner_id, id);
CREATE INDEX ix_project_approvals_project_id ON project_approvals (project_id, id);
CREATE TABLE approval_rules (
  owner_id uuid NOT NULL,
  mode text NOT NULL,
  above_recipients bigint,
  above_amount numeric(18, 6),
  channels text[] NOT NULL DEFAULT '{}',
  categories text[] NOT NULL DEFAULT '{}',
  self_approval boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_approval_rules PRIMARY KEY (owner_id),
  CONSTRAINT ck_approval_rules_mode CHECK (mode IN ('off', 'above', 'always')),
  CONSTRAINT fk_approval_rules_owner_id FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE
);
"""
_REASONS = """
ALTER TABLE sending_projects ADD COLUMN IF NOT EXISTS plan_id uuid;
ALTER TABLE user_notices ADD COLUMN IF NOT EXISTS approval_id uuid;
ALTER TABLE recipients ADD COLUMN IF NOT EXISTS is_changed boolean NOT NULL DEFAULT false;
ALTER TABLE sending_projects DROP CONSTRAINT IF EXISTS ck_sending_projects_status_reason,
  ADD CONSTRAINT ck_sending_projects_status_reason CHECK (status_reason IN ('no_sender_online', 'balance_used_up',
    'tariff_used_up', 'provider_refuses_credentials', 'owner_suspended', 'recipients_failed', 'recipients_pending',
    'window_closed', 'missed_start', 'restored', 'over_approved', 'approval_expired'));
"""


def upgrade() -> None:
    connection = op.get_bind()
    run(connection, _TABLES)
    briefly(connection, lambda: run(connection, _REASONS))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
