-- Accounts and their ledger.

-- A balance that a user's messages are paid from.
CREATE TABLE accounts (
  owner_id uuid NOT NULL,
  name text NOT NULL,
  plan text NOT NULL DEFAULT 'free',
  balance numeric(18,6) NOT NULL DEFAULT '0',
  currency text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  low_balance numeric(18,6),
  period bigint NOT NULL DEFAULT 0,
  CONSTRAINT pk_accounts PRIMARY KEY (id),
  CONSTRAINT fk_accounts_owner_id FOREIGN KEY (owner_id) REFERENCES users (id),
  CONSTRAINT ck_accounts_balance_never_negative CHECK (balance >= 0 AND balance <> 'NaN'),
  CONSTRAINT ck_accounts_plan CHECK (plan IN ('free', 'pro', 'enterprise'))
);
CREATE INDEX ix_accounts_id_period ON accounts (id, period);
CREATE INDEX ix_accounts_owner_id_id ON accounts (owner_id, id);

-- One movement of a balance. `amount` is signed: credits and refunds add, charges subtract.
CREATE TABLE ledger_entries (
  account_id uuid NOT NULL,
  kind text NOT NULL,
  amount numeric(18,6) NOT NULL,
  reference uuid NOT NULL,
  attempt integer NOT NULL DEFAULT 1,
  note text,
  created_by uuid,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  project_id uuid,
  entry_count integer,
  CONSTRAINT pk_ledger_entries PRIMARY KEY (id),
  CONSTRAINT uq_ledger_entries_kind_reference_attempt UNIQUE (kind, reference, attempt),
  CONSTRAINT ck_ledger_entries_amount_sign CHECK (amount <> 'NaN' AND ((amount < 0) = (kind = 'charge'))),
  CONSTRAINT ck_ledger_entries_kind CHECK (kind IN ('credit', 'charge', 'refund'))
);
CREATE INDEX ix_ledger_entries_account_id_id ON ledger_entries (account_id, id);
CREATE INDEX ix_ledger_entries_kind ON ledger_entries (account_id, kind, id) WHERE kind <> 'charge';
CREATE INDEX ix_ledger_entries_project ON ledger_entries (project_id, account_id, id) INCLUDE (amount)
  WHERE project_id IS NOT NULL;

-- The one row says up to which id old entries were added up, and since when from the first one.
CREATE TABLE ledger_progress (
  id smallint NOT NULL,
  "position" uuid NOT NULL,
  begun_at timestamptz NOT NULL,
  CONSTRAINT pk_ledger_progress PRIMARY KEY (id),
  CONSTRAINT ck_ledger_progress_single CHECK (id = 1)
);
INSERT INTO ledger_progress (id, position, begun_at) VALUES (1, '00000000-0000-0000-0000-000000000000', now());
