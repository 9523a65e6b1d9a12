-- Notes since when a project runs, and what its present quarter of an hour had settled before, from which its
-- present rate is computed.
CREATE OR REPLACE FUNCTION postern_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.running_since = now();
  NEW.settled_before = COALESCE((
    SELECT sum(sent + failed) FROM statistics_buckets
    WHERE project_id = NEW.id AND bucket = date_bin('15 minutes', now(), timestamptz '2000-01-01 00:00Z')), 0);
  RETURN NEW;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER runs BEFORE INSERT ON sending_projects
  FOR EACH ROW WHEN (NEW.status = 'running') EXECUTE FUNCTION postern_runs();
CREATE OR REPLACE TRIGGER runs_again BEFORE UPDATE OF status ON sending_projects
  FOR EACH ROW WHEN (NEW.status = 'running' AND OLD.status <> 'running') EXECUTE FUNCTION postern_runs();
