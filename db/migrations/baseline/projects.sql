-- Sending projects, their recipients, messages and counters.

-- A mailing: texts, audience, schedule and state.
CREATE TABLE sending_projects (
  owner_id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'draft',
  status_reason text,
  channel text NOT NULL,
  account_uuids uuid[] NOT NULL DEFAULT '{}',
  subject text,
  html text,
  text text,
  variants jsonb NOT NULL DEFAULT '[]',
  template jsonb,
  attachment_uuids uuid[] NOT NULL DEFAULT '{}',
  start_at timestamptz,
  "window" jsonb,
  speed jsonb NOT NULL DEFAULT '{}',
  retry jsonb NOT NULL DEFAULT '{}',
  on_missing_variable text NOT NULL DEFAULT 'empty',
  stop_on_reply boolean NOT NULL DEFAULT false,
  repeatable_uuid uuid,
  fire_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  content integer NOT NULL DEFAULT 0,
  preparation text,
  prepared_to bigint NOT NULL DEFAULT '0',
  retried_to bigint NOT NULL DEFAULT '0',
  retry_unknown boolean NOT NULL DEFAULT false,
  resume_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  category text NOT NULL DEFAULT 'promotional',
  recipients_pending integer NOT NULL DEFAULT 0,
  recipients_error text,
  retry_skipped text[] NOT NULL DEFAULT '{}',
  variable_labels jsonb NOT NULL DEFAULT '{}',
  retry_failed text[],
  start_within_seconds integer NOT NULL DEFAULT 86400,
  running_since timestamptz,
  settled_before bigint NOT NULL DEFAULT 0,
  messages_deleted_at timestamptz,
  from_address text,
  retry_suppressed integer NOT NULL DEFAULT 0,
  audience jsonb,
  audience_to uuid,
  audience_read_at timestamptz,
  audience_segments jsonb,
  price_version_id uuid,
  resume_balance numeric(18,6),
  sender text,
  CONSTRAINT pk_sending_projects PRIMARY KEY (id),
  CONSTRAINT uq_sending_projects_repeatable_uuid_fire_at UNIQUE (repeatable_uuid, fire_at),
  CONSTRAINT fk_sending_projects_account_id FOREIGN KEY (account_id) REFERENCES accounts (id),
  CONSTRAINT fk_sending_projects_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_sending_projects_category CHECK (category IN ('transactional', 'promotional')),
  CONSTRAINT ck_sending_projects_channel CHECK (channel IN ('sms', 'email', 'push', 'telegram', 'whatsapp')),
  CONSTRAINT ck_sending_projects_on_missing_variable CHECK (on_missing_variable IN ('skip', 'empty')),
  CONSTRAINT ck_sending_projects_preparation CHECK (preparation IN ('freeze', 'retry', 'cancel')),
  CONSTRAINT ck_sending_projects_status CHECK (status IN ('draft', 'scheduled', 'running', 'paused', 'stopped',
    'finished', 'deleted')),
  CONSTRAINT ck_sending_projects_status_reason CHECK (status_reason IN ('no_sender_online', 'balance_used_up',
    'tariff_used_up', 'provider_refuses_credentials', 'owner_suspended', 'recipients_failed', 'recipients_pending',
    'window_closed', 'missed_start'))
);
CREATE INDEX ix_sending_projects_account_id_id ON sending_projects (account_id, id);
CREATE INDEX ix_sending_projects_account_uuids ON sending_projects USING gin (account_uuids);
CREATE INDEX ix_sending_projects_live ON sending_projects (status)
  WHERE status IN ('scheduled', 'running', 'paused') OR preparation IS NOT NULL;
CREATE INDEX ix_sending_projects_owner_id_id ON sending_projects (owner_id, id);
CREATE INDEX ix_sending_projects_owner_id_name_id ON sending_projects (owner_id, name, id);
CREATE INDEX ix_sending_projects_owner_id_updated_at_id ON sending_projects (owner_id, updated_at, id);

-- The number of a project's messages that are `failed` or `skipped` at present, by reason.
CREATE TABLE failure_counters (
  project_id uuid NOT NULL,
  code text NOT NULL,
  shard smallint NOT NULL,
  owner_id uuid NOT NULL,
  count bigint NOT NULL DEFAULT '0',
  CONSTRAINT pk_failure_counters PRIMARY KEY (project_id, code, shard)
);
CREATE INDEX ix_failure_counters_owner_id ON failure_counters (owner_id);

-- The texts of a project from one of its starts on; kept for as long as its messages.
CREATE TABLE project_contents (
  project_id uuid NOT NULL,
  number integer NOT NULL,
  content jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_project_contents PRIMARY KEY (project_id, number),
  CONSTRAINT fk_project_contents_project_id FOREIGN KEY (project_id)
    REFERENCES sending_projects (id) ON DELETE CASCADE
);

-- The reports about a project's emails by the provider of the mailbox; a trigger on mail_reports updates it.
CREATE TABLE project_mail_counters (
  project_id uuid NOT NULL,
  provider_class text NOT NULL,
  shard smallint NOT NULL,
  owner_id uuid NOT NULL,
  deferred bigint NOT NULL DEFAULT 0,
  hard bigint NOT NULL DEFAULT 0,
  mailbox_full bigint NOT NULL DEFAULT 0,
  content bigint NOT NULL DEFAULT 0,
  policy bigint NOT NULL DEFAULT 0,
  soft bigint NOT NULL DEFAULT 0,
  complaints bigint NOT NULL DEFAULT 0,
  rescued bigint NOT NULL DEFAULT 0,
  CONSTRAINT pk_project_mail_counters PRIMARY KEY (project_id, provider_class, shard)
) WITH (fillfactor = 50);

-- The number of a project's messages by state, updated by a trigger in the transaction that changes them.
CREATE TABLE sending_counters (
  project_id uuid NOT NULL,
  shard smallint NOT NULL,
  owner_id uuid NOT NULL,
  total bigint NOT NULL DEFAULT '0',
  queued bigint NOT NULL DEFAULT '0',
  sending bigint NOT NULL DEFAULT '0',
  sent bigint NOT NULL DEFAULT '0',
  delivered bigint NOT NULL DEFAULT '0',
  read bigint NOT NULL DEFAULT '0',
  failed bigint NOT NULL DEFAULT '0',
  skipped bigint NOT NULL DEFAULT '0',
  unknown bigint NOT NULL DEFAULT '0',
  canceled bigint NOT NULL DEFAULT '0',
  replied bigint NOT NULL DEFAULT '0',
  updated_at timestamptz NOT NULL DEFAULT now(),
  minute_at timestamptz,
  minute_settled bigint NOT NULL DEFAULT 0,
  last_minute_settled bigint NOT NULL DEFAULT 0,
  bounced bigint NOT NULL DEFAULT 0,
  complained bigint NOT NULL DEFAULT 0,
  CONSTRAINT pk_sending_counters PRIMARY KEY (project_id, shard)
);
CREATE INDEX ix_sending_counters_owner_id ON sending_counters (owner_id);

-- A batch: up to 500 messages of one project that are due at the same time. Deleted when all are settled.
CREATE TABLE sending_units (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  due_at timestamptz NOT NULL DEFAULT now(),
  claim_id uuid,
  worker text,
  expires_at timestamptz,
  held numeric(18,6) NOT NULL DEFAULT '0',
  for_window boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_sending_units PRIMARY KEY (id),
  CONSTRAINT fk_sending_units_project_id FOREIGN KEY (project_id)
    REFERENCES sending_projects (id) ON DELETE CASCADE,
  CONSTRAINT ck_sending_units_held_never_negative CHECK (held >= 0 AND held <> 'NaN')
);
CREATE INDEX ix_sending_units_expires_at ON sending_units (expires_at) WHERE claim_id IS NOT NULL;
CREATE INDEX ix_sending_units_project_id_due_at ON sending_units (project_id, due_at);

-- The number of a project's messages by event in each quarter of an hour, which fits all time zones.
CREATE TABLE statistics_buckets (
  project_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  shard smallint NOT NULL,
  owner_id uuid NOT NULL,
  queued bigint NOT NULL DEFAULT '0',
  sent bigint NOT NULL DEFAULT '0',
  delivered bigint NOT NULL DEFAULT '0',
  read bigint NOT NULL DEFAULT '0',
  failed bigint NOT NULL DEFAULT '0',
  replied bigint NOT NULL DEFAULT '0',
  unknown bigint NOT NULL DEFAULT 0,
  bounced bigint NOT NULL DEFAULT 0,
  complained bigint NOT NULL DEFAULT 0,
  CONSTRAINT pk_statistics_buckets PRIMARY KEY (project_id, bucket, shard)
);
CREATE INDEX ix_statistics_buckets_owner_id_bucket ON statistics_buckets (owner_id, bucket);

-- The number of a project's messages with one of its variants, by state; like SendingCounter.
CREATE TABLE variant_counters (
  project_id uuid NOT NULL,
  variant smallint NOT NULL,
  shard smallint NOT NULL,
  total bigint NOT NULL DEFAULT '0',
  queued bigint NOT NULL DEFAULT '0',
  sending bigint NOT NULL DEFAULT '0',
  sent bigint NOT NULL DEFAULT '0',
  delivered bigint NOT NULL DEFAULT '0',
  read bigint NOT NULL DEFAULT '0',
  failed bigint NOT NULL DEFAULT '0',
  skipped bigint NOT NULL DEFAULT '0',
  unknown bigint NOT NULL DEFAULT '0',
  canceled bigint NOT NULL DEFAULT '0',
  replied bigint NOT NULL DEFAULT '0',
  bounced bigint NOT NULL DEFAULT 0,
  complained bigint NOT NULL DEFAULT 0,
  CONSTRAINT pk_variant_counters PRIMARY KEY (project_id, variant, shard)
) WITH (fillfactor = 50);

-- An import whose rows are being added to a project; see engine/imports/bulk_add.py.
CREATE TABLE recipient_additions (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  project_id uuid NOT NULL,
  import_id uuid NOT NULL,
  line integer NOT NULL,
  added integer NOT NULL,
  rows_left integer NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_recipient_additions PRIMARY KEY (id),
  CONSTRAINT fk_recipient_additions_import_id FOREIGN KEY (import_id) REFERENCES recipient_imports (id),
  CONSTRAINT fk_recipient_additions_project_id FOREIGN KEY (project_id)
    REFERENCES sending_projects (id) ON DELETE CASCADE
);
CREATE INDEX ix_recipient_additions_import_id ON recipient_additions (import_id);
CREATE INDEX ix_recipient_additions_project_id ON recipient_additions (project_id);

-- One normalised address of a project; its message has the id UUIDv5(project, recipient).
CREATE TABLE recipients (
  project_id uuid NOT NULL,
  seq bigint GENERATED BY DEFAULT AS IDENTITY,
  address text NOT NULL,
  name text,
  variables jsonb NOT NULL DEFAULT '{}',
  timezone text,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  address_key text,
  contact_id uuid,
  CONSTRAINT pk_recipients PRIMARY KEY (id),
  CONSTRAINT fk_recipients_project_id FOREIGN KEY (project_id) REFERENCES sending_projects (id) ON DELETE CASCADE
);
CREATE INDEX ix_recipients_project_id_seq ON recipients (project_id, seq);
CREATE UNIQUE INDEX uq_recipients_key ON recipients (project_id, COALESCE(address_key, address));

-- A project of a run whose audience is still being copied. The row is deleted when the project has started.
CREATE TABLE repeatable_firings (
  project_id uuid NOT NULL,
  repeatable_id uuid NOT NULL,
  source jsonb NOT NULL,
  copied_to bigint NOT NULL DEFAULT '0',
  CONSTRAINT pk_repeatable_firings PRIMARY KEY (project_id),
  CONSTRAINT fk_repeatable_firings_project_id FOREIGN KEY (project_id)
    REFERENCES sending_projects (id) ON DELETE CASCADE
);

-- A template and a schedule; each run makes one Sending Project, unique by (repeatable, fireAt).
CREATE TABLE repeatable_projects (
  owner_id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'draft',
  template jsonb NOT NULL,
  schedule jsonb NOT NULL,
  source jsonb NOT NULL,
  next_run_at timestamptz,
  last_run_at timestamptz,
  runs integer NOT NULL DEFAULT 0,
  last_error text,
  deleted_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_repeatable_projects PRIMARY KEY (id),
  CONSTRAINT fk_repeatable_projects_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_repeatable_projects_status CHECK (status IN ('draft', 'active', 'stopped', 'finished'))
);
CREATE INDEX ix_repeatable_projects_due ON repeatable_projects (next_run_at) WHERE status = 'active';
CREATE INDEX ix_repeatable_projects_owner_id_id ON repeatable_projects (owner_id, id);

-- One message of a project to one recipient, or a reply to it.
CREATE TABLE message_records (
  id uuid NOT NULL,
  seq bigint GENERATED BY DEFAULT AS IDENTITY,
  project_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  recipient_id uuid,
  unit_id uuid,
  direction text NOT NULL DEFAULT 'outbound',
  channel text NOT NULL,
  "to" text NOT NULL,
  body text,
  status text NOT NULL DEFAULT 'queued',
  account_uuid uuid,
  content integer,
  variant smallint,
  attempts smallint NOT NULL DEFAULT '0',
  tries smallint NOT NULL DEFAULT '0',
  claim_id uuid,
  price numeric(18,6) NOT NULL DEFAULT '0',
  provider text,
  provider_message_id text,
  failure_code text,
  failure_reason text,
  queued_at timestamptz NOT NULL DEFAULT now(),
  handed_at timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  replied_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  is_unknown boolean,
  refused boolean,
  failed_attempts jsonb,
  address_key text,
  report_id text,
  bounced_at timestamptz,
  complained_at timestamptz,
  price_prefix text,
  price_version_id uuid,
  sender text,
  reported_by text,
  way_status text,
  CONSTRAINT pk_message_records PRIMARY KEY (id),
  CONSTRAINT ck_message_records_channel CHECK (channel IN ('sms', 'email', 'push', 'telegram', 'whatsapp')),
  CONSTRAINT ck_message_records_direction CHECK (direction IN ('inbound', 'outbound')),
  CONSTRAINT ck_message_records_price_never_negative CHECK (price >= 0 AND price <> 'NaN'),
  CONSTRAINT ck_message_records_status CHECK (status IN ('queued', 'sending', 'sent', 'delivered', 'read', 'failed',
    'skipped', 'unknown', 'canceled'))
) WITH (fillfactor = 45);
CREATE INDEX ix_message_records_failures ON message_records (project_id, seq) WHERE failure_code IS NOT NULL;
CREATE INDEX ix_message_records_key ON message_records (COALESCE(address_key, "to"), owner_id);
CREATE INDEX ix_message_records_owner_id_seq ON message_records (owner_id, seq);
CREATE INDEX ix_message_records_project_id_seq ON message_records (project_id, seq);
CREATE INDEX ix_message_records_provider_message_id ON message_records (provider_message_id)
  WHERE provider_message_id IS NOT NULL;
CREATE INDEX ix_message_records_queued_at ON message_records USING brin (queued_at) WITH (pages_per_range = 16,
  autosummarize = on);
CREATE INDEX ix_message_records_replies ON message_records (owner_id, project_id) WHERE direction = 'inbound';
CREATE INDEX ix_message_records_report_id ON message_records (report_id) WHERE report_id IS NOT NULL;
CREATE INDEX ix_message_records_unit_id ON message_records (unit_id);
CREATE INDEX ix_message_records_unknown ON message_records (project_id, seq) WHERE is_unknown;
CREATE INDEX ix_message_records_updated_at ON message_records USING brin (updated_at) WITH (pages_per_range = 16,
  autosummarize = on);
