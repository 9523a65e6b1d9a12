-- Contacts, consent, segments and erasures.

-- A typed field of an owner's contacts.
CREATE TABLE contact_fields (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  key text NOT NULL,
  type text NOT NULL,
  label text,
  pattern text,
  CONSTRAINT pk_contact_fields PRIMARY KEY (id),
  CONSTRAINT fk_contact_fields_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_contact_fields_type CHECK (type IN ('text', 'number', 'date', 'bool', 'list'))
);
CREATE UNIQUE INDEX uq_contact_fields_key ON contact_fields (owner_id, key);

-- A person whom an owner writes to.
CREATE TABLE contacts (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  external_id text,
  name text NOT NULL DEFAULT '',
  locale text,
  timezone text,
  fields jsonb NOT NULL DEFAULT '{}',
  terms bigint[] GENERATED ALWAYS AS (postern_contact_terms(owner_id, fields, name, locale)) STORED,
  CONSTRAINT pk_contacts PRIMARY KEY (id),
  CONSTRAINT fk_contacts_owner_id FOREIGN KEY (owner_id) REFERENCES users (id)
);
ALTER TABLE contacts ALTER COLUMN terms SET STATISTICS 1000;
CREATE INDEX ix_contacts_list ON contacts (owner_id, id);
CREATE INDEX ix_contacts_name ON contacts (owner_id, name, id);
CREATE INDEX ix_contacts_terms ON contacts USING gin (terms);
CREATE INDEX ix_contacts_updated_at ON contacts (owner_id, updated_at, id);
CREATE UNIQUE INDEX uq_contacts_external_id ON contacts (owner_id, external_id);

-- An address of a contact. One contact of an owner has it.
CREATE TABLE contact_addresses (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  channel text NOT NULL,
  address text NOT NULL,
  address_key text,
  "primary" boolean NOT NULL DEFAULT false,
  verified_at timestamptz,
  CONSTRAINT pk_contact_addresses PRIMARY KEY (id),
  CONSTRAINT fk_contact_addresses_contact_id FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE,
  CONSTRAINT fk_contact_addresses_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_contact_addresses_channel CHECK (channel IN ('sms', 'email', 'push', 'telegram', 'whatsapp'))
);
CREATE INDEX ix_contact_addresses_contact_id ON contact_addresses (contact_id, channel);
CREATE INDEX ix_contact_addresses_key ON contact_addresses (owner_id, COALESCE(address_key, address));
CREATE UNIQUE INDEX uq_contact_addresses_key ON contact_addresses (owner_id, channel,
  COALESCE(address_key, address));

-- The contact that another one, which is gone, was merged into, so that merging again is no error.
CREATE TABLE contact_merges (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  contact_id uuid NOT NULL,
  CONSTRAINT pk_contact_merges PRIMARY KEY (id),
  CONSTRAINT fk_contact_merges_contact_id FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE
);
CREATE INDEX ix_contact_merges_contact_id ON contact_merges (contact_id);

-- A text that somebody has seen and agreed to. It never changes, and is stored once for each owner.
CREATE TABLE consent_texts (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  sha256 bytea NOT NULL,
  text text NOT NULL,
  CONSTRAINT pk_consent_texts PRIMARY KEY (id),
  CONSTRAINT fk_consent_texts_owner_id FOREIGN KEY (owner_id) REFERENCES users (id)
);
CREATE UNIQUE INDEX uq_consent_texts_sha256 ON consent_texts (owner_id, sha256);

-- One thing that happened to a subscription. Rows are only added, and outlive contact and topic.
CREATE TABLE consent_entries (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  topic_id uuid NOT NULL,
  channel text NOT NULL,
  action text NOT NULL,
  source text NOT NULL,
  text_id uuid,
  evidence text,
  ip text,
  user_agent text,
  actor_id uuid,
  CONSTRAINT pk_consent_entries PRIMARY KEY (id),
  CONSTRAINT fk_consent_entries_text_id FOREIGN KEY (text_id) REFERENCES consent_texts (id),
  CONSTRAINT ck_consent_entries_action CHECK (action IN ('asked', 'confirmed', 'recorded', 'withdrawn', 'expired')),
  CONSTRAINT ck_consent_entries_channel CHECK (channel IN ('sms', 'email', 'push', 'telegram', 'whatsapp')),
  CONSTRAINT ck_consent_entries_source CHECK (source IN ('form', 'page', 'api', 'import', 'unsubscribeLink',
    'merge', 'service'))
);
CREATE INDEX ix_consent_entries_contact_id ON consent_entries (contact_id, id);
CREATE INDEX ix_consent_entries_list ON consent_entries (owner_id, id);
CREATE INDEX ix_consent_entries_topic_id ON consent_entries (topic_id, id);

-- A request to confirm subscriptions, sent to an address. Its token is the id of its message, and a signature.
CREATE TABLE opt_ins (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  new_contact boolean NOT NULL,
  channel text NOT NULL,
  address text NOT NULL,
  topic_ids uuid[] NOT NULL,
  text_id uuid,
  from_address text,
  reminded_at timestamptz,
  confirmed_at timestamptz,
  reminder_id uuid,
  CONSTRAINT pk_opt_ins PRIMARY KEY (id),
  CONSTRAINT fk_opt_ins_contact_id FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE,
  CONSTRAINT fk_opt_ins_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT fk_opt_ins_text_id FOREIGN KEY (text_id) REFERENCES consent_texts (id),
  CONSTRAINT ck_opt_ins_channel CHECK (channel IN ('sms', 'email', 'push'))
);
CREATE INDEX ix_opt_ins_contact_id ON opt_ins (contact_id);
CREATE INDEX ix_opt_ins_created_at ON opt_ins (created_at);
CREATE INDEX ix_opt_ins_reminder_id ON opt_ins (reminder_id) WHERE reminder_id IS NOT NULL;

-- A form by which strangers subscribe to topics of its owner.
CREATE TABLE signup_forms (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  name text NOT NULL,
  topic_uuids uuid[] NOT NULL,
  text text,
  from_address text,
  redirect_url text,
  enabled boolean NOT NULL DEFAULT true,
  CONSTRAINT pk_signup_forms PRIMARY KEY (id),
  CONSTRAINT fk_signup_forms_owner_id FOREIGN KEY (owner_id) REFERENCES users (id)
);
CREATE INDEX ix_signup_forms_list ON signup_forms (owner_id, id);

-- Something that contacts subscribe to: a newsletter, offers, changes of the terms.
CREATE TABLE topics (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  key text NOT NULL,
  name text NOT NULL,
  description text,
  translations jsonb NOT NULL DEFAULT '[]',
  category text NOT NULL DEFAULT 'promotional',
  opt_in text NOT NULL DEFAULT 'double',
  public boolean NOT NULL DEFAULT true,
  "position" integer NOT NULL DEFAULT 0,
  CONSTRAINT pk_topics PRIMARY KEY (id),
  CONSTRAINT fk_topics_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_topics_category CHECK (category IN ('transactional', 'promotional')),
  CONSTRAINT ck_topics_opt_in CHECK (opt_in IN ('none', 'double'))
);
CREATE INDEX ix_topics_list ON topics (owner_id, id);
CREATE UNIQUE INDEX uq_topics_key ON topics (owner_id, key);

-- A contact's wish to get the messages of a topic on a channel, or not. Without a row it never had any.
CREATE TABLE topic_subscriptions (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  topic_id uuid NOT NULL,
  channel text NOT NULL,
  state text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  withdrawn_at timestamptz,
  CONSTRAINT pk_topic_subscriptions PRIMARY KEY (id),
  CONSTRAINT fk_topic_subscriptions_contact_id FOREIGN KEY (contact_id) REFERENCES contacts (id) ON DELETE CASCADE,
  CONSTRAINT fk_topic_subscriptions_topic_id FOREIGN KEY (topic_id) REFERENCES topics (id),
  CONSTRAINT ck_topic_subscriptions_channel CHECK (channel IN ('sms', 'email', 'push', 'telegram', 'whatsapp')),
  CONSTRAINT ck_topic_subscriptions_state CHECK (state IN ('pending', 'active', 'withdrawn'))
);
CREATE INDEX ix_topic_subscriptions_active ON topic_subscriptions (topic_id, channel, contact_id)
  WHERE state = 'active';
CREATE INDEX ix_topic_subscriptions_list ON topic_subscriptions (owner_id, id);
CREATE INDEX ix_topic_subscriptions_owner_state ON topic_subscriptions (owner_id, state, id)
  WHERE state <> 'active';
CREATE INDEX ix_topic_subscriptions_topic_id ON topic_subscriptions (topic_id, id);
CREATE INDEX ix_topic_subscriptions_topic_state ON topic_subscriptions (topic_id, state, id)
  WHERE state <> 'active';
CREATE UNIQUE INDEX uq_topic_subscriptions_key ON topic_subscriptions (contact_id, topic_id, channel);

-- Conditions that choose contacts of an owner.
CREATE TABLE segments (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  name text NOT NULL,
  filter jsonb NOT NULL,
  size integer NOT NULL,
  counted_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_segments PRIMARY KEY (id),
  CONSTRAINT fk_segments_owner_id FOREIGN KEY (owner_id) REFERENCES users (id)
);
CREATE INDEX ix_segments_list ON segments (owner_id, id);
CREATE UNIQUE INDEX uq_segments_name ON segments (owner_id, name);

-- The erasure of a person: how far it is, and afterwards what it has done. It never has an address.
CREATE TABLE erasures (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  contact_id uuid,
  address_hash text,
  requested_by uuid,
  state text NOT NULL DEFAULT 'running',
  state_reason text,
  step text NOT NULL DEFAULT '',
  round integer NOT NULL DEFAULT 1,
  began_xid bigint NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
  counts jsonb NOT NULL DEFAULT '{}',
  deleted jsonb NOT NULL DEFAULT '[]',
  not_erased jsonb NOT NULL DEFAULT '[]',
  file_ids uuid[] NOT NULL DEFAULT '{}',
  finished_at timestamptz,
  CONSTRAINT pk_erasures PRIMARY KEY (id),
  CONSTRAINT fk_erasures_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_erasures_state CHECK (state IN ('running', 'done'))
);
CREATE INDEX ix_erasures_list ON erasures (owner_id, id);
CREATE INDEX ix_erasures_running ON erasures (id) WHERE state = 'running';

-- One thing by which a person who is being erased is found. The rows are deleted with the last step.
CREATE TABLE erasure_addresses (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  erasure_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  kind text NOT NULL,
  address text NOT NULL,
  address_key text,
  address_hash text,
  CONSTRAINT pk_erasure_addresses PRIMARY KEY (id),
  CONSTRAINT fk_erasure_addresses_erasure_id FOREIGN KEY (erasure_id) REFERENCES erasures (id) ON DELETE CASCADE,
  CONSTRAINT ck_erasure_addresses_kind CHECK (kind IN ('address', 'thread', 'other'))
);
CREATE INDEX ix_erasure_addresses_erasure_id ON erasure_addresses (erasure_id);
CREATE INDEX ix_erasure_addresses_hash ON erasure_addresses (owner_id, address_hash);

-- A contact that was deleted, by the hash of an address that it had: so an erasure finds its proof of consent.
CREATE TABLE former_contacts (
  contact_id uuid NOT NULL,
  address_hash text NOT NULL,
  owner_id uuid NOT NULL,
  CONSTRAINT pk_former_contacts PRIMARY KEY (contact_id, address_hash)
);
CREATE INDEX ix_former_contacts_hash ON former_contacts (owner_id, address_hash);

-- A request of a contact for its own data. Its id is that of the message with the link to it.
CREATE TABLE self_service_requests (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  contact_id uuid,
  kind text NOT NULL,
  channel text NOT NULL,
  address text NOT NULL,
  used_at timestamptz,
  export_link_id uuid,
  CONSTRAINT pk_self_service_requests PRIMARY KEY (id),
  CONSTRAINT fk_self_service_requests_contact_id FOREIGN KEY (contact_id)
    REFERENCES contacts (id) ON DELETE SET NULL,
  CONSTRAINT fk_self_service_requests_export_link_id FOREIGN KEY (export_link_id)
    REFERENCES export_links (id) ON DELETE SET NULL,
  CONSTRAINT fk_self_service_requests_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_self_service_requests_channel CHECK (channel IN ('sms', 'email', 'push')),
  CONSTRAINT ck_self_service_requests_kind CHECK (kind IN ('export', 'erase'))
);
CREATE INDEX ix_self_service_requests_contact_id ON self_service_requests (contact_id);
CREATE INDEX ix_self_service_requests_created_at ON self_service_requests (created_at);
CREATE INDEX ix_self_service_requests_export_link_id ON self_service_requests (export_link_id);
