-- Keeps a project message's failed attempt when the message is queued again.
CREATE OR REPLACE FUNCTION postern_add_failed_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.failed_attempts := postern_failed_attempts(
    OLD.failed_attempts, CASE WHEN OLD.status = 'sending' THEN now() ELSE OLD.updated_at END,
    NEW.failure_code, NEW.failure_reason, OLD.provider);
  RETURN NEW;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER add_failed_attempt BEFORE UPDATE ON message_records
  FOR EACH ROW WHEN (NEW.status = 'queued' AND OLD.handed_at IS NOT NULL AND NEW.failure_code <> 'not_dispatched'
    AND (OLD.status IN ('failed', 'unknown') OR (OLD.status = 'sending' AND NEW.handed_at IS NULL
    AND (NEW.attempts > OLD.attempts OR NEW.failure_code IS DISTINCT FROM OLD.failure_code))))
  EXECUTE FUNCTION postern_add_failed_attempt();
