"""The costs of routes, traffic by hour, and providers' invoices."""

from alembic import op

from db.scripts import briefly, run

revision = "0034_route_costs"
down_revision = "0033_statements"

_TABLES = """
CREATE TABLE route_costs (
  route text NOT NULL,
  valid_from timestamptz NOT NULL,
  list_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  CONSTRAINT pk_route_costs PRIMARY KEY (route, valid_from),
  CONSTRAINT fk_route_costs_list_id FOREIGN KEY (list_id) REFERENCES price_lists (id),
  CONSTRAINT fk_route_costs_created_by FOREIGN KEY (created_by) REFERENCES users (id)
);
CREATE INDEX ix_route_costs_list_id ON route_costs (list_id);
CREATE TABLE traffic (
  hour timestamptz NOT NULL,
  owner_id uuid NOT NULL,
  channel text NOT NULL,
  route text NOT NULL,
  sender text NOT NULL,
  country text NOT NULL,
  currency text NOT NULL,
  cost_currency text NOT NULL,
  messages bigint NOT NULL,
  parts bigint NOT NULL,
  delivered bigint NOT NULL,
  charged numeric(18, 6) NOT NULL,
  cost numeric(18, 6) NOT NULL,
  without_cost bigint NOT NULL,
  CONSTRAINT pk_traffic PRIMARY KEY (hour, owner_id, channel, route, sender, country, currency, cost_currency)
);
CREATE INDEX ix_traffic_owner_id_hour ON traffic (owner_id, hour);
CREATE TABLE traffic_due (
  hour timestamptz NOT NULL,
  CONSTRAINT pk_traffic_due PRIMARY KEY (hour)
);
CREATE TABLE traffic_progress (
  id smallint NOT NULL,
  changed_until timestamptz,
  counted_until timestamptz,
  next_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_traffic_progress PRIMARY KEY (id)
);
INSERT INTO traffic_progress (id) VALUES (1);
CREATE TABLE provider_invoices (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  route text NOT NULL,
  channel text NOT NULL,
  file_uuid uuid NOT NULL,
  period_from timestamptz NOT NULL,
  period_to timestamptz NOT NULL,
  currency text,
  status text NOT NULL DEFAULT 'processing',
  status_reason text,
  options jsonb NOT NULL,
  columns jsonb NOT NULL DEFAULT '[]'::jsonb,
  mapping jsonb,
  lines integer NOT NULL DEFAULT 0,
  compared integer NOT NULL DEFAULT 0,
  sums jsonb NOT NULL DEFAULT '[]'::jsonb,
  attempts smallint NOT NULL DEFAULT 0,
  is_read boolean NOT NULL DEFAULT false,
  last_line integer NOT NULL DEFAULT 0,
  made_before timestamptz,
  is_summed boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_provider_invoices PRIMARY KEY (id),
  CONSTRAINT fk_provider_invoices_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_provider_invoices_status CHECK (status IN ('processing', 'ready', 'failed')),
  CONSTRAINT ck_provider_invoices_channel CHECK (channel IN ('sms', 'whatsapp'))
);
CREATE INDEX ix_provider_invoices_processing ON provider_invoices (updated_at) WHERE status = 'processing';
CREATE TABLE provider_invoice_lines (
  invoice_id uuid NOT NULL,
  line integer NOT NULL,
  provider_id text,
  phone text,
  at timestamptz,
  parts integer,
  price numeric(18, 6),
  verdict text,
  reason text,
  message_id uuid,
  sent_parts integer,
  expected numeric(18, 6),
  CONSTRAINT pk_provider_invoice_lines PRIMARY KEY (invoice_id, line),
  CONSTRAINT fk_provider_invoice_lines_invoice_id FOREIGN KEY (invoice_id) REFERENCES provider_invoices (id)
    ON DELETE CASCADE,
  CONSTRAINT ck_provider_invoice_lines_verdict CHECK (verdict IN (
    'matched', 'billedNotSent', 'sentNotBilled', 'billedTwice', 'otherParts', 'otherPrice', 'badLine'))
);
CREATE INDEX ix_provider_invoice_lines_message_id ON provider_invoice_lines (invoice_id, message_id)
  WHERE message_id IS NOT NULL;
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _TABLES))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
