-- Notifies workers of new jobs, with the name of the job. PgQueuer's own trigger, which this one replaces, notifies
-- at each change: a transaction that notifies waits for all others that do, and the start, the heartbeats and the
-- end of a job concern nobody else.
CREATE OR REPLACE FUNCTION postern_notify_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('ch_pgqueuer', json_build_object('channel', 'ch_pgqueuer', 'operation', 'insert',
    'sent_at', now(), 'table', 'pgqueuer', 'type', 'table_changed_event', 'entrypoint', NEW.entrypoint)::text);
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER tg_pgqueuer_changed AFTER INSERT ON pgqueuer
  FOR EACH ROW EXECUTE FUNCTION postern_notify_job();
