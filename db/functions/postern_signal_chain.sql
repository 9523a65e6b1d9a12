-- Says that a step of a chain has another state, in the transaction that changes it. It only adds a row: a transaction
-- that stores the outcomes of many messages waits for no chain. engine/chains reads the rows.
CREATE OR REPLACE FUNCTION postern_signal_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chain_signals (chain_id) VALUES (NEW.chain_id);
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER signal_chain AFTER UPDATE ON messages FOR EACH ROW
  WHEN (NEW.chain_id IS NOT NULL AND NEW.state <> 'sending' AND (
    OLD.state <> NEW.state OR OLD.failure_code IS DISTINCT FROM NEW.failure_code
    OR OLD.reported_by IS DISTINCT FROM NEW.reported_by OR OLD.bounced_at IS DISTINCT FROM NEW.bounced_at
    OR OLD.complained_at IS DISTINCT FROM NEW.complained_at
  ))
  EXECUTE FUNCTION postern_signal_chain();
