"""Tables of verifications: their codes, their limits of a day, and what protects them from pumping."""

from alembic import op

from db.scripts import briefly, run

revision = "0018_verifications"
down_revision = "0017_message_chains"

_TABLES = """
CREATE TABLE verifications (
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  account_id uuid NOT NULL,
  token_id uuid,
  channel text NOT NULL,
  "to" text NOT NULL,
  address_key text,
  purpose text NOT NULL,
  locale text,
  status text NOT NULL DEFAULT 'pending',
  length smallint NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  sends smallint NOT NULL DEFAULT 1,
  ttl_seconds integer NOT NULL,
  body text NOT NULL,
  from_address text,
  sender text,
  return_url text,
  chain jsonb,
  country text,
  prefix text,
  message_ids uuid[] NOT NULL DEFAULT '{}',
  expires_at timestamptz NOT NULL,
  resend_at timestamptz NOT NULL,
  settled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_verifications PRIMARY KEY (id),
  CONSTRAINT fk_verifications_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_verifications_channel CHECK (channel IN ('sms', 'email', 'push')),
  CONSTRAINT ck_verifications_status CHECK (status IN ('pending', 'approved', 'expired', 'too_many', 'canceled'))
);
CREATE INDEX ix_verifications_owner_id_id ON verifications (owner_id, id);
CREATE INDEX ix_verifications_owner_id_status_id ON verifications (owner_id, status, id);
CREATE INDEX ix_verifications_owner_id_key_id ON verifications (owner_id, COALESCE(address_key, "to"), id);
CREATE UNIQUE INDEX uq_verifications_pending ON verifications (owner_id, purpose, COALESCE(address_key, "to"))
  WHERE status = 'pending';
CREATE INDEX ix_verifications_expires_at ON verifications (expires_at) WHERE status = 'pending';

CREATE TABLE verification_codes (
  id uuid NOT NULL,
  mac bytea NOT NULL,
  code_encrypted bytea NOT NULL,
  CONSTRAINT pk_verification_codes PRIMARY KEY (id),
  CONSTRAINT fk_verification_codes_id FOREIGN KEY (id) REFERENCES verifications (id) ON DELETE CASCADE
);

CREATE TABLE verification_days (
  owner_id uuid NOT NULL,
  address_hash bytea NOT NULL,
  day date NOT NULL,
  sends smallint NOT NULL DEFAULT 0,
  tries smallint NOT NULL DEFAULT 0,
  CONSTRAINT pk_verification_days PRIMARY KEY (owner_id, address_hash, day),
  CONSTRAINT fk_verification_days_owner_id FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE verification_counters (
  owner_id uuid NOT NULL,
  kind text NOT NULL,
  value text NOT NULL,
  since timestamptz NOT NULL,
  started integer NOT NULL DEFAULT 0,
  approved integer NOT NULL DEFAULT 0,
  suppressed integer NOT NULL DEFAULT 0,
  CONSTRAINT pk_verification_counters PRIMARY KEY (owner_id, kind, value, since),
  CONSTRAINT fk_verification_counters_owner_id FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT ck_verification_counters_kind CHECK (kind IN ('country', 'prefix'))
);

CREATE TABLE suspected_groups (
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  kind text NOT NULL,
  value text NOT NULL,
  country text NOT NULL,
  hour timestamptz NOT NULL,
  threshold integer NOT NULL,
  started integer NOT NULL,
  approved integer NOT NULL,
  suppressed integer NOT NULL DEFAULT 1,
  saved numeric(18,6) NOT NULL,
  currency text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_suspected_groups PRIMARY KEY (id),
  CONSTRAINT fk_suspected_groups_owner_id FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT ck_suspected_groups_kind CHECK (kind IN ('country', 'prefix'))
);
CREATE UNIQUE INDEX uq_suspected_groups_hour ON suspected_groups (owner_id, kind, value, hour, currency);
CREATE INDEX ix_suspected_groups_owner_id_id ON suspected_groups (owner_id, id);

CREATE TABLE verification_protections (
  owner_id uuid NOT NULL,
  enabled boolean NOT NULL,
  allowed_prefixes text[] NOT NULL DEFAULT '{}',
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_verification_protections PRIMARY KEY (owner_id),
  CONSTRAINT fk_verification_protections_owner_id FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE
);
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _TABLES))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
