-- Records that a hook secret was made or revoked in its owner's event feed, if that records.
CREATE OR REPLACE FUNCTION postern_hook_secret_events() RETURNS trigger
LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = NEW.user_id AND f.recording) THEN
    INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
    VALUES (NEW.user_id, CASE WHEN NEW.revoked_at IS NULL THEN 'hookSecret.created'
      ELSE 'hookSecret.revoked' END, 'hookSecret', NEW.id, NULL, NULL,
      jsonb_build_object('uuid', NEW.id, 'kind', NEW.kind, 'revokedAt', postern_utc(NEW.revoked_at),
      'createdAt', postern_utc(NEW.created_at)));
  END IF;
  RETURN NULL;
END $$;

-- Triggers
CREATE OR REPLACE TRIGGER events_insert AFTER INSERT ON hook_secrets
  FOR EACH ROW WHEN (true) EXECUTE FUNCTION postern_hook_secret_events();
CREATE OR REPLACE TRIGGER events_update_revoked_at AFTER UPDATE OF revoked_at ON hook_secrets
  FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
  EXECUTE FUNCTION postern_hook_secret_events();
