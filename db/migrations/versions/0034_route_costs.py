"""The costs of routes, traffic by hour, and providers' invoices."""

from alembic import op

from db.scripts import briefly, run

revision = "0034_route_costs"
down_revision = "0032_submissions"

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
"""


def upgrade() -> None:
    connection = op.get_bind()
    briefly(connection, lambda: run(connection, _TABLES))


def downgrade() -> None:
    raise NotImplementedError("migrations go forward only; restore a backup to go back")
