-- Direct messages, blocked addresses, and the counters of outcomes.

-- 1 while somebody holds an old snapshot: engine/upkeep/counter_generations.py sets it, and the
-- functions of the counters read it.
CREATE SEQUENCE old_snapshot AS smallint START WITH 0 MINVALUE 0 MAXVALUE 1;

-- A worker's claim on a batch of messages. Its id is the fencing token: a worker that lost it can't write.
CREATE TABLE claims (
  id uuid NOT NULL,
  worker text NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT pk_claims PRIMARY KEY (id)
);
CREATE INDEX ix_claims_expires_at ON claims (expires_at);

-- The number of direct messages by event and channel in each quarter of an hour; like MessageCounter.
CREATE TABLE message_buckets (
  owner_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  shard smallint NOT NULL,
  queued bigint NOT NULL DEFAULT '0',
  sent bigint NOT NULL DEFAULT '0',
  delivered bigint NOT NULL DEFAULT '0',
  failed bigint NOT NULL DEFAULT '0',
  unknown bigint NOT NULL DEFAULT 0,
  channel text NOT NULL,
  bounced bigint NOT NULL DEFAULT 0,
  complained bigint NOT NULL DEFAULT 0,
  CONSTRAINT pk_message_buckets PRIMARY KEY (owner_id, bucket, channel, shard)
) WITH (fillfactor = 50);
CREATE INDEX ix_message_buckets_generations ON message_buckets (shard) WHERE shard >= 64;

-- The number of messages by state, updated by a trigger in the transaction that changes the messages.
CREATE TABLE message_counters (
  owner_id uuid NOT NULL,
  account_id uuid NOT NULL,
  channel text NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  shard smallint NOT NULL,
  stored bigint NOT NULL DEFAULT '0',
  counted bigint NOT NULL DEFAULT '0',
  CONSTRAINT pk_message_counters PRIMARY KEY (owner_id, account_id, channel, kind, state, shard)
) WITH (fillfactor = 50);
CREATE INDEX ix_message_counters_generations ON message_counters (shard) WHERE shard >= 64;

-- The number of direct messages that failed, by reason; like MessageCounter.
CREATE TABLE message_failures (
  owner_id uuid NOT NULL,
  code text NOT NULL,
  shard smallint NOT NULL,
  count bigint NOT NULL DEFAULT '0',
  CONSTRAINT pk_message_failures PRIMARY KEY (owner_id, code, shard)
) WITH (fillfactor = 50);
CREATE INDEX ix_message_failures_generations ON message_failures (shard) WHERE shard >= 64;

-- A direct or inbound message. `status` is `state` as the specification shows it.
CREATE TABLE messages (
  owner_id uuid NOT NULL,
  account_id uuid NOT NULL,
  direction text NOT NULL,
  channel text NOT NULL,
  state text NOT NULL DEFAULT 'queued',
  status text GENERATED ALWAYS AS (CASE state WHEN 'sending' THEN 'queued' WHEN 'unknown' THEN 'queued'
    WHEN 'canceled' THEN 'failed' ELSE state END) STORED NOT NULL,
  "to" text NOT NULL,
  to_given text,
  sender text,
  body text NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  price numeric(18,6) NOT NULL DEFAULT '0',
  segments integer NOT NULL DEFAULT 1,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  claim_id uuid,
  handed_at timestamptz,
  provider text,
  provider_message_id text,
  failure_code text,
  failure_reason text,
  sent_at timestamptz,
  delivered_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  category text NOT NULL DEFAULT 'transactional',
  trial boolean NOT NULL DEFAULT false,
  expires_at timestamptz,
  refused boolean,
  failed_attempts jsonb,
  address_key text,
  report_id text,
  bounced_at timestamptz,
  complained_at timestamptz,
  from_address text,
  price_prefix text,
  price_version_id uuid,
  reported_by text,
  way_status text,
  CONSTRAINT pk_messages PRIMARY KEY (id),
  CONSTRAINT fk_messages_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_messages_category CHECK (category IN ('transactional', 'promotional')),
  CONSTRAINT ck_messages_channel CHECK (channel IN ('sms', 'email', 'push', 'telegram', 'whatsapp')),
  CONSTRAINT ck_messages_direction CHECK (direction IN ('inbound', 'outbound')),
  CONSTRAINT ck_messages_price_never_negative CHECK (price >= 0 AND price <> 'NaN'),
  CONSTRAINT ck_messages_state CHECK (state IN ('queued', 'sending', 'sent', 'delivered', 'failed', 'unknown',
    'canceled'))
);
CREATE INDEX ix_messages_account_id_id ON messages (account_id, id);
CREATE INDEX ix_messages_claim_id ON messages (claim_id) WHERE claim_id IS NOT NULL;
CREATE INDEX ix_messages_conversation_key ON messages (channel, COALESCE(address_key, "to"), id)
  WHERE direction = 'outbound';
CREATE INDEX ix_messages_due ON messages (channel, due_at) WHERE state = 'queued';
CREATE INDEX ix_messages_expires_at ON messages (expires_at) WHERE state = 'queued' AND expires_at IS NOT NULL;
CREATE INDEX ix_messages_failure_code ON messages (owner_id, failure_code, id) WHERE failure_code IS NOT NULL;
CREATE INDEX ix_messages_inbound ON messages (owner_id, channel, id) WHERE direction = 'inbound';
CREATE INDEX ix_messages_outbound ON messages (owner_id, state, channel, id)
  WHERE direction = 'outbound' AND state <> 'queued' AND state <> 'sending';
CREATE INDEX ix_messages_owner_id_id ON messages (owner_id, id);
CREATE INDEX ix_messages_owner_id_key_id ON messages (owner_id, COALESCE(address_key, "to"), id);
CREATE INDEX ix_messages_provider_message_id ON messages (provider_message_id)
  WHERE provider_message_id IS NOT NULL;
CREATE INDEX ix_messages_report_id ON messages (report_id) WHERE report_id IS NOT NULL;
CREATE INDEX ix_messages_trials ON messages (owner_id, id) WHERE trial;
CREATE INDEX ix_messages_unknown ON messages (id) WHERE state = 'unknown';
CREATE INDEX ix_messages_updated_at ON messages USING brin (updated_at) WITH (pages_per_range = 16,
  autosummarize = on);

-- A phone or email address that gets none of its owner's messages, or none of the promotional ones.
CREATE TABLE blocked_phones (
  owner_id uuid NOT NULL,
  phone text NOT NULL,
  reason text NOT NULL DEFAULT 'manual',
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  scope text NOT NULL DEFAULT 'all',
  address_key text,
  stopped_at timestamptz,
  reason_before text,
  scope_before text,
  expires_at timestamptz,
  CONSTRAINT pk_blocked_phones PRIMARY KEY (id),
  CONSTRAINT fk_blocked_phones_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_blocked_phones_reason CHECK (reason IN ('manual', 'softBounce', 'optOut', 'hardBounce', 'complaint',
    'unsubscribed')),
  CONSTRAINT ck_blocked_phones_scope CHECK (scope IN ('all', 'promotional'))
);
CREATE INDEX ix_blocked_phones_erased ON blocked_phones (owner_id, phone) WHERE phone LIKE 'erased:%';
CREATE INDEX ix_blocked_phones_expires_at ON blocked_phones (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX ix_blocked_phones_owner_id_id ON blocked_phones (owner_id, id);
CREATE INDEX ix_blocked_phones_reason ON blocked_phones (owner_id, reason, scope, id);
CREATE UNIQUE INDEX uq_blocked_phones_key ON blocked_phones (owner_id, COALESCE(address_key, phone));

-- The number of outbound messages that were created in a quarter of an hour, by their present state.
CREATE TABLE outcome_counters (
  owner_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  kind text NOT NULL,
  channel text NOT NULL,
  shard smallint NOT NULL,
  queued bigint NOT NULL DEFAULT '0',
  sending bigint NOT NULL DEFAULT '0',
  sent bigint NOT NULL DEFAULT '0',
  delivered bigint NOT NULL DEFAULT '0',
  read bigint NOT NULL DEFAULT '0',
  failed bigint NOT NULL DEFAULT '0',
  skipped bigint NOT NULL DEFAULT '0',
  unknown bigint NOT NULL DEFAULT '0',
  canceled bigint NOT NULL DEFAULT '0',
  CONSTRAINT pk_outcome_counters PRIMARY KEY (owner_id, bucket, kind, channel, shard)
) WITH (fillfactor = 50);
CREATE INDEX ix_outcome_counters_bucket ON outcome_counters (bucket);
CREATE INDEX ix_outcome_counters_generations ON outcome_counters (shard) WHERE shard >= 64;

-- The time from which messages of a kind are counted, if the installation had too many before to count them.
CREATE TABLE outcome_starts (
  kind text NOT NULL,
  since timestamptz NOT NULL,
  CONSTRAINT pk_outcome_starts PRIMARY KEY (kind)
);
