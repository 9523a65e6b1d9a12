-- The ways that messages take: routes, domains, senders, limits of countries.

-- A route that delivers nothing to a prefix, so that others are tried before it; see engine/sms/degraded_routes.py.
CREATE TABLE degraded_routes (
  route text NOT NULL,
  prefix text NOT NULL COLLATE "C",
  since timestamptz NOT NULL,
  retry_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT pk_degraded_routes PRIMARY KEY (route, prefix)
);

-- Counts the SMS of some users that a route accepted in five minutes for a prefix of its rules, and those that a
-- receipt reported as delivered in these five minutes.
CREATE TABLE route_receipts (
  route text NOT NULL,
  prefix text NOT NULL COLLATE "C",
  since timestamptz NOT NULL,
  user_group smallint NOT NULL,
  sent integer NOT NULL,
  delivered integer NOT NULL,
  CONSTRAINT pk_route_receipts PRIMARY KEY (route, prefix, since, user_group)
);

-- Says by which route SMS to the numbers of a prefix go.
CREATE TABLE route_rules (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  prefix text NOT NULL COLLATE "C",
  route text NOT NULL,
  category text,
  owner_id uuid,
  priority integer NOT NULL DEFAULT 0,
  weight integer NOT NULL DEFAULT 1,
  fallback boolean NOT NULL DEFAULT true,
  CONSTRAINT pk_route_rules PRIMARY KEY (id),
  CONSTRAINT fk_route_rules_owner_id FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT ck_route_rules_category CHECK (category IN ('transactional', 'promotional')),
  CONSTRAINT ck_route_rules_weight CHECK (weight > 0)
);
CREATE INDEX ix_route_rules_owner_id ON route_rules (owner_id);
CREATE UNIQUE INDEX uq_route_rules_rule ON route_rules (prefix, route, COALESCE(category, ''),
  COALESCE(owner_id, '00000000-0000-0000-0000-000000000000'::uuid));

-- A route for SMS that an administrator has made, or a configured one that was switched off or on.
CREATE TABLE routes (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL,
  enabled boolean NOT NULL,
  dsn_encrypted bytea,
  ignores_receipts boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_routes PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_routes_name ON routes (name);

-- A key that signs the emails of a domain, with the selector under which its record is.
CREATE TABLE dkim_keys (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid,
  domain text NOT NULL,
  selector text NOT NULL,
  algorithm text NOT NULL,
  key_encrypted bytea NOT NULL,
  public_key text NOT NULL,
  state text NOT NULL DEFAULT 'pending',
  state_at timestamptz NOT NULL,
  CONSTRAINT pk_dkim_keys PRIMARY KEY (id),
  CONSTRAINT fk_dkim_keys_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_dkim_keys_algorithm CHECK (algorithm IN ('rsa', 'ed25519')),
  CONSTRAINT ck_dkim_keys_state CHECK (state IN ('pending', 'active', 'retired'))
);
CREATE INDEX ix_dkim_keys_owner_id ON dkim_keys (owner_id, domain);
CREATE UNIQUE INDEX uq_dkim_keys_selector ON dkim_keys (domain, selector);

-- A domain from which its owner may send emails, if the record that proves it is in the DNS.
CREATE TABLE domains (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  name text NOT NULL,
  token text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  records jsonb NOT NULL DEFAULT '[]',
  verified_at timestamptz,
  checked_at timestamptz,
  lost_at timestamptz,
  check_at timestamptz NOT NULL DEFAULT now(),
  problem text,
  CONSTRAINT pk_domains PRIMARY KEY (id),
  CONSTRAINT fk_domains_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_domains_status CHECK (status IN ('pending', 'verified', 'lost', 'expired'))
);
CREATE INDEX ix_domains_check_at ON domains (check_at);
CREATE INDEX ix_domains_list ON domains (owner_id, id);
CREATE UNIQUE INDEX uq_domains_name ON domains (owner_id, name);

-- A name, number or address that its owner's messages are sent from.
CREATE TABLE senders (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  channel text NOT NULL,
  kind text NOT NULL,
  value text NOT NULL,
  value_key text NOT NULL,
  domain_id uuid,
  countries text[] NOT NULL DEFAULT '{}',
  state text,
  reason text,
  decided_by uuid,
  decided_at timestamptz,
  CONSTRAINT pk_senders PRIMARY KEY (id),
  CONSTRAINT fk_senders_domain_id FOREIGN KEY (domain_id) REFERENCES domains (id) ON DELETE CASCADE,
  CONSTRAINT fk_senders_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_senders_channel CHECK (channel IN ('sms', 'email', 'push')),
  CONSTRAINT ck_senders_kind CHECK (kind IN ('alpha', 'number', 'short', 'email')),
  CONSTRAINT ck_senders_kinds CHECK (((kind = 'email') = (channel = 'email'))
    AND ((kind = 'email') = (domain_id IS NOT NULL)) AND ((kind = 'email') = (state IS NULL))),
  CONSTRAINT ck_senders_state CHECK (state IN ('pending', 'approved', 'refused'))
);
CREATE INDEX ix_senders_domain_id ON senders (domain_id);
CREATE INDEX ix_senders_list ON senders (owner_id, id);
CREATE INDEX ix_senders_value_key ON senders (value_key, id);
CREATE UNIQUE INDEX uq_senders_name ON senders (value_key) WHERE kind = 'alpha' AND state = 'approved';
CREATE UNIQUE INDEX uq_senders_value ON senders (owner_id, channel, value_key);

-- A cap that an owner has reached, once for each country and hour.
CREATE TABLE country_limits (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  country text NOT NULL,
  hour timestamptz NOT NULL,
  cap text NOT NULL,
  until timestamptz NOT NULL,
  CONSTRAINT pk_country_limits PRIMARY KEY (id),
  CONSTRAINT fk_country_limits_owner_id FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT ck_country_limits_cap CHECK (cap IN ('hour', 'day'))
);
CREATE INDEX ix_country_limits_created_at ON country_limits (created_at);
CREATE INDEX ix_country_limits_owner_id ON country_limits (owner_id, created_at);
CREATE UNIQUE INDEX uq_country_limits_hour ON country_limits (owner_id, country, hour);

-- Says which countries SMS may go to, and how many to one country. No row: everywhere.
CREATE TABLE country_rules (
  id uuid NOT NULL,
  owner_id uuid,
  allow text[],
  deny text[] NOT NULL DEFAULT '{}',
  per_hour integer,
  per_day integer,
  epoch integer NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_country_rules PRIMARY KEY (id),
  CONSTRAINT fk_country_rules_owner_id FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT ck_country_rules_caps CHECK (per_hour > 0 AND per_day > 0),
  CONSTRAINT ck_country_rules_id CHECK (id = COALESCE(owner_id, '00000000-0000-0000-0000-000000000000'::uuid))
);

-- The open circuit breaker of a route; see runtime/breakers.py. A route without a row is closed.
CREATE TABLE route_breakers (
  name text NOT NULL,
  opened_at timestamptz NOT NULL,
  pause interval NOT NULL,
  probe_at timestamptz NOT NULL,
  holder uuid,
  expires_at timestamptz,
  CONSTRAINT pk_route_breakers PRIMARY KEY (name)
);
