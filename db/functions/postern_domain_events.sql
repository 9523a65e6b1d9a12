-- Records that a domain was verified, was lost or expired in its owner's event feed, if that records. The argument is
-- the kind of domain: of emails, or of links and pages.
CREATE OR REPLACE FUNCTION postern_domain_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.owner_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.owner_id, TG_ARGV[0] || '.' || NEW.status, TG_ARGV[0], NEW.id, NULL, NULL, jsonb_build_object(
      'uuid', NEW.id, 'name', NEW.name, 'status', NEW.status, 'problem', NEW.problem,
      'verifiedAt', postern_utc(NEW.verified_at), 'lostAt', postern_utc(NEW.lost_at)));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events AFTER UPDATE OF status ON domains
  FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.status <> 'pending')
  EXECUTE FUNCTION postern_domain_events('domain');
CREATE OR REPLACE TRIGGER events AFTER UPDATE OF status ON brand_domains
  FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.status <> 'pending')
  EXECUTE FUNCTION postern_domain_events('brandDomain');
