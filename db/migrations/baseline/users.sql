-- Users, their logins, credentials and members.

-- Records when a POSTERN_SECRET_KEY was used; see engine/secret_keys.py. The key itself is not stored.
CREATE TABLE secret_keys (
  id text NOT NULL,
  first_used_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_secret_keys PRIMARY KEY (id)
);

-- Prices by prefix of the number, which tariffs name. What costs what is in its versions.
CREATE TABLE price_lists (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL,
  currency text NOT NULL,
  is_strict boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_price_lists PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_price_lists_name ON price_lists (name);

-- The number of project messages that were dispatched for a user on a day (UTC).
CREATE TABLE tariff_usage (
  user_id uuid NOT NULL,
  day date NOT NULL,
  messages bigint NOT NULL DEFAULT '0',
  granted bigint NOT NULL DEFAULT '0',
  CONSTRAINT pk_tariff_usage PRIMARY KEY (user_id, day)
);

-- The prices of messages, by currency and channel, and the limits of a user.
CREATE TABLE tariffs (
  code text NOT NULL,
  name text NOT NULL,
  prices jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  public boolean NOT NULL DEFAULT true,
  max_concurrent_projects integer NOT NULL DEFAULT 100,
  max_recipients_per_project integer NOT NULL DEFAULT 10000000,
  messages_per_day bigint NOT NULL DEFAULT '10000000',
  messages_per_minute integer NOT NULL DEFAULT 10000000,
  channels text[] NOT NULL DEFAULT '{sms,email,push,telegram,whatsapp}',
  price_list_id uuid,
  CONSTRAINT pk_tariffs PRIMARY KEY (code),
  CONSTRAINT fk_tariffs_price_list_id FOREIGN KEY (price_list_id) REFERENCES price_lists (id)
);
-- What every user starts with.
INSERT INTO tariffs (code, name, prices)
SELECT 'default', 'Default', jsonb_object_agg(
  currency, '{"sms": 0.01, "email": 0.001, "push": 0, "telegram": 0, "whatsapp": 0}'::jsonb
) FROM unnest(ARRAY['USD', 'EUR', 'GBP']) AS currency;

-- A user, with login address, roles and tariff.
CREATE TABLE users (
  email text NOT NULL,
  display_name text NOT NULL DEFAULT '',
  locale text,
  status text NOT NULL DEFAULT 'active',
  roles text[] NOT NULL,
  password_hash text,
  invitation_hash bytea,
  invitation_expires_at timestamptz,
  token_version integer NOT NULL DEFAULT 1,
  tariff_code text NOT NULL DEFAULT 'default',
  updated_at timestamptz NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  self_service text[] NOT NULL DEFAULT '{}',
  CONSTRAINT pk_users PRIMARY KEY (id),
  CONSTRAINT uq_users_email UNIQUE (email),
  CONSTRAINT fk_users_tariff_code FOREIGN KEY (tariff_code) REFERENCES tariffs (code),
  CONSTRAINT ck_users_status CHECK (status IN ('active', 'invited', 'suspended', 'deleted'))
);

-- The prices of a list from a moment on. Its rows never change, so that every process may remember them.
CREATE TABLE price_list_versions (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  list_id uuid NOT NULL,
  number integer NOT NULL,
  valid_from timestamptz NOT NULL,
  size integer NOT NULL,
  created_by uuid,
  CONSTRAINT pk_price_list_versions PRIMARY KEY (id),
  CONSTRAINT fk_price_list_versions_created_by FOREIGN KEY (created_by) REFERENCES users (id),
  CONSTRAINT fk_price_list_versions_list_id FOREIGN KEY (list_id) REFERENCES price_lists (id) ON DELETE CASCADE
);
CREATE INDEX ix_price_list_versions_valid_from ON price_list_versions (list_id, valid_from DESC, number DESC);
CREATE UNIQUE INDEX uq_price_list_versions_number ON price_list_versions (list_id, number);

-- The price of a message to the numbers that begin with a prefix; the longest prefix holds.
CREATE TABLE prices (
  version_id uuid NOT NULL,
  channel text NOT NULL,
  prefix text NOT NULL COLLATE "C",
  price numeric(18,6) NOT NULL,
  cost numeric(18,6),
  CONSTRAINT pk_prices PRIMARY KEY (version_id, channel, prefix),
  CONSTRAINT fk_prices_version_id FOREIGN KEY (version_id) REFERENCES price_list_versions (id) ON DELETE CASCADE,
  CONSTRAINT ck_prices_channel CHECK (channel IN ('sms', 'whatsapp')),
  CONSTRAINT ck_prices_cost CHECK (cost >= 0),
  CONSTRAINT ck_prices_price CHECK (price >= 0)
);

-- A long-lived credential of a user.
CREATE TABLE api_tokens (
  user_id uuid NOT NULL,
  name text NOT NULL,
  token_hash bytea NOT NULL,
  hint text NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_reason text,
  scopes text[],
  networks text[],
  account_ids uuid[],
  spend_per_day numeric(18,6),
  last_used_at timestamptz,
  last_used_ip text,
  last_refused_at timestamptz,
  last_refusal text,
  created_by uuid,
  CONSTRAINT pk_api_tokens PRIMARY KEY (id),
  CONSTRAINT uq_api_tokens_token_hash UNIQUE (token_hash),
  CONSTRAINT fk_api_tokens_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_api_tokens_created_by ON api_tokens (created_by) WHERE created_by IS NOT NULL;
CREATE INDEX ix_api_tokens_user_id_id ON api_tokens (user_id, id);

-- The charges of an API token in its last day, if it has a limit for a day.
CREATE TABLE api_token_spend (
  token_id uuid NOT NULL,
  currency text NOT NULL,
  day date NOT NULL,
  spent numeric(18,6) NOT NULL,
  CONSTRAINT pk_api_token_spend PRIMARY KEY (token_id, currency),
  CONSTRAINT fk_api_token_spend_token_id FOREIGN KEY (token_id) REFERENCES api_tokens (id) ON DELETE CASCADE
);

-- A request for a new password by mail. One of an address that nobody has is a row, too, without a user.
CREATE TABLE password_resets (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  user_id uuid,
  token_version integer,
  expires_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  tried_at timestamptz,
  sent_at timestamptz,
  used_at timestamptz,
  CONSTRAINT pk_password_resets PRIMARY KEY (id),
  CONSTRAINT fk_password_resets_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_password_resets_expires_at ON password_resets (expires_at);
CREATE INDEX ix_password_resets_user_id ON password_resets (user_id);

-- A family of refresh tokens: one login, until it is revoked.
CREATE TABLE sessions (
  user_id uuid NOT NULL,
  user_agent text,
  revoked_at timestamptz,
  revoked_reason text,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  api_token_id uuid,
  second_factor_at timestamptz,
  CONSTRAINT pk_sessions PRIMARY KEY (id),
  CONSTRAINT fk_sessions_api_token_id FOREIGN KEY (api_token_id) REFERENCES api_tokens (id) ON DELETE CASCADE,
  CONSTRAINT fk_sessions_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_sessions_api_token_id ON sessions (api_token_id);
CREATE INDEX ix_sessions_user_id ON sessions (user_id);

-- One refresh token of a session; a used one has a successor.
CREATE TABLE refresh_tokens (
  session_id uuid NOT NULL,
  parent_id uuid,
  token_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_refresh_tokens PRIMARY KEY (id),
  CONSTRAINT uq_refresh_tokens_token_hash UNIQUE (token_hash),
  CONSTRAINT fk_refresh_tokens_session_id FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE INDEX ix_refresh_tokens_expires_at ON refresh_tokens (expires_at);
CREATE INDEX ix_refresh_tokens_session_id ON refresh_tokens (session_id);

-- A mail that tells a user of a change. `undo_id` is a row of user_undos; NULL: an administrator has made it.
CREATE TABLE user_notices (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  user_id uuid NOT NULL,
  email text NOT NULL,
  changes text[] NOT NULL,
  undo_id uuid,
  attempts integer NOT NULL DEFAULT 0,
  tried_at timestamptz,
  sent_at timestamptz,
  CONSTRAINT pk_user_notices PRIMARY KEY (id),
  CONSTRAINT fk_user_notices_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_user_notices_user_id ON user_notices (user_id);

-- The address that a user had before a change of the email or the own deletion. It is kept until `expires_at`, and
-- a link to it undoes the change.
CREATE TABLE user_undos (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  user_id uuid NOT NULL,
  email text NOT NULL,
  since timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  is_deletion boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_user_undos PRIMARY KEY (id),
  CONSTRAINT uq_user_undos_user_id UNIQUE (user_id),
  CONSTRAINT fk_user_undos_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_user_undos_email ON user_undos (email);
CREATE INDEX ix_user_undos_expires_at ON user_undos (expires_at);

-- A code that replaces the second factor once. Only its SHA-256 is stored.
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  CONSTRAINT pk_recovery_codes PRIMARY KEY (user_id, code_hash),
  CONSTRAINT fk_recovery_codes_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

-- A proof of a login beside the password. It counts when it is confirmed.
CREATE TABLE second_factors (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  user_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  secret_encrypted bytea,
  last_step bigint,
  confirmed_at timestamptz,
  last_used_at timestamptz,
  CONSTRAINT pk_second_factors PRIMARY KEY (id),
  CONSTRAINT fk_second_factors_user_id FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_second_factors_user_id_id ON second_factors (user_id, id);
CREATE UNIQUE INDEX uq_second_factors_totp ON second_factors (user_id) WHERE kind = 'totp';

-- The email of a person who acted for an owner, so that the audit can name them. It is kept as long as the audit.
CREATE TABLE former_members (
  owner_id uuid NOT NULL,
  member_id uuid NOT NULL,
  email text NOT NULL,
  ended_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_former_members PRIMARY KEY (owner_id, member_id)
);

-- A person who acts for an owner. Without `member_id` it is an invitation that nobody has accepted yet.
CREATE TABLE memberships (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  member_id uuid,
  email text NOT NULL,
  role text NOT NULL,
  permissions text[],
  invited_by uuid,
  token_hash bytea,
  expires_at timestamptz,
  joined_at timestamptz,
  CONSTRAINT pk_memberships PRIMARY KEY (id),
  CONSTRAINT fk_memberships_invited_by FOREIGN KEY (invited_by) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT fk_memberships_member_id FOREIGN KEY (member_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT fk_memberships_owner_id FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT ck_memberships_another CHECK (member_id <> owner_id)
);
CREATE INDEX ix_memberships_list ON memberships (owner_id, id);
CREATE UNIQUE INDEX uq_memberships_email ON memberships (owner_id, email);
CREATE UNIQUE INDEX uq_memberships_member ON memberships (member_id, owner_id);
CREATE UNIQUE INDEX uq_memberships_token ON memberships (token_hash) WHERE token_hash IS NOT NULL;

-- One dotted key of a user (`holder_id` is the user) or of an account (`holder_id` is the account).
CREATE TABLE settings (
  scope text NOT NULL,
  holder_id uuid NOT NULL,
  key text NOT NULL,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_settings PRIMARY KEY (scope, holder_id, key),
  CONSTRAINT ck_settings_scope CHECK (scope IN ('user', 'account'))
);

-- The first response to a request with an Idempotency-Key, written in the transaction of its effect.
CREATE TABLE idempotency_keys (
  user_id uuid NOT NULL,
  operation text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  answer jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT pk_idempotency_keys PRIMARY KEY (user_id, operation, key)
);
CREATE INDEX ix_idempotency_keys_expires_at ON idempotency_keys (expires_at);
