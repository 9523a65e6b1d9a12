"""The rules of receivers: limits of sending domains by the provider of the mailbox, and its pauses."""

from alembic import op

from db.scripts import briefly, run

revision = "0035_receivers"
down_revision = "0034_route_costs"

_CLASSES = "('gmail', 'microsoft', 'yahoo', 'apple', 'yandex', 'mailru', 'other')"
_TABLES = f"""
CREATE TABLE receiver_rules (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  domain text NOT NULL,
  provider_class text,
  in_flight integer,
  per_minute integer,
  warm_up_from timestamptz,
  warm_up integer[],
  pauses boolean NOT NULL,
  CONSTRAINT pk_receiver_rules PRIMARY KEY (id),
  CONSTRAINT ck_receiver_rules_provider_class CHECK (provider_class IN {_CLASSES}),
  CONSTRAINT ck_receiver_rules_warm_up CHECK ((warm_up_from IS NULL) = (warm_up IS NULL))
);
CREATE UNIQUE INDEX uq_receiver_rules_domain ON receiver_rules (domain, provider_class) NULLS NOT DISTINCT;
CREATE TABLE receiver_pauses (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  domain text NOT NULL,
  provider_class text NOT NULL,
  until timestamptz NOT NULL,
  times integer NOT NULL DEFAULT 1,
  answer text NOT NULL,
  CONSTRAINT pk_receiver_pauses PRIMARY KEY (id),
  CONSTRAINT uq_receiver_pauses_domain UNIQUE (owner_id, domain, provider_class)
);
CREATE INDEX ix_receiver_pauses_until ON receiver_pauses (until);
CREATE TABLE receiver_days (
  domain text NOT NULL,
  provider_class text NOT NULL,
  day date NOT NULL,
  messages bigint NOT NULL,
  granted bigint NOT NULL,
  CONSTRAINT pk_receiver_days PRIMARY KEY (domain, provider_class, day)
);
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _TABLES))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
