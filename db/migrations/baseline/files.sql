-- Files, exports and imports, leases, and the audit.

-- Stored bytes without a row in `files`, to be deleted at `due_at`: of a failed upload, or of a deleted file.
CREATE TABLE discarded_files (
  id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  CONSTRAINT pk_discarded_files PRIMARY KEY (id)
);
CREATE INDEX ix_discarded_files_due_at ON discarded_files (due_at);

-- A file of a user: an upload, or the result of an export. Its storage path follows from the id alone.
CREATE TABLE files (
  owner_id uuid NOT NULL,
  name text NOT NULL,
  original_name text NOT NULL,
  mime text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_files PRIMARY KEY (id),
  CONSTRAINT uq_files_original_name UNIQUE (original_name),
  CONSTRAINT fk_files_owner_id FOREIGN KEY (owner_id) REFERENCES users (id)
);
CREATE INDEX ix_files_owner_id_id ON files (owner_id, id);
CREATE INDEX ix_files_owner_id_name_id ON files (owner_id, name, id);
CREATE INDEX ix_files_owner_id_size_id ON files (owner_id, size, id);

-- An export: what is exported, how far it is, and its file.
CREATE TABLE export_links (
  owner_id uuid NOT NULL,
  source text NOT NULL,
  status text NOT NULL DEFAULT 'created',
  status_reason text,
  format text NOT NULL DEFAULT 'csv',
  filters jsonb NOT NULL DEFAULT '{}',
  columns jsonb NOT NULL DEFAULT '[]',
  sending_project_uuid uuid,
  total bigint NOT NULL DEFAULT '0',
  done bigint NOT NULL DEFAULT '0',
  file_uuid uuid,
  claim_id uuid,
  tries smallint NOT NULL DEFAULT '0',
  updated_at timestamptz NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  scopes text[],
  api_token_id uuid,
  started_by uuid,
  CONSTRAINT pk_export_links PRIMARY KEY (id),
  CONSTRAINT fk_export_links_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_export_links_format CHECK (format IN ('csv', 'xlsx', 'ndjson')),
  CONSTRAINT ck_export_links_status CHECK (status IN ('created', 'running', 'ready', 'failed', 'canceled'))
);
CREATE INDEX ix_export_links_contact ON export_links ((filters ->> 'contactUuid'), id) WHERE source = 'person';
CREATE INDEX ix_export_links_file_uuid ON export_links (file_uuid) WHERE file_uuid IS NOT NULL;
CREATE INDEX ix_export_links_open ON export_links (updated_at) WHERE status IN ('created', 'running');
CREATE INDEX ix_export_links_owner_id_id ON export_links (owner_id, id);
CREATE INDEX ix_export_links_sending_project_uuid_id ON export_links (sending_project_uuid, id)
  WHERE sending_project_uuid IS NOT NULL;
CREATE INDEX ix_export_links_started_by ON export_links (started_by) WHERE started_by IS NOT NULL;

-- An import of recipients: its file, its state and its counts.
CREATE TABLE recipient_imports (
  owner_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'processing',
  status_reason text,
  file_uuid uuid,
  file_name text,
  region text NOT NULL,
  columns jsonb NOT NULL DEFAULT '[]',
  mapping jsonb NOT NULL DEFAULT '{}',
  total bigint NOT NULL DEFAULT '0',
  valid bigint NOT NULL DEFAULT '0',
  invalid bigint NOT NULL DEFAULT '0',
  duplicates bigint NOT NULL DEFAULT '0',
  options jsonb NOT NULL DEFAULT '{}',
  attempts smallint NOT NULL DEFAULT '0',
  updated_at timestamptz NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  failure_code text,
  contacts jsonb,
  contacts_line integer,
  CONSTRAINT pk_recipient_imports PRIMARY KEY (id),
  CONSTRAINT fk_recipient_imports_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_recipient_imports_status CHECK (status IN ('processing', 'ready', 'failed'))
);
CREATE INDEX ix_recipient_imports_file_uuid_id ON recipient_imports (file_uuid, id) WHERE file_uuid IS NOT NULL;
CREATE INDEX ix_recipient_imports_owner_id_id ON recipient_imports (owner_id, id);
CREATE INDEX ix_recipient_imports_processing ON recipient_imports (updated_at) WHERE status = 'processing';

-- A list that was sent in the request itself, until it is read.
CREATE TABLE import_payloads (
  import_id uuid NOT NULL,
  kind text NOT NULL,
  body bytea NOT NULL,
  CONSTRAINT pk_import_payloads PRIMARY KEY (import_id),
  CONSTRAINT fk_import_payloads_import_id FOREIGN KEY (import_id)
    REFERENCES recipient_imports (id) ON DELETE CASCADE
);

-- A line of an import: a recipient, or the error of the line. Its uuid is computed from import and line.
CREATE TABLE import_rows (
  import_id uuid NOT NULL,
  line integer NOT NULL,
  address text,
  name text,
  variables jsonb,
  timezone text,
  error_code text,
  error_message text,
  address_key text,
  CONSTRAINT pk_import_rows PRIMARY KEY (import_id, line),
  CONSTRAINT fk_import_rows_import_id FOREIGN KEY (import_id) REFERENCES recipient_imports (id) ON DELETE CASCADE
);
CREATE INDEX ix_import_rows_errors ON import_rows (import_id, line) WHERE error_code IS NOT NULL;

-- Says when a piece of an owner's work was taken last, and which (engine/jobs/fair_queue.py).
CREATE TABLE fair_shares (
  job_group text NOT NULL,
  owner_id uuid NOT NULL,
  taken_at timestamptz NOT NULL,
  last_id uuid NOT NULL,
  CONSTRAINT pk_fair_shares PRIMARY KEY (job_group, owner_id)
) WITH (fillfactor = 50);

-- Names the process that does a task which only one process may do at a time; see runtime/leases.py.
CREATE TABLE leases (
  name text NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  owner_id uuid,
  CONSTRAINT pk_leases PRIMARY KEY (name)
);

-- Holds who changed what, and what was refused. Triggers write it in the transaction of the change, and no entry
-- changes afterwards. It is partitioned by month (engine/upkeep/partitions.py).
CREATE TABLE audit_entries (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid,
  actor_id uuid,
  actor_kind text NOT NULL,
  token_id uuid,
  session_id uuid,
  operation text NOT NULL,
  object_type text NOT NULL,
  object_id text,
  result text NOT NULL,
  code text,
  ip text,
  request_id text,
  changes jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT pk_audit_entries PRIMARY KEY (id, created_at),
  CONSTRAINT ck_audit_entries_result CHECK (result IN ('done', 'refused'))
) PARTITION BY RANGE (created_at);
CREATE INDEX ix_audit_entries_actor_id_id ON audit_entries (actor_id, id);
CREATE INDEX ix_audit_entries_object_id_id ON audit_entries (object_id, id);
CREATE INDEX ix_audit_entries_owner_id_id ON audit_entries (owner_id, id);
CREATE INDEX ix_audit_entries_refused ON audit_entries (owner_id, id) WHERE result = 'refused';
CREATE INDEX ix_audit_entries_token_id_id ON audit_entries (token_id, id) WHERE token_id IS NOT NULL;
CREATE TABLE audit_entries_default PARTITION OF audit_entries DEFAULT;
-- This month and the next two, in UTC; engine/upkeep/partitions.py makes the months that follow.
DO $$
DECLARE
  month timestamp;
BEGIN
  FOR step IN 0..2 LOOP
    month := date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => step);
    EXECUTE format('CREATE TABLE %I PARTITION OF audit_entries FOR VALUES FROM (%L) TO (%L)',
      'audit_entries_' || to_char(month, 'YYYY_MM'),
      month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
  END LOOP;
END $$;

-- Holds the one key by which the audit hashes addresses and texts. It is encrypted, and stays the same.
CREATE TABLE audit_keys (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  secret_encrypted bytea NOT NULL,
  CONSTRAINT pk_audit_keys PRIMARY KEY (id)
);
