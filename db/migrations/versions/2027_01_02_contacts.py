"""Adds contacts: people with several addresses and typed fields.

A list is read by names and fields through one index of numbers. Each value of a field is a hash of its owner, its key
and itself in `contacts.terms`, as is each beginning of a word of the name. So a page needs no index for each field, and
reads nothing of other owners.

Revision ID: 0070
Revises: 0069
"""

from alembic import op

revision = "0070"
down_revision = "0069"

_HASH = "hashtextextended(owner::text || '|' || {}, 0)"
_PREFIX = 12  # characters of a word in a name by which it is found
# A date also has the term of its day in any year. 29 February is asked for beside 28 February in common years.
_FUNCTIONS = (
    f"""
CREATE OR REPLACE FUNCTION postern_contact_values(owner uuid, key text, value jsonb) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
  SELECT {_HASH.format("key || '=' || v.part")} FROM jsonb_array_elements_text(
    CASE WHEN jsonb_typeof(value) = 'array' THEN value ELSE jsonb_build_array(value) END
  ) AS v (part)
)
""",
    f"""
CREATE OR REPLACE FUNCTION postern_contact_terms(owner uuid, fields jsonb, name text, locale text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
  SELECT {_HASH.format("f.key || '?'")} FROM jsonb_each(fields) AS f
  UNION ALL SELECT unnest(postern_contact_values(owner, f.key, f.value)) FROM jsonb_each(fields) AS f
  UNION ALL SELECT {_HASH.format("f.key || '#' || substr(f.value, 6)")} FROM jsonb_each_text(fields) AS f
    WHERE f.value ~ '^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}$'
  UNION ALL SELECT {_HASH.format("'$locale=' || locale")} WHERE locale IS NOT NULL
  UNION ALL SELECT {_HASH.format("'$name=' || left(w.lexeme, n)")}
    FROM unnest(postern_words(left(name, 200))) AS w, generate_series(1, LEAST(length(w.lexeme), {_PREFIX})) AS n
)
""",
    f"""
CREATE OR REPLACE FUNCTION postern_contact_known(owner uuid, key text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ARRAY[{_HASH.format("key || '?'")}]
""",
    f"""
CREATE OR REPLACE FUNCTION postern_contact_names(owner uuid, body text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT {_HASH.format(f"'$name=' || left(w.lexeme, {_PREFIX})")} FROM unnest(postern_words(body)) AS w)
""",
    f"""
CREATE OR REPLACE FUNCTION postern_contact_days(owner uuid, key text, first date, last date) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
  SELECT {_HASH.format("key || '#' || d.day")} FROM (
    SELECT to_char(first + n, 'MM-DD') AS day FROM generate_series(0, last - first) AS n
    UNION SELECT '02-29' FROM generate_series(0, last - first) AS n
      WHERE to_char(first + n, 'MM-DD') = '02-28' AND to_char(first + n + 1, 'MM-DD') = '03-01'
  ) AS d
)
""",
)
_TABLES = (
    """
CREATE TABLE IF NOT EXISTS contacts (
  id uuid NOT NULL CONSTRAINT pk_contacts PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_contacts_owner_id REFERENCES users (id),
  external_id text,
  name text NOT NULL DEFAULT '',
  locale text,
  timezone text,
  fields jsonb NOT NULL DEFAULT '{}',
  terms bigint[] GENERATED ALWAYS AS (postern_contact_terms(owner_id, fields, name, locale)) STORED
)
""",
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_contacts_external_id ON contacts (owner_id, external_id)",
    "CREATE INDEX IF NOT EXISTS ix_contacts_list ON contacts (owner_id, id)",
    "CREATE INDEX IF NOT EXISTS ix_contacts_name ON contacts (owner_id, name, id)",
    "CREATE INDEX IF NOT EXISTS ix_contacts_updated_at ON contacts (owner_id, updated_at, id)",
    "CREATE INDEX IF NOT EXISTS ix_contacts_terms ON contacts USING gin (terms)",
    # The planner must know how often each term is there, to choose between this index and the order of the list.
    "ALTER TABLE contacts ALTER COLUMN terms SET STATISTICS 1000",
    """
CREATE TABLE IF NOT EXISTS contact_fields (
  id uuid NOT NULL CONSTRAINT pk_contact_fields PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_contact_fields_owner_id REFERENCES users (id),
  key text NOT NULL,
  type text NOT NULL CONSTRAINT ck_contact_fields_type CHECK (type IN ('text', 'number', 'date', 'bool', 'list')),
  label text,
  pattern text
)
""",
    "CREATE UNIQUE INDEX IF NOT EXISTS uq_contact_fields_key ON contact_fields (owner_id, key)",
    """
CREATE TABLE IF NOT EXISTS contact_addresses (
  id uuid NOT NULL CONSTRAINT pk_contact_addresses PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL CONSTRAINT fk_contact_addresses_owner_id REFERENCES users (id),
  contact_id uuid NOT NULL CONSTRAINT fk_contact_addresses_contact_id REFERENCES contacts (id) ON DELETE CASCADE,
  channel text NOT NULL
    CONSTRAINT ck_contact_addresses_channel CHECK (channel IN ('sms', 'email', 'push', 'telegram', 'whatsapp')),
  address text NOT NULL,
  address_key text,
  "primary" boolean NOT NULL DEFAULT false,
  verified_at timestamptz
)
""",
    (
        "CREATE UNIQUE INDEX IF NOT EXISTS uq_contact_addresses_key"
        " ON contact_addresses (owner_id, channel, (COALESCE(address_key, address)))"
    ),
    (
        "CREATE INDEX IF NOT EXISTS ix_contact_addresses_key"
        " ON contact_addresses (owner_id, (COALESCE(address_key, address)))"
    ),
    "CREATE INDEX IF NOT EXISTS ix_contact_addresses_contact_id ON contact_addresses (contact_id, channel)",
    """
CREATE TABLE IF NOT EXISTS contact_merges (
  id uuid NOT NULL CONSTRAINT pk_contact_merges PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  contact_id uuid NOT NULL CONSTRAINT fk_contact_merges_contact_id REFERENCES contacts (id) ON DELETE CASCADE
)
""",
    "CREATE INDEX IF NOT EXISTS ix_contact_merges_contact_id ON contact_merges (contact_id)",
)
# What a person is called, where to reach them and what is known of them is hashed: the audit outlives the person.
_AUDITED = (
    ("contacts", "contact", "locale,timezone", "external_id,name,fields"),
    ("contact_fields", "contactField", "key,type,label,pattern", ""),
    ("contact_addresses", "contactAddress", "contact_id,channel,primary,verified_at", "address"),
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '10s'")
    for statement in (*_FUNCTIONS, *_TABLES):
        op.get_bind().exec_driver_sql(statement)
    for table, kind, shown, hashed in _AUDITED:
        op.execute(
            f"SELECT postern_audit_install('{table}', '{kind}', 'id', 'owner_id', '{shown}', '', '{hashed}')"
        )


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
